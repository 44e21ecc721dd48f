//! What a load will take, before it is done.

use std::sync::Arc;

use hearth_protocol::ByteSize;
use hearth_protocol::engine::LoadOptions;
use hearth_protocol::library::LibraryFile;

use crate::engine::memory::Memory;
use crate::library::estimate::{Facts, context_room, quick_estimate};

/// Guesses the main memory that a load takes; `None` where that cannot be known. Called on a thread that may read files.
pub(super) type Estimate = Arc<dyn Fn(&LibraryFile, &LoadOptions) -> Option<ByteSize> + Send + Sync>;

/// Reckons it from the file's header: weights, KV cache and buffers, as far as they can be known. A worker could tell
/// it exactly, but takes a second.
pub(super) fn of_header() -> Estimate {
    Arc::new(|file, options| {
        // A file that cannot be read is the load's to complain of.
        let Ok(facts) = Facts::open(&file.path) else {
            return Some(file.size);
        };
        let free = Memory::now().free;
        let room = free.map(|free| context_room(free, file.size.0));
        let known = quick_estimate(&facts, options, room).at_least();
        // The header of a model in several files knows the bytes of none.
        Some(ByteSize(known.max(file.size.0)))
    })
}

//! What a load will take, before it is done.

use std::sync::Arc;

use hearth_protocol::ByteSize;
use hearth_protocol::engine::LoadOptions;
use hearth_protocol::library::LibraryFile;

/// Guesses the main memory that a load takes; `None` where that cannot be known. Called on a thread that may read files.
pub(super) type Estimate = Arc<dyn Fn(&LibraryFile, &LoadOptions) -> Option<ByteSize> + Send + Sync>;

/// The least it takes: the weights.
pub(super) fn weights() -> Estimate {
    Arc::new(|file, _| Some(file.size))
}

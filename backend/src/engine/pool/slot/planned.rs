//! A model that shall be loaded.

use hearth_protocol::Error;
use hearth_protocol::engine::LoadOptions;
use hearth_protocol::library::LibraryFile;

use super::join;
use crate::engine::pool::wish::Wish;

/// What is known of a model's size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::engine::pool) enum Size {
    /// It is being estimated.
    Asked,
    /// Bytes it will take; `None` where that cannot be known.
    Estimated(Option<u64>),
}

/// A model that shall be loaded.
pub(in crate::engine::pool) struct Planned {
    pub(in crate::engine::pool) file: LibraryFile,
    pub(in crate::engine::pool) options: LoadOptions,
    pub(in crate::engine::pool) size: Size,
    /// Others were unloaded for it. Then it is loaded if the guard's limit allows it, even where the system does not
    /// show their memory as free: the pages of a mapped file counted as free all along.
    pub(in crate::engine::pool) room_made: bool,
    /// Those who wait for it; never empty.
    pub(in crate::engine::pool) wishes: Vec<Wish>,
}

impl Planned {
    pub(in crate::engine::pool) fn new(wish: Wish) -> Self {
        let mut planned = Self {
            file: wish.file().clone(),
            options: wish.options().clone(),
            size: Size::Asked,
            room_made: false,
            wishes: Vec::new(),
        };
        planned.join(wish);
        planned
    }

    pub(in crate::engine::pool) fn join(&mut self, wish: Wish) {
        join(&mut self.wishes, wish, &self.file, 0.0);
    }

    /// Whether someone wants it at any price.
    pub(in crate::engine::pool) fn is_forced(&self) -> bool {
        self.wishes.iter().any(Wish::is_forced)
    }

    /// It is not loaded.
    pub(in crate::engine::pool) fn fail(self, error: &Error) {
        for wish in self.wishes {
            wish.fail(error.clone());
        }
    }

    /// Takes out those who would not wait long: people at a window.
    pub(in crate::engine::pool) fn take_loads(&mut self) -> Vec<Wish> {
        self.wishes
            .extract_if(.., |wish| matches!(wish, Wish::Load(_)))
            .collect()
    }
}

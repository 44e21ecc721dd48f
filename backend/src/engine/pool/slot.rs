//! The place of one model, from the wish for it to the end of its worker.

mod ending;
mod loading;
mod planned;
mod ready;

use std::path::Path;

use hearth_protocol::library::LibraryFile;

pub(super) use ending::Ending;
pub(super) use loading::Loading;
pub(super) use planned::{Planned, Size};
pub(super) use ready::{JobEnd, Ready};

use super::plan::{Held, HeldState};
use super::wish::Wish;
use crate::engine::InUse;

/// What stands in a place.
pub(super) enum Slot {
    /// It shall be loaded, once its size is known and there is room.
    Planned(Planned),
    Loading(Loading),
    Ready(Ready),
    /// The worker ends; the memory is free once it has ended.
    Ending(Ending),
}

impl Slot {
    fn file(&self) -> &LibraryFile {
        match self {
            Self::Planned(planned) => &planned.file,
            Self::Loading(loading) => &loading.file,
            Self::Ready(ready) => &ready.file,
            Self::Ending(ending) => &ending.file,
        }
    }

    /// Its file, unless that is on its way out of memory.
    pub(super) fn in_use(&self) -> Option<InUse> {
        let is_loading = match self {
            Self::Planned(_) | Self::Loading(_) => true,
            Self::Ready(_) => false,
            Self::Ending(_) => return None,
        };
        Some(InUse {
            file: self.file().id.clone(),
            is_loading,
        })
    }

    /// The process of its worker, unless that ends.
    pub(super) fn process(&self) -> Option<u32> {
        match self {
            Self::Loading(loading) => Some(loading.process()),
            Self::Ready(ready) => Some(ready.model.process),
            Self::Planned(_) | Self::Ending(_) => None,
        }
    }

    /// Whether its worker ends, because it was told to or because it hung.
    pub(super) fn is_going(&self) -> bool {
        match self {
            Self::Ending(_) => true,
            Self::Ready(ready) => ready.is_hung(),
            Self::Planned(_) | Self::Loading(_) => false,
        }
    }

    /// Whether this file is in memory, or on its way there.
    pub(super) fn holds(&self, path: &Path) -> bool {
        self.file().path == path && !self.is_going()
    }

    /// Whether this file is on its way out of memory.
    pub(super) fn gives_up(&self, path: &Path) -> bool {
        self.file().path == path && self.is_going()
    }

    /// The memory it takes, under this number.
    pub(super) fn held(&self, id: u64) -> Option<Held> {
        let (need, state) = match self {
            Self::Planned(_) => return None,
            Self::Loading(loading) => (loading.need, HeldState::Loading),
            Self::Ready(ready) if ready.is_hung() => (ready.need, HeldState::Going),
            Self::Ready(ready) if ready.is_busy() => (ready.need, HeldState::Busy),
            Self::Ready(ready) => (ready.need, HeldState::Idle),
            Self::Ending(ending) => (ending.need, HeldState::Going),
        };
        Some(Held { id, need, state })
    }

    /// Those who wait for it to be loaded.
    pub(super) fn wishes(&mut self) -> Option<&mut Vec<Wish>> {
        match self {
            Self::Planned(planned) => Some(&mut planned.wishes),
            Self::Loading(loading) => Some(&mut loading.wishes),
            Self::Ready(_) | Self::Ending(_) => None,
        }
    }
}

/// Lets one more wait, unless too many of its kind do.
fn join(wishes: &mut Vec<Wish>, mut wish: Wish, file: &LibraryFile, share: f32) {
    let before = wishes
        .iter()
        .filter(|other| other.queue() == wish.queue())
        .count();
    if before >= super::QUEUE_LENGTH {
        return wish.fail(super::too_many());
    }
    wish.begun(file, share);
    wishes.push(wish);
}

//! Room on the disk: a download is let in only where it fits beside what those still write that run on the same disk.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hearth_protocol::Result;

use super::Surroundings;
use super::place::Places;
use super::side_file::SideFile;
use crate::files::{self, SPARE_ROOM};

/// Lets downloads in. Cheap to clone; all clones know of each other's.
#[derive(Clone)]
pub(super) struct Room {
    places: Places,
    surroundings: Arc<Surroundings>,
    /// Those that are in.
    inside: Arc<Mutex<Vec<Arc<SideFile>>>>,
}

/// A download that was let in. It leaves when this is dropped.
pub(super) struct Inside {
    room: Room,
    side: Arc<SideFile>,
}

impl Room {
    pub(super) fn new(places: Places, surroundings: Arc<Surroundings>) -> Self {
        Self {
            places,
            surroundings,
            inside: Arc::default(),
        }
    }

    /// Lets a download in, unless what it lacks does not fit. One that lacks nothing always fits. Waits for the disk.
    ///
    /// # Errors
    /// [`hearth_protocol::Error::DiskFull`] with what all together still write, and what is free.
    pub(super) fn enter(&self, side: &Arc<SideFile>) -> Result<Inside> {
        // Held throughout, so that of two that come at once the second sees the first.
        let mut inside = self.inside();
        if missing(side) > 0 {
            self.check(side, &inside)?;
        }
        inside.push(Arc::clone(side));
        Ok(Inside {
            room: self.clone(),
            side: Arc::clone(side),
        })
    }

    /// Whether there is room for a download that waits for it.
    pub(super) fn has_room_for(&self, side: &Arc<SideFile>) -> bool {
        self.check(side, &self.inside()).is_ok()
    }

    fn check(&self, side: &Arc<SideFile>, inside: &[Arc<SideFile>]) -> Result<()> {
        let folder = self.folder(side);
        let others = inside
            .iter()
            .filter(|other| !Arc::ptr_eq(other, side) && files::share_a_disk(&self.folder(other), &folder));
        let promised: u64 = others.map(|other| missing(other)).sum();
        let needs = missing(side).saturating_add(promised).saturating_add(SPARE_ROOM);
        let has = (self.surroundings.free_space)(&folder)?;
        if has < needs {
            return Err(files::full(&folder, needs, has));
        }
        Ok(())
    }

    fn folder(&self, side: &SideFile) -> PathBuf {
        side.read(|record| self.places.folder(record.place, &record.request.model))
    }

    fn inside(&self) -> MutexGuard<'_, Vec<Arc<SideFile>>> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        self.room.inside().retain(|side| !Arc::ptr_eq(side, &self.side));
    }
}

/// Bytes that a download still writes, as far as is known.
fn missing(side: &SideFile) -> u64 {
    let (done, total) = side.read(|record| record.progress());
    total.unwrap_or(0).saturating_sub(done)
}

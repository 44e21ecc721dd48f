//! Room on the disk: a download is let in only where it fits beside what those still write that run on the same disk.

use std::path::{Path, PathBuf};
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
    /// Those that are in. Never held while the disk is asked.
    inside: Arc<Mutex<Vec<Guest>>>,
}

/// A download and the disk it writes to; `None` where that cannot be told.
#[derive(Clone)]
struct Guest {
    side: Arc<SideFile>,
    disk: Option<files::Disk>,
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
        let folder = self.folder(side);
        let guest = Guest {
            side: Arc::clone(side),
            disk: files::disk(&folder),
        };
        let lacks = missing(side) > 0;
        let has = if lacks { self.free_space(&folder)? } else { 0 };
        // Held from the look to the entry, so that of two that come at once the second sees the first.
        let mut inside = self.inside();
        if lacks {
            check(&folder, has, &guest, &inside)?;
        }
        inside.push(guest);
        Ok(Inside {
            room: self.clone(),
            side: Arc::clone(side),
        })
    }

    /// Whether there is room for a download that waits for it. Waits for the disk.
    pub(super) fn has_room_for(&self, side: &Arc<SideFile>) -> bool {
        let folder = self.folder(side);
        let guest = Guest {
            side: Arc::clone(side),
            disk: files::disk(&folder),
        };
        let free = self.free_space(&folder);
        free.is_ok_and(|has| check(&folder, has, &guest, &self.inside()).is_ok())
    }

    fn free_space(&self, folder: &Path) -> Result<u64> {
        (self.surroundings.free_space)(folder)
    }

    fn folder(&self, side: &SideFile) -> PathBuf {
        side.read(|record| self.places.folder(record.place, &record.request.model))
    }

    fn inside(&self) -> MutexGuard<'_, Vec<Guest>> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        let is_other = |guest: &Guest| !Arc::ptr_eq(&guest.side, &self.side);
        self.room.inside().retain(is_other);
    }
}

/// Whether a download fits where so much is free, beside what those inside still write to the same disk.
fn check(folder: &Path, has: u64, guest: &Guest, inside: &[Guest]) -> Result<()> {
    let is_other = |other: &&Guest| !Arc::ptr_eq(&other.side, &guest.side);
    let others = inside.iter().filter(is_other);
    let promised = others.filter(|other| files::may_be_same(other.disk.as_ref(), guest.disk.as_ref()));
    let promised: u64 = promised.map(|other| missing(&other.side)).sum();
    let needs = missing(&guest.side)
        .saturating_add(promised)
        .saturating_add(SPARE_ROOM);
    if has < needs {
        return Err(files::full(folder, needs, has));
    }
    Ok(())
}

/// Bytes that a download still writes, as far as is known.
fn missing(side: &SideFile) -> u64 {
    let (done, total) = side.read(|record| record.progress());
    total.unwrap_or(0).saturating_sub(done)
}

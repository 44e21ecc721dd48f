//! Whether some Hearth has a data folder open: each holds a lock on a file in it for as long as it runs.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

use crate::files::make_private_folder;

/// The file.
pub(crate) const IN_USE: &str = "in-use";

/// Says that the data are used until this is dropped. Waits while another one has them alone, as to move them.
pub(crate) fn hold(home: &Path) -> Option<File> {
    let made = make_private_folder(home);
    let held = made
        .and_then(|()| open(home))
        .and_then(|file| file.lock_shared().map(|()| file));
    held.inspect_err(|error| tracing::warn!(%error, "others cannot see that the data are used"))
        .ok()
}

/// Has the data for itself until this is dropped; `None` where some Hearth uses them, or that cannot be told.
pub(crate) fn alone(home: &Path) -> Option<File> {
    let file = open(home).ok()?;
    file.try_lock().ok()?;
    Some(file)
}

fn open(home: &Path) -> io::Result<File> {
    OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(home.join(IN_USE))
}

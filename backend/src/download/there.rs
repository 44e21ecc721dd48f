//! Whether a file that is there already is the one that is wanted.

use std::path::Path;

use hearth_protocol::{Error, Result};

use super::hasher::Hasher;
use super::place::FilePlace;
use super::side_file::FileRecord;
use crate::files::file_error;

/// Whether the whole file is as long as it should be.
pub(super) fn is_as_long(place: &FilePlace, file: &FileRecord) -> bool {
    std::fs::metadata(&place.whole).is_ok_and(|about| about.len() == file.size)
}

/// Whether the file that is there is the one that is wanted. In the cache its name says it. In Hearth's folder it is
/// read, and another one is not overwritten.
///
/// # Errors
/// [`Error::File`] where it is another, or cannot be read.
pub(super) fn is_same(place: &FilePlace, file: &FileRecord) -> Result<bool> {
    if place.link.is_some() {
        return Ok(is_as_long(place, file));
    }
    let is_same = match &file.sha256 {
        Some(wanted) if is_as_long(place, file) => {
            hash(&place.whole).map_err(|error| file_error(&place.whole, &error))? == *wanted
        }
        _ => false,
    };
    if is_same {
        return Ok(true);
    }
    Err(Error::File {
        path: place.whole.display().to_string(),
        reason: "there is another file of this name; move it away, then try again".into(),
    })
}

fn hash(path: &Path) -> std::io::Result<String> {
    let mut file = std::fs::File::open(path)?;
    let mut hasher = Hasher::default();
    let length = file.metadata()?.len();
    hasher.catch_up(&mut file, length)?;
    Ok(hasher.finish())
}

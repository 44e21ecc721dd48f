//! What SQLite refuses, in words for a person.

use std::path::Path;

use hearth_protocol::Error;

/// The error of a query on the open database.
pub(super) fn storage(error: sqlx::Error) -> Error {
    match error {
        // Only closing the store closes its pools.
        sqlx::Error::PoolClosed => Error::BackendGone,
        error => Error::Storage {
            reason: format!("its file {}", predicate(&error)),
        },
    }
}

/// The error of opening a file; it names the file.
pub(super) fn opening(path: &Path, error: &sqlx::Error) -> Error {
    Error::Storage {
        reason: format!("{} {}", path.display(), predicate(error)),
    }
}

/// Whether another program holds the file.
pub(super) fn is_busy(error: &sqlx::Error) -> bool {
    code(error) == Some(5)
}

/// SQLite's primary result code, the low byte of the extended one (<https://www.sqlite.org/rescode.html>).
fn code(error: &sqlx::Error) -> Option<i32> {
    let extended = error.as_database_error()?.code()?.parse::<i32>().ok()?;
    Some(extended & 0xff)
}

/// The rest of a sentence that begins with the file.
fn predicate(error: &sqlx::Error) -> String {
    match code(error) {
        Some(3 | 8 | 23) => "may not be written; check who may write to it and its folder".into(),
        Some(5 | 6) => "is in use by another program; close that and try again".into(),
        Some(10) => format!("cannot be read or written, says the system ({error})"),
        Some(11) => {
            "is damaged; move it away to start anew, and keep it, since much of it can be saved".into()
        }
        Some(13) => "cannot grow, since the disk is full; make room and try again".into(),
        Some(14) => "cannot be opened; check who may read and write it and its folder".into(),
        Some(26) => "is not a database; move it away and start Hearth again".into(),
        _ if matches!(error, sqlx::Error::PoolTimedOut) => "is busy for too long; try again".into(),
        _ => format!("gave an error ({error})"),
    }
}

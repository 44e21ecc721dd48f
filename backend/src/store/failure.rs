//! What SQLite refuses, in words for a person. Its own words and sqlx's go to the log only.

use std::path::Path;

use hearth_protocol::Error;

/// The error of a query on the open database.
pub(super) fn storage(error: sqlx::Error) -> Error {
    match error {
        // Only closing the store closes its pools.
        sqlx::Error::PoolClosed => Error::BackendGone,
        error => Error::Storage {
            reason: format!("its file {}", predicate(&error, "")),
        },
    }
}

/// The error of opening a file; it names the file.
pub(super) fn opening(path: &Path, error: &sqlx::Error) -> Error {
    Error::Storage {
        reason: format!(
            "{} {}",
            path.display(),
            predicate(error, " and start Hearth again")
        ),
    }
}

/// Whether another program holds the file.
pub(super) fn is_busy(error: &sqlx::Error) -> bool {
    code(error) == Some(5)
}

/// Whether a part of the file is damaged.
pub(super) fn is_damage(error: &sqlx::Error) -> bool {
    code(error) == Some(11)
}

/// SQLite's primary result code, the low byte of the extended one (<https://www.sqlite.org/rescode.html>).
fn code(error: &sqlx::Error) -> Option<i32> {
    let extended = error.as_database_error()?.code()?.parse::<i32>().ok()?;
    Some(extended & 0xff)
}

/// The rest of a sentence that begins with the file. `then` follows what is to be done.
fn predicate(error: &sqlx::Error, then: &str) -> String {
    tracing::warn!(%error, "the database refused");
    match code(error) {
        // PERM, READONLY, AUTH
        Some(3 | 8 | 23) => format!("may not be written; check who may write to it and its folder{then}"),
        // BUSY, LOCKED, PROTOCOL
        Some(5 | 6 | 15) => format!("is in use by another program; close that{then}"),
        // NOMEM
        Some(7) => format!("needs more memory than is free; close other programs{then}"),
        // IOERR
        Some(10) => format!(
            "cannot be read or written, since the disk is full, failing or gone; free some space or check it{then}"
        ),
        // CORRUPT
        Some(11) => {
            "is damaged; move it away to start anew, and keep it, since much of it can be saved".into()
        }
        // FULL
        Some(13) => format!("cannot grow, since the disk is full; free some space{then}"),
        // CANTOPEN
        Some(14) => {
            format!(
                "cannot be opened; check that it is there and who may read and write it and its folder{then}"
            )
        }
        // TOOBIG
        Some(18) => "cannot hold a text as long as this one".into(),
        // NOTADB
        Some(26) => "is not a database; move it away and start Hearth again".into(),
        _ if matches!(error, sqlx::Error::PoolTimedOut) => {
            format!("is busy for too long; wait a little{then}")
        }
        _ => "gave an error that Hearth does not know; the log has its words".into(),
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;
    use std::error::Error as StdError;

    use expect_test::expect;
    use sqlx::error::{DatabaseError, ErrorKind};

    use super::*;

    /// What SQLite would say with this code.
    #[derive(Debug)]
    struct Refusal(i32);

    impl std::fmt::Display for Refusal {
        fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(formatter, "raw words of code {}", self.0)
        }
    }

    impl StdError for Refusal {}

    impl DatabaseError for Refusal {
        fn message(&self) -> &str {
            "raw words"
        }
        fn code(&self) -> Option<Cow<'_, str>> {
            Some(self.0.to_string().into())
        }
        fn as_error(&self) -> &(dyn StdError + Send + Sync + 'static) {
            self
        }
        fn as_error_mut(&mut self) -> &mut (dyn StdError + Send + Sync + 'static) {
            self
        }
        fn into_error(self: Box<Self>) -> Box<dyn StdError + Send + Sync + 'static> {
            self
        }
        fn kind(&self) -> ErrorKind {
            ErrorKind::Other
        }
    }

    #[test]
    fn each_code_has_words_for_a_person() {
        // The last ones are extended codes: a snapshot that is busy, a write that fails.
        let codes = [5, 6, 7, 8, 10, 11, 13, 14, 18, 26, 517, 778];
        let said = codes.map(|code| {
            let error = sqlx::Error::Database(Box::new(Refusal(code)));
            let opened = opening(Path::new("/home/a/hearth.db"), &error);
            format!("{code}: {}\n{code}: {opened}\n", storage(error))
        });
        expect![[r#"
            5: The database of chats: its file is in use by another program; close that.
            5: The database of chats: /home/a/hearth.db is in use by another program; close that and start Hearth again.
            6: The database of chats: its file is in use by another program; close that.
            6: The database of chats: /home/a/hearth.db is in use by another program; close that and start Hearth again.
            7: The database of chats: its file needs more memory than is free; close other programs.
            7: The database of chats: /home/a/hearth.db needs more memory than is free; close other programs and start Hearth again.
            8: The database of chats: its file may not be written; check who may write to it and its folder.
            8: The database of chats: /home/a/hearth.db may not be written; check who may write to it and its folder and start Hearth again.
            10: The database of chats: its file cannot be read or written, since the disk is full, failing or gone; free some space or check it.
            10: The database of chats: /home/a/hearth.db cannot be read or written, since the disk is full, failing or gone; free some space or check it and start Hearth again.
            11: The database of chats: its file is damaged; move it away to start anew, and keep it, since much of it can be saved.
            11: The database of chats: /home/a/hearth.db is damaged; move it away to start anew, and keep it, since much of it can be saved.
            13: The database of chats: its file cannot grow, since the disk is full; free some space.
            13: The database of chats: /home/a/hearth.db cannot grow, since the disk is full; free some space and start Hearth again.
            14: The database of chats: its file cannot be opened; check that it is there and who may read and write it and its folder.
            14: The database of chats: /home/a/hearth.db cannot be opened; check that it is there and who may read and write it and its folder and start Hearth again.
            18: The database of chats: its file cannot hold a text as long as this one.
            18: The database of chats: /home/a/hearth.db cannot hold a text as long as this one.
            26: The database of chats: its file is not a database; move it away and start Hearth again.
            26: The database of chats: /home/a/hearth.db is not a database; move it away and start Hearth again.
            517: The database of chats: its file is in use by another program; close that.
            517: The database of chats: /home/a/hearth.db is in use by another program; close that and start Hearth again.
            778: The database of chats: its file cannot be read or written, since the disk is full, failing or gone; free some space or check it.
            778: The database of chats: /home/a/hearth.db cannot be read or written, since the disk is full, failing or gone; free some space or check it and start Hearth again.
        "#]]
        .assert_eq(&said.concat());
    }

    #[test]
    fn what_sqlx_says_reaches_nobody() {
        let errors = [
            sqlx::Error::InvalidSavePointStatement,
            sqlx::Error::WorkerCrashed,
            sqlx::Error::PoolTimedOut,
            sqlx::Error::RowNotFound,
            sqlx::Error::Database(Box::new(Refusal(1))),
        ];
        for error in errors {
            let raw = error.to_string();
            let said = storage(error).to_string();
            assert!(said.starts_with("The database of chats: its file "), "{said}");
            assert!(!said.contains(&raw) && !said.contains("raw words"), "{said}");
        }
    }
}

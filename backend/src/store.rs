//! The database: one SQLite file with chats and settings, one writer, a few readers.
//!
//! Only this module names sqlx. Transactions are short: nothing in here waits for a model, a person or a network.

pub(crate) mod chats;
mod deletions;
mod failure;
mod lenient;
pub(crate) mod messages;
mod migrate;
mod settings;
#[cfg(test)]
mod tests;
mod tree;

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use hearth_protocol::{Error, Result};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{ConnectOptions, Sqlite, Transaction};

use failure::storage;

/// How long a write waits for another program that writes to the same file.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Connections that read at the same time. Reads take milliseconds; two would do.
const READERS: u32 = 4;

/// The open database. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Store {
    readers: SqlitePool,
    /// One connection, so that writes queue here in order; or why there is none.
    writer: Result<SqlitePool>,
}

impl Store {
    /// Opens the database, makes it and its folder if they are missing, and brings an older one up to date after
    /// a copy of it was made beside it. One that a newer Hearth has written is opened for reading.
    ///
    /// # Errors
    /// [`Error::Storage`] says what stands in the way and names the file.
    pub(crate) async fn open(path: &Path) -> Result<Self> {
        make_folder(path).await?;
        let options = SqliteConnectOptions::new()
            .filename(path)
            .busy_timeout(BUSY_TIMEOUT)
            .foreign_keys(true)
            .disable_statement_logging();
        let readers = SqlitePoolOptions::new()
            .max_connections(READERS)
            .connect_lazy_with(options.clone().read_only(true));
        let options = options
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // Each commit reaches the disk before it counts: it costs a few milliseconds once per message and once
            // per second of an answer, and what a person wrote outlives a power cut.
            .synchronous(SqliteSynchronous::Full);
        let writer = match migrate::migrate(path, &options, migrate::SCRIPTS).await {
            Ok(()) => Ok(one_connection(options)),
            Err(error @ Error::NewerDatabase { .. }) => {
                tracing::warn!(%error, "the database is open for reading only");
                Err(error)
            }
            Err(error) => return Err(error),
        };
        let store = Self { readers, writer };
        // A full disk or a damaged table must not keep anyone from what can still be read.
        if store.writer.is_ok()
            && let Err(error) = store.purge_old_deletions().await
        {
            tracing::warn!(%error, "what was deleted long ago is not removed yet");
        }
        Ok(store)
    }

    /// Finishes what is being written and closes the file. The last connection moves the write-ahead log into it.
    pub(crate) async fn close(&self) {
        self.readers.close().await;
        if let Ok(writer) = &self.writer {
            writer.close().await;
        }
    }

    /// Whether anything can be stored.
    ///
    /// # Errors
    /// [`Error::NewerDatabase`] where the file may only be read.
    pub(crate) fn check_writable(&self) -> Result<()> {
        self.writer.as_ref().map(drop).map_err(Clone::clone)
    }

    /// Begins a transaction that may write. It has the write lock from the start, so that it can never lose a race
    /// half way through.
    ///
    /// # Errors
    /// [`Error::NewerDatabase`] where the file may only be read.
    async fn write(&self) -> Result<Transaction<'static, Sqlite>> {
        let writer = self.writer.as_ref().map_err(Clone::clone)?;
        writer.begin_with("begin immediate").await.map_err(storage)
    }

    /// Begins a transaction that sees one state of the database throughout.
    async fn read(&self) -> Result<Transaction<'static, Sqlite>> {
        self.readers.begin().await.map_err(storage)
    }
}

fn one_connection(options: SqliteConnectOptions) -> SqlitePool {
    SqlitePoolOptions::new()
        .max_connections(1)
        .idle_timeout(None)
        .max_lifetime(None)
        .connect_lazy_with(options)
}

async fn make_folder(path: &Path) -> Result<()> {
    let failed = |problem: String| Error::Storage {
        reason: format!("{} {problem}", path.display()),
    };
    if let Some(folder) = path.parent() {
        let made = tokio::fs::create_dir_all(folder).await;
        made.map_err(|error| failed(format!("cannot be made, since its folder cannot: {error}")))?;
    }
    if tokio::fs::metadata(path).await.is_ok_and(|about| about.is_dir()) {
        return Err(failed("is a folder; move it away and start Hearth again".into()));
    }
    Ok(())
}

/// Milliseconds since 1970-01-01 UTC; 0 for a clock that stands before.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

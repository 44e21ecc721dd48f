//! The database: one SQLite file with chats, settings and the catalogue, one writer, a few readers.
//!
//! Only this module names sqlx. Transactions are short: nothing in here waits for a model, a person or a network.

mod api_keys;
mod beside;
pub(crate) mod catalogue;
mod chat_options;
pub(crate) mod chats;
pub(crate) mod copies;
mod deletions;
mod failure;
mod file;
mod folders;
mod lenient;
mod library;
pub(crate) mod messages;
mod migrate;
mod presets;
pub(crate) mod responses;
mod search;
mod settings;
#[cfg(test)]
mod tests;
mod titles;
mod tree;
pub(crate) mod turns;
mod versions;

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use hearth_protocol::{Error, Result};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{ConnectOptions, Connection, Sqlite, Transaction};

use failure::storage;

/// How long a write waits for another program that writes to the same file.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Connections that read at the same time. Reads take milliseconds; two would do.
const READERS: u32 = 4;

/// Rows that SQLite's thread reads ahead of who asked: with few of them, the two threads wake each other all through a
/// chat of ten thousand messages.
const ROWS_AHEAD: usize = 1_000;

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
        file::prepare(path).await?;
        let options = SqliteConnectOptions::new()
            .filename(path)
            .busy_timeout(BUSY_TIMEOUT)
            .foreign_keys(true)
            .row_buffer_size(ROWS_AHEAD)
            .disable_statement_logging();
        let readers = pool(READERS).connect_lazy_with(options.clone().read_only(true));
        let options = options
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // Each commit reaches the disk before it counts: it costs a few milliseconds once per message and once
            // per second of an answer, and what a person wrote outlives a power cut.
            .synchronous(SqliteSynchronous::Full);
        let writer = match migrate::migrate(path, &options, migrate::SCRIPTS).await {
            // One that was taken away since then is not made anew without its tables.
            Ok(()) => Ok(one_connection(options.create_if_missing(false))),
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
        if store.writer.is_ok()
            && let Err(error) = store.purge_old_responses().await
        {
            tracing::warn!(%error, "old answers of the server are not removed yet");
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
    pool(1)
        .idle_timeout(None)
        .max_lifetime(None)
        .connect_lazy_with(options)
}

/// Connections of which each begins outside of a transaction.
///
/// SQLite ends a transaction by itself when the disk is full or fails (<https://www.sqlite.org/lang_transaction.html>,
/// 3.1). sqlx does not hear of it, takes the connection for one within a transaction from then on and begins no other
/// on it: such a connection is closed, and another one opened in its place.
fn pool(connections: u32) -> SqlitePoolOptions {
    SqlitePoolOptions::new()
        .max_connections(connections)
        // The default, which matters here: the ping waits for the rollback of the last transaction.
        .test_before_acquire(true)
        .before_acquire(|connection, _| {
            let is_outside = !connection.is_in_transaction();
            Box::pin(std::future::ready(Ok(is_outside)))
        })
}

/// Milliseconds since 1970-01-01 UTC; 0 for a clock that stands before.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

//! Brings the schema up to date. The file's `user_version` counts the scripts it has had.
//!
//! All scripts run in one transaction under the write lock, so that a file is never half migrated and two programs
//! that start at once do not disturb each other.

use std::path::Path;
use std::time::Duration;

use hearth_protocol::{Error, Result};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection};
use tokio::time::{Instant, sleep};

use super::failure::{is_busy, opening};
use super::file::beside;

/// Between two tries to connect to a file that another Hearth is just making.
const RETRY_DELAY: Duration = Duration::from_millis(20);

/// The scripts in order. Each sets `user_version` to its place, from 1; one that was released never changes.
pub(super) const SCRIPTS: &[&str] = &[
    include_str!("migrations/0001_chats.sql"),
    include_str!("migrations/0002_catalogue.sql"),
    include_str!("migrations/0003_hub_models.sql"),
    include_str!("migrations/0004_library.sql"),
    include_str!("migrations/0005_server.sql"),
    include_str!("migrations/0006_conversations.sql"),
];

/// Runs the scripts that the file has not had. A file with data is copied first to `FILE.before-vN` beside it,
/// where N is the version it is brought to.
///
/// # Errors
/// [`Error::NewerDatabase`] leaves the file as it is; [`Error::Storage`] names the file.
pub(super) async fn migrate(
    path: &Path,
    options: &SqliteConnectOptions,
    scripts: &[&'static str],
) -> Result<()> {
    let failed = |error: sqlx::Error| opening(path, &error);
    let known = i64::try_from(scripts.len()).map_err(Error::internal)?;
    refuse_foreign(path, known).await?;

    let mut connection = connect(options).await.map_err(failed)?;
    let mut transaction = connection.begin_with("begin immediate").await.map_err(failed)?;
    // Looked at again under the lock: another Hearth may have been quicker.
    let found = version(&mut transaction).await.map_err(failed)?;
    refuse_newer(found, known)?;
    if (1..known).contains(&found) {
        back_up(path, known).await?;
    }
    let missing = usize::try_from(found).ok().and_then(|found| scripts.get(found..));
    for script in missing.unwrap_or_default() {
        let run = sqlx::raw_sql(*script).execute(&mut *transaction).await;
        run.map_err(failed)?;
    }
    transaction.commit().await.map_err(failed)?;
    connection.close().await.map_err(failed)
}

/// Connects, patiently: SQLite does not wait for its turn to switch a new file to write-ahead logging.
async fn connect(options: &SqliteConnectOptions) -> sqlx::Result<SqliteConnection> {
    let give_up = Instant::now() + super::BUSY_TIMEOUT;
    loop {
        match options.connect().await {
            Err(error) if is_busy(&error) && Instant::now() < give_up => sleep(RETRY_DELAY).await,
            outcome => return outcome,
        }
    }
}

fn refuse_newer(found: i64, known: i64) -> Result<()> {
    if found > known {
        Err(Error::NewerDatabase { found, known })
    } else {
        Ok(())
    }
}

/// Refuses a file of a newer Hearth or of another program before anything in it is changed.
async fn refuse_foreign(path: &Path, known: i64) -> Result<()> {
    let failed = |error: sqlx::Error| opening(path, &error);
    if !tokio::fs::try_exists(path).await.unwrap_or(true) {
        return Ok(());
    }
    let mut connection = reader(path).connect().await.map_err(failed)?;
    // One state for both answers, since another Hearth may be making the file.
    let mut snapshot = connection.begin().await.map_err(failed)?;
    let found = version(&mut snapshot).await.map_err(failed)?;
    let has_tables = has_tables(&mut snapshot).await.map_err(failed)?;
    snapshot.commit().await.map_err(failed)?;
    connection.close().await.map_err(failed)?;
    if found == 0 && has_tables {
        return Err(Error::Storage {
            reason: format!("{} belongs to another program; move it away", path.display()),
        });
    }
    refuse_newer(found, known)
}

async fn version(connection: &mut SqliteConnection) -> sqlx::Result<i64> {
    sqlx::query_scalar("pragma user_version")
        .fetch_one(connection)
        .await
}

async fn has_tables(connection: &mut SqliteConnection) -> sqlx::Result<bool> {
    let any = sqlx::query_scalar("select exists (select 1 from sqlite_schema)");
    any.fetch_one(connection).await
}

/// Copies the committed state, whatever part of it still stands in the write-ahead log. The copy has its name only
/// once it is whole.
async fn back_up(path: &Path, target_version: i64) -> Result<()> {
    let failed = |error: sqlx::Error| opening(path, &error);
    let unwritable = |path: &Path, error: &dyn std::fmt::Display| Error::Storage {
        reason: format!("the copy {} cannot be made: {error}", path.display()),
    };
    let copy = beside(path, &format!(".before-v{target_version}"));
    let partial = beside(&copy, ".partial");
    if let Err(error) = tokio::fs::remove_file(&partial).await
        && error.kind() != std::io::ErrorKind::NotFound
    {
        return Err(unwritable(&partial, &error));
    }
    let Some(name) = partial.to_str() else {
        return Err(unwritable(&partial, &"its path is not Unicode text"));
    };
    // Another connection, since the one with the write lock is within a transaction.
    let mut connection = reader(path).connect().await.map_err(failed)?;
    let copied = sqlx::query("vacuum into ?")
        .bind(name)
        .execute(&mut connection)
        .await;
    copied.map_err(|error| opening(&partial, &error))?;
    connection.close().await.map_err(failed)?;
    let renamed = tokio::fs::rename(&partial, &copy).await;
    renamed.map_err(|error| unwritable(&copy, &error))?;
    tracing::info!(copy = %copy.display(), "the database was copied before it is brought up to date");
    Ok(())
}

fn reader(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .read_only(true)
        .busy_timeout(super::BUSY_TIMEOUT)
        .disable_statement_logging()
}

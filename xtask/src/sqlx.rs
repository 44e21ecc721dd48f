//! The cache in which sqlx looks up the types of queries, so that a build needs no database.
//!
//! `cargo sqlx prepare` would do the same; this needs nothing installed. The migrations themselves belong to the
//! backend.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use anyhow::{Context, ensure};
use sha2::{Digest, Sha256};

use crate::workspace::Workspace;
use crate::{models, process};

/// Where sqlx looks first: beside the manifest of the crate.
const CACHE: &str = "backend/.sqlx";

/// Says in the cache which schema it was made from.
const SCHEMA_HASH: &str = "schema.sha256";

const MIGRATIONS: &str = "backend/src/store/migrations";

/// The only folders whose files may hold queries.
const SOURCES: [&str; 2] = ["backend/src/store", "backend/src/store/catalogue"];

/// Touched to have the crate compiled again: cargo does not know that the cache depends on it.
const CRATE_ROOT: &str = "backend/src/lib.rs";

/// Runs each script on a new database. Python's own SQLite is there wherever the models can be fetched.
const MIGRATE: &str = "\
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
for script in sys.argv[2:]:
    connection.executescript(open(script, encoding='utf-8').read())
connection.close()
";

/// Makes the cache anew from the migrations and the queries in the sources.
///
/// # Errors
/// Where Python is missing, a migration fails or a query does not fit the schema.
pub(crate) fn prepare(workspace: &Workspace) -> anyhow::Result<()> {
    let root = &workspace.root;
    let work = root.join("target/sqlx");
    let (database, fresh) = (work.join("schema.db"), work.join("cache"));
    remove_folder(&work)?;
    fs::create_dir_all(&fresh)?;

    let mut python = Command::new(models::python()?);
    python
        .args(["-c", MIGRATE])
        .arg(&database)
        .args(files(&root.join(MIGRATIONS), "sql")?);
    let migrated = python.status().context("Python does not start")?;
    ensure!(migrated.success(), "the migrations do not run on a new database");

    let lib = fs::File::options().append(true).open(root.join(CRATE_ROOT))?;
    lib.set_modified(SystemTime::now())?;
    let mut cargo = workspace.cargo(["check", "--workspace", "--all-features", "--all-targets"]);
    cargo
        .env("SQLX_OFFLINE", "false")
        .env("SQLX_OFFLINE_DIR", &fresh)
        .env("DATABASE_URL", format!("sqlite:{}", database.display()));
    process::run(cargo)?;
    ensure!(!files(&fresh, "json")?.is_empty(), "no query was found");

    fs::write(fresh.join(SCHEMA_HASH), schema_hash(root)?)?;
    let cache = root.join(CACHE);
    remove_folder(&cache)?;
    fs::rename(&fresh, &cache).with_context(|| format!("{} cannot be replaced", cache.display()))
}

/// Checks that the committed cache is current without compiling: it was made from this schema, and each query in it
/// still stands in the sources. That each query in the sources is in it, every build proves.
///
/// # Errors
/// What is out of date.
pub(crate) fn check(root: &Path) -> anyhow::Result<()> {
    let cache = root.join(CACHE);
    let made_from = fs::read_to_string(cache.join(SCHEMA_HASH)).unwrap_or_default();
    let mut sources = String::new();
    for folder in SOURCES {
        sources.extend(read_all(&root.join(folder), "rs")?);
    }
    let mut queries = Vec::new();
    for entry in read_all(&cache, "json")? {
        let entry: serde_json::Value = serde_json::from_str(&entry)?;
        let query = entry["query"].as_str();
        queries.push(query.context("a file of the cache holds no query")?.to_owned());
    }
    let stale = stale(made_from == schema_hash(root)?, &queries, &sources);
    ensure!(
        stale.is_empty(),
        "{CACHE} is out of date; run `cargo xtask sqlx`:\n{}",
        stale.join("\n")
    );
    Ok(())
}

/// What of the cache is out of date.
fn stale(has_this_schema: bool, queries: &[String], sources: &str) -> Vec<String> {
    let schema = (!has_this_schema).then(|| "the schema has changed".to_owned());
    // A query stands in the sources as it is, line breaks and indentation included.
    let gone = queries.iter().filter(|query| !sources.contains(*query));
    let gone = gone.map(|query| format!("no longer asked: {query}"));
    schema.into_iter().chain(gone).collect()
}

/// Of the scripts in order.
fn schema_hash(root: &Path) -> anyhow::Result<String> {
    let mut hash = Sha256::new();
    for script in read_all(&root.join(MIGRATIONS), "sql")? {
        hash.update(script);
    }
    let digits: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(digits + "\n")
}

/// The texts of the files with this ending in a folder, by name, whatever way the checkout ends its lines.
fn read_all(folder: &Path, ending: &str) -> anyhow::Result<Vec<String>> {
    let read = |file| fs::read_to_string(file).map(|text| text.replace("\r\n", "\n"));
    Ok(files(folder, ending)?
        .into_iter()
        .map(read)
        .collect::<Result<_, _>>()?)
}

/// The files with this ending in a folder, by name.
fn files(folder: &Path, ending: &str) -> anyhow::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("{} cannot be read", folder.display()))?;
    let mut files = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == ending));
    files.sort();
    Ok(files)
}

fn remove_folder(folder: &Path) -> anyhow::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("{} cannot be removed", folder.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_cache_is_current() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a root");
        check(root).expect("it is");
    }

    #[test]
    fn a_cache_of_another_schema_or_with_queries_of_old_is_stale() {
        let queries = ["select 1".to_owned(), "select\n    2".to_owned()];
        let sources = "query!(\"select 1\") query!(\"select\n    2\")";
        assert_eq!(stale(true, &queries, sources), Vec::<String>::new());
        assert_eq!(stale(false, &queries, sources), ["the schema has changed"]);
        let reworded = "query!(\"select 1\") query!(\"select 2\")";
        assert_eq!(
            stale(true, &queries, reworded),
            ["no longer asked: select\n    2"]
        );
    }
}

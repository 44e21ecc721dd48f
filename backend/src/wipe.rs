//! Deletes all that Hearth keeps of the person, once nothing is open any more.
//!
//! A mark in the data folder says that it is wanted. It is carried out when the backend ends, and by the next one that
//! begins where that ended too early; the mark goes last, so that it is carried out whole. Without the mark nothing goes.

use std::fs;
use std::io;
use std::path::PathBuf;

use hearth_protocol::Result;

use crate::config::Config;
use crate::files::{blocking, file_error, remove, sync_parent};
use crate::in_use;

/// The mark.
const MARK: &str = "delete-everything";

/// Says that all is to be deleted.
///
/// # Errors
/// [`hearth_protocol::Error::File`] where the mark cannot be written.
pub(crate) async fn want(home: PathBuf) -> Result<()> {
    blocking(move || {
        let mark = home.join(MARK);
        fs::write(&mark, "Hearth deletes what it keeps here when it ends.\n")
            .map_err(|error| file_error(&mark, &error))?;
        sync_parent(&mark);
        Ok(())
    })
    .await
}

/// Deletes all, where that is wanted. What cannot be deleted now is tried again by the next start.
pub(crate) fn carry_out(config: &Config) {
    let mark = config.home.join(MARK);
    // Where another Hearth uses the data, the next one that ends or starts carries it out.
    let Some(_alone) = mark.exists().then(|| in_use::alone(&config.home)).flatten() else {
        return;
    };
    let removed = targets(config).and_then(|targets| {
        targets.iter().try_for_each(|path| remove(path))?;
        remove(&mark)
    });
    match removed {
        Ok(()) => tracing::info!("all that was kept is deleted"),
        Err(error) => tracing::warn!(%error, "what is kept is not all deleted yet"),
    }
}

/// What goes: all but the models, and what other programs keep; of what the system keeps, what starts the server.
fn targets(config: &Config) -> io::Result<Vec<PathBuf>> {
    let database = config.database();
    let name = database.file_name().unwrap_or_default().to_owned();
    let mut targets = vec![
        config.downloads(),
        config.token(),
        config.logs(),
        config.slots(),
        config.kv_states(),
    ];
    targets.extend(config.login.as_ref().map(|login| login.file.clone()));
    // The database last, with its log and the copies that were made of it.
    for entry in fs::read_dir(&config.home)? {
        let entry = entry?;
        let found = entry.file_name();
        if found.as_encoded_bytes().starts_with(name.as_encoded_bytes()) {
            targets.push(entry.path());
        }
    }
    Ok(targets)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::config::WorkerCommand;

    fn config(home: &Path) -> Config {
        Config {
            home: home.to_owned(),
            worker: WorkerCommand {
                program: "no-worker".into(),
                arguments: Vec::new(),
            },
            starter_models: home.join("starter"),
            toolkit: Default::default(),
            login: None,
            hub_cache: None,
            other_programs: Vec::new(),
            hub: Default::default(),
        }
    }

    const KEPT: [&str; 7] = [
        "hearth.db",
        "hearth.db-wal",
        "hearth.db.before-v6",
        "hub-token",
        "kv/1-a.kv",
        "logs/server.log",
        "downloads/1.json",
    ];
    const STAYS: [&str; 2] = ["models/o/n/m.gguf", "notes.txt"];

    fn fill(home: &Path) {
        for name in KEPT.iter().chain(&STAYS) {
            let path = home.join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, "x").expect("written");
        }
    }

    fn left(home: &Path) -> Vec<&'static str> {
        let all = KEPT.iter().chain(&STAYS).copied();
        all.filter(|name| home.join(name).exists()).collect()
    }

    #[test]
    fn nothing_goes_that_nobody_wanted_to_go() {
        let folder = tempfile::tempdir().expect("a folder");
        fill(folder.path());
        carry_out(&config(folder.path()));
        assert_eq!(left(folder.path()).len(), KEPT.len() + STAYS.len());
    }

    #[tokio::test]
    async fn all_goes_but_the_models_and_what_is_not_hearths() {
        let folder = tempfile::tempdir().expect("a folder");
        let home = folder.path();
        fill(home);
        want(home.to_owned()).await.expect("marked");
        carry_out(&config(home));
        assert_eq!(left(home), STAYS);
        assert!(!home.join(MARK).exists());
        // The next start keeps what it writes.
        fill(home);
        carry_out(&config(home));
        assert_eq!(left(home).len(), KEPT.len() + STAYS.len());
    }

    #[tokio::test]
    async fn a_start_goes_on_where_the_end_came_too_early() {
        for ended_after in 0..KEPT.len() {
            let folder = tempfile::tempdir().expect("a folder");
            let home = folder.path();
            fill(home);
            want(home.to_owned()).await.expect("marked");
            for name in &KEPT[..ended_after] {
                fs::remove_file(home.join(name)).expect("removed");
            }
            carry_out(&config(home));
            assert_eq!(left(home), STAYS, "after {ended_after}");
            assert!(!home.join(MARK).exists());
        }
    }
}

//! `hearth-cli folders`: the person's own folders of the library.

use std::io;
use std::path::{Component, Path, PathBuf};

use hearth_protocol::settings::Settings;
use hearth_protocol::{Client, Error};

use crate::arguments::{FoldersArguments, FoldersCommand};
use crate::exit::{Exit, Failure};
use crate::list::{json, table};

const NO_FOLDERS: &str =
    "No folder of yours belongs to the library. `hearth-cli folders add FOLDER` adds one.";

/// Names offered when the one asked for is not there.
const MAX_SUGGESTIONS: usize = 5;

/// Lists, adds or removes folders.
pub(crate) fn folders(client: &Client, arguments: FoldersArguments) -> Result<Exit, Failure> {
    let settings = client.read_settings().wait()?;
    match arguments.command {
        None => list(&settings, arguments.json),
        Some(FoldersCommand::Add { folder }) => add(client, settings, &folder),
        Some(FoldersCommand::Remove { folder }) => remove(client, settings, &folder),
    }
}

fn list(settings: &Settings, as_json: bool) -> Result<Exit, Failure> {
    let folders = settings.model_folders.iter();
    if as_json {
        return json(
            &folders
                .map(|folder| folder.display().to_string())
                .collect::<Vec<_>>(),
        );
    }
    let rows: Vec<_> = folders
        .map(|folder| {
            let state = if folder.is_dir() { "there" } else { "not there now" };
            [folder.display().to_string(), state.to_owned()]
        })
        .collect();
    table(["FOLDER", "STATE"], &rows, NO_FOLDERS)
}

fn add(client: &Client, mut settings: Settings, folder: &Path) -> Result<Exit, Failure> {
    let folder = whole(folder)?;
    let name = folder.display().to_string();
    if !folder.exists() {
        return Err(Error::NotFound {
            what: "folder".into(),
            name,
            known: Vec::new(),
        }
        .into());
    }
    if !folder.is_dir() {
        return Err(Error::invalid(&name, "is not a folder").into());
    }
    if !settings.model_folders.contains(&folder) {
        settings.model_folders.push(folder);
        client.write_settings(settings).wait()?;
    }
    Ok(Exit::Done)
}

fn remove(client: &Client, mut settings: Settings, folder: &Path) -> Result<Exit, Failure> {
    let folder = whole(folder)?;
    let before = settings.model_folders.len();
    settings.model_folders.retain(|known| *known != folder);
    if settings.model_folders.len() == before {
        let known = settings.model_folders.iter().take(MAX_SUGGESTIONS);
        return Err(Error::NotFound {
            what: "folder of the library called".into(),
            name: folder.display().to_string(),
            known: known.map(|folder| folder.display().to_string()).collect(),
        }
        .into());
    }
    client.write_settings(settings).wait()?;
    Ok(Exit::Done)
}

/// The folder from the root on, as a person would write it: links stay, but what lies above a link is only known by
/// following it.
fn whole(folder: &Path) -> io::Result<PathBuf> {
    let goes_up = folder.components().any(|part| part == Component::ParentDir);
    match folder.canonicalize() {
        Ok(folder) if goes_up => Ok(folder),
        _ => std::path::absolute(folder).map(|folder| folder.components().collect()),
    }
}

//! `hearth-cli eject`: takes models out of the memory of the Hearth that runs, and ends loads of one.

use std::io::{self, Write};

use hearth_protocol::engine::{LoadedModel, ModelRef};
use hearth_protocol::{Client, Error, FileId};

use crate::arguments::EjectArguments;
use crate::exit::{Exit, Failure};
use crate::run::model_ref;
use crate::text::printable;

/// Ejects one model, or all.
pub(crate) fn eject(client: &Client, arguments: &EjectArguments) -> Result<Exit, Failure> {
    let loaded = client.list_loaded().wait()?;
    let Some(name) = &arguments.model else {
        return eject_all(client, loaded);
    };
    let is = |text: &str| text.to_lowercase() == name.to_lowercase();
    let is_called = |model: &&LoadedModel| is(&model.name) || is(model.file.as_str());
    let called: Vec<_> = loaded.iter().filter(is_called).cloned().collect();
    if !called.is_empty() {
        return eject_all(client, called);
    }
    let mut is_ejected = false;
    for (file, name) in files(client, name) {
        // It may be on its way into memory.
        match client.eject_file(file).wait() {
            Ok(()) => {
                is_ejected = true;
                tell(&name)?;
            }
            Err(Error::NotFound { .. }) => (),
            Err(error) => return Err(error.into()),
        }
    }
    if is_ejected {
        return Ok(Exit::Done);
    }
    Err(Error::NotFound {
        what: "model in memory called".into(),
        name: name.clone(),
        known: loaded.into_iter().map(|model| model.name).collect(),
    }
    .into())
}

fn eject_all(client: &Client, models: Vec<LoadedModel>) -> Result<Exit, Failure> {
    for model in models {
        client.eject(model.id).wait()?;
        tell(&model.name)?;
    }
    Ok(Exit::Done)
}

/// The files that a name means, as the library knows them, and their names. A path means what lies there too.
fn files(client: &Client, name: &str) -> Vec<(FileId, String)> {
    let model = model_ref(name);
    // One that is loaded from elsewhere is called by its path.
    let is_path = matches!(model, ModelRef::Path(_));
    let path = is_path.then(|| (FileId(model.to_string()), name.to_owned()));
    // A name that the library does not know is one that is not loaded.
    let known = client.find_files(model).wait().unwrap_or_default();
    let known = known.into_iter().map(|file| (file.id, file.name));
    path.into_iter().chain(known).collect()
}

fn tell(name: &str) -> io::Result<()> {
    let line = format!("{name} is out of memory.");
    writeln!(io::stdout().lock(), "{}", printable(&line))
}

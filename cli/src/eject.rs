//! `hearth-cli eject`: takes models out of the memory of the Hearth that runs.

use std::io::{self, Write};

use hearth_protocol::engine::LoadedModel;
use hearth_protocol::{Client, Error};

use crate::arguments::EjectArguments;
use crate::exit::{Exit, Failure};
use crate::run::model_ref;
use crate::text::printable;

/// Ejects one model, or all.
pub(crate) fn eject(client: &Client, arguments: &EjectArguments) -> Result<Exit, Failure> {
    let loaded = client.list_loaded().wait()?;
    let wanted = match &arguments.model {
        Some(name) => meant(client, loaded, name)?,
        None => loaded,
    };
    for model in wanted {
        client.eject(model.id).wait()?;
        let line = format!("{} is out of memory.", model.name);
        writeln!(io::stdout().lock(), "{}", printable(&line))?;
    }
    Ok(Exit::Done)
}

/// The loaded models of a name: as memory knows them, else as the library does.
fn meant(client: &Client, loaded: Vec<LoadedModel>, name: &str) -> Result<Vec<LoadedModel>, Failure> {
    let is = |text: &str| text.to_lowercase() == name.to_lowercase();
    let is_called = |model: &&LoadedModel| is(&model.name) || is(model.file.as_str());
    let called: Vec<_> = loaded.iter().filter(is_called).cloned().collect();
    if !called.is_empty() {
        return Ok(called);
    }
    let model = model_ref(name);
    let path = model.to_string();
    // A name that the library does not know is one that is not loaded.
    let files = client.find_files(model).wait().unwrap_or_default();
    let is_file =
        |model: &LoadedModel| model.file.as_str() == path || files.iter().any(|file| file.id == model.file);
    let (wanted, others): (Vec<_>, Vec<_>) = loaded.into_iter().partition(is_file);
    if wanted.is_empty() {
        return Err(Error::NotFound {
            what: "model in memory called".into(),
            name: name.to_owned(),
            known: others.into_iter().map(|model| model.name).collect(),
        }
        .into());
    }
    Ok(wanted)
}

//! From what a person types to a download: which file of a model, and getting it.

use std::fmt;
use std::io::{self, Write};

use hearth_protocol::catalogue::CatalogueFile;
use hearth_protocol::download::{Download, DownloadRequest, DownloadState};
use hearth_protocol::engine::ModelRef;
use hearth_protocol::hub::link::{self, Link};
use hearth_protocol::{Client, Error, ErrorKind, FileId, ModelId};

use crate::ask::{ask, can_ask};
use crate::catalogue;
use crate::exit::Failure;
use crate::interrupts::Interrupts;
use crate::pull::{View, follow};
use crate::text::printable;

/// `OWNER/NAME` or `OWNER/NAME:FILE`, as typed, or a link to a page of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HubName {
    pub(crate) model: ModelId,
    /// A file's name or a quantisation.
    pub(crate) file: Option<String>,
    /// A branch, tag or commit, where a link names one.
    revision: Option<String>,
}

impl HubName {
    /// What was typed; `None` where that can be no model of the hub. Links to the hub in use are understood too, such as
    /// those to a mirror.
    pub(crate) fn typed(client: &Client, text: &str) -> Option<Self> {
        let known = Self::read(text, "");
        if known.is_some() || !text.contains("://") {
            return known;
        }
        let hub = client.hub_status().wait().ok()?;
        Self::read(text, &hub.endpoint)
    }

    fn read(text: &str, hub: &str) -> Option<Self> {
        match link::read(text, hub) {
            Some(Link::Model {
                model,
                revision,
                file,
            }) => {
                return Some(Self {
                    model,
                    file,
                    revision,
                });
            }
            Some(_) => return None,
            None => (),
        }
        let (model, file) = text.split_once(':').unwrap_or((text, ""));
        let (owner, name) = model.split_once('/')?;
        let is_name = !owner.is_empty() && !name.is_empty() && !name.contains('/');
        is_name.then(|| Self {
            model: model.into(),
            file: Some(file.to_owned()).filter(|file| !file.is_empty()),
            revision: None,
        })
    }
}

impl fmt::Display for HubName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) => write!(formatter, "{}:{file}", self.model),
            None => write!(formatter, "{}", self.model),
        }
    }
}

/// The file to take: the one that was named; else the one that is recommended for this machine; else the hub is asked
/// for what suits most.
///
/// # Errors
/// [`Error::Cancelled`] by Ctrl-C.
pub(crate) fn choose(
    client: &Client,
    interrupts: &Interrupts,
    name: HubName,
    revision: Option<String>,
) -> Result<DownloadRequest, Error> {
    let plain = DownloadRequest {
        model: name.model,
        file: name.file,
        revision: revision.or(name.revision),
    };
    match look(client, interrupts, plain.clone()) {
        Err(Error::Cancelled) => Err(Error::Cancelled),
        // What keeps the catalogue from answering, such as offline mode, the download itself says better.
        found => Ok(found.unwrap_or(plain)),
    }
}

/// The same, where the file has a name already or the catalogue and the hub can be asked for one.
///
/// # Errors
/// Why they cannot.
fn look(client: &Client, interrupts: &Interrupts, plain: DownloadRequest) -> Result<DownloadRequest, Error> {
    if plain.file.is_some() || plain.revision.is_some() {
        return Ok(plain);
    }
    let files = catalogue::files(client, interrupts, plain.model.clone())?;
    Ok(
        recommended(files, &plain.model).map_or(plain, |file| DownloadRequest {
            model: file.repository,
            file: Some(file.name),
            revision: None,
        }),
    )
}

/// The file that is recommended, unless another repository than the one that was named holds it: who names one of several
/// that hold a model means that one.
fn recommended(files: Vec<CatalogueFile>, named: &ModelId) -> Option<CatalogueFile> {
    let is_named = |file: &CatalogueFile| file.repository == *named;
    let any_named = files.iter().any(is_named);
    let file = files.into_iter().find(|file| file.recommended.is_some())?;
    (is_named(&file) || !any_named).then_some(file)
}

/// The model that is meant, downloaded first where it is not here and `may_download`, or a person at the terminal says
/// so.
pub(crate) fn find_or_get(
    client: &Client,
    interrupts: &Interrupts,
    model: ModelRef,
    may_download: bool,
) -> Result<ModelRef, Failure> {
    let ModelRef::Name(text) = &model else {
        return Ok(model);
    };
    let Some(name) = HubName::typed(client, text) else {
        return Ok(model);
    };
    let model = ModelRef::Name(name.to_string());
    let missing = match client.find_files(model.clone()).wait() {
        Err(error) if error.kind() == ErrorKind::NotFound => error,
        // Whatever else is wrong with it, loading says.
        _ => return Ok(model),
    };
    let asked = DownloadRequest {
        model: name.model,
        file: name.file,
        revision: name.revision,
    };
    let request = match look(client, interrupts, asked.clone()) {
        Ok(request) => request,
        Err(Error::Cancelled) => return Err(Error::Cancelled.into()),
        // The download itself says what is in its way.
        Err(_) if may_download => asked,
        Err(error) => {
            writeln!(io::stderr().lock(), "{}", printable(&error.to_string()))?;
            return Err(missing.into());
        }
    };
    let agrees = may_download || (can_ask() && ask(interrupts, &question(&request))?);
    if !agrees {
        writeln!(
            io::stderr().lock(),
            "With --download it comes from the hub: {}.",
            printable(&file_words(&request))
        )?;
        return Err(missing.into());
    }
    let file = get(client, interrupts, request)?;
    Ok(ModelRef::File(file))
}

fn question(request: &DownloadRequest) -> String {
    format!(
        "The model is not on this computer. Download {}?",
        file_words(request)
    )
}

fn file_words(request: &DownloadRequest) -> String {
    let file = request.file.as_deref();
    format!(
        "{} of {}",
        file.unwrap_or("the file that suits most machines"),
        request.model
    )
}

/// Downloads, with a bar on standard error, and gives the file that can be loaded.
fn get(client: &Client, interrupts: &Interrupts, request: DownloadRequest) -> Result<FileId, Failure> {
    let view = View::new(false)?;
    let outcome = follow(client, interrupts, request, &view);
    view.clear();
    let Download { state, request, .. } = outcome?;
    match state {
        DownloadState::Done { file: Some(file), .. } => Ok(file),
        DownloadState::Done { file: None, .. } => Err(Failure::Hearth(Error::BadModelFile {
            file: request.file.unwrap_or_else(|| request.model.to_string()),
            reason: "it is no model of its own".into(),
        })),
        // Paused by Ctrl-C; the same command goes on.
        _ => Err(Error::Cancelled.into()),
    }
}

#[cfg(test)]
mod tests {
    use hearth_protocol::catalogue::{FileRole, Fit};

    use super::*;

    fn file(repository: &str, recommended: bool) -> CatalogueFile {
        CatalogueFile {
            repository: repository.into(),
            revision: None,
            name: "m.gguf".into(),
            role: FileRole::Model,
            size: None,
            sha256: None,
            parts: Vec::new(),
            missing_parts: Vec::new(),
            quantisation: None,
            projector: None,
            draft: None,
            fit: Fit::Unknown,
            estimate: None,
            recommended: recommended.then(|| "it fits".into()),
            problem: None,
        }
    }

    #[test]
    fn who_names_a_repository_gets_a_file_of_it() {
        let files = || vec![file("maker/m-GGUF", true), file("other/m-GGUF", false)];
        let taken = |named: &str| recommended(files(), &named.into()).map(|file| file.repository.0);
        assert_eq!(taken("maker/m-GGUF").as_deref(), Some("maker/m-GGUF"));
        assert_eq!(taken("other/m-GGUF"), None, "the hub is asked for its files");
        // The model itself, which has no files of its own.
        assert_eq!(taken("maker/m").as_deref(), Some("maker/m-GGUF"));
    }

    #[test]
    fn a_name_of_the_hub_has_an_owner_and_may_have_a_file() {
        let cases = [
            ("o/n", Some(("o/n", None))),
            ("o/n:", Some(("o/n", None))),
            ("o/n:Q4_K_M", Some(("o/n", Some("Q4_K_M")))),
            ("o/n:folder/m.gguf", Some(("o/n", Some("folder/m.gguf")))),
            ("n", None),
            ("n:Q4_K_M", None),
            ("/n", None),
            ("o/", None),
            ("hub/o/n/m.gguf", None),
            ("https://huggingface.co/o/n", Some(("o/n", None))),
            ("hf.co/o/n:Q4_K_M", Some(("o/n", Some("Q4_K_M")))),
            (
                "https://huggingface.co/o/n/blob/main/folder/m.gguf",
                Some(("o/n", Some("folder/m.gguf"))),
            ),
            ("https://huggingface.co/datasets/o/n", None),
            ("https://mirror.example/o/n", Some(("o/n", None))),
            ("https://elsewhere.example/o/n", None),
        ];
        for (text, expected) in cases {
            let read = HubName::read(text, "https://mirror.example");
            let read = read
                .as_ref()
                .map(|name| (name.model.as_str(), name.file.as_deref()));
            assert_eq!(read, expected, "{text}");
        }
    }
}

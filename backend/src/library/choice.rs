//! What the settings say of the library: which folders belong to it.

use std::path::PathBuf;
use std::sync::Arc;

use hearth_protocol::library::Source;
use hearth_protocol::settings::{DownloadPlace, Settings};
use tokio::sync::watch;

use super::Library;

/// What a person chose.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Choice {
    /// Further folders.
    pub(super) folders: Vec<PathBuf>,
    /// Programs whose models are left out.
    pub(super) ignored: Vec<Source>,
    /// Where downloads go.
    pub(super) download_place: DownloadPlace,
}

/// The choice as it is now, and news of it. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(super) struct Choices(Arc<watch::Sender<Choice>>);

impl Choices {
    pub(super) fn now(&self) -> Choice {
        self.0.borrow().clone()
    }

    /// Has those who watch look again: files are called otherwise.
    pub(super) fn touch(&self) {
        self.0.send_modify(|_| ());
    }

    /// Tells when it changes.
    pub(super) fn subscribe(&self) -> watch::Receiver<Choice> {
        self.0.subscribe()
    }
}

impl Library {
    /// Takes what the settings say from now on; who watches is told what that changes.
    pub(crate) fn heed(&self, settings: &Settings) {
        let choice = Choice {
            folders: settings.model_folders.clone(),
            ignored: settings.ignored_sources.clone(),
            download_place: settings.download_place,
        };
        self.choices.0.send_if_modified(|now| {
            let is_new = *now != choice;
            *now = choice;
            is_new
        });
    }
}

//! The downloads as the window knows them, in the order in which they come to their turn.

use hearth_protocol::download::{Download, DownloadEvent};
use hearth_protocol::{DownloadId, ModelId};

/// All downloads.
#[derive(Debug, Default)]
pub(crate) struct Downloads {
    /// Those there are.
    list: Vec<Download>,
}

impl Downloads {
    /// The one of a file of a repository.
    pub(crate) fn of_file(&self, model: &ModelId, file: &str) -> Option<&Download> {
        let is_it =
            |known: &&Download| known.request.model == *model && known.request.file.as_deref() == Some(file);
        self.list.iter().rev().find(is_it)
    }

    /// The one of this name.
    pub(crate) fn get(&self, id: DownloadId) -> Option<&Download> {
        self.list.iter().find(|known| known.id == id)
    }

    /// Takes an event.
    pub(super) fn take(&mut self, event: DownloadEvent) {
        match event {
            DownloadEvent::Changed(download) => {
                match self.list.iter_mut().find(|known| known.id == download.id) {
                    Some(known) => *known = download,
                    None => self.list.push(download),
                }
            }
            DownloadEvent::Removed(id) => self.list.retain(|known| known.id != id),
            DownloadEvent::Order(order) => {
                let place = |id| order.iter().position(|known| *known == id);
                self.list
                    .sort_by_key(|known| place(known.id).unwrap_or(usize::MAX));
            }
            DownloadEvent::Closed(_) => self.list.clear(),
        }
    }
}

//! Models: the files there are, those in memory, the load that runs; the header and the card that show them.

pub(crate) mod abilities;
pub(crate) mod picker;

use hearth_protocol::engine::{Activity, LoadEvent, LoadedModel};
use hearth_protocol::library::{FileState, LibraryFile, Source};
use hearth_protocol::{ByteSize, Error, ErrorKind, FileId, LoadedId};

use super::format;
use crate::effect::Run;
use crate::text::{Texts, say};
use abilities::Abilities;

/// All models.
#[derive(Debug, Default)]
pub(crate) struct Models {
    /// The files, starter first; `None` until the list has come.
    pub(crate) files: Option<Vec<LibraryFile>>,
    /// Grows with each change of the files.
    pub(super) revision: u64,
    /// Those in memory, newest first.
    pub(crate) loaded: Vec<LoadedModel>,
    /// The load that runs.
    pub(crate) load: Option<Load>,
    /// The last load, where it failed: which model, and why.
    pub(crate) failed: Option<(String, Error)>,
    /// What models can do beyond text, as the catalogue says.
    pub(super) abilities: Abilities,
    /// The file of the model that the person chose last to answer. It does once it is in memory, as long as it is.
    pub(super) chosen: Option<FileId>,
    /// Those whose eject is under way.
    ejecting: Vec<LoadedId>,
}

/// A load that was asked for here.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Load {
    /// Its run.
    pub(crate) run: Run,
    /// The file.
    pub(crate) file: FileId,
    /// Display name.
    pub(crate) name: String,
    /// Quantisation, where known.
    pub(crate) quantisation: Option<String>,
    /// Size of the file.
    pub(crate) size: ByteSize,
    /// Share done, 0.0 to 1.0.
    pub(crate) share: f32,
    /// Whether it was cancelled and is about to end.
    pub(crate) cancelling: bool,
}

/// What the end of a load means.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum LoadOutcome {
    /// It goes on, or it is none of ours.
    Shown,
    /// The model of this file is in memory.
    Loaded(FileId),
    /// It was cancelled.
    Cancelled,
    /// It failed.
    Failed {
        /// The model's file.
        file: FileId,
        /// Its display name.
        name: String,
        /// Why.
        error: Error,
    },
}

/// The card above the composer while a model loads.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LoadCard {
    /// `Loading Gemma 3 12B`, or `Cancelling …`.
    pub(crate) title: String,
    /// `62 %`.
    pub(crate) percent: String,
    /// `4.53 of 7.30 GB`.
    pub(crate) sizes: String,
    /// From 0.0 to 1.0.
    pub(crate) share: f32,
    /// Whether its cross can be pressed.
    pub(crate) can_cancel: bool,
}

/// The head of the conversation: which model answers and what it does.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Header {
    /// The colour of the dot; the words say the same.
    pub(crate) dot: Dot,
    /// Display name, or an invitation to choose one.
    pub(crate) name: String,
    /// Quantisation, where known.
    pub(crate) quantisation: Option<String>,
    /// What it does, as in `Loading, 62 %` or `Loaded, 3.1 GB`.
    pub(crate) doing: String,
    /// Whether there is something to eject.
    pub(crate) can_eject: bool,
}

/// The dot of the header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dot {
    /// Nothing is loaded.
    Off,
    /// A model is loaded and rests.
    Ready,
    /// It loads, reads or writes.
    Busy,
    /// It did not load.
    Failed,
}

impl Models {
    /// The model that answers next, of those in memory that are not about to leave: the chosen one, else the newest.
    pub(crate) fn current(&self) -> Option<&LoadedModel> {
        let stays = |model: &&LoadedModel| !self.ejecting.contains(&model.id);
        let is_chosen = |model: &&LoadedModel| self.chosen.as_ref() == Some(&model.file);
        let chosen = self.loaded.iter().filter(stays).find(is_chosen);
        chosen.or_else(|| self.loaded.iter().find(stays))
    }

    /// The file of the chosen model, while that is in memory.
    pub(super) fn chosen_in_memory(&self) -> Option<&FileId> {
        let chosen = self.chosen.as_ref()?;
        self.current()
            .map(|model| &model.file)
            .filter(|file| *file == chosen)
    }

    /// Whether no model can be used. Not before the list of files has come.
    pub(crate) fn are_missing(&self) -> bool {
        let is_usable = |file: &LibraryFile| file.state == FileState::Ready;
        let none_usable = |files: &Vec<LibraryFile>| !files.iter().any(is_usable);
        self.files.as_ref().is_some_and(none_usable) && self.loaded.is_empty()
    }

    /// Whether the starter model is there and can be used.
    pub(crate) fn has_starter(&self) -> bool {
        self.starter().is_some()
    }

    /// Name of the starter model, where it is there and can be used.
    pub(crate) fn starter(&self) -> Option<&str> {
        let is_it = |file: &&LibraryFile| file.source == Source::Starter && file.state == FileState::Ready;
        self.files().find(is_it).map(|file| file.name.as_str())
    }

    /// Name of the first file that can be used.
    pub(super) fn first_usable(&self) -> Option<&str> {
        let mut files = self.files().filter(|file| file.state == FileState::Ready);
        files.next().map(|file| file.name.as_str())
    }

    /// The card above the composer; `None` while nothing loads.
    pub(crate) fn load_card(&self, texts: &Texts) -> Option<LoadCard> {
        let load = self.load.as_ref()?;
        let model = load.name.as_str();
        Some(LoadCard {
            title: if load.cancelling {
                say!(texts, "load-cancelling", model = model)
            } else {
                say!(texts, "load-loading", model = model)
            },
            percent: format::percent(load.share),
            sizes: format::part_of_size(texts, load.share, load.size),
            share: load.share,
            can_cancel: !load.cancelling,
        })
    }

    /// The header, where no answer says what the model does.
    pub(super) fn header(&self, texts: &Texts) -> Header {
        let can_eject = self.current().is_some();
        if let Some(load) = &self.load {
            return Header {
                dot: Dot::Busy,
                name: load.name.clone(),
                quantisation: load.quantisation.clone(),
                doing: match load.cancelling {
                    true => say!(texts, "header-cancelling"),
                    false => say!(texts, "header-loading", share = format::percent(load.share)),
                },
                can_eject,
            };
        }
        if let Some(model) = self.current() {
            let (dot, doing) = match model.activity {
                Activity::Idle => {
                    let doing = say!(texts, "header-loaded", size = format::size(texts, model.size));
                    (Dot::Ready, doing)
                }
                Activity::Generating => (Dot::Busy, say!(texts, "header-generating")),
            };
            return Header {
                dot,
                name: model.name.clone(),
                quantisation: model.quantisation.clone(),
                doing,
                can_eject,
            };
        }
        if let Some(model) = self.loaded.first() {
            return Header {
                dot: Dot::Busy,
                name: model.name.clone(),
                quantisation: model.quantisation.clone(),
                doing: say!(texts, "header-ejecting"),
                can_eject,
            };
        }
        let (dot, name, doing) = match &self.failed {
            Some((name, _)) => (Dot::Failed, name.clone(), say!(texts, "header-failed")),
            None => (
                Dot::Off,
                say!(texts, "header-choose"),
                say!(texts, "header-nothing-loaded"),
            ),
        };
        Header {
            dot,
            name,
            quantisation: None,
            doing,
            can_eject,
        }
    }

    /// A usable file of the list.
    pub(super) fn usable(&self, id: &FileId) -> Option<&LibraryFile> {
        self.files()
            .find(|file| file.id == *id && file.state == FileState::Ready)
    }

    fn files(&self) -> impl Iterator<Item = &LibraryFile> {
        self.files.iter().flatten()
    }

    /// The models of a file in memory, but for the newest: those that were loaded in another way before.
    pub(super) fn older(&self, file: &FileId) -> Vec<LoadedId> {
        let of_file = self.loaded.iter().filter(|model| model.file == *file);
        of_file.skip(1).map(|model| model.id).collect()
    }

    /// Takes the list of files.
    pub(super) fn set_files(&mut self, files: Vec<LibraryFile>) {
        self.files = Some(files);
        self.revision += 1;
    }

    /// Takes a file as it is now. The list that tells its place comes later.
    pub(super) fn put_file(&mut self, file: LibraryFile) {
        let files = self.files.get_or_insert_default();
        match files.iter_mut().find(|known| known.id == file.id) {
            Some(known) => *known = file,
            None => files.push(file),
        }
        self.revision += 1;
    }

    /// A file is gone.
    pub(super) fn remove_file(&mut self, id: &FileId) {
        self.files
            .iter_mut()
            .for_each(|files| files.retain(|file| file.id != *id));
        self.revision += 1;
    }

    /// Begins to eject; whether there is something to eject.
    pub(super) fn begin_eject(&mut self, model: LoadedId) -> bool {
        let is_there = self.loaded.iter().any(|loaded| loaded.id == model);
        let begins = is_there && !self.ejecting.contains(&model);
        if begins {
            self.ejecting.push(model);
        }
        begins
    }

    /// The eject is over; the model has gone or stays.
    pub(super) fn end_eject(&mut self, model: LoadedId, gone: bool) {
        self.ejecting.retain(|id| *id != model);
        if gone {
            self.loaded.retain(|loaded| loaded.id != model);
        }
    }

    /// Takes the models in memory.
    pub(super) fn set_loaded(&mut self, loaded: Vec<LoadedModel>) {
        self.ejecting
            .retain(|id| loaded.iter().any(|model| model.id == *id));
        if !loaded.is_empty() {
            self.failed = None;
        }
        self.loaded = loaded;
    }

    /// Begins to load a file.
    pub(super) fn begin_load(&mut self, run: Run, file: &LibraryFile) {
        self.failed = None;
        self.load = Some(Load {
            run,
            file: file.id.clone(),
            name: file.name.clone(),
            quantisation: file.quantisation.clone(),
            size: file.size,
            share: 0.0,
            cancelling: false,
        });
    }

    /// Takes an event of a load; one of another run changes nothing.
    pub(super) fn take_event(&mut self, run: Run, event: LoadEvent) -> LoadOutcome {
        let Some(load) = self.load.as_mut().filter(|load| load.run == run) else {
            return LoadOutcome::Shown;
        };
        match event {
            LoadEvent::Started { name, size } => {
                load.name = name;
                load.size = size;
                LoadOutcome::Shown
            }
            LoadEvent::Progress(share) => {
                load.share = share.clamp(0.0, 1.0);
                LoadOutcome::Shown
            }
            LoadEvent::Loaded(model) => {
                let file = load.file.clone();
                self.load = None;
                // The engine's own news may come before or after this.
                if !self.loaded.iter().any(|loaded| loaded.id == model.id) {
                    self.loaded.insert(0, model);
                }
                LoadOutcome::Loaded(file)
            }
            LoadEvent::Failed(Error::Cancelled) => {
                self.load = None;
                LoadOutcome::Cancelled
            }
            LoadEvent::Failed(error) => {
                let (file, name) = (load.file.clone(), load.name.clone());
                self.load = None;
                self.chosen = None;
                // One that is only in the way of another leaves that other as it is.
                if error.kind() != ErrorKind::Busy {
                    self.failed = Some((name.clone(), error.clone()));
                }
                LoadOutcome::Failed { file, name, error }
            }
        }
    }
}

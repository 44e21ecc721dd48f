//! The picker, loading, cancelling, ejecting, and what the engine tells.

use hearth_protocol::engine::{EngineEvent, KeepLoaded, LoadEvent, LoadRequest, ModelRef};
use hearth_protocol::{FileId, LoadedId, Result};

use crate::effect::{BackendEffect, Run};
use crate::state::AppState;
use crate::state::models::LoadOutcome;
use crate::text::say;

impl AppState {
    pub(super) fn toggle_picker(&mut self) {
        self.models.picker_open = !self.models.picker_open;
        if self.models.picker_open {
            self.ask(BackendEffect::ListFiles);
        }
    }

    /// Loads a file, unless it is there or on its way. A load of another file ends.
    pub(super) fn load(&mut self, file: &FileId) {
        let Some(file) = self.models.usable(file).cloned() else {
            return;
        };
        self.models.picker_open = false;
        self.focus_composer();
        let is_loaded = self.models.current().is_some_and(|model| model.file == file.id);
        match &self.models.load {
            Some(load) if load.file == file.id && !load.cancelling => return,
            None if is_loaded => return,
            _ => (),
        }
        self.cancel_load();
        if is_loaded {
            return;
        }
        let run = self.new_run();
        self.models.begin_load(run, &file);
        let request = LoadRequest {
            model: ModelRef::File(file.id),
            options: None,
            force: false,
            keep: KeepLoaded::Default,
        };
        self.ask(BackendEffect::Load { run, request });
    }

    pub(super) fn cancel_load(&mut self) {
        if let Some(load) = self.models.load.as_mut().filter(|load| !load.cancelling) {
            load.cancelling = true;
            let run = load.run;
            self.ask(BackendEffect::CancelLoad(run));
        }
    }

    pub(super) fn take_load_event(&mut self, run: Run, event: LoadEvent) {
        if let LoadOutcome::Failed { name, error } = self.models.take_event(run, event) {
            let title = say!(self.texts(), "failed-load", model = name.as_str());
            self.complain_with(&title, &error, None);
        }
    }

    pub(super) fn eject(&mut self, model: LoadedId) {
        if self.models.begin_eject(model) {
            self.ask(BackendEffect::Eject(model));
        }
    }

    pub(super) fn eject_current(&mut self) {
        if let Some(model) = self.models.current().map(|model| model.id) {
            self.eject(model);
        }
    }

    pub(super) fn take_ejected(&mut self, model: LoadedId, result: Result<()>) {
        self.models.end_eject(model, result.is_ok());
        if let Err(error) = result {
            self.complain(&say!(self.texts(), "failed-eject"), &error);
        }
    }

    pub(super) fn take_engine_event(&mut self, event: EngineEvent) {
        match event {
            EngineEvent::Loaded(loaded) => self.models.set_loaded(loaded),
            EngineEvent::Closed(error) => {
                self.models.set_loaded(Vec::new());
                self.complain(&say!(self.texts(), "failed-engine"), &error);
            }
        }
    }
}

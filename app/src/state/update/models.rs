//! The picker, loading, cancelling, ejecting, and what the engine tells.

use hearth_protocol::engine::{EngineEvent, KeepLoaded, LoadEvent, LoadOptions, LoadRequest, ModelRef};
use hearth_protocol::library::LibraryFile;
use hearth_protocol::{Error, FileId, LoadedId, Result};

use crate::effect::{BackendEffect, Run, WindowEffect};
use crate::state::AppState;
use crate::state::models::LoadOutcome;
use crate::state::models::picker::{Picker, PickerModel};
use crate::state::overlay::Overlay;
use crate::state::toast::ToastAction;
use crate::text::say;

impl AppState {
    pub(super) fn toggle_picker(&mut self) {
        if let Some(Overlay::Picker(_)) = self.overlay {
            return self.close_overlay();
        }
        self.overlay = Some(Overlay::Picker(Picker::default()));
        self.want(WindowEffect::FocusOverlay);
        self.ask(BackendEffect::ListFiles);
    }

    pub(super) fn change_picker(&mut self, words: String) {
        if let Some(Overlay::Picker(picker)) = &mut self.overlay {
            *picker = Picker { words, chosen: None };
        }
    }

    pub(super) fn step_picker(&mut self, back: bool) {
        if let Some(Overlay::Picker(picker)) = &mut self.overlay {
            let rows = self.models.picker_rows(&picker.words, &self.present.texts);
            picker.step(&rows, back);
        }
    }

    /// The model of the open picker that Enter takes.
    pub(super) fn chosen_model(&self) -> Option<PickerModel> {
        let Some(Overlay::Picker(picker)) = &self.overlay else {
            return None;
        };
        let rows = self.models.picker_rows(&picker.words, self.texts());
        picker.chosen(&rows).cloned()
    }

    pub(super) fn take_files(&mut self, result: Result<Vec<LibraryFile>>) {
        match result {
            Ok(files) => {
                for model in self.models.abilities.take_unknown(&files) {
                    self.ask(BackendEffect::LookUp(model));
                }
                self.models.set_files(files);
                self.use_awaited_file();
                self.forget_gone_models();
            }
            Err(error) => self.complain(&say!(self.texts(), "failed-list-models"), &error),
        }
    }

    /// Lets the model of a file answer from now on: loads it, unless it is there or on its way. A load of another file
    /// ends.
    pub(super) fn load(&mut self, file: &FileId) {
        if self.models.usable(file).is_none() {
            return;
        }
        if let Some(Overlay::Picker(_)) = self.overlay {
            self.overlay = None;
        }
        self.focus_composer();
        self.models.chosen = Some(file.clone());
        let is_loaded = self.models.chosen_in_memory().is_some();
        match &self.models.load {
            Some(load) if load.file == *file && !load.cancelling => (),
            None if is_loaded => (),
            _ if is_loaded => self.cancel_load(),
            _ => drop(self.load_with(file, None, false)),
        }
    }

    /// Loads the model of a file as it is said, else as is remembered of it. A load that runs ends.
    pub(super) fn load_with(
        &mut self,
        file: &FileId,
        options: Option<LoadOptions>,
        force: bool,
    ) -> Option<Run> {
        let file = self.models.usable(file).cloned()?;
        self.models.chosen = Some(file.id.clone());
        self.cancel_load();
        let run = self.new_run();
        self.models.begin_load(run, &file);
        let request = LoadRequest {
            model: ModelRef::File(file.id),
            options,
            force,
            keep: KeepLoaded::Default,
        };
        self.ask(BackendEffect::Load { run, request });
        Some(run)
    }

    pub(super) fn cancel_load(&mut self) {
        if let Some(load) = self.models.load.as_mut().filter(|load| !load.cancelling) {
            load.cancelling = true;
            let run = load.run;
            self.ask(BackendEffect::CancelLoad(run));
        }
    }

    pub(super) fn take_load_event(&mut self, run: Run, event: LoadEvent) {
        match self.models.take_event(run, event) {
            LoadOutcome::Shown => (),
            LoadOutcome::Loaded(file) => {
                self.end_dialog_load(run, None);
                for model in self.models.older(&file) {
                    self.eject(model);
                }
            }
            LoadOutcome::Cancelled => drop(self.end_dialog_load(run, Some(&Error::Cancelled))),
            LoadOutcome::Failed { file, name, error } => {
                if !self.end_dialog_load(run, Some(&error)) {
                    let title = say!(self.texts(), "failed-load", model = name.as_str());
                    self.complain_with(&title, &error, Some(ToastAction::SetLoad(file)));
                }
            }
        }
    }

    pub(super) fn eject(&mut self, model: LoadedId) {
        if self.models.begin_eject(model) {
            self.ask(BackendEffect::Eject(model));
        }
    }

    pub(super) fn eject_current(&mut self) {
        let in_picker = matches!(self.overlay, Some(Overlay::Picker(_)));
        let model = if in_picker {
            self.chosen_model().and_then(|model| model.loaded())
        } else {
            self.models.current().map(|model| model.id)
        };
        if let Some(model) = model {
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

//! The dialog that sets how a model is loaded.

use hearth_protocol::engine::EstimateEvent;
use hearth_protocol::{Error, FileId, Result};

use crate::effect::load::LoadEffect;
use crate::effect::{BackendEffect, Run, WindowEffect};
use crate::msg::load::{LoadMsg, LoadNews};
use crate::msg::number::NumberMsg;
use crate::state::AppState;
use crate::state::load_dialog::LoadDialog;
use crate::state::load_dialog::number::LoadNumber;
use crate::state::overlay::Overlay;
use crate::text::say;

impl AppState {
    /// The dialog, where it is open.
    pub(crate) fn load_dialog(&self) -> Option<&LoadDialog> {
        match &self.overlay {
            Some(Overlay::LoadDialog(dialog)) => Some(dialog),
            _ => None,
        }
    }

    fn load_dialog_mut(&mut self) -> Option<&mut LoadDialog> {
        match &mut self.overlay {
            Some(Overlay::LoadDialog(dialog)) => Some(dialog),
            _ => None,
        }
    }

    pub(super) fn update_load_dialog(&mut self, msg: LoadMsg) {
        match msg {
            LoadMsg::Open(file) => self.open_load_dialog(file),
            LoadMsg::Number(number, happens) => {
                self.change_load(|dialog| set_number(dialog, number, happens))
            }
            LoadMsg::Choose(choice) => self.change_load(|dialog| choice.apply(&mut dialog.options)),
            LoadMsg::Switch(switch, on) => self.change_load(|dialog| switch.set(&mut dialog.options, on)),
            LoadMsg::Typed(field, text) => self.change_load(|dialog| dialog.type_text(field, text)),
            LoadMsg::Reset => self.change_load(LoadDialog::reset),
            LoadMsg::ToggleFine => {
                if let Some(dialog) = self.load_dialog_mut() {
                    dialog.shows_fine = !dialog.shows_fine;
                }
            }
            LoadMsg::Remember(remember) => {
                if let Some(dialog) = self.load_dialog_mut() {
                    dialog.remember = remember;
                }
            }
            LoadMsg::Load { anyway } => self.load_as_set(anyway),
            LoadMsg::Cancel => self.cancel_load(),
        }
    }

    pub(super) fn take_load_news(&mut self, news: LoadNews) {
        match news {
            LoadNews::Remembered { file, result } => {
                let remembered = result.inspect_err(|error| {
                    self.complain(&say!(self.texts(), "failed-read-load-options"), error);
                });
                if let Some(dialog) = self.load_dialog_mut().filter(|dialog| dialog.file == file) {
                    dialog.take_remembered(remembered.unwrap_or_default());
                    self.reckon();
                }
            }
            LoadNews::Kept(result) => self.take_kept_load_options(result),
            LoadNews::Devices { result, threads } => {
                if let Some(dialog) = self.load_dialog_mut() {
                    // Why there are none is told by what is asked of them.
                    dialog.take_devices(result.unwrap_or_default(), threads);
                }
            }
            LoadNews::Estimate { run, event } => {
                let Some(dialog) = self.load_dialog_mut().filter(|dialog| dialog.asks(run)) else {
                    return;
                };
                match event {
                    EstimateEvent::Rough(told) | EstimateEvent::Exact(told) => dialog.take_estimate(Ok(told)),
                    EstimateEvent::Failed(error) => dialog.take_estimate(Err(error)),
                }
            }
        }
    }

    fn open_load_dialog(&mut self, file: Option<FileId>) {
        let file = file
            .or_else(|| self.chosen_model().map(|model| model.file))
            .or_else(|| self.panel_model().map(|(file, _)| file));
        let file = file.and_then(|file| self.models.usable(&file).cloned());
        let Some(file) = file else { return };
        let dialog = LoadDialog::new(&file, &self.settings.shown().load);
        self.overlay = Some(Overlay::LoadDialog(Box::new(dialog)));
        self.want(WindowEffect::FocusOverlay);
        self.ask_load(LoadEffect::ReadRemembered(file.id));
        self.ask_load(LoadEffect::ListDevices);
    }

    /// Changes what is set, and has it reckoned.
    fn change_load(&mut self, change: impl FnOnce(&mut LoadDialog)) {
        let Some(dialog) = self.load_dialog_mut().filter(|dialog| dialog.is_known) else {
            return;
        };
        let before = dialog.options.clone();
        change(dialog);
        if dialog.options != before {
            dialog.refusal = None;
            self.reckon();
        }
    }

    /// Asks what the load would take as it is set now.
    fn reckon(&mut self) {
        let run = self.new_run();
        let Some(dialog) = self.load_dialog_mut() else {
            return;
        };
        if dialog.options.validate().is_err() {
            return;
        }
        dialog.ask_estimate(run);
        let (file, options) = (dialog.file.clone(), Box::new(dialog.options.clone()));
        self.ask_load(LoadEffect::Estimate { run, file, options });
    }

    fn load_as_set(&mut self, anyway: bool) {
        let Some(dialog) = self.load_dialog_mut() else {
            return;
        };
        if dialog.problem().is_some() || !dialog.is_known {
            return;
        }
        dialog.refusal = None;
        let (file, options) = (dialog.file.clone(), dialog.options.clone());
        if let Some(options) = dialog.to_remember() {
            let file = file.clone();
            self.ask_load(LoadEffect::Remember { file, options });
        }
        let run = self.load_with(&file, Some(options), anyway);
        if let Some(dialog) = self.load_dialog_mut() {
            dialog.load = run;
        }
    }

    /// The load that was begun in the dialog is over: it goes, or says why not. Whether it was such a load.
    pub(super) fn end_dialog_load(&mut self, run: Run, error: Option<&Error>) -> bool {
        let Some(dialog) = self.load_dialog_mut().filter(|dialog| dialog.load == Some(run)) else {
            return false;
        };
        dialog.load = None;
        match error {
            Some(Error::Cancelled) => (),
            Some(error) => dialog.refusal = Some(error.clone()),
            None => self.close_overlay(),
        }
        true
    }

    fn take_kept_load_options(&mut self, result: Result<()>) {
        if let Err(error) = result {
            self.complain(&say!(self.texts(), "failed-keep-load-options"), &error);
        }
    }

    fn ask_load(&mut self, effect: LoadEffect) {
        self.ask(BackendEffect::LoadDialog(effect));
    }
}

fn set_number(dialog: &mut LoadDialog, number: LoadNumber, happens: NumberMsg) {
    let bounds = dialog.bounds();
    let shape = number.shape(bounds);
    match happens {
        NumberMsg::Slid(share) => dialog.set(number, shape.at(share)),
        NumberMsg::Typed(text) => dialog.type_number(number, text),
        NumberMsg::Stepped(steps) => {
            let from = number.read(&dialog.options, bounds).unwrap_or(0.0);
            dialog.set(number, Some(shape.stepped(from, steps)));
        }
        NumberMsg::Done => dialog.end_typing(number),
        NumberMsg::Reset => dialog.reset_number(number),
    }
}

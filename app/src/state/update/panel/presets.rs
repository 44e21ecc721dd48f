//! Presets: chosen, saved, renamed, deleted, carried in files.

use hearth_protocol::chat::preset::Preset;
use hearth_protocol::{Error, Result};

use crate::effect::WindowEffect;
use crate::effect::panel::PanelEffect;
use crate::msg::panel::{PanelMsg, PanelNews};
use crate::state::overlay::path_form::PathForm;
use crate::state::panel::presets::Named;
use crate::state::toast::ToastAction;
use crate::state::{AppState, failure};
use crate::text::{Key, key, say};

impl AppState {
    pub(super) fn update_presets(&mut self, msg: PanelMsg) {
        match msg {
            PanelMsg::ChoosePreset(name) => {
                let preset = self.panel.presets.get(&name).cloned();
                if let Some(preset) = preset.filter(|_| self.can_set()) {
                    self.open.settings.take_preset(&preset);
                    self.note_settings();
                }
            }
            PanelMsg::BeginSave => {
                let own = self.chosen_preset().filter(|preset| !preset.shipped);
                let name = own.map(|preset| preset.name).unwrap_or_default();
                self.begin_name(Named::Settings, name);
            }
            PanelMsg::BeginRename => {
                if let Some(preset) = self.own_preset() {
                    self.begin_name(Named::Preset(preset.name.clone()), preset.name);
                }
            }
            PanelMsg::NameTyped(text) => {
                if let Some(naming) = &mut self.panel.presets.naming {
                    (naming.text, naming.problem) = (text, None);
                }
            }
            PanelMsg::TakeName => self.take_name(),
            PanelMsg::CloseName => self.close_name(),
            PanelMsg::DeletePreset => self.delete_preset(),
            PanelMsg::AskExport => {
                if let Some(preset) = self.chosen_preset() {
                    self.show_form(PathForm::export_preset(preset.name));
                }
            }
            PanelMsg::AskImport => self.show_form(PathForm::import_preset()),
            _ => (),
        }
    }

    pub(super) fn take_preset_news(&mut self, news: PanelNews) {
        match news {
            PanelNews::Presets(Ok(presets)) => self.panel.presets.all = Some(presets),
            PanelNews::Presets(Err(error)) => {
                self.complain(&say!(self.texts(), "failed-list-presets"), &error);
            }
            PanelNews::Saved(result) => self.take_named(key!("failed-save-preset"), result),
            PanelNews::Renamed(result) => self.take_named(key!("failed-rename-preset"), result),
            PanelNews::Deleted { preset, result } => self.take_deleted_preset(*preset, result),
            PanelNews::Exported(result) => self.take_exported_preset(result),
            PanelNews::Imported(result) => {
                let complaint = say!(self.texts(), "failed-import-preset");
                if let Some(preset) = self.end_form(&complaint, result) {
                    let text = say!(self.texts(), "done-imported-preset-text", preset = preset.name);
                    let title = say!(self.texts(), "done-imported-preset");
                    self.toasts.done(&title, text, None, self.present.now);
                    self.list_presets();
                }
            }
            _ => (),
        }
    }

    /// Closes the field of a name; whether it was open.
    pub(in crate::state::update) fn escape_panel(&mut self) -> bool {
        let was_open = self.panel.presets.naming.is_some() || self.panel.lies_over;
        if self.panel.presets.naming.is_some() {
            self.close_name();
        } else if self.panel.lies_over {
            self.panel.lies_over = false;
            self.focus_composer();
        }
        was_open
    }

    /// Saves a preset that was deleted again.
    pub(in crate::state::update) fn restore_preset(&mut self, preset: Preset) {
        let Preset { name, options, .. } = preset;
        let options = Box::new(options);
        self.ask_panel(PanelEffect::Save { name, options });
    }

    /// The chosen preset, where it is the person's.
    fn own_preset(&self) -> Option<Preset> {
        self.chosen_preset().filter(|preset| !preset.shipped)
    }

    fn list_presets(&mut self) {
        self.ask_panel(PanelEffect::ListPresets);
    }

    fn begin_name(&mut self, of: Named, text: String) {
        self.panel.presets.begin(of, text);
        self.want(WindowEffect::FocusName);
    }

    fn close_name(&mut self) {
        self.panel.presets.naming = None;
        self.focus_composer();
    }

    fn take_name(&mut self) {
        let options = Box::new(self.effective().into_options());
        let Some(naming) = &mut self.panel.presets.naming else {
            return;
        };
        let name = naming.text.trim().to_owned();
        if naming.running {
            return;
        }
        if name.is_empty() {
            naming.problem = Some(say!(self.present.texts, "panel-preset-no-name"));
            return;
        }
        naming.running = true;
        let effect = match naming.of.clone() {
            Named::Settings => PanelEffect::Save { name, options },
            Named::Preset(before) => PanelEffect::Rename {
                name: before,
                to: name,
            },
        };
        self.ask_panel(effect);
    }

    /// A preset is stored under the name that was typed, or one that was deleted is back.
    fn take_named(&mut self, complaint: Key, result: Result<Preset>) {
        let naming = self.panel.presets.naming.as_mut().filter(|naming| naming.running);
        match (result, naming) {
            (Ok(preset), naming) => {
                if naming.is_some() {
                    self.open.settings.preset = Some(preset.name);
                    self.close_name();
                }
                self.list_presets();
            }
            (Err(error), Some(naming)) => {
                naming.running = false;
                naming.problem = Some(match error {
                    Error::Invalid { problem, .. } => {
                        say!(self.present.texts, "panel-preset-bad-name", problem = problem)
                    }
                    error => failure::reason(&self.present.texts, &error),
                });
            }
            (Err(error), None) => {
                let complaint = self.texts().say(complaint, &[]);
                self.complain(&complaint, &error);
            }
        }
    }

    fn delete_preset(&mut self) {
        let name = self.own_preset().map(|preset| preset.name);
        if let Some(preset) = name.and_then(|name| self.panel.presets.remove(&name)) {
            self.ask_panel(PanelEffect::Delete(Box::new(preset)));
        }
    }

    fn take_deleted_preset(&mut self, preset: Preset, result: Result<()>) {
        match result {
            Ok(()) => {
                let name = preset.name.clone();
                let undo = ToastAction::RestorePreset(Box::new(preset));
                let title = say!(self.texts(), "deleted-preset");
                self.toasts.deleted(&title, name, undo, self.present.now);
            }
            Err(error) => {
                self.complain(&say!(self.texts(), "failed-delete-preset"), &error);
                self.list_presets();
            }
        }
    }

    fn take_exported_preset(&mut self, result: Result<()>) {
        let path = self.form_path();
        let complaint = say!(self.texts(), "failed-export-preset");
        if self.end_form(&complaint, result).is_some() {
            let title = say!(self.texts(), "done-exported-preset");
            self.toasts.done(&title, path, None, self.present.now);
        }
    }
}

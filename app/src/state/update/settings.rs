//! Settings: what the person changes of them, what was stored, and the look that follows.

use hearth_protocol::Result;
use hearth_protocol::settings::{Settings, Zoom};

use crate::effect::{BackendEffect, WindowEffect};
use crate::msg::settings::{SettingsMsg, ZoomStep};
use crate::state::AppState;
use crate::state::appearance::Look;
use crate::text::Texts;

impl AppState {
    pub(super) fn update_settings(&mut self, msg: SettingsMsg) {
        match msg {
            SettingsMsg::ShowPart(part) => self.settings.part = part,
            SettingsMsg::Theme(theme) => self.change_settings(|settings| settings.theme = theme),
            SettingsMsg::Accent(accent) => self.change_settings(|settings| settings.accent = accent),
            SettingsMsg::TextSize(size) => self.change_settings(|settings| settings.text_size = size),
            SettingsMsg::Density(density) => self.change_settings(|settings| settings.density = density),
            SettingsMsg::Language(language) => self.change_settings(|settings| settings.language = language),
            SettingsMsg::Zoom(step) => self.change_settings(|settings| {
                settings.zoom = match step {
                    ZoomStep::Larger => settings.zoom.larger(),
                    ZoomStep::Smaller => settings.zoom.smaller(),
                    ZoomStep::Usual => Zoom::default(),
                }
            }),
        }
    }

    /// Shows a change of the settings and stores it.
    pub(super) fn change_settings(&mut self, change: impl FnOnce(&mut Settings)) {
        if let Some(settings) = self.settings.change(change) {
            self.ask(BackendEffect::WriteSettings(Box::new(settings)));
        }
    }

    pub(super) fn take_settings(&mut self, result: Result<Settings>, complaint: &str) {
        let were_read = self.settings.are_read();
        let before = self.settings.shown().server.clone();
        if let Err(error) = self.settings.take(result) {
            self.complain(complaint, &error);
        }
        if were_read {
            self.server.note_settings(&before, &self.settings.shown().server);
        }
    }

    /// Brings the look up to date with the settings and the desktop. Settings that are not read yet have no say: the
    /// window opened in the right look.
    pub(super) fn refresh_look(&mut self) {
        if !self.settings.are_read() {
            return;
        }
        let look = Look::of(self.settings.shown(), self.desktop);
        if look == self.look {
            return;
        }
        if look.language != self.texts.language() {
            self.texts = Texts::of(look.language);
        }
        self.look = look;
        self.want(WindowEffect::ShowLook(look));
    }
}

//! Settings: what the person changes of them, what was stored, and the look that follows.

mod account;
mod page;

use hearth_protocol::Result;
use hearth_protocol::settings::{Settings, WindowPlace, Zoom};

use crate::effect::{BackendEffect, WindowEffect};
use crate::msg::settings::{SettingsMsg, ZoomStep};
use crate::state::appearance::Look;
use crate::state::{AppState, Page};
use crate::text::{Key, Texts};

impl AppState {
    pub(super) fn update_settings(&mut self, msg: SettingsMsg) {
        match msg {
            SettingsMsg::ShowPart(part) => {
                self.end_recording();
                self.settings.part = part;
                self.ask_for_part();
            }
            SettingsMsg::OpenPart(part) => {
                self.settings.part = part;
                self.show_page(Page::Settings);
            }
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
            SettingsMsg::RecordKeys(action) => self.record_keys(action),
            SettingsMsg::EndRecording => self.end_recording(),
            SettingsMsg::TakeKeys(chord) => self.take_recorded(chord),
            SettingsMsg::ResetKeys(action) => self.reset_keys(action),
            SettingsMsg::ResetAllKeys => {
                self.end_recording();
                self.change_settings(|settings| settings.shortcuts.clear());
            }
            other => self.update_settings_page(other),
        }
    }

    /// Shows a change of the settings and stores it.
    pub(in crate::state) fn change_settings(&mut self, change: impl FnOnce(&mut Settings)) {
        if let Some(settings) = self.settings.change(change) {
            self.ask(BackendEffect::WriteSettings(Box::new(settings)));
        }
    }

    pub(super) fn take_settings(&mut self, result: Result<Settings>, complaint: Key) {
        if let Ok(settings) = &result {
            // An older Hearth noted that they were seen by the window's place alone.
            let is_new = !settings.first_start_seen && settings.window.is_none();
            self.first_start.note_settings(is_new);
            self.begin_first_start();
            self.chats.fold_only(&settings.folded_folders);
        }
        if let Err(error) = self.settings.take(result) {
            let complaint = self.texts().say(complaint, &[]);
            self.complain(&complaint, &error);
        }
    }

    /// Keeps where the window stands. What fills the screen keeps the size it had before.
    pub(super) fn take_window_place(&mut self, place: WindowPlace) {
        self.change_settings(|settings| {
            let before = settings.window.filter(|_| place.maximised);
            settings.window = Some(match before {
                Some(before) => WindowPlace {
                    maximised: true,
                    ..before
                },
                None => place,
            });
        });
    }

    /// Brings the look up to date with the settings and the desktop. Settings that are not read yet have no say: the
    /// window opened in the right look.
    pub(super) fn refresh_look(&mut self) {
        if !self.settings.are_read() {
            return;
        }
        let settings = self.settings.shown();
        let look = Look::of(settings, self.desktop);
        // Tooltips tell the keys.
        if look == self.look && settings.shortcuts == self.shortcuts {
            return;
        }
        let same_but_zoom = Look {
            zoom: self.look.zoom,
            ..look
        };
        if same_but_zoom == self.look && settings.shortcuts == self.shortcuts {
            self.look = look;
            self.want(WindowEffect::ShowZoom(look.zoom));
            return;
        }
        self.shortcuts = settings.shortcuts.clone();
        if look.language != self.texts().language() {
            self.present.texts = Texts::of(look.language);
        }
        self.look = look;
        self.want(WindowEffect::ShowLook(look));
    }
}

//! The page of settings: its rows, the folders with models, this computer, what is kept on the disk.

use std::path::{Path, PathBuf};

use hearth_protocol::engine::UsageEvent;
use hearth_protocol::library::Source;
use hearth_protocol::settings::Settings;
use hearth_protocol::{ByteSize, Error, Result};

use crate::effect::settings::SettingsEffect;
use crate::effect::{BackendEffect, WindowEffect};
use crate::msg::Msg;
use crate::msg::settings::{SettingsMsg, SettingsNews};
use crate::state::overlay::Overlay;
use crate::state::overlay::confirm::Confirm;
use crate::state::overlay::path_form::PathForm;
use crate::state::overlay::text_view::TextView;
use crate::state::settings::Part;
use crate::state::settings::knob::{Kind, Knob};
use crate::state::settings::rows::typed;
use crate::state::{AppState, Page, Redraw, failure, format};
use crate::text::say;

/// What Hearth stands on, and under which licences.
const LICENCES: &str = include_str!("../../../../../THIRD_PARTY.md");

impl AppState {
    pub(super) fn update_settings_page(&mut self, msg: SettingsMsg) {
        match msg {
            SettingsMsg::Flip(knob, on) => {
                if let Kind::Switch { write, .. } = knob.kind() {
                    self.try_change(knob, None, move |settings| write(settings, on));
                }
            }
            SettingsMsg::Choose(knob, index) => {
                if let Kind::Choice(choices) = knob.kind()
                    && let Some((_, choose)) = choices.get(index)
                {
                    self.try_change(knob, None, choose);
                }
            }
            SettingsMsg::Typed(knob, text) => self.settings.typing.put(knob, text),
            SettingsMsg::Commit(knob) => self.commit_typed(knob),
            SettingsMsg::Reset(knob) => self.try_change(knob, None, move |settings| knob.reset(settings)),

            SettingsMsg::DefaultModel(file) => {
                self.change_settings(|settings| settings.default_model = file);
            }

            SettingsMsg::AskFolder => self.show_form(PathForm::model_folder()),
            SettingsMsg::RemoveFolder(folder) => self.remove_model_folder(&folder),
            SettingsMsg::UseSource(source, used) => self.use_source(source, used),

            SettingsMsg::TokenTyped(token) => self.settings.account.put(token),
            SettingsMsg::KeepToken => self.keep_token(),
            SettingsMsg::ForgetToken => self.forget_token(),

            SettingsMsg::LookForDevices => self.look_for_devices(),
            SettingsMsg::UseDevice(name, used) => {
                let change = self.with_device(&name, used);
                self.change_settings(change);
            }
            SettingsMsg::EmptyKept => self.ask_settings(SettingsEffect::EmptyKept),

            SettingsMsg::OpenData => {
                let folder = self.places.data.clone();
                self.want(WindowEffect::OpenLink(folder));
            }
            SettingsMsg::AskExportAll => self.show_form(PathForm::export_all()),
            SettingsMsg::AskMoveData => self.show_form(PathForm::move_data()),
            SettingsMsg::AskDeleteAll => self.ask_delete_all(),
            SettingsMsg::DeleteAll => self.ask_settings(SettingsEffect::DeleteAll),
            SettingsMsg::ShowLicences => self.show_licences(),

            // What else there is stands in the function that hands the rest to this one.
            SettingsMsg::ShowPart(_)
            | SettingsMsg::OpenPart(_)
            | SettingsMsg::Theme(_)
            | SettingsMsg::Accent(_)
            | SettingsMsg::TextSize(_)
            | SettingsMsg::Density(_)
            | SettingsMsg::Language(_)
            | SettingsMsg::Zoom(_)
            | SettingsMsg::RecordKeys(_)
            | SettingsMsg::EndRecording
            | SettingsMsg::TakeKeys(_)
            | SettingsMsg::ResetKeys(_)
            | SettingsMsg::ResetAllKeys => (),
        }
    }

    pub(in crate::state::update) fn take_settings_news(&mut self, news: SettingsNews) {
        match news {
            SettingsNews::Hub(result) => self.take_hub(result),
            SettingsNews::Owner(owner) => self.settings.account.take_owner(owner),
            SettingsNews::TokenKept(result) => self.take_kept_token(result),
            SettingsNews::TokenForgotten(result) => self.take_forgotten_token(result),
            SettingsNews::Devices(found) => self.settings.hardware.take_devices(found),
            SettingsNews::Usage(UsageEvent::Usage(usage)) => {
                if !self.settings.hardware.take_usage(usage) {
                    self.redraw = Redraw::Never;
                }
            }
            // What the end means is told by all else.
            SettingsNews::Usage(UsageEvent::Closed(_)) => (),
            SettingsNews::DiskUse(Ok(used)) => self.settings.disk_use = Some(used),
            SettingsNews::DiskUse(Err(error)) => {
                self.complain(&say!(self.texts(), "failed-disk-use"), &error);
            }
            SettingsNews::Kept(Ok(size)) => self.settings.hardware.kept = Some(size),
            SettingsNews::Kept(Err(error)) => self.complain(&say!(self.texts(), "failed-read-kept"), &error),
            SettingsNews::Emptied(result) => self.take_emptied(result),
            SettingsNews::AllExported(result) => self.take_all_exported(result),
            SettingsNews::DataMoves(result) => {
                let complaint = say!(self.texts(), "failed-move-data");
                if self.end_form(&complaint, result).is_some() {
                    self.want(WindowEffect::OpenAgain);
                }
            }
            SettingsNews::AllDeleted(Ok(())) => self.want(WindowEffect::Quit),
            SettingsNews::AllDeleted(Err(error)) => {
                self.complain(&say!(self.texts(), "failed-delete-all"), &error);
            }
        }
    }

    /// Asks for what the part in sight shows.
    pub(in crate::state::update) fn ask_for_part(&mut self) {
        if self.page() != Page::Settings {
            return;
        }
        match self.settings.part {
            Part::Models => self.ask_settings(SettingsEffect::ReadDiskUse),
            Part::Network => self.ask_settings(SettingsEffect::ReadHub),
            Part::Hardware => {
                self.ask_settings(SettingsEffect::ReadKept);
                if !self.settings.hardware.has_looked() {
                    self.look_for_devices();
                }
            }
            _ => (),
        }
    }

    /// Has told what Hearth takes of this computer while something in sight shows it, and no longer.
    pub(in crate::state::update) fn refresh_usage(&mut self) {
        let wanted = self.shows_usage();
        if wanted == std::mem::replace(&mut self.settings.hardware.watching, wanted) {
            return;
        }
        if wanted {
            self.settings.hardware.forget_usage();
            self.ask_settings(SettingsEffect::WatchUsage);
        } else {
            self.ask_settings(SettingsEffect::LeaveUsage);
        }
    }

    /// What Escape gives up on the page of settings.
    pub(in crate::state::update) fn escape_settings(&mut self) {
        self.settings.typing.clear();
        self.settings.account.forgive();
    }

    pub(super) fn ask_settings(&mut self, effect: SettingsEffect) {
        self.ask(BackendEffect::SettingsPage(effect));
    }

    /// Changes a setting, or says in its row why that cannot be.
    fn try_change(&mut self, knob: Knob, text: Option<String>, change: impl FnOnce(&mut Settings)) {
        let mut wanted = self.settings.shown().clone();
        change(&mut wanted);
        if let Err(error) = wanted.validate() {
            let why = failure::reason(self.texts(), &error);
            return self.settings.typing.refuse(knob, text, why);
        }
        self.settings.typing.forgive(knob);
        self.change_settings(|settings| *settings = wanted);
    }

    /// Takes what is typed into the fields of the page, all of it.
    pub(in crate::state::update) fn commit_all_typed(&mut self) {
        for knob in self.settings.typing.knobs() {
            self.commit_typed(knob);
        }
    }

    fn commit_typed(&mut self, knob: Knob) {
        let Some(text) = self.settings.typing.take(knob) else {
            return;
        };
        match typed(knob, &text, self.texts()) {
            Ok(change) => self.try_change(knob, Some(text), change),
            Err(why) => self.settings.typing.refuse(knob, Some(text), why),
        }
    }

    fn use_source(&mut self, source: Source, used: bool) {
        self.change_settings(|settings| {
            settings.ignored_sources.retain(|ignored| *ignored != source);
            if !used {
                settings.ignored_sources.push(source);
            }
        });
    }

    fn look_for_devices(&mut self) {
        if self.settings.hardware.begin_looking() {
            self.ask_settings(SettingsEffect::ListDevices);
        }
    }

    fn take_emptied(&mut self, result: Result<ByteSize>) {
        match result {
            Ok(freed) => {
                let title = say!(self.texts(), "done-emptied");
                let text = say!(
                    self.texts(),
                    "done-emptied-text",
                    size = format::size(self.texts(), freed)
                );
                self.toasts.done(&title, text, None, self.present.now);
            }
            Err(error) => self.complain(&say!(self.texts(), "failed-empty-kept"), &error),
        }
        self.ask_settings(SettingsEffect::ReadKept);
    }

    fn take_all_exported(&mut self, result: Result<u32>) {
        let path = self.form_path();
        let complaint = say!(self.texts(), "failed-export-all");
        if let Some(chats) = self.end_form(&complaint, result) {
            let title = say!(self.texts(), "done-exported-all", chats = chats);
            self.toasts.done(&title, path, None, self.present.now);
        }
    }

    /// Puts a folder among those with models, or says in the form why that cannot be.
    pub(in crate::state::update) fn add_model_folder(&mut self, folder: PathBuf) {
        let mut wanted = self.settings.shown().clone();
        if !wanted.model_folders.contains(&folder) {
            wanted.model_folders.push(folder.clone());
        }
        let checked = match folder.is_absolute() {
            true => wanted.validate(),
            false => Err(Error::Invalid {
                field: folder.display().to_string(),
                problem: say!(self.texts(), "path-folder-whole"),
            }),
        };
        let complaint = say!(self.texts(), "failed-add-folder");
        if self.end_form(&complaint, checked).is_some() {
            self.change_settings(|settings| *settings = wanted);
        }
    }

    /// Looks no longer for models in a folder.
    pub(in crate::state::update) fn remove_model_folder(&mut self, folder: &Path) {
        self.change_settings(|settings| settings.model_folders.retain(|known| known != folder));
    }

    fn ask_delete_all(&mut self) {
        let texts = self.texts();
        self.overlay = Some(Overlay::Confirm(Confirm {
            title: say!(texts, "confirm-delete-all"),
            text: say!(
                texts,
                "confirm-delete-all-text",
                models = self.places.models.as_str()
            ),
            button: say!(texts, "confirm-delete-all-button"),
            then: Box::new(Msg::Settings(SettingsMsg::DeleteAll)),
        }));
        self.want(WindowEffect::FocusOverlay);
    }

    fn show_licences(&mut self) {
        self.overlay = Some(Overlay::TextView(TextView {
            title: say!(self.texts(), "about-licences"),
            text: LICENCES.to_owned(),
        }));
        self.want(WindowEffect::FocusOverlay);
    }
}

//! Menus, questions, the form for a path and the palette.

use hearth_protocol::chat::list::{ExportFormat, ExportRequest, Imported};
use hearth_protocol::{ChatId, Result, UnixMillis};

use crate::effect::composer::ComposerEffect;
use crate::effect::panel::PanelEffect;
use crate::effect::settings::SettingsEffect;
use crate::effect::{BackendEffect, Effect, WindowEffect};
use crate::msg::Msg;
use crate::state::overlay::Overlay;
use crate::state::overlay::menu::{Menu, MenuOf, Place, Then};
use crate::state::overlay::palette::{Palette, PaletteRow};
use crate::state::overlay::path_form::{PathForm, Purpose};
use crate::state::toast::ToastAction;
use crate::state::{AppState, failure};
use crate::text::say;

impl AppState {
    pub(super) fn open_menu(&mut self, of: MenuOf, at: Place) {
        if self.menu_items(of).is_empty() {
            return;
        }
        self.overlay = Some(Overlay::Menu(Menu { of, at, chosen: None }));
    }

    pub(super) fn toggle_palette(&mut self) {
        if let Some(Overlay::Palette(_)) = self.overlay {
            return self.close_overlay();
        }
        if let Some(Overlay::FirstStart(_)) = self.overlay {
            self.end_first_start();
        }
        self.commit_rename();
        self.overlay = Some(Overlay::Palette(Palette::default()));
        self.want(WindowEffect::FocusOverlay);
    }

    pub(super) fn change_palette(&mut self, words: String) {
        if let Some(Overlay::Palette(palette)) = &mut self.overlay {
            *palette = Palette { words, chosen: 0 };
        }
    }

    /// A menu leaves the keyboard where it was; what had the keyboard itself gives it to the composer.
    pub(super) fn close_overlay(&mut self) {
        match self.overlay.take() {
            Some(Overlay::Menu(_)) | None => (),
            Some(Overlay::FirstStart(_)) => {
                self.end_first_start();
                self.focus_composer();
            }
            Some(_) => self.focus_composer(),
        }
    }

    fn choose_item(&mut self, index: usize) {
        match &mut self.overlay {
            Some(Overlay::Menu(menu)) => menu.chosen = Some(index),
            Some(Overlay::Palette(palette)) => palette.chosen = index,
            _ => (),
        }
    }

    pub(super) fn step_item(&mut self, back: bool) {
        let (count, at) = match &self.overlay {
            Some(Overlay::Menu(menu)) => (self.menu_items(menu.of).len(), menu.chosen),
            Some(Overlay::Palette(palette)) => (self.palette_entries(palette).len(), Some(palette.chosen)),
            Some(Overlay::Picker(_)) => return self.step_picker(back),
            _ => return,
        };
        let Some(last) = count.checked_sub(1) else { return };
        let next = match at {
            None if back => last,
            None => 0,
            Some(0) if back => last,
            Some(at) if back => at - 1,
            Some(at) if at >= last => 0,
            Some(at) => at + 1,
        };
        self.choose_item(next);
    }

    /// Does what the item at `index` says, or the chosen one.
    pub(super) fn take_item(&mut self, index: Option<usize>, now: UnixMillis) -> Vec<Effect> {
        let then = match &self.overlay {
            Some(Overlay::Menu(menu)) => {
                let item = index.or(menu.chosen);
                let mut items = self.menu_items(menu.of);
                item.filter(|item| *item < items.len())
                    .map(|item| (items.swap_remove(item).then, menu.at))
            }
            Some(Overlay::Palette(palette)) => {
                let mut entries = self.palette_entries(palette);
                let entry = index.unwrap_or(palette.chosen);
                (entry < entries.len()).then(|| (Then::Do(entries.swap_remove(entry)), Place::default()))
            }
            Some(Overlay::Picker(_)) => {
                if let Some(model) = self.chosen_model() {
                    self.load(&model.file);
                }
                return self.finish();
            }
            _ => None,
        };
        let msg = match then {
            Some((Then::Do(msg), _)) => msg,
            Some((Then::Open(of), at)) => return self.update(Msg::OpenMenu { of, at }, now),
            // Nothing is chosen.
            None => return self.finish(),
        };
        let was_palette = matches!(self.overlay, Some(Overlay::Palette(_)));
        self.overlay = None;
        if was_palette {
            self.focus_composer();
        }
        self.update(msg, now)
    }

    pub(super) fn take_confirmed(&mut self, now: UnixMillis) -> Vec<Effect> {
        let Some(Overlay::Confirm(confirm)) = self.overlay.take() else {
            return self.finish();
        };
        self.focus_composer();
        self.update(*confirm.then, now)
    }

    pub(super) fn ask_export(&mut self, chat: ChatId, format: ExportFormat) {
        if let Some(summary) = self.chats.get(chat) {
            let form = PathForm::export(chat, format, &summary.title);
            self.show_form(form);
        }
    }

    pub(super) fn ask_import(&mut self) {
        self.show_form(PathForm::import());
    }

    pub(super) fn show_form(&mut self, form: PathForm) {
        self.overlay = Some(Overlay::PathForm(form));
        self.want(WindowEffect::FocusOverlay);
    }

    pub(super) fn change_path(&mut self, path: String) {
        if let Some(Overlay::PathForm(form)) = &mut self.overlay {
            form.path = path;
            form.fault = None;
        }
    }

    pub(super) fn browse_path(&mut self) {
        if let Some(Overlay::PathForm(form)) = &self.overlay {
            let target = form.target(&self.places.home);
            let title = self.texts().say(form.title(), &[]);
            self.want(match form.purpose {
                Purpose::Attach { .. } => WindowEffect::PickFiles { title },
                Purpose::ModelFolder | Purpose::MoveData => WindowEffect::PickFolder { title },
                _ => WindowEffect::PickPath {
                    title,
                    write_to: target.filter(|_| form.purpose.writes()),
                },
            });
        }
    }

    /// Puts the path of the system's dialog into the form, where it is still open. Where none was chosen, or there is no
    /// dialog, what is being typed goes on.
    pub(super) fn take_picked_path(&mut self, path: Option<String>) {
        match (path, &mut self.overlay) {
            (Some(path), Some(Overlay::PathForm(_))) => self.change_path(path),
            (Some(path), Some(Overlay::ImportModel(form))) => (form.path, form.fault) = (path, None),
            _ => return,
        }
        self.want(WindowEffect::FocusOverlay);
    }

    pub(super) fn take_path(&mut self) {
        let Some(Overlay::PathForm(form)) = &mut self.overlay else {
            return;
        };
        if form.running {
            return;
        }
        let Some(path) = form.target(&self.places.home) else {
            form.fault = Some(say!(self.present.texts, "path-missing"));
            return;
        };
        form.running = true;
        form.fault = None;
        let effect = match form.purpose.clone() {
            Purpose::Export { chat, format } => BackendEffect::Export(ExportRequest { chat, format, path }),
            Purpose::Import => BackendEffect::Import(path),
            Purpose::ExportAll => BackendEffect::SettingsPage(SettingsEffect::ExportAll(path)),
            Purpose::MoveData => BackendEffect::SettingsPage(SettingsEffect::MoveData(path)),
            // What is wrong with it is known at once.
            Purpose::ModelFolder => return self.add_model_folder(path),
            Purpose::ExportPreset(name) => BackendEffect::Panel(PanelEffect::Export { name, path }),
            Purpose::ImportPreset => BackendEffect::Panel(PanelEffect::Import(path)),
            Purpose::Attach {
                conversation, chat, ..
            } => BackendEffect::Composer(ComposerEffect::ReadFile {
                conversation,
                chat,
                path,
            }),
        };
        self.ask(effect);
    }

    pub(super) fn take_exported(&mut self, result: Result<()>) {
        let path = self.form_path();
        if self
            .end_form(&say!(self.texts(), "failed-export"), result)
            .is_some()
        {
            let title = say!(self.texts(), "done-exported");
            self.toasts.done(&title, path, None, self.present.now);
        }
    }

    /// Whether a move of all data was asked for and is looked at, which cannot be taken back: Hearth ends when that is done.
    pub(super) fn begins_to_move(&self) -> bool {
        matches!(&self.overlay, Some(Overlay::PathForm(form)) if form.running && form.purpose == Purpose::MoveData)
    }

    /// The path in the form.
    pub(super) fn form_path(&self) -> String {
        match &self.overlay {
            Some(Overlay::PathForm(form)) => form.path.trim().to_owned(),
            _ => String::new(),
        }
    }

    pub(super) fn take_imported(&mut self, result: Result<Imported>) {
        let Some(imported) = self.end_form(&say!(self.texts(), "failed-import"), result) else {
            return;
        };
        let title = say!(self.texts(), "done-imported", chats = imported.chats.len());
        let (known, empty) = (imported.known.len(), imported.empty);
        let known = (known > 0).then(|| say!(self.texts(), "imported-known", chats = known));
        let empty = (empty > 0).then(|| say!(self.texts(), "imported-empty", chats = empty));
        let text: Vec<_> = [known, empty].into_iter().flatten().collect();
        let first = imported.chats.first().or(imported.known.first());
        let show = first.map(|chat| ToastAction::Show(chat.id));
        for summary in imported.chats {
            self.chats.put(summary);
        }
        self.toasts.done(&title, text.join(" "), show, self.present.now);
    }

    /// Closes the form, or says in it what went wrong. Where it was closed meanwhile a toast says it.
    pub(super) fn end_form<T>(&mut self, complaint: &str, result: Result<T>) -> Option<T> {
        let form = match &mut self.overlay {
            Some(Overlay::PathForm(form)) if form.running => Some(form),
            _ => None,
        };
        match (result, form) {
            (Ok(done), form) => {
                if form.is_some() {
                    self.close_overlay();
                }
                Some(done)
            }
            (Err(error), Some(form)) => {
                form.running = false;
                form.fault = Some(failure::reason(&self.present.texts, &error));
                None
            }
            (Err(error), None) => {
                self.complain(complaint, &error);
                None
            }
        }
    }

    /// What the entries of the palette do, in their order.
    fn palette_entries(&self, palette: &Palette) -> Vec<Msg> {
        let rows = self.palette_rows(palette).into_iter();
        rows.filter_map(|row| match row {
            PaletteRow::Entry(entry) => Some(entry.then),
            PaletteRow::Group(_) | PaletteRow::Nothing => None,
        })
        .collect()
    }
}

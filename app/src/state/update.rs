//! What each message changes.

mod answers;
mod changing;
mod chats;
mod composer;
mod discover;
mod downloads;
mod filing;
mod first_start;
mod keeping;
mod links;
mod load_dialog;
mod models;
mod my_models;
mod overlays;
mod panel;
mod searching;
mod server;
mod settings;

use hearth_protocol::{Error, UnixMillis};

use super::{AppState, Page, Redraw, failure};
use crate::effect::downloads::DownloadsEffect;
use crate::effect::{BackendEffect, Effect, Run, WindowEffect};
use crate::msg::load::LoadMsg;
use crate::msg::{Msg, News};
use crate::state::chats::RowKey;
use crate::state::toast::{ToastAction, ToastId};
use crate::text::{key, say};

impl AppState {
    /// Takes a message in at the time `now`; gives what is to be done.
    pub(crate) fn update(&mut self, msg: Msg, now: UnixMillis) -> Vec<Effect> {
        self.present.now = now;
        self.redraw = Redraw::Soon;
        match msg {
            Msg::Start => self.start(),
            Msg::Tick => {
                self.tick_at = None;
                self.toasts.expire(now);
                self.keep_what_is_due();
            }
            Msg::Closing => self.keep_to_the_end(),
            Msg::Escape if self.begins_to_move() => (),
            Msg::Escape => self.escape(),
            Msg::ShowPage(page) => self.show_page(page),

            Msg::NewChat => self.new_chat(),
            Msg::OpenChat(chat) => self.open_chat(chat),
            Msg::BeginRename(chat) => self.begin_rename(RowKey::Chat(chat)),
            Msg::RenameChanged(text) => {
                if let Some(rename) = &mut self.chats.rename {
                    rename.text = text;
                }
            }
            Msg::CommitRename => self.commit_rename(),
            Msg::DeleteChat(chat) => self.delete_chat(chat),
            Msg::PinChat { chat, pinned } => self.pin_chat(chat, pinned),
            Msg::MoveChat { chat, folder } => self.move_chat(chat, folder),
            Msg::DuplicateChat(chat) => self.ask(BackendEffect::DuplicateChat(chat)),

            Msg::ToggleFolder(folder) => self.toggle_folder(folder),
            Msg::BeginFolder(holds) => self.begin_folder(holds),
            Msg::BeginRenameFolder(folder) => self.begin_rename(RowKey::Folder(folder)),
            Msg::AskDeleteFolder(folder) => self.ask_delete_folder(folder),
            Msg::DeleteFolder(folder) => self.delete_folder(folder),

            Msg::FocusSearch => self.focus_search(),
            Msg::SearchChanged(words) => self.change_search(words),
            Msg::StepHit { back } => self.search.step(back, &self.chats),
            Msg::OpenHit(index) => self.open_hit(self.search.hit(index).cloned()),
            Msg::OpenChosenHit => self.open_hit(self.search.chosen().cloned()),
            Msg::LeaveSearch => self.leave_search(),

            Msg::OpenMenu { of, at } => self.open_menu(of, at),
            Msg::StepItem { back } => self.step_item(back),
            Msg::TakeItem(index) => return self.take_item(Some(index), now),
            Msg::TakeChosenItem => return self.take_item(None, now),
            Msg::TogglePalette => self.toggle_palette(),
            Msg::PaletteChanged(words) => self.change_palette(words),
            Msg::CloseOverlay if self.begins_to_move() => (),
            Msg::CloseOverlay => self.close_overlay(),
            Msg::ShowFirstStart => self.show_first_start(),
            Msg::StepFirstStart { back } => self.step_first_start(back),
            Msg::StepPane { back } => self.want(WindowEffect::StepPane { back }),
            Msg::TakeConfirmed => return self.take_confirmed(now),
            Msg::AskExport { chat, format } => self.ask_export(chat, format),
            Msg::AskImport => self.ask_import(),
            Msg::PathChanged(path) => self.change_path(path),
            Msg::BrowsePath => self.browse_path(),
            Msg::PathPicked(path) => self.take_picked_path(path),
            Msg::TakePath => self.take_path(),

            Msg::DraftChanged(text) => self.change_draft(text),
            Msg::PickSuggestion(index) => self.pick_suggestion(index),
            Msg::Send => self.send(),
            Msg::Stop => self.stop(),
            Msg::Regenerate(message) => self.regenerate(message),
            Msg::RegenerateLast => self.regenerate_last(),
            Msg::CopyText(text) => self.want(WindowEffect::Copy(text)),
            Msg::CopyMessage(message) => self.copy_message(message),
            Msg::FoldAside { entry, aside } => self.fold_aside(entry, aside),
            Msg::CopyPlain(message) => self.copy_plain(message),
            Msg::SelectText(message) => self.select_text(message),
            Msg::CopyLastAnswer => self.copy_last_answer(),
            Msg::Insert(role) => self.insert(role),
            Msg::BeginEdit(message) => self.begin_edit(message),
            Msg::EditLast => self.edit_last(),
            Msg::EditChanged(text) => {
                if let Some(editing) = &mut self.open.editing {
                    editing.text = text;
                }
            }
            Msg::CommitEdit { answer } => self.commit_edit(answer),
            Msg::Continue(message) => self.go_on(message),
            Msg::Branch(message) => self.ask(BackendEffect::Branch(message)),
            Msg::DeleteMessage(message) => self.delete_message(message),
            Msg::ShowVersion { message, version } => self.show_version(message, version),
            Msg::StepVersion { back } => self.step_version(back),
            Msg::EditQueued(queued) => self.edit_queued(queued),
            Msg::RemoveQueued(queued) => self.remove_queued(queued),
            Msg::PlaceChanged { conversation, place } => self.note_place(conversation, place),

            Msg::FollowLink(address) => self.follow_link(address),
            Msg::OpenAskedLink => self.open_asked_link(),
            Msg::CopyAskedLink => self.copy_asked_link(),
            Msg::LinkNotOpened(reason) => {
                let title = say!(self.texts(), "failed-link");
                self.toasts.trouble(&title, reason, None, now);
            }

            Msg::TogglePicker => self.toggle_picker(),
            Msg::PickerChanged(words) => self.change_picker(words),
            Msg::LookForModels => self.ask(BackendEffect::ListFiles),
            Msg::Load(file) => self.load(&file),
            Msg::LoadDialog(msg) => self.update_load_dialog(msg),
            Msg::CancelLoad => self.cancel_load(),
            Msg::Eject(model) => self.eject(model),
            Msg::EjectCurrent => self.eject_current(),

            Msg::Settings(msg) => self.update_settings(msg),
            Msg::DesktopTurned(shade) => self.desktop.shade = shade,

            Msg::TakeToastAction(toast) => self.take_toast_action(toast),
            Msg::CloseToast(toast) => {
                self.toasts.take(toast);
            }
            Msg::HoldToasts(held) => self.toasts.hold(held, now),

            Msg::WindowMoved => self.keeping.note_window(now),
            Msg::WindowPlaced(place) => self.take_window_place(place),
            Msg::WindowInFront(in_front) => {
                self.in_front = in_front;
                self.redraw = Redraw::Never;
            }
            Msg::Composer(msg) => self.update_composer(msg),
            Msg::Panel(msg) => self.update_panel(msg),

            Msg::MyModels(msg) => self.update_my_models(msg),
            Msg::Server(msg) => self.update_server(msg),
            Msg::Discover(msg) => self.update_discover(msg),
            Msg::Downloads(msg) => self.update_downloads(msg),

            Msg::Backend(news) => self.take_news(news),
        }
        self.finish()
    }

    /// Brings up to date what follows from all else, and gives what is to be done.
    fn finish(&mut self) -> Vec<Effect> {
        self.refresh_look();
        self.refresh_list();
        self.refresh_panel();
        self.refresh_count();
        self.refresh_my_models();
        self.refresh_usage();
        self.ask_for_tick();
        std::mem::take(&mut self.effects)
    }

    fn take_news(&mut self, news: News) {
        match news {
            News::SettingsRead(result) => self.take_settings(result, key!("failed-read-settings")),
            News::SettingsWritten(result) => {
                let is_stored = result.is_ok();
                self.take_settings(result, key!("failed-write-settings"));
                if is_stored {
                    self.ask_for_part();
                }
            }
            News::StorageChecked(result) => {
                self.first_start.note_storage(result.is_ok());
                if let Err(error) = result {
                    self.health.note_storage(error);
                }
                self.begin_first_start();
            }
            News::Chats(event) => self.take_list(event),
            News::Found { run, result } => self.search.take(run, result, &self.present),
            News::Opened { chat, result } => self.take_opened(chat, result),
            News::RowChanged { change, result } => self.take_row(change, result),
            News::FolderMade { holds, result } => self.take_made_folder(holds, result),
            News::FolderRenamed(result) => self.take_renamed_folder(result),
            News::FolderDeleted(result) => self.take_deleted_folder(result),
            News::Exported(result) => self.take_exported(result),
            News::Imported(result) => self.take_imported(result),
            News::Changed {
                conversation,
                change,
                result,
            } => self.take_changed(conversation, change, result),
            News::MessageDeleted {
                chat,
                beginning,
                result,
            } => self.take_deleted_message(chat, beginning, result),
            News::DraftRead(result) => self.take_draft(result),
            News::NotKept(error) => self.complain(&say!(self.texts(), "failed-keep-draft"), &error),
            News::Deleted { chat, result } => self.take_deleted(chat, result),
            News::Undone {
                token,
                reopen,
                result,
            } => self.take_undone(token, reopen, result),
            News::Files(result) => self.take_files(result),
            News::LookedUp { model, abilities } => self.models.abilities.learn(model, abilities),
            News::Engine(event) => self.take_engine_event(event),
            News::Turn { run, event } => self.take_turn_event(run, event),
            News::LoadDialog(news) => self.take_load_news(news),
            News::Load { run, event } => self.take_load_event(run, event),
            News::Ejected { model, result } => self.take_ejected(model, result),
            News::Composer(news) => self.take_composer_news(news),
            News::Panel(news) => self.take_panel_news(news),
            News::MyModels(news) => self.take_my_models_news(news),
            News::Server(news) => self.take_server_news(news),
            News::Discover(news) => self.take_discover_news(news),
            News::Downloads(news) => {
                self.take_downloads_news(news);
                self.look_for_arrivals();
            }
            News::SettingsPage(news) => self.take_settings_news(news),
            News::ShowWindow(handed) => {
                self.want(WindowEffect::ShowWindow);
                self.take_handed(handed);
            }
            News::Refused(error) => self.complain(&say!(self.texts(), "failed-anything"), &error),
        }
    }

    fn start(&mut self) {
        // First, so that what else fails for the same reason is not told again.
        self.ask(BackendEffect::CheckStorage);
        self.ask(BackendEffect::WatchSettings);
        self.ask(BackendEffect::WatchWindow);
        self.ask(BackendEffect::WatchChats);
        self.ask(BackendEffect::ReadDraft);
        self.ask(BackendEffect::ListFiles);
        self.ask(BackendEffect::WatchEngine);
        self.start_watching_server();
        self.ask(BackendEffect::Downloads(DownloadsEffect::Watch));
        self.focus_composer();
        let handed = self.places.handed.take();
        self.take_handed(handed);
    }

    fn escape(&mut self) {
        if self.overlay.is_some() {
            self.close_overlay();
        } else if self.downloads.is_open {
            self.close_downloads();
        } else if self.chats.rename.is_some() {
            self.chats.give_up_rename();
        } else if self.page == Page::Chat {
            self.escape_on_chat_page();
        } else if self.page == Page::Server {
            self.escape_server();
        } else if self.page == Page::Discover {
            self.escape_discover();
        } else if self.page == Page::Models {
            self.escape_my_models();
        } else if self.page == Page::Settings {
            self.escape_settings();
        }
    }

    fn escape_on_chat_page(&mut self) {
        if self.escape_panel() {
            // It was open.
        } else if self.open.editing.is_some() {
            self.give_up_edit();
        } else if self.search.is_on() {
            self.leave_search();
        } else {
            self.stop();
        }
    }

    fn show_page(&mut self, page: Page) {
        self.overlay = None;
        self.downloads.is_open = false;
        self.commit_typed_texts();
        self.end_recording();
        self.page = page;
        if page == Page::Discover {
            self.enter_discover();
        } else if page == Page::Models {
            self.show_my_models();
        }
        self.ask_for_part();
        self.focus_composer();
    }

    /// Takes what is typed into fields outside of chats, as Enter does there: a field that goes out of sight does not tell it.
    fn commit_typed_texts(&mut self) {
        self.commit_rename();
        self.commit_all_typed();
        self.commit_port();
        self.commit_model_name();
        self.commit_notes();
    }

    /// Gives the composer the keyboard where it is in sight; the panel of downloads while that is open.
    fn focus_composer(&mut self) {
        if self.downloads.is_open {
            self.want(WindowEffect::FocusDownloads);
        } else if self.page == Page::Chat {
            self.want(WindowEffect::FocusComposer);
        }
    }

    fn take_toast_action(&mut self, toast: ToastId) {
        match self.toasts.take(toast).and_then(|toast| toast.action) {
            Some(ToastAction::Undo { token, reopen }) => self.ask(BackendEffect::Undo { token, reopen }),
            Some(ToastAction::Show(chat)) => self.open_chat(chat),
            Some(ToastAction::SetLoad(file)) => self.update_load_dialog(LoadMsg::Open(Some(file))),
            Some(ToastAction::RestorePreset(preset)) => self.restore_preset(*preset),
            Some(ToastAction::UseInChat(file)) => self.use_in_chat(file),
            Some(ToastAction::ShowDownloads) => self.show_downloads(),
            None => (),
        }
    }

    /// Asks for a tick when the next toast leaves or something is to be kept or counted, once for each such moment.
    fn ask_for_tick(&mut self) {
        let moments = [self.toasts.next_leaves_at(), self.keeping.due(), self.count.due()];
        let next = moments.into_iter().flatten().min();
        if next != self.tick_at {
            self.tick_at = next;
            if let Some(at) = next {
                let millis = at.0.saturating_sub(self.present.now.0);
                self.want(WindowEffect::TickAfter(u64::try_from(millis).unwrap_or(0)));
            }
        }
    }

    /// Tells what went wrong: by the banner where it is about the whole, else by a toast.
    fn complain(&mut self, title: &str, error: &Error) {
        self.complain_with(title, error, None);
    }

    /// The same, with a button that tries again.
    fn complain_with(&mut self, title: &str, error: &Error, action: Option<ToastAction>) {
        if !self.health.note(error) {
            let reason = failure::reason(self.texts(), error);
            self.toasts.trouble(title, reason, action, self.present.now);
        }
    }

    fn ask(&mut self, effect: BackendEffect) {
        self.effects.push(effect.into());
    }

    fn want(&mut self, effect: WindowEffect) {
        let takes_keys = matches!(
            effect,
            WindowEffect::FocusRename(_)
                | WindowEffect::FocusSearch
                | WindowEffect::FocusDiscover
                | WindowEffect::FocusEdit
                | WindowEffect::FocusName
                | WindowEffect::FocusOverlay
                | WindowEffect::FocusDownloads
        );
        if takes_keys {
            // Two that ask for the keyboard would get it in the order in which they are drawn.
            let composer = Effect::from(WindowEffect::FocusComposer);
            self.effects.retain(|before| *before != composer);
        }
        self.effects.push(effect.into());
    }

    fn new_run(&mut self) -> Run {
        self.next_run += 1;
        Run(self.next_run)
    }
}

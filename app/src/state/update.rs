//! What each message changes.

mod answers;
mod chats;
mod links;
mod models;

use hearth_protocol::settings::Settings;
use hearth_protocol::{Error, Result, UnixMillis};

use super::{AppState, Page};
use crate::effect::{BackendEffect, Effect, Run, WindowEffect};
use crate::msg::{Msg, News};
use crate::state::toast::{ToastAction, ToastId};

/// Title of the toast where the system opens no link.
const LINK_NOT_OPENED: &str = "The link did not open";

impl AppState {
    /// Takes a message in at the time `now`; gives what is to be done.
    pub(crate) fn update(&mut self, msg: Msg, now: UnixMillis) -> Vec<Effect> {
        self.present.now = now;
        match msg {
            Msg::Start => self.start(),
            Msg::Tick => {
                self.tick_at = None;
                self.toasts.expire(now);
            }
            Msg::Escape => self.escape(),
            Msg::ShowPage(page) => self.show_page(page),

            Msg::NewChat => self.new_chat(),
            Msg::OpenChat(chat) => self.open_chat(chat),
            Msg::BeginRename(chat) => self.begin_rename(chat),
            Msg::RenameChanged(text) => {
                if let Some(rename) = &mut self.chats.rename {
                    rename.text = text;
                }
            }
            Msg::CommitRename => self.commit_rename(),
            Msg::DeleteChat(chat) => self.delete_chat(chat),

            Msg::DraftChanged(text) => self.drafts.set(self.open.chat, text),
            Msg::PickSuggestion(index) => self.pick_suggestion(index),
            Msg::Send => self.send(),
            Msg::Stop => self.stop(),
            Msg::Regenerate(message) => self.regenerate(message),
            Msg::RegenerateLast => self.regenerate_last(),
            Msg::CopyMessage(message) => self.copy_message(message),
            Msg::CopyLastAnswer => self.copy_last_answer(),

            Msg::FollowLink(address) => self.follow_link(address),
            Msg::OpenAskedLink => self.open_asked_link(),
            Msg::CopyAskedLink => self.copy_asked_link(),
            Msg::CloseAskedLink => self.close_asked_link(),
            Msg::LinkNotOpened(reason) => self.toasts.trouble(LINK_NOT_OPENED, reason, None, now),

            Msg::TogglePicker => self.toggle_picker(),
            Msg::ClosePicker => self.models.picker_open = false,
            Msg::LookForModels => self.ask(BackendEffect::ListFiles),
            Msg::Load(file) => self.load(&file),
            Msg::CancelLoad => self.cancel_load(),
            Msg::Eject(model) => self.eject(model),
            Msg::EjectCurrent => self.eject_current(),

            Msg::SetTheme(theme) => {
                if let Some(settings) = self.settings.change(|settings| settings.theme = theme) {
                    self.ask(BackendEffect::WriteSettings(Box::new(settings)));
                    self.want(WindowEffect::ShowTheme(theme));
                }
            }

            Msg::TakeToastAction(toast) => self.take_toast_action(toast),
            Msg::CloseToast(toast) => {
                self.toasts.take(toast);
            }
            Msg::HoldToasts(held) => self.toasts.hold(held, now),

            Msg::Backend(news) => self.take_news(news),
        }
        self.refresh_list();
        self.ask_for_tick();
        std::mem::take(&mut self.effects)
    }

    fn take_news(&mut self, news: News) {
        match news {
            News::SettingsRead(result) => self.take_settings(result, "The settings could not be read"),
            News::SettingsWritten(result) => self.take_settings(result, "The settings were not stored"),
            News::StorageChecked(result) => {
                if let Err(error) = result {
                    self.health.note_storage(error);
                }
            }
            News::Chats(Ok(summaries)) => self.take_list(summaries),
            News::Chats(Err(error)) => self.complain("Your chats could not be read", &error),
            News::Opened { chat, result } => self.take_opened(chat, result),
            News::Renamed(result) => self.take_renamed(result),
            News::Deleted { chat, result } => self.take_deleted(chat, result),
            News::Undone {
                token,
                reopen,
                result,
            } => self.take_undone(token, reopen, result),
            News::Files(Ok(files)) => self.models.files = Some(files),
            News::Files(Err(error)) => self.complain("Your models could not be listed", &error),
            News::Engine(event) => self.take_engine_event(event),
            News::Turn { run, event } => self.take_turn_event(run, event),
            News::Load { run, event } => self.take_load_event(run, event),
            News::Ejected { model, result } => self.take_ejected(model, result),
            News::Refused(error) => self.complain("That did not work", &error),
        }
    }

    fn start(&mut self) {
        // First, so that what else fails for the same reason is not told again.
        self.ask(BackendEffect::CheckStorage);
        self.ask(BackendEffect::WatchSettings);
        self.ask(BackendEffect::ListChats);
        self.ask(BackendEffect::ListFiles);
        self.ask(BackendEffect::WatchEngine);
        self.focus_composer();
    }

    fn escape(&mut self) {
        if self.asked_link.is_some() {
            self.close_asked_link();
        } else if self.models.picker_open {
            self.models.picker_open = false;
        } else if self.chats.rename.is_some() {
            self.chats.rename = None;
        } else if self.page == Page::Chat {
            self.stop();
        }
    }

    fn show_page(&mut self, page: Page) {
        self.models.picker_open = false;
        self.commit_rename();
        self.page = page;
        self.focus_composer();
    }

    /// Gives the composer the keyboard where it is in sight.
    fn focus_composer(&mut self) {
        if self.page == Page::Chat {
            self.want(WindowEffect::FocusComposer);
        }
    }

    fn take_settings(&mut self, result: Result<Settings>, complaint: &str) {
        let before = self.settings.shown().theme;
        if let Err(error) = self.settings.take(result) {
            self.complain(complaint, &error);
        }
        let theme = self.settings.shown().theme;
        if theme != before {
            self.want(WindowEffect::ShowTheme(theme));
        }
    }

    fn take_toast_action(&mut self, toast: ToastId) {
        match self.toasts.take(toast).and_then(|toast| toast.action) {
            Some(ToastAction::Undo { token, reopen }) => self.ask(BackendEffect::Undo { token, reopen }),
            None => (),
        }
    }

    /// Asks for a tick when the next toast leaves, once for each such moment.
    fn ask_for_tick(&mut self) {
        let next = self.toasts.next_leaves_at();
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
            self.toasts.failed(title, error, action, self.present.now);
        }
    }

    fn ask(&mut self, effect: BackendEffect) {
        self.effects.push(effect.into());
    }

    fn want(&mut self, effect: WindowEffect) {
        self.effects.push(effect.into());
    }

    fn new_run(&mut self) -> Run {
        self.next_run += 1;
        Run(self.next_run)
    }
}

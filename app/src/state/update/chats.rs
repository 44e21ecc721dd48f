//! New chats, the list, opening, deleting and undoing.

use hearth_protocol::chat::list::ChatsEvent;
use hearth_protocol::chat::{Chat, ChatSummary, Deleted, ScrollPlace};
use hearth_protocol::{ChatId, Result, UndoToken};

use crate::effect::{BackendEffect, WindowEffect};
use crate::state::chats::ListView;
use crate::state::conversation::{Contents, Conversation, ConversationKey};
use crate::state::toast::ToastAction;
use crate::state::{AppState, Page};
use crate::text::say;

impl AppState {
    pub(super) fn new_chat(&mut self) {
        if self.open.chat.is_some() || !self.open.is_empty() {
            self.show_new_chat();
        }
        self.show_page(Page::Chat);
    }

    pub(super) fn open_chat(&mut self, chat: ChatId) {
        self.show_page(Page::Chat);
        if self.open.chat == Some(chat) {
            if let Contents::Failed(_) = self.open.contents {
                self.open.contents = Contents::Reading;
                self.ask(BackendEffect::OpenChat(chat));
            }
            return;
        }
        let running = self.background.iter().position(|it| it.chat == Some(chat));
        let conversation = match running {
            Some(index) => self.background.remove(index),
            None => {
                self.ask(BackendEffect::OpenChat(chat));
                Conversation::reading(self.new_key(), chat)
            }
        };
        self.show(conversation);
        self.show_place();
    }

    /// Takes the messages of the chat that is shown, or as they are now where someone else changed them.
    pub(super) fn take_opened(&mut self, chat: ChatId, result: Result<Chat>) {
        if self.open.chat != Some(chat) {
            return;
        }
        let waits = self.open.contents == Contents::Reading;
        match result {
            Ok(opened) if waits || self.open.can_change() => {
                self.drafts.learn(Some(chat), opened.draft.clone());
                self.learn_settings(chat, &opened.options, waits);
                self.open.fill(opened);
                if waits {
                    self.show_place();
                }
                self.seek();
            }
            Err(error) if waits => {
                self.health.note(&error);
                self.open.contents = Contents::Failed(error);
            }
            // It is being changed here; what comes of that is told anyway.
            Ok(_) | Err(_) => (),
        }
    }

    /// Shows the place of the open chat where its view stood last, or its end.
    fn show_place(&mut self) {
        let stands = |place: &ScrollPlace| self.open.entry(place.message).is_some();
        self.want(match self.open.place.filter(stands) {
            Some(place) => WindowEffect::ShowPlace(place),
            None => WindowEffect::ShowNewest,
        });
    }

    /// Takes the list. A chat that began while it was being read is not in it, and stays. The open chat is read again
    /// where it may have been changed by someone else.
    pub(super) fn take_list(&mut self, event: ChatsEvent) {
        let (mut summaries, folders, changed) = match event {
            ChatsEvent::Chats {
                chats,
                folders,
                changed,
            } => (chats, folders, changed),
            ChatsEvent::Closed(error) => {
                return self.complain(&say!(self.texts(), "failed-read-chats"), &error);
            }
        };
        self.first_start
            .note_chats(summaries.is_empty() && folders.is_empty());
        self.begin_first_start();
        let is_listed = |chat: ChatId| summaries.iter().any(|summary| summary.id == chat);
        let begun = self
            .conversations()
            .filter(|it| it.is_running())
            .filter_map(|it| it.chat)
            .filter(|chat| !is_listed(*chat));
        let begun: Vec<_> = begun.filter_map(|chat| self.chats.get(chat).cloned()).collect();
        summaries.extend(begun);
        self.chats.set_all(summaries, folders);
        let may_have_changed = |chat: ChatId| changed.as_ref().is_none_or(|changed| changed.contains(&chat));
        if self.open.chat.is_some_and(may_have_changed) {
            self.read_open_anew();
        }
    }

    /// Takes the chat out of sight at once. The backend stops its answer.
    pub(super) fn delete_chat(&mut self, chat: ChatId) {
        let was_open = self.open.chat == Some(chat);
        if !self.chats.begin_delete(chat, was_open) {
            return;
        }
        self.background
            .retain(|conversation| conversation.chat != Some(chat));
        if was_open {
            self.open = Conversation::new(self.new_key());
            self.focus_composer();
        }
        self.ask(BackendEffect::DeleteChat(chat));
    }

    pub(super) fn take_deleted(&mut self, chat: ChatId, result: Result<Deleted>) {
        let Some(deleting) = self.chats.end_delete(chat) else {
            return;
        };
        match result {
            Ok(Deleted { undo }) => {
                let undo = ToastAction::Undo {
                    token: undo,
                    reopen: deleting.was_open,
                };
                let title = deleting.summary.title;
                let deleted = say!(self.texts(), "deleted-chat");
                self.toasts.deleted(&deleted, title, undo, self.present.now);
            }
            Err(error) => {
                self.complain(&say!(self.texts(), "failed-delete-chat"), &error);
                self.bring_back(deleting.summary, deleting.was_open);
            }
        }
    }

    pub(super) fn take_undone(&mut self, token: UndoToken, reopen: bool, result: Result<ChatSummary>) {
        match result {
            Ok(summary) => {
                let chat = summary.id;
                self.bring_back(summary, reopen);
                // Where messages came back the chat is still shown.
                if self.open.chat == Some(chat) {
                    self.read_open_anew();
                }
            }
            Err(error) => {
                let again = ToastAction::Undo { token, reopen };
                let title = say!(self.texts(), "failed-undo");
                self.complain_with(&title, &error, Some(again));
            }
        }
    }

    /// Lists a chat again, and shows it unless the person has gone on elsewhere.
    fn bring_back(&mut self, summary: ChatSummary, reopen: bool) {
        let chat = summary.id;
        self.chats.put(summary);
        let is_still_here = self.page() == Page::Chat && self.open.chat.is_none() && self.open.is_empty();
        if reopen && is_still_here {
            self.open_chat(chat);
        }
    }

    /// Keeps the rows of the list up to date; costs nothing where nothing changed.
    pub(super) fn refresh_list(&mut self) {
        let running = self
            .conversations()
            .filter(|conversation| conversation.is_running());
        let view = ListView {
            language: self.texts().language(),
            today: self.present.today(),
            open: self.open.chat,
            running: running.filter_map(|conversation| conversation.chat).collect(),
        };
        self.chats.refresh(&self.present, view);
    }

    fn show_new_chat(&mut self) {
        let conversation = Conversation::new(self.new_key());
        self.show(conversation);
    }

    /// Shows a conversation. The one before goes on in the background if its answer is being written.
    fn show(&mut self, conversation: Conversation) {
        self.keep_all();
        self.set_aside_settings();
        let before = std::mem::replace(&mut self.open, conversation);
        self.take_back_settings();
        if before.is_running() {
            self.background.push(before);
        }
    }

    fn new_key(&mut self) -> ConversationKey {
        let key = ConversationKey(self.next_conversation);
        self.next_conversation += 1;
        key
    }
}

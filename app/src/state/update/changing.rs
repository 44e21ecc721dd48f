//! Changing the messages of the open chat: other texts, other versions, more of an answer, copies, deletes.

use hearth_protocol::chat::{Chat, Deleted, Role, ScrollPlace};
use hearth_protocol::{ChatId, MessageId, Result};

use crate::effect::{BackendEffect, ChatChange, WindowEffect};
use crate::state::AppState;
use crate::state::conversation::{ConversationKey, Editing};
use crate::state::overlay::Overlay;
use crate::state::overlay::text_view::TextView;
use crate::state::plain::plain;
use crate::state::queue::QueuedId;
use crate::state::toast::ToastAction;
use crate::text::{key, say};

/// Most characters of a message in a toast.
const BEGINNING: usize = 60;

impl AppState {
    pub(super) fn copy_plain(&mut self, message: MessageId) {
        if let Some(entry) = self.open.entry(message) {
            let text = plain(entry.body.text());
            self.want(WindowEffect::Copy(text));
        }
    }

    /// Shows a message as text that can be selected.
    pub(super) fn select_text(&mut self, message: MessageId) {
        if let Some(entry) = self.open.entry(message) {
            self.overlay = Some(Overlay::TextView(TextView {
                title: match entry.from_person {
                    true => say!(self.texts(), "text-view-message"),
                    false => say!(self.texts(), "text-view-answer"),
                },
                text: entry.body.text().to_owned(),
            }));
            self.want(WindowEffect::FocusOverlay);
        }
    }

    /// Puts the draft at the end of the chat, as said by the person or by the model. Nothing is answered.
    pub(super) fn insert(&mut self, role: Role) {
        if !self.can_insert() {
            return;
        }
        let chat = self.open.chat;
        let message = self.take_away_draft(chat).trimmed();
        self.change(ChatChange::Insert { chat, role, message });
        self.focus_composer();
        self.want(WindowEffect::ShowNewest);
    }

    pub(super) fn begin_edit(&mut self, message: MessageId) {
        if !self.open.can_change() {
            return;
        }
        if let Some(entry) = self.open.entry(message) {
            let text = entry.body.text().to_owned();
            self.open.editing = Some(Editing { message, text });
            self.want(WindowEffect::FocusEdit);
        }
    }

    pub(super) fn edit_last(&mut self) {
        let mut entries = self.open.entries.iter().rev();
        let last = entries.find(|entry| entry.from_person);
        if let Some(message) = last.and_then(|entry| entry.id) {
            self.begin_edit(message);
        }
    }

    pub(super) fn give_up_edit(&mut self) {
        self.open.editing = None;
        self.focus_composer();
    }

    /// Takes the text that was typed. One that is blank or the same is no change, but may be answered.
    pub(super) fn commit_edit(&mut self, answer: bool) {
        let Some(Editing { message, text }) = self.open.editing.take() else {
            return;
        };
        self.focus_composer();
        let before = self.open.entry(message).map(|entry| entry.body.text());
        let is_same = text.trim().is_empty() || before == Some(text.as_str());
        if is_same && answer {
            self.regenerate(message);
        } else if !is_same {
            self.change(ChatChange::Edit {
                message,
                text,
                answer,
            });
        }
    }

    pub(super) fn go_on(&mut self, message: MessageId) {
        let index = self.open.index_of(message);
        if !index.is_some_and(|index| self.open.can_go_on(index)) {
            return;
        }
        let run = self.new_run();
        self.open.begin_more(run);
        let options = self.turn_options(self.open.settings.options.clone());
        self.ask(BackendEffect::Continue {
            run,
            message,
            options,
        });
        self.want(WindowEffect::ShowNewest);
    }

    pub(super) fn show_version(&mut self, message: MessageId, version: u32) {
        let count = self.open.entry(message).map_or(0, |entry| entry.version.1);
        if self.open.can_change() && version < count {
            self.change(ChatChange::Version {
                message,
                version: Some(version),
            });
        }
    }

    /// Shows the next version of the last message that has several, or the one before.
    pub(super) fn step_version(&mut self, back: bool) {
        let mut entries = self.open.entries.iter().rev();
        let Some(entry) = entries.find(|entry| entry.version.1 > 1) else {
            return;
        };
        let (at, _) = entry.version;
        let next = if back { at.checked_sub(1) } else { Some(at + 1) };
        if let (Some(message), Some(next)) = (entry.id, next) {
            self.show_version(message, next);
        }
    }

    fn change(&mut self, change: ChatChange) {
        self.open.changing = true;
        let conversation = self.open.key;
        self.ask(BackendEffect::Change { conversation, change });
    }

    pub(super) fn take_changed(&mut self, key: ConversationKey, change: ChatChange, result: Result<Chat>) {
        let is_open = self.open.key == key;
        if is_open {
            self.open.changing = false;
        }
        match result {
            Ok(chat) => {
                self.chats.put(chat.summary.clone());
                if !is_open || self.open.is_running() {
                    return;
                }
                let was_new = self.open.chat.replace(chat.summary.id).is_none();
                self.open.fill(chat);
                if was_new {
                    self.note_first_settings();
                }
                match change {
                    ChatChange::Edit { answer: true, .. } => {
                        if let Some(last) = self.open.entries.last().and_then(|entry| entry.id) {
                            self.regenerate(last);
                        }
                    }
                    // Asked for once: where it is not among what is shown now, it is nowhere.
                    ChatChange::Version {
                        message,
                        version: None,
                    } if self.open.entry(message).is_none() => self.open.seek = None,
                    _ => self.seek(),
                }
            }
            Err(error) => {
                let title = match change {
                    ChatChange::Insert { chat, message, .. } => {
                        self.put_back(chat, [message]);
                        key!("failed-insert")
                    }
                    ChatChange::Edit { message, text, .. } => {
                        // What was typed is not lost.
                        if is_open && self.open.editing.is_none() && self.open.entry(message).is_some() {
                            self.open.editing = Some(Editing { message, text });
                        }
                        key!("failed-edit")
                    }
                    ChatChange::Version { .. } => {
                        self.open.seek = None;
                        key!("failed-version")
                    }
                };
                let title = self.texts().say(title, &[]);
                self.complain(&title, &error);
            }
        }
    }

    /// Takes a message and what follows it out of sight at once.
    pub(super) fn delete_message(&mut self, message: MessageId) {
        let (Some(chat), Some(index)) = (self.open.chat, self.open.index_of(message)) else {
            return;
        };
        if !self.open.can_change() {
            return;
        }
        self.open.editing = None;
        let removed = self.open.entries.split_off(index);
        let beginning = removed.first().map_or(String::new(), |entry| {
            let name = entry.files.first().map_or("", |file| &file.name);
            let text = plain(entry.body.text());
            let begins = if text.trim().is_empty() { name } else { &text };
            begins.chars().take(BEGINNING).collect()
        });
        self.open.changing = true;
        self.ask(BackendEffect::DeleteMessage {
            message,
            chat,
            beginning,
        });
    }

    pub(super) fn take_deleted_message(&mut self, chat: ChatId, beginning: String, result: Result<Deleted>) {
        match result {
            Ok(Deleted { undo }) => {
                let undo = ToastAction::Undo {
                    token: undo,
                    reopen: false,
                };
                let title = say!(self.texts(), "deleted-message");
                self.toasts.deleted(&title, beginning, undo, self.present.now);
            }
            Err(error) => self.complain(&say!(self.texts(), "failed-delete-message"), &error),
        }
        // Another version may stand in its place, or the message again.
        if self.open.chat == Some(chat) {
            self.open.changing = false;
            self.read_open_anew();
        }
    }

    /// Reads the open chat again, where someone else may have changed it.
    pub(super) fn read_open_anew(&mut self) {
        if let Some(chat) = self.open.chat.filter(|_| self.open.can_change()) {
            self.ask(BackendEffect::OpenChat(chat));
        }
    }

    /// Shows the message that was looked for; it may be in a version that is not shown.
    pub(super) fn seek(&mut self) {
        let Some(message) = self.open.seek else { return };
        if self.open.entry(message).is_some() {
            self.open.seek = None;
            self.want(WindowEffect::ShowPlace(ScrollPlace { message, offset: 0.0 }));
        } else if self.open.can_change() {
            self.change(ChatChange::Version {
                message,
                version: None,
            });
        }
    }

    /// Takes a message that waits back into the composer.
    pub(super) fn edit_queued(&mut self, id: QueuedId) {
        if let Some(queued) = self.open.take_queued(id) {
            self.put_back(self.open.chat, [queued.message]);
            self.focus_composer();
        }
    }

    pub(super) fn remove_queued(&mut self, id: QueuedId) {
        if self.open.take_queued(id).is_some() {
            self.keeping.note_draft(self.open.chat, self.present.now);
        }
    }
}

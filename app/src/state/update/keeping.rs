//! Keeping drafts and places.

use hearth_protocol::chat::ScrollPlace;
use hearth_protocol::{ChatId, Result};

use crate::effect::{BackendEffect, WindowEffect};
use crate::state::AppState;
use crate::state::composer::draft::Unsent;
use crate::state::conversation::ConversationKey;
use crate::state::queue;
use crate::text::say;

impl AppState {
    pub(super) fn change_draft(&mut self, text: String) {
        self.set_draft(self.open.chat, text);
    }

    /// Changes the text of a draft, which is then kept.
    pub(super) fn set_draft(&mut self, chat: Option<ChatId>, text: String) {
        self.drafts.set_text(chat, text);
        self.keeping.note_draft(chat, self.present.now);
    }

    /// Puts a message in the place of a draft, which is then kept.
    pub(super) fn put_draft(&mut self, chat: Option<ChatId>, message: Unsent) {
        self.drafts.put(chat, message);
        self.keeping.note_draft(chat, self.present.now);
    }

    /// Takes a draft away, which is then kept.
    pub(super) fn take_away_draft(&mut self, chat: Option<ChatId>) -> Unsent {
        self.keeping.note_draft(chat, self.present.now);
        self.drafts.take(chat)
    }

    /// Takes what was typed in a new chat before Hearth was closed, unless something was typed since.
    pub(super) fn take_draft(&mut self, result: Result<String>) {
        match result {
            Ok(text) => self.drafts.learn(None, text),
            Err(error) => self.complain(&say!(self.texts(), "failed-read-draft"), &error),
        }
    }

    pub(super) fn note_place(&mut self, conversation: ConversationKey, place: Option<ScrollPlace>) {
        if self.open.key != conversation || self.open.place == place {
            return;
        }
        self.open.place = place;
        if let Some(chat) = self.open.chat {
            self.keeping.note_place(chat, self.present.now);
        }
    }

    pub(super) fn keep_what_is_due(&mut self) {
        if self.keeping.due().is_some_and(|due| due <= self.present.now) {
            if self.keeping.take_window() {
                self.want(WindowEffect::ReadPlace);
            }
            self.keep_all();
        }
    }

    /// Keeps everything that has changed, and what is typed, since Hearth ends.
    pub(super) fn keep_to_the_end(&mut self) {
        self.commit_typed_texts();
        self.keep_all();
    }

    /// Keeps everything that has changed. The texts of messages that wait are kept with the draft: they are not lost
    /// where Hearth ends before they were sent. Files beside either are not kept.
    pub(super) fn keep_all(&mut self) {
        let changed = self.keeping.take();
        let mut effects = Vec::new();
        for chat in changed.drafts {
            let queue = self.conversations().find(|it| it.chat == chat);
            let queue = queue.map_or(&[][..], |conversation| &conversation.queue);
            let text = queue::joined(queue, self.drafts.text(chat));
            effects.push(BackendEffect::WriteDraft { chat, text });
        }
        for chat in changed.places {
            if let Some(conversation) = self.conversations().find(|it| it.chat == Some(chat)) {
                let place = conversation.place;
                effects.push(BackendEffect::WritePlace { chat, place });
            }
        }
        effects.into_iter().for_each(|effect| self.ask(effect));
        for chat in changed.settings {
            self.keep_settings(chat);
        }
        self.keep_unfinished();
    }
}

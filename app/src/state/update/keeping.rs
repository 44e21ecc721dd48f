//! Keeping drafts and places.

use hearth_protocol::chat::ScrollPlace;
use hearth_protocol::{ChatId, Result};

use crate::effect::{BackendEffect, WindowEffect};
use crate::state::AppState;
use crate::state::conversation::ConversationKey;
use crate::state::queue::{self, Queued};
use crate::text::say;

impl AppState {
    pub(super) fn change_draft(&mut self, text: String) {
        self.set_draft(self.open.chat, text);
    }

    /// Changes a draft, which is then kept.
    pub(super) fn set_draft(&mut self, chat: Option<ChatId>, text: String) {
        self.drafts.set(chat, text);
        self.keeping.note_draft(chat, self.present.now);
    }

    /// Takes a draft away, which is then kept.
    pub(super) fn take_away_draft(&mut self, chat: Option<ChatId>) -> String {
        self.keeping.note_draft(chat, self.present.now);
        self.drafts.take(chat)
    }

    /// Puts messages that were not sent back into the composer, before what was typed since.
    pub(super) fn put_back(&mut self, chat: Option<ChatId>, queue: &[Queued]) {
        let text = queue::joined(queue, self.drafts.get(chat));
        self.set_draft(chat, text);
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

    /// Keeps everything that has changed. Messages that wait are kept with the draft: they are not lost where Hearth
    /// ends before they were sent.
    pub(super) fn keep_all(&mut self) {
        let changed = self.keeping.take();
        let mut effects = Vec::new();
        for chat in changed.drafts {
            let queue = self.conversations().find(|it| it.chat == chat);
            let queue = queue.map_or(&[][..], |conversation| &conversation.queue);
            let text = queue::joined(queue, self.drafts.get(chat));
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

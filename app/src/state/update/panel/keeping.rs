//! How the settings of chats get to the backend and back, and where they are meanwhile.

use hearth_protocol::chat::TurnOptions;
use hearth_protocol::settings::chat_panel::Unfinished;
use hearth_protocol::{ChatId, Result};

use crate::effect::panel::PanelEffect;
use crate::state::AppState;
use crate::state::panel::settings::{ChatSettings, Typed};
use crate::text::say;

/// Most texts that are kept for the next start though they cannot count, and the longest of them in bytes: they stand in
/// the settings, which are written as a whole.
const MOST_UNFINISHED: usize = 16;
const LONGEST_UNFINISHED: usize = 64 << 10;

impl AppState {
    /// Notes that the settings of the open chat have changed. Those of one that is not begun go with its first message.
    pub(in crate::state::update) fn note_settings(&mut self) {
        if let Some(chat) = self.open.chat {
            self.keeping.note_settings(chat, self.present.now);
        }
    }

    /// The same where a chat has just begun: what was set while it had no number may not have gone with its message.
    pub(in crate::state::update) fn note_first_settings(&mut self) {
        if self.open.settings.options != TurnOptions::default() {
            self.note_settings();
        }
    }

    /// Keeps the settings of a chat that is in sight or being answered.
    pub(in crate::state::update) fn keep_settings(&mut self, chat: ChatId) {
        let Some(conversation) = self.conversations().find(|it| it.chat == Some(chat)) else {
            return;
        };
        let options = Box::new(conversation.settings.options.clone());
        *self.panel.on_their_way.entry(chat).or_default() += 1;
        self.ask_panel(PanelEffect::Keep { chat, options });
    }

    /// Whether what the backend has of a chat's settings is older than what is here.
    pub(in crate::state::update) fn settings_are_ahead(&self, chat: ChatId) -> bool {
        self.keeping.holds_settings(chat) || self.panel.on_their_way.contains_key(&chat)
    }

    /// Takes the settings of the open chat as they were read, unless newer ones are here.
    pub(in crate::state::update) fn learn_settings(
        &mut self,
        chat: ChatId,
        options: &TurnOptions,
        first: bool,
    ) {
        if first {
            let here = self.panel.unfinished.remove(&chat);
            let typed = here.unwrap_or_else(|| self.typed_before(chat));
            self.open.settings = ChatSettings::read(options.clone(), typed);
        } else if !self.settings_are_ahead(chat) && self.open.settings.options != *options {
            self.open.settings.options = options.clone();
            let now = self.effective();
            self.open.settings.typed.keep_only_what_is_wrong(&now);
        }
    }

    /// Keeps what was typed in the open chat and cannot count, before another chat is shown; of a new chat all that was
    /// set.
    pub(in crate::state::update) fn set_aside_settings(&mut self) {
        self.panel.presets.naming = None;
        let now = self.effective();
        match self.open.chat {
            Some(chat) => {
                if let Some(typed) = self.open.settings.take_unfinished(&now) {
                    self.panel.unfinished.insert(chat, typed);
                }
            }
            None if self.open.is_empty() => {
                self.panel.of_new_chat = std::mem::take(&mut self.open.settings);
            }
            None => (),
        }
    }

    /// Brings back what was set aside, where the chat is here already.
    pub(in crate::state::update) fn take_back_settings(&mut self) {
        match self.open.chat {
            None if self.open.is_empty() => {
                self.open.settings = std::mem::take(&mut self.panel.of_new_chat);
            }
            Some(chat) if self.can_set() => {
                if let Some(typed) = self.panel.unfinished.remove(&chat) {
                    self.open.settings.typed = typed;
                }
            }
            _ => (),
        }
    }

    /// Keeps what is typed as JSON in the open chat and is none yet, for the next start.
    pub(in crate::state::update) fn keep_unfinished(&mut self) {
        let Some(chat) = self.open.chat.filter(|_| self.can_set()) else {
            return;
        };
        let now = self.effective();
        let typed = self.open.settings.typed.unfinished(&now).into_iter();
        let typed: Vec<Unfinished> = typed
            .filter(|(_, text)| text.len() <= LONGEST_UNFINISHED)
            .map(|(field, text)| Unfinished {
                chat,
                field,
                text: text.to_owned(),
            })
            .collect();
        let kept = &self.settings.shown().chat_panel.unfinished;
        if kept.iter().filter(|kept| kept.chat == chat).eq(&typed) {
            return;
        }
        self.change_panel(|panel| {
            panel.unfinished.retain(|kept| kept.chat != chat);
            panel.unfinished.extend(typed);
            let too_many = panel.unfinished.len().saturating_sub(MOST_UNFINISHED);
            panel.unfinished.drain(..too_many);
        });
    }

    /// What was typed in a chat before the last start and could not count.
    fn typed_before(&self, chat: ChatId) -> Typed {
        let mut typed = Typed::default();
        for kept in &self.settings.shown().chat_panel.unfinished {
            if kept.chat == chat {
                typed.put_back(kept.field, kept.text.clone());
            }
        }
        typed
    }

    pub(super) fn take_kept(&mut self, chat: ChatId, result: Result<()>) {
        if let Some(count) = self.panel.on_their_way.get_mut(&chat) {
            *count -= 1;
            if *count == 0 {
                self.panel.on_their_way.remove(&chat);
            }
        }
        if let Err(error) = result {
            self.complain(&say!(self.texts(), "failed-keep-settings"), &error);
        }
    }
}

//! Sending, stopping, answering again, copying, and what the runs of answers tell.

use hearth_protocol::chat::{ChatEvent, TurnOptions, TurnRequest};
use hearth_protocol::engine::ModelRef;
use hearth_protocol::{ChatId, Error, MessageId};

use crate::effect::{BackendEffect, Run, WindowEffect};
use crate::state::AppState;
use crate::state::composer::SUGGESTIONS;
use crate::state::conversation::{Conversation, Entry};
use crate::state::turn::Outcome;

impl AppState {
    pub(super) fn pick_suggestion(&mut self, index: usize) {
        if let Some(suggestion) = SUGGESTIONS.get(index) {
            self.drafts.set(self.open.chat, suggestion.draft.into());
            self.focus_composer();
        }
    }

    pub(super) fn send(&mut self) {
        if !self.can_send() {
            return;
        }
        let run = self.new_run();
        let draft = self.drafts.take(self.open.chat);
        let text = draft.trim_end().trim_start_matches(['\n', '\r']).to_owned();
        let turn = TurnRequest {
            chat: self.open.chat,
            text: text.clone(),
            options: self.turn_options(),
            ..TurnRequest::default()
        };
        self.open.begin_message(run, text);
        self.ask(BackendEffect::Send { run, turn });
        self.focus_composer();
        self.want(WindowEffect::ShowNewest);
    }

    pub(super) fn stop(&mut self) {
        if let Some(turn) = self.open.turn.as_mut().filter(|turn| !turn.stopping) {
            turn.stopping = true;
            let run = turn.run;
            self.ask(BackendEffect::Stop(run));
        }
    }

    pub(super) fn regenerate(&mut self, message: MessageId) {
        let is_it = |entry: &Entry| entry.id == Some(message);
        let index = self.open.entries.iter().position(is_it);
        if let Some(index) = index.filter(|index| self.open.can_answer_again(*index)) {
            let run = self.new_run();
            self.open.begin_again(run, index);
            let options = self.turn_options();
            self.ask(BackendEffect::Regenerate {
                run,
                message,
                options,
            });
            self.want(WindowEffect::ShowNewest);
        }
    }

    pub(super) fn regenerate_last(&mut self) {
        if let Some(message) = self.open.last_answer().and_then(|answer| answer.id) {
            self.regenerate(message);
        }
    }

    pub(super) fn copy_message(&mut self, message: MessageId) {
        if let Some(entry) = self.open.entry(message) {
            let text = entry.body.text().to_owned();
            self.want(WindowEffect::Copy(text));
        }
    }

    pub(super) fn copy_last_answer(&mut self) {
        if let Some(answer) = self.open.last_answer() {
            let text = answer.body.text().to_owned();
            self.want(WindowEffect::Copy(text));
        }
    }

    pub(super) fn take_turn_event(&mut self, run: Run, event: ChatEvent) {
        let is_it = |it: &Conversation| it.turn.as_ref().is_some_and(|turn| turn.run == run);
        if is_it(&self.open) {
            let was_new = self.open.chat.is_none();
            let outcome = self.open.take_event(event, self.present.now);
            if was_new && self.open.chat.is_some() {
                // What was typed while the chat had no number belongs to it.
                let draft = self.drafts.take(None);
                self.drafts.set(self.open.chat, draft);
            }
            let chat = self.open.chat;
            self.take_outcome(chat, outcome, true);
        } else if let Some(index) = self.background.iter().position(is_it) {
            let outcome = self.background[index].take_event(event, self.present.now);
            let chat = self.background[index].chat;
            if !self.background[index].is_running() {
                self.background.remove(index);
            }
            self.take_outcome(chat, outcome, false);
        }
    }

    fn take_outcome(&mut self, chat: Option<ChatId>, outcome: Outcome, is_shown: bool) {
        match outcome {
            Outcome::Shown | Outcome::Ended => (),
            Outcome::Listed(summary) => self.chats.put(summary),
            Outcome::Broke(error) if is_shown => {
                self.health.note(&error);
            }
            Outcome::Broke(error) => {
                let title = chat
                    .and_then(|chat| self.chats.get(chat))
                    .map_or("", |it| &it.title);
                let what = match &error {
                    Error::Storage { .. } => "is not stored yet",
                    _ => "stopped",
                };
                let title = format!("The answer in “{title}” {what}");
                self.complain(&title, &error);
            }
            Outcome::Refused { error, message } => {
                let title = if message.is_some() {
                    "The message was not sent"
                } else {
                    "The answer was not made anew"
                };
                if let Some(message) = message {
                    self.drafts.put_back(chat, message);
                }
                self.complain(title, &error);
            }
        }
    }

    /// The next answer comes from the model that is being loaded, if one is; else the backend chooses.
    fn turn_options(&self) -> TurnOptions {
        let load = self.models.load.as_ref().filter(|load| !load.cancelling);
        TurnOptions {
            model: load.map(|load| ModelRef::File(load.file.clone())),
            ..TurnOptions::default()
        }
    }
}

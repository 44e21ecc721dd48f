//! Sending, also what waits, stopping, answering again, copying, and what the runs of answers tell.

use hearth_protocol::chat::{ChatEvent, TurnOptions, TurnRequest};
use hearth_protocol::engine::ModelRef;
use hearth_protocol::{ChatId, Error, MessageId};

use crate::effect::{BackendEffect, Run, WindowEffect};
use crate::state::AppState;
use crate::state::composer::SUGGESTIONS;
use crate::state::composer::draft::Unsent;
use crate::state::conversation::Conversation;
use crate::state::queue::{Queued, QueuedId};
use crate::state::turn::Outcome;
use crate::text::{key, say};

impl AppState {
    pub(super) fn pick_suggestion(&mut self, index: usize) {
        if let Some(suggestion) = SUGGESTIONS.get(index) {
            let draft = self.texts().say(suggestion.draft, &[]) + "\n\n";
            self.set_draft(self.open.chat, draft);
            self.focus_composer();
        }
    }

    /// Sends the draft of the open chat. While an answer is being written there, it waits for its end.
    pub(super) fn send(&mut self) {
        if self.can_queue() {
            let message = self.take_away_draft(self.open.chat).trimmed();
            let id = QueuedId(self.next_queued);
            self.next_queued += 1;
            self.open.queue.push(Queued { id, message });
        } else if self.can_send() {
            let message = self.take_away_draft(self.open.chat).trimmed();
            let settings = self.open.settings.options.clone();
            let turn = self.turn_of(self.open.chat, settings, &message);
            let run = self.new_run();
            self.open.editing = None;
            self.open.begin_message(run, message);
            self.ask(BackendEffect::Send { run, turn });
            self.focus_composer();
            self.want(WindowEffect::ShowNewest);
        }
    }

    /// A message with the settings of its chat. Those that the backend does not have yet are kept together with it.
    fn turn_of(&mut self, chat: Option<ChatId>, settings: TurnOptions, message: &Unsent) -> TurnRequest {
        let is_ahead = match chat {
            Some(chat) => self.settings_are_ahead(chat),
            None => settings != TurnOptions::default(),
        };
        let options = self.turn_options(settings.clone());
        // A model that was chosen for what is asked here is none of the chat's own.
        let keep_options = is_ahead && options == settings;
        if let Some(chat) = chat.filter(|_| keep_options) {
            self.keeping.let_go_settings(chat);
        }
        TurnRequest {
            chat,
            text: message.text.clone(),
            attachments: message.files.clone(),
            options,
            keep_options,
            ..TurnRequest::default()
        }
    }

    pub(super) fn stop(&mut self) {
        if let Some(turn) = self.open.turn.as_mut().filter(|turn| !turn.stopping) {
            turn.stopping = true;
            let run = turn.run;
            self.ask(BackendEffect::Stop(run));
        }
    }

    pub(super) fn regenerate(&mut self, message: MessageId) {
        let index = self.open.index_of(message);
        if let Some(index) = index.filter(|index| self.open.can_answer_again(*index)) {
            let run = self.new_run();
            self.open.editing = None;
            self.open.begin_again(run, index);
            let options = self.turn_options(self.open.settings.options.clone());
            self.ask(BackendEffect::Regenerate {
                run,
                message,
                options,
            });
            self.want(WindowEffect::ShowNewest);
        }
    }

    /// Makes the last answer anew, or answers the last message where it has no answer.
    pub(super) fn regenerate_last(&mut self) {
        if let Some(message) = self.open.entries.last().and_then(|last| last.id) {
            self.regenerate(message);
        }
    }

    pub(super) fn copy_message(&mut self, message: MessageId) {
        if let Some(entry) = self.open.entry(message) {
            let text = entry.body.text().to_owned();
            self.want(WindowEffect::Copy(text));
        }
    }

    /// Opens or folds what stands beside the text of an answer.
    pub(super) fn fold_aside(&mut self, entry: usize, aside: usize) {
        let asides = self.open.entries.get_mut(entry).map(|entry| &mut entry.asides);
        if let Some(aside) = asides.and_then(|asides| asides.get_mut(aside)) {
            aside.open = !aside.open;
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
            let chat = self.open.chat;
            if was_new && chat.is_some() {
                // What was typed while the chat had no number belongs to it.
                let draft = self.take_away_draft(None);
                self.put_draft(chat, draft);
                self.note_first_settings();
            }
            let next = self.next_in_queue(chat, &outcome, |state| &mut state.open);
            self.take_outcome(chat, outcome, true);
            if next {
                self.want(WindowEffect::ShowNewest);
            }
        } else if let Some(index) = self.background.iter().position(is_it) {
            let outcome = self.background[index].take_event(event, self.present.now);
            let chat = self.background[index].chat;
            self.next_in_queue(chat, &outcome, |state| &mut state.background[index]);
            if !self.background[index].is_running() {
                self.background.remove(index);
            }
            self.take_outcome(chat, outcome, false);
        }
    }

    /// Sends the first message that waits where the answer before it has ended well. Otherwise all that wait go back to
    /// the composer. Whether one was sent.
    fn next_in_queue(
        &mut self,
        chat: Option<ChatId>,
        outcome: &Outcome,
        conversation: impl Fn(&mut Self) -> &mut Conversation,
    ) -> bool {
        let ended_well = match outcome {
            Outcome::Shown | Outcome::Listed(_) => return false,
            Outcome::Ended { well } => *well,
            Outcome::Broke(_) | Outcome::Refused { .. } => false,
        };
        let waiting = &mut conversation(self).queue;
        if waiting.is_empty() {
            return false;
        }
        if !ended_well {
            let queue = std::mem::take(waiting);
            self.put_back(chat, queue.into_iter().map(|queued| queued.message));
            return false;
        }
        let next = waiting.remove(0);
        let settings = conversation(self).settings.options.clone();
        let turn = self.turn_of(chat, settings, &next.message);
        let run = self.new_run();
        conversation(self).begin_message(run, next.message);
        self.keeping.note_draft(chat, self.present.now);
        self.ask(BackendEffect::Send { run, turn });
        true
    }

    fn take_outcome(&mut self, chat: Option<ChatId>, outcome: Outcome, is_shown: bool) {
        match outcome {
            Outcome::Shown | Outcome::Ended { .. } => (),
            Outcome::Listed(summary) => self.chats.put(summary),
            Outcome::Broke(error) if is_shown => {
                self.health.note(&error);
            }
            Outcome::Broke(error) => {
                let title = chat
                    .and_then(|chat| self.chats.get(chat))
                    .map_or("", |it| it.title.as_str());
                let title = match &error {
                    Error::Storage { .. } => say!(self.texts(), "failed-store-answer-in", chat = title),
                    _ => say!(self.texts(), "failed-answer-in", chat = title),
                };
                self.complain_with(&title, &error, None);
            }
            Outcome::Refused { error, message } => {
                let title = if message.is_some() {
                    key!("failed-send")
                } else {
                    key!("failed-regenerate")
                };
                if let Some(message) = message {
                    self.put_back(chat, [message]);
                }
                let title = self.texts().say(title, &[]);
                self.complain(&title, &error);
            }
        }
    }

    /// The settings of a chat for an answer, which comes from the model that is being loaded, if one is, else from the one
    /// that was chosen here.
    pub(super) fn turn_options(&self, settings: TurnOptions) -> TurnOptions {
        let load = self.models.load.as_ref().filter(|load| !load.cancelling);
        let file = load.map(|load| &load.file).or(self.models.chosen_in_memory());
        TurnOptions {
            model: file.cloned().map(ModelRef::File).or(settings.model),
            ..settings
        }
    }
}

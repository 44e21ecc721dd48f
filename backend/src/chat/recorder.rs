//! Keeps an answer on the disk while it is being written.

use std::time::Duration;

use hearth_protocol::chat::{ChatEvent, Message};
use hearth_protocol::completion::Piece;
use hearth_protocol::engine::LoadedModel;
use hearth_protocol::tools::ToolCall;
use hearth_protocol::{ChatId, Error, Result};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::unstored::{Answer, Unstored, and_kept, longer};

/// One answer that grows.
#[derive(Debug)]
pub(super) struct Recorder {
    answer: Answer,
    /// Takes the answer where its end cannot be stored.
    unstored: Unstored,
    /// When its words are to be stored; `None` while all are.
    due: Option<Instant>,
    /// A save that runs, apart from the answer so that a slow disk does not hold its words back.
    saving: Option<JoinHandle<Result<()>>>,
    /// How long to wait after a save that fails.
    retry_delay: Duration,
    /// Whether it was told that saves fail.
    told: bool,
}

impl Recorder {
    /// A recorder of an answer that is stored and empty.
    pub(super) fn new(unstored: Unstored, chat: ChatId, answer: Message) -> Self {
        Self {
            answer: Answer {
                chat,
                message: answer,
                model_file: None,
            },
            retry_delay: unstored.delay,
            unstored,
            due: None,
            saving: None,
            told: false,
        }
    }

    /// Notes who writes it.
    pub(super) fn written_by(&mut self, model: LoadedModel) {
        self.answer.message.model = Some(model.name);
        self.answer.model_file = Some(model.file);
        self.changed();
    }

    /// Adds what was written; gives what there is to tell of it. A tool call is told when it is whole.
    pub(super) fn add(&mut self, piece: Piece) -> Option<ChatEvent> {
        self.changed();
        match piece {
            Piece::Text(text) => {
                self.answer.message.text.push_str(&text);
                Some(ChatEvent::Delta(text))
            }
            Piece::Reasoning(text) => {
                self.answer
                    .message
                    .reasoning
                    .get_or_insert_default()
                    .push_str(&text);
                Some(ChatEvent::ReasoningDelta(text))
            }
            Piece::ToolCall { id, name, .. } => {
                self.answer.message.tool_calls.push(ToolCall {
                    id,
                    name,
                    arguments: String::new(),
                });
                None
            }
            Piece::ToolArguments { index, text } => {
                if let Some(call) = self.answer.message.tool_calls.get_mut(index as usize) {
                    call.arguments.push_str(&text);
                }
                None
            }
        }
    }

    /// The tools the answer asks for, whole now that it has ended.
    pub(super) fn tool_calls(&self) -> &[ToolCall] {
        &self.answer.message.tool_calls
    }

    fn changed(&mut self) {
        let delay = self.unstored.delay;
        self.due.get_or_insert_with(|| Instant::now() + delay);
    }

    /// Takes the next step of keeping it: begins a save when one is due, or sees one end. Never returns where there
    /// is nothing to do. Nothing is lost when it is dropped half way.
    ///
    /// Gives why the answer is not being stored, once; it goes on trying.
    pub(super) async fn keep(&mut self) -> Option<Error> {
        if self.saving.is_some() {
            let saved = self.await_save().await;
            self.plan_next(saved)
        } else if let Some(due) = self.due {
            tokio::time::sleep_until(due).await;
            self.due = None;
            let (store, answer) = (self.unstored.store.clone(), self.answer.clone());
            self.saving = Some(tokio::spawn(async move { answer.save(&store).await }));
            None
        } else {
            std::future::pending().await
        }
    }

    fn plan_next(&mut self, saved: Result<()>) -> Option<Error> {
        let Err(error) = saved else {
            self.retry_delay = self.unstored.delay;
            return None;
        };
        // Also where there are no new words: those that were not stored are still to be.
        self.due = Some(Instant::now() + self.retry_delay);
        self.retry_delay = longer(self.retry_delay);
        let is_news = !std::mem::replace(&mut self.told, true);
        is_news.then(|| and_kept(error))
    }

    async fn await_save(&mut self) -> Result<()> {
        let Some(saving) = &mut self.saving else {
            return Ok(());
        };
        let saved = saving.await;
        self.saving = None;
        let saved = saved.map_err(Error::internal).flatten();
        if let Err(error) = &saved {
            tracing::warn!(%error, "an answer was not stored; it is tried again");
        }
        saved
    }

    /// Gives the answer with its end, and whether it is stored. If it is not, it is kept and tried again, also after
    /// this.
    pub(super) async fn finish(mut self, end: impl FnOnce(&mut Message)) -> (Message, Result<()>) {
        // An earlier save must not come after the last one, and what it could not store is stored with that.
        drop(self.await_save().await);
        end(&mut self.answer.message);
        let message = self.answer.message.clone();
        (message, self.unstored.store(self.answer).await)
    }
}

//! Keeps an answer on the disk while it is being written.

use std::time::Duration;

use hearth_protocol::chat::{ChatEvent, Message};
use hearth_protocol::engine::LoadedModel;
use hearth_protocol::tools::ToolCall;
use hearth_protocol::{FileId, Result};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::engine::Piece;
use crate::store::Store;

/// One answer that grows.
#[derive(Debug)]
pub(super) struct Recorder {
    store: Store,
    answer: Message,
    model_file: Option<FileId>,
    /// How long words may be without being stored.
    delay: Duration,
    /// When they are to be stored; `None` while all are.
    due: Option<Instant>,
    /// A save that runs, apart from the answer so that a slow disk does not hold its words back.
    saving: Option<JoinHandle<Result<()>>>,
}

impl Recorder {
    /// A recorder of an answer that is stored and empty.
    pub(super) fn new(store: Store, answer: Message, delay: Duration) -> Self {
        Self {
            store,
            answer,
            model_file: None,
            delay,
            due: None,
            saving: None,
        }
    }

    /// Notes who writes it.
    pub(super) fn written_by(&mut self, model: LoadedModel) {
        self.answer.model = Some(model.name);
        self.model_file = Some(model.file);
        self.changed();
    }

    /// Adds what was written; gives what there is to tell of it. A tool call is told when it is whole.
    pub(super) fn add(&mut self, piece: Piece) -> Option<ChatEvent> {
        self.changed();
        match piece {
            Piece::Text(text) => {
                self.answer.text.push_str(&text);
                Some(ChatEvent::Delta(text))
            }
            Piece::Reasoning(text) => {
                self.answer.reasoning.get_or_insert_default().push_str(&text);
                Some(ChatEvent::ReasoningDelta(text))
            }
            Piece::ToolCall { id, name, .. } => {
                self.answer.tool_calls.push(ToolCall {
                    id,
                    name,
                    arguments: String::new(),
                });
                None
            }
            Piece::ToolArguments { index, text } => {
                if let Some(call) = self.answer.tool_calls.get_mut(index as usize) {
                    call.arguments.push_str(&text);
                }
                None
            }
        }
    }

    /// The tools the answer asks for, whole now that it has ended.
    pub(super) fn tool_calls(&self) -> &[ToolCall] {
        &self.answer.tool_calls
    }

    fn changed(&mut self) {
        let delay = self.delay;
        self.due.get_or_insert_with(|| Instant::now() + delay);
    }

    /// Takes the next step of keeping it: begins a save when one is due, or sees one end. Never returns where there
    /// is nothing to do. Nothing is lost when it is dropped half way.
    pub(super) async fn keep(&mut self) {
        if self.saving.is_some() {
            self.await_save().await;
        } else if let Some(due) = self.due {
            tokio::time::sleep_until(due).await;
            self.due = None;
            let (store, answer, file) = (self.store.clone(), self.answer.clone(), self.model_file.clone());
            self.saving = Some(tokio::spawn(async move {
                store.save_answer(&answer, file.as_ref()).await
            }));
        } else {
            std::future::pending().await
        }
    }

    async fn await_save(&mut self) {
        if let Some(saving) = &mut self.saving {
            let saved = saving.await;
            self.saving = None;
            match saved {
                Ok(Ok(())) => (),
                // The next save holds these words too, and the last one reports its failure.
                Ok(Err(error)) => tracing::warn!(%error, "an answer was not stored; it is tried again"),
                Err(error) => tracing::warn!(%error, "storing an answer broke off; it is tried again"),
            }
        }
    }

    /// Stores the answer with its end and gives it.
    ///
    /// # Errors
    /// Why it was not stored.
    pub(super) async fn finish(mut self, end: impl FnOnce(&mut Message)) -> Result<Message> {
        // An earlier save must not come after the last one.
        self.await_save().await;
        end(&mut self.answer);
        self.store
            .save_answer(&self.answer, self.model_file.as_ref())
            .await?;
        Ok(self.answer)
    }
}

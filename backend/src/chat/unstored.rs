//! Answers that have ended and are not stored yet: they are kept here and tried again for as long as the backend lives.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hearth_protocol::chat::{Chat, Message};
use hearth_protocol::{ChatId, Error, FileId, MessageId, Result};

use crate::store::Store;

/// The longest time between two tries.
const LONGEST_DELAY: Duration = Duration::from_secs(30);

/// An answer with what is stored of it.
#[derive(Debug, Clone)]
pub(super) struct Answer {
    pub(super) chat: ChatId,
    pub(super) message: Message,
    /// The file of the model that writes it.
    pub(super) model_file: Option<FileId>,
}

impl Answer {
    /// # Errors
    /// Why it is not stored.
    pub(super) async fn save(&self, store: &Store) -> Result<()> {
        store.save_answer(&self.message, self.model_file.as_ref()).await
    }
}

/// All answers that wait for room on the disk. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Unstored {
    pub(super) store: Store,
    /// How long words may be without being stored, and how long the first try after a failed one waits.
    pub(super) delay: Duration,
    answers: Arc<Mutex<HashMap<MessageId, Answer>>>,
}

impl Unstored {
    pub(super) fn new(store: Store, delay: Duration) -> Self {
        Self {
            store,
            delay,
            answers: Arc::default(),
        }
    }

    /// Stores an answer that has ended. Where that cannot be done now, it is kept and tried again.
    ///
    /// # Errors
    /// Why it is not stored, and that it is kept.
    pub(super) async fn store(&self, answer: Answer) -> Result<()> {
        let Err(error) = answer.save(&self.store).await else {
            return Ok(());
        };
        tracing::error!(%error, "the end of an answer was not stored");
        if !can_pass(&error) {
            return Err(error);
        }
        let id = answer.message.id;
        self.lock().insert(id, answer);
        tokio::spawn(self.clone().retry(id));
        Err(and_kept(error))
    }

    /// Tries again until it is stored, by this or by another try.
    async fn retry(self, id: MessageId) {
        let mut delay = self.delay;
        loop {
            tokio::time::sleep(delay).await;
            let Some(answer) = self.lock().get(&id).cloned() else {
                return;
            };
            if self.try_again(&answer).await.is_ok() {
                return;
            }
            delay = longer(delay);
        }
    }

    /// # Errors
    /// Why it is still not stored.
    async fn try_again(&self, answer: &Answer) -> Result<()> {
        match answer.save(&self.store).await {
            Ok(()) => tracing::info!("an answer that was kept is stored"),
            Err(error) if can_pass(&error) => {
                tracing::warn!(%error, "an answer is still not stored; it is tried again");
                return Err(error);
            }
            Err(error) => tracing::error!(%error, "an answer that was kept can never be stored"),
        }
        self.lock().remove(&answer.message.id);
        Ok(())
    }

    /// Stores what is kept of a chat, so that what is stored next in it follows whole answers.
    ///
    /// # Errors
    /// Why it is still not stored.
    pub(super) async fn settle(&self, chat: ChatId) -> Result<()> {
        for answer in self.of(chat) {
            self.try_again(&answer).await?;
        }
        Ok(())
    }

    /// Tries everything one last time.
    pub(super) async fn settle_all(&self) {
        let answers: Vec<Answer> = self.lock().values().cloned().collect();
        for answer in answers {
            if self.try_again(&answer).await.is_err() {
                tracing::error!("an answer is lost with the end of the backend");
            }
        }
    }

    /// What is kept of a chat.
    pub(super) fn of(&self, chat: ChatId) -> Vec<Answer> {
        let answers = self.lock();
        let of_chat = answers.values().filter(|answer| answer.chat == chat);
        of_chat.cloned().collect()
    }

    /// The lock is held for a few lines and never across an await.
    fn lock(&self) -> MutexGuard<'_, HashMap<MessageId, Answer>> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Shows kept answers in place of what is stored of them. `kept` is taken before the chat is read: an answer that is
/// stored in between is whole either way.
pub(super) fn show(chat: &mut Chat, kept: Vec<Answer>) {
    for answer in kept {
        let mut messages = chat.messages.iter_mut();
        if let Some(shown) = messages.find(|shown| shown.id == answer.message.id) {
            let version = shown.version;
            *shown = Message {
                version,
                ..answer.message
            };
        }
    }
}

/// The time to wait after a try that waited this long.
pub(super) fn longer(delay: Duration) -> Duration {
    delay.saturating_mul(2).min(LONGEST_DELAY)
}

/// Whether the same write can work later. What else can go wrong (the answer was removed) stays as it is.
fn can_pass(error: &Error) -> bool {
    matches!(error, Error::Storage { .. })
}

/// Adds what becomes of the answer.
pub(super) fn and_kept(error: Error) -> Error {
    match error {
        Error::Storage { reason } => Error::Storage {
            reason: format!(
                "{reason}. The answer is kept for as long as Hearth stays open, and stored once that works"
            ),
        },
        other => other,
    }
}

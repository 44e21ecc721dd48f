//! Titles that a model makes in the background, of a chat's first question and answer.
//!
//! It has the lowest rank of all that a model does: only one that is in memory and has nothing to do is asked, and the
//! next message of the person's ends it; it is tried again when that is answered. A title given by hand stops it for ever.

use std::time::Duration;

use hearth_protocol::answer::{AnswerOptions, Reasoning};
use hearth_protocol::chat::{Chat, Role};
use hearth_protocol::completion::Piece;
use hearth_protocol::engine::ModelRef;
use hearth_protocol::generate::SamplingParams;
use hearth_protocol::prompt::{Prompt, PromptMessage};
use hearth_protocol::{ChatId, Result};

use super::{Chats, title};
use crate::engine::{Generation, Job, JobEvent};

/// How long nothing must have been sent before a title is made.
const QUIET: Duration = Duration::from_secs(2);

/// Characters of the question and of the answer that the model is given: the subject of a chat shows early.
const LOOKED_AT: usize = 800;

/// Most tokens of a title.
const MOST_TOKENS: u32 = 32;

/// What the model is asked.
const QUESTION: &str = "Write a title of two to six words for the conversation below, in the language of the \
    conversation. Write only the title, without quotes.";

/// How a try to make a title ended.
enum Try {
    /// What the model wrote; nothing where it could not.
    Written(Option<String>),
    /// Something was sent meanwhile.
    Interrupted,
    /// There is no model to ask.
    NoModel,
}

impl Chats {
    /// Makes a title for a chat that has an answer, as soon as there is time.
    pub(super) fn want_title(&self, chat: ChatId) {
        let chats = self.clone();
        tokio::spawn(async move {
            if let Err(error) = chats.make_title(chat).await {
                tracing::debug!(%error, "a chat keeps its first words as a title");
            }
        });
    }

    async fn make_title(&self, chat: ChatId) -> Result<()> {
        let _one_at_a_time = self.titling.lock().await;
        loop {
            self.turns.quiet().await;
            if !self.store.wants_title(chat).await? || !self.settings.read().await.automatic_titles {
                return Ok(());
            }
            let attempt = tokio::select! {
                biased;
                () = self.turns.stirring() => Try::Interrupted,
                attempt = self.try_title(chat) => attempt?,
            };
            match attempt {
                Try::Interrupted => (),
                Try::NoModel => return Ok(()),
                Try::Written(written) => {
                    let title = written.and_then(|written| title::from_model(&written));
                    self.store.title_by_model(chat, title.as_deref()).await?;
                    self.news.of(chat);
                    return Ok(());
                }
            }
        }
    }

    /// Asks the model that answered. Dropping this stops it.
    async fn try_title(&self, chat: ChatId) -> Result<Try> {
        tokio::time::sleep(QUIET).await;
        let Some(file) = self.store.last_model(Some(chat)).await? else {
            return Ok(Try::NoModel);
        };
        if !self.engine.is_idle(&file).await {
            return Ok(Try::NoModel);
        }
        let Some(question) = question(&self.store.open_chat(chat).await?) else {
            return Ok(Try::Written(None));
        };
        let (file, load) = self.finder.named(&ModelRef::File(file), None).await?;
        let job = Job {
            chat: None,
            prompt: Prompt::chat(vec![PromptMessage::text(Role::User, question)]).into(),
            sampling: SamplingParams {
                max_tokens: Some(MOST_TOKENS),
                ..SamplingParams::greedy()
            },
            answer: AnswerOptions {
                reasoning: Reasoning {
                    enabled: Some(false),
                    ..Reasoning::default()
                },
                ..AnswerOptions::default()
            },
            ignore_end: false,
            slot: None,
        };
        let Generation { mut events, stop: _ } = self.engine.generate(file, load, job);
        let mut written = String::new();
        loop {
            match events.recv().await {
                Some(JobEvent::Piece(Piece::Text(text))) => written.push_str(&text),
                Some(JobEvent::Finished { .. }) => return Ok(Try::Written(Some(written))),
                Some(JobEvent::Failed(error)) => {
                    tracing::info!(%error, "a model gave no title");
                    return Ok(Try::Written(None));
                }
                Some(_) => (),
                None => return Ok(Try::NoModel),
            }
        }
    }
}

/// What the model is asked of a chat; `None` before there is a question with an answer.
fn question(chat: &Chat) -> Option<String> {
    let first = |role| {
        let mut messages = chat.messages.iter().filter(|message| message.role == role);
        let text = messages
            .find(|message| !message.text.trim().is_empty())?
            .text
            .trim();
        Some(text.chars().take(LOOKED_AT).collect::<String>())
    };
    let (asked, answered) = (first(Role::User)?, first(Role::Assistant)?);
    Some(format!("{QUESTION}\n\nPerson: {asked}\n\nAssistant: {answered}"))
}

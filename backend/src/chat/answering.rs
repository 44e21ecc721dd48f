//! The way of a turn: from what is sent, or shall be answered again or gone on with, to the end of the answer.

use hearth_protocol::answer::Format;
use hearth_protocol::chat::attachment::Attachment;
use hearth_protocol::chat::{ChatEvent, Message, TurnOptions, TurnRequest};
use hearth_protocol::engine::LoadOptions;
use hearth_protocol::generate::{StopReason, TurnStats};
use hearth_protocol::library::LibraryFile;
use hearth_protocol::prompt::Prompt;
use hearth_protocol::{Error, EventSink, Image, MessageId, Result};

use super::changing::refuse_empty;
use super::options::storable;
use super::recorder::Recorder;
use super::turns::Turn;
use super::{Chats, prompt, title, turn};
use crate::engine::{Generation, Job};
use crate::store::turns::{Begun, NewTurn};

/// What a turn begins with, beside what is stored.
struct Beginning {
    /// The message that was sent, if one was.
    user: Option<Message>,
    options: TurnOptions,
    images: Vec<Image>,
}

/// Sending, answering again, going on, stopping.
impl Chats {
    /// Stores a message and answers it; done when the answer has ended. It can be stopped from the call on, before
    /// the future has run.
    pub(crate) fn send(
        &self,
        request: TurnRequest,
        events: EventSink<ChatEvent>,
    ) -> impl Future<Output = ()> + Send + use<> {
        let turn = self.turns.begin(request.chat, &events);
        let chats = self.clone();
        async move {
            match chats.begin_turn(turn, &request).await {
                Ok((turn, begun)) => {
                    let user = begun.history.last().cloned();
                    let beginning = Beginning {
                        user,
                        options: request.options,
                        images: request.images,
                    };
                    chats.answer(turn, begun, beginning, events).await;
                }
                Err(error) => events.refuse(error),
            }
        }
    }

    /// Answers the message again that this one answers, as [`Self::send`] does.
    pub(crate) fn regenerate(
        &self,
        message: MessageId,
        options: TurnOptions,
        events: EventSink<ChatEvent>,
    ) -> impl Future<Output = ()> + Send + use<> {
        let turn = self.turns.begin(None, &events);
        let chats = self.clone();
        async move {
            match chats.begin_version(turn, message, &options).await {
                Ok((turn, begun)) => chats.answer(turn, begun, Beginning::again(options), events).await,
                Err(error) => events.refuse(error),
            }
        }
    }

    /// Goes on with an answer that ended early, as the same message and as [`Self::send`] does.
    pub(crate) fn go_on(
        &self,
        message: MessageId,
        options: TurnOptions,
        events: EventSink<ChatEvent>,
    ) -> impl Future<Output = ()> + Send + use<> {
        let turn = self.turns.begin(None, &events);
        let chats = self.clone();
        async move {
            match chats.begin_more(turn, message, &options).await {
                Ok((turn, begun)) => chats.answer(turn, begun, Beginning::again(options), events).await,
                Err(error) => events.refuse(error),
            }
        }
    }
}

/// The steps of a turn.
impl Chats {
    pub(super) async fn begin_turn(
        &self,
        turn: Result<Turn>,
        request: &TurnRequest,
    ) -> Result<(Turn, Begun)> {
        let turn = turn?;
        refuse_empty(&request.text, &request.attachments)?;
        Attachment::validate_all(&request.attachments)?;
        request.options.validate()?;
        if let Some(chat) = request.chat {
            self.unstored.settle(chat).await?;
        }
        let title = title::from_message(&request.text, &request.attachments);
        let kept = kept(&request.options, request.keep_options);
        let stored = NewTurn {
            chat: request.chat,
            text: &request.text,
            attachments: &request.attachments,
            title: &title,
            kept: kept.as_ref(),
        };
        let begun = self.store.begin_turn(stored).await?;
        turn.enter(begun.chat.id)?;
        Ok((turn, begun))
    }

    async fn begin_version(
        &self,
        turn: Result<Turn>,
        message: MessageId,
        options: &TurnOptions,
    ) -> Result<(Turn, Begun)> {
        let turn = self.enter(turn, message, options).await?;
        let kept = kept(options, false);
        Ok((turn, self.store.begin_version(message, kept.as_ref()).await?))
    }

    async fn begin_more(
        &self,
        turn: Result<Turn>,
        message: MessageId,
        options: &TurnOptions,
    ) -> Result<(Turn, Begun)> {
        let turn = self.enter(turn, message, options).await?;
        let kept = kept(options, false);
        Ok((turn, self.store.begin_more(message, kept.as_ref()).await?))
    }

    /// Takes the chat of a message for a turn.
    async fn enter(&self, turn: Result<Turn>, message: MessageId, options: &TurnOptions) -> Result<Turn> {
        let turn = turn?;
        options.validate()?;
        let chat = self.store.chat_of(message).await?;
        turn.enter(chat)?;
        self.unstored.settle(chat).await?;
        Ok(turn)
    }

    async fn answer(
        &self,
        mut turn: Turn,
        begun: Begun,
        beginning: Beginning,
        mut events: EventSink<ChatEvent>,
    ) {
        let chat = begun.chat.id;
        self.news.of(chat);
        let started = ChatEvent::Started {
            chat: begun.chat.clone(),
            user: beginning.user.clone(),
            answer: begun.answer.clone(),
        };
        turn::tell(&mut events, started);
        let mut recorder = Recorder::new(self.unstored.clone(), chat, begun.answer.clone());
        let prepared = tokio::select! {
            biased;
            () = turn.stopped() => None,
            prepared = self.prepare(&begun, beginning) => Some(prepared),
        };
        let outcome = match prepared {
            None => Ok((StopReason::UserStopped, TurnStats::default())),
            Some(Err(error)) => Err(error),
            Some(Ok((file, load, job))) => {
                let Generation { events: job, stop } = self.engine.generate(file, load, job);
                turn::follow(job, || stop.stop(), &mut turn, &mut recorder, &mut events).await
            }
        };
        let is_answered = outcome.is_ok();
        end(turn, recorder, outcome, events, || self.news.of(chat)).await;
        if is_answered {
            self.want_title(chat);
        }
    }

    /// What the engine needs to know. Images stand beside the newest message.
    async fn prepare(&self, begun: &Begun, beginning: Beginning) -> Result<(LibraryFile, LoadOptions, Job)> {
        let settings = self.settings.read().await;
        let options = beginning.options.or(begun.options.clone());
        let (file, load) = self
            .finder
            .answering(options.model.as_ref(), Some(begun.chat.id))
            .await?;
        let options = options.or(self.read_defaults(&file.id).await);
        let answer = options.answer.unwrap_or_default();
        let system_prompt = options.system_prompt.filter(|text| !text.trim().is_empty());
        let mut prompt = prompt::build_begun(system_prompt.as_deref(), &begun.history, &begun.answer);
        if let Prompt::Chat { messages, go_on } = &mut prompt {
            if *go_on && answer.format != Format::Text {
                let problem = "has a set form, which cannot be taken up in the middle; answer again with a higher limit";
                return Err(Error::invalid("message", problem));
            }
            if let Some(newest) = messages.last_mut() {
                newest.images = beginning.images;
            }
        }
        let job = Job {
            chat: Some(begun.chat.id.0),
            prompt,
            sampling: options.sampling.unwrap_or(settings.sampling),
            answer,
            ignore_end: false,
            slot: None,
        };
        Ok((file, load, job))
    }
}

impl Beginning {
    /// That of a turn in which nothing is sent.
    fn again(options: TurnOptions) -> Self {
        Self {
            user: None,
            options,
            images: Vec::new(),
        }
    }
}

/// What a chat keeps of the options of a turn: all of them where that is asked for, else instructions alone.
fn kept(options: &TurnOptions, all: bool) -> Option<TurnOptions> {
    if all {
        return Some(storable(options.clone()));
    }
    options.system_prompt.is_some().then(|| TurnOptions {
        system_prompt: options.system_prompt.clone(),
        ..TurnOptions::default()
    })
}

/// What an answer cost that went on: what was written before counts too, and alone where nothing came.
fn with_earlier(stats: TurnStats, before: TurnStats) -> TurnStats {
    if stats == TurnStats::default() {
        return before;
    }
    TurnStats {
        generated_tokens: stats.generated_tokens + before.generated_tokens,
        reasoning_tokens: stats.reasoning_tokens + before.reasoning_tokens,
        wall_time_ms: stats.wall_time_ms + before.wall_time_ms,
        ..stats
    }
}

/// Stores how an answer ended, or keeps it until that can be done, frees its chat, and only then tells the listener,
/// who may send again at once.
pub(super) async fn end(
    turn: Turn,
    recorder: Recorder,
    outcome: Result<(StopReason, TurnStats)>,
    mut events: EventSink<ChatEvent>,
    stored_or_kept: impl FnOnce(),
) {
    let (stop, stats, error) = match outcome {
        Ok((stop, stats)) => (stop, stats, None),
        Err(error) => {
            let message = error.to_string();
            (StopReason::Failed { message }, TurnStats::default(), Some(error))
        }
    };
    let stored = recorder.finish(|answer| {
        answer.stop = Some(stop);
        // All zero is what is said of an answer that never began.
        answer.stats = Some(with_earlier(stats, answer.stats.unwrap_or_default()))
            .filter(|stats| *stats != TurnStats::default());
    });
    let (answer, stored) = stored.await;
    drop(turn);
    stored_or_kept();
    // Why it broke off stands in the answer, too; that it is not stored stands nowhere else.
    let last = match stored.err().or(error) {
        None => ChatEvent::Finished(answer),
        Some(error) => ChatEvent::Failed {
            error,
            answer: Some(answer),
        },
    };
    turn::tell(&mut events, last);
}

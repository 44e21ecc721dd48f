//! Chats: sending, answering, stopping, and the list of them.
//!
//! What a person wrote is stored before anything else happens. Turns run on the runtime; nothing here blocks it.

mod prompt;
mod recorder;
#[cfg(test)]
mod tests;
mod title;
mod turn;
mod turns;
mod unstored;

use std::time::Duration;

use hearth_protocol::chat::{Chat, ChatEvent, ChatSummary, Deleted, Message, TurnOptions, TurnRequest};
use hearth_protocol::engine::LoadOptions;
use hearth_protocol::generate::{StopReason, TurnStats};
use hearth_protocol::library::LibraryFile;
use hearth_protocol::prompt::Prompt;
use hearth_protocol::{ChatId, Error, EventSink, Image, MessageId, RequestId, Result, UndoToken};

use crate::engine::{Engine, Generation, Job};
use crate::finder::Finder;
use crate::library::Library;
use crate::settings::SettingsService;
use crate::store::Store;
use crate::store::messages::{Begun, NewTurn};
use recorder::Recorder;
use turns::{Turn, Turns};
use unstored::Unstored;

/// How long words of an answer may be without being stored, while they can be.
const STORE_DELAY: Duration = Duration::from_secs(1);

/// All chats. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Chats {
    store: Store,
    engine: Engine,
    finder: Finder,
    settings: SettingsService,
    turns: Turns,
    /// Answers that wait for room on the disk.
    unstored: Unstored,
}

impl Chats {
    /// The chats of a database, answered by an engine with models of a library.
    pub(crate) fn new(store: Store, engine: Engine, library: Library, settings: SettingsService) -> Self {
        Self {
            unstored: Unstored::new(store.clone(), STORE_DELAY),
            finder: Finder::new(library, engine.clone(), Some((store.clone(), settings.clone()))),
            store,
            engine,
            settings,
            turns: Turns::default(),
        }
    }

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
                    let (options, images) = (request.options, request.images);
                    chats.answer(turn, begun, user, options, images, events).await;
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
                Ok((turn, begun)) => chats.answer(turn, begun, None, options, Vec::new(), events).await,
                Err(error) => events.refuse(error),
            }
        }
    }

    /// Stops an answer; its end comes through its own events. One that is over is stopped already.
    pub(crate) async fn stop(&self, request: RequestId) -> Result<()> {
        self.turns.stop(request);
        Ok(())
    }

    /// All chats, pinned first, then the newest.
    pub(crate) async fn list(&self) -> Result<Vec<ChatSummary>> {
        self.store.list_chats().await
    }

    /// A chat with the messages that are shown.
    pub(crate) async fn open(&self, chat: ChatId) -> Result<Chat> {
        let kept = self.unstored.of(chat);
        let mut chat = self.store.open_chat(chat).await?;
        unstored::show(&mut chat, kept);
        Ok(chat)
    }

    /// Gives a title by hand.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a blank one.
    pub(crate) async fn rename(&self, chat: ChatId, title: &str) -> Result<ChatSummary> {
        let title = title::from_person(title).ok_or_else(|| Error::invalid("title", "is empty"))?;
        self.store.rename_chat(chat, &title).await
    }

    /// Puts a chat at the top of the list, or takes it from there.
    pub(crate) async fn pin(&self, chat: ChatId, pinned: bool) -> Result<ChatSummary> {
        self.store.pin_chat(chat, pinned).await
    }

    /// Shows another version of a message.
    ///
    /// # Errors
    /// [`Error::Busy`] while an answer is being written in this chat, since that would move out of sight.
    pub(crate) async fn select_version(&self, message: MessageId) -> Result<Chat> {
        let chat = self.store.chat_of(message).await?;
        self.turns.refuse_busy(chat)?;
        let kept = self.unstored.of(chat);
        let mut chat = self.store.select_version(message).await?;
        unstored::show(&mut chat, kept);
        Ok(chat)
    }

    /// Deletes a message and what stands below it. An answer that is being written in this chat is stopped; its end
    /// is stored too, for the case that it is brought back.
    pub(crate) async fn delete_message(&self, message: MessageId) -> Result<Deleted> {
        let chat = self.store.chat_of(message).await?;
        let undo = self.store.delete_message(message).await?;
        self.turns.stop_in(chat);
        Ok(Deleted { undo })
    }

    /// Deletes a chat. An answer that is being written in it is stopped; its end is stored too.
    pub(crate) async fn delete(&self, chat: ChatId) -> Result<Deleted> {
        // In this order: what can no longer be begun in the chat need not be stopped, and an answer goes on where the
        // chat could not be deleted.
        let undo = self.store.delete_chat(chat).await?;
        self.turns.stop_in(chat);
        self.engine.forget(chat);
        Ok(Deleted { undo })
    }

    /// Brings back what was deleted.
    pub(crate) async fn undo(&self, token: UndoToken) -> Result<ChatSummary> {
        self.store.undo(token).await
    }

    /// Begins no further turn, stops those that run and waits until their last words are stored, or cannot be.
    pub(crate) async fn shut_down(&self) {
        self.turns.close().await;
        self.unstored.settle_all().await;
    }
}

/// The way of a turn.
impl Chats {
    async fn begin_turn(&self, turn: Result<Turn>, request: &TurnRequest) -> Result<(Turn, Begun)> {
        let turn = turn?;
        if request.text.trim().is_empty() {
            return Err(Error::invalid("message", "is empty"));
        }
        request.options.validate()?;
        if let Some(chat) = request.chat {
            self.unstored.settle(chat).await?;
        }
        let title = title::from_message(&request.text);
        let stored = NewTurn {
            chat: request.chat,
            text: &request.text,
            title: &title,
            system_prompt: request.options.system_prompt.as_deref(),
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
        let turn = turn?;
        options.validate()?;
        let chat = self.store.chat_of(message).await?;
        turn.enter(chat)?;
        self.unstored.settle(chat).await?;
        let begun = self
            .store
            .begin_version(message, options.system_prompt.as_deref());
        Ok((turn, begun.await?))
    }

    async fn answer(
        &self,
        mut turn: Turn,
        begun: Begun,
        user: Option<Message>,
        options: TurnOptions,
        images: Vec<Image>,
        mut events: EventSink<ChatEvent>,
    ) {
        let started = ChatEvent::Started {
            chat: begun.chat.clone(),
            user,
            answer: begun.answer.clone(),
        };
        turn::tell(&mut events, started);
        let mut recorder = Recorder::new(self.unstored.clone(), begun.chat.id, begun.answer.clone());
        let prepared = tokio::select! {
            biased;
            () = turn.stopped() => None,
            prepared = self.prepare(&begun, options, images) => Some(prepared),
        };
        let outcome = match prepared {
            None => Ok((StopReason::UserStopped, TurnStats::default())),
            Some(Err(error)) => Err(error),
            Some(Ok((file, load, job))) => {
                let Generation { events: job, stop } = self.engine.generate(file, load, job);
                turn::follow(job, || stop.stop(), &mut turn, &mut recorder, &mut events).await
            }
        };
        end(turn, recorder, outcome, &mut events).await;
    }

    /// What the engine needs to know. These images stand beside the newest message.
    async fn prepare(
        &self,
        begun: &Begun,
        options: TurnOptions,
        images: Vec<Image>,
    ) -> Result<(LibraryFile, LoadOptions, Job)> {
        let settings = self.settings.read().await;
        let model = options.model.as_ref();
        let (file, load) = self.finder.answering(model, Some(begun.chat.id)).await?;
        let mut messages = prompt::build(begun.system_prompt.as_deref(), &begun.history);
        if let Some(newest) = messages.last_mut() {
            newest.images = images;
        }
        let job = Job {
            chat: Some(begun.chat.id.0),
            prompt: Prompt::chat(messages),
            sampling: options.sampling.unwrap_or(settings.sampling),
            answer: options.answer.unwrap_or_default(),
            ignore_end: false,
            slot: None,
        };
        Ok((file, load, job))
    }
}

/// Stores how an answer ended, or keeps it until that can be done, frees its chat, and only then tells the listener,
/// who may send again at once.
async fn end(
    turn: Turn,
    recorder: Recorder,
    outcome: Result<(StopReason, TurnStats)>,
    events: &mut EventSink<ChatEvent>,
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
        answer.stats = Some(stats).filter(|stats| *stats != TurnStats::default());
    });
    let (answer, stored) = stored.await;
    drop(turn);
    // Why it broke off stands in the answer, too; that it is not stored stands nowhere else.
    let last = match stored.err().or(error) {
        None => ChatEvent::Finished(answer),
        Some(error) => ChatEvent::Failed {
            error,
            answer: Some(answer),
        },
    };
    turn::tell(events, last);
}

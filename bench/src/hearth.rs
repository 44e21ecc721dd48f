//! Hearth as the window drives it: a backend in a folder of its own, one loaded model, turns of chats with the moment
//! of each event.

mod estimate;
mod serving;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail, ensure};
use hearth_backend::{Config, HubConfig, Shutdown, WORKER_ARGUMENT, WorkerCommand};
use hearth_protocol::chat::{ChatEvent, TurnOptions, TurnRequest};
use hearth_protocol::engine::{
    Activity, EngineEvent, KeepLoaded, LoadEvent, LoadOptions, LoadRequest, LoadedModel, ModelRef,
};
use hearth_protocol::generate::{SamplingParams, StopReason, TurnStats};
use hearth_protocol::settings::Settings;
use hearth_protocol::{ChatId, Client, Events, MessageId};
use tempfile::TempDir;

/// No event takes this long to come unless something is broken.
const LIMIT: Duration = Duration::from_secs(600);

/// A backend with one model in memory.
pub(crate) struct Hearth {
    client: Client,
    /// Ends the backend, and its worker with it, when it is dropped.
    shutdown: Option<Shutdown>,
    folder: TempDir,
    path: PathBuf,
    options: LoadOptions,
    model: LoadedModel,
    /// Tokens that a prompt of one message has beside the words of that message.
    overhead: u32,
}

/// A message to send.
pub(crate) struct Ask {
    pub(crate) chat: Option<ChatId>,
    pub(crate) system: Option<String>,
    pub(crate) text: String,
    pub(crate) sampling: SamplingParams,
}

/// An answer that is being made.
pub(crate) struct Turn {
    events: Events<ChatEvent>,
    sent_at: Instant,
    chat: Option<ChatId>,
    message: Option<MessageId>,
    pieces: Vec<Instant>,
}

/// An answer that has ended.
pub(crate) struct Heard {
    pub(crate) chat: ChatId,
    /// The message that was answered.
    pub(crate) message: MessageId,
    pub(crate) sent_at: Instant,
    /// When each piece of text came.
    pub(crate) pieces: Vec<Instant>,
    pub(crate) ended_at: Instant,
    pub(crate) stats: TurnStats,
    stop: StopReason,
}

impl Ask {
    /// The first message of a new chat.
    pub(crate) fn new(text: String, sampling: SamplingParams) -> Self {
        Self {
            chat: None,
            system: None,
            text,
            sampling,
        }
    }
}

impl Hearth {
    /// Starts a backend in a new folder and loads the model. A first short chat shows what the chat template adds, and
    /// brings everything to where it is in a program that has run for a while.
    ///
    /// # Errors
    /// Where the model does not load or does not answer.
    pub(crate) fn start(path: &Path, options: LoadOptions, first: Ask) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        let (client, shutdown) = start_backend(folder.path())?;
        // One more answer, which nobody asked for, would be measured too.
        let settings = Settings {
            automatic_titles: false,
            ..Settings::default()
        };
        client.write_settings(settings).wait()?;
        let model = load(&client, path, &options)?;
        let mut hearth = Self {
            client,
            shutdown: Some(shutdown),
            folder,
            path: path.to_owned(),
            options,
            model,
            overhead: 0,
        };
        let words = first.text.split(' ').count();
        let prompt = hearth.ask(first)?.stats.prompt_tokens as usize;
        let overhead = prompt.checked_sub(words);
        let overhead = overhead.context("the prompt has fewer tokens than its message has words")?;
        hearth.overhead = u32::try_from(overhead)?;
        Ok(hearth)
    }

    /// Ends the backend and its worker, and starts both again over the same chats.
    ///
    /// # Errors
    /// Where the model does not load any more.
    pub(crate) fn restart(&mut self) -> anyhow::Result<()> {
        if let Some(shutdown) = self.shutdown.take() {
            shutdown.shut_down();
        }
        let (client, shutdown) = start_backend(self.folder.path())?;
        self.shutdown = Some(shutdown);
        self.model = load(&client, &self.path, &self.options)?;
        self.client = client;
        Ok(())
    }

    /// Words of a message that make a prompt of so many tokens, or one token more than the template has.
    pub(crate) fn words_for(&self, tokens: u32) -> usize {
        tokens.saturating_sub(self.overhead).max(1) as usize
    }

    /// The loaded model.
    pub(crate) fn model(&self) -> &LoadedModel {
        &self.model
    }

    /// Sends a message.
    pub(crate) fn send(&self, ask: Ask) -> Turn {
        let request = TurnRequest {
            chat: ask.chat,
            text: ask.text,
            options: TurnOptions {
                model: Some(ModelRef::Path(self.path.clone())),
                sampling: Some(ask.sampling),
                system_prompt: ask.system,
                ..TurnOptions::default()
            },
            ..TurnRequest::default()
        };
        let sent_at = Instant::now();
        Turn {
            events: self.client.send(request),
            sent_at,
            chat: None,
            message: None,
            pieces: Vec::new(),
        }
    }

    /// Sends a message and waits for all of the answer.
    ///
    /// # Errors
    /// Where it breaks off or is shorter than was asked for.
    pub(crate) fn ask(&self, ask: Ask) -> anyhow::Result<Heard> {
        let heard = self.send(ask).finish()?;
        heard.check_length()?;
        Ok(heard)
    }

    /// Takes a message and its answer out of the chat again.
    ///
    /// # Errors
    /// Where the backend refuses.
    pub(crate) fn take_back(&self, message: MessageId) -> anyhow::Result<()> {
        self.client.delete_message(message).wait()?;
        Ok(())
    }

    /// Stops an answer and gives the time until the worker is idle.
    ///
    /// # Errors
    /// Where the answer had ended by itself.
    pub(crate) fn stop(&self, turn: Turn) -> anyhow::Result<Duration> {
        let took = self.idle_after(|| Ok(self.client.stop(turn.events.request()).wait()?))?;
        let heard = turn.finish()?;
        ensure!(
            heard.stop == StopReason::UserStopped,
            "the answer ended with {} before it was stopped",
            heard.stop
        );
        Ok(took)
    }

    /// Stops what is being made, and gives the time until the worker is idle.
    ///
    /// # Errors
    /// Where nothing is being made, and where it cannot be stopped.
    pub(crate) fn idle_after(&self, stop: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<Duration> {
        let news = self.client.watch_engine();
        wait_for(&news, Activity::Generating).context("the answer had ended before it was stopped")?;
        let stopped_at = Instant::now();
        stop()?;
        wait_for(&news, Activity::Idle)?;
        Ok(stopped_at.elapsed())
    }
}

impl Turn {
    /// Waits until so many pieces of the answer have come.
    ///
    /// # Errors
    /// Where it ends before.
    pub(crate) fn wait_for_pieces(&mut self, count: usize) -> anyhow::Result<()> {
        while self.pieces.len() < count {
            let event = self.next()?;
            if let Some(end) = self.take(event)? {
                bail!("the answer ended after {} tokens", end.stats.generated_tokens);
            }
        }
        Ok(())
    }

    /// Waits for the end.
    ///
    /// # Errors
    /// Where it breaks off.
    pub(crate) fn finish(mut self) -> anyhow::Result<Heard> {
        loop {
            let event = self.next()?;
            if let Some(heard) = self.take(event)? {
                return Ok(heard);
            }
        }
    }

    /// Listens until the end or until `enough` is set, and gives when each piece came. Leaving stops the answer.
    ///
    /// # Errors
    /// Where it breaks off.
    pub(crate) fn listen_until(mut self, enough: &AtomicBool) -> anyhow::Result<Vec<Instant>> {
        while !enough.load(Ordering::Acquire) {
            let event = self.next()?;
            if let Some(heard) = self.take(event)? {
                return Ok(heard.pieces);
            }
        }
        Ok(self.pieces)
    }

    fn next(&self) -> anyhow::Result<ChatEvent> {
        let event = self.events.next_timeout(LIMIT)?;
        event.context("the answer has no last event")
    }

    /// Takes an event; gives the answer when it was the last.
    fn take(&mut self, event: ChatEvent) -> anyhow::Result<Option<Heard>> {
        match event {
            ChatEvent::Started { chat, user, .. } => {
                self.chat = Some(chat.id);
                self.message = user.map(|message| message.id);
            }
            ChatEvent::Delta(_) | ChatEvent::ReasoningDelta(_) => self.pieces.push(Instant::now()),
            ChatEvent::Finished(answer) => {
                return Ok(Some(Heard {
                    chat: self.chat.context("the chat has no number")?,
                    message: self.message.context("the message has no number")?,
                    sent_at: self.sent_at,
                    pieces: std::mem::take(&mut self.pieces),
                    ended_at: Instant::now(),
                    stats: answer.stats.context("the answer has no stats")?,
                    stop: answer.stop.context("the answer has no stop reason")?,
                }));
            }
            ChatEvent::Failed { error, .. } => return Err(anyhow!(error)),
            ChatEvent::NotStored(error) => return Err(anyhow!(error)),
            ChatEvent::Loading(_)
            | ChatEvent::PromptProgress { .. }
            | ChatEvent::ToolCall(_)
            | ChatEvent::Logprobs(_) => (),
        }
        Ok(None)
    }
}

impl Heard {
    /// From sending to the first text, as the client sees it.
    ///
    /// # Errors
    /// Where there was no text.
    pub(crate) fn first_token(&self) -> anyhow::Result<Duration> {
        let first = self.pieces.first().context("the answer has no text")?;
        Ok(first.duration_since(self.sent_at))
    }

    /// Tokens a second after the first, as the client sees them come.
    ///
    /// # Errors
    /// Where there were too few.
    pub(crate) fn seen_tokens_per_second(&self) -> anyhow::Result<f64> {
        let (Some(first), Some(last)) = (self.pieces.first(), self.pieces.last()) else {
            bail!("the answer has no text");
        };
        let took = last.duration_since(*first).as_secs_f64();
        ensure!(took > 0.0, "the answer came at once");
        Ok(f64::from(self.stats.generated_tokens.saturating_sub(1)) / took)
    }

    /// # Errors
    /// Where the answer is shorter than was asked for.
    pub(crate) fn check_length(&self) -> anyhow::Result<()> {
        ensure!(
            self.stop == StopReason::TokenLimit,
            "the answer ended after {} tokens: {}",
            self.stats.generated_tokens,
            self.stop
        );
        Ok(())
    }
}

/// A backend that keeps everything in this folder; its workers are this program.
pub(crate) fn start_backend(folder: &Path) -> anyhow::Result<(Client, Shutdown)> {
    start_backend_at(folder, None)
}

/// The same, with the hub at this address.
pub(crate) fn start_backend_at(folder: &Path, hub: Option<&str>) -> anyhow::Result<(Client, Shutdown)> {
    Ok(hearth_backend::start(Config {
        home: folder.join("home"),
        worker: WorkerCommand {
            program: std::env::current_exe()?,
            arguments: vec![WORKER_ARGUMENT.into()],
        },
        starter_models: folder.join("starter"),
        toolkit: Default::default(),
        login: None,
        hub_cache: None,
        other_programs: Vec::new(),
        hub: HubConfig {
            endpoint: hub.map(str::to_owned),
            ..HubConfig::default()
        },
    }))
}

fn load(client: &Client, path: &Path, options: &LoadOptions) -> anyhow::Result<LoadedModel> {
    let events = client.load(LoadRequest {
        model: ModelRef::Path(path.to_owned()),
        options: Some(options.clone()),
        force: false,
        keep: KeepLoaded::Default,
    });
    loop {
        match events
            .next_timeout(LIMIT)?
            .context("the load has no last event")?
        {
            LoadEvent::Loaded(model) => return Ok(model),
            LoadEvent::Failed(error) => return Err(anyhow!(error)),
            LoadEvent::Started { .. } | LoadEvent::Progress(_) => (),
        }
    }
}

/// Waits until the one loaded model does this.
fn wait_for(news: &Events<EngineEvent>, activity: Activity) -> anyhow::Result<()> {
    loop {
        match news
            .next_timeout(LIMIT)?
            .context("the engine tells no more news")?
        {
            EngineEvent::Loaded(models) if models.iter().any(|model| model.activity == activity) => {
                return Ok(());
            }
            EngineEvent::Loaded(_) => (),
            EngineEvent::Closed(error) => return Err(anyhow!(error)),
        }
    }
}

//! The commands to models in memory.

use std::time::Duration;

use hearth_protocol::command::EngineCommand;
use hearth_protocol::completion::{CompletionEvent, CompletionRequest};
use hearth_protocol::embed::{EmbedEvent, EmbedRequest};
use hearth_protocol::engine::{EstimateEvent, LoadEvent, LoadOptions, LoadRequest, ModelRef};
use hearth_protocol::prompt::{TokenizeRequest, Tokenized};
use hearth_protocol::{EventSink, Result};
use tokio::runtime::Runtime;

use super::{Services, answer, tell};
use crate::engine::{EmbedJob, Engine, Job};
use crate::finder::Finder;
use crate::leaving::left;
use crate::library::Library;

/// How long nothing more must have been asked before a worker counts a load exactly, which takes it a second.
const PAUSE: Duration = Duration::from_millis(250);

impl Services {
    /// Routes one of them.
    pub(super) fn engine(&self, runtime: &Runtime, command: EngineCommand) {
        let (engine, finder) = (self.heeding.engine.clone(), self.finder.clone());
        match command {
            EngineCommand::Load { request, events } => {
                drop(runtime.spawn(load(engine, finder, request, events)))
            }
            EngineCommand::Complete { request, events } => {
                drop(runtime.spawn(complete(engine, finder, *request, events)))
            }
            EngineCommand::Embed { request, events } => {
                drop(runtime.spawn(embed(engine, finder, request, events)))
            }
            EngineCommand::CancelLoad { request, reply } => answer(runtime, reply, async move {
                engine.cancel_load(request).await;
                Ok(())
            }),
            EngineCommand::EjectFile { file, reply } => {
                answer(runtime, reply, async move { engine.eject_file(file).await })
            }
            EngineCommand::Eject { model, reply } => {
                answer(runtime, reply, async move { engine.eject(model).await })
            }
            EngineCommand::Tokenize { request, reply } => {
                tell(runtime, reply, tokenize(engine, finder, *request))
            }
            EngineCommand::Detokenize { model, tokens, reply } => tell(runtime, reply, async move {
                let (file, options) = finder.answering(model.as_ref(), None).await?;
                engine.detokenize(file, options, tokens).await
            }),
            EngineCommand::Slots { model, reply } => {
                answer(runtime, reply, async move { engine.slots(model).await })
            }
            EngineCommand::ChangeSlot {
                model,
                slot,
                action,
                reply,
            } => answer(runtime, reply, async move {
                engine.change_slot(model, slot, action).await
            }),
            EngineCommand::Answering { reply } => {
                answer(runtime, reply, async move { finder.usual(None).await })
            }
            EngineCommand::ListLoaded { reply } => reply.send(Ok(engine.loaded())),
            EngineCommand::Watch { events } => engine.watch(events),
            EngineCommand::WatchUsage { events } => {
                drop(runtime.spawn(async move { engine.watch_usage(events).await }))
            }
            EngineCommand::KvStored { reply } => {
                answer(runtime, reply, async move { engine.kv_stored().await })
            }
            EngineCommand::EmptyKvStore { reply } => {
                answer(runtime, reply, async move { engine.empty_kv_store().await })
            }
            EngineCommand::Devices { reply } => answer(runtime, reply, async move { engine.devices().await }),
            EngineCommand::EstimateMemory {
                model,
                options,
                events,
            } => {
                let library = self.library.clone();
                drop(runtime.spawn(estimate(engine, library, model, options, events)));
            }
        }
    }
}

/// Loads a model.
async fn load(engine: Engine, finder: Finder, request: LoadRequest, events: EventSink<LoadEvent>) {
    if let Some(options) = &request.options
        && let Err(error) = options.validate()
    {
        return events.refuse(error);
    }
    match finder.named(&request.model, request.options).await {
        Ok((file, options)) => {
            engine
                .load(file, options, request.force, request.keep, events)
                .await
        }
        Err(error) => events.refuse(error),
    }
}

/// Reckons what a load would take, until the listener leaves.
async fn estimate(
    engine: Engine,
    library: Library,
    model: ModelRef,
    options: LoadOptions,
    mut events: EventSink<EstimateEvent>,
) {
    let left = left(&events);
    let work = async {
        options.validate()?;
        let file = library.resolve(&model).await?;
        if let Some(rough) = engine.rough_estimate(&file, &options).await {
            events.send(EstimateEvent::Rough(rough)).ok();
            tokio::time::sleep(PAUSE).await;
        }
        engine.estimate(file.path, options).await
    };
    let reckoned = tokio::select! { biased; () = left.notified() => return, reckoned = work => reckoned };
    match reckoned {
        Ok(estimate) => drop(events.send(EstimateEvent::Exact(estimate))),
        Err(error) => events.refuse(error),
    }
}

/// Makes an answer that belongs to no chat.
async fn complete(
    engine: Engine,
    finder: Finder,
    request: CompletionRequest,
    events: EventSink<CompletionEvent>,
) {
    if let Err(error) = request.validate() {
        return events.refuse(error);
    }
    let job = Job {
        chat: None,
        prompt: request.prompt,
        sampling: request.sampling,
        answer: request.answer,
        ignore_end: request.ignore_end,
        slot: request.slot,
    };
    match finder.answering(request.model.as_ref(), None).await {
        Ok((file, options)) => engine.complete(file, options, job, request.keep, events).await,
        Err(error) => events.refuse(error),
    }
}

/// Embeds texts.
async fn embed(engine: Engine, finder: Finder, request: EmbedRequest, events: EventSink<EmbedEvent>) {
    if let Err(error) = request.validate() {
        return events.refuse(error);
    }
    let job = EmbedJob {
        inputs: request.inputs,
        options: request.options,
    };
    match finder.named(&request.model, None).await {
        Ok((file, options)) => engine.embed(file, options, job, request.keep, events).await,
        Err(error) => events.refuse(error),
    }
}

/// Turns a text into tokens.
async fn tokenize(engine: Engine, finder: Finder, request: TokenizeRequest) -> Result<Tokenized> {
    request.validate()?;
    let (file, options) = finder.answering(request.model.as_ref(), None).await?;
    engine.tokenize(file, options, request.input).await
}

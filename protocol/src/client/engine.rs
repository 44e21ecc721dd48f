//! What can be asked of models in memory.

use crate::command::EngineCommand;
use crate::completion::{CompletionEvent, CompletionRequest};
use crate::embed::{EmbedEvent, EmbedRequest};
use crate::engine::{
    Device, EngineEvent, EstimateEvent, LoadEvent, LoadOptions, LoadRequest, LoadedModel, ModelRef,
    SlotAction, SlotDone, SlotState, UsageEvent,
};
use crate::library::LibraryFile;
use crate::prompt::{TokenizeRequest, Tokenized};
use crate::{Answer, ByteSize, Client, Command, Events, FileId, LoadedId, RequestId};

/// Models in memory.
impl Client {
    /// Brings a model into memory. One that is loaded already with the same options is given at once.
    pub fn load(&self, request: LoadRequest) -> Events<LoadEvent> {
        self.run(|events| Command::Engine(EngineCommand::Load { request, events }))
    }

    /// Ends a load that runs.
    pub fn cancel_load(&self, request: RequestId) -> Answer<()> {
        self.ask(|reply| Command::Engine(EngineCommand::CancelLoad { request, reply }))
    }

    /// Takes a model out of memory; an answer it writes ends with `ModelEjected`.
    pub fn eject(&self, model: LoadedId) -> Answer<()> {
        self.ask(|reply| Command::Engine(EngineCommand::Eject { model, reply }))
    }

    /// Takes the model of a file out of memory, or ends its load; who waits for it is told `ModelEjected`.
    pub fn eject_file(&self, file: FileId) -> Answer<()> {
        self.ask(|reply| Command::Engine(EngineCommand::EjectFile { file, reply }))
    }

    /// The models in memory.
    pub fn list_loaded(&self) -> Answer<Vec<LoadedModel>> {
        self.ask(|reply| Command::Engine(EngineCommand::ListLoaded { reply }))
    }

    /// The models in memory, now and after each change, until the listener leaves.
    pub fn watch_engine(&self) -> Events<EngineEvent> {
        self.run(|events| Command::Engine(EngineCommand::Watch { events }))
    }

    /// Makes an answer that belongs to no chat. Dropping the events stops it.
    pub fn complete(&self, request: CompletionRequest) -> Events<CompletionEvent> {
        self.run(|events| {
            Command::Engine(EngineCommand::Complete {
                request: Box::new(request),
                events,
            })
        })
    }

    /// The file of the model that would answer where none is named.
    pub fn answering_model(&self) -> Answer<LibraryFile> {
        self.ask(|reply| Command::Engine(EngineCommand::Answering { reply }))
    }

    /// Turns a text into tokens.
    pub fn tokenize(&self, request: TokenizeRequest) -> Answer<Tokenized> {
        self.ask(|reply| {
            Command::Engine(EngineCommand::Tokenize {
                request: Box::new(request),
                reply,
            })
        })
    }

    /// Turns tokens into text.
    pub fn detokenize(&self, model: Option<ModelRef>, tokens: Vec<u32>) -> Answer<String> {
        self.ask(|reply| Command::Engine(EngineCommand::Detokenize { model, tokens, reply }))
    }

    /// The places in which a loaded model computes.
    pub fn slots(&self, model: LoadedId) -> Answer<Vec<SlotState>> {
        self.ask(|reply| Command::Engine(EngineCommand::Slots { model, reply }))
    }

    /// Keeps, brings back or forgets what a slot knows.
    pub fn change_slot(&self, model: LoadedId, slot: u32, action: SlotAction) -> Answer<SlotDone> {
        self.ask(|reply| {
            Command::Engine(EngineCommand::ChangeSlot {
                model,
                slot,
                action,
                reply,
            })
        })
    }

    /// Turns texts into vectors. Dropping the events stops it.
    pub fn embed(&self, request: EmbedRequest) -> Events<EmbedEvent> {
        self.run(|events| Command::Engine(EngineCommand::Embed { request, events }))
    }

    /// What can compute.
    pub fn devices(&self) -> Answer<Vec<Device>> {
        self.ask(|reply| Command::Engine(EngineCommand::Devices { reply }))
    }

    /// What a load would take, roughly at once and then exactly. Dropping the events stops it.
    pub fn estimate_memory(&self, model: ModelRef, options: LoadOptions) -> Events<EstimateEvent> {
        self.run(|events| {
            Command::Engine(EngineCommand::EstimateMemory {
                model,
                options,
                events,
            })
        })
    }

    /// What Hearth takes of this computer, about once a second, until the listener leaves.
    pub fn watch_usage(&self) -> Events<UsageEvent> {
        self.run(|events| Command::Engine(EngineCommand::WatchUsage { events }))
    }

    /// What the KV states of chats take on the disk.
    pub fn kv_stored(&self) -> Answer<ByteSize> {
        self.ask(|reply| Command::Engine(EngineCommand::KvStored { reply }))
    }

    /// Removes the KV states of all chats from the disk; gives the bytes that went.
    pub fn empty_kv_store(&self) -> Answer<ByteSize> {
        self.ask(|reply| Command::Engine(EngineCommand::EmptyKvStore { reply }))
    }
}

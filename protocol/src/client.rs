//! The handle of everyone who asks: one typed method per command.

mod chats;
mod engine;
mod presets;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crossbeam_channel::{Receiver, SendError, Sender, unbounded};

use crate::catalogue::search::{CatalogueQuery, SearchEvent};
use crate::catalogue::{DetailsEvent, DetailsRequest, ModelEdits, ModelSummary};
use crate::command::{
    CatalogueCommand, DownloadCommand, HubCommand, LibraryCommand, ServerCommand, SettingsCommand,
    WindowCommand,
};
use crate::download::{Download, DownloadEvent, DownloadRequest, QueuePlace};
use crate::engine::{LoadOptions, ModelRef};
use crate::hub::{HubAccount, HubStatus};
use crate::library::{
    Cleaned, DeleteRequest, DiskUse, FileDeleted, FileNotes, FileRecord, ImportEvent, ImportRequest,
    Inspection, Leftover, LibraryEvent, LibraryFile, ScanEvent, Source,
};
use crate::server::{ApiKey, ApiKeyId, NewApiKey, ServerConfig, ServerEvent, ServerStatus};
use crate::settings::{Settings, SettingsEvent};
use crate::window::{Handed, WindowEvent};
use crate::{
    Answer, Command, DownloadId, Error, EventSink, Events, FileId, ModelId, Reply, RequestId, RunEvent,
    Secret, Waker,
};

/// Commands that may wait for the dispatcher. It only routes, so more than a few is a fault.
const QUEUE_LENGTH: usize = 1024;

/// Asks the backend. Cheap to clone, usable from every thread; no method blocks.
#[derive(Debug, Clone)]
pub struct Client {
    commands: Sender<Command>,
    requests: Arc<AtomicU64>,
    waker: Waker,
}

impl Client {
    /// A client and the commands that reach the backend through it and its clones.
    pub fn new() -> (Self, Receiver<Command>) {
        // Not a bounded channel: that one keeps what is queued when its receiver goes, and nobody would be answered.
        let (commands, receiver) = unbounded();
        (
            Self {
                commands,
                requests: Arc::new(AtomicU64::new(1)),
                waker: Waker::none(),
            },
            receiver,
        )
    }

    /// A clone whose answers and events call `waker`.
    pub fn with_waker(&self, waker: Waker) -> Self {
        Self {
            waker,
            ..self.clone()
        }
    }

    /// The number of a run that is about to begin.
    pub(crate) fn next_run(&self) -> RequestId {
        RequestId(self.requests.fetch_add(1, Ordering::Relaxed))
    }

    /// Hands a command over; one that finds no place or no backend is answered with why.
    pub(crate) fn submit(&self, command: Command) {
        if self.commands.len() >= QUEUE_LENGTH {
            return command.refuse(Error::Busy {
                what: "the backend".into(),
                reason: "too many commands wait".into(),
            });
        }
        if let Err(SendError(command)) = self.commands.send(command) {
            command.refuse(Error::BackendGone);
        }
    }

    fn ask<T>(&self, command: impl FnOnce(Reply<T>) -> Command) -> Answer<T> {
        let (reply, answer) = Reply::new(self.waker.clone());
        self.submit(command(reply));
        answer
    }

    fn run<E: RunEvent>(&self, command: impl FnOnce(EventSink<E>) -> Command) -> Events<E> {
        let (sink, events) = EventSink::new(self.next_run(), self.waker.clone());
        self.submit(command(sink));
        events
    }
}

/// Models that can be had.
impl Client {
    /// Searches what this computer knows, and the hub. Dropping the events ends the question to the hub.
    pub fn search_catalogue(&self, query: CatalogueQuery) -> Events<SearchEvent> {
        self.run(|events| Command::Catalogue(CatalogueCommand::Search { query, events }))
    }

    /// The models Hearth picked.
    pub fn featured_models(&self) -> Answer<Vec<ModelSummary>> {
        self.ask(|reply| Command::Catalogue(CatalogueCommand::Featured { reply }))
    }

    /// Everything known of a model, at once and again as more is known. Dropping the events ends the questions to the
    /// hub.
    pub fn model_details(&self, request: DetailsRequest) -> Events<DetailsEvent> {
        self.run(|events| Command::Catalogue(CatalogueCommand::Details { request, events }))
    }

    /// Replaces what the person wrote of a model.
    pub fn edit_model(&self, model: ModelId, edits: ModelEdits) -> Answer<ModelSummary> {
        self.ask(|reply| Command::Catalogue(CatalogueCommand::Edit { model, edits, reply }))
    }
}

/// Model files on the disk.
impl Client {
    /// All files, damaged ones too, starter first, then by name.
    pub fn list_files(&self) -> Answer<Vec<LibraryFile>> {
        self.ask(|reply| Command::Library(LibraryCommand::List { reply }))
    }

    /// The listed files that a name stands for, damaged ones too, usable ones first; at least one.
    pub fn find_files(&self, model: ModelRef) -> Answer<Vec<LibraryFile>> {
        self.ask(|reply| Command::Library(LibraryCommand::Find { model, reply }))
    }

    /// Reads the folders anew and tells what was found and what was passed over.
    pub fn scan_library(&self) -> Events<ScanEvent> {
        self.run(|events| Command::Library(LibraryCommand::Scan { events }))
    }

    /// All files, now and after each change, until the listener leaves.
    pub fn watch_library(&self) -> Events<LibraryEvent> {
        self.run(|events| Command::Library(LibraryCommand::Watch { events }))
    }

    /// Takes a file into the library.
    pub fn import_file(&self, request: ImportRequest) -> Events<ImportEvent> {
        self.run(|events| Command::Library(LibraryCommand::Import { request, events }))
    }

    /// Gives a file another display name; `None` takes the one of the file again.
    pub fn rename_file(&self, file: FileId, name: Option<String>) -> Answer<LibraryFile> {
        self.ask(|reply| Command::Library(LibraryCommand::Rename { file, name, reply }))
    }

    /// What Hearth remembers of each listed file: what the person wrote, and when it answered last.
    pub fn file_records(&self) -> Answer<Vec<FileRecord>> {
        self.ask(|reply| Command::Library(LibraryCommand::Records { reply }))
    }

    /// Replaces what the person wrote of a file.
    pub fn write_file_notes(&self, file: FileId, notes: FileNotes) -> Answer<FileNotes> {
        self.ask(|reply| Command::Library(LibraryCommand::WriteNotes { file, notes, reply }))
    }

    /// Deletes a file from the disk; refused while it is loaded, and where another program's is not confirmed.
    pub fn delete_file(&self, request: DeleteRequest) -> Answer<FileDeleted> {
        self.ask(|reply| Command::Library(LibraryCommand::Delete { request, reply }))
    }

    /// Reads what a file says of itself.
    pub fn inspect_file(&self, file: FileId) -> Answer<Inspection> {
        self.ask(|reply| Command::Library(LibraryCommand::Inspect { file, reply }))
    }

    /// What the files take on the disk.
    pub fn disk_use(&self) -> Answer<DiskUse> {
        self.ask(|reply| Command::Library(LibraryCommand::DiskUse { reply }))
    }

    /// Files that are of no use any more, the largest first.
    pub fn leftovers(&self) -> Answer<Vec<Leftover>> {
        self.ask(|reply| Command::Library(LibraryCommand::Leftovers { reply }))
    }

    /// Removes leftovers, those of other programs only where they are confirmed.
    pub fn clean_leftovers(&self, paths: Vec<PathBuf>, confirmed: Vec<Source>) -> Answer<Cleaned> {
        self.ask(|reply| {
            Command::Library(LibraryCommand::Clean {
                paths,
                confirmed,
                reply,
            })
        })
    }
}

/// Downloads.
impl Client {
    /// Starts one, or gives the one that runs for this file.
    pub fn start_download(&self, request: DownloadRequest) -> Answer<DownloadId> {
        self.ask(|reply| Command::Download(DownloadCommand::Start { request, reply }))
    }

    /// Pauses one; what is on the disk is kept.
    pub fn pause_download(&self, download: DownloadId) -> Answer<()> {
        self.ask(|reply| Command::Download(DownloadCommand::Pause { download, reply }))
    }

    /// Goes on with a paused one.
    pub fn resume_download(&self, download: DownloadId) -> Answer<()> {
        self.ask(|reply| Command::Download(DownloadCommand::Resume { download, reply }))
    }

    /// Ends one and removes what is on the disk.
    pub fn cancel_download(&self, download: DownloadId) -> Answer<()> {
        self.ask(|reply| Command::Download(DownloadCommand::Cancel { download, reply }))
    }

    /// Tries a failed one again from where it stands.
    pub fn retry_download(&self, download: DownloadId) -> Answer<()> {
        self.ask(|reply| Command::Download(DownloadCommand::Retry { download, reply }))
    }

    /// Gives one another place in the queue.
    pub fn move_download(&self, download: DownloadId, to: QueuePlace) -> Answer<()> {
        self.ask(|reply| Command::Download(DownloadCommand::Move { download, to, reply }))
    }

    /// All downloads, in the order in which they come to their turn.
    pub fn list_downloads(&self) -> Answer<Vec<Download>> {
        self.ask(|reply| Command::Download(DownloadCommand::List { reply }))
    }

    /// News of all downloads until the listener leaves.
    pub fn watch_downloads(&self) -> Events<DownloadEvent> {
        self.run(|events| Command::Download(DownloadCommand::Subscribe { events }))
    }
}

/// The hub and the account there.
impl Client {
    /// How the hub is reached. Asks nobody.
    pub fn hub_status(&self) -> Answer<HubStatus> {
        self.ask(|reply| Command::Hub(HubCommand::Status { reply }))
    }

    /// Whose token is in use, as the hub says.
    pub fn hub_account(&self) -> Answer<HubAccount> {
        self.ask(|reply| Command::Hub(HubCommand::WhoAmI { reply }))
    }

    /// Keeps a token, after the hub has said whose it is.
    pub fn set_hub_token(&self, token: Secret) -> Answer<HubAccount> {
        self.ask(|reply| Command::Hub(HubCommand::SetToken { token, reply }))
    }

    /// Forgets the token that was kept.
    pub fn forget_hub_token(&self) -> Answer<()> {
        self.ask(|reply| Command::Hub(HubCommand::ForgetToken { reply }))
    }
}

/// The local HTTP server.
impl Client {
    /// Starts it.
    pub fn start_server(&self, config: ServerConfig) -> Answer<ServerStatus> {
        self.ask(|reply| Command::Server(ServerCommand::Start { config, reply }))
    }

    /// Stops it; running requests end properly.
    pub fn stop_server(&self) -> Answer<()> {
        self.ask(|reply| Command::Server(ServerCommand::Stop { reply }))
    }

    /// Whether it runs.
    pub fn server_status(&self) -> Answer<ServerStatus> {
        self.ask(|reply| Command::Server(ServerCommand::Status { reply }))
    }

    /// Its status, its log, kept lines first, and its keys, until the listener leaves.
    pub fn watch_server(&self) -> Events<ServerEvent> {
        self.run(|events| Command::Server(ServerCommand::Watch { events }))
    }

    /// Makes an API key, which is told once.
    pub fn make_api_key(&self, name: String) -> Answer<NewApiKey> {
        self.ask(|reply| Command::Server(ServerCommand::MakeKey { name, reply }))
    }

    /// The API keys there are, oldest first.
    pub fn list_api_keys(&self) -> Answer<Vec<ApiKey>> {
        self.ask(|reply| Command::Server(ServerCommand::ListKeys { reply }))
    }

    /// Takes an API key back.
    pub fn revoke_api_key(&self, key: ApiKeyId) -> Answer<()> {
        self.ask(|reply| Command::Server(ServerCommand::RevokeKey { key, reply }))
    }
}

/// The window.
impl Client {
    /// What other processes want of the window that asks, until it leaves.
    pub fn watch_window(&self) -> Events<WindowEvent> {
        self.run(|events| Command::Window(WindowCommand::Watch { events }))
    }

    /// Brings the window to the front, with what it shall show there; whether there is one.
    pub fn show_window(&self, handed: Option<Handed>) -> Answer<bool> {
        self.ask(|reply| Command::Window(WindowCommand::Show { handed, reply }))
    }
}

/// Settings.
impl Client {
    /// All settings.
    pub fn read_settings(&self) -> Answer<Settings> {
        self.ask(|reply| Command::Settings(SettingsCommand::Read { reply }))
    }

    /// All settings, now and after each change, until the listener leaves.
    pub fn watch_settings(&self) -> Events<SettingsEvent> {
        self.run(|events| Command::Settings(SettingsCommand::Watch { events }))
    }

    /// Replaces all settings, or refuses them whole.
    pub fn write_settings(&self, settings: Settings) -> Answer<Settings> {
        self.ask(|reply| {
            Command::Settings(SettingsCommand::Write {
                settings: Box::new(settings),
                reply,
            })
        })
    }

    /// Whether chats and settings can be stored.
    pub fn check_storage(&self) -> Answer<()> {
        self.ask(|reply| Command::Settings(SettingsCommand::CheckStorage { reply }))
    }

    /// Deletes all that Hearth keeps of the person, once it has ended. Model files stay.
    pub fn delete_all(&self) -> Answer<()> {
        self.ask(|reply| Command::Settings(SettingsCommand::DeleteAll { reply }))
    }

    /// Moves all that Hearth keeps to another folder, once it has ended: the whole path of one that is empty or not there yet.
    pub fn move_data(&self, to: PathBuf) -> Answer<()> {
        self.ask(|reply| Command::Settings(SettingsCommand::MoveData { to, reply }))
    }

    /// How a model is loaded when a request does not say it; `None` where nothing is remembered.
    pub fn read_load_options(&self, file: FileId) -> Answer<Option<LoadOptions>> {
        self.ask(|reply| Command::Settings(SettingsCommand::ReadLoadOptions { file, reply }))
    }

    /// Remembers how a model is loaded when a request does not say it; `None` forgets it.
    pub fn write_load_options(&self, file: FileId, options: Option<LoadOptions>) -> Answer<()> {
        self.ask(|reply| {
            Command::Settings(SettingsCommand::WriteLoadOptions {
                file,
                options: options.map(Box::new),
                reply,
            })
        })
    }
}

#[cfg(test)]
mod tests;

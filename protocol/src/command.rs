//! Everything the backend can be asked. Each variant carries the sender of its answer.
//!
//! A command whose feature is not built answers [`Error::NotYet`] with its
//! [`Command::name`]; none hangs.

use std::path::PathBuf;

use crate::catalogue::search::{CatalogueQuery, SearchEvent};
use crate::catalogue::{DetailsEvent, DetailsRequest, ModelEdits, ModelSummary};
use crate::chat::attachment::Attachment;
use crate::chat::list::{ChatsEvent, ExportRequest, Folder, Imported, SearchHit};
use crate::chat::preset::Preset;
use crate::chat::{
    Chat, ChatEvent, ChatSummary, Deleted, DraftToCount, NewMessage, ScrollPlace, TurnOptions, TurnRequest,
};
use crate::completion::{CompletionEvent, CompletionRequest};
use crate::download::{Download, DownloadEvent, DownloadRequest, QueuePlace};
use crate::embed::{EmbedEvent, EmbedRequest};
use crate::engine::{
    Device, EngineEvent, EstimateEvent, LoadEvent, LoadOptions, LoadRequest, LoadedModel, ModelRef,
    SlotAction, SlotDone, SlotState, UsageEvent,
};
use crate::hub::{HubAccount, HubStatus};
use crate::library::{
    Cleaned, DeleteRequest, DiskUse, FileDeleted, FileNotes, FileRecord, ImportEvent, ImportRequest,
    Inspection, Leftover, LibraryEvent, LibraryFile, ScanEvent, Source,
};
use crate::prompt::{TokenizeRequest, Tokenized};
use crate::server::{ApiKey, ApiKeyId, NewApiKey, ServerConfig, ServerEvent, ServerStatus};
use crate::settings::{Settings, SettingsEvent};
use crate::window::{Handed, WindowEvent};
use crate::wire::{Fields, Opening, WayBack};
use crate::{
    ByteSize, ChatId, DownloadId, Error, EventSink, FileId, FolderId, LoadedId, MessageId, ModelId, Reply,
    RequestId, Result, Secret, UndoToken,
};

/// A command to the backend, by the service that answers it.
#[derive(Debug)]
pub enum Command {
    /// Models that can be had.
    Catalogue(CatalogueCommand),
    /// Model files on the disk.
    Library(LibraryCommand),
    /// Downloads.
    Download(DownloadCommand),
    /// The hub and the account there.
    Hub(HubCommand),
    /// Models in memory.
    Engine(EngineCommand),
    /// Chats.
    Chat(ChatCommand),
    /// Named sets of options for chats.
    Preset(PresetCommand),
    /// The local HTTP server.
    Server(ServerCommand),
    /// Settings.
    Settings(SettingsCommand),
    /// The window.
    Window(WindowCommand),
}

/// Models that can be had.
#[derive(Debug)]
pub enum CatalogueCommand {
    /// Searches what this computer knows, and the hub.
    Search {
        /// For what.
        query: CatalogueQuery,
        /// The page, at once and again with the hub's answer.
        events: EventSink<SearchEvent>,
    },
    /// The models Hearth picked.
    Featured {
        /// Their cards, best first.
        reply: Reply<Vec<ModelSummary>>,
    },
    /// Everything known of a model.
    Details {
        /// Which.
        request: DetailsRequest,
        /// Card and files, at once and again as more is known.
        events: EventSink<DetailsEvent>,
    },
    /// Replaces what the person wrote of a model.
    Edit {
        /// The model.
        model: ModelId,
        /// All of it.
        edits: ModelEdits,
        /// The row as it is now.
        reply: Reply<ModelSummary>,
    },
}

/// Model files on the disk.
#[derive(Debug)]
pub enum LibraryCommand {
    /// All files, damaged ones too, starter first, then by name.
    List {
        /// The files.
        reply: Reply<Vec<LibraryFile>>,
    },
    /// The listed files that a name stands for, damaged ones too.
    Find {
        /// The model: a path, an id, a file's or a display name, or `owner/name` of the hub with a quantisation or none.
        model: ModelRef,
        /// One file or more, usable ones first; [`Error::NotFound`] with names there are.
        reply: Reply<Vec<LibraryFile>>,
    },
    /// Reads the folders anew and tells what was found and what was passed over.
    Scan {
        /// News.
        events: EventSink<ScanEvent>,
    },
    /// All files, now and after each change, until the listener leaves.
    Watch {
        /// News.
        events: EventSink<LibraryEvent>,
    },
    /// Takes a file into the library.
    Import {
        /// Which and how.
        request: ImportRequest,
        /// News.
        events: EventSink<ImportEvent>,
    },
    /// Gives a file another display name; on the disk nothing changes.
    Rename {
        /// The file.
        file: FileId,
        /// The name; `None` takes the one of the file again.
        name: Option<String>,
        /// The file as it is now.
        reply: Reply<LibraryFile>,
    },
    /// What Hearth remembers of each listed file.
    Records {
        /// One for each file, in the order of the list.
        reply: Reply<Vec<FileRecord>>,
    },
    /// Replaces what the person wrote of a file.
    WriteNotes {
        /// The file.
        file: FileId,
        /// All of it.
        notes: FileNotes,
        /// As it is stored.
        reply: Reply<FileNotes>,
    },
    /// Deletes a file from the disk; refused while it is in memory or on its way there, and where another program's is not confirmed.
    Delete {
        /// Which.
        request: DeleteRequest,
        /// What went with it.
        reply: Reply<FileDeleted>,
    },
    /// Reads what a file says of itself.
    Inspect {
        /// The file; a name or a path that finds it does for its id.
        file: FileId,
        /// Metadata, template, tensors.
        reply: Reply<Inspection>,
    },
    /// What the files take on the disk.
    DiskUse {
        /// The bytes.
        reply: Reply<DiskUse>,
    },
    /// Files that are of no use any more.
    Leftovers {
        /// The files, the largest first.
        reply: Reply<Vec<Leftover>>,
    },
    /// Removes leftovers.
    Clean {
        /// Their paths, as [`Self::Leftovers`] told them; what is none any more stays.
        paths: Vec<PathBuf>,
        /// Other programs whose leftovers may go too, after the person was told their names.
        confirmed: Vec<Source>,
        /// What went and what stayed.
        reply: Reply<Cleaned>,
    },
}

/// Downloads.
#[derive(Debug)]
pub enum DownloadCommand {
    /// Starts one, or gives the one that runs for this file.
    Start {
        /// What.
        request: DownloadRequest,
        /// Its id.
        reply: Reply<DownloadId>,
    },
    /// Pauses one that runs or waits; what is on the disk is kept. Of another nothing changes.
    Pause {
        /// Which.
        download: DownloadId,
        /// Done.
        reply: Reply<()>,
    },
    /// Goes on with one that is paused or has failed. Of another nothing changes.
    Resume {
        /// Which.
        download: DownloadId,
        /// Done.
        reply: Reply<()>,
    },
    /// Ends one in whatever state and removes what is on the disk; one that is done only leaves the list, and its file
    /// stays. An unknown one is none too, so that cancelling twice is no fault.
    Cancel {
        /// Which.
        download: DownloadId,
        /// Done.
        reply: Reply<()>,
    },
    /// Tries a failed one again from where it stands.
    Retry {
        /// Which.
        download: DownloadId,
        /// Done.
        reply: Reply<()>,
    },
    /// Gives one another place in the queue.
    Move {
        /// Which.
        download: DownloadId,
        /// Where to.
        to: QueuePlace,
        /// Done.
        reply: Reply<()>,
    },
    /// All downloads, in the order in which they come to their turn.
    List {
        /// The downloads.
        reply: Reply<Vec<Download>>,
    },
    /// All downloads, then news of them until the listener leaves.
    Subscribe {
        /// News.
        events: EventSink<DownloadEvent>,
    },
}

/// The hub and the account there.
#[derive(Debug)]
pub enum HubCommand {
    /// How it is reached. Asks nobody.
    Status {
        /// The status.
        reply: Reply<HubStatus>,
    },
    /// Whose token is in use, as the hub says.
    WhoAmI {
        /// The account; [`Error::NotSignedIn`] where there is no token.
        reply: Reply<HubAccount>,
    },
    /// Keeps a token, after the hub has said whose it is; one that it refuses is not kept.
    SetToken {
        /// The token.
        token: Secret,
        /// Whose it is.
        reply: Reply<HubAccount>,
    },
    /// Forgets the token that was kept. Those of the environment and of other programs stay.
    ForgetToken {
        /// Done.
        reply: Reply<()>,
    },
}

/// Models in memory.
#[derive(Debug)]
pub enum EngineCommand {
    /// Brings a model into memory. One that is loaded already with the same options is given at once.
    Load {
        /// Which and how.
        request: LoadRequest,
        /// Progress, then the loaded model.
        events: EventSink<LoadEvent>,
    },
    /// Ends a load that runs.
    CancelLoad {
        /// The load's run.
        request: RequestId,
        /// Done, also where the load is over already.
        reply: Reply<()>,
    },
    /// Takes a model out of memory; an answer it writes ends with `ModelEjected`.
    Eject {
        /// Which.
        model: LoadedId,
        /// Its memory is free.
        reply: Reply<()>,
    },
    /// Takes the model of a file out of memory, or ends its load; an answer that it writes or that waits for it ends with
    /// `ModelEjected`.
    EjectFile {
        /// Which.
        file: FileId,
        /// Its memory is free. `NotFound` where it is neither in memory nor on its way there.
        reply: Reply<()>,
    },
    /// The models in memory.
    ListLoaded {
        /// The models, newest first.
        reply: Reply<Vec<LoadedModel>>,
    },
    /// The models in memory, now and after each change, until the listener leaves.
    Watch {
        /// News.
        events: EventSink<EngineEvent>,
    },
    /// The model that would answer where none is named.
    Answering {
        /// Its file.
        reply: Reply<LibraryFile>,
    },
    /// Makes an answer that belongs to no chat, loading the model first where needed.
    Complete {
        /// What to answer and how.
        request: Box<CompletionRequest>,
        /// The answer. The listener's leaving stops it.
        events: EventSink<CompletionEvent>,
    },
    /// Turns a text into tokens, loading the model first where needed.
    Tokenize {
        /// The text.
        request: Box<TokenizeRequest>,
        /// Its tokens.
        reply: Reply<Tokenized>,
    },
    /// Turns tokens into text, loading the model first where needed.
    Detokenize {
        /// The model; `None` takes the one that would answer.
        model: Option<ModelRef>,
        /// The tokens' ids.
        tokens: Vec<u32>,
        /// The text; what is no UTF-8 becomes U+FFFD.
        reply: Reply<String>,
    },
    /// The places in which a loaded model computes.
    Slots {
        /// The model.
        model: LoadedId,
        /// Its slots, by number.
        reply: Reply<Vec<SlotState>>,
    },
    /// Keeps, brings back or forgets what a slot knows. It waits until the slot does nothing.
    ChangeSlot {
        /// The model.
        model: LoadedId,
        /// The slot's number.
        slot: u32,
        /// What to do.
        action: SlotAction,
        /// What was done.
        reply: Reply<SlotDone>,
    },
    /// Turns texts into vectors, loading the model first where needed.
    Embed {
        /// Which and how.
        request: EmbedRequest,
        /// Progress, then the vectors. The listener's leaving stops the work.
        events: EventSink<EmbedEvent>,
    },
    /// What can compute.
    Devices {
        /// The devices.
        reply: Reply<Vec<Device>>,
    },
    /// What a load would take.
    EstimateMemory {
        /// The model.
        model: ModelRef,
        /// How it would be loaded.
        options: LoadOptions,
        /// The estimate, roughly at once and then exactly. The listener's leaving stops the work.
        events: EventSink<EstimateEvent>,
    },
    /// What Hearth takes of this computer, at once and then about once a second, until the listener leaves. It is measured
    /// only while somebody listens.
    WatchUsage {
        /// News.
        events: EventSink<UsageEvent>,
    },
    /// What the KV states of chats take on the disk.
    KvStored {
        /// The bytes.
        reply: Reply<ByteSize>,
    },
    /// Removes the KV states of all chats from the disk. A chat that goes on is read anew; no message is lost.
    EmptyKvStore {
        /// The bytes that went.
        reply: Reply<ByteSize>,
    },
}

/// Chats.
#[derive(Debug)]
pub enum ChatCommand {
    /// Stores a message and answers it.
    Send {
        /// The message.
        turn: Box<TurnRequest>,
        /// The answer.
        events: EventSink<ChatEvent>,
    },
    /// Stops an answer; its text so far stays.
    Stop {
        /// The answer's run.
        request: RequestId,
        /// Done, also where the answer is over already.
        reply: Reply<()>,
    },
    /// Answers the same message again, as a further version.
    Regenerate {
        /// The answer to make anew.
        message: MessageId,
        /// How.
        options: Box<TurnOptions>,
        /// The answer.
        events: EventSink<ChatEvent>,
    },
    /// Stores a message at the end of a chat without answering it.
    Insert {
        /// The message.
        message: Box<NewMessage>,
        /// The chat with it.
        reply: Reply<Chat>,
    },
    /// Stores a changed text of a message as a further version and shows it. What stands below the other versions stays
    /// there.
    Edit {
        /// The message.
        message: MessageId,
        /// The new text.
        text: String,
        /// The chat along the new version.
        reply: Reply<Chat>,
    },
    /// Goes on with an answer that ended early, as the same message.
    Continue {
        /// The answer: the last message of its chat.
        message: MessageId,
        /// How.
        options: Box<TurnOptions>,
        /// What comes.
        events: EventSink<ChatEvent>,
    },
    /// Copies a chat with all versions of its messages.
    Duplicate {
        /// The chat.
        chat: ChatId,
        /// The new chat.
        reply: Reply<ChatSummary>,
    },
    /// Copies the chat up to a message into a new chat.
    Branch {
        /// The last message to copy.
        message: MessageId,
        /// The new chat.
        reply: Reply<ChatSummary>,
    },
    /// Shows another version of a message.
    SelectVersion {
        /// The version to show, or one beside it.
        message: MessageId,
        /// The number of the version to show, from 0, as in [`Message::version`](crate::chat::Message::version); `None`
        /// shows `message` itself.
        version: Option<u32>,
        /// The chat along it.
        reply: Reply<Chat>,
    },
    /// Deletes a message and what stands below it.
    DeleteMessage {
        /// The message.
        message: MessageId,
        /// How to undo it.
        reply: Reply<Deleted>,
    },
    /// All chats, pinned first, then the newest.
    List {
        /// Their rows.
        reply: Reply<Vec<ChatSummary>>,
    },
    /// A chat with the path that is shown.
    Open {
        /// The chat.
        chat: ChatId,
        /// The chat.
        reply: Reply<Chat>,
    },
    /// Gives a title.
    Rename {
        /// The chat.
        chat: ChatId,
        /// The title; not blank.
        title: String,
        /// The row as it is now.
        reply: Reply<ChatSummary>,
    },
    /// Puts a chat at the top, or takes it from there.
    Pin {
        /// The chat.
        chat: ChatId,
        /// Which of the two.
        pinned: bool,
        /// The row as it is now.
        reply: Reply<ChatSummary>,
    },
    /// Moves a chat to a folder.
    Move {
        /// The chat.
        chat: ChatId,
        /// The folder; `None` takes it out.
        folder: Option<FolderId>,
        /// The row as it is now.
        reply: Reply<ChatSummary>,
    },
    /// Deletes a chat.
    Delete {
        /// The chat.
        chat: ChatId,
        /// How to undo it.
        reply: Reply<Deleted>,
    },
    /// Brings back what was deleted.
    Undo {
        /// What the delete gave.
        token: UndoToken,
        /// The chat it belongs to.
        reply: Reply<ChatSummary>,
    },
    /// The list of chats and its folders, now and after each change, until the listener leaves.
    Watch {
        /// News.
        events: EventSink<ChatsEvent>,
    },
    /// The folders, by name.
    ListFolders {
        /// The folders.
        reply: Reply<Vec<Folder>>,
    },
    /// Makes a folder.
    MakeFolder {
        /// Its name; not blank, and no other folder's.
        name: String,
        /// The folder, empty.
        reply: Reply<Folder>,
    },
    /// Gives a folder another name.
    RenameFolder {
        /// The folder.
        folder: FolderId,
        /// Its name; not blank, and no other folder's.
        name: String,
        /// The folder as it is now.
        reply: Reply<Folder>,
    },
    /// Deletes a folder. Its chats stay, outside of it.
    DeleteFolder {
        /// The folder.
        folder: FolderId,
        /// Done.
        reply: Reply<()>,
    },
    /// Replaces all that is kept of how a chat is answered, its instructions too.
    WriteOptions {
        /// The chat.
        chat: ChatId,
        /// All of it.
        options: Box<TurnOptions>,
        /// Done.
        reply: Reply<()>,
    },
    /// How a model answers where neither request nor chat says it.
    ReadDefaults {
        /// The model's file.
        file: FileId,
        /// What is remembered; nothing is set where nothing is.
        reply: Reply<TurnOptions>,
    },
    /// Remembers how a model answers where neither request nor chat says it.
    WriteDefaults {
        /// The model's file.
        file: FileId,
        /// All of it; nothing set forgets it. A model may not be named.
        options: Box<TurnOptions>,
        /// Done.
        reply: Reply<()>,
    },
    /// What was typed and not sent.
    ReadDraft {
        /// Where; `None` in a chat that is not begun.
        chat: Option<ChatId>,
        /// The text; empty where there is none.
        reply: Reply<String>,
    },
    /// Keeps what is typed. Sending a message in a chat empties it there.
    WriteDraft {
        /// Where; `None` in a chat that is not begun.
        chat: Option<ChatId>,
        /// The text; empty for none.
        text: String,
        /// Done.
        reply: Reply<()>,
    },
    /// Keeps where the view of a chat stands.
    WritePlace {
        /// The chat.
        chat: ChatId,
        /// Where; `None` at the end.
        place: Option<ScrollPlace>,
        /// Done.
        reply: Reply<()>,
    },
    /// Reads a file of text that shall stand beside a message.
    ReadAttachment {
        /// The file.
        path: PathBuf,
        /// Its name and text; [`Error::Invalid`] where it is no text or too long.
        reply: Reply<Attachment>,
    },
    /// Counts the tokens of a text that would be sent. No model is loaded for it.
    CountTokens {
        /// The text.
        draft: Box<DraftToCount>,
        /// Its tokens, without what the template writes around them; `None` where the model is not in memory.
        reply: Reply<Option<u32>>,
    },
    /// Searches titles and texts.
    Search {
        /// The words, all of which must be there, each at the beginning of a word.
        words: String,
        /// The hits: titles first, then messages, the newest first of each.
        reply: Reply<Vec<SearchHit>>,
    },
    /// Writes a chat to a file.
    Export {
        /// Which, how and where to.
        request: ExportRequest,
        /// Done.
        reply: Reply<()>,
    },
    /// Writes all chats whole to one file, to be imported again.
    ExportAll {
        /// The file to write; an existing one is refused.
        path: PathBuf,
        /// How many chats.
        reply: Reply<u32>,
    },
    /// Reads chats from a file of ours, ChatGPT's or LM Studio's, or from a folder of LM Studio's.
    Import {
        /// The file or folder.
        path: PathBuf,
        /// The chats it brought: all of them, or none where it is damaged.
        reply: Reply<Imported>,
    },
}

/// Named sets of options for chats.
#[derive(Debug)]
pub enum PresetCommand {
    /// All presets, those of the person first, by name.
    List {
        /// The presets.
        reply: Reply<Vec<Preset>>,
    },
    /// Saves a set under a name, in place of one of the person's that has it.
    Save {
        /// The name; not blank, and none of those that came with Hearth.
        name: String,
        /// What it sets.
        options: Box<TurnOptions>,
        /// The preset as stored.
        reply: Reply<Preset>,
    },
    /// Gives one of the person's another name.
    Rename {
        /// Its name.
        name: String,
        /// The new one; no other preset's.
        to: String,
        /// The preset as it is now.
        reply: Reply<Preset>,
    },
    /// Deletes one of the person's.
    Delete {
        /// Its name.
        name: String,
        /// Done.
        reply: Reply<()>,
    },
    /// Writes one to a file.
    Export {
        /// Its name.
        name: String,
        /// The file to write; an existing one is refused.
        path: PathBuf,
        /// Done.
        reply: Reply<()>,
    },
    /// Reads one from a file. Where its name is taken it gets a number behind it.
    Import {
        /// The file.
        path: PathBuf,
        /// The preset as stored.
        reply: Reply<Preset>,
    },
}

/// The local HTTP server.
#[derive(Debug)]
pub enum ServerCommand {
    /// Starts it; one that runs goes on this way, and so do the requests that run.
    Start {
        /// How.
        config: ServerConfig,
        /// Where it listens.
        reply: Reply<ServerStatus>,
    },
    /// Stops it; running requests end properly.
    Stop {
        /// Done, the port is free.
        reply: Reply<()>,
    },
    /// Whether it runs.
    Status {
        /// The status.
        reply: Reply<ServerStatus>,
    },
    /// Its status, its log, kept lines first, and its keys, until the listener leaves.
    Watch {
        /// News.
        events: EventSink<ServerEvent>,
    },
    /// Makes an API key.
    MakeKey {
        /// What it is for; not blank.
        name: String,
        /// The key. It is told once.
        reply: Reply<NewApiKey>,
    },
    /// The API keys there are.
    ListKeys {
        /// The keys, oldest first.
        reply: Reply<Vec<ApiKey>>,
    },
    /// Takes an API key back. Requests that came with it before go on.
    RevokeKey {
        /// Which.
        key: ApiKeyId,
        /// Done.
        reply: Reply<()>,
    },
}

/// Settings.
#[derive(Debug)]
pub enum SettingsCommand {
    /// All settings.
    Read {
        /// The settings.
        reply: Reply<Settings>,
    },
    /// All settings, now and after each change, until the listener leaves.
    Watch {
        /// News.
        events: EventSink<SettingsEvent>,
    },
    /// Replaces all settings, or refuses them whole: also where the server runs and cannot serve as they say.
    Write {
        /// The settings.
        settings: Box<Settings>,
        /// The settings as stored.
        reply: Reply<Settings>,
    },
    /// Whether chats and settings can be stored, for a warning before anything is written.
    CheckStorage {
        /// Done where they can; else what every write is answered with until Hearth starts again:
        /// [`Error::NewerDatabase`] or [`Error::Storage`].
        reply: Reply<()>,
    },
    /// Deletes all that Hearth keeps of the person, once it has ended: chats, settings, what was searched and downloaded,
    /// keys, logs, the hub's token at once. Model files stay. Where Hearth ends before it is done, the next start goes on.
    DeleteAll {
        /// It will be done.
        reply: Reply<()>,
    },
    /// Moves all that Hearth keeps to another folder, once it has ended; every later start finds it there. Where Hearth ends
    /// before it is done, the next start goes on; what cannot be moved stays where it was, whole.
    MoveData {
        /// The whole path of a folder that is empty or not there yet.
        to: PathBuf,
        /// It will be done; else [`Error::Invalid`] for a place that does not do, [`Error::DiskFull`], or [`Error::File`]
        /// where nothing can be written there.
        reply: Reply<()>,
    },
    /// How a model is loaded when a request does not say it.
    ReadLoadOptions {
        /// The model's file.
        file: FileId,
        /// What is remembered; `None` where nothing is, so that the settings' defaults count.
        reply: Reply<Option<LoadOptions>>,
    },
    /// Remembers how a model is loaded when a request does not say it.
    WriteLoadOptions {
        /// The model's file.
        file: FileId,
        /// How; `None` forgets it.
        options: Option<Box<LoadOptions>>,
        /// Done.
        reply: Reply<()>,
    },
}

/// The window.
#[derive(Debug)]
pub enum WindowCommand {
    /// What other processes want of the window that asks. The newest that asks is told.
    Watch {
        /// News.
        events: EventSink<WindowEvent>,
    },
    /// Brings the window to the front.
    Show {
        /// What it shall show, where the asking process was started with something.
        handed: Option<Handed>,
        /// Whether there is one that was told; not where Hearth runs without.
        reply: Reply<bool>,
    },
}

/// Gives each command its name, a way to refuse it whatever sender it carries, and a way over the wire.
macro_rules! commands {
    ($($group:ident($kind:ident::$variant:ident { $($field:ident),* }, $sender:ident) = $name:literal,)*) => {
        impl Command {
            /// The names of all commands.
            pub const NAMES: &[&str] = &[$($name),*];

            /// The command's name, such as `chat.send`, for logs and refusals.
            pub fn name(&self) -> &'static str {
                match self {
                    $(Self::$group($kind::$variant { .. }) => $name,)*
                }
            }

            /// Answers with an error, whichever kind of answer the command carries.
            pub fn refuse(self, error: Error) {
                match self {
                    $(Self::$group($kind::$variant { $sender, .. }) => $sender.refuse(error),)*
                }
            }

            /// Its fields as JSON, and the way back of its answer.
            pub(crate) fn take_apart(self) -> (Fields, Box<dyn WayBack>) {
                match self {
                    $(Self::$group($kind::$variant { $($field,)* $sender }) => {
                        (Fields::default()$(.with(stringify!($field), &$field))*, Box::new($sender))
                    })*
                }
            }

            /// The command of this name with these fields, whose answer goes where `opening` says.
            ///
            /// # Errors
            /// [`Error::Invalid`] for a name that is not known and for fields that do not belong to it.
            pub(crate) fn put_together(name: &str, fields: &mut Fields, opening: &mut Opening<'_>) -> Result<Self> {
                Ok(match name {
                    $($name => Self::$group($kind::$variant {
                        $($field: fields.take(name, stringify!($field))?,)*
                        $sender: opening.open(),
                    }),)*
                    _ => return Err(Error::invalid(
                        name,
                        "is a command that the Hearth which runs does not know; it is of another version",
                    )),
                })
            }
        }
    };
}

impl Command {
    /// The run that the command is about, where it is about one.
    pub(crate) fn run_meant(&mut self) -> Option<&mut RequestId> {
        match self {
            Self::Engine(EngineCommand::CancelLoad { request, .. })
            | Self::Chat(ChatCommand::Stop { request, .. }) => Some(request),
            _ => None,
        }
    }
}

commands! {
    Catalogue(CatalogueCommand::Search { query }, events) = "catalogue.search",
    Catalogue(CatalogueCommand::Featured {}, reply) = "catalogue.featured",
    Catalogue(CatalogueCommand::Details { request }, events) = "catalogue.details",
    Catalogue(CatalogueCommand::Edit { model, edits }, reply) = "catalogue.edit",
    Library(LibraryCommand::List {}, reply) = "library.list",
    Library(LibraryCommand::Find { model }, reply) = "library.find",
    Library(LibraryCommand::Scan {}, events) = "library.scan",
    Library(LibraryCommand::Watch {}, events) = "library.watch",
    Library(LibraryCommand::Import { request }, events) = "library.import",
    Library(LibraryCommand::Rename { file, name }, reply) = "library.rename",
    Library(LibraryCommand::Records {}, reply) = "library.records",
    Library(LibraryCommand::WriteNotes { file, notes }, reply) = "library.write_notes",
    Library(LibraryCommand::Delete { request }, reply) = "library.delete",
    Library(LibraryCommand::Inspect { file }, reply) = "library.inspect",
    Library(LibraryCommand::DiskUse {}, reply) = "library.disk_use",
    Library(LibraryCommand::Leftovers {}, reply) = "library.leftovers",
    Library(LibraryCommand::Clean { paths, confirmed }, reply) = "library.clean",
    Download(DownloadCommand::Start { request }, reply) = "download.start",
    Download(DownloadCommand::Pause { download }, reply) = "download.pause",
    Download(DownloadCommand::Resume { download }, reply) = "download.resume",
    Download(DownloadCommand::Cancel { download }, reply) = "download.cancel",
    Download(DownloadCommand::Retry { download }, reply) = "download.retry",
    Download(DownloadCommand::Move { download, to }, reply) = "download.move",
    Download(DownloadCommand::List {}, reply) = "download.list",
    Download(DownloadCommand::Subscribe {}, events) = "download.subscribe",
    Hub(HubCommand::Status {}, reply) = "hub.status",
    Hub(HubCommand::WhoAmI {}, reply) = "hub.who_am_i",
    Hub(HubCommand::SetToken { token }, reply) = "hub.set_token",
    Hub(HubCommand::ForgetToken {}, reply) = "hub.forget_token",
    Engine(EngineCommand::Load { request }, events) = "engine.load",
    Engine(EngineCommand::CancelLoad { request }, reply) = "engine.cancel_load",
    Engine(EngineCommand::Eject { model }, reply) = "engine.eject",
    Engine(EngineCommand::EjectFile { file }, reply) = "engine.eject_file",
    Engine(EngineCommand::ListLoaded {}, reply) = "engine.list_loaded",
    Engine(EngineCommand::Watch {}, events) = "engine.watch",
    Engine(EngineCommand::Answering {}, reply) = "engine.answering",
    Engine(EngineCommand::Complete { request }, events) = "engine.complete",
    Engine(EngineCommand::Tokenize { request }, reply) = "engine.tokenize",
    Engine(EngineCommand::Detokenize { model, tokens }, reply) = "engine.detokenize",
    Engine(EngineCommand::Slots { model }, reply) = "engine.slots",
    Engine(EngineCommand::ChangeSlot { model, slot, action }, reply) = "engine.change_slot",
    Engine(EngineCommand::Embed { request }, events) = "engine.embed",
    Engine(EngineCommand::Devices {}, reply) = "engine.devices",
    Engine(EngineCommand::EstimateMemory { model, options }, events) = "engine.estimate_memory",
    Engine(EngineCommand::WatchUsage {}, events) = "engine.watch_usage",
    Engine(EngineCommand::KvStored {}, reply) = "engine.kv_stored",
    Engine(EngineCommand::EmptyKvStore {}, reply) = "engine.empty_kv_store",
    Chat(ChatCommand::Send { turn }, events) = "chat.send",
    Chat(ChatCommand::Stop { request }, reply) = "chat.stop",
    Chat(ChatCommand::Regenerate { message, options }, events) = "chat.regenerate",
    Chat(ChatCommand::Insert { message }, reply) = "chat.insert",
    Chat(ChatCommand::Edit { message, text }, reply) = "chat.edit",
    Chat(ChatCommand::Continue { message, options }, events) = "chat.continue",
    Chat(ChatCommand::Duplicate { chat }, reply) = "chat.duplicate",
    Chat(ChatCommand::Branch { message }, reply) = "chat.branch",
    Chat(ChatCommand::SelectVersion { message, version }, reply) = "chat.select_version",
    Chat(ChatCommand::DeleteMessage { message }, reply) = "chat.delete_message",
    Chat(ChatCommand::List {}, reply) = "chat.list",
    Chat(ChatCommand::Open { chat }, reply) = "chat.open",
    Chat(ChatCommand::Rename { chat, title }, reply) = "chat.rename",
    Chat(ChatCommand::Pin { chat, pinned }, reply) = "chat.pin",
    Chat(ChatCommand::Move { chat, folder }, reply) = "chat.move",
    Chat(ChatCommand::Delete { chat }, reply) = "chat.delete",
    Chat(ChatCommand::Undo { token }, reply) = "chat.undo",
    Chat(ChatCommand::Watch {}, events) = "chat.watch",
    Chat(ChatCommand::ListFolders {}, reply) = "chat.list_folders",
    Chat(ChatCommand::MakeFolder { name }, reply) = "chat.make_folder",
    Chat(ChatCommand::RenameFolder { folder, name }, reply) = "chat.rename_folder",
    Chat(ChatCommand::DeleteFolder { folder }, reply) = "chat.delete_folder",
    Chat(ChatCommand::WriteOptions { chat, options }, reply) = "chat.write_options",
    Chat(ChatCommand::ReadDefaults { file }, reply) = "chat.read_defaults",
    Chat(ChatCommand::WriteDefaults { file, options }, reply) = "chat.write_defaults",
    Chat(ChatCommand::ReadDraft { chat }, reply) = "chat.read_draft",
    Chat(ChatCommand::WriteDraft { chat, text }, reply) = "chat.write_draft",
    Chat(ChatCommand::WritePlace { chat, place }, reply) = "chat.write_place",
    Chat(ChatCommand::ReadAttachment { path }, reply) = "chat.read_attachment",
    Chat(ChatCommand::CountTokens { draft }, reply) = "chat.count_tokens",
    Chat(ChatCommand::Search { words }, reply) = "chat.search",
    Chat(ChatCommand::Export { request }, reply) = "chat.export",
    Chat(ChatCommand::ExportAll { path }, reply) = "chat.export_all",
    Chat(ChatCommand::Import { path }, reply) = "chat.import",
    Preset(PresetCommand::List {}, reply) = "preset.list",
    Preset(PresetCommand::Save { name, options }, reply) = "preset.save",
    Preset(PresetCommand::Rename { name, to }, reply) = "preset.rename",
    Preset(PresetCommand::Delete { name }, reply) = "preset.delete",
    Preset(PresetCommand::Export { name, path }, reply) = "preset.export",
    Preset(PresetCommand::Import { path }, reply) = "preset.import",
    Server(ServerCommand::Start { config }, reply) = "server.start",
    Server(ServerCommand::Stop {}, reply) = "server.stop",
    Server(ServerCommand::Status {}, reply) = "server.status",
    Server(ServerCommand::Watch {}, events) = "server.watch",
    Server(ServerCommand::MakeKey { name }, reply) = "server.make_key",
    Server(ServerCommand::ListKeys {}, reply) = "server.list_keys",
    Server(ServerCommand::RevokeKey { key }, reply) = "server.revoke_key",
    Settings(SettingsCommand::Read {}, reply) = "settings.read",
    Settings(SettingsCommand::Watch {}, events) = "settings.watch",
    Settings(SettingsCommand::Write { settings }, reply) = "settings.write",
    Settings(SettingsCommand::CheckStorage {}, reply) = "settings.check_storage",
    Settings(SettingsCommand::DeleteAll {}, reply) = "settings.delete_all",
    Settings(SettingsCommand::MoveData { to }, reply) = "settings.move_data",
    Settings(SettingsCommand::ReadLoadOptions { file }, reply) = "settings.read_load_options",
    Settings(SettingsCommand::WriteLoadOptions { file, options }, reply) = "settings.write_load_options",
    Window(WindowCommand::Watch {}, events) = "window.watch",
    Window(WindowCommand::Show { handed }, reply) = "window.show",
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Waker;

    #[test]
    fn a_refused_command_answers_through_its_own_sender() {
        let (reply, answer) = Reply::new(Waker::none());
        let command = Command::Chat(ChatCommand::Branch {
            message: MessageId(1),
            reply,
        });
        assert_eq!(command.name(), "chat.branch");
        command.refuse(Error::not_yet("chat.branch"));
        assert_eq!(answer.wait(), Err(Error::not_yet("chat.branch")));

        let (events, listener) = EventSink::new(RequestId(1), Waker::none());
        Command::Library(LibraryCommand::Scan { events }).refuse(Error::Cancelled);
        assert_eq!(listener.next(), Some(ScanEvent::Failed(Error::Cancelled)));
        assert_eq!(listener.next(), None);
    }
}

//! What the state wants done, as data: by the backend, or by the window.
//!
//! Names no toolkit and does nothing itself. `bridge` carries out the one half, the window the other.

pub(crate) mod composer;
pub(crate) mod discover;
pub(crate) mod downloads;
pub(crate) mod load;
pub(crate) mod my_models;
pub(crate) mod panel;
pub(crate) mod server;
pub(crate) mod settings;

use std::path::PathBuf;

use hearth_protocol::chat::list::ExportRequest;
use hearth_protocol::chat::{Role, ScrollPlace, TurnOptions, TurnRequest};
use hearth_protocol::engine::LoadRequest;
use hearth_protocol::settings::{Settings, Zoom};
use hearth_protocol::{ChatId, FileId, FolderId, LoadedId, MessageId, ModelId, UndoToken};

use crate::state::appearance::Look;
use crate::state::chats::RowKey;
use crate::state::composer::draft::Unsent;
use crate::state::conversation::ConversationKey;

use composer::ComposerEffect;
use discover::DiscoverEffect;
use downloads::DownloadsEffect;
use load::LoadEffect;
use my_models::MyModelsEffect;
use panel::PanelEffect;
use server::ServerEffect;
use settings::SettingsEffect;

/// Something to be done after an update.
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "a few effects for each thing a person does; each is moved twice"
)]
pub(crate) enum Effect {
    /// For the backend; its answer comes as [`News`](crate::msg::News).
    Backend(BackendEffect),
    /// For the window.
    Window(WindowEffect),
}

/// The state's name for an answer or a load it asked for. The bridge knows the `RequestId` behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Run(pub(crate) u64);

/// Something the backend is asked for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum BackendEffect {
    /// Tells the settings, now and after each change, whoever makes it.
    WatchSettings,
    /// Stores the settings.
    WriteSettings(Box<Settings>),
    /// Tells what other processes want of the window.
    WatchWindow,
    /// Asks whether anything can be stored.
    CheckStorage,
    /// Tells the list of chats, now and after each change.
    WatchChats,
    /// Searches the chats. Takes the place of a search that runs.
    Search {
        /// The search's run.
        run: Run,
        /// The words.
        words: String,
    },
    /// Reads a chat.
    OpenChat(ChatId),
    /// Gives a chat a title.
    RenameChat {
        /// Which.
        chat: ChatId,
        /// The title, not blank.
        title: String,
    },
    /// Deletes a chat.
    DeleteChat(ChatId),
    /// Puts a chat at the top, or takes it from there.
    PinChat {
        /// Which.
        chat: ChatId,
        /// Which of the two.
        pinned: bool,
    },
    /// Moves a chat.
    MoveChat {
        /// Which.
        chat: ChatId,
        /// Where to.
        folder: Option<FolderId>,
    },
    /// Copies a chat.
    DuplicateChat(ChatId),
    /// Copies a chat up to a message.
    Branch(MessageId),
    /// Makes a folder.
    MakeFolder {
        /// Its name, not blank.
        name: String,
        /// The chat that goes into it; comes back with the answer.
        holds: Option<ChatId>,
    },
    /// Gives a folder another name.
    RenameFolder {
        /// Which.
        folder: FolderId,
        /// The name, not blank.
        name: String,
    },
    /// Deletes a folder.
    DeleteFolder(FolderId),
    /// Writes a chat to a file.
    Export(ExportRequest),
    /// Reads chats from a file.
    Import(PathBuf),
    /// Changes the messages of a chat.
    Change {
        /// In which conversation; comes back with the answer.
        conversation: ConversationKey,
        /// How.
        change: ChatChange,
    },
    /// Deletes a message and what follows it.
    DeleteMessage {
        /// Which.
        message: MessageId,
        /// Its chat; comes back with the answer.
        chat: ChatId,
        /// How it begins; comes back with the answer.
        beginning: String,
    },
    /// Reads what was typed in a new chat.
    ReadDraft,
    /// Keeps what is typed.
    WriteDraft {
        /// Where; `None` in a new chat.
        chat: Option<ChatId>,
        /// The text.
        text: String,
    },
    /// Keeps where the view of a chat stands.
    WritePlace {
        /// Which.
        chat: ChatId,
        /// Where.
        place: Option<ScrollPlace>,
    },
    /// Brings a chat back.
    Undo {
        /// What the delete gave.
        token: UndoToken,
        /// Whether it is to be shown; comes back with the answer.
        reopen: bool,
    },
    /// Lists the model files.
    ListFiles,
    /// Asks the catalogue what it knows of a model. Opens no connection.
    LookUp(ModelId),
    /// Tells the models in memory, now and after each change.
    WatchEngine,
    /// Sends a message and makes an answer.
    Send {
        /// The answer's run.
        run: Run,
        /// The message.
        turn: TurnRequest,
    },
    /// Makes an answer anew.
    Regenerate {
        /// The answer's run.
        run: Run,
        /// The old answer.
        message: MessageId,
        /// How.
        options: TurnOptions,
    },
    /// Goes on with an answer.
    Continue {
        /// The answer's run.
        run: Run,
        /// The answer.
        message: MessageId,
        /// How.
        options: TurnOptions,
    },
    /// Stops an answer.
    Stop(Run),
    /// Loads a model.
    Load {
        /// The load's run.
        run: Run,
        /// Which and how.
        request: LoadRequest,
    },
    /// For the dialog that sets how a model is loaded.
    LoadDialog(LoadEffect),
    /// Ends a load.
    CancelLoad(Run),
    /// Takes a model out of memory.
    Eject(LoadedId),
    /// Something about a draft.
    Composer(ComposerEffect),
    /// Something of presets or settings of a chat.
    Panel(PanelEffect),
    /// Something of the page of model files.
    MyModels(MyModelsEffect),
    /// Something of the server.
    Server(ServerEffect),
    /// Something of models that can be had.
    Discover(DiscoverEffect),
    /// Something of downloads.
    Downloads(DownloadsEffect),
    /// Something for the page of settings.
    SettingsPage(SettingsEffect),
}

/// What is changed of a chat in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowChange {
    /// Its title.
    Title,
    /// Whether it stands at the top.
    Pin,
    /// Its folder.
    Folder,
    /// A copy of it was made.
    Copy,
    /// A copy of its beginning was made.
    Branch,
}

/// What is changed of the messages of a chat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ChatChange {
    /// A message is put at its end.
    Insert {
        /// The chat; `None` begins one.
        chat: Option<ChatId>,
        /// Who speaks.
        role: Role,
        /// The message.
        message: Unsent,
    },
    /// A message gets another text.
    Edit {
        /// Which.
        message: MessageId,
        /// The text.
        text: String,
        /// Whether it is to be answered then.
        answer: bool,
    },
    /// Another version of a message is shown.
    Version {
        /// A version.
        message: MessageId,
        /// The number of the one to show; `None` that version itself.
        version: Option<u32>,
    },
}

/// Something the window is asked for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum WindowEffect {
    /// Send [`Msg::Tick`](crate::msg::Msg::Tick) after this many milliseconds. Takes the place of an earlier wish.
    TickAfter(u64),
    /// Puts a text on the clipboard.
    Copy(String),
    /// Hands a link to the system, which opens it.
    OpenLink(String),
    /// Looks so.
    ShowLook(Look),
    /// Draws at this scale. Of the look that alone costs nothing: for the rest, all designs are made anew.
    ShowZoom(Zoom),
    /// Tells where the window stands by [`Msg::WindowPlaced`](crate::msg::Msg::WindowPlaced).
    ReadPlace,
    /// Brings the window to the front.
    ShowWindow,
    /// Gives the composer the keyboard, with the caret at the end of its text.
    FocusComposer,
    /// Gives the field that names this row the keyboard, with its text selected.
    FocusRename(RowKey),
    /// Gives the field that searches the chats the keyboard, with its text selected.
    FocusSearch,
    /// Gives the field that searches models the keyboard, with its text selected.
    FocusDiscover,
    /// Gives the field that edits a message the keyboard.
    FocusEdit,
    /// Gives the field that names a preset the keyboard, with its text selected.
    FocusName,
    /// Gives what lies over the page the keyboard.
    FocusOverlay,
    /// Gives the panel of downloads the keyboard.
    FocusDownloads,
    /// Moves the keyboard to the next pane, or to the one before.
    StepPane {
        /// Whether to the one before.
        back: bool,
    },
    /// Opens the system's dialog for a file, and tells [`Msg::PathPicked`](crate::msg::Msg::PathPicked).
    PickPath {
        /// The title of the dialog.
        title: String,
        /// The file it begins with: one to write; `None` for one to read.
        write_to: Option<PathBuf>,
    },
    /// Opens the system's dialog for a folder, and tells [`Msg::PathPicked`](crate::msg::Msg::PathPicked).
    PickFolder {
        /// The title of the dialog.
        title: String,
    },
    /// Gives the field that filters the model files the keyboard, with its text selected.
    FocusModelFilter,
    /// Gives a row of the model files the keyboard.
    FocusModel(FileId),
    /// Gives the field of a model's name the keyboard, with its text selected.
    FocusModelName,
    /// Ends Hearth as the window's own button does.
    Quit,
    /// Ends Hearth in the same way, and starts it again.
    OpenAgain,
    /// Opens the system's dialog for files to read beside a draft, and tells
    /// [`ComposerMsg::FilesPicked`](crate::msg::composer::ComposerMsg::FilesPicked).
    PickFiles {
        /// The title of the dialog.
        title: String,
    },
    /// Shows a file in the system's file manager.
    ShowInFolder(PathBuf),
    /// Tells something by the desktop, for who does not look at the window.
    Notify {
        /// What happened, in a few words.
        title: String,
        /// More of it.
        text: String,
    },
    /// Shows the end of the conversation and follows it again.
    ShowNewest,
    /// Shows the conversation from this place on.
    ShowPlace(ScrollPlace),
}

impl From<BackendEffect> for Effect {
    fn from(effect: BackendEffect) -> Self {
        Self::Backend(effect)
    }
}

impl From<WindowEffect> for Effect {
    fn from(effect: WindowEffect) -> Self {
        Self::Window(effect)
    }
}

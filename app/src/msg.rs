//! Everything that can happen to the window: what the person does, and what the backend says.
//!
//! Plain data. Names no toolkit.

use hearth_protocol::chat::{Chat, ChatEvent, ChatSummary, Deleted};
use hearth_protocol::engine::{EngineEvent, LoadEvent};
use hearth_protocol::library::LibraryFile;
use hearth_protocol::settings::{Settings, Theme};
use hearth_protocol::{ChatId, Error, FileId, LoadedId, MessageId, Result, UndoToken};

use crate::effect::Run;
use crate::state::Page;
use crate::state::toast::ToastId;

/// Something that happened; handed to [`AppState::update`](crate::state::AppState::update).
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "a token comes as one of these; moving it twice costs less than a box"
)]
pub(crate) enum Msg {
    /// The window is there. First of all, once.
    Start,
    /// The time of a [`WindowEffect::TickAfter`](crate::effect::WindowEffect::TickAfter) is over.
    Tick,
    /// Escape: leaves a link that is asked about, else closes the picker, else gives up renaming, else stops the answer.
    Escape,

    /// Shows a page.
    ShowPage(Page),

    /// Shows an empty new chat.
    NewChat,
    /// Shows a chat of the list.
    OpenChat(ChatId),
    /// Renames a chat in place.
    BeginRename(ChatId),
    /// The title in the field that renames.
    RenameChanged(String),
    /// Takes the title; a blank one leaves the old one.
    CommitRename,
    /// Deletes a chat; a toast offers to undo it.
    DeleteChat(ChatId),

    /// The text in the composer.
    DraftChanged(String),
    /// Puts the beginning of a message into the composer, by its place in
    /// [`SUGGESTIONS`](crate::state::composer::SUGGESTIONS).
    PickSuggestion(usize),
    /// Sends the text in the composer. Does nothing where there is none, or while this chat is being answered.
    Send,
    /// Stops the answer of the open chat. Harmless where none is written.
    Stop,
    /// Answers again what this answer of the open chat answers.
    Regenerate(MessageId),
    /// The same for the last answer of the open chat.
    RegenerateLast,
    /// Copies a message of the open chat.
    CopyMessage(MessageId),
    /// Copies the last answer of the open chat.
    CopyLastAnswer,

    /// A link in a message was clicked: opens it, or asks first.
    FollowLink(String),
    /// Opens the link that is asked about.
    OpenAskedLink,
    /// Copies the address of the link that is asked about, and opens nothing.
    CopyAskedLink,
    /// Leaves the link that is asked about.
    CloseAskedLink,
    /// A link did not open, for this reason.
    LinkNotOpened(String),

    /// Opens or closes the model picker.
    TogglePicker,
    /// Closes the model picker.
    ClosePicker,
    /// Reads the list of model files anew.
    LookForModels,
    /// Loads a model file and closes the picker.
    Load(FileId),
    /// Ends the load that runs.
    CancelLoad,
    /// Takes a model out of memory.
    Eject(LoadedId),
    /// Takes the model in the header out of memory.
    EjectCurrent,

    /// Changes the colours.
    SetTheme(Theme),

    /// The button of a toast.
    TakeToastAction(ToastId),
    /// The cross of a toast.
    CloseToast(ToastId),
    /// Whether the pointer is over the toasts, which keeps them.
    HoldToasts(bool),

    /// Something came from the backend.
    Backend(News),
}

/// What the backend answered or told. Runs are named, so that late news of another run are told apart.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum News {
    /// The settings, as read.
    SettingsRead(Result<Settings>),
    /// The settings, as stored.
    SettingsWritten(Result<Settings>),
    /// Whether anything can be stored.
    StorageChecked(Result<()>),
    /// All chats.
    Chats(Result<Vec<ChatSummary>>),
    /// A chat that was asked for.
    Opened {
        /// Which.
        chat: ChatId,
        /// Its messages.
        result: Result<Chat>,
    },
    /// A chat was renamed, or was not.
    Renamed(Result<ChatSummary>),
    /// A chat was deleted, or was not.
    Deleted {
        /// Which.
        chat: ChatId,
        /// How to undo it.
        result: Result<Deleted>,
    },
    /// A chat came back, or did not.
    Undone {
        /// What the delete gave.
        token: UndoToken,
        /// Whether to show it.
        reopen: bool,
        /// Its row.
        result: Result<ChatSummary>,
    },
    /// All model files.
    Files(Result<Vec<LibraryFile>>),
    /// The models in memory.
    Engine(EngineEvent),
    /// An answer that is made.
    Turn {
        /// Its run.
        run: Run,
        /// What happened.
        event: ChatEvent,
    },
    /// A model that is loaded.
    Load {
        /// Its run.
        run: Run,
        /// What happened.
        event: LoadEvent,
    },
    /// A model was taken out of memory, or was not.
    Ejected {
        /// Which.
        model: LoadedId,
        /// Whether it is gone.
        result: Result<()>,
    },
    /// Something small was refused, such as a Stop.
    Refused(Error),
}

//! What the state wants done, as data: by the backend, or by the window.
//!
//! Names no toolkit and does nothing itself. `bridge` carries out the one half, the window the other.

use hearth_protocol::chat::{TurnOptions, TurnRequest};
use hearth_protocol::engine::LoadRequest;
use hearth_protocol::settings::{Settings, Theme};
use hearth_protocol::{ChatId, LoadedId, MessageId, UndoToken};

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
    /// Asks whether anything can be stored.
    CheckStorage,
    /// Lists the chats.
    ListChats,
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
    /// Brings a chat back.
    Undo {
        /// What the delete gave.
        token: UndoToken,
        /// Whether it is to be shown; comes back with the answer.
        reopen: bool,
    },
    /// Lists the model files.
    ListFiles,
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
    /// Stops an answer.
    Stop(Run),
    /// Loads a model.
    Load {
        /// The load's run.
        run: Run,
        /// Which and how.
        request: LoadRequest,
    },
    /// Ends a load.
    CancelLoad(Run),
    /// Takes a model out of memory.
    Eject(LoadedId),
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
    /// Gives the question about a link the keyboard.
    FocusQuestion,
    /// Shows these colours.
    ShowTheme(Theme),
    /// Gives the composer the keyboard, with the caret at the end of its text.
    FocusComposer,
    /// Gives the field that renames this chat the keyboard, with its text selected.
    FocusRename(ChatId),
    /// Shows the end of the conversation and follows it again.
    ShowNewest,
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

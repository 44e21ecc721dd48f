//! Everything that can happen to the window: what the person does, and what the backend says.
//!
//! Plain data. Names no toolkit.

pub(crate) mod composer;
pub(crate) mod discover;
pub(crate) mod downloads;
pub(crate) mod load;
pub(crate) mod my_models;
mod news;
pub(crate) mod number;
pub(crate) mod panel;
pub(crate) mod server;
pub(crate) mod settings;

pub(crate) use news::News;

use hearth_protocol::chat::list::ExportFormat;
use hearth_protocol::chat::{Role, ScrollPlace};
use hearth_protocol::settings::WindowPlace;
use hearth_protocol::{ChatId, FileId, FolderId, LoadedId, MessageId};

use crate::state::Page;
use crate::state::appearance::Shade;
use crate::state::conversation::ConversationKey;
use crate::state::overlay::menu::{MenuOf, Place};
use crate::state::queue::QueuedId;
use crate::state::toast::ToastId;
use composer::ComposerMsg;
use discover::DiscoverMsg;
use downloads::DownloadsMsg;
use load::LoadMsg;
use my_models::MyModelsMsg;
use panel::PanelMsg;
use server::ServerMsg;
use settings::SettingsMsg;

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
    /// The window is about to close.
    Closing,
    /// Escape: closes what lies over the page, else gives up what is being typed in the list or in a message, else stops
    /// the answer.
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
    /// Puts a chat at the top, or takes it from there.
    PinChat {
        /// Which.
        chat: ChatId,
        /// Which of the two.
        pinned: bool,
    },
    /// Moves a chat to a folder, or out of it.
    MoveChat {
        /// Which.
        chat: ChatId,
        /// The folder; `None` takes it out.
        folder: Option<FolderId>,
    },
    /// Copies a chat and shows the copy.
    DuplicateChat(ChatId),

    /// Shows the chats of a folder, or hides them.
    ToggleFolder(FolderId),
    /// Begins to make a folder, which a chat then goes into if one is given.
    BeginFolder(Option<ChatId>),
    /// Renames a folder in place.
    BeginRenameFolder(FolderId),
    /// Asks whether a folder is to be deleted.
    AskDeleteFolder(FolderId),
    /// Deletes a folder; its chats stay.
    DeleteFolder(FolderId),

    /// Gives the field that searches the chats the keyboard.
    FocusSearch,
    /// The words to look for.
    SearchChanged(String),
    /// Chooses the next hit, or the one before.
    StepHit {
        /// Whether the one before.
        back: bool,
    },
    /// Shows a hit.
    OpenHit(usize),
    /// Shows the chosen hit.
    OpenChosenHit,
    /// Leaves the search.
    LeaveSearch,

    /// Opens a menu.
    OpenMenu {
        /// Of what.
        of: MenuOf,
        /// Where.
        at: Place,
    },
    /// Chooses the next item of the menu, or entry of the palette, or the one before.
    StepItem {
        /// Whether the one before.
        back: bool,
    },
    /// Does what one of them says.
    TakeItem(usize),
    /// The same for the chosen one.
    TakeChosenItem,
    /// Opens the palette, or closes it.
    TogglePalette,
    /// What is typed in the palette.
    PaletteChanged(String),
    /// Closes what lies over the page.
    CloseOverlay,
    /// Shows the steps of the first start.
    ShowFirstStart,
    /// Goes to their next step, after which the chat begins, or to the one before.
    StepFirstStart {
        /// Whether to the one before.
        back: bool,
    },
    /// Moves the keyboard to the next pane of the window, or to the one before.
    StepPane {
        /// Whether to the one before.
        back: bool,
    },
    /// Does what was asked about.
    TakeConfirmed,
    /// Asks where a chat is to be written.
    AskExport {
        /// Which.
        chat: ChatId,
        /// The format.
        format: ExportFormat,
    },
    /// Asks which file chats are to be read from.
    AskImport,
    /// The path in the form.
    PathChanged(String),
    /// Opens the system's dialog for the path.
    BrowsePath,
    /// The system's dialog closed; the path it gave.
    PathPicked(Option<String>),
    /// Does what the form is for.
    TakePath,

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
    /// Copies a text.
    CopyText(String),
    /// Copies a message of the open chat.
    CopyMessage(MessageId),
    /// Open or fold what stands beside the text of an answer of the open chat.
    FoldAside {
        /// The place of the answer among the messages.
        entry: usize,
        /// The place among its asides.
        aside: usize,
    },
    /// The same without the signs of Markdown.
    CopyPlain(MessageId),
    /// Shows a message of the open chat as text that can be selected.
    SelectText(MessageId),
    /// Copies the last answer of the open chat.
    CopyLastAnswer,
    /// Puts the draft at the end of the chat without asking for an answer.
    Insert(Role),
    /// Changes the text of a message in place.
    BeginEdit(MessageId),
    /// The same for the last message of the person.
    EditLast,
    /// The text in the field that edits.
    EditChanged(String),
    /// Takes the text.
    CommitEdit {
        /// Whether it is to be answered.
        answer: bool,
    },
    /// Goes on with an answer.
    Continue(MessageId),
    /// Copies the chat up to a message into a new chat, and shows it.
    Branch(MessageId),
    /// Deletes a message and what follows it; a toast offers to undo it.
    DeleteMessage(MessageId),
    /// Shows another version of a message, by its number from 0.
    ShowVersion {
        /// The version that is shown.
        message: MessageId,
        /// The other's number.
        version: u32,
    },
    /// Shows the next version of the last answer, or the one before.
    StepVersion {
        /// Whether the one before.
        back: bool,
    },
    /// Takes a message that waits back into the composer.
    EditQueued(QueuedId),
    /// Takes a message that waits away.
    RemoveQueued(QueuedId),
    /// Where the view of a conversation stands; `None` at the end.
    PlaceChanged {
        /// Which.
        conversation: ConversationKey,
        /// Where.
        place: Option<ScrollPlace>,
    },

    /// A link in a message was clicked: opens it, or asks first.
    FollowLink(String),
    /// Opens the link that is asked about.
    OpenAskedLink,
    /// Copies the address of the link that is asked about, and opens nothing.
    CopyAskedLink,
    /// A link did not open, for this reason.
    LinkNotOpened(String),

    /// Opens or closes the model picker.
    TogglePicker,
    /// What is typed in the model picker.
    PickerChanged(String),
    /// Reads the list of model files anew.
    LookForModels,
    /// Lets the model of a file answer, which loads it where it is not in memory, and closes the picker.
    Load(FileId),
    /// Something in the dialog that sets how a model is loaded.
    LoadDialog(LoadMsg),
    /// Ends the load that runs.
    CancelLoad,
    /// Takes a model out of memory.
    Eject(LoadedId),
    /// Takes the model in the header out of memory, or the chosen one of the open picker.
    EjectCurrent,

    /// Something of the settings.
    Settings(SettingsMsg),
    /// The desktop has turned dark or light.
    DesktopTurned(Shade),

    /// The button of a toast.
    TakeToastAction(ToastId),
    /// The cross of a toast.
    CloseToast(ToastId),
    /// The window was moved, or has another size.
    WindowMoved,
    /// Where the window stands.
    WindowPlaced(WindowPlace),
    /// Whether the window has come in front of others, or has left that place.
    WindowInFront(bool),
    /// Whether the pointer is over the toasts, which keeps them.
    HoldToasts(bool),

    /// Something in the composer.
    Composer(ComposerMsg),
    /// Something in the panel beside the chat.
    Panel(PanelMsg),
    /// Something on the page of model files.
    MyModels(MyModelsMsg),
    /// Something on the server's page.
    Server(ServerMsg),
    /// Something on the page that finds models.
    Discover(DiscoverMsg),
    /// Something about downloads.
    Downloads(DownloadsMsg),
    /// Something came from the backend.
    Backend(News),
}

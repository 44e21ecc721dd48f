//! What the backend says.

use hearth_protocol::catalogue::Capability;
use hearth_protocol::chat::list::{ChatsEvent, Folder, Imported, SearchHit};
use hearth_protocol::chat::{Chat, ChatEvent, ChatSummary, Deleted};
use hearth_protocol::engine::{EngineEvent, LoadEvent};
use hearth_protocol::library::LibraryFile;
use hearth_protocol::settings::Settings;
use hearth_protocol::window::Handed;
use hearth_protocol::{ChatId, Error, LoadedId, ModelId, Result, UndoToken};

use super::composer::ComposerNews;
use super::discover::DiscoverNews;
use super::downloads::DownloadsNews;
use super::load::LoadNews;
use super::my_models::MyModelsNews;
use super::panel::PanelNews;
use super::server::ServerNews;
use super::settings::SettingsNews;
use crate::effect::{ChatChange, RowChange, Run};
use crate::state::conversation::ConversationKey;

/// What the backend answered or told. Runs are named, so that late news of another run are told apart.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum News {
    /// The settings, as read.
    SettingsRead(Result<Settings>),
    /// The settings, as stored.
    SettingsWritten(Result<Settings>),
    /// Whether anything can be stored.
    StorageChecked(Result<()>),
    /// The list of chats and its folders.
    Chats(ChatsEvent),
    /// What a search found.
    Found {
        /// Its run.
        run: Run,
        /// The hits.
        result: Result<Vec<SearchHit>>,
    },
    /// A chat that was asked for.
    Opened {
        /// Which.
        chat: ChatId,
        /// Its messages.
        result: Result<Chat>,
    },
    /// Something of a chat in the list was changed, or was not.
    RowChanged {
        /// What.
        change: RowChange,
        /// Its row.
        result: Result<ChatSummary>,
    },
    /// A folder was made, or was not.
    FolderMade {
        /// The chat that goes into it.
        holds: Option<ChatId>,
        /// The folder.
        result: Result<Folder>,
    },
    /// A folder was renamed, or was not.
    FolderRenamed(Result<Folder>),
    /// A folder was deleted, or was not.
    FolderDeleted(Result<()>),
    /// A chat was written to a file, or was not.
    Exported(Result<()>),
    /// Chats were read from a file, or were not.
    Imported(Result<Imported>),
    /// The messages of a chat were changed, or were not.
    Changed {
        /// In which conversation.
        conversation: ConversationKey,
        /// What.
        change: ChatChange,
        /// The chat along the path that is shown now.
        result: Result<Chat>,
    },
    /// A message was deleted, or was not.
    MessageDeleted {
        /// In which chat.
        chat: ChatId,
        /// How it begins.
        beginning: String,
        /// How to undo it.
        result: Result<Deleted>,
    },
    /// What was typed in a new chat before Hearth was closed.
    DraftRead(Result<String>),
    /// A draft or a place in a chat was not kept.
    NotKept(Error),
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
    /// What the catalogue says of a model.
    LookedUp {
        /// Which.
        model: ModelId,
        /// What it can do beyond text; empty where the catalogue does not know it.
        abilities: Vec<Capability>,
    },
    /// The models in memory.
    Engine(EngineEvent),
    /// An answer that is made.
    Turn {
        /// Its run.
        run: Run,
        /// What happened.
        event: ChatEvent,
    },
    /// For the dialog that sets how a model is loaded.
    LoadDialog(LoadNews),
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
    /// Something came for a draft.
    Composer(ComposerNews),
    /// Something came for the panel beside the chat.
    Panel(PanelNews),
    /// Something came of model files.
    MyModels(MyModelsNews),
    /// The server answered or told something.
    Server(ServerNews),
    /// Something of models that can be had.
    Discover(DiscoverNews),
    /// Something became of downloads.
    Downloads(DownloadsNews),
    /// Something for the page of settings.
    SettingsPage(SettingsNews),
    /// Another start of Hearth, or a command, wants to see the window, with what it was started with.
    ShowWindow(Option<Handed>),
    /// Something small was refused, such as a Stop.
    Refused(Error),
}

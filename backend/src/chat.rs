//! Chats: the list of them and its folders, what is kept with each, and by its parts all that happens within one.
//!
//! What a person wrote is stored before anything else happens. Turns run on the runtime; nothing here blocks it.

mod answering;
mod attach;
mod beside;
mod changing;
mod export;
mod import;
mod news;
mod options;
pub(crate) mod presets;
mod prompt;
mod recorder;
#[cfg(test)]
mod tests;
pub(crate) mod title;
mod titler;
mod turn;
mod turns;
mod unstored;
pub(crate) mod whole;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use hearth_protocol::chat::attachment::Attachment;
use hearth_protocol::chat::list::{Folder, SearchHit};
use hearth_protocol::chat::{Chat, ChatSummary, Deleted};
use hearth_protocol::{ChatId, Error, FolderId, RequestId, Result, UndoToken};
use tokio::sync::Mutex;

use crate::engine::Engine;
use crate::files::blocking;
use crate::finder::Finder;
use crate::given_back::give_back_soon;
use crate::library::Library;
use crate::settings::SettingsService;
use crate::store::Store;
use news::News;
use turns::Turns;
use unstored::Unstored;

/// How long words of an answer may be without being stored, while they can be.
const STORE_DELAY: Duration = Duration::from_secs(1);

/// From so many messages on, what reading a chat took and freed is given back to the system.
const MANY_MESSAGES: usize = 1_000;

/// All chats. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Chats {
    store: Store,
    engine: Engine,
    finder: Finder,
    settings: SettingsService,
    turns: Turns,
    /// Answers that wait for room on the disk.
    unstored: Unstored,
    news: News,
    /// Held while a title is made, so that one is made at a time.
    titling: Arc<Mutex<()>>,
}

impl Chats {
    /// The chats of a database, answered by an engine with models of a library.
    pub(crate) fn new(store: Store, engine: Engine, library: Library, settings: SettingsService) -> Self {
        Self {
            unstored: Unstored::new(store.clone(), STORE_DELAY),
            finder: Finder::new(library, engine.clone(), Some((store.clone(), settings.clone()))),
            store,
            engine,
            settings,
            turns: Turns::default(),
            news: News::default(),
            titling: Arc::default(),
        }
    }

    /// Makes older messages known to the search, in the background. What comes is known to it by itself.
    pub(crate) fn index_older(&self) {
        if self.store.check_writable().is_err() {
            return;
        }
        let store = self.store.clone();
        tokio::spawn(async move {
            match store.index_messages().await {
                Ok(()) | Err(Error::BackendGone) => (),
                Err(error) => tracing::warn!(%error, "older messages cannot all be searched yet"),
            }
        });
    }

    /// Stops an answer; its end comes through its own events. One that is over is stopped already.
    pub(crate) async fn stop(&self, request: RequestId) -> Result<()> {
        self.turns.stop(request);
        Ok(())
    }

    /// All chats, pinned first, then the newest.
    pub(crate) async fn list(&self) -> Result<Vec<ChatSummary>> {
        self.store.list_chats().await
    }

    /// A chat with the messages that are shown.
    pub(crate) async fn open(&self, chat: ChatId) -> Result<Chat> {
        let kept = self.unstored.of(chat);
        let mut chat = self.store.open_chat(chat).await?;
        unstored::show(&mut chat, kept);
        if chat.messages.len() >= MANY_MESSAGES {
            give_back_soon();
        }
        Ok(chat)
    }

    /// Gives a title by hand.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a blank one.
    pub(crate) async fn rename(&self, chat: ChatId, title: &str) -> Result<ChatSummary> {
        let title = title::from_person(title).ok_or_else(|| Error::invalid("title", "is empty"))?;
        let chat = self.store.rename_chat(chat, &title).await?;
        self.news.of(chat.id);
        Ok(chat)
    }

    /// Puts a chat at the top of the list, or takes it from there.
    pub(crate) async fn pin(&self, chat: ChatId, pinned: bool) -> Result<ChatSummary> {
        let chat = self.store.pin_chat(chat, pinned).await?;
        self.news.of(chat.id);
        Ok(chat)
    }

    /// Moves a chat to a folder, or out of one.
    pub(crate) async fn move_to(&self, chat: ChatId, folder: Option<FolderId>) -> Result<ChatSummary> {
        let chat = self.store.move_chat(chat, folder).await?;
        self.news.of(chat.id);
        Ok(chat)
    }

    /// All folders, by name.
    pub(crate) async fn folders(&self) -> Result<Vec<Folder>> {
        self.store.list_folders().await
    }

    /// Makes a folder.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a blank name and for one that another folder has.
    pub(crate) async fn make_folder(&self, name: &str) -> Result<Folder> {
        let name = title::from_person(name).ok_or_else(|| Error::invalid("name", "is empty"))?;
        let folder = self.store.make_folder(&name).await?;
        self.news.of_list();
        Ok(folder)
    }

    /// Gives a folder another name.
    ///
    /// # Errors
    /// As [`Self::make_folder`].
    pub(crate) async fn rename_folder(&self, folder: FolderId, name: &str) -> Result<Folder> {
        let name = title::from_person(name).ok_or_else(|| Error::invalid("name", "is empty"))?;
        let folder = self.store.rename_folder(folder, &name).await?;
        self.news.of_list();
        Ok(folder)
    }

    /// Deletes a folder; its chats stay.
    pub(crate) async fn delete_folder(&self, folder: FolderId) -> Result<()> {
        self.store.delete_folder(folder).await?;
        self.news.of_list();
        Ok(())
    }

    /// The chats and messages that have these words.
    pub(crate) async fn search(&self, words: &str) -> Result<Vec<SearchHit>> {
        self.store.search_chats(words).await
    }

    /// Reads a file of text that shall stand beside a message.
    pub(crate) async fn read_attachment(&self, path: PathBuf) -> Result<Attachment> {
        blocking(move || attach::read(&path)).await
    }

    /// Deletes a chat. An answer that is being written in it is stopped; its end is stored too.
    pub(crate) async fn delete(&self, chat: ChatId) -> Result<Deleted> {
        // In this order: what can no longer be begun in the chat need not be stopped, and an answer goes on where the
        // chat could not be deleted.
        let undo = self.store.delete_chat(chat).await?;
        self.turns.stop_in(chat);
        self.engine.forget(chat);
        self.news.of(chat);
        Ok(Deleted { undo })
    }

    /// Brings back what was deleted.
    pub(crate) async fn undo(&self, token: UndoToken) -> Result<ChatSummary> {
        let chat = self.store.undo(token).await?;
        self.news.of(chat.id);
        Ok(chat)
    }

    /// Begins no further turn, stops those that run and waits until their last words are stored, or cannot be.
    pub(crate) async fn shut_down(&self) {
        self.turns.close().await;
        self.unstored.settle_all().await;
    }
}

//! What can be asked of chats.

use std::path::PathBuf;

use crate::chat::attachment::Attachment;
use crate::chat::list::{ChatsEvent, ExportRequest, Folder, Imported, SearchHit};
use crate::chat::{
    Chat, ChatEvent, ChatSummary, Deleted, DraftToCount, NewMessage, ScrollPlace, TurnOptions, TurnRequest,
};
use crate::command::ChatCommand;
use crate::{Answer, ChatId, Client, Command, Events, FileId, FolderId, MessageId, RequestId, UndoToken};

/// Chats.
impl Client {
    /// Stores a message and answers it.
    pub fn send(&self, turn: TurnRequest) -> Events<ChatEvent> {
        let turn = Box::new(turn);
        self.run(|events| Command::Chat(ChatCommand::Send { turn, events }))
    }

    /// Stops an answer; its text so far stays.
    pub fn stop(&self, request: RequestId) -> Answer<()> {
        self.ask(|reply| Command::Chat(ChatCommand::Stop { request, reply }))
    }

    /// Answers the same message again, as a further version.
    pub fn regenerate(&self, message: MessageId, options: TurnOptions) -> Events<ChatEvent> {
        self.run(|events| {
            Command::Chat(ChatCommand::Regenerate {
                message,
                options: Box::new(options),
                events,
            })
        })
    }

    /// Stores a message at the end of a chat without answering it.
    pub fn insert_message(&self, message: NewMessage) -> Answer<Chat> {
        let message = Box::new(message);
        self.ask(|reply| Command::Chat(ChatCommand::Insert { message, reply }))
    }

    /// Stores a changed text of a message as a further version and shows it.
    pub fn edit_message(&self, message: MessageId, text: String) -> Answer<Chat> {
        self.ask(|reply| Command::Chat(ChatCommand::Edit { message, text, reply }))
    }

    /// Goes on with an answer that ended early, as the same message.
    pub fn continue_answer(&self, message: MessageId, options: TurnOptions) -> Events<ChatEvent> {
        self.run(|events| {
            Command::Chat(ChatCommand::Continue {
                message,
                options: Box::new(options),
                events,
            })
        })
    }

    /// Copies a chat with all versions of its messages.
    pub fn duplicate_chat(&self, chat: ChatId) -> Answer<ChatSummary> {
        self.ask(|reply| Command::Chat(ChatCommand::Duplicate { chat, reply }))
    }

    /// Copies the chat up to a message into a new chat.
    pub fn branch_chat(&self, message: MessageId) -> Answer<ChatSummary> {
        self.ask(|reply| Command::Chat(ChatCommand::Branch { message, reply }))
    }

    /// Shows another version of a message: the one with this number, from 0, or `message` itself.
    pub fn select_version(&self, message: MessageId, version: Option<u32>) -> Answer<Chat> {
        self.ask(|reply| {
            Command::Chat(ChatCommand::SelectVersion {
                message,
                version,
                reply,
            })
        })
    }

    /// Deletes a message and what stands below it.
    pub fn delete_message(&self, message: MessageId) -> Answer<Deleted> {
        self.ask(|reply| Command::Chat(ChatCommand::DeleteMessage { message, reply }))
    }

    /// All chats, pinned first, then the newest.
    pub fn list_chats(&self) -> Answer<Vec<ChatSummary>> {
        self.ask(|reply| Command::Chat(ChatCommand::List { reply }))
    }

    /// The list of chats and its folders, now and after each change.
    pub fn watch_chats(&self) -> Events<ChatsEvent> {
        self.run(|events| Command::Chat(ChatCommand::Watch { events }))
    }

    /// A chat with the path that is shown.
    pub fn open_chat(&self, chat: ChatId) -> Answer<Chat> {
        self.ask(|reply| Command::Chat(ChatCommand::Open { chat, reply }))
    }

    /// Gives a title.
    pub fn rename_chat(&self, chat: ChatId, title: String) -> Answer<ChatSummary> {
        self.ask(|reply| Command::Chat(ChatCommand::Rename { chat, title, reply }))
    }

    /// Puts a chat at the top, or takes it from there.
    pub fn pin_chat(&self, chat: ChatId, pinned: bool) -> Answer<ChatSummary> {
        self.ask(|reply| Command::Chat(ChatCommand::Pin { chat, pinned, reply }))
    }

    /// Moves a chat to a folder.
    pub fn move_chat(&self, chat: ChatId, folder: Option<FolderId>) -> Answer<ChatSummary> {
        self.ask(|reply| Command::Chat(ChatCommand::Move { chat, folder, reply }))
    }

    /// Deletes a chat.
    pub fn delete_chat(&self, chat: ChatId) -> Answer<Deleted> {
        self.ask(|reply| Command::Chat(ChatCommand::Delete { chat, reply }))
    }

    /// Brings back what was deleted.
    pub fn undo(&self, token: UndoToken) -> Answer<ChatSummary> {
        self.ask(|reply| Command::Chat(ChatCommand::Undo { token, reply }))
    }

    /// The folders, by name.
    pub fn list_folders(&self) -> Answer<Vec<Folder>> {
        self.ask(|reply| Command::Chat(ChatCommand::ListFolders { reply }))
    }

    /// Makes a folder.
    pub fn make_folder(&self, name: String) -> Answer<Folder> {
        self.ask(|reply| Command::Chat(ChatCommand::MakeFolder { name, reply }))
    }

    /// Gives a folder another name.
    pub fn rename_folder(&self, folder: FolderId, name: String) -> Answer<Folder> {
        self.ask(|reply| Command::Chat(ChatCommand::RenameFolder { folder, name, reply }))
    }

    /// Deletes a folder; its chats stay.
    pub fn delete_folder(&self, folder: FolderId) -> Answer<()> {
        self.ask(|reply| Command::Chat(ChatCommand::DeleteFolder { folder, reply }))
    }

    /// Replaces all that is kept of how a chat is answered.
    pub fn write_chat_options(&self, chat: ChatId, options: TurnOptions) -> Answer<()> {
        let options = Box::new(options);
        self.ask(|reply| Command::Chat(ChatCommand::WriteOptions { chat, options, reply }))
    }

    /// How a model answers where neither request nor chat says it.
    pub fn read_chat_defaults(&self, file: FileId) -> Answer<TurnOptions> {
        self.ask(|reply| Command::Chat(ChatCommand::ReadDefaults { file, reply }))
    }

    /// Remembers how a model answers where neither request nor chat says it.
    pub fn write_chat_defaults(&self, file: FileId, options: TurnOptions) -> Answer<()> {
        let options = Box::new(options);
        self.ask(|reply| Command::Chat(ChatCommand::WriteDefaults { file, options, reply }))
    }

    /// What was typed and not sent.
    pub fn read_draft(&self, chat: Option<ChatId>) -> Answer<String> {
        self.ask(|reply| Command::Chat(ChatCommand::ReadDraft { chat, reply }))
    }

    /// Keeps what is typed.
    pub fn write_draft(&self, chat: Option<ChatId>, text: String) -> Answer<()> {
        self.ask(|reply| Command::Chat(ChatCommand::WriteDraft { chat, text, reply }))
    }

    /// Keeps where the view of a chat stands.
    pub fn write_place(&self, chat: ChatId, place: Option<ScrollPlace>) -> Answer<()> {
        self.ask(|reply| Command::Chat(ChatCommand::WritePlace { chat, place, reply }))
    }

    /// Reads a file of text that shall stand beside a message.
    pub fn read_attachment(&self, path: PathBuf) -> Answer<Attachment> {
        self.ask(|reply| Command::Chat(ChatCommand::ReadAttachment { path, reply }))
    }

    /// Counts the tokens of a text that would be sent, where the model is in memory.
    pub fn count_tokens(&self, draft: DraftToCount) -> Answer<Option<u32>> {
        let draft = Box::new(draft);
        self.ask(|reply| Command::Chat(ChatCommand::CountTokens { draft, reply }))
    }

    /// Searches titles and texts.
    pub fn search_chats(&self, words: String) -> Answer<Vec<SearchHit>> {
        self.ask(|reply| Command::Chat(ChatCommand::Search { words, reply }))
    }

    /// Writes a chat to a file.
    pub fn export_chat(&self, request: ExportRequest) -> Answer<()> {
        self.ask(|reply| Command::Chat(ChatCommand::Export { request, reply }))
    }

    /// Writes all chats whole to one file that is not there yet; gives how many.
    pub fn export_all_chats(&self, path: PathBuf) -> Answer<u32> {
        self.ask(|reply| Command::Chat(ChatCommand::ExportAll { path, reply }))
    }

    /// Reads chats from a file of ours, ChatGPT's or LM Studio's.
    pub fn import_chats(&self, path: PathBuf) -> Answer<Imported> {
        self.ask(|reply| Command::Chat(ChatCommand::Import { path, reply }))
    }
}

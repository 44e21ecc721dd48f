//! What can be asked of chats.

use std::path::PathBuf;

use crate::chat::{
    Chat, ChatEvent, ChatSummary, Deleted, ExportRequest, SearchHit, TurnOptions, TurnRequest,
};
use crate::command::ChatCommand;
use crate::{Answer, ChatId, Client, Command, Events, FolderId, MessageId, RequestId, UndoToken};

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

    /// Stores a changed text as a further version and shows it.
    pub fn edit_message(&self, message: MessageId, text: String) -> Answer<Chat> {
        self.ask(|reply| Command::Chat(ChatCommand::Edit { message, text, reply }))
    }

    /// Goes on with an answer that ended early.
    pub fn continue_answer(&self, message: MessageId, options: TurnOptions) -> Events<ChatEvent> {
        self.run(|events| {
            Command::Chat(ChatCommand::Continue {
                message,
                options: Box::new(options),
                events,
            })
        })
    }

    /// Copies the chat up to a message into a new chat.
    pub fn branch_chat(&self, message: MessageId) -> Answer<ChatSummary> {
        self.ask(|reply| Command::Chat(ChatCommand::Branch { message, reply }))
    }

    /// Shows another version of a message.
    pub fn select_version(&self, message: MessageId) -> Answer<Chat> {
        self.ask(|reply| Command::Chat(ChatCommand::SelectVersion { message, reply }))
    }

    /// Deletes a message and what stands below it.
    pub fn delete_message(&self, message: MessageId) -> Answer<Deleted> {
        self.ask(|reply| Command::Chat(ChatCommand::DeleteMessage { message, reply }))
    }

    /// All chats, pinned first, then the newest.
    pub fn list_chats(&self) -> Answer<Vec<ChatSummary>> {
        self.ask(|reply| Command::Chat(ChatCommand::List { reply }))
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

    /// Searches titles and texts.
    pub fn search_chats(&self, words: String) -> Answer<Vec<SearchHit>> {
        self.ask(|reply| Command::Chat(ChatCommand::Search { words, reply }))
    }

    /// Writes a chat to a file.
    pub fn export_chat(&self, request: ExportRequest) -> Answer<()> {
        self.ask(|reply| Command::Chat(ChatCommand::Export { request, reply }))
    }

    /// Reads chats from a file of ours, ChatGPT's or LM Studio's.
    pub fn import_chats(&self, path: PathBuf) -> Answer<Vec<ChatSummary>> {
        self.ask(|reply| Command::Chat(ChatCommand::Import { path, reply }))
    }
}

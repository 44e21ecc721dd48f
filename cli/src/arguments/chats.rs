//! What can be typed to `chats`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(crate) struct ChatsArguments {
    #[command(subcommand)]
    pub(crate) command: Option<ChatsCommand>,
    /// Print JSON for scripts
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ChatsCommand {
    /// Find chats and messages by their words
    Search {
        /// The words, all of which must be there
        #[arg(required = true)]
        words: Vec<String>,
    },
    /// Write a chat to a new file: for people as Markdown where its name ends in .md, else whole as JSON
    Export {
        /// The chat, by its number in the list
        chat: i64,
        /// The file
        file: PathBuf,
    },
    /// Read chats from a file of Hearth's, ChatGPT's conversations.json or LM Studio's .conversation.json
    Import {
        /// The file, or a folder of LM Studio's
        file: PathBuf,
    },
}

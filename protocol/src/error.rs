//! The one error of Hearth's border: what happened and what to do, in words for a person.

use serde::{Deserialize, Serialize};

use crate::ByteSize;

/// What every command can answer.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a command failed. The message says what happened and, where there is something to do, what.
///
/// Branch on [`Error::kind`], show `to_string()`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(tag = "error", rename_all = "snake_case")]
pub enum Error {
    /// The command is designed but its feature is not built.
    #[error("{command} is not in this version of Hearth yet.")]
    NotYet {
        /// The command's name, such as `catalogue.search`.
        command: String,
    },
    /// The backend ended before it answered.
    #[error("Hearth's backend has stopped. Restart Hearth; chats and downloads are kept.")]
    BackendGone,
    /// Something named is not there.
    #[error("There is no {what} “{name}”.{}", alternatives(.known))]
    NotFound {
        /// The kind of thing, such as `model`.
        what: String,
        /// The name that was asked for.
        name: String,
        /// Names that do exist, at most a handful, to choose from. May be empty.
        known: Vec<String>,
    },
    /// None was named, and there is none.
    #[error(
        "There is no model on this computer yet. Name a GGUF file by its path, or put one into the models folder."
    )]
    NoModel,
    /// A value is outside what is possible.
    #[error("{field} {problem}.")]
    Invalid {
        /// The field's name as the person or program wrote it, such as `temperature`.
        field: String,
        /// What is wrong with it, as the rest of the sentence.
        problem: String,
    },
    /// The model file cannot be used.
    #[error("{file} cannot be loaded: {reason}.")]
    BadModelFile {
        /// The file's name or path.
        file: String,
        /// Why, such as `it ends after 12 kB of 98 MB; download it again`.
        reason: String,
    },
    /// The engine refused or could not load the model.
    #[error("The model did not load: {reason}.")]
    LoadFailed {
        /// Why, in words.
        reason: String,
        /// The last lines of the worker's log, oldest first.
        log: Vec<String>,
    },
    /// The memory guard refused to load the model, a forced load of which is tried all the same; or what is asked of a
    /// loaded one takes more memory than there is.
    #[error("{model} does not fit in memory: {reason}.")]
    MemoryShort {
        /// The model's display name.
        model: String,
        /// What it needs and what there is, and what to do.
        reason: String,
    },
    /// The worker process ended by itself in the middle of something.
    #[error(
        "The engine stopped while it was {during}: {cause}. Nothing of your chats is lost; try again to go on."
    )]
    WorkerDied {
        /// What it was doing, such as `writing the answer`.
        during: String,
        /// How it ended, such as `it was killed by signal 9`.
        cause: String,
        /// The last lines of its log, oldest first.
        log: Vec<String>,
    },
    /// The prompt does not fit the context.
    #[error(
        "The prompt has {prompt_tokens} tokens and the context holds {context_length}. \
         Shorten it, start a new chat, or load the model with a larger context."
    )]
    ContextOverflow {
        /// Tokens of the whole prompt, template included.
        prompt_tokens: u32,
        /// Tokens the loaded context holds.
        context_length: u32,
    },
    /// A text to embed is longer than the model reads.
    #[error(
        "Text {place} has {tokens} tokens and the model reads {most} at most. Shorten it, or let it be cut."
    )]
    TextTooLong {
        /// Which of the texts, from 1.
        place: u32,
        /// Its tokens.
        tokens: u32,
        /// Most tokens that the model reads.
        most: u32,
    },
    /// The model is of a kind that cannot do what is asked of it.
    #[error("{model} {problem}.")]
    ModelCannot {
        /// The model's name.
        model: String,
        /// What it cannot and what to do, as the rest of the sentence.
        problem: String,
    },
    /// The model was taken out of memory before it had done what it was asked.
    #[error("{model} was taken out of memory before it was done. Ask again to load it anew.")]
    ModelEjected {
        /// The model's display name.
        model: String,
    },
    /// The model's chat template could not be used.
    #[error("The chat template of this model failed: {reason}.")]
    Template {
        /// The construct or the line at fault.
        reason: String,
    },
    /// Something else is in the way; the same command can work later.
    #[error("{what} is busy: {reason}.")]
    Busy {
        /// What is busy, such as `the model`.
        what: String,
        /// With what, and what to do.
        reason: String,
    },
    /// The local server cannot have its port.
    #[error("Port {port} is taken by another program.{}", next_free(.free))]
    PortTaken {
        /// The port.
        port: u16,
        /// The next one that is free.
        free: Option<u16>,
    },
    /// The local server was stopped in the middle of an answer.
    #[error("The server was stopped before the answer was done.")]
    ServerStopped,
    /// The person or program cancelled it.
    #[error("Cancelled.")]
    Cancelled,
    /// The database cannot be used.
    #[error("The database of chats: {reason}.")]
    Storage {
        /// What happened and what to do.
        reason: String,
    },
    /// The database was written by a newer Hearth and is open for reading only.
    #[error(
        "These chats were written by a newer Hearth ({found}, this one knows {known}). They can be read; update Hearth to go on writing."
    )]
    NewerDatabase {
        /// Schema version in the file.
        found: i64,
        /// Newest schema version this program knows.
        known: i64,
    },
    /// A file or folder could not be read or written.
    #[error("{path}: {reason}.")]
    File {
        /// The path.
        path: String,
        /// What the system said.
        reason: String,
    },
    /// Offline mode refused a connection, or there is no network.
    #[error("{what} needs the network: {reason}.")]
    Offline {
        /// What needed it.
        what: String,
        /// Why there is none, and what to do.
        reason: String,
    },
    /// There is no token of the hub.
    #[error("You are not signed in at the hub. Add a token in the settings, or with hearth-cli login.")]
    NotSignedIn,
    /// The hub shows this to nobody without a token.
    #[error(
        "{model} cannot be had without a Hugging Face token: it is gated or private, or it is not there. Add a token in the settings or with hearth-cli login, or check the name."
    )]
    TokenNeeded {
        /// The model.
        model: String,
    },
    /// The hub does not know the token.
    #[error(
        "The hub does not accept your Hugging Face token: it is wrong, expired or revoked. Make a new one at {page}."
    )]
    TokenRefused {
        /// Where tokens are made.
        page: String,
    },
    /// The token is good and this model is not open to it.
    #[error(
        "Your Hugging Face token has no access to {model}. Accept its licence or ask for access at {page}, then try again."
    )]
    NoAccess {
        /// The model.
        model: String,
        /// Where the licence is accepted.
        page: String,
    },
    /// The model has another name now.
    #[error("{from} is called {to} now. Use that name.")]
    Renamed {
        /// The name that was asked for.
        from: String,
        /// The name it has.
        to: String,
    },
    /// The hub wants fewer requests.
    #[error("The hub asks to wait for {seconds} s: there were too many requests.")]
    TooManyRequests {
        /// How long to wait.
        seconds: u64,
    },
    /// The hub does not answer, or not as a hub.
    #[error("The hub cannot be reached: {reason}. It is tried again when you ask again.")]
    HubDown {
        /// What happened.
        reason: String,
    },
    /// There is no room for a download.
    #[error(
        "The disk is full: {folder} needs {needs}, some of it to spare, and has {has}. Free some space, then try again; a download goes on by itself."
    )]
    DiskFull {
        /// The folder whose disk is full.
        folder: String,
        /// What is still to be written, with some room to spare.
        needs: ByteSize,
        /// What is free.
        has: ByteSize,
    },
    /// A download broke off, as often as it was tried.
    #[error(
        "The download of {file} broke off: {reason}. What came is kept; go on when the network is better."
    )]
    Transfer {
        /// The file.
        file: String,
        /// What happened last.
        reason: String,
    },
    /// What came is not what the hub promised.
    #[error(
        "{file} arrived with other bytes than the hub promises, so nothing of it was kept. Try again; if it happens twice, the hub or the network changes the file."
    )]
    WrongHash {
        /// The file.
        file: String,
    },
    /// The file is another program's, and the person has not said that it may go all the same.
    #[error("{file} belongs to {owner}, which may need it. Confirm that it may be deleted all the same.")]
    Unconfirmed {
        /// The file.
        file: String,
        /// The other program.
        owner: String,
    },
    /// Another Hearth runs on the same data and cannot do what is asked of it from here.
    #[error("A Hearth runs on these data already, and {problem}.")]
    OtherHearth {
        /// What stands against it, and what to do, as the rest of the sentence.
        problem: String,
    },
    /// A fault of Hearth itself.
    #[error("Hearth made a mistake: {reason}. A report with the log helps to mend it.")]
    Internal {
        /// What went wrong.
        reason: String,
    },
}

/// The kinds of [`Error`], to branch on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// Designed, not built.
    NotYet,
    /// Backend, worker or database failed; not the caller's fault.
    Failed,
    /// Named thing is missing.
    NotFound,
    /// The request itself is wrong.
    Invalid,
    /// The model, its file or its engine failed.
    Engine,
    /// Try again later.
    Busy,
    /// Asked to stop.
    Cancelled,
    /// No network, or no hub.
    Offline,
    /// The person has no access.
    Access,
    /// The person must confirm it first.
    Unconfirmed,
}

impl Error {
    /// The kind, to branch on.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::NotYet { .. } => ErrorKind::NotYet,
            Self::NotFound { .. } | Self::NoModel | Self::Renamed { .. } => ErrorKind::NotFound,
            Self::Invalid { .. }
            | Self::ContextOverflow { .. }
            | Self::TextTooLong { .. }
            | Self::ModelCannot { .. } => ErrorKind::Invalid,
            Self::BadModelFile { .. }
            | Self::LoadFailed { .. }
            | Self::MemoryShort { .. }
            | Self::WorkerDied { .. }
            | Self::Template { .. } => ErrorKind::Engine,
            Self::Busy { .. } | Self::TooManyRequests { .. } | Self::PortTaken { .. } => ErrorKind::Busy,
            Self::Cancelled | Self::ModelEjected { .. } | Self::ServerStopped => ErrorKind::Cancelled,
            Self::Offline { .. } | Self::HubDown { .. } => ErrorKind::Offline,
            Self::NotSignedIn
            | Self::TokenNeeded { .. }
            | Self::TokenRefused { .. }
            | Self::NoAccess { .. } => ErrorKind::Access,
            Self::Unconfirmed { .. } => ErrorKind::Unconfirmed,
            Self::BackendGone
            | Self::Storage { .. }
            | Self::NewerDatabase { .. }
            | Self::File { .. }
            | Self::DiskFull { .. }
            | Self::Transfer { .. }
            | Self::WrongHash { .. }
            | Self::OtherHearth { .. }
            | Self::Internal { .. } => ErrorKind::Failed,
        }
    }

    /// The last lines of the engine's log that belong to this error, oldest first.
    pub fn log(&self) -> &[String] {
        match self {
            Self::LoadFailed { log, .. } | Self::WorkerDied { log, .. } => log,
            _ => &[],
        }
    }

    /// A refusal for a command whose feature is not built.
    pub fn not_yet(command: &str) -> Self {
        Self::NotYet {
            command: command.to_owned(),
        }
    }

    /// A value that is not possible: `Error::invalid("temperature", "must be 0 or more")`.
    pub fn invalid(field: &str, problem: impl Into<String>) -> Self {
        Self::Invalid {
            field: field.to_owned(),
            problem: problem.into(),
        }
    }

    /// A fault of Hearth itself.
    pub fn internal(reason: impl std::fmt::Display) -> Self {
        Self::Internal {
            reason: reason.to_string(),
        }
    }
}

/// The sentence that names a port to take instead.
fn next_free(free: &Option<u16>) -> String {
    free.map_or_else(
        || " Choose another one.".to_owned(),
        |free| format!(" Port {free} is free."),
    )
}

/// The sentence that names what there is instead.
fn alternatives(known: &[String]) -> String {
    if known.is_empty() {
        String::new()
    } else {
        format!(" There is: {}.", known.join(", "))
    }
}

#[cfg(test)]
mod tests;

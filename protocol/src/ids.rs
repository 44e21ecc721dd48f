//! Names of things, one type each, so that a chat can never be taken for a message.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A number that names one kind of thing.
macro_rules! number_id {
    ($(#[$doc:meta])* $name:ident($inner:ty)) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub $inner);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

/// A text that names one kind of thing.
macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub String);

        impl $name {
            /// The name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

number_id! {
    /// A chat, as numbered by the database.
    ChatId(i64)
}
number_id! {
    /// One version of one message, as numbered by the database.
    MessageId(i64)
}
number_id! {
    /// A folder in the list of chats, as numbered by the database.
    FolderId(i64)
}
number_id! {
    /// A download. Later ones have higher numbers, and none is used again.
    DownloadId(i64)
}
number_id! {
    /// One run of work with events: a load, an answer, a scan. Unique within one start of the backend.
    RequestId(u64)
}
number_id! {
    /// A model in memory. Loading the same file again gives a new one.
    LoadedId(u64)
}
number_id! {
    /// An API key of the local server, as numbered by the database.
    ApiKeyId(i64)
}
number_id! {
    /// What a delete gives back, to be handed to undo.
    UndoToken(i64)
}
text_id! {
    /// A model of the catalogue, as `author/name`.
    ModelId
}
text_id! {
    /// A model file of the library: where it is from and its path below that source, such as
    /// `starter/SmolLM2-135M-Instruct-Q4_1.gguf`, or its whole path where it lies in a folder of the person's or in none
    /// of the library. Stable between starts, and unique even where two publishers use one file name.
    FileId
}

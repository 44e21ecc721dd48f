//! The language Hearth's parts speak with each other.
//!
//! The window, the command line and the server hold a [`Client`]; the backend holds the other end.
//! Everything here is plain data and channels: no file, no socket, no async runtime, no toolkit.

pub mod answer;
pub mod anthropic;
pub mod catalogue;
mod channel;
pub mod chat;
mod client;
pub mod command;
pub mod completion;
pub mod download;
pub mod embed;
pub mod engine;
mod error;
pub mod generate;
pub mod hub;
mod ids;
mod image;
pub mod library;
pub mod llama_cpp;
mod nullable;
pub mod openai;
pub mod prompt;
pub mod schema;
mod secret;
pub mod server;
pub mod settings;
mod text_or_list;
pub mod tools;
mod units;
pub mod window;
pub mod wire;

pub use channel::{Abandoned, Answer, Event, EventSink, Events, Reply, RunEvent, Waker};
pub use client::Client;
pub use command::Command;
pub use error::{Error, ErrorKind, Result};
pub use ids::{ChatId, DownloadId, FileId, FolderId, LoadedId, MessageId, ModelId, RequestId, UndoToken};
pub use image::Image;
pub use secret::Secret;
pub use units::{ByteSize, UnixMillis};

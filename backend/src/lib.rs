//! Everything of Hearth that touches disk, network, database and llama.cpp.
//!
//! The mains start it with [`start`] and speak to it through the protocol's client only.

mod at_login;
mod catalogue;
mod chat;
mod config;
mod dispatcher;
mod download;
mod engine;
mod files;
mod finder;
mod given_back;
mod hub;
mod hub_cache;
mod in_use;
mod leaving;
mod library;
mod local;
mod net;
mod relocate;
mod server;
mod settings;
mod store;
#[cfg(test)]
mod tiny_disk;
mod window;
mod wipe;

pub use at_login::LoginEntry;
pub use config::{Config, HubConfig, ProgramFolder, WorkerCommand};
pub use dispatcher::{Shutdown, start, start_listening, start_serving};
pub use engine::{WORKER_ARGUMENT, worker_main};
pub use local::connect;

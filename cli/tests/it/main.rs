//! The real `hearth-cli` with the real starter model, each test in a data folder of its own.
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking, and so do its helpers"
)]

mod account;
mod catalogue;
mod chats;
#[cfg(unix)]
mod crash;
mod embed;
mod files;
mod get;
mod hearth;
mod interrupt;
#[cfg(target_os = "linux")]
mod level;
mod library;
mod lists;
#[cfg(unix)]
mod neighbour;
#[cfg(target_os = "linux")]
mod offline;
mod pull;
mod run;
#[cfg(unix)]
mod running;
#[cfg(unix)]
mod serve;
mod settings;
mod shell;
#[cfg(target_os = "linux")]
mod terminal;

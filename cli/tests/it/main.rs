//! The real `hearth-cli` with the real starter model, each test in a data folder of its own.
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking, and so do its helpers"
)]

mod catalogue;
#[cfg(unix)]
mod crash;
mod embed;
mod hearth;
mod interrupt;
mod lists;
#[cfg(target_os = "linux")]
mod offline;
mod pull;
mod run;
#[cfg(target_os = "linux")]
mod terminal;

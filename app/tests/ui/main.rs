//! The window as a person uses it: the real app, the real backend, the starter model, real input.
//!
//! Elements are found by the names the probe gives, never by fixed places. Every wait is for an event.

mod appearance;
mod asides;
mod chat;
mod clipboard;
mod composer;
mod desktop;
mod discover;
mod downloads;
mod first_start;
mod german;
mod idle;
mod keys;
mod list;
mod load;
mod markdown;
mod messages;
mod models;
mod my_models;
mod neighbours;
mod offline;
mod panel;
mod pictures;
#[allow(dead_code, reason = "the benchmark of the window measures with it")]
mod programs;
#[allow(dead_code, reason = "the benchmark of the window does more with it")]
mod screen;
mod server;
mod settings;
mod storage;
#[allow(dead_code, reason = "the benchmark of the window asks it for more")]
mod window;

use std::path::PathBuf;

use anyhow::{Result, ensure};

/// A data folder of its own, removed at the end.
pub(crate) fn home() -> Result<tempfile::TempDir> {
    let starter = PathBuf::from(env!("CARGO_BIN_EXE_hearth")).with_file_name("starter-models");
    ensure!(
        starter.is_dir(),
        "the starter model is missing; run ./x test, or cargo xtask models"
    );
    Ok(tempfile::tempdir()?)
}

//! A database that cannot be written: the window says so before anything is typed.

use std::fs;
use std::path::Path;

use anyhow::{Result, ensure};

use crate::home;
use crate::screen::Screen;
use crate::window::Window;

/// Where an SQLite file keeps its `user_version`, four bytes with the highest first.
const USER_VERSION: std::ops::Range<usize> = 60..64;

#[test]
fn a_newer_database_is_told_at_the_start() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    Window::start(&screen, home.path())?.close()?;
    let database = home.path().join("hearth.db");
    let mut bytes = fs::read(&database)?;
    bytes[USER_VERSION].copy_from_slice(&99_u32.to_be_bytes());
    fs::write(&database, &bytes)?;

    check_banner(&screen, home.path(), "banner.warning", "newer Hearth (99")?;
    ensure!(fs::read(&database)? == bytes, "the newer file is untouched");
    Ok(())
}

#[test]
fn a_database_that_cannot_be_opened_is_told_at_the_start() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    fs::create_dir(home.path().join("hearth.db"))?;
    check_banner(&screen, home.path(), "banner.failure", "is a folder")
}

fn check_banner(screen: &Screen, home: &Path, name: &str, text: &str) -> Result<()> {
    let window = Window::start(screen, home)?;
    let banner = window.wait_for_value("the banner", |window| {
        Ok(window.element(name)?.filter(|banner| banner.visible))
    })?;
    ensure!(banner.text.contains(text), "it says why: {}", banner.text);
    ensure!(
        window.state()?["toasts"].as_array().is_some_and(Vec::is_empty),
        "the banner alone tells it"
    );
    window.close()
}

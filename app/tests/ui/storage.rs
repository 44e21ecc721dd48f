//! A database that cannot be written: the window says so, and loses nothing that was typed.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::chat::{ask, messages};
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

#[test]
fn a_message_that_is_not_stored_comes_back_with_the_caret_behind_it() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start(&screen, home.path())?;
    run_sql(home.path(), "alter table messages rename to gone")?;
    window.click("composer.input")?;
    window.type_text("Hello")?;
    window.key("Return")?;
    window.visible("toast.title")?;
    window.type_text("!")?;
    window.wait_for("the message", |window| {
        Ok(window.visible("composer.input")?.text == "Hello!")
    })?;
    window.close()
}

#[test]
fn a_chat_that_cannot_be_read_says_so_and_is_read_again() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start(&screen, home.path())?;
    ask(&window, "Say hello.")?;
    let chat = window.state()?["chat"].as_i64().context("the open chat")?;
    window.click("list.new")?;
    window.wait_for("a new chat", |window| Ok(messages(window)? == 0))?;
    run_sql(home.path(), "alter table messages rename to gone")?;
    window.click(&format!("list.row.{chat}"))?;
    window.visible("conversation.unreadable")?;
    run_sql(home.path(), "alter table gone rename to messages")?;
    window.click("conversation.again")?;
    window.wait_for("its messages", |window| Ok(messages(window)? == 2))?;
    window.close()
}

/// Changes the database behind the window's back. Python, which the build needs anyway, brings SQLite along.
fn run_sql(home: &Path, sql: &str) -> Result<()> {
    let script = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute(sys.argv[2])";
    let status = Command::new("python3")
        .args(["-c", script])
        .arg(home.join("hearth.db"))
        .arg(sql)
        .status()?;
    ensure!(status.success(), "{sql} failed");
    Ok(())
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

//! The list of chats: rename, delete, undo.

use anyhow::{Context, Result, ensure};

use crate::chat::{ask, messages};
use crate::home;
use crate::screen::Screen;
use crate::window::Window;

#[test]
fn a_chat_is_renamed_deleted_and_brought_back() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start(&screen, home.path())?;
    ask(&window, "Say hello.")?;
    let chat = window.state()?["chat"].as_i64().context("the open chat")?;
    let row = format!("list.row.{chat}");
    ensure!(
        window.visible(&row)?.text.contains("Say hello"),
        "the title is the first words"
    );

    window.double_click(&row)?;
    window.visible("list.rename.input")?;
    window.key("ctrl+a")?;
    window.type_text("Greetings")?;
    window.key("Return")?;
    window.wait_for("the new title", |window| {
        Ok(window.visible(&row)?.text.contains("Greetings"))
    })?;

    window.click(&row)?;
    window.click(&format!("list.delete.{chat}"))?;
    window.wait_gone(&row)?;
    window.click("toast.undo")?;
    window.wait_for("the chat to come back", |window| {
        Ok(window.visible(&row)?.text.contains("Greetings"))
    })?;
    window.wait_for("its messages", |window| Ok(messages(window)? == 2))?;
    window.check_output()?;
    window.close()
}

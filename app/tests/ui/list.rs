//! The list of chats: rename, delete, undo, folders, search, export and import, the palette, and chats of other programs.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::chat::{ask, messages};
use crate::home;
use crate::programs::command_line;
use crate::screen::Screen;
use crate::window::{Element, Window};

#[test]
fn a_chat_is_renamed_deleted_and_brought_back() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start(&screen, home.path())?;
    ask(&window, "Say hello.")?;
    let row = row_of_open(&window)?;
    ensure!(
        window.visible(&row)?.text.contains("Say hello"),
        "the title is the first words"
    );

    window.double_click(&row)?;
    let field = window.visible("list.rename.input")?;
    window.key("ctrl+a")?;
    let long = "A title that is much longer than the list is wide, so that it would wrap";
    window.type_text(long)?;
    window.wait_for("the whole title", |window| {
        Ok(window.visible("list.rename.input")?.text == long)
    })?;
    ensure!(
        window.visible("list.rename.input")?.place.3 <= field.place.3,
        "the field stays one line high"
    );
    window.key("ctrl+a")?;
    window.type_text("Greetings")?;
    window.key("Return")?;
    window.wait_for("the new title", |window| {
        Ok(window.visible(&row)?.text.contains("Greetings"))
    })?;

    window.right_click(&row)?;
    window.click_item("Delete")?;
    window.wait_gone(&row)?;
    window.click("toast.undo")?;
    window.wait_for("the chat to come back", |window| {
        Ok(window.visible(&row)?.text.contains("Greetings"))
    })?;
    window.wait_for("its messages", |window| Ok(messages(window)? == 2))?;
    window.check_output()?;
    window.close()
}

#[test]
fn a_chat_goes_into_a_folder_and_is_there_after_a_restart() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start(&screen, home.path())?;
    ask(&window, "Say hello.")?;
    let row = row_of_open(&window)?;
    window.right_click(&row)?;
    window.click_item("Move to folder")?;
    window.click_item("New folder")?;
    window.visible("list.rename.input")?;
    window.type_text("Work")?;
    window.key("Return")?;
    let folder = folder_row(&window)?;
    ensure!(folder.text == "Work", "{folder:?}");

    // Closed by a click, its chats are out of sight.
    window.click(&folder.name)?;
    window.wait_gone(&row)?;
    window.click(&folder.name)?;
    window.visible(&row)?;
    window.close()?;

    let window = Window::start(&screen, home.path())?;
    let folder = folder_row(&window)?;
    ensure!(folder.text == "Work", "{folder:?}");
    window.right_click(&folder.name)?;
    window.click_item("Delete")?;
    window.click("confirm.do")?;
    window.wait_gone(&folder.name)?;
    window.visible(&row)?;
    window.check_output()?;
    window.close()
}

#[test]
fn a_word_is_found_in_a_message_and_its_chat_opens_there() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start(&screen, home.path())?;
    ask(&window, "Say hello.")?;
    let first = window.state()?["chat"].clone();
    window.click("list.new")?;
    ask(&window, "Tell me of the lighthouse.")?;
    window.key("ctrl+f")?;
    window.wait_for("the keyboard", |window| Ok(window.visible("list.search")?.focus))?;
    window.type_text("hello")?;
    window.visible("list.hit.0")?;
    window.key("Return")?;
    window.wait_for("the chat that was found", |window| {
        Ok(window.state()?["chat"] == first)
    })?;
    window.key("ctrl+f")?;
    window.wait_for("the keyboard", |window| Ok(window.visible("list.search")?.focus))?;
    window.type_text("xyzzy")?;
    window.wait_gone("list.hit.0")?;
    window.key("Escape")?;
    window.wait_for("the end of the search", |window| {
        Ok(window.state()?["search"] == "")
    })?;
    window.check_output()?;
    window.close()
}

#[test]
fn a_chat_is_exported_and_imported_again() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start(&screen, home.path())?;
    ask(&window, "Say hello.")?;
    let row = row_of_open(&window)?;
    window.right_click(&row)?;
    window.click_item("Export")?;
    window.click_item("As JSON, to import again")?;
    let path = home.path().join("out.json");
    type_path(&window, &path)?;
    window.key("Return")?;
    window.wait_gone("path_form.path")?;
    ensure!(
        fs::read_to_string(&path)?.contains("Say hello."),
        "the file holds the chat"
    );

    // The chat goes; its file brings it back.
    window.right_click(&row)?;
    window.click_item("Delete")?;
    window.wait_gone(&row)?;
    window.key("ctrl+k")?;
    window.wait_for("the keyboard", |window| {
        Ok(window.visible("palette.words")?.focus)
    })?;
    window.type_text("import")?;
    window.key("Return")?;
    type_path(&window, &path)?;
    window.click("path_form.do")?;
    window.wait_gone("path_form.path")?;
    window.wait_for("the chat again", |window| {
        let is_chat = |it: &Element| it.name.starts_with("list.row.") && it.visible;
        Ok(window.elements()?.iter().any(is_chat))
    })?;
    window.check_output()?;
    window.close()
}

#[test]
fn a_chat_that_a_command_wrote_shows_at_once() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start(&screen, home.path())?;
    ask(&window, "Say hello.")?;
    let file = home.path().join("chat.json");
    let row = row_of_open(&window)?;
    window.right_click(&row)?;
    window.click_item("Export")?;
    window.click_item("As JSON, to import again")?;
    type_path(&window, &file)?;
    window.key("Return")?;
    window.wait_gone("path_form.path")?;
    // Another question makes it another chat.
    let other = fs::read_to_string(&file)?.replace("Say hello", "Said in the terminal");
    fs::write(&file, other)?;
    command_line(home.path(), &["chats", "import", &file.display().to_string()])?;
    window.wait_for("the chat of the command", |window| {
        let is_row = |it: &&Element| it.name.starts_with("list.row.") && it.visible;
        Ok(window.elements()?.iter().filter(is_row).count() == 2)
    })?;
    window.check_output()?;
    window.close()
}

/// The name of the open chat's row.
pub(crate) fn row_of_open(window: &Window<'_>) -> Result<String> {
    let chat = window.state()?["chat"].as_i64().context("the open chat")?;
    Ok(format!("list.row.{chat}"))
}

/// The row of the only folder, waited for.
fn folder_row(window: &Window<'_>) -> Result<Element> {
    window.wait_for_value("the folder", |window| {
        let is_it = |it: &Element| {
            it.name.starts_with("list.folder.row.") && it.visible && it.name != "list.folder.row.new"
        };
        Ok(window.elements()?.into_iter().find(is_it))
    })
}

/// Types a path into the form, in the place of what is there.
fn type_path(window: &Window<'_>, path: &Path) -> Result<()> {
    window.visible("path_form.path")?;
    window.wait_for("the keyboard", |window| {
        Ok(window.visible("path_form.path")?.focus)
    })?;
    window.key("ctrl+a")?;
    window.type_text(&path.display().to_string())
}

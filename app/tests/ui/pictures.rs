//! Pictures of every page and state in both themes, written to `target/shots`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::chat::{answer, ask, is_running, messages, stop};
use crate::composer::{attach, tokens, type_path};
use crate::home;
use crate::panel::{reach, type_into};
use crate::screen::Screen;
use crate::window::Window;

#[test]
fn pictures_of_every_page_in_both_themes() -> Result<()> {
    let folder = shots()?;
    let (screen, home) = (Screen::start()?, home()?);
    fs::create_dir_all(home.path().join("models"))?;
    fs::write(home.path().join("models/Broken-1B-Q4_0.gguf"), "<html>404</html>")?;
    let window = Window::start(&screen, home.path())?;
    for theme in ["dark", "light"] {
        let take = |name: &str| -> Result<()> { window.picture(&folder.join(format!("{name}-{theme}.png"))) };
        window.click("rail.settings")?;
        window.click(&format!("settings.theme.{theme}"))?;
        window.wait_for("the theme", |window| Ok(window.state()?["theme"] == theme))?;
        take("settings")?;
        for page in ["discover", "models", "server"] {
            window.click(&format!("rail.{page}"))?;
            window.wait_for(page, |window| Ok(window.state()?["page"] == page))?;
            take(page)?;
        }
        window.click("rail.chat")?;
        window.click("list.new")?;
        window.wait_for("an empty chat", |window| Ok(messages(window)? == 0))?;
        take("chat-empty")?;

        window.click("picker.button")?;
        window.visible("picker.row.0")?;
        take("picker")?;
        window.key("Escape")?;

        window.click("composer.input")?;
        window.type_text("Write a short Python function that adds two numbers, and explain it.")?;
        window.key("Return")?;
        window.wait_for("some text", |window| {
            Ok(answer(window)?.len() > 80 || !is_running(window)?)
        })?;
        take("chat-streaming")?;
        window.wait_for("the answer", |window| {
            Ok(answer(window)?.len() > 600 || !is_running(window)?)
        })?;
        stop(&window)?;
        take("chat")?;

        panel_pictures(&window, take)?;

        let chat = window.state()?["chat"].as_i64().context("the open chat")?;
        window.right_click(&format!("list.row.{chat}"))?;
        window.visible("menu.item.0")?;
        take("menu")?;
        window.click_item("Move to folder")?;
        window.click_item("New folder")?;
        window.visible("list.rename.input")?;
        window.type_text(&format!("Work {theme}"))?;
        window.key("Return")?;
        window.wait_gone("list.rename.input")?;
        take("folders")?;

        window.key("ctrl+f")?;
        window.wait_for("the keyboard", |window| Ok(window.visible("list.search")?.focus))?;
        window.type_text("python")?;
        window.visible("list.hit.0")?;
        take("search")?;
        window.key("Escape")?;

        window.key("ctrl+k")?;
        window.wait_for("the keyboard", |window| {
            Ok(window.visible("palette.words")?.focus)
        })?;
        window.type_text("ch")?;
        take("palette")?;
        window.key("Escape")?;

        window.key("ctrl+shift+m")?;
        window.wait_for("the estimate", |window| {
            Ok(!window.visible("load_dialog.context.memory")?.text.is_empty())
        })?;
        take("load")?;
        window.click("load_dialog.fine")?;
        window.visible("load_dialog.flash.auto")?;
        take("load-fine")?;
        window.key("Escape")?;

        window.right_click(&format!("list.row.{chat}"))?;
        window.click_item("Export")?;
        window.click_item("As Markdown, to read")?;
        window.visible("path_form.path")?;
        take("export")?;
        window.key("Escape")?;

        let folder = window.wait_for_value("the folder", |window| {
            let is_it = |name: &str| name.starts_with("list.folder.row.");
            Ok(window
                .elements()?
                .into_iter()
                .find(|it| is_it(&it.name) && it.visible))
        })?;
        window.right_click(&folder.name)?;
        window.click_item("Delete")?;
        window.visible("confirm.cancel")?;
        take("confirm")?;
        window.click("confirm.do")?;
        window.wait_gone(&folder.name)?;

        window.right_click(&format!("list.row.{chat}"))?;
        window.click_item("Delete")?;
        window.visible("toast.undo")?;
        take("toast")?;
        window.click("toast.undo")?;
    }
    window.check_output()?;
    window.close()
}

/// German words are longer by a third, and everything has to fit at each size.
#[test]
fn pictures_in_german_and_at_other_sizes() -> Result<()> {
    let folder = shots()?;
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start(&screen, home.path())?;
    let take = |name: &str| -> Result<()> { window.picture(&folder.join(format!("{name}.png"))) };
    window.click("rail.settings")?;
    window.click("settings.language.german")?;
    window.wait_for("the words in German", |window| {
        Ok(window.state()?["language"] == "de")
    })?;
    window.click("rail.chat")?;
    window.click("composer.input")?;
    window.type_text("Write a short Python function that adds two numbers, and a table of what it does.")?;
    window.key("Return")?;
    window.wait_for("an answer", |window| {
        Ok(answer(window)?.len() > 600 || (!answer(window)?.is_empty() && !is_running(window)?))
    })?;
    stop(&window)?;
    for (zoom, keys) in [(130, 3), (200, 3), (80, 0)] {
        if zoom == 80 {
            window.key("ctrl+0")?;
            window.key("ctrl+minus")?;
            window.key("ctrl+minus")?;
        }
        for _ in 0..keys {
            window.key("ctrl+equal")?;
        }
        window.wait_for("the size", |window| Ok(window.state()?["zoom"] == zoom))?;
        take(&format!("chat-german-{zoom}"))?;
        for page in ["server", "discover", "settings"] {
            window.click(&format!("rail.{page}"))?;
            window.wait_for(page, |window| Ok(window.state()?["page"] == page))?;
            take(&format!("{page}-german-{zoom}"))?;
        }
        window.click("settings.part.shortcuts")?;
        window.visible("settings.shortcut.palette.record")?;
        take(&format!("shortcuts-german-{zoom}"))?;
        window.click("settings.part.general")?;
        window.key("ctrl+k")?;
        window.wait_for(
            "the palette",
            |window| Ok(window.state()?["overlay"] == "palette"),
        )?;
        take(&format!("palette-german-{zoom}"))?;
        window.key("Escape")?;
        window.click("rail.chat")?;
    }
    for size in ["small", "large"] {
        window.click("rail.settings")?;
        window.click(&format!("settings.text_size.{size}"))?;
        window.click("settings.theme.light")?;
        window.key("ctrl+0")?;
        window.click("rail.chat")?;
        window.wait_for("the chat", |window| Ok(window.state()?["page"] == "chat"))?;
        take(&format!("chat-text-{size}"))?;
    }
    window.check_output()?;
    window.close()
}

#[test]
fn pictures_of_the_composer_in_both_themes() -> Result<()> {
    let folder = shots()?;
    let (screen, home) = (Screen::start()?, home()?);
    let mut paths = Vec::new();
    for (name, text) in [
        ("eggs.csv", "name,eggs\nAda,12\n"),
        (
            "what-was-said-about-the-eggs-on-the-last-day-of-november.md",
            "# Eggs\n\nTwelve.\n",
        ),
        ("model.bin", "GGUF\0"),
    ] {
        paths.push(home.path().join(name));
        fs::write(home.path().join(name), text)?;
    }
    let window = Window::start(&screen, home.path())?;
    for theme in ["dark", "light"] {
        let take = |name: &str| -> Result<()> { window.picture(&folder.join(format!("{name}-{theme}.png"))) };
        window.click("rail.settings")?;
        window.click(&format!("settings.theme.{theme}"))?;
        window.wait_for("the theme", |window| Ok(window.state()?["theme"] == theme))?;
        window.click("rail.chat")?;
        window.click("list.new")?;
        window.wait_for("an empty chat", |window| Ok(messages(window)? == 0))?;
        ask(&window, "Say hello.")?;
        attach(&window, &paths[0])?;
        attach(&window, &paths[1])?;
        window.type_text("How many eggs are there in these two files?")?;
        window.wait_for("the tokens of all", |window| {
            Ok(tokens(window)?.is_some_and(|tokens| tokens > 20))
        })?;
        // A pointer that leaves the window at once leaves its button lit.
        window.hover("conversation.list")?;
        take("composer-files")?;
        window.key("Return")?;
        window.wait_for("the message", |window| {
            Ok(messages(window)? == 4 && !answer(window)?.is_empty())
        })?;
        stop(&window)?;
        take("message-files")?;

        window.click("composer.attach")?;
        type_path(&window, &paths[2])?;
        window.wait_for("the fault", |window| {
            Ok(window.element("path_form.fault")?.is_some_and(|it| it.visible))
        })?;
        take("attach-refused")?;
        window.key("Escape")?;

        let state = window.state()?;
        let reply = state["messages"][3]["id"].as_i64().context("its number")?;
        window.right_click(&format!("message.{reply}.block.0"))?;
        window.click_item("Select text")?;
        window.wait_for("the text", |window| Ok(window.visible("text_view.text")?.focus))?;
        for _ in 0..16 {
            window.key("shift+Right")?;
        }
        take("select-text")?;
        window.key("Escape")?;
    }
    window.check_output()?;
    window.close()
}

/// The panel beside the chat: as it opens, its presets, a number and a schema that are none. It is closed again.
fn panel_pictures(window: &Window<'_>, take: impl Fn(&str) -> Result<()>) -> Result<()> {
    window.click("composer.input")?;
    window.key("ctrl+i")?;
    window.visible("panel.prompt")?;
    reach(window, "panel.preset")?;
    take("panel")?;
    window.key("Return")?;
    window.visible("menu.item.0")?;
    take("panel-presets")?;
    window.click_item("Writing")?;
    type_into(window, "panel.top-p.field", "2")?;
    window.visible("panel.top-p.problem")?;
    take("panel-number")?;
    type_into(window, "panel.top-p.field", "0.9")?;
    if window
        .element("panel.form.kind")?
        .is_none_or(|kind| !kind.visible)
    {
        reach(window, "panel.form")?;
        window.key("Return")?;
    }
    reach(window, "panel.form.kind")?;
    window.key("Return")?;
    window.click_item("JSON by a schema")?;
    reach(window, "panel.form.text")?;
    window.type_text("{\"type\": \"object\", \"properties\": {\"town\" 1}}")?;
    window.wait_for("the fault", |window| {
        let fault = window.element("panel.form.problem")?;
        Ok(fault.is_some_and(|fault| fault.text.starts_with("Line 1")))
    })?;
    take("panel-schema")?;
    window.click("panel.more")?;
    window.click_item("Reset this chat's settings")?;
    window.key("ctrl+i")?;
    window.wait_gone("panel.prompt")
}

/// The folder of pictures, made if it is missing.
pub(crate) fn shots() -> Result<PathBuf> {
    let target = Path::new(env!("CARGO_BIN_EXE_hearth"))
        .ancestors()
        .nth(2)
        .context("the target folder")?;
    let folder = target.join("shots");
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

//! The window without the mouse, and the composer's keys.

use anyhow::{Context, Result, bail, ensure};

use crate::chat::{ask, is_running, stop};
use crate::home;
use crate::screen::Screen;
use crate::window::{Element, Window};

#[test]
fn chats_are_reached_opened_and_deleted_with_keys() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start(&screen, home.path())?;
    ask(&window, "Say hello.")?;
    let older = window.state()?["chat"].as_i64().context("the open chat")?;
    window.key("ctrl+n")?;
    window.wait_for("a new chat", |window| Ok(window.state()?["chat"].is_null()))?;
    ask(&window, "Say goodbye.")?;
    let newer = window.state()?["chat"].as_i64().context("the open chat")?;

    // The newer chat stands first; an arrow leads on to the older one.
    let first = tab_back_to(&window, "list.row.")?;
    ensure!(first.name == format!("list.row.{newer}"), "{first:?}");
    window.key("Down")?;
    window.wait_for("the older chat's row", |window| {
        has_keys(window, &format!("list.row.{older}"))
    })?;
    window.key("Return")?;
    window.wait_for("the older chat", |window| Ok(window.state()?["chat"] == older))?;
    window.wait_for("the composer", |window| has_keys(window, "composer.input"))?;

    // The row that has the keyboard has its buttons, too, and Delete deletes.
    tab_back_to(&window, "list.row.")?;
    window.key("Tab")?;
    window.wait_for("the rename button", |window| {
        has_keys(window, &format!("list.pin.{newer}"))
    })?;
    window.key("shift+Tab")?;
    window.wait_for("the row", |window| has_keys(window, &format!("list.row.{newer}")))?;
    window.key("Delete")?;
    window.wait_gone(&format!("list.row.{newer}"))?;
    window.wait_for("the next row", |window| {
        has_keys(window, &format!("list.row.{older}"))
    })?;
    window.check_output()
}

#[test]
fn f6_goes_from_pane_to_pane_and_back() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start(&screen, home.path())?;
    window.click("composer.input")?;
    window.wait_for("the composer", |window| has_keys(window, "composer.input"))?;
    let way = ["rail.chat", "list.new_folder", "composer.input"];
    for name in way {
        window.key("F6")?;
        window.wait_for(name, |window| has_keys(window, name))?;
    }
    // With the panel there is one more.
    window.key("ctrl+i")?;
    window.visible("panel.prompt")?;
    for name in ["panel.more", "rail.chat"] {
        window.key("F6")?;
        window.wait_for(name, |window| has_keys(window, name))?;
    }
    for name in ["panel.more", "composer.input", "list.new_folder"] {
        window.key("shift+F6")?;
        window.wait_for(name, |window| has_keys(window, name))?;
    }
    // Other pages have fewer.
    window.click("rail.settings")?;
    window.wait_for("the settings", |window| Ok(window.state()?["page"] == "settings"))?;
    for name in ["rail.chat", "settings.part.general"] {
        window.key("F6")?;
        window.wait_for(name, |window| has_keys(window, name))?;
    }
    window.check_output()
}

/// Where the plus is a key of its own, or stands above another, the toolkit does not tell that it was pressed.
#[test]
fn the_window_grows_with_every_plus_of_the_keyboard() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start(&screen, home.path())?;
    for key in ["ctrl+plus", "ctrl+KP_Add", "ctrl+equal"] {
        // A key that is held repeats itself, so that it may be more than one step.
        screen.hold_key(key, true)?;
        window.wait_for(key, |window| Ok(window.state()?["zoom"].as_u64() > Some(100)))?;
        screen.hold_key(key, false)?;
        window.key("ctrl+0")?;
        window.wait_for("the usual size", |window| Ok(window.state()?["zoom"] == 100))?;
    }
    window.check_output()
}

#[test]
fn a_long_draft_keeps_its_caret_in_view() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start(&screen, home.path())?;
    window.click("composer.input")?;
    window.type_text("first")?;
    for _ in 0..14 {
        window.key("shift+Return")?;
    }
    window.type_text("last")?;
    window.wait_for("the text", |window| Ok(draft(window)?.ends_with("last")))?;

    // The caret goes up to the first line, and what is seen goes with it: a click at its top meets that line.
    window.key("ctrl+Home")?;
    window.click_at("composer.input", 20.0, 24.0)?;
    window.type_text("!")?;
    window.wait_for("a letter", |window| Ok(draft(window)?.contains('!')))?;
    let text = draft(&window)?;
    ensure!(
        text.lines().next().is_some_and(|line| line.contains('!')),
        "{text:?}"
    );

    // And down again, step by step.
    for _ in 0..14 {
        window.key("Down")?;
    }
    window.key("End")?;
    window.type_text("?")?;
    window.wait_for("a question mark", |window| Ok(draft(window)?.ends_with("last?")))?;
    let (.., height) = window.visible("composer.input")?.place;
    window.click_at("composer.input", 20.0, height - 12.0)?;
    window.type_text("#")?;
    window.wait_for("a hash", |window| Ok(draft(window)?.contains('#')))?;
    let text = draft(&window)?;
    ensure!(
        text.lines().last().is_some_and(|line| line.contains('#')),
        "{text:?}"
    );
    window.check_output()
}

#[test]
fn a_draft_is_broken_anew_in_a_narrower_window() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start(&screen, home.path())?;
    let height = |window: &Window<'_>| Ok::<_, anyhow::Error>(window.visible("composer.input")?.place.3);
    let of_one_line = height(&window)?;
    window.click("composer.input")?;
    window.type_text(
        "One line where there is room for it, and two of them in a window that is rather narrow.",
    )?;
    window.wait_for("the text", |window| Ok(draft(window)?.ends_with("narrow.")))?;
    ensure!(height(&window)? == of_one_line, "it has room");
    window.resize(640, 700)?;
    window.wait_for("a second line", |window| Ok(height(window)? > of_one_line))?;
    window.check_output()
}

#[test]
fn the_tooltip_goes_with_its_button() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start(&screen, home.path())?;
    window.click("composer.input")?;
    window.type_text("Write a long story about a lighthouse.")?;
    window.hover("composer.send")?;
    let tooltip = window.visible("tooltip")?;
    ensure!(tooltip.text.starts_with("Send"), "{tooltip:?}");
    // The other Enter sends as well, and takes the button away under the pointer.
    window.key("KP_Enter")?;
    window.wait_for("the answer", is_running)?;
    window.wait_gone("tooltip")?;
    stop(&window)?;
    window.check_output()
}

/// Presses Shift Tab until an element has the keyboard whose name begins so.
fn tab_back_to(window: &Window<'_>, name: &str) -> Result<Element> {
    let mut before = focused(window)?;
    for _ in 0..30 {
        window.key("shift+Tab")?;
        let now = window.wait_for_value("the stop before", |window| {
            Ok(focused(window)?.filter(|now| before.as_ref().is_none_or(|before| before.name != now.name)))
        })?;
        if now.name.starts_with(name) {
            return Ok(now);
        }
        before = Some(now);
    }
    bail!("Tab does not stop at {name}")
}

fn focused(window: &Window<'_>) -> Result<Option<Element>> {
    Ok(window.elements()?.into_iter().find(|element| element.focus))
}

fn has_keys(window: &Window<'_>, name: &str) -> Result<bool> {
    Ok(window.element(name)?.is_some_and(|element| element.focus))
}

fn draft(window: &Window<'_>) -> Result<String> {
    Ok(window.visible("composer.input")?.text)
}

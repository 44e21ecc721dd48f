//! The first start: from an empty data folder to the first answer, with the keyboard alone and with no network.

use anyhow::{Result, ensure};

use crate::chat::{answer, stop};
use crate::home;
use crate::pictures::shots;
use crate::screen::Screen;
use crate::window::Window;

#[test]
fn from_an_empty_folder_to_the_first_answer_with_the_keyboard_alone() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start_first(&screen, home.path())?;
    step(&window, "1 of 3")?;
    window.picture(&shots()?.join("first-welcome.png"))?;
    window.key("Return")?;
    step(&window, "2 of 3")?;

    // The theme and the language change at once, and the steps with them.
    window.wait_for("the keyboard", |window| Ok(window.visible("first.next")?.focus))?;
    window.picture(&shots()?.join("first-look.png"))?;
    while !window.visible("first.theme.light")?.focus {
        window.key("Tab")?;
        window.state()?;
    }
    window.key("space")?;
    window.wait_for(
        "the light theme",
        |window| Ok(window.state()?["shade"] == "light"),
    )?;
    while !window.visible("first.language.german")?.focus {
        window.key("Tab")?;
        window.state()?;
    }
    window.key("space")?;
    window.wait_for("the words in German", |window| {
        Ok(window.visible("first.count")?.text == "2 von 3")
    })?;
    while !window.visible("first.next")?.focus {
        window.key("Tab")?;
        window.state()?;
    }
    window.key("Return")?;
    step(&window, "3 von 3")?;
    let model = window.visible("first.model")?.text;
    ensure!(
        model.starts_with("SmolLM2 135M Instruct kam mit Hearth"),
        "{model}"
    );
    window.wait_for("the keyboard", |window| Ok(window.visible("first.next")?.focus))?;
    window.picture(&shots()?.join("first-model-german.png"))?;
    window.key("Return")?;
    window.wait_gone("first.next")?;

    window.wait_for("the composer", |window| {
        Ok(window.visible("composer.input")?.focus)
    })?;
    window.type_text("Say hello.")?;
    window.key("Return")?;
    window.wait_for("an answer", |window| Ok(!answer(window)?.is_empty()))?;
    stop(&window)?;
    window.check_output()?;
    window.close()?;

    // Once only, and again where it is asked for.
    let window = Window::start_first(&screen, home.path())?;
    window.wait_for("the decision", |window| {
        Ok(window.state()?["knows_first_start"] == true)
    })?;
    ensure!(window.state()?["overlay"].is_null(), "it was seen before");
    window.key("ctrl+k")?;
    window.wait_for("the keyboard", |window| {
        Ok(window.visible("palette.words")?.focus)
    })?;
    window.type_text("noch einmal")?;
    window.visible("palette.entry.0")?;
    window.key("Return")?;
    step(&window, "1 von 3")?;
    window.key("Escape")?;
    window.wait_gone("first.next")?;
    window.check_output()?;
    window.close()
}

#[test]
fn a_first_start_that_is_skipped_does_not_come_again() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start_first(&screen, home.path())?;
    window.click("first.skip")?;
    window.wait_gone("first.next")?;
    window.wait_for("the place of the window", |window| {
        Ok(window.state()?["first_start_seen"] == true)
    })?;
    window.close()?;
    let window = Window::start_first(&screen, home.path())?;
    window.wait_for("the decision", |window| {
        Ok(window.state()?["knows_first_start"] == true)
    })?;
    ensure!(
        window.state()?["overlay"].is_null(),
        "nothing was asked or answered"
    );
    window.check_output()?;
    window.close()
}

fn step(window: &Window<'_>, count: &str) -> Result<()> {
    window.wait_for(count, |window| Ok(window.visible("first.count")?.text == count))
}

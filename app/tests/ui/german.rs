//! The window in German: every page says so at once when the language is switched, and all of it fits.

use anyhow::{Result, ensure};

use crate::chat::ask;
use crate::home;
use crate::panel::type_into;
use crate::pictures::shots;
use crate::screen::Screen;
use crate::window::Window;

/// Words that stand in the window in English only.
const ENGLISH: [&str; 18] = [
    "Settings",
    "Server is",
    "Loaded",
    "tokens",
    "stop:",
    "Thought",
    "Preset",
    "Sampling",
    "Temperature",
    "Seed",
    "Answer",
    "Requests",
    "Warnings",
    "Endpoints",
    "Connection",
    "Require",
    "Nothing",
    "Search",
];

#[test]
fn the_language_is_switched_while_the_window_is_open_and_everything_follows() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start(&screen, home.path())?;
    ask(&window, "Say hello.")?;
    window.key("ctrl+i")?;
    ensure!(window.visible("panel.temperature.name")?.text == "Temperature");
    type_into(&window, "panel.top-p.field", "2")?;
    window.wait_for("what is wrong", |window| {
        Ok(window
            .visible("panel.top-p.problem")?
            .text
            .starts_with("It goes from"))
    })?;

    window.click("rail.settings")?;
    window.click("settings.language.german")?;
    window.wait_for("the words in German", |window| {
        Ok(window.state()?["language"] == "de")
    })?;
    only_german(&window, "settings")?;
    for part in crate::settings::PARTS {
        crate::settings::show(&window, part)?;
        only_german(&window, part)?;
    }

    window.click("rail.chat")?;
    window.wait_for("the panel", |window| {
        Ok(window.visible("panel.temperature.name")?.text == "Temperatur")
    })?;
    let problem = window.visible("panel.top-p.problem")?.text;
    ensure!(problem.starts_with("Möglich ist 0 bis 1."), "{problem}");
    window.wait_for("the model at rest", |window| {
        Ok(window.visible("picker.doing")?.text.starts_with("Geladen, "))
    })?;
    only_german(&window, "chat")?;
    window.picture(&shots()?.join("chat-panel-german.png"))?;
    window.key("ctrl+m")?;
    window.visible("picker.row.0")?;
    only_german(&window, "picker")?;
    window.picture(&shots()?.join("picker-german.png"))?;
    window.key("Escape")?;

    window.click("rail.server")?;
    ensure!(window.visible("server.state.off")?.text == "Aus");
    only_german(&window, "server")?;
    window.click("server.power")?;
    window.wait_for("the server", |window| {
        Ok(window.visible("server.state.on")?.text == "Läuft")
    })?;
    ensure!(window.visible("server.in_flight")?.text == "0 Anfragen laufen");
    window.click("server.new_key")?;
    window.visible("server.key.make")?;
    window.click("server.key.make")?;
    window.wait_for("what is missing", |window| {
        Ok(window
            .visible("server.key.problem")?
            .text
            .starts_with("Sag, wofür"))
    })?;
    only_german(&window, "server")?;
    window.picture(&shots()?.join("server-german.png"))?;

    window.click("rail.models")?;
    window.visible("models.row.0.used")?;
    only_german(&window, "models")?;
    window.click("models.row.0")?;
    window.key("Return")?;
    window.visible("models.details.name")?;
    only_german(&window, "models")?;
    window.picture(&shots()?.join("models-german.png"))?;
    window.check_output()?;
    window.close()
}

/// Fails where an element that is drawn says something in English.
fn only_german(window: &Window<'_>, page: &str) -> Result<()> {
    for element in window.elements()? {
        // What a model wrote, examples for programs and the log of the server are in whatever language they are.
        let others = ["message.", "server.example", "server.log.in_view"];
        let is_ours = !others.iter().any(|name| element.name.starts_with(name));
        let english = ENGLISH.iter().find(|word| element.text.contains(**word));
        ensure!(
            !element.visible || !is_ours || english.is_none(),
            "{page}: {} says {:?}",
            element.name,
            element.text
        );
    }
    Ok(())
}

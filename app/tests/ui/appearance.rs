//! What the window looks like, and that it looks so again after a restart.

use anyhow::{Result, ensure};
use serde_json::json;

use crate::desktop::{DARK, Desktop, LIGHT};
use crate::home;
use crate::neighbours::Neighbours;
use crate::pictures::shots;
use crate::screen::Screen;
use crate::window::Window;

#[test]
fn the_look_is_changed_at_once_and_there_after_a_restart() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start(&screen, home.path())?;
    ensure!(is(&window, "shade", "dark")?, "no desktop says anything else");

    window.click("rail.settings")?;
    window.click("settings.theme.light")?;
    window.wait_for("the light theme", |window| is(window, "shade", "light"))?;
    window.click("settings.accent.lake")?;
    window.click("settings.language.german")?;
    window.wait_for("the words in German", |window| {
        Ok(window.visible("settings.part.general")?.text == "Allgemein")
    })?;

    // Larger: everything is found and clicked at its new place.
    let before = window.visible("settings.theme.dark")?.place.2;
    for _ in 0..3 {
        window.key("ctrl+equal")?;
    }
    window.wait_for("130 %", |window| Ok(window.state()?["zoom"] == 130))?;
    window.wait_for("a larger button", |window| {
        Ok(window.visible("settings.theme.dark")?.place.2 > 1.25 * before)
    })?;
    window.click("settings.density.compact")?;
    window.click("settings.text_size.large")?;
    window.wait_for("the compact density", |window| {
        Ok(window.state()?["look"] == "Lake Large Compact")
    })?;
    window.picture(&shots()?.join("look-german-130.png"))?;
    window.check_output()?;
    window.close()?;

    // The first frame is right already: what the probe tells first is what is stored.
    let window = Window::start(&screen, home.path())?;
    ensure!(is(&window, "shade", "light")?, "{}", window.state()?);
    ensure!(window.state()?["zoom"] == 130, "{}", window.state()?);
    ensure!(
        window.state()?["look"] == "Lake Large Compact",
        "{}",
        window.state()?
    );
    window.click("rail.settings")?;
    window.wait_for("the words in German", |window| {
        Ok(window.visible("settings.part.general")?.text == "Allgemein")
    })?;
    window.key("ctrl+0")?;
    window.wait_for("the usual size", |window| Ok(window.state()?["zoom"] == 100))?;
    window.check_output()
}

#[test]
fn the_desktop_s_colours_are_followed_while_the_window_is_open() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let desktop = Desktop::start(LIGHT)?;
    let window = Window::start_on(
        &screen,
        home.path(),
        &[("DBUS_SESSION_BUS_ADDRESS", desktop.address())],
    )?;
    ensure!(
        is(&window, "shade", "light")?,
        "the first frame is light: {}",
        window.state()?
    );
    desktop.turn(DARK)?;
    window.wait_for("the dark colours", |window| is(window, "shade", "dark"))?;
    window.click("rail.settings")?;
    window.click("settings.theme.light")?;
    window.wait_for("the light theme", |window| is(window, "shade", "light"))?;
    window.click("settings.theme.system")?;
    window.wait_for("the desktop's colours", |window| is(window, "shade", "dark"))?;
    window.check_output()
}

#[test]
fn a_shortcut_is_changed_refused_where_it_is_taken_and_there_after_a_restart() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start(&screen, home.path())?;
    window.key("ctrl+comma")?;
    window.click("settings.part.shortcuts")?;
    let keys = |window: &Window<'_>, action: &str| -> Result<String> {
        Ok(window
            .visible(&format!("settings.shortcut.{action}.record"))?
            .text)
    };
    ensure!(keys(&window, "new_chat")? == "Ctrl N");

    // Taken by another.
    window.click("settings.shortcut.new_chat.record")?;
    window.wait_for("keys to be pressed", |window| {
        Ok(window.state()?["recording"] == true)
    })?;
    window.key("ctrl+k")?;
    let problem = window.visible("settings.shortcut.new_chat.problem")?;
    ensure!(problem.text.starts_with("Ctrl K is taken"), "{problem:?}");
    ensure!(keys(&window, "new_chat")? == "Ctrl N", "nothing has changed");

    // Free.
    window.click("settings.shortcut.new_chat.record")?;
    window.wait_for("keys to be pressed", |window| {
        Ok(window.state()?["recording"] == true)
    })?;
    window.key("ctrl+shift+n")?;
    window.wait_for("the new keys", |window| {
        Ok(keys(window, "new_chat")? == "Ctrl Shift N")
    })?;
    window.close()?;

    // The keyboard and the tooltip have them, and the old keys do nothing.
    let window = Window::start(&screen, home.path())?;
    window.key("ctrl+comma")?;
    window.wait_for("the settings", |window| is(window, "page", "settings"))?;
    window.key("ctrl+n")?;
    window.key("ctrl+shift+n")?;
    window.wait_for("a new chat", |window| is(window, "page", "chat"))?;
    window.hover("list.new")?;
    window.wait_for("the tooltip", |window| {
        Ok(window.visible("tooltip")?.text == "New chat  Ctrl Shift N")
    })?;
    window.key("ctrl+comma")?;
    window.click("settings.part.shortcuts")?;
    window.click("settings.shortcut.new_chat.reset")?;
    window.wait_for("the usual keys", |window| {
        Ok(keys(window, "new_chat")? == "Ctrl N")
    })?;
    window.check_output()
}

#[test]
fn a_second_start_shows_the_first_window_and_ends() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start(&screen, home.path())?;
    let neighbours = Neighbours::on(screen.display())?;
    neighbours.open_window()?;
    ensure!(
        window.start_again(home.path(), &[])?.success(),
        "the second start ends well"
    );
    neighbours.wait_in_front(window.id()?)?;
    // A file and a link that it was started with come along.
    window.start_again(home.path(), &["some model.gguf"])?;
    window.wait_for("the form", |window| {
        let path = window.element("import.path")?;
        Ok(path.is_some_and(|path| path.text.ends_with("/some model.gguf")))
    })?;
    window.start_again(home.path(), &["--offline", "hearth://Ada/owl-GGUF"])?;
    window.wait_for("the page", |window| is(window, "page", "discover"))?;
    let refused = window.start_again(home.path(), &["/etc/passwd"])?;
    ensure!(refused.code() == Some(2), "{refused:?}");
    window.check_output()?;
    window.close()
}

#[test]
fn the_window_opens_again_where_it_stood() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start(&screen, home.path())?;
    let neighbours = Neighbours::on(screen.display())?;
    window.resize(1100, 700)?;
    screen.move_window(window.id()?, 60, 40)?;
    let stood = neighbours.corner(window.id()?)?;
    let kept = json!({"at": [stood.0, stood.1], "width": 1100, "height": 700, "maximised": false});
    window.wait_for("the place to be kept", |window| {
        Ok(window.state()?["window"] == kept)
    })?;
    window.close()?;
    let window = Window::start(&screen, home.path())?;
    let stands = neighbours.corner(window.id()?)?;
    ensure!(stands == stood, "{stands:?} is not {stood:?}");
    window.check_output()
}

#[test]
fn every_control_of_every_page_has_a_name_and_words() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start(&screen, home.path())?;
    for page in ["chat", "discover", "models", "server", "settings"] {
        window.click(&format!("rail.{page}"))?;
        window.wait_for(page, |window| is(window, "page", page))?;
        nameless(&window, page)?;
    }
    window.click("rail.downloads")?;
    window.visible("downloads.close")?;
    nameless(&window, "the downloads")?;
    window.key("Escape")?;
    window.wait_gone("downloads.close")?;
    for part in crate::settings::PARTS {
        window.click(&format!("settings.part.{part}"))?;
        nameless(&window, part)?;
    }
    window.key("ctrl+k")?;
    window.wait_for("the palette", |window| is(window, "overlay", "palette"))?;
    nameless(&window, "the palette")?;
    window.check_output()
}

/// Fails where the page has a control that takes the keyboard or the pointer and has no name, or no words.
fn nameless(window: &Window<'_>, page: &str) -> Result<()> {
    let controls = window.controls()?;
    ensure!(!controls.is_empty(), "{page} has controls");
    for control in controls {
        ensure!(
            !control.name.is_empty(),
            "{page}: a control without a name: {control:?}"
        );
        ensure!(!control.text.is_empty(), "{page}: {} says nothing", control.name);
    }
    Ok(())
}

fn is(window: &Window<'_>, what: &str, value: &str) -> Result<bool> {
    Ok(window.state()?[what] == value)
}

//! The page of settings: its parts, what is refused, the account, what is kept, and the end of all data.

use std::fs;

use anyhow::{Result, ensure};
use hearth_testhub::TestHub;

use crate::chat::ask;
use crate::home;
use crate::pictures::shots;
use crate::screen::Screen;
use crate::window::Window;

/// All parts of the page.
pub(crate) const PARTS: [&str; 9] = [
    "general",
    "models",
    "network",
    "hardware",
    "chats",
    "shortcuts",
    "data",
    "privacy",
    "about",
];

/// Shows a part, and waits for what it asks the backend for.
pub(crate) fn show(window: &Window<'_>, part: &str) -> Result<()> {
    window.click(&format!("settings.part.{part}"))?;
    match part {
        "models" => window.wait_for("the size of the models", |window| {
            Ok(!window.visible("settings.models.total")?.text.is_empty())
        }),
        "network" => window.wait_for("the token", |window| {
            Ok(!window.visible("settings.token.source")?.text.is_empty())
        }),
        "hardware" => window.wait_for("the devices and a figure", |window| {
            let has_device = window
                .element("settings.device.0.label")?
                .is_some_and(|it| it.visible);
            Ok(has_device && !window.visible("settings.usage.cpu")?.text.is_empty())
        }),
        _ => Ok(()),
    }
}

/// Puts a text in the place of the one in a field, and takes it.
fn enter(window: &Window<'_>, field: &str, text: &str) -> Result<()> {
    window.click(field)?;
    window.key("ctrl+a")?;
    window.key("BackSpace")?;
    window.type_text(text)?;
    window.key("Return")
}

#[test]
#[ignore = "takes pictures for ./x shot; the walks of this page check it"]
fn pictures_of_every_part_in_both_themes_and_in_german_in_a_narrow_window() -> Result<()> {
    let (screen, home, folder) = (Screen::start()?, home()?, shots()?);
    let window = Window::start(&screen, home.path())?;
    window.click("rail.settings")?;
    for theme in ["dark", "light"] {
        window.click(&format!("settings.theme.{theme}"))?;
        window.wait_for("the theme", |window| Ok(window.state()?["theme"] == theme))?;
        for part in PARTS {
            show(&window, part)?;
            window.picture(&folder.join(format!("settings-{part}-{theme}.png")))?;
        }
        window.click("rail.server")?;
        window.wait_for("a figure", |window| {
            Ok(!window.visible("server.usage.cpu")?.text.is_empty())
        })?;
        window.picture(&folder.join(format!("server-usage-{theme}.png")))?;
        window.click("rail.settings")?;
        window.click("settings.part.general")?;
    }
    window.click("settings.language.german")?;
    window.resize(960, 600)?;
    for _ in 0..3 {
        window.key("ctrl+equal")?;
    }
    window.wait_for("the size", |window| Ok(window.state()?["zoom"] == 130))?;
    for part in PARTS {
        show(&window, part)?;
        window.picture(&folder.join(format!("settings-{part}-german-130.png")))?;
    }
    window.check_output()?;
    window.close()
}

#[test]
fn settings_act_at_once_say_what_is_refused_and_are_there_after_a_restart() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start(&screen, home.path())?;
    window.click("rail.settings")?;
    show(&window, "chats")?;
    enter(&window, "settings.temperature.number", "9")?;
    window.wait_for("why not", |window| {
        Ok(window
            .visible("settings.temperature.why")?
            .text
            .contains("0 to 5"))
    })?;
    ensure!(window.state()?["settings"]["sampling"]["temperature"] != 9.0);
    // What is typed counts also where the page is left with it.
    window.click("settings.temperature.number")?;
    window.key("ctrl+a")?;
    window.type_text("0.6")?;
    window.click("rail.chat")?;
    window.wait_for("what was typed", |window| {
        let temperature = &window.state()?["settings"]["sampling"]["temperature"];
        Ok(temperature.as_f64().is_some_and(|it| (it - 0.6).abs() < 0.001))
    })?;
    window.click("rail.settings")?;
    enter(&window, "settings.temperature.number", "0.4")?;
    window.wait_gone("settings.temperature.why")?;
    window.click("settings.titles.flip")?;
    window.wait_for("no titles", |window| {
        Ok(window.state()?["settings"]["automatic_titles"] == false)
    })?;
    // The arrow brings the default back.
    window.click("settings.titles.reset")?;
    window.wait_gone("settings.titles.reset")?;

    show(&window, "hardware")?;
    window.click("settings.guard.c3")?;
    window.wait_for("the strict guard", |window| {
        Ok(window.state()?["settings"]["memory_guard"] == "strict")
    })?;
    show(&window, "models")?;
    let folder = home.path().join("more models");
    fs::create_dir_all(&folder)?;
    window.click("settings.folder.add")?;
    window.visible("path_form.path")?;
    window.type_text("models")?;
    window.key("Return")?;
    window.wait_for("why not", |window| {
        Ok(window.visible("path_form.fault")?.text.contains("whole path"))
    })?;
    window.key("ctrl+a")?;
    window.type_text(&folder.display().to_string())?;
    window.key("Return")?;
    window.wait_gone("path_form.path")?;
    window.check_output()?;
    window.close()?;

    let window = Window::start(&screen, home.path())?;
    let settings = &window.state()?["settings"];
    ensure!(settings["memory_guard"] == "strict", "{settings}");
    ensure!(settings["automatic_titles"] == true, "{settings}");
    ensure!(
        settings["model_folders"] == serde_json::json!([folder.display().to_string()]),
        "{settings}"
    );
    window.click("rail.settings")?;
    show(&window, "chats")?;
    ensure!(window.visible("settings.temperature.number")?.text == "0.40");
    window.check_output()?;
    window.close()
}

#[test]
fn a_token_is_taken_where_the_hub_knows_it_and_forgotten_again() -> Result<()> {
    let (screen, home, hub) = (Screen::start()?, home()?, TestHub::start());
    hub.add_token("hf_right", "marta-k", &[]);
    let url = hub.url();
    let environment = [("HF_ENDPOINT", url.as_str()), ("HEARTH_NO_KEYRING", "1")];
    let window = Window::start_on(&screen, home.path(), &environment)?;
    window.click("rail.settings")?;
    show(&window, "network")?;
    ensure!(window.visible("settings.token.source")?.text == "No token");
    enter(&window, "settings.token", "hf_wrong")?;
    window.wait_for("why not", |window| {
        let problem = window.element("settings.token.problem")?;
        Ok(problem.is_some_and(|it| it.visible && !it.text.is_empty()))
    })?;
    enter(&window, "settings.token", "hf_right")?;
    window.wait_for("whose it is", |window| {
        Ok(window.visible("settings.token.owner")?.text == "marta-k")
    })?;
    ensure!(
        window
            .element("settings.token")?
            .is_some_and(|it| it.text.is_empty())
    );

    // Offline, nobody is asked, and what is known is not told as if it still held.
    window.click("settings.offline.flip")?;
    window.wait_for("offline mode", |window| {
        Ok(window.visible("settings.token.owner")?.text == "Not asked while offline")
    })?;
    window.click("settings.offline.flip")?;
    window.wait_for("the owner again", |window| {
        Ok(window.visible("settings.token.owner")?.text == "marta-k")
    })?;
    window.click("settings.token.forget")?;
    window.wait_for("no token", |window| {
        Ok(window.visible("settings.token.source")?.text == "No token")
    })?;
    window.check_output()?;
    window.close()
}

#[test]
fn what_is_kept_is_emptied_and_all_data_exported_and_deleted() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start(&screen, home.path())?;
    ask(&window, "Say hello.")?;

    // A state that an earlier start kept.
    let kept = home.path().join("kv");
    fs::create_dir_all(&kept)?;
    fs::write(kept.join("1-a-b-1.kv"), vec![0; 3_000_000])?;
    window.click("rail.settings")?;
    show(&window, "hardware")?;
    for _ in 0..40 {
        if window
            .element("settings.kept.empty")?
            .is_some_and(|it| it.visible)
        {
            break;
        }
        window.key("Tab")?;
    }
    window.wait_for("the size", |window| {
        Ok(window.visible("settings.kept.size")?.text.starts_with('3'))
    })?;
    window.click("settings.kept.empty")?;
    window.wait_for("nothing kept", |window| {
        Ok(window.visible("settings.kept.size")?.text.starts_with('0'))
    })?;
    ensure!(!kept.join("1-a-b-1.kv").exists());

    show(&window, "data")?;
    window.click("settings.data.export")?;
    window.visible("path_form.path")?;
    let file = home.path().join("all.json");
    window.key("ctrl+a")?;
    window.type_text(&file.display().to_string())?;
    window.key("Return")?;
    window.wait_gone("path_form.path")?;
    ensure!(fs::read_to_string(&file)?.contains("Say hello."));

    window.click("settings.data.delete")?;
    window.visible("confirm.cancel")?;
    window.key("Escape")?;
    window.wait_gone("confirm.cancel")?;
    window.click("settings.data.delete")?;
    window.visible("confirm.do")?;
    window.click("confirm.do")?;
    window.wait_end()?;
    ensure!(
        !home.path().join("hearth.db").exists(),
        "nothing is left of the chats"
    );

    let window = Window::start_first(&screen, home.path())?;
    window.wait_for("the first steps again", |window| {
        Ok(window.state()?["overlay"] == "first_start")
    })?;
    window.check_output()?;
    window.close()
}

#[test]
fn all_data_are_moved_to_another_folder_and_the_window_opens_there_again() -> Result<()> {
    let (screen, home, other) = (Screen::start()?, home()?, tempfile::tempdir()?);
    let window = Window::start(&screen, home.path())?;
    ask(&window, "Say hello.")?;
    window.click("rail.settings")?;
    show(&window, "data")?;
    window.click("settings.data.move")?;
    window.visible("path_form.path")?;
    // A folder that holds the data already.
    window.type_text(&home.path().display().to_string())?;
    window.key("Return")?;
    window.wait_for("why not", |window| {
        Ok(window
            .visible("path_form.fault")?
            .text
            .contains("lies in the folder"))
    })?;
    let new = other.path().join("Hearth's data");
    window.key("ctrl+a")?;
    window.type_text(&new.display().to_string())?;
    window.key("Return")?;

    let window = window.opened_again(&new)?;
    ensure!(!home.path().join("hearth.db").exists());
    ensure!(new.join("hearth.db").exists());
    window.wait_for("the chat", |window| {
        Ok(window.elements()?.iter().any(|it| it.text.contains("Say hello.")))
    })?;
    window.click("rail.settings")?;
    show(&window, "data")?;
    ensure!(window.visible("settings.data")?.text == new.display().to_string());
    window.check_output()?;
    window.close()
}

//! The panel of downloads: a kill in the middle, failures of each kind, turns, and the desktop's notification.

use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, ensure};
use hearth_testhub::tiny_gguf::Tiny;
use hearth_testhub::{Gate, Repo, Serving, TestHub, some_bytes};
use serde_json::Value;

use crate::chat::answer;
use crate::desktop::{DARK, Desktop};
use crate::home;
use crate::neighbours::Neighbours;
use crate::pictures::shots;
use crate::screen::Screen;
use crate::window::{Element, Window};

const FILE: &str = "Tiny-1M-Q8_0.gguf";

#[test]
fn a_paused_download_outlives_a_kill_goes_on_and_answers_in_a_chat() -> Result<()> {
    let (screen, home, hub) = (Screen::start()?, home()?, TestHub::start());
    let model = Tiny::default().bytes();
    hub.add(Repo::new("ada/Tiny-1M-GGUF").with(FILE, model));
    hub.allow(Some(300_000));
    let window = open(&screen, home.path(), &hub)?;
    let mut pull = pull(home.path(), "ada/Tiny-1M-GGUF")?;
    let badge = window.visible("rail.badge")?.text;
    ensure!(badge == "1", "{badge}");
    window.click("rail.downloads")?;
    wait_rows(&window, "bytes", |rows| rows[0]["done"].as_u64() > Some(200_000))?;
    let row = window.visible("downloads.row.0")?.text;
    ensure!(row.starts_with("Tiny 1M | Q8_0 | "), "{row}");
    window.click("downloads.row.0.pause")?;
    window.wait_gone("rail.badge")?;
    window.visible("downloads.resume_all")?;
    wait_rows(&window, "the pause", |rows| rows[0]["state"]["state"] == "paused")?;
    let kept = rows(&window)?[0]["done"].as_u64().context("bytes")?;
    window.check_output()?;
    window.kill()?;
    pull.kill()?;
    pull.wait()?;

    // It is still paused at the next start, with what it had, and goes on from there.
    hub.allow(None);
    let window = open(&screen, home.path(), &hub)?;
    window.key("ctrl+j")?;
    wait_rows(&window, "the pause", |rows| rows[0]["state"]["state"] == "paused")?;
    ensure!(
        rows(&window)?[0]["done"].as_u64() == Some(kept),
        "what came is kept"
    );
    let row = window.visible("downloads.row.0")?.text;
    ensure!(row.contains("Paused at "), "{row}");
    window.wait_for("the keyboard", |window| {
        Ok(window.visible("downloads.row.0")?.focus)
    })?;
    window.key("Return")?;
    wait_rows(&window, "the end", |rows| rows[0]["state"]["state"] == "done")?;
    let row = window.visible("downloads.row.0")?.text;
    ensure!(row.contains("SHA-256 matches"), "{row}");
    window.click("downloads.row.0.use")?;
    window.wait_gone("downloads")?;
    window.wait_for("the model", |window| {
        let state = window.state()?;
        Ok(state["page"] == "chat" && state["loaded"][0].is_string())
    })?;
    window.type_text("Hi")?;
    window.key("Return")?;
    window.wait_for("an answer", |window| Ok(!answer(window)?.is_empty()))?;
    window.key("Escape")?;
    window.key("ctrl+j")?;
    window.click("downloads.clear")?;
    window.visible("downloads.nothing")?;
    window.check_output()?;
    window.close()
}

/// Each fails in its own way, and says so in its own words; what can be mended goes on by its button.
#[test]
fn a_failure_says_what_happened_and_what_to_do() -> Result<()> {
    let (screen, home, hub) = (Screen::start()?, home()?, TestHub::start());
    let file = || some_bytes(1, 600_000);
    hub.add(
        Repo::new("ada/gated")
            .with("a-Q4_0.gguf", file())
            .behind(Gate::Auto),
    );
    let mut wrong = Repo::new("ada/wrong").with("b-Q4_0.gguf", file());
    wrong.tells_wrong_hashes = true;
    hub.add(wrong);
    hub.add(Repo::new("ada/empty").with("README.md", "nothing"));
    let window = open(&screen, home.path(), &hub)?;
    window.click("rail.downloads")?;
    let mut pulls = Vec::new();
    for model in ["ada/gated", "ada/wrong", "ada/missing", "ada/empty"] {
        pulls.push(pull(home.path(), model)?);
    }
    for mut pull in pulls {
        pull.wait()?;
    }
    let cases = [
        ("ada/gated", "without a Hugging Face token"),
        ("ada/wrong", "arrived with other bytes than the hub promises"),
        ("ada/missing", "check the name"),
        ("ada/empty", "There is no"),
    ];
    wait_rows(&window, "all failures", |rows| {
        rows.len() == cases.len() && rows.iter().all(|row| row["state"]["state"] == "failed")
    })?;
    for (model, words) in cases {
        let row = row_of(&window, model)?;
        let text = window.visible(&format!("downloads.row.{row}"))?.text;
        ensure!(text.contains(words), "{model}: {text}");
    }
    window.picture(&shots()?.join("downloads-failed-dark.png"))?;

    // The hub has come to its senses.
    hub.add(Repo::new("ada/wrong").with("b-Q4_0.gguf", file()));
    let row = row_of(&window, "ada/wrong")?;
    window.click(&format!("downloads.row.{row}.retry"))?;
    wait_rows(&window, "the end", |rows| {
        rows.iter()
            .any(|row| row["model"] == "ada/wrong" && row["state"]["state"] == "done")
    })?;
    window.check_output()?;
    window.close()
}

#[test]
fn turns_limits_and_removing_by_mouse_and_keys() -> Result<()> {
    let (screen, home, hub) = (Screen::start()?, home()?, TestHub::start());
    hub.allow(Some(0));
    let models = ["ada/one", "ada/two", "ada/three", "ada/four"];
    for (seed, model) in (1..).zip(models) {
        hub.add(Repo::new(model).with("m-Q4_0.gguf", some_bytes(seed, 400_000)));
    }
    let window = open(&screen, home.path(), &hub)?;
    let mut pulls = Vec::new();
    for (count, model) in (1..).zip(models) {
        pulls.push(pull(home.path(), model)?);
        wait_rows(&window, model, |rows| rows.len() == count)?;
    }
    window.click("rail.downloads")?;
    let order = |window: &Window<'_>| -> Result<Vec<String>> {
        let name = |row: &Value| row["model"].as_str().unwrap_or_default().to_owned();
        Ok(rows(window)?.iter().map(name).collect())
    };
    window.right_click("downloads.row.3")?;
    window.click_item("Move to the top")?;
    window.wait_for("the turn", |window| {
        Ok(order(window)? == ["ada/four", "ada/one", "ada/two", "ada/three"])
    })?;
    window.hover("downloads.row.1")?;
    window.click("downloads.row.1.more")?;
    window.visible("menu.item.0")?;
    window.key("Escape")?;
    window.wait_for("the keyboard", |window| Ok(window.state()?["overlay"].is_null()))?;
    // Two fetch at once: one more waits its turn until there is room.
    window.click("downloads.limits")?;
    window.click_item("4 at a time")?;
    wait_rows(&window, "all at once", |rows| {
        rows.iter().all(|row| row["state"]["state"] == "running")
    })?;
    window.click("downloads.pause_all")?;
    wait_rows(&window, "the pause", |rows| {
        rows.iter().all(|row| row["state"]["state"] == "paused")
    })?;
    // One goes by the keyboard, which is still in a row. None of it has come, so that nothing is asked.
    window.wait_for("the keyboard", |window| {
        let is_row = |it: &Element| it.name.starts_with("downloads.row.") && it.focus;
        Ok(window.elements()?.iter().any(is_row))
    })?;
    window.key("Delete")?;
    wait_rows(&window, "one less", |rows| rows.len() == 3)?;
    hub.allow(None);
    window.click("downloads.resume_all")?;
    wait_rows(&window, "the end", |rows| {
        rows.iter().all(|row| row["state"]["state"] == "done")
    })?;
    for mut pull in pulls {
        pull.wait()?;
    }
    window.check_output()?;
    window.close()
}

#[test]
fn who_looks_elsewhere_is_told_by_the_desktop() -> Result<()> {
    let (screen, home, hub) = (Screen::start()?, home()?, TestHub::start());
    hub.allow(Some(100_000));
    hub.add(Repo::new("ada/Tiny-1M-GGUF").with(FILE, Tiny::default().bytes()));
    let desktop = Desktop::start(DARK)?;
    let url = hub.url();
    let window = Window::start_on(
        &screen,
        home.path(),
        &[
            ("DBUS_SESSION_BUS_ADDRESS", desktop.address()),
            ("HF_ENDPOINT", &url),
            ("HEARTH_NO_KEYRING", "1"),
        ],
    )?;
    let mut pull = pull(home.path(), "ada/Tiny-1M-GGUF")?;
    window.visible("rail.badge")?;
    let neighbours = Neighbours::on(screen.display())?;
    neighbours.open_window()?;
    window.wait_for("another window in front", |window| {
        Ok(window.state()?["in_front"] == false)
    })?;
    hub.allow(None);
    let (title, text) = desktop.notified()?;
    ensure!(title == "Tiny 1M is ready", "{title}");
    ensure!(text.starts_with("Q8_0, "), "{text}");
    pull.wait()?;
    window.check_output()?;
    // The other window has the keyboard.
    window.terminate()
}

/// One of each, beside the picture of the design; then narrow, large and in German.
#[test]
#[ignore = "takes pictures for ./x shot; the walks of this page check it"]
fn pictures_of_downloads_in_both_themes() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let hub = TestHub::start_with(Serving {
        connection_speed: Some(20_000),
        ..Serving::default()
    });
    let large = |seed| some_bytes(seed, 12_000_000);
    let files = [
        (
            "ada/SmolLM3-3B-GGUF",
            "SmolLM3-3B-Q4_K_M.gguf",
            Tiny::default().bytes().into(),
        ),
        ("ada/Phi-4-mini-GGUF", "Phi-4-mini-Q4_K_M.gguf", large(1)),
        ("ada/Qwen3-8B-GGUF", "Qwen3-8B-Q5_K_M.gguf", large(2)),
        ("ada/Gemma-3-12B-GGUF", "Gemma-3-12B-Q4_K_M.gguf", large(3)),
    ];
    for (model, file, bytes) in files {
        hub.add(Repo::new(model).with(file, bytes));
    }
    hub.add(
        Repo::new("ada/gated-20B-GGUF")
            .with("gated-20B-MXFP4.gguf", "x")
            .behind(Gate::Auto),
    );
    hub.add(
        Repo::new("ada/A-model-whose-name-does-not-fit-into-one-line-of-the-panel-GGUF")
            .with("a-Q4_K_M.gguf", large(4)),
    );
    let window = open(&screen, home.path(), &hub)?;
    window.click("rail.downloads")?;
    window.visible("downloads.nothing")?;
    window.picture(&shots()?.join("downloads-empty-dark.png"))?;
    let mut pulls = Vec::new();
    let is = |rows: &[Value], model: &str, state: &str| {
        let mut of_model = rows.iter().filter(|row| row["model"] == model);
        of_model.any(|row| row["state"]["state"] == state)
    };
    pulls.push(pull(home.path(), "ada/SmolLM3-3B-GGUF")?);
    wait_rows(&window, "the end", |rows| is(rows, "ada/SmolLM3-3B-GGUF", "done"))?;
    pulls.push(pull(home.path(), "ada/gated-20B-GGUF")?);
    wait_rows(&window, "the failure", |rows| {
        is(rows, "ada/gated-20B-GGUF", "failed")
    })?;
    pulls.push(pull(home.path(), "ada/Phi-4-mini-GGUF")?);
    wait_rows(&window, "some bytes", |rows| {
        rows[0]["done"].as_u64() > Some(300_000)
    })?;
    window.click("downloads.row.0.pause")?;
    wait_rows(&window, "the pause", |rows| {
        is(rows, "ada/Phi-4-mini-GGUF", "paused")
    })?;
    for model in [
        "ada/Qwen3-8B-GGUF",
        "ada/Gemma-3-12B-GGUF",
        "ada/A-model-whose-name-does-not-fit-into-one-line-of-the-panel-GGUF",
    ] {
        let count = rows(&window)?.len();
        pulls.push(pull(home.path(), model)?);
        wait_rows(&window, model, |rows| rows.len() > count)?;
    }
    wait_rows(&window, "some bytes", |rows| {
        rows[..2].iter().all(|row| row["done"].as_u64() > Some(500_000))
    })?;
    for theme in ["dark", "light"] {
        window.key("Escape")?;
        window.click("rail.settings")?;
        window.click(&format!("settings.theme.{theme}"))?;
        window.wait_for("the theme", |window| Ok(window.state()?["theme"] == theme))?;
        window.click("rail.server")?;
        window.click("rail.downloads")?;
        window.visible("downloads.row.0")?;
        window.picture(&shots()?.join(format!("downloads-{theme}.png")))?;
    }
    window.right_click("downloads.row.1")?;
    window.visible("menu.item.0")?;
    window.picture(&shots()?.join("downloads-menu-light.png"))?;
    window.key("Escape")?;
    window.click("downloads.row.0.remove")?;
    window.visible("confirm.cancel")?;
    window.picture(&shots()?.join("downloads-remove-light.png"))?;
    window.key("Escape")?;
    window.key("Escape")?;
    window.click("rail.settings")?;
    window.click("settings.language.german")?;
    window.wait_for("the words in German", |window| {
        Ok(window.state()?["language"] == "de")
    })?;
    window.resize(960, 600)?;
    window.click("rail.downloads")?;
    window.visible("downloads.row.0")?;
    window.picture(&shots()?.join("downloads-german.png"))?;
    for _ in 0..3 {
        window.key("ctrl+equal")?;
    }
    window.wait_for("the size", |window| Ok(window.state()?["zoom"] == 130))?;
    window.picture(&shots()?.join("downloads-german-130.png"))?;
    for mut pull in pulls {
        pull.kill()?;
        pull.wait()?;
    }
    window.check_output()?;
    window.close()
}

/// The window on these data, with this hub for its downloads.
fn open<'a>(screen: &'a Screen, home: &Path, hub: &TestHub) -> Result<Window<'a>> {
    let url = hub.url();
    Window::start_on(screen, home, &[("HF_ENDPOINT", &url), ("HEARTH_NO_KEYRING", "1")])
}

/// Begins to download a model by the command line, which asks the window that is open.
fn pull(home: &Path, model: &str) -> Result<Child> {
    let program = Path::new(env!("CARGO_BIN_EXE_hearth")).with_file_name("hearth-cli");
    Command::new(program)
        .args(["pull", model])
        .env("HEARTH_HOME", home)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .context("hearth-cli does not start; it is built with the window")
}

/// The downloads in the order of the panel, as the state has them.
fn rows(window: &Window<'_>) -> Result<Vec<Value>> {
    let state = window.state()?;
    state["downloads"]["rows"]
        .as_array()
        .cloned()
        .context("no downloads")
}

fn row_of(window: &Window<'_>, model: &str) -> Result<usize> {
    let place = rows(window)?.iter().position(|row| row["model"] == model);
    place.with_context(|| format!("no download of {model}"))
}

fn wait_rows(window: &Window<'_>, what: &str, check: impl Fn(&[Value]) -> bool) -> Result<()> {
    window.wait_for(what, |window| {
        let rows = rows(window)?;
        Ok(!rows.is_empty() && check(&rows))
    })
}

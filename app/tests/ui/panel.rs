//! The panel beside the chat: presets, numbers, a schema that the answer keeps to, and all of it after a restart.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::chat::{answer, is_running, messages};
use crate::home;
use crate::screen::Screen;
use crate::window::Window;

/// A schema that a small model would not keep to by itself.
const SCHEMA: &str = r#"{"type":"object","properties":{"town":{"type":"string","maxLength":20},"warm":{"type":"boolean"}},"required":["town","warm"],"additionalProperties":false}"#;

#[test]
fn what_is_set_counts_for_the_answer_and_is_there_after_a_restart() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start(&screen, home.path())?;
    open(&window)?;

    // A preset that comes with Hearth.
    window.click("panel.preset")?;
    window.click_item("Coding")?;
    window.wait_for("the preset", |window| {
        let panel = panel(window)?;
        Ok(panel["preset"] == "Coding" && panel["sampling"]["temperature"] == json!(0.2_f32))
    })?;
    ensure!(window.visible("panel.prompt")?.text.contains("programmer"));

    // Another temperature: what is too high says why and changes nothing.
    type_into(&window, "panel.temperature.field", "9")?;
    let problem = window.visible("panel.temperature.problem")?.text;
    ensure!(problem == "It goes from 0 to 5. Until then: 0.20.", "{problem}");
    ensure!(panel(&window)?["sampling"]["temperature"] == json!(0.2_f32));
    type_into(&window, "panel.temperature.field", "0")?;
    window.wait_gone("panel.temperature.problem")?;
    ensure!(panel(&window)?["sampling"]["temperature"] == json!(0.0));
    ensure!(window.visible("panel.preset.chosen")?.text == "Coding, changed");

    // A schema: while it is none, its fault and the place are told.
    reach(&window, "panel.form")?;
    window.key("Return")?;
    reach(&window, "panel.form.kind")?;
    window.key("Return")?;
    window.click_item("JSON by a schema")?;
    reach(&window, "panel.form.text")?;
    window.type_text("{\"type\" 1}")?;
    window.wait_for("the fault", |window| {
        let fault = window.element("panel.form.problem")?;
        Ok(fault.is_some_and(|fault| fault.text == "Line 1, column 9: expected `:`."))
    })?;
    ensure!(panel(&window)?["answer"]["format"] == "text", "it does not count");
    window.key("ctrl+a")?;
    window.type_text(SCHEMA)?;
    window.wait_for("the schema", |window| {
        Ok(panel(window)?["answer"]["format"]["json_schema"]["required"] == json!(["town", "warm"]))
    })?;

    ask_to_the_end(&window, "Where is it warm?")?;
    keeps_to_the_schema(&answer(&window)?)?;
    let (chat, before) = (window.state()?["chat"].clone(), panel(&window)?);
    window.close()?;

    let window = Window::start(&screen, home.path())?;
    window.click(&format!("list.row.{chat}"))?;
    window.wait_for("the settings", |window| {
        let now = panel(window)?;
        let same = |what: &str| now[what] == before[what];
        Ok(now["shown"] == true && ["system_prompt", "sampling", "answer"].into_iter().all(same))
    })?;
    window.click("composer.input")?;
    ask_to_the_end(&window, "And where is it cold?")?;
    keeps_to_the_schema(&answer(&window)?)?;
    window.check_output()?;
    window.close()
}

#[test]
fn presets_are_saved_renamed_carried_deleted_and_brought_back() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start(&screen, home.path())?;
    open(&window)?;
    type_into(&window, "panel.temperature.field", "0.3")?;
    name(&window, "panel.save", "Mine")?;
    wait_preset(&window, "Mine")?;

    window.click("panel.preset")?;
    window.click_item("Rename")?;
    window.wait_for("the keyboard", |window| Ok(window.visible("panel.name")?.focus))?;
    window.key("ctrl+a")?;
    window.type_text("Coding")?;
    let remark = window.visible("panel.name.remark")?.text;
    ensure!(remark == "Another preset is called so.", "{remark}");
    window.key("ctrl+a")?;
    window.type_text("Ours")?;
    window.key("Return")?;
    wait_preset(&window, "Ours")?;

    let file = home.path().join("ours.json");
    window.click("panel.preset")?;
    window.click_item("Export")?;
    path(&window, &file)?;
    window.wait_gone("path_form.path")?;
    ensure!(
        fs::read_to_string(&file)?.contains("\"Ours\""),
        "it is in the file"
    );
    window.click("toast.close")?;
    window.wait_gone("toast.title")?;

    window.click("panel.preset")?;
    window.click_item("Delete")?;
    window.wait_for("its end", |window| Ok(!presets(window)?.contains(&"Ours".into())))?;
    window.click("toast.undo")?;
    window.wait_for("its return", |window| {
        Ok(presets(window)?.contains(&"Ours".into()))
    })?;

    // One with a name that is taken gets another one.
    window.click("panel.preset")?;
    window.click_item("Import a preset")?;
    path(&window, &file)?;
    window.wait_for("the second", |window| Ok(presets(window)?.len() == 6))?;
    window.check_output()?;
    window.close()
}

#[test]
fn the_panel_lies_over_a_narrow_window_and_a_model_keeps_its_defaults() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start(&screen, home.path())?;
    load_starter(&window)?;
    open(&window)?;
    let beside = window.visible("composer.input")?.place.2;
    window.click("panel.prompt")?;
    window.type_text("Answer in one word.")?;
    let tokens = window.wait_for_value("the count", |window| {
        let tokens = window.element("panel.prompt.tokens")?;
        Ok(tokens.filter(|tokens| !tokens.text.is_empty()))
    })?;
    ensure!(tokens.text.ends_with("tokens"), "{tokens:?}");
    reach(&window, "panel.default")?;
    window.key("Return")?;
    window.visible("toast.title")?;
    window.close()?;
    let window = Window::start(&screen, home.path())?;
    window.visible("panel.prompt")?;
    load_starter(&window)?;
    window.wait_for("the default", |window| {
        Ok(window.visible("panel.prompt")?.text == "Answer in one word.")
    })?;

    // Below its limit it gives way, comes over the chat when it is asked for, and goes with a click beside it.
    window.resize(1000, 700)?;
    window.wait_gone("panel.prompt")?;
    let alone = window.visible("composer.input")?.place.2;
    window.key("ctrl+i")?;
    window.visible("panel.prompt")?;
    let under = window.visible("composer.input")?.place.2;
    ensure!(
        under == alone,
        "it lies over the chat: {under} and {alone}, beside {beside}"
    );
    window.click("greeting.title")?;
    window.wait_gone("panel.prompt")?;
    window.check_output()?;
    window.close()
}

/// Opens the panel with its keys.
fn open(window: &Window<'_>) -> Result<()> {
    window.click("composer.input")?;
    window.key("ctrl+i")?;
    window.visible("panel.prompt").map(drop)
}

fn panel(window: &Window<'_>) -> Result<Value> {
    Ok(window.state()?["panel"].clone())
}

fn presets(window: &Window<'_>) -> Result<Vec<Value>> {
    let presets = panel(window)?["presets"].as_array().cloned();
    Ok(presets.unwrap_or_default())
}

fn wait_preset(window: &Window<'_>, name: &str) -> Result<()> {
    window.wait_for(name, |window| {
        let is_listed = presets(window)?.contains(&name.into());
        Ok(is_listed && panel(window)?["preset"] == name)
    })
}

/// Presses a button that asks for a name, and gives it.
fn name(window: &Window<'_>, button: &str, name: &str) -> Result<()> {
    window.click(button)?;
    window.wait_for("the keyboard", |window| Ok(window.visible("panel.name")?.focus))?;
    window.type_text(name)?;
    window.key("Return")
}

/// Fills in the form for a path.
fn path(window: &Window<'_>, path: &Path) -> Result<()> {
    window.wait_for("the keyboard", |window| {
        Ok(window.visible("path_form.path")?.focus)
    })?;
    window.key("ctrl+a")?;
    window.type_text(&path.display().to_string())?;
    window.key("Return")
}

fn load_starter(window: &Window<'_>) -> Result<()> {
    window.click("picker.button")?;
    let starter = window.wait_for_value("the starter model", |window| {
        let is_it = |name: &str, text: &str| name.starts_with("picker.row.") && text.contains("SmolLM2");
        let mut elements = window.elements()?.into_iter();
        Ok(elements.find(|it| is_it(&it.name, &it.text)))
    })?;
    window.click(&starter.name)?;
    window.wait_for("the model in memory", |window| {
        Ok(window.state()?["loaded"]
            .as_array()
            .is_some_and(|loaded| !loaded.is_empty()))
    })
}

/// Puts a text in the place of what stands in a field.
pub(crate) fn type_into(window: &Window<'_>, field: &str, text: &str) -> Result<()> {
    window.click(field)?;
    window.wait_for("the keyboard", |window| Ok(window.visible(field)?.focus))?;
    window.key("ctrl+a")?;
    window.type_text(text)?;
    window.wait_for("the text", |window| Ok(window.visible(field)?.text == text))
}

/// Presses Tab until an element has the keyboard; it is in view then.
pub(crate) fn reach(window: &Window<'_>, name: &str) -> Result<()> {
    let focused = |window: &Window<'_>| -> Result<Option<String>> {
        let focused = window.elements()?.into_iter().find(|element| element.focus);
        Ok(focused.map(|element| element.name))
    };
    let mut before = focused(window)?;
    for _ in 0..120 {
        if before.as_deref() == Some(name) {
            return Ok(());
        }
        window.key("Tab")?;
        before = window.wait_for_value("the next stop", |window| {
            Ok(Some(focused(window)?).filter(|now| now.is_some() && *now != before))
        })?;
    }
    anyhow::bail!("Tab does not stop at {name}")
}

fn ask_to_the_end(window: &Window<'_>, question: &str) -> Result<()> {
    let before = messages(window)?;
    window.click("composer.input")?;
    window.type_text(question)?;
    window.key("Return")?;
    window.wait_for("the answer", |window| Ok(messages(window)? == before + 2))?;
    window.wait_for("the end of the answer", |window| Ok(!is_running(window)?))
}

fn keeps_to_the_schema(answer: &str) -> Result<()> {
    let answer: Value = serde_json::from_str(answer).with_context(|| format!("{answer:?} is no JSON"))?;
    ensure!(
        answer["town"].is_string() && answer["warm"].is_boolean(),
        "{answer}"
    );
    Ok(())
}

//! The panel beside the chat: presets, numbers, a schema that the answer keeps to, and all of it after a restart.

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::chat::{answer, ask, is_running};
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

/// Opens the panel with its keys.
fn open(window: &Window<'_>) -> Result<()> {
    window.click("composer.input")?;
    window.key("ctrl+i")?;
    window.visible("panel.prompt").map(drop)
}

fn panel(window: &Window<'_>) -> Result<Value> {
    Ok(window.state()?["panel"].clone())
}

/// Puts a text in the place of what stands in a field.
fn type_into(window: &Window<'_>, field: &str, text: &str) -> Result<()> {
    window.click(field)?;
    window.wait_for("the keyboard", |window| Ok(window.visible(field)?.focus))?;
    window.key("ctrl+a")?;
    window.type_text(text)?;
    window.wait_for("the text", |window| Ok(window.visible(field)?.text == text))
}

/// Presses Tab until an element has the keyboard; it is in view then.
fn reach(window: &Window<'_>, name: &str) -> Result<()> {
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
    ask(window, question)?;
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

//! The dialog that sets how a model is loaded: what it takes is told, what is set counts and is remembered, and what the
//! memory guard refuses can be loaded all the same.

use anyhow::{Result, ensure};

use crate::home;
use crate::panel::{reach, type_into};
use crate::programs::command_line;
use crate::screen::Screen;
use crate::window::Window;

#[test]
fn a_model_loads_as_it_is_set_and_that_is_remembered() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start(&screen, home.path())?;
    open(&window)?;
    ensure!(window.visible("load_dialog.title")?.text == "Load SmolLM2 135M Instruct");
    window.visible("load_dialog.fits")?;
    window.wait_for("what the cache takes", |window| {
        Ok(!window.visible("load_dialog.context.memory")?.text.is_empty())
    })?;
    let before = window.visible("load_dialog.context.memory")?.text;

    // The estimate follows what is typed; what is no number says so and keeps the button from being pressed.
    type_into(&window, "load_dialog.context.field", "1024")?;
    window.wait_for("another estimate", |window| {
        let cache = window.visible("load_dialog.context.memory")?.text;
        // 1,024 cells of 23,040 bytes.
        Ok(cache != before && cache == "23.6\u{a0}MB")
    })?;
    type_into(&window, "load_dialog.context.field", "much")?;
    window.visible("load_dialog.context.problem")?;
    type_into(&window, "load_dialog.context.field", "1024")?;
    window.wait_gone("load_dialog.context.problem")?;

    // By keyboard through what scrolls, to the finer options and back to the button.
    reach(&window, "load_dialog.fine")?;
    window.key("Return")?;
    reach(&window, "load_dialog.ends")?;
    reach(&window, "load_dialog.load")?;
    window.key("Return")?;
    window.wait_gone("load_dialog.title")?;
    window.wait_for("the context that was set", |window| {
        context_is(window, "1\u{a0}024")
    })?;
    window.close()?;

    let window = Window::start(&screen, home.path())?;
    open(&window)?;
    window.wait_for("what was remembered", |window| {
        Ok(window.visible("load_dialog.context.field")?.text == "1\u{a0}024")
    })?;
    window.click("load_dialog.reset")?;
    window.wait_gone("load_dialog.reset")?;
    window.click("load_dialog.load")?;
    window.wait_gone("load_dialog.title")?;
    window.wait_for("the usual context", |window| {
        Ok(!context_is(window, "1\u{a0}024")?)
    })?;
    ensure!(
        window.state()?["loaded"]
            .as_array()
            .is_some_and(|all| all.len() == 1)
    );
    window.check_output()?;
    window.close()
}

#[test]
fn what_the_guard_refuses_can_be_loaded_all_the_same() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    command_line(home.path(), &["config", "memory_guard", r#"{"gigabytes":1}"#])?;
    let window = Window::start(&screen, home.path())?;
    open(&window)?;
    reach(&window, "load_dialog.fine")?;
    window.key("Return")?;
    for format in ["load_dialog.k.f32", "load_dialog.v.f32"] {
        reach(&window, format)?;
        window.key("Return")?;
    }
    // 32,768 cells of 46,080 bytes.
    type_into(&window, "load_dialog.context.field", "32768")?;
    window.click("load_dialog.load")?;
    let why = window.visible("load_dialog.trouble")?.text;
    ensure!(why.contains("does not fit in memory"), "{why}");
    window.click("load_dialog.force")?;
    window.wait_gone("load_dialog.title")?;
    window.wait_for("the model in memory", |window| context_is(window, "32\u{a0}768"))?;
    window.check_output()?;
    window.close()
}

/// Opens the dialog of the starter model, from the picker.
fn open(window: &Window<'_>) -> Result<()> {
    window.key("ctrl+m")?;
    window.wait_for("the keyboard in its field", |window| {
        Ok(window.element("picker.words")?.is_some_and(|field| field.focus))
    })?;
    window.visible("picker.row.0")?;
    window.key("alt+Return")?;
    window.wait_for("the dialog", |window| {
        Ok(window.state()?["overlay"] == "load" && window.visible("load_dialog.load")?.focus)
    })
}

fn context_is(window: &Window<'_>, tokens: &str) -> Result<bool> {
    let meter = window.element("composer.context")?;
    Ok(meter.is_some_and(|meter| meter.visible && meter.text.ends_with(tokens)))
}

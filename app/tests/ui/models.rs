//! The model picker: load, eject, a damaged file.

use std::fs;

use anyhow::{Result, ensure};

use crate::home;
use crate::screen::Screen;
use crate::window::Window;

#[test]
fn a_model_is_loaded_and_ejected_and_a_damaged_one_says_why() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    fs::create_dir_all(home.path().join("models"))?;
    fs::write(home.path().join("models/Broken-1B-Q4_0.gguf"), "<html>404</html>")?;
    let window = Window::start(&screen, home.path())?;

    window.click("picker.button")?;
    let damaged = window.wait_for_value("the damaged file", |window| {
        Ok(window
            .elements()?
            .into_iter()
            .find(|it| it.name.starts_with("picker.row.") && it.text.contains("Broken")))
    })?;
    ensure!(damaged.text.contains("web page"), "it says why: {}", damaged.text);
    let starter = window.wait_for_value("the starter model", |window| {
        Ok(window
            .elements()?
            .into_iter()
            .find(|it| it.name.starts_with("picker.row.") && it.text.contains("SmolLM2")))
    })?;
    window.click(&starter.name)?;
    window.wait_for("the model in memory", |window| Ok(loaded(window)? == 1))?;

    window.click("picker.eject")?;
    window.wait_for("the model to leave", |window| Ok(loaded(window)? == 0))?;
    window.check_output()?;
    window.close()
}

fn loaded(window: &Window<'_>) -> Result<usize> {
    Ok(window.state()?["loaded"].as_array().map_or(0, Vec::len))
}

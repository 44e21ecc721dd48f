//! The model picker: find, load, change in mid-chat, eject, a damaged file.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::chat::{ask, stop};
use crate::home;
use crate::screen::Screen;
use crate::window::{Element, Window};

/// A repository of a model that thinks and calls tools, as the catalogue that comes with Hearth says.
const THINKER: &str = "Qwen/Qwen3-0.6B-GGUF";

#[test]
fn a_model_is_loaded_and_ejected_and_a_damaged_one_says_why() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    fs::create_dir_all(home.path().join("models"))?;
    fs::write(home.path().join("models/Broken-1B-Q4_0.gguf"), "<html>404</html>")?;
    let window = Window::start(&screen, home.path())?;

    window.click("picker.button")?;
    let damaged = row(&window, "Broken")?;
    ensure!(damaged.text.contains("web page"), "it says why: {}", damaged.text);
    window.click(&damaged.name)?;
    ensure!(is_open(&window)?, "it cannot be chosen");
    window.click(&row(&window, "SmolLM2")?.name)?;
    window.wait_for("the model in memory", |window| Ok(loaded(window)?.len() == 1))?;

    window.click("picker.eject")?;
    window.wait_for("the model to leave", |window| Ok(loaded(window)?.is_empty()))?;
    window.check_output()?;
    window.close()
}

#[test]
fn the_picker_works_with_the_keyboard_alone_and_changes_the_model_in_mid_chat() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let folder = home.path().join("models").join(THINKER);
    fs::create_dir_all(&folder)?;
    fs::copy(second_model()?, folder.join("second.gguf"))?;
    let window = Window::start(&screen, home.path())?;
    ask(&window, "Say hello.")?;
    let first = loaded(&window)?;
    ensure!(first.len() == 1, "{first:?}");

    // The loaded one stands first, and says so; what the catalogue knows stands with the other.
    open(&window)?;
    ensure!(row(&window, "SmolLM2")?.name == "picker.row.0");
    let thinker = window.wait_for_value("what it can do", |window| {
        Ok(rows(window)?
            .into_iter()
            .find(|row| row.text.contains("Tools Thinking")))
    })?;
    ensure!(thinker.name == "picker.row.1", "{thinker:?}");
    window.type_text("nothing of the kind")?;
    window.wait_for("no match", |window| Ok(rows(window)?.is_empty()))?;
    window.key("Escape")?;
    window.wait_for("the end of the picker", |window| Ok(!is_open(window)?))?;
    ensure!(window.visible("composer.input")?.focus, "the composer goes on");

    // Found by a word, taken with Enter.
    open(&window)?;
    window.type_text("think")?;
    window.wait_for("one match", |window| Ok(rows(window)?.len() == 1))?;
    window.key("Return")?;
    window.wait_for("the other model to answer", |window| {
        Ok(loaded(window)?.len() == 2 && window.state()?["loading"].is_null())
    })?;
    ask(&window, "And once more.")?;
    let models = answered(&window)?;
    ensure!(models[0] == first[0] && models[1] != first[0], "{models:?}");

    // Back to the one that is still in memory: nothing is loaded for that.
    open(&window)?;
    window.key("Down")?;
    window.key("Return")?;
    window.wait_for("the end of the picker", |window| Ok(!is_open(window)?))?;
    ask(&window, "And again.")?;
    let last = answered(&window)?;
    ensure!(last[..2] == models[..] && last[2] == first[0], "{last:?}");
    ensure!(loaded(&window)?.len() == 2);

    open(&window)?;
    window.key("ctrl+e")?;
    window.wait_for("one to leave", |window| Ok(loaded(window)?.len() == 1))?;
    ensure!(is_open(&window)?, "the picker stays open");
    window.key("ctrl+m")?;
    window.wait_for("the end of the picker", |window| Ok(!is_open(window)?))?;
    stop(&window)?;
    window.check_output()?;
    window.close()
}

/// A model file beside the starter model.
pub(crate) fn second_model() -> Result<PathBuf> {
    let target = Path::new(env!("CARGO_BIN_EXE_hearth")).ancestors().nth(2);
    let file = target
        .context("the target folder")?
        .join("models/gemma-3-270m-Q4_K_M.gguf");
    ensure!(
        file.is_file(),
        "{} is missing; run cargo xtask models",
        file.display()
    );
    Ok(file)
}

fn open(window: &Window<'_>) -> Result<()> {
    window.key("ctrl+m")?;
    window.wait_for("the keyboard in its field", |window| {
        Ok(window.element("picker.words")?.is_some_and(|field| field.focus))
    })
}

fn is_open(window: &Window<'_>) -> Result<bool> {
    Ok(window.state()?["picker_open"] == true)
}

fn rows(window: &Window<'_>) -> Result<Vec<Element>> {
    let is_row = |name: &str| name.starts_with("picker.row.") && !name.ends_with(".eject");
    let elements = window.elements()?.into_iter();
    Ok(elements.filter(|it| is_row(&it.name) && it.visible).collect())
}

fn row(window: &Window<'_>, words: &str) -> Result<Element> {
    window.wait_for_value(words, |window| {
        Ok(rows(window)?.into_iter().find(|row| row.text.contains(words)))
    })
}

/// The models of the answers, from the first.
fn answered(window: &Window<'_>) -> Result<Vec<String>> {
    let state = window.state()?;
    let messages = state["messages"].as_array().context("messages")?;
    let models = messages.iter().filter_map(|message| message["model"].as_str());
    Ok(models.map(str::to_owned).collect())
}

fn loaded(window: &Window<'_>) -> Result<Vec<String>> {
    let state = window.state()?;
    let names = state["loaded"].as_array().context("loaded models")?;
    Ok(names
        .iter()
        .filter_map(|name| name.as_str())
        .map(str::to_owned)
        .collect())
}

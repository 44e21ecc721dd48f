//! The page of model files: importing, inspecting, naming, a favourite, deleting, a damaged file, leftovers.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, ensure};

use crate::home;
use crate::models::second_model;
use crate::pictures::shots;
use crate::screen::Screen;
use crate::window::{Element, Window};

/// A part of an import that was broken off long ago.
const LEFTOVER: &str = "models/imported/old/old.gguf.part";

#[test]
fn a_model_is_imported_named_noted_and_deleted() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let outside = home.path().join("elsewhere/gemma.gguf");
    fs::create_dir_all(home.path().join("elsewhere"))?;
    fs::copy(second_model()?, &outside)?;
    let window = open(&screen, home.path())?;

    // A copy, typed and taken with the keyboard.
    import(&window, &outside, None)?;
    row(&window, "gemma")?;
    let imported = home.path().join("models/imported");
    ensure!(
        files_in(&imported)? == 1 && outside.is_file(),
        "a copy, and its source"
    );

    // The same bytes once more is refused in the form; another link to it is not the same file.
    import(&window, &imported_file(&imported)?, Some("import.link"))?;
    let fault = window.wait_for_value("why not", |window| {
        Ok(window
            .element("import.fault")?
            .filter(|it| it.visible && !it.text.is_empty()))
    })?;
    ensure!(fault.text.contains("library"), "{fault:?}");
    window.key("Escape")?;
    window.wait_gone("import.fault")?;
    import(&window, &outside, Some("import.link"))?;
    window.wait_for("two of them", |window| Ok(rows(window)?.len() == 3))?;

    // Named, noted, and a favourite; all of it there after a restart.
    let first = row(&window, "gemma")?.name;
    window.double_click(&first)?;
    window.click("models.details.name")?;
    window.key("ctrl+a")?;
    window.type_text("My little model")?;
    window.key("Return")?;
    row(&window, "My little model")?;
    window.click("models.details.tags")?;
    window.type_text("small, quick")?;
    window.key("Return")?;
    window.click("models.details.favourite")?;
    let named = row(&window, "My little model")?.name;
    window.visible(&format!("{named}.heart"))?;
    window.wait_for("its tags", |window| {
        Ok(window.visible(&format!("{named}.tags"))?.text == "small, quick")
    })?;
    window.close()?;
    let window = open(&screen, home.path())?;
    window.click("models.favourites")?;
    window.wait_for("the favourite alone", |window| Ok(rows(window)?.len() == 1))?;
    let named = row(&window, "My little model")?.name;
    window.visible(&format!("{named}.heart"))?;
    window.click("models.favourites")?;

    // Deleted with the keys, after a question whose answer at hand deletes nothing.
    window.click(&row(&window, "My little model")?.name)?;
    let chosen = |window: &Window<'_>| Ok(row(window, "My little model")?.focus);
    window.wait_for("the keyboard in its row", chosen)?;
    window.key("Delete")?;
    let text = window.visible("confirm.text")?.text;
    ensure!(text.contains("Hearth's folder"), "{text}");
    window.wait_for("the harmless answer", |window| {
        Ok(window.visible("confirm.cancel")?.focus)
    })?;
    window.key("Return")?;
    window.wait_gone("confirm.text")?;
    ensure!(rows(&window)?.len() == 3, "it is still there");
    window.click(&row(&window, "My little model")?.name)?;
    window.wait_for("the keyboard in its row", chosen)?;
    window.key("Delete")?;
    window.click("confirm.do")?;
    window.wait_for("one less", |window| Ok(rows(window)?.len() == 2))?;
    ensure!(outside.is_file(), "what a link led to stays");
    window.check_output()?;
    window.close()
}

#[test]
fn a_damaged_file_says_why_and_leftovers_are_cleaned_up() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    prepare(home.path())?;
    let window = open(&screen, home.path())?;
    let damaged = row(&window, "Broken")?.name;
    let reason = window.visible(&format!("{damaged}.reason"))?.text;
    ensure!(reason.contains("web page"), "{reason}");

    // Filtered, sorted and selected with the keyboard alone.
    window.key("ctrl+f")?;
    window.wait_for("the filter", |window| Ok(window.visible("models.filter")?.focus))?;
    window.type_text("broken")?;
    window.wait_for("one model", |window| Ok(rows(window)?.len() == 1))?;
    window.key("ctrl+a")?;
    window.key("BackSpace")?;
    window.wait_for("both models", |window| Ok(rows(window)?.len() == 2))?;
    // A damaged one stands last, whatever the order.
    window.click("models.sort.name")?;
    ensure!(
        rows(&window)?
            .last()
            .is_some_and(|row| row.text.contains("Broken"))
    );
    window.click("models.row.0")?;
    window.visible("models.selected")?;
    window.wait_for("the keyboard in the row", |window| {
        Ok(window.visible("models.row.0")?.focus)
    })?;
    window.key("shift+Down")?;
    window.wait_for("two selected", |window| {
        Ok(window.visible("models.selected")?.text.starts_with("2 selected"))
    })?;
    window.key("space")?;
    window.wait_for("one selected", |window| {
        Ok(window.visible("models.selected")?.text.starts_with("1 selected"))
    })?;
    window.key("Escape")?;
    window.wait_gone("models.selected")?;

    // What the starter model says of itself.
    window.key("Up")?;
    window.wait_for("the keyboard in its row", |window| {
        Ok(window.visible("models.row.0")?.focus)
    })?;
    window.key("Return")?;
    window.click("models.details.metadata")?;
    let fact = window.wait_for_value("its metadata", |window| {
        let names = window.elements()?.into_iter();
        let mut names = names.filter(|it| it.name.starts_with("models.fact.") && it.visible);
        Ok(names.find(|it| it.text == "general.architecture"))
    })?;
    let value = window.visible(&fact.name.replace(".name", ".value"))?.text;
    ensure!(value == "llama", "{value}");
    window.click(&fact.name)?;
    window.wait_for("the value to select", |window| {
        Ok(window.visible("text_view.text")?.text == "llama")
    })?;
    window.key("Escape")?;
    window.click("models.details.tensors")?;
    window.wait_for("its tensors", |window| {
        Ok(window.visible("models.fact.0.name")?.text.contains("weight"))
    })?;
    window.click("models.details.template")?;
    window.visible("models.details.preview_words")?;
    window.click("models.details.preview_now")?;
    window.wait_for("what its template makes of the sample", |window| {
        let text = window.element("models.details.preview")?.map(|it| it.text);
        Ok(text.is_some_and(|text| text.contains("<|im_start|>") && text.contains("capital of Italy")))
    })?;
    window.click("models.details.close")?;

    // What is of no use is listed, ticked and removed.
    window.click("models.clean")?;
    let path = window.visible("clean_up.row.0.path")?.text;
    ensure!(path.ends_with("old.gguf.part"), "{path}");
    window.click("clean_up.do")?;
    window.wait_gone("clean_up.row.0.path")?;
    window.wait_for("it to be gone", |_| Ok(!home.path().join(LEFTOVER).exists()))?;
    window.check_output()?;
    window.close()
}

#[test]
#[ignore = "takes pictures for ./x shot; the walks of this page check it"]
fn pictures_of_the_models_in_both_themes() -> Result<()> {
    let folder = shots()?;
    let (screen, home) = (Screen::start()?, home()?);
    prepare(home.path())?;
    let lm_studio = home.path().join(".lmstudio/models/google/gemma-3-270m-GGUF");
    fs::create_dir_all(&lm_studio)?;
    fs::copy(second_model()?, lm_studio.join("gemma-3-270m-Q4_K_M.gguf"))?;
    let window = open(&screen, home.path())?;
    window.visible("models.clean")?;
    for theme in ["dark", "light"] {
        let take = |name: &str| window.picture(&folder.join(format!("models-{name}-{theme}.png")));
        window.click("rail.settings")?;
        window.click(&format!("settings.theme.{theme}"))?;
        window.wait_for("the theme", |window| Ok(window.state()?["theme"] == theme))?;
        window.click("rail.models")?;
        let starter = row(&window, "SmolLM2")?.name;
        window.click(&starter)?;
        window.visible("models.selected")?;
        take("selected")?;
        window.key("Return")?;
        window.visible("models.details.name")?;
        take("details")?;
        window.click("models.details.metadata")?;
        window.visible("models.fact.0.name")?;
        take("metadata")?;
        window.click("models.details.template")?;
        window.visible("models.details.template_text")?;
        take("template")?;
        window.click("models.details.about")?;
        window.click("models.details.close")?;
        window.click("models.delete_selected")?;
        window.visible("confirm.text")?;
        take("delete")?;
        window.key("Escape")?;
        window.click("models.select_none")?;
        window.click("models.import")?;
        window.visible("import.copy")?;
        take("import")?;
        window.key("Escape")?;
        window.click("models.clean")?;
        window.visible("clean_up.row.0.path")?;
        take("clean-up")?;
        window.key("Escape")?;
        window.click("models.filter")?;
        window.type_text("nothing of the kind")?;
        window.visible("models.clear")?;
        take("no-match")?;
        window.click("models.clear")?;
    }
    window.resize(960, 600)?;
    window.picture(&folder.join("models-narrow.png"))?;
    window.check_output()?;
    window.close()
}

/// A damaged model, and a part of an import that nobody needs.
fn prepare(home: &Path) -> Result<()> {
    let leftover = home.join(LEFTOVER);
    fs::create_dir_all(leftover.parent().context("its folder")?)?;
    fs::write(home.join("models/Broken-1B-Q4_0.gguf"), "<html>404</html>")?;
    fs::write(&leftover, vec![0; 1_000_000])?;
    let long_ago = SystemTime::now() - Duration::from_secs(3 * 86_400);
    fs::File::options()
        .write(true)
        .open(&leftover)?
        .set_modified(long_ago)?;
    Ok(())
}

/// The app at the page of model files.
fn open<'a>(screen: &'a Screen, home: &Path) -> Result<Window<'a>> {
    let window = Window::start(screen, home)?;
    window.click("rail.models")?;
    window.visible("models.row.0")?;
    Ok(window)
}

/// Imports a file this way, or as the form suggests.
fn import(window: &Window<'_>, path: &Path, way: Option<&str>) -> Result<()> {
    window.click("models.import")?;
    window.wait_for("the form", |window| Ok(window.visible("import.path")?.focus))?;
    window.type_text(&path.display().to_string())?;
    match way {
        Some(way) => {
            window.click(way)?;
            window.click("import.do")
        }
        None => window.key("Return"),
    }
}

/// The models in view, in their order.
fn rows(window: &Window<'_>) -> Result<Vec<Element>> {
    let is_row = |it: &Element| {
        let number = it.name.strip_prefix("models.row.");
        it.visible && number.is_some_and(|number| number.parse::<usize>().is_ok())
    };
    Ok(window.elements()?.into_iter().filter(is_row).collect())
}

fn row(window: &Window<'_>, words: &str) -> Result<Element> {
    window.wait_for_value(words, |window| {
        let mut rows = rows(window)?.into_iter();
        Ok(rows.find(|row| row.text.to_lowercase().contains(&words.to_lowercase())))
    })
}

/// How many folders there are in a folder.
fn files_in(folder: &Path) -> Result<usize> {
    Ok(fs::read_dir(folder)?.count())
}

/// The one model file below a folder.
fn imported_file(folder: &Path) -> Result<std::path::PathBuf> {
    let model = fs::read_dir(folder)?.next().context("a model")??.path();
    Ok(fs::read_dir(model)?.next().context("its file")??.path())
}

//! The composer: files beside the draft, its tokens, what was said before; and messages as text to select.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::chat::{ask, messages, stop};
use crate::desktop::{DARK, Desktop};
use crate::home;
use crate::screen::Screen;
use crate::window::Window;

/// What a file of the tests holds.
const EGGS: &str = "name,eggs\nAda,12\n";

#[test]
fn a_file_is_attached_counted_sent_and_there_after_a_restart() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let path = home.path().join("eggs.csv");
    fs::write(&path, EGGS)?;
    let window = Window::start(&screen, home.path())?;
    // The first message loads the model, which then counts.
    ask(&window, "Say hello.")?;
    window.type_text("How many eggs?")?;
    let alone = window.wait_for_value("the tokens of the text", |window| tokens(window))?;
    attach(&window, &path)?;
    ensure!(window.visible("composer.file.0")?.text == "eggs.csv", "its name");
    ensure!(
        window.visible("composer.file.0.size")?.text.starts_with("17"),
        "its size"
    );
    let both = window.wait_for_value("the tokens with the file", |window| tokens(window))?;
    ensure!(both > alone + 5, "{alone} without the file, {both} with it");

    // It goes with the pointer, and with the keys.
    window.click("composer.file.0.remove")?;
    window.wait_for("no file", |window| Ok(files(window)?.is_empty()))?;
    attach(&window, &path)?;
    window.key("shift+Tab")?;
    window.wait_for("the keyboard at the file", |window| {
        Ok(window.visible("composer.file.0.remove")?.focus)
    })?;
    window.key("Return")?;
    window.wait_for("no file again", |window| Ok(files(window)?.is_empty()))?;
    window.wait_for("the keyboard in the text", |window| {
        Ok(window.visible("composer.input")?.focus)
    })?;

    // A message may be no more than a file.
    window.key("ctrl+a")?;
    window.key("BackSpace")?;
    attach(&window, &path)?;
    window.key("Return")?;
    window.wait_for("the message with its file", |window| {
        Ok(sent(window, 2)? == ["eggs.csv"])
    })?;
    ensure!(files(&window)?.is_empty(), "the composer is free");
    stop(&window)?;
    let state = window.state()?;
    let chat = state["chat"].as_i64().context("the open chat")?;
    let message = state["messages"][2]["id"].as_i64().context("its number")?;
    window.visible(&format!("message.{message}.file.0"))?;
    window.close()?;

    let window = Window::start(&screen, home.path())?;
    window.click(&format!("list.row.{chat}"))?;
    window.wait_for("the chat", |window| Ok(messages(window)? == 4))?;
    let chip = window.visible(&format!("message.{message}.file.0"))?;
    ensure!(chip.text == "eggs.csv", "{chip:?}");
    window.check_output()?;
    window.close()
}

#[test]
fn a_file_that_is_no_text_or_too_long_says_so() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let cases = [
        ("model.bin", b"GGUF\0\0".to_vec(), "is no text"),
        ("long.txt", vec![b'x'; (1 << 20) + 1], "longer than 1 MiB"),
    ];
    let window = Window::start(&screen, home.path())?;
    window.click("composer.attach")?;
    for (name, bytes, words) in cases {
        let path = home.path().join(name);
        fs::write(&path, bytes)?;
        type_path(&window, &path)?;
        let fault = window.wait_for_value(words, |window| {
            let fault = window.element("path_form.fault")?;
            Ok(fault.filter(|fault| fault.visible && fault.text.contains(words)))
        })?;
        ensure!(fault.text.contains(name), "it names the file: {fault:?}");
    }
    // The form is still there for another one.
    let path = home.path().join("eggs.csv");
    fs::write(&path, EGGS)?;
    type_path(&window, &path)?;
    window.wait_for("the file", |window| Ok(files(window)? == ["eggs.csv"]))?;
    window.check_output()?;
    window.close()
}

#[test]
fn files_chosen_in_the_system_s_dialog_are_attached_at_once() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let [first, second] = ["eggs.csv", "more eggs.csv"].map(|name| home.path().join(name));
    fs::write(&first, EGGS)?;
    fs::write(&second, EGGS)?;
    let desktop = Desktop::start(DARK)?;
    let window = Window::start_on(
        &screen,
        home.path(),
        &[("DBUS_SESSION_BUS_ADDRESS", desktop.address())],
    )?;
    window.click("composer.attach")?;
    window.wait_for("the files", |window| {
        desktop.choose(&[&first, &second])?;
        Ok(files(window)? == ["eggs.csv", "more eggs.csv"])
    })?;
    window.wait_for("the keyboard in the composer", |window| {
        Ok(window.visible("composer.input")?.focus)
    })?;
    window.check_output()?;
    window.close()
}

#[test]
fn up_brings_back_what_was_said_and_moves_the_caret_in_a_text() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start(&screen, home.path())?;
    for said in ["Say one.", "Say two."] {
        ask(&window, said)?;
    }
    window.click("composer.input")?;
    for (key, text) in [
        ("Up", "Say two."),
        ("Up", "Say one."),
        ("Down", "Say two."),
        ("Down", ""),
        ("Up", "Say two."),
    ] {
        window.key(key)?;
        window.wait_for(text, |window| Ok(draft(window)? == text))?;
    }
    // What is typed then is a text of its own, in which the arrows move the caret.
    window.type_text(" Or")?;
    window.key("shift+Return")?;
    window.type_text("not")?;
    window.key("Up")?;
    window.key("Home")?;
    window.type_text("#")?;
    window.wait_for("a sign in the first line", |window| {
        Ok(draft(window)? == "#Say two. Or\nnot")
    })?;
    window.check_output()?;
    window.close()
}

#[test]
fn the_text_of_a_message_is_selected_and_copied_and_cannot_be_changed() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start(&screen, home.path())?;
    ask(&window, "Say hello.")?;
    let state = window.state()?;
    let id = |index: usize| state["messages"][index]["id"].as_i64().context("a number");
    let answer = state["messages"][1]["text"].as_str().context("a text")?;
    for (element, text) in [
        (format!("message.{}.text", id(0)?), "Say hello."),
        (format!("message.{}.block.0", id(1)?), answer),
    ] {
        window.right_click(&element)?;
        window.click_item("Select text")?;
        copy_all(&window)?;
        ensure!(screen.clipboard()? == text, "{:?}", screen.clipboard()?);
        for key in ["x", "ctrl+x", "BackSpace", "Return"] {
            window.key(key)?;
        }
        ensure!(
            window.visible("text_view.text")?.text == text,
            "it stays as it is"
        );
        window.key("Escape")?;
        window.wait_gone("text_view.text")?;
        window.wait_for("the keyboard in the composer", |window| {
            Ok(window.visible("composer.input")?.focus)
        })?;
    }

    // A long one, by the palette's way to it where it is an answer.
    let long: String = (1..=600)
        .map(|line| format!("Line {line} of a long text.\n"))
        .collect();
    screen.fill_clipboard(long.trim_end())?;
    window.key("ctrl+v")?;
    window.wait_for("the long text", |window| Ok(draft(window)?.len() > 10_000))?;
    window.right_click("composer.send")?;
    window.click_item("Add as an answer")?;
    window.wait_for("the long message", |window| Ok(messages(window)? == 3))?;
    window.key("ctrl+k")?;
    window.wait_for("the palette", |window| Ok(window.visible("palette.words")?.focus))?;
    window.type_text("select text")?;
    window.key("Return")?;
    copy_all(&window)?;
    ensure!(screen.clipboard()? == long.trim_end(), "the whole long text");
    window.click("text_view.close")?;
    window.wait_gone("text_view.text")?;
    window.check_output()?;
    window.close()
}

/// Selects and copies all of the text that is shown for it, once it has the keyboard.
fn copy_all(window: &Window<'_>) -> Result<()> {
    window.wait_for("the text with the keyboard", |window| {
        Ok(window.visible("text_view.text")?.focus)
    })?;
    window.key("ctrl+a")?;
    window.key("ctrl+c")
}

/// Puts a file beside the draft by the form for a path.
pub(crate) fn attach(window: &Window<'_>, path: &Path) -> Result<()> {
    window.click("composer.attach")?;
    let before = files(window)?.len();
    type_path(window, path)?;
    window.wait_for("the file beside the draft", |window| {
        Ok(files(window)?.len() == before + 1)
    })?;
    window.wait_for("the keyboard in the composer", |window| {
        Ok(window.visible("composer.input")?.focus)
    })
}

/// Types a path into the form in the place of what is there, and takes it.
pub(crate) fn type_path(window: &Window<'_>, path: &Path) -> Result<()> {
    window.wait_for("the form", |window| Ok(window.visible("path_form.path")?.focus))?;
    window.key("ctrl+a")?;
    window.type_text(&path.display().to_string())?;
    window.key("Return")
}

/// The count beside the meter; `None` while there is none.
pub(crate) fn tokens(window: &Window<'_>) -> Result<Option<u32>> {
    let shown = window.element("composer.tokens")?;
    let count = shown.and_then(|it| it.text.split('\u{a0}').next()?.split(' ').next()?.parse().ok());
    Ok(count)
}

/// The names of the files beside the draft.
fn files(window: &Window<'_>) -> Result<Vec<String>> {
    names(&window.state()?["draft_files"])
}

/// The names of the files beside a message.
fn sent(window: &Window<'_>, index: usize) -> Result<Vec<String>> {
    names(&window.state()?["messages"][index]["files"])
}

fn names(value: &serde_json::Value) -> Result<Vec<String>> {
    let names = value.as_array().map_or(&[][..], Vec::as_slice).iter();
    Ok(names.filter_map(|name| Some(name.as_str()?.to_owned())).collect())
}

fn draft(window: &Window<'_>) -> Result<String> {
    Ok(window.visible("composer.input")?.text)
}

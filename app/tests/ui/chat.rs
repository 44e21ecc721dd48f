//! Sending, streaming, stopping, and finding it all again.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::home;
use crate::screen::Screen;
use crate::window::Window;

/// A question that the starter model answers at length.
const LONG_QUESTION: &str = "Write a long story about a lighthouse keeper and the sea.";

#[test]
fn a_chat_is_streamed_stopped_and_there_after_a_restart() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start(&screen, home.path())?;

    // Type, Enter, text appears.
    window.click("composer.input")?;
    window.type_text(LONG_QUESTION)?;
    window.key("Return")?;
    window.wait_for("the first words of the answer", |window| {
        Ok(!answer(window)?.is_empty())
    })?;
    ensure!(
        window.visible("composer.input")?.text.is_empty(),
        "the composer is free for the next message"
    );

    // Stop: the text so far stays.
    window.click("composer.stop")?;
    window.wait_for("the end of the answer", |window| Ok(!is_running(window)?))?;
    let stopped = answer(&window)?;
    ensure!(!stopped.is_empty(), "the text so far stays");

    // The next turn works.
    window.click("composer.input")?;
    window.type_text("Say hello.")?;
    window.key("Return")?;
    window.wait_for("the second answer", |window| {
        Ok(messages(window)? == 4 && !answer(window)?.is_empty())
    })?;
    stop(&window)?;
    let first = window.state()?["chat"].as_i64().context("the open chat")?;

    // A new chat, and back.
    window.click("list.new")?;
    window.wait_for("an empty chat", |window| Ok(messages(window)? == 0))?;
    window.click(&format!("list.row.{first}"))?;
    window.wait_for("the first chat again", |window| Ok(messages(window)? == 4))?;
    window.close()?;

    // Everything is there after a restart.
    let window = Window::start(&screen, home.path())?;
    window.click(&format!("list.row.{first}"))?;
    window.wait_for("the chat after the restart", |window| Ok(messages(window)? == 4))?;
    ensure!(
        message_texts(&window)?[1] == stopped,
        "the stopped answer is the same"
    );
    window.check_output()?;
    window.close()
}

#[test]
fn a_window_killed_in_mid_answer_shows_the_chat_again() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start(&screen, home.path())?;
    window.click("composer.input")?;
    window.type_text(LONG_QUESTION)?;
    window.key("Return")?;
    window.wait_for("some of the answer on the disk", |_| {
        Ok(!stored_answer(home.path())?.is_empty())
    })?;
    let stored = stored_answer(home.path())?;
    let chat = window.state()?["chat"].as_i64().context("the open chat")?;
    window.kill()?;

    let window = Window::start(&screen, home.path())?;
    window.click(&format!("list.row.{chat}"))?;
    window.wait_for("the chat", |window| Ok(messages(window)? == 2))?;
    let texts = message_texts(&window)?;
    ensure!(texts[0] == LONG_QUESTION, "the prompt is there: {texts:?}");
    ensure!(
        texts[1].starts_with(&stored),
        "what was stored is there: {stored:?}, {texts:?}"
    );
    window.check_output()
}

/// Asks SQLite itself, through Python, which Hearth's build needs anyway.
const LOOK: &str = "
import sqlite3, sys
database = sqlite3.connect(f'file:{sys.argv[1]}?mode=ro', uri=True)
rows = database.execute(\"select text from messages where role = 'assistant'\").fetchall()
print(''.join(text for (text,) in rows), end='')";

/// What the database holds of the only answer.
fn stored_answer(home: &Path) -> Result<String> {
    let seen = Command::new("python3")
        .args(["-c", LOOK])
        .arg(home.join("hearth.db"))
        .output()?;
    ensure!(seen.status.success(), "{}", String::from_utf8_lossy(&seen.stderr));
    Ok(String::from_utf8(seen.stdout)?)
}

#[test]
fn a_window_that_the_system_ends_stores_its_last_words() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start(&screen, home.path())?;
    window.click("composer.input")?;
    window.type_text(LONG_QUESTION)?;
    window.key("Return")?;
    window.wait_for("some of the answer", |window| Ok(answer(window)?.len() > 100))?;
    let seen = answer(&window)?;
    let chat = window.state()?["chat"].as_i64().context("the open chat")?;
    window.terminate()?;

    let window = Window::start(&screen, home.path())?;
    window.click(&format!("list.row.{chat}"))?;
    window.wait_for("the chat", |window| Ok(messages(window)? == 2))?;
    let texts = message_texts(&window)?;
    ensure!(
        texts[1].starts_with(&seen),
        "nothing that was seen is lost: {seen:?}, {texts:?}"
    );
    let state = window.state()?;
    ensure!(
        state["messages"][1]["stop"]["reason"] == "user_stopped",
        "{state}"
    );
    window.check_output()
}

#[test]
fn shift_enter_breaks_the_line_and_escape_stops() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start(&screen, home.path())?;
    window.click("composer.input")?;
    window.type_text("one")?;
    window.key("shift+Return")?;
    window.type_text("two")?;
    window.wait_for("two lines", |window| {
        Ok(window.visible("composer.input")?.text == "one\ntwo")
    })?;
    window.key("ctrl+a")?;
    window.type_text(LONG_QUESTION)?;
    window.key("Return")?;
    window.wait_for("the answer", |window| Ok(!answer(window)?.is_empty()))?;
    window.key("Escape")?;
    window.wait_for("the end", |window| Ok(!is_running(window)?))?;
    window.check_output()
}

#[test]
fn the_view_follows_the_stream_and_lets_go_when_scrolled_up() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start(&screen, home.path())?;
    window.click("composer.input")?;
    window.type_text(LONG_QUESTION)?;
    // Taller than the window by itself, whatever the answer's length.
    for _ in 0..40 {
        window.key("shift+Return")?;
        window.type_text("and the sea")?;
    }
    window.key("Return")?;
    window.wait_for("the first words of the answer", |window| {
        Ok(!answer(window)?.is_empty())
    })?;
    ensure!(
        window
            .element("conversation.newest")?
            .is_none_or(|button| !button.visible),
        "it follows"
    );

    window.wheel("conversation.list", -10)?;
    window.visible("conversation.newest")?;
    let length = answer(&window)?.len();
    window.wait_for("more of the answer", |window| {
        Ok(answer(window)?.len() > length || !is_running(window)?)
    })?;
    ensure!(
        window.visible("conversation.newest")?.visible,
        "it stays where the person scrolled to"
    );

    window.click("conversation.newest")?;
    window.wait_gone("conversation.newest")?;

    // The same with the keys.
    stop(&window)?;
    window.key("Prior")?;
    window.visible("conversation.newest")?;
    for _ in 0..3 {
        window.key("Next")?;
    }
    window.wait_gone("conversation.newest")?;

    // What lies over the conversation keeps the wheel to itself.
    window.click("picker.button")?;
    window.wheel("picker.menu", -10)?;
    window.key("Escape")?;
    window.wait_for("the end of the menu", |window| {
        Ok(window.state()?["picker_open"] == false)
    })?;
    ensure!(
        window
            .element("conversation.newest")?
            .is_none_or(|button| !button.visible),
        "the conversation stays where it was"
    );
    window.check_output()
}

#[test]
fn the_person_s_own_message_is_copied_and_the_clipboard_keeps_it() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start(&screen, home.path())?;
    ask(&window, "Say hello.")?;
    let message = window.state()?["messages"][0]["id"]
        .as_i64()
        .context("the message's number")?;
    window.hover(&format!("message.{message}.text"))?;
    window.click(&format!("message.{message}.copy"))?;
    window.visible(&format!("message.{message}.copied"))?;

    // Copying where nothing is selected leaves the clipboard as it is.
    window.click("composer.input")?;
    window.key("ctrl+c")?;
    window.key("ctrl+v")?;
    window.wait_for("the message in the composer", |window| {
        Ok(window.visible("composer.input")?.text == "Say hello.")
    })?;
    window.check_output()
}

/// Asks and waits for the end of the answer, or ends it once it has begun.
pub(crate) fn ask(window: &Window<'_>, text: &str) -> Result<()> {
    let messages = |window: &Window<'_>| {
        let state = window.state()?;
        state["messages"].as_array().cloned().context("messages")
    };
    let before = messages(window)?.len();
    window.click("composer.input")?;
    window.type_text(text)?;
    window.key("Return")?;
    // A model may have nothing to say.
    window.wait_for("an answer", |window| {
        let all = messages(window)?;
        let answer = all.last().filter(|last| last["role"] == "assistant");
        Ok(all.len() > before && answer.is_some_and(|it| it["text"] != "" || !it["stop"].is_null()))
    })?;
    stop(window)
}

/// Stops the answer, if it has not ended by itself: nobody can say how long a model talks.
pub(crate) fn stop(window: &Window<'_>) -> Result<()> {
    if is_running(window)? {
        window.key("Escape")?;
    }
    window.wait_for("the end of the answer", |window| Ok(!is_running(window)?))
}

/// Text of the last message.
pub(crate) fn answer(window: &Window<'_>) -> Result<String> {
    let state = window.state()?;
    let last = state["messages"]
        .as_array()
        .and_then(|messages| messages.last().cloned());
    Ok(match last {
        Some(message) if message["role"] == "assistant" => {
            message["text"].as_str().unwrap_or_default().to_owned()
        }
        _ => String::new(),
    })
}

/// Whether the open chat is being answered.
pub(crate) fn is_running(window: &Window<'_>) -> Result<bool> {
    Ok(window.state()?["running"].as_bool().unwrap_or_default())
}

/// Number of messages of the open chat.
pub(crate) fn messages(window: &Window<'_>) -> Result<usize> {
    Ok(message_texts(window)?.len())
}

fn message_texts(window: &Window<'_>) -> Result<Vec<String>> {
    let state = window.state()?;
    let messages = state["messages"].as_array().context("no messages in the state")?;
    Ok(messages
        .iter()
        .map(|message| message["text"].as_str().unwrap_or_default().to_owned())
        .collect())
}

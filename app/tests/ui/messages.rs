//! What can be done with messages: edit, versions, branch, delete with undo, the queue, adding without an answer.

use anyhow::{Context, Result, ensure};

use crate::chat::{answer, ask, is_running, messages, stop};
use crate::home;
use crate::screen::Screen;
use crate::window::Window;

#[test]
fn a_question_is_edited_and_its_versions_are_gone_through() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start(&screen, home.path())?;
    ask(&window, "Say hello.")?;
    let question = id_of(&window, 0)?;
    window.hover(&format!("message.{question}.text"))?;
    window.click(&format!("message.{question}.edit"))?;
    window.wait_for("the field", |window| {
        let field = window.element(&format!("message.{question}.edit.input"))?;
        Ok(field.is_some_and(|field| field.focus))
    })?;
    window.key("ctrl+a")?;
    window.type_text("Say goodbye.")?;
    window.key("Return")?;
    window.wait_for("the other question with its answer", |window| {
        let state = window.state()?;
        Ok(state["messages"][0]["text"] == "Say goodbye." && messages(window)? == 2)
    })?;
    stop(&window)?;
    let edited = id_of(&window, 0)?;
    ensure!(
        window.visible(&format!("message.{edited}.version"))?.text == "2/2",
        "both versions are there"
    );

    // Back to the first one, with its answer.
    window.hover(&format!("message.{edited}.text"))?;
    window.click(&format!("message.{edited}.back"))?;
    window.wait_for("the first question", |window| {
        Ok(window.state()?["messages"][0]["text"] == "Say hello." && messages(window)? == 2)
    })?;

    // The answer made anew is a version, too, and all is there after a restart.
    let first = id_of(&window, 1)?;
    window.click(&format!("message.{first}.regenerate"))?;
    window.wait_for("another answer", |window| {
        Ok(id_of(window, 1)? != first && !answer(window)?.is_empty())
    })?;
    stop(&window)?;
    window.key("alt+Left")?;
    window.wait_for("the first answer", |window| Ok(id_of(window, 1)? == first))?;
    let chat = window.state()?["chat"].as_i64().context("the open chat")?;
    window.close()?;
    let window = Window::start(&screen, home.path())?;
    window.click(&format!("list.row.{chat}"))?;
    window.wait_for("the version that was shown", |window| {
        Ok(messages(window)? == 2 && id_of(window, 1)? == first)
    })?;
    window.check_output()?;
    window.close()
}

#[test]
fn a_message_is_deleted_and_brought_back_and_a_chat_is_branched() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start(&screen, home.path())?;
    ask(&window, "Say hello.")?;
    let reply = id_of(&window, 1)?;
    window.click(&format!("message.{reply}.delete"))?;
    window.wait_for("the message to go", |window| Ok(messages(window)? == 1))?;
    window.click("toast.undo")?;
    window.wait_for("the message again", |window| Ok(messages(window)? == 2))?;

    let chat = window.state()?["chat"].clone();
    window.click(&format!("message.{reply}.branch"))?;
    window.wait_for("the branch", |window| {
        Ok(window.state()?["chat"] != chat && messages(window)? == 2)
    })?;
    window.check_output()?;
    window.close()
}

#[test]
fn a_message_waits_for_the_answer_and_one_is_added_without() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start(&screen, home.path())?;
    window.click("composer.input")?;
    window.type_text("Write a long story about a lighthouse keeper and the sea.")?;
    window.key("Return")?;
    window.wait_for("the answer", |window| Ok(!answer(window)?.is_empty()))?;
    window.type_text("And then?")?;
    window.key("Return")?;
    if is_running(&window)? {
        window.visible("queue.text.0")?;
        window.click("queue.edit.0")?;
        window.wait_for("the message in the composer", |window| {
            Ok(window.visible("composer.input")?.text == "And then?")
        })?;
        stop(&window)?;
        window.key("ctrl+a")?;
    } else {
        stop(&window)?;
    }
    let before = messages(&window)?;
    window.click("composer.input")?;
    window.key("ctrl+a")?;
    window.type_text("Remember this.")?;
    window.key("ctrl+Return")?;
    window.wait_for("the message", |window| Ok(messages(window)? == before + 1))?;
    ensure!(!is_running(&window)?, "nothing answers it");
    window.check_output()?;
    window.close()
}

/// The number of the message at this place.
fn id_of(window: &Window<'_>, index: usize) -> Result<i64> {
    window.state()?["messages"][index]["id"]
        .as_i64()
        .context("the message's number")
}

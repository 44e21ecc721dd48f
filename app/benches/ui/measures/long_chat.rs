//! A chat of 10,000 messages: opening it, scrolling through it, its memory.

use anyhow::{Context, Result};

use super::start::Empty;
use super::{ROUNDS, frames, memory as memory_of, now};
use crate::figures::{Bar, Line, median, p95};
use crate::screen::Screen;
use crate::texts::{MESSAGES, write_long_chat};
use crate::window::Window;

/// The row of the long chat in the list.
const ROW: &str = "list.row.1";

/// Clicks of the wheel while scrolling.
const CLICKS: i32 = 150;

pub(crate) fn long_chat() -> Result<Vec<Line>> {
    let screen = Screen::start()?;
    let home = tempfile::tempdir()?;
    write_long_chat(home.path())?;
    let window = Window::start(&screen, home.path())?;
    let mut opened = Vec::new();
    for _ in 0..ROUNDS {
        opened.push(open(&window)?);
        window.click("list.new")?;
        window.wait_for("an empty chat", |window| {
            Ok(window.visible("greeting.title").is_ok())
        })?;
    }
    open(&window)?;
    let mut lines = vec![Line::new(
        "opening a chat of 10,000 messages",
        median(opened),
        "ms",
        Bar::AtMost(60.0),
    )];
    for (way, clicks) in [("up", -CLICKS), ("down", CLICKS)] {
        frames(&window)?;
        window.wheel("conversation.list", clicks)?;
        let costs = frames(&window)?.into_iter().map(|frame| frame.cost);
        lines.push(Line::new(
            format!("scrolling {way} in it, the app's share of a frame, p95"),
            p95(costs),
            "ms",
            Bar::AtMost(4.0),
        ));
    }
    window.close()?;
    Ok(lines)
}

/// Opens the chat; gives the milliseconds from before the click until its messages were drawn.
fn open(window: &Window<'_>) -> Result<f64> {
    window.hover(ROW)?;
    frames(window)?;
    let begun = now()?;
    window.click_here()?;
    let drawn = window.wait_for_value("the long chat", |window| {
        Ok(frames(window)?
            .into_iter()
            .find(|frame| frame.messages == MESSAGES))
    })?;
    let took = drawn.at.checked_sub(begun).context("drawn before the click")?;
    Ok(std::time::Duration::from_micros(took).as_secs_f64() * 1000.0)
}

pub(crate) fn memory() -> Result<Vec<Line>> {
    let screen = Screen::start()?;
    let home = tempfile::tempdir()?;
    write_long_chat(home.path())?;
    let empty = memory_of(Empty::start(&screen)?.process())?;
    let window = Window::start(&screen, home.path())?;
    open(&window)?;
    let more = memory_of(window.process())? - empty;
    window.close()?;
    Ok(vec![Line::new(
        "memory beyond an empty window, with it open",
        more,
        "MiB",
        Bar::AtMost(60.0),
    )])
}

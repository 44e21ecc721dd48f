//! A key in a composer that holds very much.

use anyhow::Result;

use super::frames;
use crate::figures::{Bar, Line, p95};
use crate::screen::Screen;
use crate::window::Window;

/// Words in the composer; each is a token.
const WORDS: usize = 32_000;

pub(crate) fn composer() -> Result<Vec<Line>> {
    let screen = Screen::start()?;
    let home = tempfile::tempdir()?;
    let window = Window::start(&screen, home.path())?;
    screen.fill_clipboard(&"word ".repeat(WORDS))?;
    window.click("composer.input")?;
    window.key("ctrl+v")?;
    window.wait_for("the pasted text", |window| {
        Ok(window.state()?["draft"]
            .as_str()
            .is_some_and(|draft| draft.len() >= WORDS * 5))
    })?;
    frames(&window)?;
    window.type_text("A few more words at the end of it all.")?;
    let costs = frames(&window)?.into_iter().map(|frame| frame.cost);
    let line = Line::new(
        "a key in a composer of 32,000 tokens, the app's share of its frame, p95",
        p95(costs),
        "ms",
        Bar::AtMost(16.0),
    );
    window.close()?;
    Ok(vec![line])
}

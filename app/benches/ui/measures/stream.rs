//! An answer of 5,000 words that comes with 200 tokens a second, from a worker that plays it.

use std::fs;

use anyhow::Result;
use serde_json::json;

use super::frames;
use crate::figures::{Bar, Line, p95};
use crate::screen::Screen;
use crate::texts::answer;
use crate::window::Window;

/// Tokens a second; the worker's pieces are words.
const RATE: u32 = 200;

pub(crate) fn stream() -> Result<Vec<Line>> {
    let screen = Screen::start()?;
    let home = tempfile::tempdir()?;
    let (text, script) = (home.path().join("answer.md"), home.path().join("script.json"));
    fs::write(&text, answer())?;
    let model = json!({"response": "loaded", "context_length": 32768, "has_chat_template": true,
        "gpu_layers": [0, 30], "threads": 1});
    let steps = json!([
        {"await": "load"}, {"say": model},
        {"await": "generate"}, {"write": {"file": text, "per_second": RATE}},
    ]);
    fs::write(&script, steps.to_string())?;
    let window = Window::start_scripted(&screen, home.path(), &script)?;
    window.click("composer.input")?;
    window.type_text("Tell me everything.")?;
    window.key("Return")?;
    window.wait_for("the answer", |window| Ok(window.state()?["running"] == true))?;
    frames(&window)?;
    let costs = |window: &Window<'_>| -> Result<Vec<f64>> {
        Ok(frames(window)?.into_iter().map(|frame| frame.cost).collect())
    };
    let mut all = Vec::new();
    // Frames are asked for by and by: a question that brings the whole text would be counted with them.
    while window.element("composer.stop")?.is_some_and(|stop| stop.visible) {
        std::thread::sleep(std::time::Duration::from_secs(1));
        all.extend(costs(&window)?);
    }
    window.close()?;
    Ok(vec![Line::new(
        "streaming 200 tokens/s into 5,000 words, the app's share of a frame, p95",
        p95(all),
        "ms",
        Bar::AtMost(4.0),
    )])
}

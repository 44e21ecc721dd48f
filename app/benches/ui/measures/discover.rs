//! Two thousand models at the hub: scrolling through what was found, page after page.

use anyhow::Result;
use hearth_testhub::{Repo, TestHub};
use serde_json::json;

use super::frames;
use crate::figures::{Bar, Line, p95};
use crate::screen::Screen;
use crate::window::Window;

/// Models at the hub.
const MODELS: u32 = 2_000;

/// Clicks of the wheel at once, of which each is several rows.
const CLICKS: i32 = 25;

pub(crate) fn discover() -> Result<Vec<Line>> {
    let hub = TestHub::start();
    for number in 0..MODELS {
        let mut repo = Repo::new(&format!("ada/owl-{number}-GGUF")).with("owl-Q4_K_M.gguf", "GGUF");
        repo.about = json!({ "downloads": MODELS - number, "likes": 9, "gguf": { "total": 300_000 } });
        hub.add(repo);
    }
    let screen = Screen::start()?;
    let home = tempfile::tempdir()?;
    let url = hub.url();
    let window = Window::start_on(&screen, home.path(), &[("HF_ENDPOINT", url.as_str())])?;
    window.click("rail.discover")?;
    window.click("discover.words")?;
    window.type_text("owl")?;
    window.wait_for("the first page", |window| {
        let first = window.element("discover.model.0")?;
        Ok(first.is_some_and(|first| first.text.contains("owl-0-GGUF")))
    })?;
    frames(&window)?;
    let count = MODELS.to_string();
    let is_last = |text: &str| text.replace('\u{a0}', "").starts_with(&count);
    while !is_last(&window.visible("discover.list.count")?.text) {
        window.wheel("discover.list", CLICKS)?;
    }
    let down = p95(frames(&window)?.into_iter().map(|frame| frame.cost));
    window.wheel("discover.list", -6 * CLICKS)?;
    let up = p95(frames(&window)?.into_iter().map(|frame| frame.cost));
    window.close()?;
    Ok([("down", down), ("up", up)]
        .map(|(way, cost)| {
            Line::new(
                format!("scrolling {way} in 2,000 models, the app's share of a frame, p95"),
                cost,
                "ms",
                Bar::AtMost(4.0),
            )
        })
        .into())
}

//! A thousand downloads: scrolling through the panel.

use std::fs;
use std::path::Path;

use anyhow::{Result, ensure};
use serde_json::json;

use super::frames;
use crate::figures::{Bar, Line, p95};
use crate::screen::Screen;
use crate::window::Window;

/// Downloads in the list.
const DOWNLOADS: u32 = 1_000;

/// Clicks of the wheel while scrolling.
const CLICKS: i32 = 150;

pub(crate) fn downloads() -> Result<Vec<Line>> {
    let screen = Screen::start()?;
    let home = tempfile::tempdir()?;
    write_downloads(home.path())?;
    let window = Window::start(&screen, home.path())?;
    window.click("rail.downloads")?;
    window.visible("downloads.row.0")?;
    let all = window.state()?["downloads"]["rows"].as_array().map(Vec::len);
    ensure!(all == Some(DOWNLOADS as usize), "{all:?} downloads are listed");
    let mut lines = Vec::new();
    for (way, clicks) in [("down", CLICKS), ("up", -CLICKS)] {
        frames(&window)?;
        window.wheel("downloads", clicks)?;
        let costs = frames(&window)?.into_iter().map(|frame| frame.cost);
        lines.push(Line::new(
            format!("scrolling {way} in 1,000 downloads, the app's share of a frame, p95"),
            p95(costs),
            "ms",
            Bar::AtMost(4.0),
        ));
    }
    window.close()?;
    Ok(lines)
}

/// Writes what an earlier Hearth keeps of downloads into the data folder `home`: each third is paused, failed, done.
fn write_downloads(home: &Path) -> Result<()> {
    let folder = home.join("downloads");
    fs::create_dir_all(&folder)?;
    for number in 1..=DOWNLOADS {
        let intent = match number % 3 {
            0 => json!({"wait": null}),
            1 => json!({"fail": {"error": "wrong_hash", "file": format!("m{number}-Q4_K_M.gguf")}}),
            _ => json!({"rest": {"verified": true, "file": null}}),
        };
        let record = json!({
            "version": 1,
            "id": number,
            "request": {
                "model": format!("ada/Model-{number}-GGUF"),
                "file": format!("m{number}-Q4_K_M.gguf"),
                "revision": null,
            },
            "position": number,
            "intent": intent,
            "place": "hub_cache",
            "set": null,
        });
        fs::write(folder.join(format!("{number}.json")), record.to_string())?;
    }
    Ok(())
}

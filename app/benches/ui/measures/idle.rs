//! What the window costs while nobody touches it.

use std::time::{Duration, Instant};

use anyhow::Result;

use super::frames;
use crate::figures::{Bar, Line};
use crate::programs::cpu_time;
use crate::screen::Screen;
use crate::window::Window;

/// After this long without input the caret rests.
const CARET_RESTS: Duration = Duration::from_secs(12);
/// How long each page is watched.
const WATCHED: Duration = Duration::from_secs(10);

const PAGES: [&str; 6] = ["chat", "discover", "models", "server", "downloads", "settings"];

pub(crate) fn idle() -> Result<Vec<Line>> {
    let screen = Screen::start()?;
    let home = tempfile::tempdir()?;
    let window = Window::start(&screen, home.path())?;
    screen.rest_pointer()?;
    let mut lines = Vec::new();
    for page in PAGES {
        window.show_page(page)?;
        std::thread::sleep(CARET_RESTS);
        frames(&window)?;
        let (before, begun) = (cpu_time(window.process())?, Instant::now());
        std::thread::sleep(WATCHED);
        let used = cpu_time(window.process())? - before;
        let share = 100.0 * used.as_secs_f64() / begun.elapsed().as_secs_f64();
        let redraws = frames(&window)?.len();
        lines.push(Line::new(
            format!("idle, page {page}: of one core"),
            share,
            "%",
            Bar::AtMost(1.0),
        ));
        lines.push(Line::new(
            format!("idle, page {page}: redraws in {} s", WATCHED.as_secs()),
            redraws as f64,
            "",
            Bar::AtMost(0.0),
        ));
    }
    window.close()?;
    Ok(lines)
}

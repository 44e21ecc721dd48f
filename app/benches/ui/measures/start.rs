//! From the start of the process to the first frame, and until one can type, beside an empty Makepad window.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result};

use super::{ROUNDS, first_frame, now};
use crate::figures::{Bar, Line, median};
use crate::screen::Screen;
use crate::window::Window;

/// An empty Makepad window. Killed when dropped.
pub(super) struct Empty {
    process: Child,
    /// From its start to its first frame, in milliseconds.
    pub(super) first_frame: f64,
}

impl Empty {
    /// Starts it and waits for its first frame.
    pub(super) fn start(screen: &Screen) -> Result<Self> {
        let folder = PathBuf::from(env!("CARGO_BIN_EXE_hearth"));
        let program = folder.with_file_name("examples").join("empty_window");
        let begun = now()?;
        let mut process = Command::new(program)
            .env("DISPLAY", screen.display())
            .env("LIBGL_ALWAYS_SOFTWARE", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("the empty window does not start; ./x bench ui builds it")?;
        let output = process.stdout.take().context("no pipe")?;
        let mut empty = Self {
            process,
            first_frame: 0.0,
        };
        for line in BufReader::new(output).lines() {
            if let Ok(drawn) = line?.trim().parse::<u64>() {
                empty.first_frame = since(begun, drawn);
                return Ok(empty);
            }
        }
        anyhow::bail!("the empty window ended before it was drawn")
    }

    pub(super) fn process(&self) -> u32 {
        self.process.id()
    }
}

impl Drop for Empty {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

/// Milliseconds between two times in microseconds.
fn since(begun: u64, ended: u64) -> f64 {
    std::time::Duration::from_micros(ended.saturating_sub(begun)).as_secs_f64() * 1000.0
}

pub(crate) fn start() -> Result<Vec<Line>> {
    let screen = Screen::start()?;
    let home = tempfile::tempdir()?;
    // The first start makes the database.
    Window::start(&screen, home.path())?.close()?;
    let (mut to_frame, mut to_typing) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let empty = Empty::start(&screen)?.first_frame;
        let begun = now()?;
        let window = Window::start(&screen, home.path())?;
        to_typing.push(since(begun, now()?) - empty);
        to_frame.push(since(begun, first_frame(&window)?) - empty);
        window.close()?;
    }
    Ok(vec![
        Line::new(
            "start to the first frame, beyond an empty window",
            median(to_frame),
            "ms",
            Bar::AtMost(300.0),
        ),
        Line::new(
            "start to typing, beyond an empty window",
            median(to_typing),
            "ms",
            Bar::AtMost(500.0),
        ),
    ])
}

//! What the window costs while nobody touches it.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::home;
use crate::screen::Screen;
use crate::window::Window;

/// How long the caret blinks before it rests.
const CARET_RESTS: Duration = Duration::from_secs(12);
/// How long the idle window is watched.
const WATCHED: Duration = Duration::from_secs(20);

/// Reads and prints the idle window's share of a core. It judges nothing: a test does not depend on time.
#[test]
fn idle_cpu_is_read_and_printed() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start(&screen, home.path())?;
    screen.rest_pointer()?;
    std::thread::sleep(CARET_RESTS);
    let (before, start) = (cpu_time(window.process())?, Instant::now());
    std::thread::sleep(WATCHED);
    let used = cpu_time(window.process())? - before;
    let share = 100.0 * used.as_secs_f64() / start.elapsed().as_secs_f64();
    println!("Idle CPU of the window: {share:.1} % of one core (aim: at most 2 %)");
    window.check_output()
}

/// User and system time of a process so far (`proc(5)`, fields 14 and 15 of `stat`).
fn cpu_time(process: u32) -> Result<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat"))?;
    // The second field is the program's name in brackets and may hold spaces.
    let fields: Vec<&str> = stat
        .rsplit_once(')')
        .context("stat")?
        .1
        .split_whitespace()
        .collect();
    let ticks: u64 = fields[11].parse::<u64>()? + fields[12].parse::<u64>()?;
    // The kernel counts in hundredths of a second for every program, whatever its own clock.
    Ok(Duration::from_millis(ticks * 10))
}

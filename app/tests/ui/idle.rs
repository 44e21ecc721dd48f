//! What the window costs while nobody touches it.

use std::time::{Duration, Instant};

use anyhow::Result;

use crate::home;
use crate::programs::cpu_time;
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
    println!("Idle CPU of the window: {share:.2} % of one core (aim: at most 2 %)");
    window.check_output()
}

/// A blink draws twice a second: nothing is drawn in five seconds only once the caret rests.
#[test]
fn an_idle_window_draws_nothing_once_its_caret_rests() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    let window = Window::start(&screen, home.path())?;
    window.click("composer.input")?;
    screen.rest_pointer()?;
    window.wait_still()?;
    for page in ["server", "settings"] {
        window.click(&format!("rail.{page}"))?;
        screen.rest_pointer()?;
        window.wait_still()?;
    }
    window.check_output()
}

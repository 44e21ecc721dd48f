//! What the window costs while nobody touches it.

use anyhow::Result;

use crate::home;
use crate::screen::Screen;
use crate::window::Window;

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

//! Keeps the idle window from spinning.
//!
//! On Linux, Makepad's event loop never waits: alone it takes a whole core. The pacer asks for each next
//! frame and rests in it, shortly after input and while text streams, longer the longer nothing happens. News
//! of the backend end a rest at once.

use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use makepad_widgets::{Cx, Event, NextFrame};

/// Rest between frames while something moves.
const BUSY: Duration = Duration::from_millis(4);
/// Rest between frames shortly after the last input: a hover or a key is seen within a frame of a screen.
const CALM: Duration = Duration::from_millis(16);
/// Rest between frames after a while without input.
const IDLE: Duration = Duration::from_millis(50);

/// How long after an input the window counts as busy.
const BUSY_FOR: Duration = Duration::from_millis(500);
/// How long after an input the window counts as calm.
const CALM_FOR: Duration = Duration::from_secs(10);

/// Paces the frames of the window.
#[derive(Debug)]
pub(crate) struct Pacer {
    frame: NextFrame,
    last_input: Instant,
}

impl Default for Pacer {
    fn default() -> Self {
        Self {
            frame: NextFrame::default(),
            last_input: Instant::now(),
        }
    }
}

/// Ends the rest of the thread it was made on.
#[derive(Debug, Clone)]
pub(crate) struct Alarm(Thread);

impl Alarm {
    /// For the thread that calls this.
    pub(crate) fn of_this_thread() -> Self {
        Self(thread::current())
    }

    /// Wakes it, or keeps it from its next rest.
    pub(crate) fn ring(&self) {
        self.0.unpark();
    }
}

impl Pacer {
    /// Takes its own frames and notes input. Whether the event was only its own frame, which nobody else need
    /// see.
    pub(crate) fn handle_event(&mut self, cx: &mut Cx, event: &Event, streaming: bool) -> bool {
        match event {
            Event::Startup => self.frame = cx.new_next_frame(),
            Event::NextFrame(frames) if frames.set.contains(&self.frame) => {
                let animating = frames.set.len() > 1;
                thread::park_timeout(rest(self.last_input.elapsed(), streaming || animating));
                self.frame = cx.new_next_frame();
                return !animating;
            }
            Event::MouseMove(_)
            | Event::MouseDown(_)
            | Event::MouseUp(_)
            | Event::Scroll(_)
            | Event::KeyDown(_)
            | Event::TextInput(_)
            | Event::WindowGeomChange(_) => self.last_input = Instant::now(),
            _ => (),
        }
        false
    }
}

/// How long to rest, this long after the last input.
fn rest(since_input: Duration, moving: bool) -> Duration {
    if moving || since_input < BUSY_FOR {
        BUSY
    } else if since_input < CALM_FOR {
        CALM
    } else {
        IDLE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_grows_with_the_quiet() {
        let cases = [
            (0, false, BUSY),
            (499, false, BUSY),
            (500, false, CALM),
            (9_999, false, CALM),
            (10_000, false, IDLE),
            (3_600_000, true, BUSY),
        ];
        for (millis, moving, expected) in cases {
            assert_eq!(rest(Duration::from_millis(millis), moving), expected);
        }
    }
}

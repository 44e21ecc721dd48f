//! What the window's frames cost, for `./x bench ui`.

use std::mem;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

/// Frames that are kept at most.
const KEPT: usize = 100_000;

/// The frames since they were asked for last.
#[derive(Debug, Default)]
pub(crate) struct Frames {
    /// What the frame that comes next has cost so far.
    cost: Duration,
    drawn: Vec<Frame>,
    /// When the window was drawn first, in microseconds since 1970.
    first: Option<u64>,
}

/// A frame that was drawn.
#[derive(Debug)]
struct Frame {
    /// When, in microseconds since 1970.
    at: u64,
    /// Processor time that the window's thread has spent in the app since the frame before: events, state, layout and
    /// draw lists. What the graphics driver does with these lists is not in it.
    cost: Duration,
    /// Messages that the open chat has.
    messages: usize,
}

impl Frames {
    /// Counts what an event cost.
    pub(super) fn note(&mut self, cost: Duration) {
        self.cost += cost;
    }

    /// Ends a frame.
    pub(super) fn end(&mut self, messages: usize) {
        let at = now();
        self.first.get_or_insert(at);
        let cost = mem::take(&mut self.cost);
        if self.drawn.len() < KEPT {
            self.drawn.push(Frame { at, cost, messages });
        }
    }

    /// Tells the frames and forgets them.
    pub(super) fn take(&mut self) -> Value {
        let frames: Vec<_> = mem::take(&mut self.drawn)
            .into_iter()
            .map(|frame| json!({"at": frame.at, "cost_us": frame.cost.as_micros(), "messages": frame.messages}))
            .collect();
        json!({"frames": frames, "first_frame": self.first})
    }
}

/// Microseconds since 1970.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_micros()).unwrap_or(u64::MAX)
}

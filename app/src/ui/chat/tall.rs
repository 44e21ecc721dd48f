//! What is taller than the window is drawn only where it may be in view.
//!
//! A list draws what begins above its view at a wrong place first and moves it after, so that its lower end is what is
//! seen. Therefore more than the view is drawn: what may come into it from above, from below, and the lower end.

use makepad_widgets::{Cx2d, Rect};

/// The part of a tall block that may be in view, from its top, in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Tall {
    /// Where the block's top is in the window.
    top: f64,
    height: f64,
    window: f64,
}

impl Tall {
    /// Of a block at this place.
    pub(super) fn new(cx: &Cx2d, place: Rect) -> Self {
        Self {
            top: place.pos.y,
            height: place.size.y,
            window: cx.current_pass_size().y,
        }
    }

    /// Whether what lies from `from` to `to` in it may be seen.
    pub(super) fn shows(self, from: f64, to: f64) -> bool {
        let near = self.top + to > -self.window && self.top + from < 2.0 * self.window;
        near || to > self.height - self.window
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_a_tall_block_is_not_drawn() {
        let block = Tall {
            top: -3_000.0,
            height: 9_000.0,
            window: 800.0,
        };
        let shown = |from: f64| block.shows(from, from + 20.0);
        assert!(!shown(0.0), "far above the window");
        assert!(
            shown(2_400.0) && shown(3_000.0) && shown(3_780.0),
            "in the window"
        );
        assert!(!shown(6_000.0), "far below the window");
        assert!(shown(8_980.0), "the end, which a list may move up");
    }
}

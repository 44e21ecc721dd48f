//! The steps of the first start: when they come by themselves, and how they end.

use crate::effect::WindowEffect;
use crate::state::AppState;
use crate::state::first_start::FirstStart;
use crate::state::overlay::Overlay;

impl AppState {
    pub(super) fn show_first_start(&mut self) {
        self.overlay = Some(Overlay::FirstStart(FirstStart::default()));
        self.want(WindowEffect::FocusOverlay);
    }

    /// Goes on or back; after the last step the chat begins.
    pub(super) fn step_first_start(&mut self, back: bool) {
        let Some(Overlay::FirstStart(steps)) = &mut self.overlay else {
            return;
        };
        if steps.step(back) {
            self.want(WindowEffect::FocusOverlay);
        } else if !back {
            self.close_overlay();
        }
    }

    /// Shows the steps where this is a first start.
    pub(super) fn begin_first_start(&mut self) {
        if self.first_start.decide() && self.overlay.is_none() {
            self.show_first_start();
        }
    }

    /// The steps have been seen, or skipped.
    pub(super) fn end_first_start(&mut self) {
        self.change_settings(|settings| settings.first_start_seen = true);
    }
}

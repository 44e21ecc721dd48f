//! What tests ask of the window.

use std::time::Duration;

use makepad_widgets::{Cx, Event};

use super::App;

impl App {
    /// Notes what an event cost, and that the window was drawn.
    pub(super) fn note_cost(&self, event: &Event, cost: Duration) {
        if let Some(session) = &self.session
            && let Some(probe) = &session.probe
        {
            probe.note_cost(cost);
            if let Event::Draw(_) = event {
                probe.note_change(&session.state);
            }
        }
    }

    pub(super) fn answer_probe(&mut self, cx: &mut Cx) {
        while let Some(session) = &self.session
            && let Some(probe) = &session.probe
            && let Some(request) = probe.next()
        {
            let message = probe.answer(cx, &self.ui, &session.state, session.scale.zoom(), &request);
            if let Some(message) = message {
                self.update(cx, message);
            }
        }
    }
}

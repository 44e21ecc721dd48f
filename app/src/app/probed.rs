//! What tests ask of the window.

use std::time::Duration;

use makepad_widgets::{Cx, Event};

use super::App;

impl App {
    /// Notes what an event cost, and where it drew the window, tells what it shows.
    pub(super) fn note_cost(&mut self, cx: &mut Cx, event: &Event, cost: Duration) {
        let Some(session) = &self.session else { return };
        let Some(probe) = &session.probe else { return };
        probe.note_cost(cost);
        if let Event::Draw(_) = event {
            probe.note_change(&session.state);
            self.answer_probe(cx, true);
        }
    }

    /// Answers what tests ask. Where the state has changed since the window was drawn, it is drawn first, so that what the
    /// state says and what the window shows are told of one moment. `drawn` is whether it has been just now.
    pub(super) fn answer_probe(&mut self, cx: &mut Cx, drawn: bool) {
        let mut drawn = drawn;
        while self.redraw.is_empty()
            && (drawn || !cx.new_draw_event.will_redraw())
            && let Some(session) = &self.session
            && let Some(probe) = &session.probe
            && let Some(request) = probe.next()
        {
            let message = probe.answer(cx, &self.ui, &session.state, session.scale.zoom(), &request);
            if let Some(message) = message {
                self.update(cx, message);
                drawn = false;
            }
        }
    }
}

//! The tooltip: what an icon means, after the pointer has rested on it.

use makepad_widgets::*;

use crate::ui::shell;
use crate::ui::widget::button::*;
use crate::ui::widget::text::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;

    pub Tooltip = {{Tooltip}} {
        width: Fill, height: Fill
        visible: false
        place = <Surface> {
            width: Fit, height: 26
            padding: { left: 8, right: 8 }, align: { y: 0.5 }
            draw_bg: { color: (COLOR_TEXT), line: (COLOR_NONE), radius: 6.0 }
            label = <Small> { draw_text: { color: (COLOR_CANVAS) } }
        }
    }
}

/// How long the pointer rests before the tooltip comes, in seconds.
const DELAY: f64 = 0.5;
/// Between the button and the tooltip, in pixels.
const GAP: f64 = 8.0;
/// Its height and least distance from the window's edge, in pixels.
const HEIGHT: f64 = 26.0;
const EDGE: f64 = 8.0;
/// Left and right of its text, in pixels.
const PADDING: f64 = 16.0;

/// What shows the tooltip of something that is no button.
#[derive(Clone, Debug, DefaultNone)]
pub enum TipAction {
    /// Nothing.
    None,
    /// The pointer came over it.
    Show {
        /// Its place in the window.
        place: Rect,
        /// What the tooltip says.
        text: String,
    },
    /// The pointer left.
    Hide,
}

/// What the pointer is over.
#[derive(Clone, Debug)]
enum Hovered {
    Button(PushButtonRef),
    /// Something else, with its tooltip.
    Text(String),
}

/// The tooltip of the window. Never takes an event.
#[derive(Live, LiveHook, Widget)]
pub struct Tooltip {
    #[deref]
    view: View,
    /// What is under the pointer, and its place.
    #[rust]
    hovered: Option<(Rect, Hovered)>,
    #[rust]
    timer: Timer,
}

impl Widget for Tooltip {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, _scope: &mut Scope) {
        if self.timer.is_event(event).is_some() {
            self.show(cx);
        }
        // What scrolls away tells nobody that the pointer is no longer over it.
        if let (Event::Scroll(_) | Event::KeyDown(_), Some((_, Hovered::Text(_)))) = (event, &self.hovered) {
            self.hide(cx);
        }
        let Event::Actions(actions) = event else { return };
        for action in actions.iter().filter_map(|action| action.as_widget_action()) {
            match action.cast() {
                PushButtonAction::HoverIn(place) => {
                    self.hover(cx, place, Hovered::Button(action.widget().as_push_button()));
                }
                PushButtonAction::HoverOut | PushButtonAction::Clicked => self.hide(cx),
                PushButtonAction::None => (),
            }
            match action.cast() {
                TipAction::Show { place, text } => self.hover(cx, place, Hovered::Text(text)),
                TipAction::Hide => self.hide(cx),
                TipAction::None => (),
            }
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        // A button that a key took away tells nobody that the pointer is no longer over it.
        let hovered = self.hovered.as_ref().filter(|(_, hovered)| match hovered {
            Hovered::Button(button) => button.area().is_valid(cx),
            Hovered::Text(_) => true,
        });
        self.view
            .set_visible(cx, self.view.visible() && hovered.is_some());
        let tip = hovered.map(|(place, hovered)| match hovered {
            Hovered::Button(button) => (*place, button.tip()),
            Hovered::Text(text) => (*place, text.clone()),
        });
        if let Some((button, tip)) = tip {
            let label = self.view.text_line(id!(place.label));
            label.set_text(cx, &tip);
            let width = label.width_of_text(cx) + PADDING;
            let window = cx.peek_walk_turtle(walk).size;
            let place = placed(button, width, window);
            let mut walk = walk;
            walk.margin = Margin {
                left: place.x,
                top: place.y,
                ..Margin::default()
            };
            walk.width = Size::Fixed(width);
            walk.height = Size::Fixed(HEIGHT);
            return self.view.draw_walk(cx, scope, walk);
        }
        self.view.draw_walk(cx, scope, walk)
    }
}

impl Tooltip {
    fn hover(&mut self, cx: &mut Cx, place: Rect, hovered: Hovered) {
        self.hovered = Some((place, hovered));
        cx.stop_timer(self.timer);
        self.timer = cx.start_timeout(DELAY);
    }

    fn show(&mut self, cx: &mut Cx) {
        if self.hovered.is_some() {
            self.view.set_visible(cx, true);
            cx.redraw_all();
        }
    }

    fn hide(&mut self, cx: &mut Cx) {
        cx.stop_timer(self.timer);
        self.hovered = None;
        if self.view.visible() {
            self.view.set_visible(cx, false);
            cx.redraw_all();
        }
    }
}

/// Beside the rail's buttons, below all others, inside the window.
fn placed(button: Rect, width: f64, window: DVec2) -> DVec2 {
    let right = button.pos.x + button.size.x;
    let bottom = button.pos.y + button.size.y;
    let (x, y) = if right < shell::RAIL {
        (right + GAP, button.pos.y + (button.size.y - HEIGHT) / 2.0)
    } else if bottom + GAP + HEIGHT < window.y {
        (button.pos.x + (button.size.x - width) / 2.0, bottom + GAP)
    } else {
        (
            button.pos.x + (button.size.x - width) / 2.0,
            button.pos.y - GAP - HEIGHT,
        )
    };
    dvec2(x.min(window.x - width - EDGE).max(EDGE).floor(), y.floor())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_stays_inside_the_window_and_off_its_button() {
        let window = dvec2(1280.0, 800.0);
        let button = |x: f64, y: f64| Rect {
            pos: dvec2(x, y),
            size: dvec2(32.0, 32.0),
        };
        let cases = [
            (button(12.0, 60.0), dvec2(52.0, 63.0)),
            (button(400.0, 10.0), dvec2(366.0, 50.0)),
            (button(1240.0, 10.0), dvec2(1172.0, 50.0)),
            (button(400.0, 760.0), dvec2(366.0, 726.0)),
        ];
        for (button, expected) in cases {
            assert_eq!(placed(button, 100.0, window), expected);
        }
    }
}

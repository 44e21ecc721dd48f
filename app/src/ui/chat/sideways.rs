//! What is wider than its place scrolls sideways: by a wheel that turns so, by the wheel with Shift, and by the bar.

use makepad_widgets::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::widget::shape::*;

    pub Sideways = {{Sideways}} {
        draw_bar: {
            color: (COLOR_LINE_STRONG)
            fn pixel(self) -> vec4 {
                let shape = Shape::rounded(self.pos * self.rect_size, self.rect_size, 3.0, self.dpi_factor);
                return vec4(self.color.rgb * shape, shape);
            }
        }
    }
}

/// Height of the bar and the room that it takes below what scrolls, in pixels.
const BAR: f64 = 6.0;
pub(super) const ROOM: f64 = 10.0;
/// Least width of the bar, in pixels.
const LEAST: f64 = 32.0;

/// How far something is scrolled.
#[derive(Live, LiveHook, LiveRegister)]
pub struct Sideways {
    #[live]
    draw_bar: DrawColor,
    #[rust]
    offset: f64,
    /// Width of what scrolls, and of its place, in pixels.
    #[rust]
    content: f64,
    #[rust]
    place: f64,
    /// Where the bar was taken, and how far it was scrolled then.
    #[rust]
    taken: Option<(f64, f64)>,
}

impl Sideways {
    /// Notes the widths, and gives how far to draw to the left.
    pub(super) fn begin(&mut self, content: f64, place: f64) -> f64 {
        (self.content, self.place) = (content, place);
        self.offset = self.offset.clamp(0.0, self.most());
        self.offset
    }

    /// Whether there is more than fits.
    pub(super) fn is_needed(&self) -> bool {
        self.most() > 0.0
    }

    /// Draws the bar at the lower edge of a place.
    pub(super) fn draw(&mut self, cx: &mut Cx2d, place: Rect) {
        if self.is_needed() {
            let bar = self.bar();
            let pos = dvec2(place.pos.x + bar.0, place.pos.y + place.size.y - BAR);
            let size = dvec2(bar.1, BAR);
            self.draw_bar.draw_abs(cx, Rect { pos, size });
        }
    }

    /// Whether an event over this area scrolled it.
    pub(super) fn handle_event(&mut self, cx: &mut Cx, event: &Event, area: Area) -> bool {
        let before = self.offset;
        match event {
            Event::Scroll(scroll) if self.is_needed() && area.clipped_rect(cx).contains(scroll.abs) => {
                let by = if scroll.modifiers.shift {
                    scroll.scroll.y
                } else {
                    scroll.scroll.x
                };
                if by != 0.0 {
                    self.scroll_by(by);
                    scroll.handled_x.set(true);
                }
            }
            _ if self.is_needed() || self.taken.is_some() => match event.hits(cx, area) {
                Hit::FingerDown(finger) if finger.is_primary_hit() => {
                    let bottom = finger.rect.pos.y + finger.rect.size.y;
                    if finger.abs.y > bottom - ROOM {
                        self.taken = Some((finger.abs.x, self.offset));
                    }
                }
                Hit::FingerMove(finger) => {
                    if let Some((from, offset)) = self.taken {
                        let share = (finger.abs.x - from) / (self.place - self.bar().1).max(1.0);
                        self.offset = (offset + share * self.most()).clamp(0.0, self.most());
                    }
                }
                Hit::FingerUp(_) => self.taken = None,
                _ => (),
            },
            _ => (),
        }
        before != self.offset
    }

    fn scroll_by(&mut self, by: f64) {
        self.offset = (self.offset + by).clamp(0.0, self.most());
    }

    fn most(&self) -> f64 {
        (self.content - self.place).max(0.0)
    }

    /// Left edge and width of the bar.
    fn bar(&self) -> (f64, f64) {
        bar(self.offset, self.content, self.place)
    }
}

fn bar(offset: f64, content: f64, place: f64) -> (f64, f64) {
    let width = (place * place / content.max(1.0)).clamp(LEAST.min(place), place);
    let most = (content - place).max(1.0);
    ((place - width) * offset / most, width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_is_as_long_as_its_share_and_reaches_both_ends() {
        let cases = [
            ((0.0, 400.0, 200.0), (0.0, 100.0)),
            ((200.0, 400.0, 200.0), (100.0, 100.0)),
            ((100.0, 400.0, 200.0), (50.0, 100.0)),
            ((9_800.0, 10_000.0, 200.0), (168.0, 32.0)),
        ];
        for ((offset, content, place), expected) in cases {
            assert_eq!(bar(offset, content, place), expected);
        }
    }
}

//! What a block stands in: the lines of quotes, the bullets, numbers and boxes of items, and the space above.

use makepad_widgets::*;

use crate::state::blocks::{Block, Frame, Kind, Marker};

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::fonts::*;
    use crate::ui::widget::shape::*;

    pub Framed = {{Framed}} {
        width: Fill, height: Fit, flow: Down
        marker_top: 3.0
        draw_number: { color: (COLOR_TEXT_3), text_style: <FONT_MESSAGE> {} }
        draw_bullet: {
            color: (COLOR_TEXT_3)
            fn pixel(self) -> vec4 {
                let shape = Shape::rounded(self.pos * self.rect_size, self.rect_size, 2.0, self.dpi_factor);
                return vec4(self.color.rgb * shape, shape);
            }
        }
        draw_bar: {
            color: (COLOR_LINE_STRONG)
            fn pixel(self) -> vec4 { return vec4(self.color.rgb, 1.0); }
        }
        draw_box: {
            color: (COLOR_RAISED)
            instance on: 0.0
            uniform line: (COLOR_LINE_STRONG)
            uniform color_on: (COLOR_ACCENT)
            uniform color_mark: (COLOR_ON_ACCENT)
            // Share of this pixel that a stroke from `a` to `b` covers.
            fn stroke(self, point: vec2, a: vec2, b: vec2) -> float {
                let ab = b - a;
                let along = clamp(dot(point - a, ab) / dot(ab, ab), 0.0, 1.0);
                let distance = length(point - a - ab * along) - 0.8;
                return clamp(0.5 - distance * self.dpi_factor, 0.0, 1.0);
            }
            fn pixel(self) -> vec4 {
                let point = self.pos * self.rect_size;
                let fill = mix(self.color, self.color_on, self.on);
                let line = mix(self.line, self.color_on, self.on);
                let body = Shape::framed(point, self.rect_size, 4.0, fill, line, self.dpi_factor);
                let short = self.stroke(point, vec2(3.6, 7.4), vec2(6.0, 9.8));
                let long = self.stroke(point, vec2(6.0, 9.8), vec2(10.4, 4.6));
                return mix(body, vec4(self.color_mark.rgb, 1.0), max(short, long) * self.on);
            }
        }
    }
}

/// Room for a bullet, a number, a box and the line of a quote, in pixels.
const BULLET: f64 = 18.0;
const NUMBER: f64 = 24.0;
const BOX: f64 = 24.0;
const QUOTE: f64 = 16.0;
/// A number's room grows by this for each digit from the third sign on, in pixels.
const DIGIT: f64 = 8.0;
/// Frames that stand in; those deeper stand where the last of them does.
const DEEPEST: usize = 8;
/// Width of a quote's line, and size of a box and of a bullet, in pixels.
const BAR: f64 = 3.0;
const BOX_SIZE: f64 = 14.0;
const BULLET_SIZE: f64 = 4.0;

/// A block in its frames.
#[derive(Live, LiveHook, Widget)]
pub struct Framed {
    #[deref]
    view: View,
    #[live]
    draw_number: DrawText,
    #[live]
    draw_bullet: DrawColor,
    #[live]
    draw_bar: DrawColor,
    #[live]
    draw_box: DrawColor,
    /// From the top of the block to the top of the text of its marker, in pixels.
    #[live]
    marker_top: f64,
    #[rust]
    frames: Vec<Shown>,
    /// Space above, in pixels.
    #[rust]
    gap: f64,
}

/// A frame as it is shown.
#[derive(Debug, Clone, PartialEq)]
struct Shown {
    /// From the left edge, in pixels.
    left: f64,
    width: f64,
    part: Part,
}

#[derive(Debug, Clone, PartialEq)]
enum Part {
    /// The line of a quote; whether the block above stands in it, too.
    Quote(bool),
    Item(Option<Marker>),
}

impl Widget for Framed {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        self.view.handle_event(cx, event, scope);
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, scope: &mut Scope, walk: Walk) -> DrawStep {
        let indent = self.frames.last().map_or(0.0, |frame| frame.left + frame.width);
        let padding = Padding {
            left: indent,
            top: self.gap,
            ..Padding::default()
        };
        let layout = Layout {
            padding,
            ..Layout::flow_down()
        };
        cx.begin_turtle(walk, layout);
        let corner = cx.turtle().origin();
        self.view.draw_walk_all(cx, scope, Walk::fill_fit());
        let bottom = corner.y + cx.turtle().used().y;
        let frames = std::mem::take(&mut self.frames);
        for frame in &frames {
            self.draw_frame(cx, frame, corner, bottom);
        }
        self.frames = frames;
        cx.end_turtle();
        DrawStep::done()
    }
}

impl Framed {
    fn draw_frame(&mut self, cx: &mut Cx2d, frame: &Shown, corner: DVec2, bottom: f64) {
        let left = corner.x + frame.left;
        let top = corner.y + self.gap + self.marker_top;
        let square = |x: f64, y: f64, size: f64| Rect {
            pos: dvec2(x, y),
            size: dvec2(size, size),
        };
        match &frame.part {
            Part::Quote(goes_on) => {
                let from = corner.y + if *goes_on { 0.0 } else { self.gap };
                let pos = dvec2(left, from);
                let size = dvec2(BAR, bottom - from);
                self.draw_bar.draw_abs(cx, Rect { pos, size });
            }
            Part::Item(Some(Marker::Bullet)) => {
                self.draw_bullet
                    .draw_abs(cx, square(left + 5.0, top + 7.0, BULLET_SIZE));
            }
            Part::Item(Some(Marker::Number(number) | Marker::Note(number))) => {
                self.draw_number.draw_abs(cx, dvec2(left + 2.0, top), number);
            }
            Part::Item(Some(Marker::Task(done))) => {
                let on = f32::from(u8::from(*done));
                self.draw_box.draw_vars.set_var_instance(cx, id!(on), &[on]);
                self.draw_box
                    .draw_abs(cx, square(left + 2.0, top + 2.0, BOX_SIZE));
            }
            Part::Item(None) => (),
        }
    }
}

impl FramedRef {
    /// Puts a block into its frames; `above` is the block before it in the same text. What stands beside an answer stands
    /// behind a line, as a quote does.
    pub(super) fn set(&self, above: Option<&Block>, block: &Block, is_aside: bool) {
        if let Some(mut framed) = self.borrow_mut() {
            let line = is_aside.then(|| Part::Quote(above.is_some()));
            framed.frames = shown(line, above, block);
            framed.gap = gap(above, block);
        }
    }
}

/// Where each frame stands, within an outer one where there is one.
fn shown(outer: Option<Part>, above: Option<&Block>, block: &Block) -> Vec<Shown> {
    let outer = outer.map(|part| Shown {
        left: 0.0,
        width: QUOTE,
        part,
    });
    let mut left = outer.as_ref().map_or(0.0, |outer| outer.width);
    let mut frames: Vec<_> = outer.into_iter().collect();
    for (index, frame) in block.frames.iter().enumerate().take(DEEPEST) {
        let (width, part) = match frame {
            Frame::Quote => (
                QUOTE,
                Part::Quote(above.is_some_and(|above| shares(above, block, index))),
            ),
            Frame::Item { marker, first } => (room(marker), Part::Item(first.then(|| marker.clone()))),
        };
        frames.push(Shown { left, width, part });
        left += width;
    }
    frames
}

/// Room for a marker, in pixels.
fn room(marker: &Marker) -> f64 {
    match marker {
        Marker::Bullet => BULLET,
        Marker::Number(number) => NUMBER + DIGIT * number.chars().count().saturating_sub(2) as f64,
        Marker::Task(_) => BOX,
        Marker::Note(_) => NUMBER,
    }
}

/// Whether two blocks stand in the same frames up to this one.
fn shares(above: &Block, block: &Block, index: usize) -> bool {
    let is_same = |(one, other): (&Frame, &Frame)| {
        matches!(
            (one, other),
            (Frame::Quote, Frame::Quote) | (Frame::Item { .. }, Frame::Item { first: false, .. })
        )
    };
    above.frames.len() > index
        && above
            .frames
            .iter()
            .zip(&block.frames)
            .take(index + 1)
            .all(is_same)
}

/// Space above a block, in pixels.
fn gap(above: Option<&Block>, block: &Block) -> f64 {
    let is_item = |block: &Block| matches!(block.frames.last(), Some(Frame::Item { .. }));
    let begins_item = matches!(block.frames.last(), Some(Frame::Item { first: true, .. }));
    let is_text = |block: &Block| matches!(block.kind, Kind::Paragraph(_));
    match (&block.kind, above) {
        (Kind::Heading { .. }, _) => 14.0,
        (Kind::Code { .. } | Kind::Table(_) | Kind::Picture { .. }, _) => 10.0,
        (Kind::Rule, _) => 14.0,
        (_, Some(above)) if begins_item && is_text(block) && is_text(above) && is_item(above) => 0.0,
        (_, _) if begins_item => 6.0,
        (_, Some(above)) if matches!(above.kind, Kind::Heading { .. }) => 2.0,
        (_, Some(above)) if matches!(above.kind, Kind::Rule) => 14.0,
        _ => 8.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::blocks::Blocks;

    #[test]
    fn frames_stand_in_from_the_outside() {
        let blocks = Blocks::new("> a\n>\n> 10. b\n>\n>     c\n\nd");
        let blocks = blocks.all();
        let places: Vec<Vec<_>> = (0..blocks.len())
            .map(|index| {
                let above = index.checked_sub(1).map(|above| &blocks[above]);
                let frames = shown(None, above, &blocks[index]);
                frames
                    .iter()
                    .map(|frame| (frame.left, frame.part.clone()))
                    .collect()
            })
            .collect();
        let number = || Part::Item(Some(Marker::Number("10.".into())));
        assert_eq!(
            places,
            [
                vec![(0.0, Part::Quote(false))],
                vec![(0.0, Part::Quote(true)), (QUOTE, number())],
                vec![(0.0, Part::Quote(true)), (QUOTE, Part::Item(None))],
                vec![],
            ]
        );
    }

    #[test]
    fn items_stand_closer_than_paragraphs() {
        let cases = [
            ("a\n\nb", 8.0),
            ("a\n- b", 6.0),
            ("- a\n- b", 0.0),
            ("# a\nb", 2.0),
            ("a\n```\nb", 10.0),
            ("a\n\n---", 14.0),
        ];
        for (text, expected) in cases {
            let blocks = Blocks::new(text);
            assert_eq!(gap(blocks.all().first(), &blocks.all()[1]), expected, "{text}");
        }
    }
}

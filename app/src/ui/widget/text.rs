//! One line of text, cut with an ellipsis where its place is too narrow, and text that wraps.

use makepad_widgets::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::fonts::*;

    TextLineBase = {{TextLine}} {}
    pub TextLine = <TextLineBase> {
        width: Fit, height: Fit, line: 20.0
        draw_text: { color: (COLOR_TEXT), text_style: <FONT_BODY> {} }
    }
    pub Strong = <TextLine> { draw_text: { text_style: <FONT_LABEL> {} } }
    pub Small = <TextLine> {
        line: 16.0
        draw_text: { color: (COLOR_TEXT_2), text_style: <FONT_SMALL> {} }
    }
    pub Caption = <Small> { draw_text: { color: (COLOR_TEXT_3) } }
    pub Micro = <TextLine> {
        line: 16.0
        draw_text: { color: (COLOR_TEXT_3), text_style: <FONT_MICRO> {} }
    }
    pub GroupTitle = <Micro> { draw_text: { text_style: <FONT_MICRO_BOLD> {} } }
    pub Heading = <TextLine> { line: 24.0, draw_text: { text_style: <FONT_HEADING> {} } }
    pub Display = <TextLine> { line: 36.0, draw_text: { text_style: <FONT_DISPLAY> {} } }

    // Wraps in the width it is given.
    pub TextBlock = <Label> {
        width: Fill, height: Fit, padding: 0
        draw_text: { color: (COLOR_TEXT_2), text_style: <FONT_BODY> {} }
    }
}

/// One line of text.
#[derive(Live, LiveHook, Widget)]
pub struct TextLine {
    #[live]
    draw_text: DrawText,
    #[live(true)]
    #[visible]
    visible: bool,
    #[walk]
    walk: Walk,
    /// 0 aligns to the left, 1 to the right.
    #[live]
    align_x: f64,
    /// Least height in pixels.
    #[live]
    line: f64,
    /// Widest it may become where its width follows its text, in pixels; 0 sets no limit.
    #[live]
    max_width: f64,
    /// Cuts in the middle, so that a path keeps its end, instead of at the end.
    #[live]
    cut_middle: bool,
    #[live]
    text: ArcStringMut,
    #[redraw]
    #[area]
    #[rust]
    area: Area,
    /// The text as it was cut last, and the width it was cut to.
    #[rust]
    shortened: Option<(f64, String)>,
}

impl Widget for TextLine {
    fn handle_event(&mut self, _cx: &mut Cx, _event: &Event, _scope: &mut Scope) {}

    fn draw_walk(&mut self, cx: &mut Cx2d, _scope: &mut Scope, walk: Walk) -> DrawStep {
        let text = self.text.as_ref();
        if text.is_empty() {
            // The toolkit takes the size of contents that are not there for no number, and puts what follows nowhere.
            let size = |size: Size, empty| if size.is_fit() { Size::Fixed(empty) } else { size };
            let empty = Walk {
                width: size(walk.width, 0.0),
                height: size(walk.height, self.line),
                ..walk
            };
            cx.walk_turtle_with_area(&mut self.area, empty);
            return DrawStep::done();
        }
        let place = cx.peek_walk_turtle(walk).size;
        let full = self
            .draw_text
            .layout(cx, 0.0, 0.0, None, false, Align::default(), text);
        let (full_width, text_height) = (full.size_in_lpxs.width as f64, full.size_in_lpxs.height as f64);
        let width = if !walk.width.is_fit() && !place.x.is_nan() {
            place.x
        } else if self.max_width > 0.0 {
            full_width.min(self.max_width)
        } else {
            full_width
        };
        let height = if walk.height.is_fit() || place.y.is_nan() {
            text_height.max(self.line)
        } else {
            place.y
        };
        let fits = full_width <= width + 0.5;
        if !fits && self.shortened.as_ref().is_none_or(|(cut_to, _)| *cut_to != width) {
            self.shortened = Some((width, shorten(&self.draw_text, cx, text, width, self.cut_middle)));
        }
        let shown = match &self.shortened {
            Some((_, shortened)) if !fits => shortened,
            _ => text,
        };
        let shown_width = if fits {
            full_width
        } else {
            measure(&self.draw_text, cx, shown)
        };
        let size = Walk {
            width: Size::Fixed(width),
            height: Size::Fixed(height),
            ..walk
        };
        cx.begin_turtle(size, Layout::default());
        let origin = cx.turtle().pos();
        let place = dvec2(
            origin.x + ((width - shown_width) * self.align_x).max(0.0).floor(),
            origin.y + ((height - text_height) * 0.5).floor(),
        );
        if !shown.is_empty() {
            self.draw_text.draw_abs(cx, place, shown);
        }
        cx.end_turtle_with_area(&mut self.area);
        DrawStep::done()
    }

    fn text(&self) -> String {
        self.text.as_ref().to_owned()
    }

    /// Does not ask for a redraw: texts are set while the window is drawn.
    fn set_text(&mut self, _cx: &mut Cx, text: &str) {
        let text = text.replace('\n', " ");
        if *self.text.as_ref() != text {
            self.text.as_mut_empty().push_str(&text);
            self.shortened = None;
        }
    }
}

impl TextLineRef {
    /// Sets the widest it may become where its width follows its text, in pixels.
    pub fn set_max_width(&self, width: f64) {
        if let Some(mut line) = self.borrow_mut() {
            line.max_width = width;
        }
    }

    /// Width of the whole text, in pixels.
    pub fn width_of_text(&self, cx: &mut Cx) -> f64 {
        self.borrow()
            .map_or(0.0, |line| measure(&line.draw_text, cx, line.text.as_ref()))
    }
}

/// Width of one line of text in this style, in pixels.
pub fn measure(style: &DrawText, cx: &mut Cx, text: &str) -> f64 {
    if text.is_empty() {
        return 0.0;
    }
    style
        .layout(cx, 0.0, 0.0, None, false, Align::default(), text)
        .size_in_lpxs
        .width as f64
}

/// The longest part of a text that fits `width` with an ellipsis.
fn shorten(style: &DrawText, cx: &mut Cx, text: &str, width: f64, middle: bool) -> String {
    let chars: Vec<char> = text.chars().collect();
    let keep = |count: usize| -> String {
        if middle {
            let (head, tail) = (&chars[..count - count / 2], &chars[chars.len() - count / 2..]);
            format!("{}…{}", String::from_iter(head), String::from_iter(tail))
        } else {
            format!("{}…", String::from_iter(&chars[..count]).trim_end())
        }
    };
    let (mut low, mut high) = (0, chars.len());
    while low < high {
        let middle = (low + high).div_ceil(2);
        if measure(style, cx, &keep(middle)) <= width {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    keep(low)
}

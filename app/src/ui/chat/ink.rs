//! Draws lines of styled text: the fonts and colours of each look, pills under code, lines under links.

use makepad_widgets::*;

use super::lines::{self, Line, PILL_PADDING, Piece};
use crate::msg::Msg;
use crate::state::blocks::{Face, Inline, Look, Raised, hidden};
use crate::ui::overlay::tooltip::TipAction;
use crate::ui::widget::text::measure;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::fonts::*;
    use crate::ui::text_size::*;
    use crate::ui::widget::shape::*;

    pub Ink = {{Ink}} {
        regular: { text_style: <FONT_MESSAGE> {} }
        bold: { text_style: <FONT_MESSAGE_BOLD> {} }
        italic: { text_style: <FONT_MESSAGE_ITALIC> {} }
        bold_italic: { text_style: <FONT_MESSAGE_BOLD_ITALIC> {} }
        code: { text_style: <FONT_MESSAGE_CODE> {} }
        raised: { text_style: <FONT_RAISED> {} }
        pill: {
            fn pixel(self) -> vec4 {
                let shape = Shape::rounded(self.pos * self.rect_size, self.rect_size, 4.0, self.dpi_factor);
                return vec4(self.color.rgb * shape, shape);
            }
        }
        rule: { fn pixel(self) -> vec4 { return vec4(self.color.rgb, 1.0); } }
        color: (COLOR_TEXT)
        color_link: (COLOR_ACCENT_TEXT)
        color_pill: (COLOR_HOVER)
        color_hidden: (COLOR_WARN)
        color_hidden_pill: (COLOR_WARN_SOFT)
        scale: (TEXT_SCALE)
        text_top: 3.0, raise: 3.5, lower: 7.0
    }
    pub FormulaInk = <Ink> {
        regular: { text_style: <FONT_FORMULA> {} }
        bold: { text_style: <FONT_FORMULA_BOLD> {} }
        italic: { text_style: <FONT_FORMULA_ITALIC> {} }
        bold_italic: { text_style: <FONT_FORMULA_ITALIC> {} }
        raised: { text_style: <FONT_FORMULA_RAISED> {} }
        text_top: 4.0, raise: 3.5, lower: 9.0
    }
}

/// From the top of the text to the top of inline code and of its pill, in pixels.
const CODE_TOP: f64 = 2.0;
const PILL_TOP: f64 = -1.0;
/// Height of a pill, in pixels.
const PILL: f64 = 18.0;
/// From the top of the text to the line through it and to the line under it, in pixels.
const STRIKE: f64 = 9.0;
const UNDERLINE: f64 = 15.0;
/// Most characters of an address in its tooltip.
const LONGEST_TIP: usize = 90;

/// Fonts and colours of styled text.
#[derive(Live, LiveHook, LiveRegister)]
pub struct Ink {
    #[live]
    regular: DrawText,
    #[live]
    bold: DrawText,
    #[live]
    italic: DrawText,
    #[live]
    bold_italic: DrawText,
    #[live]
    code: DrawText,
    #[live]
    raised: DrawText,
    #[live]
    pill: DrawColor,
    #[live]
    rule: DrawColor,
    #[live]
    color: Vec4,
    #[live]
    color_link: Vec4,
    #[live]
    color_pill: Vec4,
    #[live]
    color_hidden: Vec4,
    #[live]
    color_hidden_pill: Vec4,
    /// What the sizes below and the constants above are multiplied by: they are those of the usual text.
    #[live(1.0)]
    scale: f64,
    /// From the top of a line to the top of its text, in pixels.
    #[live]
    text_top: f64,
    /// What small text stands above and below the top of the text beside it, in pixels.
    #[live]
    raise: f64,
    #[live]
    lower: f64,
}

impl Ink {
    /// Breaks text into lines of at most this width in pixels.
    pub(super) fn lines(&mut self, cx: &mut Cx, text: &Inline, width: f64) -> Vec<Line> {
        lines::lines(&text.spans, width, |look, text| {
            measure(self.style(look), cx, text)
        })
    }

    /// Makes room for the pills in the order of drawing, so that they lie under what is drawn from now on.
    pub(super) fn begin(&mut self, cx: &mut Cx2d) {
        self.pill.append_to_draw_call(cx);
    }

    /// Draws a line into a place; its links count from `first_link` on.
    pub(super) fn draw(
        &mut self,
        cx: &mut Cx2d,
        line: &Line,
        place: Rect,
        first_link: u16,
        links: &mut Links,
    ) {
        let corner = place.pos;
        let pen = corner + dvec2(0.0, self.text_top);
        for piece in line {
            self.draw_piece(cx, piece, pen);
            if let Some(link) = piece.look.link {
                let place = Rect {
                    pos: corner + dvec2(piece.left, 0.0),
                    size: dvec2(piece.width, place.size.y),
                };
                links.put(cx, first_link.saturating_add(link), place);
            }
        }
    }

    fn draw_piece(&mut self, cx: &mut Cx2d, piece: &Piece, pen: DVec2) {
        let look = piece.look;
        let color = match look {
            Look {
                face: Face::Hidden, ..
            } => self.color_hidden,
            Look { link: Some(_), .. } => self.color_link,
            _ => self.color,
        };
        let top = match (look.face, look.raised) {
            (Face::Code | Face::Hidden, _) => CODE_TOP,
            (Face::Text, Raised::Level) => 0.0,
            (Face::Text, Raised::Up) => -self.raise,
            (Face::Text, Raised::Down) => self.lower,
        } * self.scale;
        if look.face != Face::Text {
            self.pill.color = if look.face == Face::Hidden {
                self.color_hidden_pill
            } else {
                self.color_pill
            };
            let pos = pen + dvec2(piece.left - PILL_PADDING, PILL_TOP * self.scale);
            let size = dvec2(piece.width + 2.0 * PILL_PADDING, PILL * self.scale);
            self.pill.draw_abs(cx, Rect { pos, size });
        }
        let style = self.style(look);
        style.color = color;
        style.draw_abs(cx, pen + dvec2(piece.left, top), &piece.text);
        let lines = [(look.strike, STRIKE), (look.link.is_some(), UNDERLINE)];
        for (_, down) in lines.into_iter().filter(|(drawn, _)| *drawn) {
            self.rule.color = color;
            let pos = pen + dvec2(piece.left, down * self.scale);
            let size = dvec2(piece.width, 1.0);
            self.rule.draw_abs(cx, Rect { pos, size });
        }
    }

    fn style(&mut self, look: Look) -> &mut DrawText {
        match (look.face, look.raised, look.bold, look.italic) {
            (Face::Code | Face::Hidden, ..) => &mut self.code,
            (_, Raised::Up | Raised::Down, ..) => &mut self.raised,
            (_, _, true, true) => &mut self.bold_italic,
            (_, _, true, false) => &mut self.bold,
            (_, _, false, true) => &mut self.italic,
            (_, _, false, false) => &mut self.regular,
        }
    }
}

/// The places of the links in a text as it was drawn last.
#[derive(Debug, Default)]
pub(super) struct Links {
    places: Vec<(Area, u16)>,
    count: usize,
}

impl Links {
    /// Forgets them before they are drawn anew.
    pub(super) fn begin(&mut self) {
        self.count = 0;
    }

    fn put(&mut self, cx: &mut Cx2d, link: u16, place: Rect) {
        if self.count == self.places.len() {
            self.places.push((Area::Empty, link));
        }
        let (area, of) = &mut self.places[self.count];
        *of = link;
        cx.add_aligned_rect_area(area, place);
        self.count += 1;
    }

    /// Follows the pointer: the hand and the address over a link, and a click on it.
    pub(super) fn handle_event(
        &self,
        cx: &mut Cx,
        event: &Event,
        scope: &Scope,
        uid: WidgetUid,
        text: &[&Inline],
    ) {
        for (area, link) in &self.places[..self.count] {
            let address = || address(text, *link);
            match event.hits(cx, *area) {
                Hit::FingerHoverIn(finger) => {
                    cx.set_cursor(MouseCursor::Hand);
                    let text = tip(address());
                    let place = finger.rect;
                    cx.widget_action(uid, &scope.path, TipAction::Show { place, text });
                }
                Hit::FingerHoverOut(_) => cx.widget_action(uid, &scope.path, TipAction::Hide),
                Hit::FingerUp(finger) if finger.is_primary_hit() && finger.is_over => {
                    cx.widget_action(uid, &scope.path, TipAction::Hide);
                    cx.action(Msg::FollowLink(address().to_owned()));
                }
                _ => (),
            }
        }
    }

    /// Where each is, for tests: its place in the text and its area.
    #[cfg(feature = "probe")]
    pub(super) fn areas(&self) -> Vec<Area> {
        self.places[..self.count].iter().map(|(area, _)| *area).collect()
    }
}

/// The address of a link whose number counts through several texts.
fn address<'a>(texts: &[&'a Inline], link: u16) -> &'a str {
    let mut link = usize::from(link);
    for text in texts {
        match text.links.get(link) {
            Some(address) => return address,
            None => link -= text.links.len(),
        }
    }
    ""
}

/// An address as its tooltip shows it: with its hidden characters by name, and not too long.
fn tip(address: &str) -> String {
    let shown: Vec<char> = hidden::shown(address).chars().collect();
    if shown.len() <= LONGEST_TIP {
        return shown.into_iter().collect();
    }
    let half = LONGEST_TIP / 2;
    let ends = [&shown[..half], &shown[shown.len() - half..]];
    ends.map(String::from_iter).join("…")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_address_keeps_its_ends_and_shows_what_hides() {
        assert_eq!(tip("https://a.example/\u{202e}x"), "https://a.example/[U+202E]x");
        let long = format!("https://a.example/{}/end", "x".repeat(200));
        let shown = tip(&long);
        assert_eq!(shown.chars().count(), LONGEST_TIP + 1);
        assert!(
            shown.starts_with("https://a.example/") && shown.ends_with("/end"),
            "{shown}"
        );
    }
}

//! A table: columns as wide as their texts, up to a width at which these wrap. One that is wider than its place scrolls
//! sideways.

use makepad_widgets::*;

use super::ink::{Ink, Links};
use super::lines::{self, Line};
use super::sideways::{ROOM, Sideways};
use super::tall::Tall;
use crate::state::blocks::{Inline, Side, Table};

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::fonts::*;
    use crate::ui::text_size::*;
    use crate::ui::widget::shape::*;
    use crate::ui::chat::ink::*;
    use crate::ui::chat::sideways::*;

    pub TableText = {{TableText}} {
        width: Fill, height: Fit
        line: (LINE_CELL)
        ink: <Ink> {
            regular: { text_style: <FONT_CELL> {} }
            bold: { text_style: <FONT_CELL_BOLD> {} }
            italic: { text_style: <FONT_CELL_ITALIC> {} }
            bold_italic: { text_style: <FONT_CELL_ITALIC> {} }
            code: { text_style: <FONT_CELL_CODE> {} }
            text_top: 2.0
        }
        head_ink: <Ink> {
            regular: { text_style: <FONT_CELL_HEAD> {} }
            bold: { text_style: <FONT_CELL_HEAD> {} }
            italic: { text_style: <FONT_CELL_HEAD> {} }
            bold_italic: { text_style: <FONT_CELL_HEAD> {} }
            code: { text_style: <FONT_CELL_CODE> {} }
            color: (COLOR_TEXT_2)
            text_top: 2.0
        }
        sideways: <Sideways> {}
        draw_frame: {
            instance head: 32.0
            color: (COLOR_CANVAS)
            uniform color_head: (COLOR_INSET)
            uniform line: (COLOR_LINE)
            fn pixel(self) -> vec4 {
                let point = self.pos * self.rect_size;
                let fill = mix(self.color_head, self.color, step(self.head, point.y));
                return Shape::framed(point, self.rect_size, 10.0, fill, self.line, self.dpi_factor);
            }
        }
        draw_line: {
            color: (COLOR_LINE_SUBTLE)
            fn pixel(self) -> vec4 { return vec4(self.color.rgb, 1.0); }
        }
    }
}

/// Space above and below the lines of a row, in pixels.
const ABOVE: f64 = 5.0;
/// Space left and right of each cell, in pixels.
const BESIDE: f64 = 12.0;
/// Widest a column becomes before its cells wrap, and the least it is given, in pixels.
const WIDEST: f64 = 300.0;
const LEAST: f64 = 24.0;

/// A table of a message.
#[derive(Live, Widget)]
pub struct TableText {
    #[live]
    ink: Ink,
    #[live]
    head_ink: Ink,
    /// Height of a line of text, in pixels.
    #[live]
    line: f64,
    #[live]
    sideways: Sideways,
    #[live]
    draw_frame: DrawColor,
    #[live]
    draw_line: DrawColor,
    #[walk]
    walk: Walk,
    #[rust]
    table: Table,
    /// The rows, the head first, and the width they were laid out for.
    #[rust]
    rows: Vec<Row>,
    /// Left edge and width of each column, in pixels.
    #[rust]
    columns: Vec<(f64, f64)>,
    #[rust]
    laid_out_to: f64,
    #[rust]
    links: Links,
    #[redraw]
    #[area]
    #[rust]
    area: Area,
}

/// A row as it is laid out.
#[derive(Debug, Default)]
struct Row {
    cells: Vec<Vec<Line>>,
    top: f64,
    height: f64,
}

impl LiveHook for TableText {
    /// Another size of text breaks into other lines.
    fn after_apply(&mut self, _cx: &mut Cx, _apply: &mut Apply, _index: usize, _nodes: &[LiveNode]) {
        self.laid_out_to = 0.0;
    }
}

impl Widget for TableText {
    fn handle_event(&mut self, cx: &mut Cx, event: &Event, scope: &mut Scope) {
        let uid = self.widget_uid();
        let cells: Vec<&Inline> = self
            .table
            .head
            .iter()
            .chain(self.table.rows.iter().flatten())
            .collect();
        self.links.handle_event(cx, event, scope, uid, &cells);
        if self.sideways.handle_event(cx, event, self.area) {
            self.redraw(cx);
        }
    }

    fn draw_walk(&mut self, cx: &mut Cx2d, _scope: &mut Scope, walk: Walk) -> DrawStep {
        let width = cx.peek_walk_turtle(walk).size.x;
        if self.laid_out_to != width {
            self.laid_out_to = width;
            self.lay_out(cx, width);
        }
        let content = self
            .columns
            .last()
            .map_or(0.0, |(left, width)| left + width + BESIDE);
        let shift = self.sideways.begin(content + 2.0, width);
        let bar = if self.sideways.is_needed() { ROOM } else { 0.0 };
        let height = self.rows.last().map_or(0.0, |row| row.top + row.height) + 2.0;
        let size = Walk {
            height: Size::Fixed(height + bar),
            ..walk
        };
        cx.begin_turtle(size, Layout::default());
        let mut place = cx.turtle().rect();
        let whole = place;
        place.size.y = height;
        let head = self.rows.first().map_or(0.0, |row| row.height as f32 + 1.0);
        self.draw_frame.draw_vars.set_var_instance(cx, id!(head), &[head]);
        self.draw_frame.draw_abs(cx, place);
        // What is scrolled out ends at the frame.
        let inside = Walk {
            abs_pos: Some(place.pos + dvec2(1.0, 1.0)),
            width: Size::Fixed(width - 2.0),
            height: Size::Fixed(height - 2.0),
            ..Walk::default()
        };
        cx.begin_turtle(inside, Layout::default());
        self.draw_rows(cx, Tall::new(cx, place), shift);
        cx.end_turtle();
        self.sideways.draw(cx, whole);
        cx.end_turtle_with_area(&mut self.area);
        DrawStep::done()
    }

    fn text(&self) -> String {
        let cells = |row: &Vec<Inline>| row.iter().map(Inline::text).collect::<Vec<_>>().join("\t");
        let rows = std::iter::once(&self.table.head).chain(&self.table.rows);
        rows.map(cells).collect::<Vec<_>>().join("\n")
    }
}

impl TableText {
    fn draw_rows(&mut self, cx: &mut Cx2d, tall: Tall, shift: f64) {
        let corner = cx.turtle().pos();
        let width = cx.turtle().rect().size.x;
        self.links.begin();
        self.ink.begin(cx);
        self.head_ink.begin(cx);
        let mut first_link = 0;
        for (index, row) in self.rows.iter().enumerate() {
            let cells = if index == 0 {
                &self.table.head
            } else {
                &self.table.rows[index - 1]
            };
            let seen = tall.shows(row.top, row.top + row.height);
            if seen && index > 0 {
                let pos = corner + dvec2(0.0, row.top);
                let size = dvec2(width, 1.0);
                self.draw_line.draw_abs(cx, Rect { pos, size });
            }
            for (column, lines) in row.cells.iter().enumerate() {
                let (left, width) = self.columns[column];
                let side = self.table.columns.get(column).copied().unwrap_or_default();
                let mut top = row.top + ABOVE + 1.0;
                for line in lines.iter().filter(|_| seen) {
                    let left = left + room_before(side, width - lines::end(line)) - shift;
                    let place = Rect {
                        pos: corner + dvec2(left, top),
                        size: dvec2(width, self.line),
                    };
                    let ink = if index == 0 {
                        &mut self.head_ink
                    } else {
                        &mut self.ink
                    };
                    ink.draw(cx, line, place, first_link, &mut self.links);
                    top += self.line;
                }
                let links = cells.get(column).map_or(0, |cell| cell.links.len());
                first_link = first_link.saturating_add(u16::try_from(links).unwrap_or(u16::MAX));
            }
        }
    }

    fn lay_out(&mut self, cx: &mut Cx, width: f64) {
        let count = self.table.columns.len();
        let mut natural = vec![LEAST; count];
        let table = &self.table;
        for (index, row) in std::iter::once(&table.head).chain(&table.rows).enumerate() {
            let ink = if index == 0 {
                &mut self.head_ink
            } else {
                &mut self.ink
            };
            for (column, cell) in row.iter().enumerate().take(count) {
                let lines = ink.lines(cx, cell, f64::INFINITY);
                let widest = lines.iter().map(lines::end).fold(0.0, f64::max);
                natural[column] = natural[column].max(widest.ceil());
            }
        }
        self.columns = columns(&natural, width - 2.0);
        let mut top = 0.0;
        self.rows.clear();
        for (index, row) in std::iter::once(&table.head).chain(&table.rows).enumerate() {
            let ink = if index == 0 {
                &mut self.head_ink
            } else {
                &mut self.ink
            };
            let cells: Vec<_> = row
                .iter()
                .zip(&self.columns)
                .map(|(cell, (_, width))| ink.lines(cx, cell, *width))
                .collect();
            let lines = cells.iter().map(Vec::len).max().unwrap_or(1).max(1);
            // The line above a row is in its room; the head has one below it.
            let height = lines as f64 * self.line + 2.0 * ABOVE + if index == 0 { 1.0 } else { 0.0 };
            self.rows.push(Row { cells, top, height });
            top += height;
        }
    }
}

impl TableTextRef {
    /// Shows this table. Does not ask for a redraw: texts are set while the window is drawn.
    pub(super) fn set(&self, table: &Table) {
        if let Some(mut shown) = self.borrow_mut()
            && shown.table != *table
        {
            table.clone_into(&mut shown.table);
            shown.laid_out_to = 0.0;
        }
    }

    /// Where its links are, for tests.
    #[cfg(feature = "probe")]
    pub(super) fn links(&self) -> Vec<Area> {
        self.borrow().map_or_else(Vec::new, |table| table.links.areas())
    }
}

/// Left edge and width of each column: as wide as its text; narrower ones share what is left of the place, and wide ones
/// give way as long as they are wider than [`WIDEST`].
fn columns(natural: &[f64], place: f64) -> Vec<(f64, f64)> {
    let count = natural.len() as f64;
    let room = place - 2.0 * BESIDE * count;
    let mut widths: Vec<f64> = natural.to_vec();
    let too_wide = widths.iter().sum::<f64>() - room;
    if too_wide > 0.0 {
        // The widest give first, down to a width that still reads well.
        let over: f64 = widths
            .iter()
            .map(|width| (width - WIDEST.min(*width)).max(0.0))
            .sum();
        let give = (too_wide / over.max(1.0)).min(1.0);
        for width in &mut widths {
            *width -= ((*width - WIDEST).max(0.0) * give).ceil();
        }
    } else {
        let equal = (room / count.max(1.0)).floor();
        let fits = widths.iter().all(|width| *width <= equal);
        for width in &mut widths {
            *width = if fits {
                equal
            } else {
                (*width - too_wide / count.max(1.0)).floor()
            };
        }
    }
    let mut left = 0.0;
    widths
        .into_iter()
        .map(|width| {
            let column = (left + BESIDE, width);
            left += width + 2.0 * BESIDE;
            column
        })
        .collect()
}

/// Space before a text that is this much narrower than its column.
fn room_before(side: Side, room: f64) -> f64 {
    match side {
        Side::Left => 0.0,
        Side::Middle => (room / 2.0).max(0.0).floor(),
        Side::Right => room.max(0.0).floor(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_share_the_place_and_wide_ones_give_way() {
        let widths = |natural: &[f64], place: f64| {
            let columns = columns(natural, place);
            columns.iter().map(|(_, width)| *width).collect::<Vec<_>>()
        };
        // All alike where each fits its share.
        assert_eq!(widths(&[40.0, 60.0], 248.0), [100.0, 100.0]);
        // What is left goes to all where one is wider than that.
        assert_eq!(widths(&[40.0, 140.0], 248.0), [50.0, 150.0]);
        // Texts that are too long wrap.
        assert_eq!(widths(&[40.0, 800.0], 448.0), [40.0, 360.0]);
        // What cannot give way scrolls.
        assert_eq!(widths(&[200.0, 300.0, 250.0], 448.0), [200.0, 300.0, 250.0]);
    }

    #[test]
    fn cells_stand_at_their_side() {
        assert_eq!(room_before(Side::Left, 30.0), 0.0);
        assert_eq!(room_before(Side::Middle, 31.0), 15.0);
        assert_eq!(room_before(Side::Right, 31.5), 31.0);
        assert_eq!(room_before(Side::Right, -3.0), 0.0);
    }
}

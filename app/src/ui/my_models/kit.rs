//! What the parts of the page share: how rows of the table look, cells, and how a message is sent.

use makepad_widgets::*;

use crate::msg::Msg;
use crate::msg::my_models::MyModelsMsg;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::fonts::*;
    use crate::ui::icons::*;
    use crate::ui::widget::shape::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::icon::*;
    use crate::ui::widget::button::*;
    use crate::ui::widget::row::*;

    pub Cell = <TextLine> { draw_text: { color: (COLOR_TEXT_2) } }
    pub CodeCell = <Cell> { draw_text: { text_style: <FONT_CODE_SMALL> {} } }

    // A part of the card of the table: its lines at both sides, and one below.
    pub TableRow = <Row> {
        height: 40, margin: { left: 24, right: 24 }
        padding: { left: 17, right: 9 }, spacing: 12
        draw_bg: {
            uniform line: (COLOR_LINE_SUBTLE)
            color: (COLOR_RAISED)
            fn pixel(self) -> vec4 {
                let point = self.pos * self.rect_size;
                let size = self.rect_size;
                let hovered = mix(self.color.rgb, self.color_hover.rgb, self.hover);
                let fill = mix(hovered, self.color_on.rgb, self.on);
                let side = max(step(point.x, 1.0), step(size.x - 1.0, point.x));
                let edge = max(side, step(size.y - 1.0, point.y));
                let body = mix(fill, self.line.rgb, edge);
                let band = Shape::band(point, size, 4.0, -3.0, -1.0, self.dpi_factor);
                return vec4(mix(body, self.color_ring.rgb, band * self.ring), 1.0);
            }
        }
    }
    pub BadTableRow = <TableRow> {
        height: 60
        draw_bg: { color: (COLOR_BAD_SOFT), color_hover: (COLOR_BAD_SOFT) }
    }
    // The upper and the lower end of the card.
    pub TableHead = <View> {
        width: Fill, height: 34, flow: Right
        margin: { left: 24, right: 24 }, padding: { left: 17, right: 9 }, spacing: 12, align: { y: 0.5 }
        show_bg: true
        draw_bg: {
            color: (COLOR_RAISED)
            uniform line: (COLOR_LINE_SUBTLE)
            fn pixel(self) -> vec4 {
                let size = self.rect_size;
                let point = self.pos * size;
                let card = Shape::framed(
                    point, vec2(size.x, size.y + 20.0), 12.0, self.color, self.line, self.dpi_factor
                );
                let edge = step(size.y - 1.0, point.y);
                return mix(card, vec4(self.line.rgb, 1.0), edge);
            }
        }
    }
    pub TableFoot = <View> {
        width: Fill, height: 12
        margin: { left: 24, right: 24 }
        show_bg: true
        draw_bg: {
            color: (COLOR_RAISED)
            uniform line: (COLOR_LINE_SUBTLE)
            fn pixel(self) -> vec4 {
                let size = self.rect_size;
                let point = self.pos * size + vec2(0.0, 20.0);
                return Shape::framed(
                    point, vec2(size.x, size.y + 20.0), 12.0, self.color, self.line, self.dpi_factor
                );
            }
        }
    }
    pub HeadButton = <QuietButton> {
        height: 24, padding: 0, spacing: 4
        align: { x: 0.0, y: 0.5 }
        draw_bg: { radius: 4.0, color_hover: (COLOR_NONE), color_down: (COLOR_NONE), color_on: (COLOR_NONE) }
        draw_text: { color: (COLOR_TEXT_3), color_hover: (COLOR_TEXT_2), color_on: (COLOR_TEXT), text_style: <FONT_SMALL> {} }
    }
    // An icon alone cannot be hidden.
    pub Mark = <View> { visible: false, width: Fit, height: Fit }
    pub HeadCell = <View> {
        width: Fit, height: Fit, flow: Right
        spacing: 4, align: { y: 0.5 }
        clip_x: false, clip_y: false
        sort = <HeadButton> {}
        up = <Mark> {
            <Glyph> {
                icon_walk: { width: 12, height: 12 }
                draw_icon: { color: (COLOR_TEXT), svg_path: (ICON_ARROW_UP) }
            }
        }
        down = <Mark> {
            <Glyph> {
                icon_walk: { width: 12, height: 12 }
                draw_icon: { color: (COLOR_TEXT), svg_path: (ICON_ARROW_DOWN) }
            }
        }
    }
    // A label above a field of the panel.
    pub FieldLabel = <Caption> { margin: { top: 14, bottom: 6 } }
}

/// Hands a message of the page to the state.
pub(crate) fn tell(cx: &mut Cx, message: MyModelsMsg) {
    cx.action(Msg::MyModels(message));
}

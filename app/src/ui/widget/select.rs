//! A button that shows what is chosen of several, and opens a menu of them.

use makepad_widgets::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::icons::*;
    use crate::ui::widget::shape::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::icon::*;
    use crate::ui::widget::row::*;

    pub Select = <Row> {
        height: 32
        padding: { left: 11, right: 9 }
        clip_x: false, clip_y: false
        draw_bg: {
            uniform line: (COLOR_LINE)
            uniform line_hover: (COLOR_LINE_STRONG)
            uniform halo: (COLOR_ACCENT_SOFT)
            varying wide: vec2
            color: (COLOR_RAISED)
            fn vertex(self) -> vec4 {
                self.wide = self.rect_size + vec2(8.0, 8.0);
                return self.clip_and_transform_vertex(self.rect_pos - vec2(4.0, 4.0), self.wide);
            }
            fn pixel(self) -> vec4 {
                let point = self.pos * self.wide - vec2(4.0, 4.0);
                let fill = mix(self.color, self.color_down, self.down);
                let line = mix(mix(self.line, self.line_hover, self.hover), self.color_ring, self.ring);
                let body = Shape::framed(point, self.rect_size, self.radius, fill, line, self.dpi_factor);
                let band = Shape::band(point, self.rect_size, self.radius, 0.0, 3.0, self.dpi_factor);
                return mix(body, vec4(self.halo.rgb, 1.0), band * self.ring);
            }
        }
        label = <TextLine> { width: Fill }
        <Glyph14> { draw_icon: { svg_path: (ICON_CHEVRONS_UP_DOWN) } }
    }
}

//! Boxes and lines: what everything else stands on.

use makepad_widgets::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::widget::shape::*;

    // A rounded box with a line of one pixel. A line of COLOR_NONE draws none.
    // Colours are uniforms, since a shader has room for 32 instance floats only.
    pub Surface = <View> {
        show_bg: true
        draw_bg: {
            color: (COLOR_RAISED)
            uniform line: (COLOR_LINE_SUBTLE)
            instance radius: 12.0
            fn pixel(self) -> vec4 {
                return Shape::framed(
                    self.pos * self.rect_size,
                    self.rect_size,
                    self.radius,
                    self.color,
                    self.line,
                    self.dpi_factor
                );
            }
        }
    }

    // A plain rectangle. The stock one loses its colour under software OpenGL.
    pub Flat = <View> {
        show_bg: true
        draw_bg: {
            color: (COLOR_CANVAS)
            fn pixel(self) -> vec4 {
                return vec4(self.color.rgb, 1.0);
            }
        }
    }
    pub LineH = <Flat> { width: Fill, height: 1, draw_bg: { color: (COLOR_LINE_SUBTLE) } }
    pub LineV = <Flat> { width: 1, height: Fill, draw_bg: { color: (COLOR_LINE_SUBTLE) } }

    // An overlay with its shadow.
    pub Card = <RoundedShadowView> {
        draw_bg: {
            color: (COLOR_OVERLAY)
            border_color: (COLOR_NONE)
            border_size: 0.0
            border_radius: 6.0
            shadow_color: (COLOR_SHADOW)
            shadow_radius: 16.0
            shadow_offset: vec2(0.0, 8.0)
        }
    }
    pub SmallCard = <Card> {
        draw_bg: { shadow_color: (COLOR_SHADOW_SMALL), shadow_radius: 10.0, shadow_offset: vec2(0.0, 4.0) }
    }

    pub Spacer = <View> { width: Fill, height: 1 }
}

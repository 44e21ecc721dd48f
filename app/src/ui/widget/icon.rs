//! Icons beside text.

use makepad_widgets::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;

    pub Glyph = <Icon> {
        icon_walk: { width: 16, height: 16 }
        draw_icon: {
            color: (COLOR_TEXT_3)
            fn get_color(self) -> vec4 {
                return self.color;
            }
        }
    }
    pub Glyph14 = <Glyph> { icon_walk: { width: 14, height: 14 } }
    pub Glyph18 = <Glyph> { icon_walk: { width: 18, height: 18 } }
}

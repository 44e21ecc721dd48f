//! A choice of a few: buttons side by side, one of them on.

use makepad_widgets::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::fonts::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::button::*;

    pub Segmented = <Surface> {
        width: Fit, height: 32
        padding: 3, spacing: 2, flow: Right
        clip_x: false, clip_y: false
        draw_bg: { color: (COLOR_INSET), line: (COLOR_LINE), radius: 8.0 }
    }
    pub Segment = <QuietButton> {
        height: 26, padding: { left: 10, right: 10 }, spacing: 6
        icon_walk: { width: 14, height: 14 }
        draw_bg: { radius: 6.0, color_on: (COLOR_SEGMENT_ON), line_on: (COLOR_SEGMENT_LINE) }
        draw_text: { text_style: <FONT_SMALL> {} }
        draw_text_on: { color: (COLOR_TEXT), text_style: <FONT_SMALL_BOLD> {} }
        strong_on: true
    }
}

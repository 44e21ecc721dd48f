//! The chip: a filter that is on or off.

use makepad_widgets::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::fonts::*;
    use crate::ui::icons::*;
    use crate::ui::widget::button::*;

    pub Chip = <SmallButton> {
        padding: { left: 13, right: 13 }
        icon_on: (ICON_CHECK)
        draw_bg: {
            radius: 14.0
            color: (COLOR_NONE), color_on: (COLOR_ACCENT_SOFT), line_on: (COLOR_ACCENT_LINE)
        }
        draw_text: { color: (COLOR_TEXT_2), text_style: <FONT_SMALL> {} }
        draw_text_on: { color: (COLOR_ACCENT_TEXT), text_style: <FONT_SMALL_BOLD> {} }
        draw_icon: { color: (COLOR_TEXT_2), color_on: (COLOR_ACCENT_TEXT) }
        strong_on: true
    }
}

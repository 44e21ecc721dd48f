//! What stands in the place of a list or a page that has nothing to show: an icon, a title, a sentence, what to do.

use makepad_widgets::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::texts::*;
    use crate::ui::icons::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::icon::*;

    // An icon on a tile, a title, a sentence or two, and what to do.
    pub Notice = <View> {
        width: 340, height: Fit, flow: Down
        align: { x: 0.5 }
        tile = <Surface> {
            width: 48, height: 48
            align: { x: 0.5, y: 0.5 }, margin: { bottom: 16 }
            draw_bg: { color: (COLOR_TAG), line: (COLOR_NONE), radius: 12.0 }
            glyph = <Glyph> { icon_walk: { width: 24, height: 24 }, draw_icon: { color: (COLOR_TEXT_2) } }
        }
        title = <Heading> {}
        body = <TextBlock> { margin: { top: 4 }, align: { x: 0.5 } }
        buttons = <View> {
            width: Fit, height: Fit, flow: Right
            spacing: 8, margin: { top: 20 }
            clip_x: false, clip_y: false
        }
    }
}

//! What the parts of the panel share: heads that fold, labels, what is wrong with a field.

use makepad_widgets::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::texts::*;
    use crate::ui::fonts::*;
    use crate::ui::icons::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::icon::*;
    use crate::ui::widget::button::*;
    use crate::ui::widget::row::*;

    // The title of a section, which shows what is in it or hides it.
    pub FoldHead = <View> {
        width: Fill, height: 28, flow: Right
        margin: { top: 12 }, align: { y: 0.5 }
        clip_x: false, clip_y: false
        fold = <Row> {
            width: Fill, height: 28
            padding: { left: 6, right: 6 }, margin: { left: -6 }, spacing: 6
            draw_bg: { radius: 6.0 }
            title = <Strong> {}
            closed = <View> {
                width: Fit, height: Fit
                <Glyph14> { draw_icon: { svg_path: (ICON_CHEVRON_RIGHT) } }
            }
            opened = <View> {
                width: Fit, height: Fit
                <Glyph14> { draw_icon: { svg_path: (ICON_CHEVRON_DOWN) } }
            }
        }
        reset = <SmallQuietButton> {
            visible: false
            height: 24, padding: { left: 8, right: 8 }
            text: (TEXT_PANEL_RESET)
        }
    }
    // What is in a section.
    pub FoldBody = <View> {
        width: Fill, height: Fit, flow: Down
        padding: { bottom: 4 }
        clip_x: false, clip_y: false
    }
    pub PanelLabel = <Small> { margin: { top: 10, bottom: 6 } }
    pub PanelNote = <Label> {
        width: Fill, height: Fit, padding: 0
        draw_text: { color: (COLOR_TEXT_3), text_style: <FONT_SMALL> {} }
    }
}

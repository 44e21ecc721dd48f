//! What the parts of the server's page share: heads, rows with a control, notices.

use makepad_widgets::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::fonts::*;
    use crate::ui::icons::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::icon::*;
    use crate::ui::widget::button::*;

    // The title of a part, with what belongs to it at the right.
    pub PartHead = <View> {
        width: Fill, height: 28, flow: Right
        align: { y: 0.5 }, margin: { bottom: 8 }, spacing: 8
        clip_x: false, clip_y: false
    }
    pub PartCard = <Surface> {
        width: Fill, height: Fit, flow: Down
        padding: 1
        clip_x: false, clip_y: false
    }
    // A label and what it means; the control follows.
    pub ServerSetting = <View> {
        width: Fill, height: 53, flow: Right
        align: { y: 0.5 }, padding: { left: 16, right: 16 }, spacing: 12
        clip_x: false, clip_y: false
        words = <View> {
            width: Fill, height: Fit, flow: Down
            label = <TextLine> { width: Fill, line: 18.0 }
            help = <Caption> { width: Fill, line: 18.0 }
        }
    }
    pub SoftNotice = <Surface> {
        visible: false
        width: Fill, height: Fit, flow: Right
        padding: { left: 12, right: 12, top: 10, bottom: 10 }, spacing: 12
        margin: { top: 12 }
        draw_bg: { color: (COLOR_BAD_SOFT), line: (COLOR_NONE), radius: 10.0 }
        glyph = <View> { width: Fit, height: Fit, padding: { top: 1 } }
        <View> {
            width: Fill, height: Fit, flow: Down
            clip_x: false, clip_y: false
            text = <TextBlock> {}
            act = <SmallButton> { visible: false, margin: { top: 8 } }
        }
    }
    pub BadNotice = <SoftNotice> {
        glyph = { <Glyph18> { draw_icon: { color: (COLOR_BAD), svg_path: (ICON_ERROR) } } }
    }
    // What is wrong with a field above it.
    pub Problem = <View> {
        visible: false
        width: Fill, height: Fit, padding: { top: 6 }
        why = <TextBlock> { draw_text: { color: (COLOR_BAD), text_style: <FONT_SMALL> {} } }
    }
    pub SmallPrimaryButton = <PrimaryButton> {
        height: 28, padding: { left: 11, right: 11 }, spacing: 6
        draw_bg: { radius: 7.0 }
        draw_text: { text_style: <FONT_SMALL_BOLD> {} }
    }
}

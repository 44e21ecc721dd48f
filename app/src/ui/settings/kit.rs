//! What the parts of the settings share: the column, titles, cards, rows with a control.

use makepad_widgets::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::texts::*;
    use crate::ui::icons::*;
    use crate::ui::fonts::*;
    use crate::ui::spacing::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::button::*;

    // One of a few pages below each other.
    pub NavButton = <QuietButton> {
        width: Fill, height: 36
        padding: { left: 9, right: 9 }, spacing: 10
        align: { x: 0.0, y: 0.5 }
        icon_walk: { width: 18, height: 18 }
        draw_text: { text_style: <FONT_BODY> {} }
        draw_icon: { color: (COLOR_TEXT_3), color_on: (COLOR_ACCENT_TEXT) }
    }

    pub Column = <View> {
        width: 720, height: Fit, flow: Down
        padding: { left: 24, right: 24, bottom: 24 }
        clip_x: false, clip_y: false
    }
    pub Section = <Strong> { margin: { top: (GAP_SECTION), bottom: 8 } }
    pub SettingsCard = <Surface> {
        width: Fill, height: Fit, flow: Down
        padding: 1
        clip_x: false, clip_y: false
    }
    // A label and what it means; the control follows.
    pub Setting = <View> {
        width: Fill, height: (ROW_SETTING), flow: Right
        padding: { left: 16, right: 16 }, spacing: 16, align: { y: 0.5 }
        clip_x: false, clip_y: false
        words = <View> {
            width: Fill, height: Fit, flow: Down
            label = <TextLine> { width: Fill, line: 18.0 }
        }
        // Brings the default back; stands where a setting differs from it.
        reset = <IconButton> {
            visible: false
            tip: (TEXT_SETTING_RESET), draw_icon: { svg_path: (ICON_RETRY) }
        }
    }
    pub ExplainedSetting = <Setting> {
        words = { help = <Caption> { width: Fill, line: 18.0 } }
    }
    // Its words are as long as they need to be, and the row as high.
    pub WrappedSetting = <View> {
        width: Fill, height: Fit, flow: Right
        padding: { left: 16, right: 16, top: (PAD_SETTING), bottom: (PAD_SETTING) }, spacing: 12, align: { y: 0.5 }
        clip_x: false, clip_y: false
        words = <View> {
            width: Fill, height: Fit, flow: Down, spacing: 2
            label = <TextBlock> { draw_text: { color: (COLOR_TEXT) } }
            help = <TextBlock> { draw_text: { color: (COLOR_TEXT_3), text_style: <FONT_SMALL> {} } }
        }
        reset = <IconButton> {
            visible: false
            tip: (TEXT_SETTING_RESET), draw_icon: { svg_path: (ICON_RETRY) }
        }
    }
    // A title with what belongs to it at the right.
    pub SectionHead = <View> {
        width: Fill, height: Fit, flow: Right
        margin: { top: (GAP_SECTION), bottom: 8 }, spacing: 8, align: { y: 0.5 }
        clip_x: false, clip_y: false
        title = <Strong> { width: Fill }
    }
    pub Note = <TextBlock> { draw_text: { color: (COLOR_TEXT_3), text_style: <FONT_SMALL> {} } }
    pub PathSetting = <Setting> {
        words = { width: Fit, label = { width: Fit } }
    }
    pub Path = <TextLine> {
        width: Fill, align_x: 1.0, cut_middle: true
        draw_text: { color: (COLOR_TEXT_2), text_style: <FONT_CODE_SMALL> {} }
    }
}

//! What the parts of the page that finds models share: how something fits, what a model can do, notices.

use hearth_protocol::catalogue::{Capability, Fit};
use makepad_widgets::*;

use crate::msg::Msg;
use crate::msg::discover::DiscoverMsg;
use crate::state::Page;
use crate::state::discover::found::{Act, Notice};
use crate::text::Texts;
use crate::ui::widget::button::*;

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

    FitTag = <Surface> {
        visible: false
        width: Fit, height: 20, flow: Right
        padding: { left: 7, right: 7 }, spacing: 5, align: { y: 0.5 }
        draw_bg: { line: (COLOR_NONE), radius: 5.0 }
        glyph = <Glyph> { icon_walk: { width: 12, height: 12 } }
        label = <Micro> {}
    }
    // How something fits this machine: one of four.
    pub FitMark = <View> {
        width: Fit, height: 20, flow: Right
        gpu = <FitTag> {
            draw_bg: { color: (COLOR_OK_SOFT) }
            glyph = { draw_icon: { color: (COLOR_OK), svg_path: (ICON_FIT_GPU) } }
            label = { text: (TEXT_FIT_GPU), draw_text: { color: (COLOR_OK) } }
        }
        partly = <FitTag> {
            draw_bg: { color: (COLOR_WARN_SOFT) }
            glyph = { draw_icon: { color: (COLOR_WARN), svg_path: (ICON_FIT_PART) } }
            label = { text: (TEXT_FIT_PARTLY), draw_text: { color: (COLOR_WARN) } }
        }
        cpu = <FitTag> {
            draw_bg: { color: (COLOR_INFO_SOFT) }
            glyph = { draw_icon: { color: (COLOR_INFO), svg_path: (ICON_FIT_CPU) } }
            label = { text: (TEXT_FIT_CPU), draw_text: { color: (COLOR_INFO) } }
        }
        none = <FitTag> {
            draw_bg: { color: (COLOR_BAD_SOFT) }
            glyph = { draw_icon: { color: (COLOR_BAD), svg_path: (ICON_FIT_NONE) } }
            label = { text: (TEXT_FIT_TOO_LARGE), draw_text: { color: (COLOR_BAD) } }
        }
    }
    // An icon that can be left out.
    pub Mark = <View> {
        visible: false
        width: Fit, height: Fit
        glyph = <Glyph14> {}
    }
    pub AccentTag = <Surface> {
        width: Fit, height: 24, flow: Right
        padding: { left: 6, right: 8 }, spacing: 4, align: { y: 0.5 }
        draw_bg: { color: (COLOR_ACCENT_SOFT), line: (COLOR_NONE), radius: 5.0 }
        glyph = <Glyph14> { draw_icon: { color: (COLOR_ACCENT_TEXT), svg_path: (ICON_SEAL) } }
        label = <Micro> { draw_text: { color: (COLOR_ACCENT_TEXT), text_style: <FONT_MICRO_BOLD> {} } }
    }
    pub AbilityTag = <Surface> {
        visible: false
        width: Fit, height: 24, flow: Right
        padding: { left: 8, right: 8 }, spacing: 4, align: { y: 0.5 }
        draw_bg: { color: (COLOR_TAG), line: (COLOR_NONE), radius: 5.0 }
        glyph = <Glyph14> { draw_icon: { color: (COLOR_TEXT_2) } }
        label = <Micro> { draw_text: { color: (COLOR_TEXT_2) } }
    }
    // Something to be known, and what to do.
    pub DiscoverNotice = <Surface> {
        visible: false
        width: Fill, height: Fit, flow: Right
        padding: { left: 12, right: 12, top: 10, bottom: 10 }, spacing: 12
        clip_x: false, clip_y: false
        draw_bg: { color: (COLOR_RAISED), radius: 10.0 }
        calm = <Mark> { glyph = <Glyph18> { draw_icon: { color: (COLOR_TEXT_2), svg_path: (ICON_INFO) } } }
        bad = <Mark> { glyph = <Glyph18> { draw_icon: { color: (COLOR_BAD), svg_path: (ICON_ERROR) } } }
        <View> {
            width: Fill, height: Fit, flow: Down
            clip_x: false, clip_y: false
            text = <TextBlock> {}
            buttons = <View> {
                visible: false
                width: Fill, height: Fit, flow: Right
                margin: { top: 8 }, spacing: 8
                clip_x: false, clip_y: false
                page = <SmallButton> {
                    visible: false
                    text: (TEXT_LICENCE_PAGE), draw_icon: { svg_path: (ICON_EXTERNAL) }
                }
                act = <SmallButton> {}
            }
        }
    }
    // A grey bar in the place of a text that is to come.
    pub Bar = <Surface> {
        width: 100, height: 10
        draw_bg: { color: (COLOR_TAG), line: (COLOR_NONE), radius: 5.0 }
    }
}

/// Each thing that a model can do, and its mark.
pub(super) const ABILITIES: [(Capability, &[LiveId; 1]); 5] = [
    (Capability::Tools, id!(tools)),
    (Capability::Vision, id!(vision)),
    (Capability::Reasoning, id!(reasoning)),
    (Capability::Embedding, id!(embedding)),
    (Capability::Code, id!(code)),
];

/// Hands a message of the page on.
pub(super) fn tell(cx: &mut Cx, message: DiscoverMsg) {
    cx.action(Msg::Discover(message));
}

/// Does what a button says.
pub(super) fn act(cx: &mut Cx, act: Act) {
    match act {
        Act::Retry => tell(cx, DiscoverMsg::Retry),
        Act::ClearFilters => tell(cx, DiscoverMsg::ClearFilters),
        Act::Settings => cx.action(Msg::ShowPage(Page::Settings)),
    }
}

/// Shows how something fits; nothing where that is not known.
pub(super) fn fill_fit(cx: &mut Cx, mark: &WidgetRef, fit: Option<Fit>) {
    let tags: [(Fit, &[LiveId; 1]); 4] = [
        (Fit::Gpu, id!(gpu)),
        (Fit::Partly, id!(partly)),
        (Fit::Cpu, id!(cpu)),
        (Fit::TooLarge, id!(none)),
    ];
    // A row of nothing has no size.
    mark.set_visible(cx, tags.iter().any(|(known, _)| fit == Some(*known)));
    for (known, tag) in tags {
        mark.widget(tag).set_visible(cx, fit == Some(known));
    }
}

/// Shows what a model can do.
pub(super) fn fill_abilities(cx: &mut Cx, marks: &WidgetRef, abilities: &[Capability]) {
    for (ability, mark) in ABILITIES {
        marks.widget(mark).set_visible(cx, abilities.contains(&ability));
    }
}

/// Shows a notice, or none.
pub(super) fn fill_notice(
    cx: &mut Cx,
    widget: &WidgetRef,
    notice: Option<&Notice>,
    leads_to_page: bool,
    texts: &Texts,
) {
    widget.set_visible(cx, notice.is_some());
    let Some(notice) = notice else { return };
    widget.widget(id!(calm)).set_visible(cx, !notice.is_bad);
    widget.widget(id!(bad)).set_visible(cx, notice.is_bad);
    widget.label(id!(text)).set_text(cx, &notice.text);
    let buttons = widget.widget(id!(buttons));
    buttons.set_visible(cx, notice.act.is_some() || leads_to_page);
    buttons.push_button(id!(page)).set_visible(cx, leads_to_page);
    let button = buttons.push_button(id!(act));
    button.set_visible(cx, notice.act.is_some());
    if let Some((label, _)) = notice.act {
        button.set_text(cx, &texts.say(label, &[]));
    }
}

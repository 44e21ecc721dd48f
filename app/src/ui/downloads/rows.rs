//! How the rows of downloads look, and what each shows.

use makepad_widgets::*;

use crate::state::downloads::Group;
use crate::state::downloads::view::DownloadRow;
use crate::ui::widget::button::*;
use crate::ui::widget::progress::*;
use crate::ui::widget::text::*;

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
    use crate::ui::widget::button::*;
    use crate::ui::widget::progress::*;
    use crate::ui::widget::row::*;
    use crate::ui::widget::tag::*;

    OverlayTag = <Tag> { draw_bg: { color: (COLOR_OVERLAY_TAG) } }
    // Words on no ground of their own.
    QuietWords = <SmallQuietButton> {
        draw_bg: { color_hover: (COLOR_OVERLAY_HOVER), color_down: (COLOR_OVERLAY_PRESSED) }
    }
    Tool = <OverlayIconButton> {}
    SmallTool = <Tool> { icon_walk: { width: 14, height: 14 } }
    // The name at the left, what can be done at the right.
    Head = <View> {
        width: Fill, height: 28, flow: Right
        spacing: 8, align: { y: 0.5 }
        clip_x: false, clip_y: false
        words = <View> {
            width: Fill, height: 20, flow: Right
            spacing: 8, align: { y: 0.5 }
            name = <Strong> { max_width: 250.0 }
            tag = <OverlayTag> {}
        }
        tools = <View> {
            width: Fit, height: Fit, flow: Right
            spacing: 4, align: { y: 0.5 }
            clip_x: false, clip_y: false
            more = <Tool> { visible: false, tip: (TEXT_MORE), draw_icon: { svg_path: (ICON_MORE) } }
        }
    }
    Line = <Row> {
        width: Fill, height: Fit, flow: Down
        padding: { left: 20, right: 16, top: 14, bottom: 14 }, spacing: 0
        align: { x: 0.0, y: 0.0 }, cursor: Default
        clip_x: false, clip_y: false
        draw_bg: { color_hover: (COLOR_OVERLAY), color_down: (COLOR_OVERLAY), radius: 0.0 }
    }
    Item = <View> {
        width: Fill, height: Fit, flow: Down
        <LineH> { draw_bg: { color: (COLOR_OVERLAY_LINE_SUBTLE) } }
    }
    Bar = <View> {
        width: Fill, height: Fit
        padding: { right: 8 }, margin: { top: 8 }
        progress = <ProgressBar> {}
    }
    Numbers = <View> {
        width: Fill, height: 16, flow: Right
        padding: { right: 8 }, margin: { top: 6 }, spacing: 12
        amount = <Small> { width: Fill }
        pace = <Caption> {}
    }
    Reason = <View> {
        width: Fill, height: Fit, flow: Right
        padding: { right: 8 }, margin: { top: 8, bottom: 3 }, spacing: 8
        mark = <View> { width: Fit, height: Fit, padding: { top: 2 } }
        reason = <TextBlock> {}
    }
    pub ActiveDownload = <Item> {
        row = <Line> {
            head = <Head> {
                tools = {
                    pause = <SmallTool> { tip: (TEXT_PAUSE), draw_icon: { svg_path: (ICON_PAUSE) } }
                    remove = <Tool> { tip: (TEXT_REMOVE_DOWNLOAD), draw_icon: { svg_path: (ICON_CLOSE) } }
                }
            }
            <Bar> {}
            <Numbers> {}
            trouble = <Reason> {
                visible: false
                mark = { <Glyph> { draw_icon: { color: (COLOR_WARN), svg_path: (ICON_WARNING) } } }
            }
        }
    }
    pub PausedDownload = <Item> {
        row = <Line> {
            head = <Head> {
                tools = {
                    resume = <SmallTool> { tip: (TEXT_RESUME), draw_icon: { svg_path: (ICON_PLAY) } }
                    remove = <Tool> { tip: (TEXT_REMOVE_DOWNLOAD), draw_icon: { svg_path: (ICON_CLOSE) } }
                }
            }
            <Bar> { progress = { draw_bg: { fill: (COLOR_TRACK_FILL) } } }
            <Numbers> {}
        }
    }
    pub HinderedDownload = <Item> {
        row = <Line> {
            head = <Head> {
                words = { name = { max_width: 180.0 } }
                tools = {
                    retry = <OverlaySmallButton> { text: (TEXT_RETRY), draw_icon: { svg_path: (ICON_RETRY) } }
                    page = <QuietWords> { visible: false, text: (TEXT_OPEN_PAGE) }
                    remove = <Tool> { tip: (TEXT_REMOVE_DOWNLOAD), draw_icon: { svg_path: (ICON_CLOSE) } }
                }
            }
            <Reason> { mark = { <Glyph> { draw_icon: { color: (COLOR_BAD), svg_path: (ICON_ERROR) } } } }
            numbers = <Numbers> { amount = { draw_text: { color: (COLOR_TEXT_3) } } }
        }
    }
    pub DoneDownload = <Item> {
        row = <Line> {
            head = <Head> {
                words = { name = { max_width: 180.0 } }
                tools = {
                    use_it = <OverlaySmallButton> { text: (TEXT_USE_IN_CHAT) }
                    show = <Tool> { tip: (TEXT_SHOW_IN_FOLDER), draw_icon: { svg_path: (ICON_FOLDER) } }
                }
            }
            <View> {
                width: Fill, height: 16, flow: Right
                padding: { right: 8 }, margin: { top: 6 }, spacing: 6, align: { y: 0.5 }
                verified = <View> {
                    width: Fit, height: Fit, flow: Right
                    spacing: 6, align: { y: 0.5 }
                    <Glyph14> { draw_icon: { color: (COLOR_OK), svg_path: (ICON_SHIELD) } }
                    <Small> { text: (TEXT_VERIFIED), draw_text: { color: (COLOR_OK) } }
                    <Caption> { text: "·" }
                }
                unverified = <View> {
                    width: Fit, height: Fit
                    <Glyph14> { draw_icon: { svg_path: (ICON_CHECK) } }
                }
                amount = <Caption> { width: Fill }
            }
        }
    }
}

/// Heights of the rows as they are designed above, in pixels; of reasons that take three lines, as most do.
const WITH_BAR: f64 = 91.0;
const HINDERED: f64 = 145.0;
const DONE: f64 = 79.0;

/// The buttons of rows.
pub(super) const TOOLS: [&[LiveId; 1]; 8] = [
    id!(more),
    id!(pause),
    id!(resume),
    id!(retry),
    id!(page),
    id!(use_it),
    id!(show),
    id!(remove),
];

/// What takes the keyboard in a row.
pub(super) const KEYED: [&[LiveId; 1]; 1 + TOOLS.len()] = {
    let [more, pause, resume, retry, page, use_it, show, remove] = TOOLS;
    [id!(row), more, pause, resume, retry, page, use_it, show, remove]
};

pub(super) fn height_of(group: Group) -> f64 {
    match group {
        Group::Active | Group::Paused => WITH_BAR,
        Group::Hindered => HINDERED,
        Group::Done => DONE,
    }
}

pub(super) fn template_of(group: Group) -> LiveId {
    match group {
        Group::Active => live_id!(Active),
        Group::Paused => live_id!(Paused),
        Group::Hindered => live_id!(Hindered),
        Group::Done => live_id!(Done),
    }
}

/// Puts what a row shows into its widget, which may have shown another one before. `more` shows the button of its menu.
pub(super) fn fill(cx: &mut Cx, item: &WidgetRef, row: &DownloadRow, more: bool) {
    item.text_line(id!(name)).set_text(cx, &row.name);
    item.widget(id!(tag)).set_visible(cx, !row.tag.is_empty());
    item.text_line(id!(tag.label)).set_text(cx, &row.tag);
    item.text_line(id!(amount)).set_text(cx, &row.amount);
    item.widget(id!(more)).set_visible(cx, more);
    match row.group {
        Group::Active => {
            let trouble = !row.reason.is_empty();
            item.widget(id!(trouble)).set_visible(cx, trouble);
            item.label(id!(reason)).set_text(cx, &row.reason);
        }
        Group::Paused => (),
        Group::Hindered => {
            item.label(id!(reason)).set_text(cx, &row.reason);
            item.widget(id!(page)).set_visible(cx, row.page.is_some());
            item.widget(id!(numbers)).set_visible(cx, !row.amount.is_empty());
        }
        Group::Done => {
            item.widget(id!(verified)).set_visible(cx, row.verified);
            item.widget(id!(unverified)).set_visible(cx, !row.verified);
            for tool in [id!(use_it), id!(show)] {
                item.push_button(tool).set_visible(cx, row.has_file);
            }
            return;
        }
    }
    item.text_line(id!(pace)).set_text(cx, &row.pace);
    item.progress_bar(id!(progress)).set(row.share, Level::Normal);
}

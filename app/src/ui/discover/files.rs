//! The files of a model: quantisation, size, how each fits, and what can be done with it now.

use makepad_widgets::*;

use super::kit::{fill_fit, tell};
use crate::msg::Msg;
use crate::msg::discover::DiscoverMsg;
use crate::msg::downloads::DownloadsMsg;
use crate::state::discover::file_row::{FileDoing, FileRow};
use crate::ui::widget::button::*;
use crate::ui::widget::progress::*;
use crate::ui::widget::row::*;
use crate::ui::widget::stack::*;
use crate::ui::widget::text::*;

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
    use crate::ui::widget::progress::*;
    use crate::ui::widget::row::*;
    use crate::ui::widget::stack::*;
    use crate::ui::discover::kit::*;

    Doing = <View> {
        visible: false
        width: Fit, height: Fill, flow: Right
        align: { y: 0.5 }, spacing: 6
        clip_x: false, clip_y: false
    }
    FileLine = <View> {
        width: Fill, height: Fit, flow: Down
        clip_x: false, clip_y: false
        <LineH> {}
        row = <Row> {
            height: 40
            padding: { left: 16, right: 12 }, spacing: 12
            draw_bg: { radius: 0.0, color_on: (COLOR_ACCENT_SOFT) }
            name = <View> {
                width: 188, height: 20, flow: Right
                align: { y: 0.5 }, spacing: 8
                label = <TextLine> { max_width: 188.0, cut_middle: true, draw_text: { text_style: <FONT_CODE_SMALL> {} } }
                recommended = <Surface> {
                    visible: false
                    width: Fit, height: 20
                    padding: { left: 7, right: 7 }, align: { y: 0.5 }
                    draw_bg: { color: (COLOR_RAISED), line: (COLOR_NONE), radius: 5.0 }
                    <Micro> {
                        text: (TEXT_RECOMMENDED)
                        draw_text: { color: (COLOR_ACCENT_TEXT), text_style: <FONT_MICRO_BOLD> {} }
                    }
                }
            }
            size = <TextLine> { width: 64, draw_text: { color: (COLOR_TEXT_2) } }
            fit = <FitMark> {}
            <Spacer> {}
            absent = <Doing> {
                get = <SmallButton> { text: (TEXT_DOWNLOAD), draw_icon: { svg_path: (ICON_DOWNLOAD) } }
            }
            coming = <Doing> {
                <View> {
                    width: 112, height: Fit, flow: Down, spacing: 3
                    <View> {
                        width: Fill, height: 16, flow: Right
                        percent = <Micro> { width: Fit, draw_text: { color: (COLOR_TEXT_2) } }
                        speed = <Micro> { width: Fill, align_x: 1.0, draw_text: { color: (COLOR_TEXT_2) } }
                    }
                    bar = <ProgressBar> {}
                }
                pause = <IconButton> { tip: (TEXT_PAUSE_DOWNLOAD), draw_icon: { svg_path: (ICON_PAUSE) } }
            }
            paused = <Doing> {
                <View> {
                    width: 112, height: Fit, flow: Down, spacing: 3
                    <View> {
                        width: Fill, height: 16, flow: Right, spacing: 8
                        percent = <Micro> { width: Fit, draw_text: { color: (COLOR_TEXT_2) } }
                        why = <Micro> { width: Fill, align_x: 1.0, draw_text: { color: (COLOR_TEXT_2) } }
                    }
                    bar = <ProgressBar> { draw_bg: { fill: (COLOR_TRACK_FILL) } }
                }
                resume = <IconButton> { tip: (TEXT_RESUME_DOWNLOAD), draw_icon: { svg_path: (ICON_PLAY) } }
            }
            failed = <Doing> {
                <Glyph> { draw_icon: { color: (COLOR_BAD), svg_path: (ICON_ERROR) } }
                <Small> { text: (TEXT_DOWNLOAD_FAILED), draw_text: { color: (COLOR_BAD) } }
                retry = <IconButton> { tip: (TEXT_RETRY_DOWNLOAD), draw_icon: { svg_path: (ICON_RETRY) } }
            }
            here = <Doing> {
                <Glyph> { draw_icon: { color: (COLOR_OK), svg_path: (ICON_CHECK_CIRCLE) } }
                <Small> { text: (TEXT_DOWNLOADED), draw_text: { color: (COLOR_OK) } }
                chat = <IconButton> { tip: (TEXT_CHAT_WITH_FILE), draw_icon: { svg_path: (ICON_CHAT) } }
            }
        }
        problem = <View> {
            visible: false
            width: Fill, height: Fit
            padding: { left: 16, right: 16, bottom: 8 }
            why = <TextBlock> { draw_text: { color: (COLOR_BAD), text_style: <FONT_SMALL> {} } }
        }
    }
    pub FileTable = <Surface> {
        width: Fill, height: Fit, flow: Down
        padding: { left: 1, right: 1, top: 1, bottom: 4 }
        clip_x: false, clip_y: false
        <View> {
            width: Fill, height: 32, flow: Right
            padding: { left: 16, right: 16 }, spacing: 12, align: { y: 0.5 }
            <Caption> { width: 188, text: (TEXT_FILE) }
            <Caption> { width: 64, text: (TEXT_FILE_SIZE) }
            <Caption> { width: Fill, text: (TEXT_ON_THIS_MACHINE) }
        }
        rows = <Stack> { row: <FileLine> {} }
    }
}

/// The buttons of a row, those that are shown among them.
pub(super) const BUTTONS: [&[LiveId; 1]; 5] = [id!(get), id!(pause), id!(resume), id!(retry), id!(chat)];

/// Shows the files.
pub(super) fn fill(cx: &mut Cx, rows: &StackRef, files: &[FileRow]) {
    for (file, row) in files.iter().zip(rows.set_rows(cx, files.len())) {
        fill_row(cx, &row, file);
    }
}

fn fill_row(cx: &mut Cx, row: &WidgetRef, file: &FileRow) {
    row.row(id!(row)).set_on(cx, file.is_recommended);
    row.text_line(id!(label)).set_text(cx, &file.label);
    row.widget(id!(recommended)).set_visible(cx, file.is_recommended);
    row.text_line(id!(size)).set_text(cx, &file.size);
    fill_fit(cx, &row.widget(id!(fit)), Some(file.fit));
    let doings: [(&[LiveId; 1], bool); 5] = [
        (
            id!(absent),
            matches!(file.state, FileDoing::Absent | FileDoing::Useless(_)),
        ),
        (id!(coming), matches!(file.state, FileDoing::Coming { .. })),
        (id!(paused), matches!(file.state, FileDoing::Paused { .. })),
        (id!(failed), matches!(file.state, FileDoing::Failed { .. })),
        (id!(here), matches!(file.state, FileDoing::Here(_))),
    ];
    for (doing, shown) in doings {
        row.widget(doing).set_visible(cx, shown);
    }
    let get = row.push_button(id!(get));
    get.set_disabled(cx, matches!(file.state, FileDoing::Useless(_)));
    let mut problem = file.problem.as_deref();
    match &file.state {
        FileDoing::Absent | FileDoing::Here(_) => get.set_tip(""),
        FileDoing::Useless(why) => get.set_tip(why),
        FileDoing::Coming {
            share,
            percent,
            speed,
            can_pause,
            ..
        } => {
            let coming = row.widget(id!(coming));
            coming.text_line(id!(percent)).set_text(cx, percent);
            coming.text_line(id!(speed)).set_text(cx, speed);
            coming.progress_bar(id!(bar)).set(*share, Level::Normal);
            coming.push_button(id!(pause)).set_visible(cx, *can_pause);
        }
        FileDoing::Paused {
            share, percent, why, ..
        } => {
            let paused = row.widget(id!(paused));
            paused.text_line(id!(percent)).set_text(cx, percent);
            paused.text_line(id!(why)).set_text(cx, why);
            paused.progress_bar(id!(bar)).set(*share, Level::Normal);
        }
        FileDoing::Failed { why, .. } => problem = Some(why),
    }
    let widget = row.widget(id!(problem));
    widget.set_visible(cx, problem.is_some());
    widget.label(id!(why)).set_text(cx, problem.unwrap_or_default());
}

/// Takes what was done in the rows.
pub(super) fn take(cx: &mut Cx, actions: &Actions, rows: &StackRef, files: &[FileRow]) {
    for (file, row) in files.iter().zip(rows.rows()) {
        let clicked = |button: &[LiveId; 1]| row.push_button(button).clicked(actions);
        let download = match &file.state {
            FileDoing::Absent if clicked(id!(get)) => DownloadsMsg::Start(file.file.request()),
            FileDoing::Coming { download, .. } if clicked(id!(pause)) => DownloadsMsg::Pause(*download),
            FileDoing::Paused { download, .. } if clicked(id!(resume)) => DownloadsMsg::Resume(*download),
            FileDoing::Failed { download, .. } if clicked(id!(retry)) => DownloadsMsg::Retry(*download),
            FileDoing::Here(here) if clicked(id!(chat)) => {
                tell(cx, DiscoverMsg::Chat(here.clone()));
                continue;
            }
            _ => {
                if !matches!(row.row(id!(row)).action(actions), RowAction::None) {
                    tell(cx, DiscoverMsg::LookAt(file.file.clone()));
                }
                continue;
            }
        };
        cx.action(Msg::Downloads(download));
    }
}

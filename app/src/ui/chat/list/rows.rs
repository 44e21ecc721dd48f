//! How the rows of the list look, and what each shows.

use hearth_protocol::settings::Density;
use makepad_widgets::*;

use super::keys::TOOLS;
use crate::state::chats::{ListRow, Rename, RowKey};
use crate::state::search::SearchRow;
use crate::text::{Texts, say};
use crate::ui::spacing;
use crate::ui::widget::marked::*;
use crate::ui::widget::one_line::*;
use crate::ui::widget::reused::item_at;
use crate::ui::widget::row::*;
use crate::ui::widget::tag::*;
use crate::ui::widget::text::*;

live_design! {
    use link::theme::*;
    use link::shaders::*;
    use link::widgets::*;
    use crate::ui::theme::*;
    use crate::ui::texts::*;
    use crate::ui::spacing::*;
    use crate::ui::icons::*;
    use crate::ui::widget::surface::*;
    use crate::ui::widget::text::*;
    use crate::ui::widget::icon::*;
    use crate::ui::widget::button::*;
    use crate::ui::widget::marked::*;
    use crate::ui::widget::one_line::*;
    use crate::ui::widget::row::*;
    use crate::ui::widget::tag::*;

    pub GroupRow = <View> {
        width: Fill, height: 34
        padding: { left: 8, top: 14 }
        label = <GroupTitle> {}
    }
    pub FirstGroupRow = <View> {
        width: Fill, height: 24
        padding: { left: 8, top: 4 }
        label = <GroupTitle> {}
    }

    RowTool = <IconButton> { width: 24, height: 24 }
    pub ChatRow = <Row> {
        height: (ROW_LIST)
        label = <TextLine> { width: Fill, draw_text: { color: (COLOR_TEXT_2) } }
        rest = <View> {
            width: Fit, height: Fit, align: { y: 0.5 }
            busy = <Dot> { visible: false }
            date = <Micro> {}
        }
        tools = <View> {
            visible: false
            width: Fit, height: Fit, margin: { right: -4 }
            pin = <RowTool> { tip: (TEXT_PIN), draw_icon: { svg_path: (ICON_PIN) } }
            more = <RowTool> { tip: (TEXT_MORE), draw_icon: { svg_path: (ICON_MORE) } }
        }
    }
    pub OpenChatRow = <ChatRow> {
        label = { draw_text: { color: (COLOR_TEXT) } }
        rest = { date = { draw_text: { color: (COLOR_TEXT_2) } } }
    }
    pub NestedRow = <ChatRow> { padding: { left: 30 } }
    pub OpenNestedRow = <OpenChatRow> { padding: { left: 30 } }
    pub PinnedRow = <Row> {
        height: (ROW_LIST)
        <Glyph14> { draw_icon: { svg_path: (ICON_PIN_FILLED) } }
        label = <TextLine> { width: Fill, draw_text: { color: (COLOR_TEXT_2) } }
        rest = <View> {
            width: Fit, height: Fit, align: { y: 0.5 }
            busy = <Dot> { visible: false }
        }
        tools = <View> {
            visible: false
            width: Fit, height: Fit, margin: { right: -4 }
            pin = <RowTool> { tip: (TEXT_UNPIN), draw_icon: { svg_path: (ICON_PIN_FILLED) } }
            more = <RowTool> { tip: (TEXT_MORE), draw_icon: { svg_path: (ICON_MORE) } }
        }
    }
    pub OpenPinnedRow = <PinnedRow> { label = { draw_text: { color: (COLOR_TEXT) } } }
    pub FolderRow = <Row> {
        height: (ROW_LIST)
        <Glyph14> { draw_icon: { svg_path: (ICON_CHEVRON_DOWN) } }
        <Glyph> { draw_icon: { svg_path: (ICON_FOLDER_OPEN) } }
        label = <TextLine> { width: Fill, draw_text: { color: (COLOR_TEXT_2) } }
        rest = <View> {
            width: Fit, height: Fit, align: { y: 0.5 }
            date = <Micro> {}
        }
        tools = <View> {
            visible: false
            width: Fit, height: Fit, margin: { right: -4 }
            more = <RowTool> { tip: (TEXT_MORE), draw_icon: { svg_path: (ICON_MORE) } }
        }
    }
    pub ClosedFolderRow = <Row> {
        height: (ROW_LIST)
        <Glyph14> { draw_icon: { svg_path: (ICON_CHEVRON_RIGHT) } }
        <Glyph> { draw_icon: { svg_path: (ICON_FOLDER) } }
        label = <TextLine> { width: Fill, draw_text: { color: (COLOR_TEXT_2) } }
        rest = <View> {
            width: Fit, height: Fit, align: { y: 0.5 }
            date = <Micro> {}
        }
        tools = <View> {
            visible: false
            width: Fit, height: Fit, margin: { right: -4 }
            more = <RowTool> { tip: (TEXT_MORE), draw_icon: { svg_path: (ICON_MORE) } }
        }
    }
    pub RenameRow = <View> {
        width: Fill, height: 32
        clip_x: false, clip_y: false
        title = <FramedLine> { padding: { left: 7, right: 7, top: 8, bottom: 4 } }
    }

    pub TitleHitRow = <Row> {
        height: (ROW_LIST)
        <View> {
            width: Fill, height: 20
            text = <MarkedLine> {}
        }
        date = <Micro> { draw_text: { color: (COLOR_TEXT_2) } }
    }
    pub HitRow = <Row> {
        height: 50, flow: Down
        padding: { left: 8, right: 8, top: 6 }, spacing: 2
        align: { y: 0.0 }
        <View> {
            width: Fill, height: 20, flow: Right
            spacing: 8, align: { y: 0.5 }
            label = <TextLine> { width: Fill, draw_text: { color: (COLOR_TEXT_2) } }
            date = <Micro> { draw_text: { color: (COLOR_TEXT_2) } }
        }
        text = <MarkedSmall> {}
    }
    pub NothingRow = <View> {
        width: Fill, height: Fit, flow: Down
        padding: { left: 8, right: 8, top: 8 }, spacing: 2
        clip_x: false, clip_y: false
        <Strong> { text: (TEXT_NO_MATCH_TITLE), draw_text: { color: (COLOR_TEXT_2) } }
        <Caption> { text: (TEXT_NO_MATCH_TEXT) }
        clear = <SmallButton> { margin: { top: 8 }, text: (TEXT_CLEAR_SEARCH) }
    }
    pub FailedRow = <View> {
        width: Fill, height: Fit, flow: Down
        padding: { left: 8, right: 8, top: 8 }, spacing: 2
        <Strong> { text: (TEXT_SEARCH_FAILED), draw_text: { color: (COLOR_BAD) } }
        reason = <TextBlock> {}
    }
}

/// Heights of the rows as they are designed above, in pixels.
const GROUP: f64 = 34.0;
const FIRST_GROUP: f64 = 24.0;
const HIT: f64 = 50.0;
/// The rows that stand alone, whose text may wrap.
const NOTICE: f64 = 80.0;

/// The row that stands for something.
pub(super) fn row_of(rows: &[ListRow], key: RowKey) -> Option<usize> {
    rows.iter().position(|row| row.key() == Some(key))
}

pub(super) fn height_of(rows: &[ListRow], row: usize, density: Density) -> f64 {
    match rows.get(row) {
        Some(ListRow::Group(_)) if row == 0 => FIRST_GROUP,
        Some(ListRow::Group(_)) => GROUP,
        Some(ListRow::Folder(_) | ListRow::NewFolder | ListRow::Chat(_)) => spacing::list_row(density),
        None => 0.0,
    }
}

/// The row of the hit that the keys have chosen. The first one is in view anyway.
pub(super) fn chosen_hit(found: &[SearchRow<'_>]) -> Option<usize> {
    let is_chosen = |row: &SearchRow<'_>| matches!(row, SearchRow::Hit { chosen: true, .. });
    found.iter().position(is_chosen).filter(|row| *row > 1)
}

pub(super) fn height_of_found(found: &[SearchRow<'_>], row: usize, density: Density) -> f64 {
    match found.get(row) {
        Some(SearchRow::Group(_)) if row == 0 => FIRST_GROUP,
        Some(SearchRow::Group(_)) => GROUP,
        Some(SearchRow::Hit { hit, .. }) if hit.message.is_some() => HIT,
        Some(SearchRow::Hit { .. }) => spacing::list_row(density),
        Some(SearchRow::Nothing | SearchRow::Failed(_)) => NOTICE,
        None => 0.0,
    }
}

/// The title of a group.
pub(super) fn group(cx: &mut Cx, list: &mut PortalList, index: usize, row: &ListRow) -> WidgetRef {
    match row {
        ListRow::Group(title) => titled(cx, list, index, title),
        ListRow::Folder(_) | ListRow::NewFolder | ListRow::Chat(_) => titled(cx, list, index, ""),
    }
}

fn titled(cx: &mut Cx, list: &mut PortalList, index: usize, title: &str) -> WidgetRef {
    let template = if index == 0 {
        live_id!(First)
    } else {
        live_id!(Group)
    };
    let item = item_at(cx, list, index, template, &[]);
    item.text_line(id!(label)).set_text(cx, title);
    item
}

/// The field that names a row.
pub(super) fn rename(
    cx: &mut Cx,
    list: &mut PortalList,
    index: usize,
    rename: &Rename,
    texts: &Texts,
) -> WidgetRef {
    let item = item_at(cx, list, index, live_id!(Rename), &[]);
    let title = item.one_line(id!(title));
    title.set_text(cx, &rename.text);
    let is_new = rename.of == RowKey::NewFolder;
    let empty = is_new.then(|| say!(texts, "list-folder-name"));
    title.set_placeholder(cx, &empty.unwrap_or_default());
    item
}

/// The widget of a chat or a folder.
pub(super) fn item(cx: &mut Cx, list: &mut PortalList, index: usize, row: &ListRow) -> WidgetRef {
    let template = match row {
        ListRow::Chat(chat) => match (chat.pinned, chat.nested, chat.open) {
            (true, _, false) => live_id!(Pinned),
            (true, _, true) => live_id!(OpenPinned),
            (false, true, false) => live_id!(Nested),
            (false, true, true) => live_id!(OpenNested),
            (false, false, false) => live_id!(Chat),
            (false, false, true) => live_id!(Open),
        },
        ListRow::Folder(folder) if folder.open => live_id!(Folder),
        ListRow::Folder(_) => live_id!(ClosedFolder),
        ListRow::Group(_) | ListRow::NewFolder => live_id!(Rename),
    };
    item_at(cx, list, index, template, &TOOLS)
}

/// Puts what a row shows into its widget, which may have shown another one before. `tools` shows its buttons.
pub(super) fn fill(cx: &mut Cx, item: &WidgetRef, row: &ListRow, tools: bool) {
    let (label, date, running, open) = match row {
        ListRow::Chat(chat) => (&chat.title, chat.date.clone(), chat.running, chat.open),
        ListRow::Folder(folder) => (&folder.name, folder.chats.to_string(), false, false),
        ListRow::Group(_) | ListRow::NewFolder => return,
    };
    item.text_line(id!(label)).set_text(cx, label);
    item.text_line(id!(date)).set_text(cx, &date);
    item.text_line(id!(date)).set_visible(cx, !running);
    item.dot(id!(busy)).set(DotKind::Busy);
    item.dot(id!(busy)).set_visible(cx, running);
    item.view(id!(rest)).set_visible(cx, !tools);
    item.view(id!(tools)).set_visible(cx, tools);
    item.as_row().set_on(cx, open);
}

/// The row of something that was found.
pub(super) fn found(
    cx: &mut Cx,
    list: &mut PortalList,
    index: usize,
    row: &SearchRow<'_>,
    texts: &Texts,
) -> WidgetRef {
    match row {
        SearchRow::Group(title) => titled(cx, list, index, &texts.say(*title, &[])),
        SearchRow::Hit { hit, chosen, .. } => {
            let template = if hit.message.is_some() {
                live_id!(Hit)
            } else {
                live_id!(TitleHit)
            };
            let item = item_at(cx, list, index, template, &[]);
            item.text_line(id!(label)).set_text(cx, &hit.title);
            item.text_line(id!(date)).set_text(cx, &hit.date);
            item.marked_line(id!(text)).set(&hit.text, &hit.marks);
            item.as_row().set_on(cx, *chosen);
            item
        }
        SearchRow::Nothing => item_at(cx, list, index, live_id!(Nothing), &[]),
        SearchRow::Failed(reason) => {
            let item = item_at(cx, list, index, live_id!(Failed), &[]);
            item.label(id!(reason)).set_text(cx, reason);
            item
        }
    }
}

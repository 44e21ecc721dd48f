//! How the rows of the page look, and what each shows: the disk, imports, the table, the folders.

use hearth_protocol::library::Source;
use makepad_widgets::*;

use super::source::*;
use crate::state::AppState;
use crate::state::models::picker::PickerState;
use crate::state::my_models::Column;
use crate::state::my_models::folders::FolderRow;
use crate::state::my_models::import::ImportView;
use crate::state::my_models::view::{DiskView, ModelRow};
use crate::text::say;
use crate::ui::overlay::picker::capitalised;
use crate::ui::widget::button::*;
use crate::ui::widget::progress::*;
use crate::ui::widget::row::*;
use crate::ui::widget::stack::*;
use crate::ui::widget::tag::*;
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
    use crate::ui::widget::tag::*;
    use crate::ui::my_models::kit::*;
    use crate::ui::my_models::source::*;

    LegendEntry = <View> {
        width: Fit, height: Fit, flow: Right
        spacing: 6, align: { y: 0.5 }, margin: { right: 20 }
        mark = <SourceMark> {}
        name = <Small> {}
        size = <Caption> {}
    }
    pub DiskRow = <View> {
        width: Fill, height: 108, flow: Down
        padding: { left: 24, right: 24, top: 20 }
        clip_x: false, clip_y: false
        <View> {
            width: Fill, height: 28, flow: Right
            spacing: 8, align: { y: 0.5 }
            clip_x: false, clip_y: false
            total = <Heading> { draw_text: { text_style: <FONT_TITLE> {} } }
            models = <TextLine> { draw_text: { color: (COLOR_TEXT_2) } }
            <Spacer> {}
            clean = <SmallQuietButton> { draw_icon: { svg_path: (ICON_TRASH) } }
            free = <Caption> {}
        }
        bar = <DiskBar> { margin: { top: 6 } }
        legend = <Stack> { flow: Right, height: 16, margin: { top: 8 }, row: <LegendEntry> {} }
    }
    pub ImportRow = <View> {
        width: Fill, height: 56, flow: Down
        padding: { left: 24, right: 24, bottom: 12 }
        clip_x: false, clip_y: false
        <Surface> {
            width: Fill, height: 44, flow: Right
            padding: { left: 16, right: 8 }, spacing: 12, align: { y: 0.5 }
            clip_x: false, clip_y: false
            title = <Strong> { width: Fill, cut_middle: true }
            sizes = <Caption> {}
            bar = <ProgressBar> { width: 160 }
            cancel = <SmallQuietButton> { text: (TEXT_CANCEL) }
        }
    }

    NameCell = <View> {
        width: Fill, height: Fit, flow: Right
        spacing: 8, align: { y: 0.5 }
        heart = <Mark> { <Glyph14> { draw_icon: { color: (COLOR_ACCENT_TEXT), svg_path: (ICON_HEART) } } }
        name = <Strong> {}
        loaded = <Surface> {
            visible: false
            width: Fit, height: 20, flow: Right
            padding: { left: 7, right: 7 }, spacing: 5, align: { y: 0.5 }
            draw_bg: { color: (COLOR_OK_SOFT), line: (COLOR_NONE), radius: 5.0 }
            dot = <Dot> { width: 6, height: 6 }
            label = <Micro> { draw_text: { color: (COLOR_OK) } }
        }
        tags = <Caption> { width: Fill }
    }
    Tools = <View> {
        width: 148, height: Fit, flow: Right
        spacing: 2, align: { x: 1.0, y: 0.5 }
        clip_x: false, clip_y: false
        chat = <SmallButton> { text: (TEXT_MODEL_CHAT), margin: { right: 4 } }
        set_load = <IconButton> { tip: (TEXT_SET_LOAD), draw_icon: { svg_path: (ICON_SLIDERS) } }
        eject = <IconButton> { tip: (TEXT_EJECT), draw_icon: { svg_path: (ICON_EJECT) } }
        delete = <IconButton> { tip: (TEXT_DELETE), draw_icon: { svg_path: (ICON_TRASH) } }
        more = <IconButton> { tip: (TEXT_MORE), draw_icon: { svg_path: (ICON_MORE) } }
    }
    SourceCell = <View> {
        width: 152, height: Fit, flow: Right
        spacing: 6, align: { y: 0.5 }
        mark = <SourceMark> {}
        label = <Cell> { width: Fill }
    }
    pub ModelTableRow = <TableRow> {
        title = <NameCell> {}
        publisher = <Cell> { width: 104 }
        architecture = <Cell> { width: 88 }
        parameters = <Cell> { width: 68 }
        quantisation = <CodeCell> { width: 72 }
        size = <TextLine> { width: 76 }
        source = <SourceCell> {}
        used = <Cell> { width: 108 }
        tools = <Tools> {}
    }
    pub DamagedTableRow = <BadTableRow> {
        <View> {
            width: Fill, height: Fit, flow: Down, spacing: 2
            <View> {
                width: Fill, height: Fit, flow: Right
                spacing: 8, align: { y: 0.5 }
                name = <Strong> {}
                <View> {
                    width: Fit, height: Fit, flow: Right
                    spacing: 4, align: { y: 0.5 }
                    <Glyph14> { draw_icon: { color: (COLOR_BAD), svg_path: (ICON_WARNING) } }
                    <Small> { text: (TEXT_DAMAGED), draw_text: { color: (COLOR_BAD) } }
                }
            }
            reason = <TextLine> { width: Fill, draw_text: { color: (COLOR_TEXT_2) } }
        }
        source = <SourceCell> {}
        used = <View> { width: 108, height: 1 }
        tools = <Tools> { chat = { visible: false }, set_load = { visible: false }, eject = { visible: false } }
    }
    pub ModelTableHead = <TableHead> {
        name = <HeadCell> { width: Fill, sort = { text: (TEXT_MODEL_NAME) } }
        publisher = <HeadCell> { width: 104, sort = { text: (TEXT_MODEL_PUBLISHER) } }
        architecture = <HeadCell> { width: 88, sort = { text: (TEXT_MODEL_ARCHITECTURE) } }
        parameters = <HeadCell> { width: 68, sort = { text: (TEXT_MODEL_PARAMETERS) } }
        quantisation = <HeadCell> { width: 72, sort = { text: (TEXT_MODEL_QUANTISATION) } }
        size = <HeadCell> { width: 76, sort = { text: (TEXT_MODEL_SIZE) } }
        source = <HeadCell> { width: 152, sort = { text: (TEXT_MODEL_SOURCE) } }
        used = <HeadCell> { width: 108, sort = { text: (TEXT_MODEL_USED) } }
        <View> { width: 148, height: 1 }
    }
    pub NoMatchRow = <View> {
        width: Fill, height: 96, flow: Down
        margin: { left: 24, right: 24 }, padding: { top: 20, left: 17 }, spacing: 8
        show_bg: true
        draw_bg: {
            color: (COLOR_RAISED)
            uniform line: (COLOR_LINE_SUBTLE)
            fn pixel(self) -> vec4 {
                let point = self.pos * self.rect_size;
                let side = max(step(point.x, 1.0), step(self.rect_size.x - 1.0, point.x));
                return vec4(mix(self.color.rgb, self.line.rgb, side), 1.0);
            }
        }
        <Strong> { text: (TEXT_MODELS_NO_MATCH) }
        clear = <SmallButton> { text: (TEXT_CLEAR_FILTERS) }
    }
    pub FoldersHead = <View> {
        width: Fill, height: 56, flow: Right
        padding: { left: 24, right: 24, top: 16 }, align: { y: 0.5 }
        clip_x: false, clip_y: false
        <Strong> { width: Fill, text: (TEXT_FOLDERS) }
        add = <SmallQuietButton> { text: (TEXT_ADD_FOLDER), draw_icon: { svg_path: (ICON_PLUS) } }
    }
    FolderCard = <Surface> {
        width: Fill, height: 40, flow: Right
        padding: { left: 15, right: 6 }, spacing: 10, align: { y: 0.5 }
        clip_x: false, clip_y: false
        draw_bg: { radius: 10.0 }
        <Glyph> { draw_icon: { svg_path: (ICON_FOLDER) } }
        label = <CodeCell> { width: Fill, cut_middle: true, draw_text: { color: (COLOR_TEXT) } }
        models = <Caption> {}
        tag = <Tag> { label = { draw_text: { text_style: <FONT_MICRO> {} } } }
        more = <IconButton> { tip: (TEXT_MORE), draw_icon: { svg_path: (ICON_MORE) } }
    }
    pub FolderPair = <View> {
        width: Fill, height: 48, flow: Right
        padding: { left: 24, right: 24 }, spacing: 8
        clip_x: false, clip_y: false
        first = <FolderCard> {}
        second = <FolderCard> {}
    }
    pub EndRow = <View> { width: Fill, height: 16 }
}

/// The cells that give way where the table is too narrow for them, with the width from which each is shown, in pixels.
const CELLS: [(&[LiveId; 1], f64); 5] = [
    (id!(publisher), 1120.0),
    (id!(architecture), 1000.0),
    (id!(parameters), 920.0),
    (id!(source), 860.0),
    (id!(used), 700.0),
];

/// Widths of those cells, of the others beside the name, and of what lies between and around them, in pixels.
const WIDTHS: [f64; 5] = [104.0, 88.0, 68.0, 152.0, 108.0];
const OTHERS: f64 = 72.0 + 76.0 + 148.0 + 3.0 * 12.0;
const AROUND: f64 = 2.0 * 24.0 + 17.0 + 9.0;
const BETWEEN: f64 = 12.0;
/// What a mark behind a name takes, and the least that a name has, in pixels.
const BADGE: f64 = 84.0;
const HEART: f64 = 22.0;
const TAGS: f64 = 64.0;
const LEAST: f64 = 60.0;

/// Each head and its column.
pub(super) const HEADS: [(&[LiveId; 1], Column); 8] = [
    (id!(name), Column::Name),
    (id!(publisher), Column::Publisher),
    (id!(architecture), Column::Architecture),
    (id!(parameters), Column::Parameters),
    (id!(quantisation), Column::Quantisation),
    (id!(size), Column::Size),
    (id!(source), Column::Source),
    (id!(used), Column::Used),
];

/// Shows what all models take.
pub(super) fn fill_disk(cx: &mut Cx, row: &WidgetRef, disk: Option<&DiskView>) {
    let empty = DiskView {
        total: String::new(),
        models: String::new(),
        free: String::new(),
        sources: Vec::new(),
        leftovers: String::new(),
    };
    let disk = disk.unwrap_or(&empty);
    row.text_line(id!(total)).set_text(cx, &disk.total);
    row.text_line(id!(models)).set_text(cx, &disk.models);
    row.text_line(id!(free)).set_text(cx, &disk.free);
    let clean = row.push_button(id!(clean));
    clean.set_visible(cx, !disk.leftovers.is_empty());
    clean.set_text(cx, &disk.leftovers);
    row.disk_bar(id!(bar)).set(&disk.sources);
    let entries = row.stack(id!(legend)).set_rows(cx, disk.sources.len());
    for (source, entry) in disk.sources.iter().zip(entries) {
        entry.source_mark(id!(mark)).set(source.source);
        entry.text_line(id!(name)).set_text(cx, &source.name);
        entry.text_line(id!(size)).set_text(cx, &source.size);
    }
}

/// Shows an import that runs.
pub(super) fn fill_import(cx: &mut Cx, row: &WidgetRef, import: &ImportView) {
    row.text_line(id!(title)).set_text(cx, &import.title);
    row.text_line(id!(sizes)).set_text(cx, &import.sizes);
    row.progress_bar(id!(bar)).set(import.share, Level::Normal);
}

/// Shows by what the table is sorted.
pub(super) fn fill_head(cx: &mut Cx, row: &WidgetRef, state: &AppState, width: f64) {
    let sort = state.my_models.sort;
    for (cell, column) in HEADS {
        let cell = row.widget(cell);
        let is_it = sort.by == column;
        cell.push_button(id!(sort)).set_on(cx, is_it);
        cell.widget(id!(up)).set_visible(cx, is_it && !sort.falling);
        cell.widget(id!(down)).set_visible(cx, is_it && sort.falling);
    }
    show_cells(cx, row, width);
}

/// Shows a model. `tools` are its buttons, while the pointer or the keyboard is there.
pub(super) fn fill_model(
    cx: &mut Cx,
    row: &WidgetRef,
    model: &ModelRow,
    state: &AppState,
    tools: bool,
    width: f64,
) {
    row.as_row().set_on(cx, model.selected);
    row.text_line(id!(name)).set_text(cx, &model.name);
    row.widget(id!(delete)).set_visible(cx, tools);
    fill_source(cx, row, model.source, &model.source_name);
    if let PickerState::Damaged(reason) = &model.state {
        row.text_line(id!(reason)).set_text(cx, &capitalised(reason));
        return show_cells(cx, row, width);
    }
    let (badge, dot) = match &model.state {
        PickerState::Loaded(_) => (say!(state.texts(), "my-models-loaded"), DotKind::Ok),
        PickerState::Loading(share) => {
            let share = crate::state::format::percent(*share);
            (
                say!(state.texts(), "my-models-loading", share = share),
                DotKind::Busy,
            )
        }
        _ => (String::new(), DotKind::Idle),
    };
    row.widget(id!(heart)).set_visible(cx, model.favourite);
    row.widget(id!(loaded)).set_visible(cx, !badge.is_empty());
    row.text_line(id!(loaded.label)).set_text(cx, &badge);
    row.dot(id!(loaded.dot)).set(dot);
    row.text_line(id!(tags)).set_text(cx, &model.tags);
    for (cell, text) in [
        (id!(publisher), &model.publisher),
        (id!(architecture), &model.architecture),
        (id!(parameters), &model.parameters),
        (id!(quantisation), &model.quantisation),
        (id!(size), &model.size),
        (id!(used), &model.used),
    ] {
        row.text_line(cell).set_text(cx, text);
    }
    // What stands behind the name keeps its place.
    let behind = [
        (!badge.is_empty(), BADGE),
        (model.favourite, HEART),
        (!model.tags.is_empty(), TAGS),
    ];
    let behind: f64 = behind.iter().filter(|it| it.0).map(|it| it.1).sum();
    let most = (name_room(width) - behind).max(LEAST);
    row.text_line(id!(name)).set_max_width(most);
    let is_loaded = matches!(model.state, PickerState::Loaded(_));
    row.widget(id!(chat)).set_visible(cx, tools);
    row.widget(id!(set_load)).set_visible(cx, tools && !is_loaded);
    row.widget(id!(eject)).set_visible(cx, is_loaded);
    show_cells(cx, row, width);
}

/// Shows two folders beside each other.
pub(super) fn fill_folders(cx: &mut Cx, row: &WidgetRef, folders: &[FolderRow], state: &AppState) {
    for (card, folder) in [id!(first), id!(second)]
        .into_iter()
        .zip([folders.first(), folders.get(1)])
    {
        let card = row.widget(card);
        card.set_visible(cx, folder.is_some());
        let Some(folder) = folder else { continue };
        card.text_line(id!(label)).set_text(cx, &folder.label);
        card.text_line(id!(models)).set_text(cx, &folder.models);
        card.text_line(id!(tag.label))
            .set_text(cx, &state.texts().say(folder.tag, &[]));
    }
}

fn fill_source(cx: &mut Cx, row: &WidgetRef, source: Source, name: &str) {
    row.source_mark(id!(source.mark)).set(source);
    row.text_line(id!(source.label)).set_text(cx, name);
}

fn show_cells(cx: &mut Cx, row: &WidgetRef, width: f64) {
    for (cell, from) in CELLS {
        row.widget(cell).set_visible(cx, width >= from);
    }
}

/// The width that a name has in a table of this width, in pixels.
fn name_room(width: f64) -> f64 {
    let cells = CELLS.iter().zip(WIDTHS).filter(|((_, from), _)| width >= *from);
    let cells: f64 = cells.map(|(_, cell)| cell + BETWEEN).sum();
    width - AROUND - OTHERS - cells
}

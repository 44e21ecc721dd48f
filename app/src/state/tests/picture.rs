//! Effects and the state as lines of text, for comparing.

use hearth_protocol::chat::attachment::Attachment;

use crate::effect::load::LoadEffect;
use crate::effect::{BackendEffect, Effect, WindowEffect};
use crate::state::chats::ListRow;
use crate::state::composer::ComposerButton;
use crate::state::conversation::Contents;
use crate::state::models::picker::{PickerRow, PickerState};
use crate::state::my_models::clean_up::LeftoverRow;
use crate::state::overlay::Overlay;
use crate::state::overlay::menu::{MenuItem, Then};
use crate::state::overlay::palette::PaletteRow;
use crate::state::search::SearchRow;
use crate::state::{AppState, Page};
use crate::text::{Key, Texts};

/// An effect in one line.
pub(super) fn effect_line(effect: &Effect) -> String {
    match effect {
        Effect::Backend(BackendEffect::Send { run, turn }) => {
            let model = turn.options.model.as_ref().map(|model| format!(" with {model}"));
            format!(
                "send {} to {} {:?}{}{}",
                run.0,
                turn.chat
                    .map_or("a new chat".into(), |chat| format!("chat {chat}")),
                turn.text,
                files_of(turn.attachments.iter()),
                model.unwrap_or_default()
            )
        }
        Effect::Backend(BackendEffect::Regenerate { run, message, .. }) => {
            format!("regenerate {} message {message}", run.0)
        }
        Effect::Backend(BackendEffect::Load { run, request }) => format!("load {} {}", run.0, request.model),
        Effect::Backend(BackendEffect::WriteSettings(settings)) => {
            format!("write settings, theme {:?}", settings.theme)
        }
        Effect::Backend(BackendEffect::LoadDialog(LoadEffect::Estimate { run, .. })) => {
            format!("reckon {}", run.0)
        }
        Effect::Backend(other) => format!("{other:?}"),
        Effect::Window(WindowEffect::ShowLook(look)) => format!("show {:?}", look.shade),
        Effect::Window(WindowEffect::ShowZoom(zoom)) => format!("show {zoom:?}"),
        Effect::Window(wish) => format!("{wish:?}"),
    }
}

/// What the window shows, one line a thing; what is as it is at rest is left out.
pub(super) fn snapshot(state: &AppState) -> String {
    let mut lines = Vec::new();
    if state.page() != Page::Chat {
        lines.push(format!("page {:?}", state.page()));
    }
    if let Some(banner) = state.banner() {
        lines.push(format!("banner {:?}: {}", banner.kind, banner.text));
    }
    for row in state.list_rows() {
        lines.push(match row {
            ListRow::Group(title) => format!("[{title}]"),
            ListRow::Folder(row) => {
                let open = if row.open { "" } else { " closed" };
                format!("/ {} {}{open}", row.name, row.chats)
            }
            ListRow::NewFolder => "/ new".into(),
            ListRow::Chat(row) => {
                let marks = [
                    (row.pinned, " pinned"),
                    (row.nested, " nested"),
                    (row.open, " open"),
                    (row.running, " running"),
                ];
                let marks: String = marks.iter().filter(|mark| mark.0).map(|mark| mark.1).collect();
                format!("- {} {}{marks}", row.title, row.date)
            }
        });
    }
    if let Some(rename) = &state.chats.rename {
        lines.push(format!("renaming {:?} {:?}", rename.of, rename.text));
    }
    if state.search.is_on() {
        lines.push(format!("search {:?}", state.search.words));
        lines.extend(state.search.rows(&state.chats).iter().map(search_line));
    }
    if let Some(overlay) = &state.overlay {
        lines.extend(overlay_lines(state, overlay));
    }
    let header = state.header();
    let eject = if header.can_eject { ", eject" } else { "" };
    lines.push(format!(
        "header {:?} {}: {}{eject}",
        header.dot, header.name, header.doing
    ));
    lines.extend(conversation_lines(state));
    if let Some(card) = state.models.load_card(state.texts()) {
        lines.push(format!("card {} {} {}", card.title, card.percent, card.sizes));
    }
    lines.push(composer_line(state));
    for toast in state.toasts.shown() {
        let action = toast
            .action
            .as_ref()
            .map_or(String::new(), |action| format!(" [{}]", said(action.label())));
        lines.push(format!(
            "toast {:?} {}: {}{action}",
            toast.kind, toast.title, toast.text
        ));
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

/// The names of files behind a text.
fn files_of<'a>(files: impl Iterator<Item = &'a Attachment>) -> String {
    files.map(|file| format!(" [{}]", file.name)).collect()
}

/// Words in English.
fn said(key: Key) -> String {
    Texts::default().say(key, &[])
}

fn search_line(row: &SearchRow<'_>) -> String {
    match row {
        SearchRow::Group(title) => format!("  [{}]", said(*title)),
        SearchRow::Hit { hit, chosen, .. } => {
            let marked: Vec<_> = hit.marks.iter().map(|(from, to)| &hit.text[*from..*to]).collect();
            let chosen = if *chosen { " chosen" } else { "" };
            format!("  - {}: {} {marked:?}{chosen}", hit.title, hit.text)
        }
        SearchRow::Nothing => "  nothing".into(),
        SearchRow::Failed(reason) => format!("  failed: {reason}"),
    }
}

fn overlay_lines(state: &AppState, overlay: &Overlay) -> Vec<String> {
    match overlay {
        Overlay::TextView(view) => {
            vec![format!("text to select, {}: {:?}", view.title, view.text)]
        }
        Overlay::Menu(menu) => {
            let items = state.menu_items(menu.of).into_iter().enumerate();
            let line = |(index, item): (usize, MenuItem)| {
                let marks = [
                    (item.apart, " apart"),
                    (item.danger, " danger"),
                    (matches!(item.then, Then::Open(_)), " opens"),
                    (menu.chosen == Some(index), " chosen"),
                ];
                let marks: String = marks.iter().filter(|mark| mark.0).map(|mark| mark.1).collect();
                format!("  {:?} {} {}{marks}", item.glyph, item.label, item.keys)
            };
            std::iter::once(format!("menu {:?}", menu.of))
                .chain(items.map(line))
                .map(|line| line.trim_end().to_owned())
                .collect()
        }
        Overlay::Confirm(confirm) => vec![format!(
            "confirm {} {} [{}]",
            confirm.title, confirm.text, confirm.button
        )],
        Overlay::Link(link) => vec![format!("link {} {:?}", said(link.title()), link.shown())],
        Overlay::PathForm(form) => {
            let running = if form.running { " running" } else { "" };
            let fault = form
                .fault
                .as_deref()
                .map_or(String::new(), |fault| format!(" fault: {fault}"));
            vec![format!("{} {:?}{running}{fault}", said(form.title()), form.path)]
        }
        Overlay::Palette(palette) => {
            let mut number = 0;
            let mut lines = vec![format!("palette {:?}", palette.words)];
            for row in state.palette_rows(palette) {
                lines.push(match row {
                    PaletteRow::Group(title) => format!("  [{title}]"),
                    PaletteRow::Nothing => "  nothing".into(),
                    PaletteRow::Entry(entry) => {
                        let chosen = if palette.chosen == number { " chosen" } else { "" };
                        number += 1;
                        format!("  {} {} {}{chosen}", entry.label, entry.detail, entry.keys)
                    }
                });
            }
            lines
        }
        Overlay::LoadDialog(_) => load_lines(state),
        Overlay::ImportModel(form) => {
            let fault = form.fault.iter().map(|fault| format!(" fault: {fault}"));
            vec![format!(
                "import {:?} {:?}{}",
                form.path,
                form.mode,
                fault.collect::<String>()
            )]
        }
        Overlay::CleanUp(dialog) => {
            let rows = state.leftover_rows(dialog).into_iter();
            let line = |row: LeftoverRow| {
                let tick = if row.ticked { "x" } else { " " };
                format!("  [{tick}] {} {} {}", row.path, row.reason, row.size)
            };
            let button = state.clean_up_button(dialog).unwrap_or_default();
            let head = format!("clean up: {} [{button}]", state.clean_up_words(dialog));
            std::iter::once(head).chain(rows.map(line)).collect()
        }
        Overlay::FirstStart(steps) => vec![format!("first start {:?}", steps.step)],
        Overlay::Picker(picker) => {
            let rows = state.models.picker_rows(&picker.words, state.texts());
            let chosen = picker.chosen(&rows).map(|model| &model.file);
            let line = |row: &PickerRow| {
                let is_chosen = matches!(row, PickerRow::Model(model) if Some(&model.file) == chosen);
                let mark = if is_chosen { " chosen" } else { "" };
                picker_line(state, row) + mark
            };
            std::iter::once(format!("picker {:?}", picker.words))
                .chain(rows.iter().map(line))
                .collect()
        }
    }
}

fn load_lines(state: &AppState) -> Vec<String> {
    let Some(shown) = state.load_view() else {
        return Vec::new();
    };
    let mut lines = vec![format!("{} ({}): {}", shown.title, shown.about, shown.fit.words)];
    for bar in &shown.bars {
        lines.push(format!("  {} {:.2?} {}", bar.name, bar.ends, bar.words));
    }
    for number in shown
        .numbers
        .iter()
        .filter(|number| number.usual.is_some() || number.share.is_some())
    {
        let (label, help) = (said(number.shape.label), &number.help);
        let problem = number
            .problem
            .as_ref()
            .map_or(String::new(), |why| format!(" problem: {why}"));
        let usual = number
            .usual
            .as_ref()
            .map_or(String::new(), |usual| format!(" usual {usual}"));
        lines.push(format!("  {label} {:?} ({help}){usual}{problem}", number.text));
    }
    for (field, text, fault) in &shown.texts {
        if !text.is_empty() {
            lines.push(format!("  {field:?} {text:?} {fault:?}"));
        }
    }
    lines.extend(shown.trouble.map(|why| format!("  trouble: {why}")));
    let marks = [
        (shown.can_force, "force"),
        (shown.can_reset, "reset"),
        (shown.can_load, "load"),
    ];
    let marks: Vec<_> = marks.iter().filter(|mark| mark.0).map(|mark| mark.1).collect();
    lines.push(format!("  {}", marks.join(" ")));
    lines.extend(shown.progress.map(|(_, words)| format!("  {words}")));
    lines
}

fn conversation_lines(state: &AppState) -> Vec<String> {
    let open = state.open();
    let mut lines = vec![format!(
        "{}{}",
        open.chat.map_or("new chat".into(), |chat| format!("chat {chat}")),
        match &open.contents {
            Contents::Here => String::new(),
            Contents::Reading => ", being read".into(),
            Contents::Failed(error) => format!(", not read: {error}"),
        }
    )];
    if let Some(greeting) = state.greeting() {
        lines.push(format!("  {}", said(greeting.title)));
    }
    for (index, entry) in open.entries.iter().enumerate() {
        let who = if entry.from_person { ">" } else { "<" };
        let id = entry.id.map_or("-".into(), |id| id.to_string());
        let version = match entry.version {
            (0, 1) => String::new(),
            (at, count) => format!(" {}/{count}", at + 1),
        };
        let files: String = entry
            .files
            .iter()
            .map(|file| format!(" [{}]", file.name))
            .collect();
        lines.push(format!("  {who} {id} {:?}{files}{version}", entry.body.text()));
        if open.is_written(index)
            && let Some(waiting) = open.turn.as_ref().and_then(|turn| turn.waiting(state.texts()))
        {
            lines.push(
                format!("    {} {}", said(waiting.what), waiting.how_far)
                    .trim_end()
                    .to_owned(),
            );
        }
        let stats = open.stats_line(index, state.texts());
        if !stats.is_empty() {
            lines.push(format!("    {stats}"));
        }
        if let Some(failure) = &entry.failure {
            lines.push(format!(
                "    failure {}: {}",
                said(failure.title),
                failure.text(state.texts())
            ));
        }
    }
    if let Some(editing) = &open.editing {
        lines.push(format!("  editing {} {:?}", editing.message, editing.text));
    }
    let queued = open.queue.iter();
    lines.extend(queued.map(|queued| {
        let files = files_of(queued.message.files.iter());
        format!("  waits {:?}{files}", queued.message.text)
    }));
    lines
}

fn picker_line(state: &AppState, row: &PickerRow) -> String {
    match row {
        PickerRow::Group(title) => format!("  [{}]", said(*title)),
        PickerRow::NoMatch => "  no match".into(),
        PickerRow::NoModel => "  no model".into(),
        PickerRow::Model(model) => {
            let quantisation = model.quantisation.as_deref().unwrap_or("?");
            let model_state = match &model.state {
                PickerState::Loaded(id) => format!("loaded as {id}"),
                PickerState::Loading(share) => format!("loading {share}"),
                PickerState::Ready => "ready".into(),
                PickerState::Damaged(reason) => format!("damaged: {reason}"),
            };
            let abilities: String = model
                .ability_words(state.texts())
                .iter()
                .map(|word| format!(", {word}"))
                .collect();
            format!(
                "  {} {quantisation} {}{abilities}, {model_state}",
                model.name, model.size
            )
        }
    }
}

fn composer_line(state: &AppState) -> String {
    let composer = state.composer();
    let button = match composer.button {
        ComposerButton::Send { enabled: true } => "send",
        ComposerButton::Send { enabled: false } => "(send)",
        ComposerButton::Stop { enabled: true } => "stop",
        ComposerButton::Stop { enabled: false } => "(stop)",
    };
    let text = if composer.draft.is_empty() {
        format!("<{}>", said(composer.placeholder))
    } else {
        format!("{:?}", composer.draft)
    };
    let meter = composer
        .meter
        .map_or(String::new(), |meter| format!(" {}", meter.label()));
    let obstacle = composer
        .obstacle
        .map_or(String::new(), |obstacle| format!(" {obstacle:?}"));
    let files: String = composer
        .files
        .iter()
        .map(|file| format!(" [{} {}]", file.name, file.size))
        .collect();
    let tokens = if composer.tokens.is_empty() {
        String::new()
    } else {
        format!(" {}", composer.tokens)
    };
    format!("composer {text}{files} {button}{tokens}{meter}{obstacle}")
}

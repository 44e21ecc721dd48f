//! The command palette: every action, model and chat, found by a few letters.

use hearth_protocol::settings::Theme;

use super::Glyph;
use crate::msg::Msg;
use crate::msg::panel::PanelMsg;
use crate::state::models::{PickerRow, PickerState};
use crate::state::{AppState, Page};

/// Most chats and models that are offered: who looks further types more.
const MOST: usize = 8;

/// The palette while it is open.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Palette {
    /// What was typed.
    pub(crate) words: String,
    /// The entry that Enter runs.
    pub(crate) chosen: usize,
}

/// A row of the palette.
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "a few dozen at a time, while the palette is open"
)]
pub(crate) enum PaletteRow {
    /// The title of a group.
    Group(&'static str),
    /// Something to do.
    Entry(PaletteEntry),
    /// Nothing was found.
    Nothing,
}

/// Something that the palette does.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PaletteEntry {
    /// Its icon.
    pub(crate) glyph: Glyph,
    /// Its words.
    pub(crate) label: String,
    /// More of it.
    pub(crate) detail: String,
    /// The keys that do the same.
    pub(crate) keys: &'static str,
    /// What it does.
    pub(crate) then: Msg,
}

impl PaletteEntry {
    fn new(glyph: Glyph, label: impl Into<String>, keys: &'static str, then: Msg) -> Self {
        Self {
            glyph,
            label: label.into(),
            detail: String::new(),
            keys,
            then,
        }
    }

    /// Whether all words stand in it, each at the beginning of a word.
    fn has(&self, words: &[String]) -> bool {
        let text = format!("{} {}", self.label, self.detail).to_lowercase();
        let begins = |word: &String| {
            text.match_indices(word.as_str())
                .any(|(at, _)| !text[..at].ends_with(char::is_alphanumeric))
        };
        words.iter().all(begins)
    }
}

/// Which groups are looked through, by the sign before the words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    All,
    Commands,
    Chats,
    Models,
}

impl AppState {
    /// The rows for what was typed.
    pub(crate) fn palette_rows(&self, palette: &Palette) -> Vec<PaletteRow> {
        let (scope, words) = match palette.words.trim_start().split_at_checked(1) {
            Some((">", rest)) => (Scope::Commands, rest),
            Some(("@", rest)) => (Scope::Chats, rest),
            Some(("#", rest)) => (Scope::Models, rest),
            _ => (Scope::All, palette.words.as_str()),
        };
        let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
        let mut rows = Vec::new();
        let mut group = |title, of, most: usize, entries: Vec<PaletteEntry>| {
            if scope != Scope::All && scope != of {
                return;
            }
            let most = if scope == Scope::All { most } else { usize::MAX };
            let entries = entries.into_iter().filter(|entry| entry.has(&words)).take(most);
            let mut entries = entries.map(PaletteRow::Entry).peekable();
            rows.extend(entries.peek().map(|_| PaletteRow::Group(title)));
            rows.extend(entries);
        };
        // Commands come first until something is looked for.
        if words.is_empty() {
            group("Commands", Scope::Commands, usize::MAX, self.commands());
            group("Models", Scope::Models, MOST, self.model_entries());
        } else {
            group("Models", Scope::Models, MOST, self.model_entries());
            group("Commands", Scope::Commands, usize::MAX, self.commands());
        }
        group("Chats", Scope::Chats, MOST, self.chat_entries());
        if rows.is_empty() {
            rows.push(PaletteRow::Nothing);
        }
        rows
    }

    fn model_entries(&self) -> Vec<PaletteEntry> {
        let rows = self.models.picker_rows();
        let ready = rows.into_iter().filter_map(|row| match row {
            PickerRow::Model(model) if model.state == PickerState::Ready => Some(model),
            _ => None,
        });
        ready
            .map(|model| PaletteEntry {
                detail: match &model.quantisation {
                    Some(quantisation) => format!("{quantisation}, {}", model.size),
                    None => model.size.clone(),
                },
                ..PaletteEntry::new(
                    Glyph::Models,
                    format!("Load {}", model.name),
                    "",
                    Msg::Load(model.file.clone()),
                )
            })
            .collect()
    }

    fn chat_entries(&self) -> Vec<PaletteEntry> {
        let entry = |summary: &hearth_protocol::chat::ChatSummary| PaletteEntry {
            detail: self.present().label(summary.updated_at),
            ..PaletteEntry::new(Glyph::Chat, &summary.title, "", Msg::OpenChat(summary.id))
        };
        self.chats.all().iter().map(entry).collect()
    }

    fn commands(&self) -> Vec<PaletteEntry> {
        let new = PaletteEntry::new;
        let mut entries = vec![
            new(Glyph::NewChat, "New chat", "Ctrl N", Msg::NewChat),
            new(Glyph::Search, "Search chats", "Ctrl F", Msg::FocusSearch),
            new(Glyph::Folder, "New folder", "", Msg::BeginFolder(None)),
            new(Glyph::Import, "Import chats", "", Msg::AskImport),
            new(Glyph::Models, "Choose a model", "Ctrl M", Msg::TogglePicker),
            new(
                Glyph::Settings,
                "Chat settings",
                "Ctrl I",
                Msg::Panel(PanelMsg::Toggle),
            ),
        ];
        if let Some(model) = self.models.current() {
            let label = format!("Eject {}", model.name);
            entries.push(PaletteEntry::new(
                Glyph::Eject,
                label,
                "Ctrl E",
                Msg::EjectCurrent,
            ));
        }
        entries.extend(self.open_chat_commands());
        entries.extend([
            new(Glyph::Chat, "Show chats", "Ctrl 1", Msg::ShowPage(Page::Chat)),
            new(
                Glyph::Discover,
                "Show Discover",
                "Ctrl 2",
                Msg::ShowPage(Page::Discover),
            ),
            new(
                Glyph::Models,
                "Show my models",
                "Ctrl 3",
                Msg::ShowPage(Page::Models),
            ),
            new(
                Glyph::Server,
                "Show the server",
                "Ctrl 4",
                Msg::ShowPage(Page::Server),
            ),
            new(
                Glyph::Downloads,
                "Show downloads",
                "Ctrl J",
                Msg::ShowPage(Page::Downloads),
            ),
            new(
                Glyph::Settings,
                "Show settings",
                "Ctrl ,",
                Msg::ShowPage(Page::Settings),
            ),
        ]);
        entries.push(match self.theme() {
            Theme::Dark => new(Glyph::Sun, "Light theme", "", Msg::SetTheme(Theme::Light)),
            Theme::Light => new(Glyph::Moon, "Dark theme", "", Msg::SetTheme(Theme::Dark)),
        });
        entries
    }

    /// What can be done with the open chat.
    fn open_chat_commands(&self) -> Vec<PaletteEntry> {
        let new = PaletteEntry::new;
        let open = self.open();
        let mut entries = Vec::new();
        if open.is_running() {
            entries.push(new(Glyph::Stop, "Stop the answer", "Esc", Msg::Stop));
        }
        let last = open.entries.len().checked_sub(1);
        if last.is_some_and(|last| open.can_answer_again(last)) {
            entries.push(new(
                Glyph::Regenerate,
                "Regenerate the answer",
                "Ctrl R",
                Msg::RegenerateLast,
            ));
        }
        if let Some(message) = last
            .filter(|last| open.can_go_on(*last))
            .and_then(|last| open.entries[last].id)
        {
            entries.push(new(
                Glyph::Continue,
                "Continue the answer",
                "",
                Msg::Continue(message),
            ));
        }
        if open.last_answer().is_some() {
            entries.push(new(
                Glyph::Copy,
                "Copy the last answer",
                "Ctrl Shift C",
                Msg::CopyLastAnswer,
            ));
        }
        let Some(chat) = open.chat.and_then(|chat| self.chats.get(chat)) else {
            return entries;
        };
        let (pin, pinned) = if chat.pinned {
            ((Glyph::Unpin, "Unpin this chat"), false)
        } else {
            ((Glyph::Pin, "Pin this chat"), true)
        };
        let chat = chat.id;
        entries.extend([
            new(Glyph::Edit, "Rename this chat", "F2", Msg::BeginRename(chat)),
            new(pin.0, pin.1, "", Msg::PinChat { chat, pinned }),
            new(Glyph::Copy, "Duplicate this chat", "", Msg::DuplicateChat(chat)),
            new(
                Glyph::Export,
                "Export this chat as Markdown",
                "",
                Msg::AskExport {
                    chat,
                    format: hearth_protocol::chat::list::ExportFormat::Markdown,
                },
            ),
            new(
                Glyph::Export,
                "Export this chat as JSON",
                "",
                Msg::AskExport {
                    chat,
                    format: hearth_protocol::chat::list::ExportFormat::Json,
                },
            ),
            new(Glyph::Trash, "Delete this chat", "", Msg::DeleteChat(chat)),
        ]);
        entries
    }
}

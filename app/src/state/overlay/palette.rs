//! The command palette: every action, model and chat, found by a few letters.

use hearth_protocol::chat::list::ExportFormat;

use super::Glyph;
use crate::msg::Msg;
use crate::msg::composer::ComposerMsg;
use crate::msg::downloads::DownloadsMsg;
use crate::msg::load::LoadMsg;
use crate::msg::my_models::MyModelsMsg;
use crate::msg::panel::PanelMsg;
use crate::msg::settings::{SettingsMsg, ZoomStep};
use crate::state::appearance::Shade;
use crate::state::conversation::Entry;
use crate::state::models::picker::{PickerRow, PickerState};
use crate::state::settings::Part;
use crate::state::shortcuts::Action;
use crate::state::{AppState, Page};
use crate::text::{Key, key, say};

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
    Group(String),
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
    /// The keys that do the same; empty where there are none.
    pub(crate) keys: String,
    /// What it does.
    pub(crate) then: Msg,
}

impl PaletteEntry {
    fn new(glyph: Glyph, label: impl Into<String>, then: Msg) -> Self {
        Self {
            glyph,
            label: label.into(),
            detail: String::new(),
            keys: String::new(),
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
        let mut group = |title: String, of, most: usize, entries: Vec<PaletteEntry>| {
            if scope != Scope::All && scope != of {
                return;
            }
            let most = if scope == Scope::All { most } else { usize::MAX };
            let entries = entries.into_iter().filter(|entry| entry.has(&words)).take(most);
            let mut entries = entries.map(PaletteRow::Entry).peekable();
            rows.extend(entries.peek().map(|_| PaletteRow::Group(title)));
            rows.extend(entries);
        };
        let commands = say!(self.texts(), "palette-commands");
        let models = say!(self.texts(), "palette-models");
        // Commands come first until something is looked for.
        if words.is_empty() {
            group(commands, Scope::Commands, usize::MAX, self.commands());
            group(models, Scope::Models, MOST, self.model_entries());
        } else {
            group(models, Scope::Models, MOST, self.model_entries());
            group(commands, Scope::Commands, usize::MAX, self.commands());
        }
        let chats = say!(self.texts(), "palette-chats");
        group(chats, Scope::Chats, MOST, self.chat_entries());
        if rows.is_empty() {
            rows.push(PaletteRow::Nothing);
        }
        rows
    }

    fn model_entries(&self) -> Vec<PaletteEntry> {
        let rows = self.models.picker_rows("", self.texts());
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
                    say!(self.texts(), "command-load", model = model.name.as_str()),
                    Msg::Load(model.file.clone()),
                )
            })
            .collect()
    }

    fn chat_entries(&self) -> Vec<PaletteEntry> {
        let entry = |summary: &hearth_protocol::chat::ChatSummary| PaletteEntry {
            detail: self.present().label(summary.updated_at),
            ..PaletteEntry::new(Glyph::Chat, &summary.title, Msg::OpenChat(summary.id))
        };
        self.chats.all().iter().map(entry).collect()
    }

    /// A command that has keys, or may be given some.
    fn action_entry(&self, glyph: Glyph, action: Action, then: Msg) -> PaletteEntry {
        PaletteEntry {
            keys: self.keys(action),
            ..PaletteEntry::new(glyph, self.texts().say(action.words(), &[]), then)
        }
    }

    fn commands(&self) -> Vec<PaletteEntry> {
        let new = PaletteEntry::new;
        let mut entries = vec![
            self.action_entry(Glyph::NewChat, Action::NewChat, Msg::NewChat),
            self.action_entry(Glyph::Search, Action::Search, Msg::FocusSearch),
            new(
                Glyph::Folder,
                say!(self.texts(), "command-new-folder"),
                Msg::BeginFolder(None),
            ),
            new(
                Glyph::Import,
                say!(self.texts(), "command-import"),
                Msg::AskImport,
            ),
            new(
                Glyph::Import,
                say!(self.texts(), "command-import-model"),
                Msg::MyModels(MyModelsMsg::AskImport),
            ),
            new(
                Glyph::Folder,
                say!(self.texts(), "command-add-folder"),
                Msg::MyModels(MyModelsMsg::AskFolder),
            ),
            new(
                Glyph::Trash,
                say!(self.texts(), "command-clean-up"),
                Msg::MyModels(MyModelsMsg::AskCleanUp),
            ),
            self.action_entry(Glyph::Models, Action::PickModel, Msg::TogglePicker),
            self.action_entry(Glyph::Settings, Action::ShowPanel, Msg::Panel(PanelMsg::Toggle)),
        ];
        if let Some((file, name)) = self.panel_model() {
            entries.push(PaletteEntry {
                label: say!(self.texts(), "command-set-load", model = name),
                ..self.action_entry(
                    Glyph::Settings,
                    Action::SetLoad,
                    Msg::LoadDialog(LoadMsg::Open(Some(file))),
                )
            });
        }
        if let Some(model) = self.models.current() {
            entries.push(PaletteEntry {
                label: say!(self.texts(), "command-eject", model = model.name.as_str()),
                ..self.action_entry(Glyph::Eject, Action::Eject, Msg::EjectCurrent)
            });
        }
        entries.push(new(
            Glyph::Attach,
            say!(self.texts(), "command-attach"),
            Msg::Composer(ComposerMsg::AskFile),
        ));
        entries.extend(self.open_chat_commands());
        let pages = [
            (Glyph::Chat, Action::ShowChat, Page::Chat),
            (Glyph::Discover, Action::ShowDiscover, Page::Discover),
            (Glyph::Models, Action::ShowModels, Page::Models),
            (Glyph::Server, Action::ShowServer, Page::Server),
            (Glyph::Settings, Action::ShowSettings, Page::Settings),
        ];
        entries
            .extend(pages.map(|(glyph, action, page)| self.action_entry(glyph, action, Msg::ShowPage(page))));
        let downloads = Msg::Downloads(DownloadsMsg::Toggle);
        entries.push(self.action_entry(Glyph::Downloads, Action::ShowDownloads, downloads));
        entries.extend(self.download_commands());
        entries.extend(self.settings_commands());
        entries.extend(self.look_commands());
        entries.push(new(
            Glyph::Chat,
            say!(self.texts(), "command-first-start"),
            Msg::ShowFirstStart,
        ));
        entries
    }

    /// What can be done with all downloads.
    fn download_commands(&self) -> Vec<PaletteEntry> {
        let can = self.downloads_text();
        let offered = [
            (
                can.can_pause,
                Glyph::Pause,
                key!("command-pause-downloads"),
                DownloadsMsg::PauseAll,
            ),
            (
                can.can_resume,
                Glyph::Play,
                key!("command-resume-downloads"),
                DownloadsMsg::ResumeAll,
            ),
        ];
        let offered = offered.into_iter().filter(|(can, ..)| *can);
        offered
            .map(|(_, glyph, words, msg)| {
                PaletteEntry::new(glyph, self.texts().say(words, &[]), Msg::Downloads(msg))
            })
            .collect()
    }

    /// Shows a part of the settings.
    fn settings_commands(&self) -> Vec<PaletteEntry> {
        let entry = |(part, title): (Part, Key)| {
            let title = self.texts().say(title, &[]);
            PaletteEntry::new(
                Glyph::Settings,
                say!(self.texts(), "command-settings-part", part = title),
                Msg::Settings(SettingsMsg::OpenPart(part)),
            )
        };
        Part::ALL.into_iter().map(entry).collect()
    }

    /// What changes the look.
    fn look_commands(&self) -> [PaletteEntry; 4] {
        let other = self.look().shade.other();
        let (glyph, label) = match other {
            Shade::Light => (Glyph::Sun, say!(self.texts(), "command-light-theme")),
            Shade::Dark => (Glyph::Moon, say!(self.texts(), "command-dark-theme")),
        };
        let theme = Msg::Settings(SettingsMsg::Theme(other.theme()));
        let zoom = |action, words: Key, step| PaletteEntry {
            label: self.texts().say(words, &[]),
            ..self.action_entry(Glyph::Search, action, Msg::Settings(SettingsMsg::Zoom(step)))
        };
        [
            PaletteEntry::new(glyph, label, theme),
            zoom(Action::ZoomIn, key!("command-zoom-in"), ZoomStep::Larger),
            zoom(Action::ZoomOut, key!("command-zoom-out"), ZoomStep::Smaller),
            zoom(Action::ZoomUsual, key!("command-zoom-usual"), ZoomStep::Usual),
        ]
    }

    /// What can be done with the open chat.
    fn open_chat_commands(&self) -> Vec<PaletteEntry> {
        let new = PaletteEntry::new;
        let open = self.open();
        let mut entries = Vec::new();
        if open.is_running() {
            entries.push(PaletteEntry {
                keys: say!(self.texts(), "key-escape"),
                ..new(Glyph::Stop, say!(self.texts(), "command-stop"), Msg::Stop)
            });
        }
        let last = open.entries.len().checked_sub(1);
        if last.is_some_and(|last| open.can_answer_again(last)) {
            entries.push(self.action_entry(Glyph::Regenerate, Action::Regenerate, Msg::RegenerateLast));
        }
        if let Some(message) = last
            .filter(|last| open.can_go_on(*last))
            .and_then(|last| open.entries[last].id)
        {
            let label = say!(self.texts(), "command-continue");
            entries.push(new(Glyph::Continue, label, Msg::Continue(message)));
        }
        if let Some(answer) = open.last_answer() {
            entries.push(self.action_entry(Glyph::Copy, Action::CopyAnswer, Msg::CopyLastAnswer));
            let label = say!(self.texts(), "command-select-text");
            let select = |message| new(Glyph::Text, label, Msg::SelectText(message));
            entries.extend(answer.id.map(select));
        }
        let is_said = |entry: &Entry| entry.from_person && entry.id.is_some();
        if open.can_change() && open.entries.iter().any(is_said) {
            let label = say!(self.texts(), "command-edit-last");
            entries.push(new(Glyph::Edit, label, Msg::EditLast));
        }
        let Some(chat) = open.chat.and_then(|chat| self.chats.get(chat)) else {
            return entries;
        };
        let (glyph, pin, pinned) = if chat.pinned {
            (Glyph::Unpin, say!(self.texts(), "command-unpin"), false)
        } else {
            (Glyph::Pin, say!(self.texts(), "command-pin"), true)
        };
        let chat = chat.id;
        let export = |format| Msg::AskExport { chat, format };
        entries.extend([
            PaletteEntry {
                label: say!(self.texts(), "command-rename"),
                ..self.action_entry(Glyph::Edit, Action::Rename, Msg::BeginRename(chat))
            },
            new(glyph, pin, Msg::PinChat { chat, pinned }),
            new(
                Glyph::Copy,
                say!(self.texts(), "command-duplicate"),
                Msg::DuplicateChat(chat),
            ),
            new(
                Glyph::Export,
                say!(self.texts(), "command-export-markdown"),
                export(ExportFormat::Markdown),
            ),
            new(
                Glyph::Export,
                say!(self.texts(), "command-export-json"),
                export(ExportFormat::Json),
            ),
            new(
                Glyph::Trash,
                say!(self.texts(), "command-delete"),
                Msg::DeleteChat(chat),
            ),
        ]);
        entries
    }
}

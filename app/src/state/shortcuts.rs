//! The keys of everything that can be done from anywhere: one table, which the keyboard, the tooltips, the menus, the
//! palette and the settings read. The person can give an action other keys.

pub(crate) mod chord;
pub(crate) mod recording;

use hearth_protocol::chat::Role;
use hearth_protocol::settings::Settings;

use super::chats::{ListRow, RowKey};
use super::{AppState, Page};
use crate::msg::Msg;
use crate::msg::downloads::DownloadsMsg;
use crate::msg::load::LoadMsg;
use crate::msg::panel::PanelMsg;
use crate::msg::settings::{SettingsMsg, ZoomStep};
use crate::text::{Key, Texts, key};
use chord::Chord;

/// Something that has keys of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Action {
    /// Opens the palette, or closes it.
    Palette,
    /// Looks for chats.
    Search,
    /// A new chat.
    NewChat,
    /// Renames the chat or folder that has the keyboard, else the open chat.
    Rename,
    /// The chat above the open one.
    ChatAbove,
    /// The chat below it.
    ChatBelow,
    /// Makes the last answer anew.
    Regenerate,
    /// Shows the version before of the last answer.
    OlderVersion,
    /// Shows the next one.
    NewerVersion,
    /// Copies the last answer.
    CopyAnswer,
    /// Puts the draft at the end of the chat without asking for an answer.
    Insert,
    /// Opens the model picker.
    PickModel,
    /// Opens the dialog that sets how a model is loaded.
    SetLoad,
    /// Takes the model out of memory.
    Eject,
    /// Opens the panel beside the chat, or closes it.
    ShowPanel,
    /// The page of chats.
    ShowChat,
    /// The page that finds models.
    ShowDiscover,
    /// The page of model files.
    ShowModels,
    /// The page of the server.
    ShowServer,
    /// Opens the panel of downloads, or closes it.
    ShowDownloads,
    /// The page of settings.
    ShowSettings,
    /// The next pane of the window.
    NextPane,
    /// The pane before.
    PaneBefore,
    /// Everything larger.
    ZoomIn,
    /// Everything smaller.
    ZoomOut,
    /// Everything in its usual size.
    ZoomUsual,
}

/// An action, its name in the settings, its words, and its usual keys.
type Entry = (Action, &'static str, Key, &'static str);

/// All actions, as the settings list them.
const TABLE: &[Entry] = &[
    (Action::Palette, "palette", key!("shortcut-palette"), "mod+k"),
    (Action::Search, "search", key!("shortcut-search"), "mod+f"),
    (Action::NewChat, "new_chat", key!("shortcut-new-chat"), "mod+n"),
    (Action::Rename, "rename", key!("shortcut-rename"), "f2"),
    (
        Action::ChatAbove,
        "chat_above",
        key!("shortcut-chat-above"),
        "mod+pageup",
    ),
    (
        Action::ChatBelow,
        "chat_below",
        key!("shortcut-chat-below"),
        "mod+pagedown",
    ),
    (
        Action::Regenerate,
        "regenerate",
        key!("shortcut-regenerate"),
        "mod+r",
    ),
    (
        Action::OlderVersion,
        "older_version",
        key!("shortcut-older-version"),
        "alt+left",
    ),
    (
        Action::NewerVersion,
        "newer_version",
        key!("shortcut-newer-version"),
        "alt+right",
    ),
    (
        Action::CopyAnswer,
        "copy_answer",
        key!("shortcut-copy-answer"),
        "mod+shift+c",
    ),
    (Action::Insert, "insert", key!("shortcut-insert"), "mod+enter"),
    (
        Action::PickModel,
        "pick_model",
        key!("shortcut-pick-model"),
        "mod+m",
    ),
    (
        Action::SetLoad,
        "set_load",
        key!("shortcut-set-load"),
        "mod+shift+m",
    ),
    (Action::Eject, "eject", key!("shortcut-eject"), "mod+e"),
    (
        Action::ShowPanel,
        "show_panel",
        key!("shortcut-show-panel"),
        "mod+i",
    ),
    (Action::ShowChat, "show_chat", key!("shortcut-show-chat"), "mod+1"),
    (
        Action::ShowDiscover,
        "show_discover",
        key!("shortcut-show-discover"),
        "mod+2",
    ),
    (
        Action::ShowModels,
        "show_models",
        key!("shortcut-show-models"),
        "mod+3",
    ),
    (
        Action::ShowServer,
        "show_server",
        key!("shortcut-show-server"),
        "mod+4",
    ),
    (
        Action::ShowDownloads,
        "show_downloads",
        key!("shortcut-show-downloads"),
        "mod+j",
    ),
    (
        Action::ShowSettings,
        "show_settings",
        key!("shortcut-show-settings"),
        "mod+comma",
    ),
    (Action::NextPane, "next_pane", key!("shortcut-next-pane"), "f6"),
    (
        Action::PaneBefore,
        "pane_before",
        key!("shortcut-pane-before"),
        "shift+f6",
    ),
    (Action::ZoomIn, "zoom_in", key!("shortcut-zoom-in"), "mod+plus"),
    (
        Action::ZoomOut,
        "zoom_out",
        key!("shortcut-zoom-out"),
        "mod+minus",
    ),
    (
        Action::ZoomUsual,
        "zoom_usual",
        key!("shortcut-zoom-usual"),
        "mod+0",
    ),
];

impl Action {
    /// All of them, as the settings list them.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|(action, ..)| *action)
    }

    /// Its name in the settings.
    pub(crate) fn name(self) -> &'static str {
        self.entry().1
    }

    /// What it does, in words.
    pub(crate) fn words(self) -> Key {
        self.entry().2
    }

    /// The keys it has as long as the person gives it no others.
    pub(crate) fn usual(self) -> Option<Chord> {
        Chord::read(self.entry().3)
    }

    /// The keys it has in these settings.
    pub(crate) fn chord(self, settings: &Settings) -> Option<Chord> {
        match settings.shortcuts.get(self.name()) {
            Some(keys) if keys.is_empty() => None,
            // What nobody can read, as of a newer Hearth, leaves the usual ones.
            Some(keys) => Chord::read(keys).or_else(|| self.usual()),
            None => self.usual(),
        }
    }

    fn entry(self) -> &'static Entry {
        let entry = TABLE.iter().find(|(action, ..)| *action == self);
        // A test goes through all of them.
        entry.unwrap_or(&TABLE[0])
    }
}

/// Words with the keys of an action behind them, for tooltips.
pub(crate) fn with_keys(texts: &Texts, settings: &Settings, words: Key, action: Action) -> String {
    let words = texts.say(words, &[]);
    match action.chord(settings) {
        Some(chord) => format!("{words}  {}", chord.label(texts)),
        None => words,
    }
}

impl AppState {
    /// The keys of an action, as a person reads them; empty where it has none.
    pub(crate) fn keys(&self, action: Action) -> String {
        let chord = action.chord(self.settings());
        chord.map_or_else(String::new, |chord| chord.label(self.texts()))
    }

    /// The action that has these keys.
    pub(crate) fn action_of(&self, chord: Chord) -> Option<Action> {
        Action::all().find(|action| action.chord(self.settings()) == Some(chord))
    }

    /// What an action does now. `row` is the row of the list that has the keyboard, which comes before the open chat.
    pub(crate) fn message_of(&self, action: Action, row: Option<RowKey>) -> Option<Msg> {
        Some(match action {
            Action::Palette => Msg::TogglePalette,
            Action::Search => Msg::FocusSearch,
            Action::NewChat => Msg::NewChat,
            Action::Rename => match row {
                Some(RowKey::Chat(chat)) => Msg::BeginRename(chat),
                Some(RowKey::Folder(folder)) => Msg::BeginRenameFolder(folder),
                Some(RowKey::NewFolder) => return None,
                // The table of models has the key for itself.
                None if self.page() == Page::Models => return None,
                None => Msg::BeginRename(self.open().chat?),
            },
            Action::ChatAbove => self.neighbour(true)?,
            Action::ChatBelow => self.neighbour(false)?,
            Action::Regenerate => Msg::RegenerateLast,
            Action::OlderVersion | Action::NewerVersion if !self.steps_versions() => return None,
            Action::OlderVersion => Msg::StepVersion { back: true },
            Action::NewerVersion => Msg::StepVersion { back: false },
            Action::CopyAnswer => Msg::CopyLastAnswer,
            Action::Insert if self.page() != Page::Chat => return None,
            Action::Insert => Msg::Insert(Role::User),
            Action::PickModel => Msg::TogglePicker,
            Action::SetLoad => Msg::LoadDialog(LoadMsg::Open(None)),
            Action::Eject => Msg::EjectCurrent,
            Action::ShowPanel => Msg::Panel(PanelMsg::Toggle),
            Action::ShowChat => Msg::ShowPage(Page::Chat),
            Action::ShowDiscover => Msg::ShowPage(Page::Discover),
            Action::ShowModels => Msg::ShowPage(Page::Models),
            Action::ShowServer => Msg::ShowPage(Page::Server),
            Action::ShowDownloads => Msg::Downloads(DownloadsMsg::Toggle),
            Action::ShowSettings => Msg::ShowPage(Page::Settings),
            Action::NextPane => Msg::StepPane { back: false },
            Action::PaneBefore => Msg::StepPane { back: true },
            Action::ZoomIn => Msg::Settings(SettingsMsg::Zoom(ZoomStep::Larger)),
            Action::ZoomOut => Msg::Settings(SettingsMsg::Zoom(ZoomStep::Smaller)),
            Action::ZoomUsual => Msg::Settings(SettingsMsg::Zoom(ZoomStep::Usual)),
        })
    }

    /// The chat above or below the open one in the list; the first where none is open.
    fn neighbour(&self, above: bool) -> Option<Msg> {
        let chats: Vec<_> = self.list_rows().iter().filter_map(ListRow::chat).collect();
        let next = match chats.iter().position(|chat| chat.open) {
            Some(open) if above => open.checked_sub(1)?,
            Some(open) => open + 1,
            None => 0,
        };
        chats.get(next).map(|chat| Msg::OpenChat(chat.chat))
    }

    /// Whether keys with an arrow are free for the versions of an answer: on a Mac they go by words while something is
    /// typed.
    fn steps_versions(&self) -> bool {
        let typing = !self.composer().draft.is_empty() || self.open().editing.is_some();
        self.page() == Page::Chat && !(cfg!(target_os = "macos") && typing)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    #[test]
    fn the_usual_keys_can_be_read_and_are_each_of_one_action() {
        let (mut chords, mut names) = (BTreeSet::new(), BTreeSet::new());
        for (action, name, _, keys) in TABLE {
            let chord = action.usual().expect("keys");
            assert_eq!(chord.written(), *keys);
            assert!(chord.fault().is_none(), "{name}");
            assert!(chords.insert(chord.written()), "{name} has the keys of another");
            assert!(names.insert(*name), "{name} is there twice");
        }
    }

    #[test]
    fn other_keys_of_the_settings_count_where_they_can_be_read() {
        let cases = [
            (None, Some("mod+n")),
            (Some("mod+shift+n"), Some("mod+shift+n")),
            (Some(""), None),
            (Some("hyper+n"), Some("mod+n")),
        ];
        for (set, expected) in cases {
            let set = set.map(|keys: &str| ("new_chat".to_owned(), keys.to_owned()));
            let settings = Settings {
                shortcuts: set.into_iter().collect::<BTreeMap<_, _>>(),
                ..Settings::default()
            };
            let chord = Action::NewChat.chord(&settings).map(Chord::written);
            assert_eq!(chord.as_deref(), expected);
        }
    }
}

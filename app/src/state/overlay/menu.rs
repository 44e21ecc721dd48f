//! Menus: what can be done with a chat, a folder, a message or a draft. They are told from the state, and drawn and
//! gone through by the keys like a list.

use hearth_protocol::chat::Role;
use hearth_protocol::chat::list::ExportFormat;
use hearth_protocol::{ChatId, DownloadId, FolderId, MessageId};

use super::Glyph;
use crate::msg::Msg;
use crate::state::AppState;
use crate::state::discover::menus::DiscoverMenu;
use crate::state::panel::menus::PanelMenu;
use crate::state::shortcuts::Action;
use crate::text::{key, say};

/// A menu that is open.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Menu {
    /// What it is of.
    pub(crate) of: MenuOf,
    /// Where it was opened: its upper left corner in the window, in pixels.
    pub(crate) at: Place,
    /// The item that the keys or the pointer have chosen.
    pub(crate) chosen: Option<usize>,
}

/// A place in the window, in pixels from its upper left corner.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Place {
    /// From the left.
    pub(crate) x: f64,
    /// From the top.
    pub(crate) y: f64,
}

/// What a menu is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MenuOf {
    /// A chat of the list.
    Chat(ChatId),
    /// The folders a chat can go to.
    MoveChat(ChatId),
    /// The formats a chat can be exported in.
    ExportChat(ChatId),
    /// A folder of the list.
    Folder(FolderId),
    /// The list as a whole.
    List,
    /// A message of the open chat.
    Message(MessageId),
    /// The draft.
    Draft,
    /// Something in the panel beside the chat.
    Panel(PanelMenu),
    /// Something on the page that finds models.
    Discover(DiscoverMenu),
    /// A download.
    Download(DownloadId),
    /// How fast downloads may be, and how many run at once.
    DownloadLimits,
    /// A model or a folder on the page of model files, which says which.
    MyModels,
    /// The models that can answer where none is named.
    DefaultModel,
}

/// An item of a menu.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct MenuItem {
    /// Its icon.
    pub(crate) glyph: Glyph,
    /// Its words.
    pub(crate) label: String,
    /// The keys that do the same; empty where there are none.
    pub(crate) keys: String,
    /// What it does.
    pub(crate) then: Then,
    /// Whether it takes something away.
    pub(crate) danger: bool,
    /// Whether a line stands above it.
    pub(crate) apart: bool,
}

/// What an item does.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a few at a time, while a menu is open")]
pub(crate) enum Then {
    /// This, and the menu is closed.
    Do(Msg),
    /// It opens another menu in its place.
    Open(MenuOf),
}

impl MenuItem {
    pub(in crate::state) fn new(glyph: Glyph, label: impl Into<String>, then: Msg) -> Self {
        Self {
            glyph,
            label: label.into(),
            keys: String::new(),
            then: Then::Do(then),
            danger: false,
            apart: false,
        }
    }

    fn opens(glyph: Glyph, label: String, menu: MenuOf) -> Self {
        Self {
            then: Then::Open(menu),
            ..Self::new(glyph, label, Msg::CloseOverlay)
        }
    }

    pub(in crate::state) fn keys(self, keys: String) -> Self {
        Self { keys, ..self }
    }

    pub(in crate::state) fn deletes(self) -> Self {
        Self {
            danger: true,
            apart: true,
            ..self
        }
    }

    pub(in crate::state) fn apart(self) -> Self {
        Self { apart: true, ..self }
    }
}

impl AppState {
    /// The items of a menu; none where what it is of is gone.
    pub(crate) fn menu_items(&self, of: MenuOf) -> Vec<MenuItem> {
        match of {
            MenuOf::Chat(chat) => self.chat_items(chat),
            MenuOf::MoveChat(chat) => self.folder_choices(chat),
            MenuOf::ExportChat(chat) => [
                (key!("menu-as-markdown"), ExportFormat::Markdown),
                (key!("menu-as-json"), ExportFormat::Json),
            ]
            .map(|(label, format)| {
                MenuItem::new(
                    Glyph::Export,
                    self.texts().say(label, &[]),
                    Msg::AskExport { chat, format },
                )
            })
            .into(),
            MenuOf::Folder(folder) => vec![
                MenuItem::new(
                    Glyph::Edit,
                    say!(self.texts(), "menu-rename"),
                    Msg::BeginRenameFolder(folder),
                )
                .keys(self.keys(Action::Rename)),
                MenuItem::new(
                    Glyph::Trash,
                    say!(self.texts(), "menu-delete"),
                    Msg::AskDeleteFolder(folder),
                )
                .keys(say!(self.texts(), "key-delete"))
                .deletes(),
            ],
            MenuOf::List => vec![
                MenuItem::new(
                    Glyph::NewChat,
                    say!(self.texts(), "shortcut-new-chat"),
                    Msg::NewChat,
                )
                .keys(self.keys(Action::NewChat)),
                MenuItem::new(
                    Glyph::Folder,
                    say!(self.texts(), "command-new-folder"),
                    Msg::BeginFolder(None),
                ),
                MenuItem::new(
                    Glyph::Import,
                    say!(self.texts(), "command-import"),
                    Msg::AskImport,
                )
                .apart(),
            ],
            MenuOf::Message(message) => self.message_items(message),
            MenuOf::Panel(menu) => self.panel_items(menu),
            MenuOf::Discover(menu) => self.discover_items(menu),
            MenuOf::Download(download) => self.download_items(download),
            MenuOf::DownloadLimits => self.download_limits(),
            MenuOf::MyModels => self.my_models_items(),
            MenuOf::DefaultModel => self.default_model_items(),
            MenuOf::Draft => vec![
                MenuItem::new(Glyph::Send, say!(self.texts(), "menu-send"), Msg::Send)
                    .keys(say!(self.texts(), "key-enter")),
                MenuItem::new(
                    Glyph::Add,
                    say!(self.texts(), "menu-add-message"),
                    Msg::Insert(Role::User),
                )
                .keys(self.keys(Action::Insert)),
                MenuItem::new(
                    Glyph::Chat,
                    say!(self.texts(), "menu-add-answer"),
                    Msg::Insert(Role::Assistant),
                ),
            ],
        }
    }

    fn chat_items(&self, chat: ChatId) -> Vec<MenuItem> {
        let Some(summary) = self.chats.get(chat) else {
            return Vec::new();
        };
        let (pin, pinned) = if summary.pinned {
            ((Glyph::Unpin, say!(self.texts(), "menu-unpin")), false)
        } else {
            ((Glyph::Pin, say!(self.texts(), "menu-pin")), true)
        };
        vec![
            MenuItem::new(
                Glyph::Edit,
                say!(self.texts(), "menu-rename"),
                Msg::BeginRename(chat),
            )
            .keys(self.keys(Action::Rename)),
            MenuItem::new(pin.0, pin.1, Msg::PinChat { chat, pinned }),
            MenuItem::opens(
                Glyph::Folder,
                say!(self.texts(), "menu-move"),
                MenuOf::MoveChat(chat),
            ),
            MenuItem::new(
                Glyph::Copy,
                say!(self.texts(), "menu-duplicate"),
                Msg::DuplicateChat(chat),
            ),
            MenuItem::opens(
                Glyph::Export,
                say!(self.texts(), "action-export"),
                MenuOf::ExportChat(chat),
            ),
            MenuItem::new(
                Glyph::Trash,
                say!(self.texts(), "menu-delete"),
                Msg::DeleteChat(chat),
            )
            .keys(say!(self.texts(), "key-delete"))
            .deletes(),
        ]
    }

    fn folder_choices(&self, chat: ChatId) -> Vec<MenuItem> {
        let Some(summary) = self.chats.get(chat) else {
            return Vec::new();
        };
        let is_here = |folder: Option<FolderId>| summary.folder == folder;
        let to = |folder| Msg::MoveChat { chat, folder };
        let glyph = |folder| {
            if is_here(folder) {
                Glyph::Check
            } else {
                Glyph::Folder
            }
        };
        let mut items = vec![MenuItem::new(
            glyph(None),
            say!(self.texts(), "menu-no-folder"),
            to(None),
        )];
        items.extend(self.chats.folders().iter().map(|folder| {
            let id = Some(folder.id);
            MenuItem::new(glyph(id), &folder.name, to(id))
        }));
        let new = say!(self.texts(), "command-new-folder");
        items.push(MenuItem::new(Glyph::Add, new, Msg::BeginFolder(Some(chat))).apart());
        items
    }

    fn message_items(&self, message: MessageId) -> Vec<MenuItem> {
        let open = self.open();
        let Some(index) = open.index_of(message) else {
            return Vec::new();
        };
        let from_person = open.entries[index].from_person;
        let mut items = vec![
            MenuItem::new(
                Glyph::Copy,
                say!(self.texts(), "menu-copy-markdown"),
                Msg::CopyMessage(message),
            ),
            MenuItem::new(
                Glyph::Copy,
                say!(self.texts(), "menu-copy-plain"),
                Msg::CopyPlain(message),
            ),
            MenuItem::new(
                Glyph::Text,
                say!(self.texts(), "menu-select-text"),
                Msg::SelectText(message),
            ),
        ];
        if open.can_change() {
            let label = say!(self.texts(), "menu-edit");
            items.push(MenuItem::new(Glyph::Edit, label, Msg::BeginEdit(message)).apart());
        }
        if open.can_answer_again(index) {
            let label = if from_person {
                say!(self.texts(), "menu-answer")
            } else {
                say!(self.texts(), "menu-regenerate")
            };
            items.push(MenuItem::new(Glyph::Regenerate, label, Msg::Regenerate(message)));
        }
        if open.can_go_on(index) {
            let label = say!(self.texts(), "menu-continue");
            items.push(MenuItem::new(Glyph::Continue, label, Msg::Continue(message)));
        }
        items.push(MenuItem::new(
            Glyph::Branch,
            say!(self.texts(), "menu-branch"),
            Msg::Branch(message),
        ));
        if open.can_change() {
            let label = say!(self.texts(), "menu-delete");
            items.push(MenuItem::new(Glyph::Trash, label, Msg::DeleteMessage(message)).deletes());
        }
        items
    }
}

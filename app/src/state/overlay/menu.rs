//! Menus: what can be done with a chat, a folder, a message or a draft. They are told from the state, and drawn and
//! gone through by the keys like a list.

use hearth_protocol::chat::Role;
use hearth_protocol::chat::list::ExportFormat;
use hearth_protocol::{ChatId, FolderId, MessageId};

use super::Glyph;
use crate::msg::Msg;
use crate::state::AppState;
use crate::state::panel::menus::PanelMenu;

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
}

/// An item of a menu.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct MenuItem {
    /// Its icon.
    pub(crate) glyph: Glyph,
    /// Its words.
    pub(crate) label: String,
    /// The keys that do the same.
    pub(crate) keys: &'static str,
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
            keys: "",
            then: Then::Do(then),
            danger: false,
            apart: false,
        }
    }

    fn opens(glyph: Glyph, label: &str, menu: MenuOf) -> Self {
        Self {
            then: Then::Open(menu),
            ..Self::new(glyph, label, Msg::CloseOverlay)
        }
    }

    fn keys(self, keys: &'static str) -> Self {
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
                ("As Markdown, to read", ExportFormat::Markdown),
                ("As JSON, to import again", ExportFormat::Json),
            ]
            .map(|(label, format)| MenuItem::new(Glyph::Export, label, Msg::AskExport { chat, format }))
            .into(),
            MenuOf::Folder(folder) => vec![
                MenuItem::new(Glyph::Edit, "Rename", Msg::BeginRenameFolder(folder)).keys("F2"),
                MenuItem::new(Glyph::Trash, "Delete", Msg::AskDeleteFolder(folder))
                    .keys("Del")
                    .deletes(),
            ],
            MenuOf::List => vec![
                MenuItem::new(Glyph::NewChat, "New chat", Msg::NewChat).keys("Ctrl N"),
                MenuItem::new(Glyph::Folder, "New folder", Msg::BeginFolder(None)),
                MenuItem::new(Glyph::Import, "Import chats", Msg::AskImport).apart(),
            ],
            MenuOf::Message(message) => self.message_items(message),
            MenuOf::Panel(menu) => self.panel_items(menu),
            MenuOf::Draft => vec![
                MenuItem::new(Glyph::Send, "Send", Msg::Send).keys("Enter"),
                MenuItem::new(Glyph::Add, "Add without an answer", Msg::Insert(Role::User))
                    .keys("Ctrl Enter"),
                MenuItem::new(Glyph::Chat, "Add as an answer", Msg::Insert(Role::Assistant)),
            ],
        }
    }

    fn chat_items(&self, chat: ChatId) -> Vec<MenuItem> {
        let Some(summary) = self.chats.get(chat) else {
            return Vec::new();
        };
        let (pin, pinned) = if summary.pinned {
            ((Glyph::Unpin, "Unpin"), false)
        } else {
            ((Glyph::Pin, "Pin"), true)
        };
        vec![
            MenuItem::new(Glyph::Edit, "Rename", Msg::BeginRename(chat)).keys("F2"),
            MenuItem::new(pin.0, pin.1, Msg::PinChat { chat, pinned }),
            MenuItem::opens(Glyph::Folder, "Move to folder", MenuOf::MoveChat(chat)),
            MenuItem::new(Glyph::Copy, "Duplicate", Msg::DuplicateChat(chat)),
            MenuItem::opens(Glyph::Export, "Export", MenuOf::ExportChat(chat)),
            MenuItem::new(Glyph::Trash, "Delete", Msg::DeleteChat(chat))
                .keys("Del")
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
        let mut items = vec![MenuItem::new(glyph(None), "No folder", to(None))];
        items.extend(self.chats.folders().iter().map(|folder| {
            let id = Some(folder.id);
            MenuItem::new(glyph(id), &folder.name, to(id))
        }));
        items.push(MenuItem::new(Glyph::Add, "New folder", Msg::BeginFolder(Some(chat))).apart());
        items
    }

    fn message_items(&self, message: MessageId) -> Vec<MenuItem> {
        let open = self.open();
        let Some(index) = open.index_of(message) else {
            return Vec::new();
        };
        let from_person = open.entries[index].from_person;
        let mut items = vec![
            MenuItem::new(Glyph::Copy, "Copy as Markdown", Msg::CopyMessage(message)),
            MenuItem::new(Glyph::Copy, "Copy as plain text", Msg::CopyPlain(message)),
        ];
        if open.can_change() {
            items.push(MenuItem::new(Glyph::Edit, "Edit", Msg::BeginEdit(message)).apart());
        }
        if open.can_answer_again(index) {
            let label = if from_person { "Answer" } else { "Regenerate" };
            items.push(MenuItem::new(Glyph::Regenerate, label, Msg::Regenerate(message)));
        }
        if open.can_go_on(index) {
            items.push(MenuItem::new(Glyph::Continue, "Continue", Msg::Continue(message)));
        }
        items.push(MenuItem::new(
            Glyph::Branch,
            "Branch from here",
            Msg::Branch(message),
        ));
        if open.can_change() {
            items.push(MenuItem::new(Glyph::Trash, "Delete", Msg::DeleteMessage(message)).deletes());
        }
        items
    }
}

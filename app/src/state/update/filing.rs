//! Renaming, pinning, moving and copying chats, and folders.

use hearth_protocol::chat::ChatSummary;
use hearth_protocol::chat::list::Folder;
use hearth_protocol::{ChatId, FolderId, Result};

use crate::effect::{BackendEffect, RowChange, WindowEffect};
use crate::msg::Msg;
use crate::state::chats::{Named, RowKey};
use crate::state::overlay::Overlay;
use crate::state::overlay::confirm::Confirm;
use crate::state::{AppState, Page};
use crate::text::{key, say};

impl AppState {
    /// Renames a chat or a folder where its row is in sight. A name that is being typed is taken first.
    pub(super) fn begin_rename(&mut self, of: RowKey) {
        self.commit_rename();
        if self.page() != Page::Chat {
            return;
        }
        if let RowKey::Chat(chat) = of
            && let Some(folder) = self.chats.get(chat).and_then(|summary| summary.folder)
        {
            self.unfold(folder);
        }
        if self.chats.begin_rename(of) {
            self.search.clear();
            self.want(WindowEffect::FocusRename(of));
        }
    }

    /// Makes a folder where the list is in sight, which a chat then goes into if one is given.
    pub(super) fn begin_folder(&mut self, holds: Option<ChatId>) {
        self.show_page(Page::Chat);
        self.search.clear();
        self.chats.begin_folder(holds);
        self.want(WindowEffect::FocusRename(RowKey::NewFolder));
    }

    pub(super) fn commit_rename(&mut self) {
        match self.chats.commit_rename() {
            Some(Named::Chat(chat, title)) => self.ask(BackendEffect::RenameChat { chat, title }),
            Some(Named::Folder(folder, name)) => self.ask(BackendEffect::RenameFolder { folder, name }),
            Some(Named::NewFolder(name, holds)) => self.ask(BackendEffect::MakeFolder { name, holds }),
            None => (),
        }
    }

    pub(super) fn pin_chat(&mut self, chat: ChatId, pinned: bool) {
        if self.chats.change(chat, |summary| summary.pinned = pinned) {
            self.ask(BackendEffect::PinChat { chat, pinned });
        }
    }

    pub(super) fn move_chat(&mut self, chat: ChatId, folder: Option<FolderId>) {
        if self.chats.change(chat, |summary| summary.folder = folder) {
            if let Some(folder) = folder {
                self.unfold(folder);
            }
            self.ask(BackendEffect::MoveChat { chat, folder });
        }
    }

    pub(super) fn take_row(&mut self, change: RowChange, result: Result<ChatSummary>) {
        let error = match result {
            Ok(summary) => {
                let chat = summary.id;
                self.chats.put(summary);
                if matches!(change, RowChange::Copy | RowChange::Branch) {
                    self.open_chat(chat);
                }
                return;
            }
            Err(error) => error,
        };
        let title = match change {
            RowChange::Title => key!("failed-rename-chat"),
            RowChange::Pin => key!("failed-pin-chat"),
            RowChange::Folder => key!("failed-move-chat"),
            RowChange::Copy => key!("failed-duplicate-chat"),
            RowChange::Branch => key!("failed-branch-chat"),
        };
        let title = self.texts().say(title, &[]);
        self.complain(&title, &error);
        self.read_list_anew();
    }

    pub(super) fn take_made_folder(&mut self, holds: Option<ChatId>, result: Result<Folder>) {
        match result {
            Ok(folder) => {
                let id = folder.id;
                self.chats.put_folder(folder);
                if let Some(chat) = holds {
                    self.move_chat(chat, Some(id));
                }
            }
            Err(error) => self.complain(&say!(self.texts(), "failed-make-folder"), &error),
        }
    }

    pub(super) fn take_renamed_folder(&mut self, result: Result<Folder>) {
        match result {
            Ok(folder) => self.chats.put_folder(folder),
            Err(error) => {
                self.complain(&say!(self.texts(), "failed-rename-folder"), &error);
                self.read_list_anew();
            }
        }
    }

    /// Shows the chats of a folder, or hides them; it stays so over a restart.
    pub(super) fn toggle_folder(&mut self, folder: FolderId) {
        self.chats.toggle_folder(folder);
        self.keep_folded();
    }

    /// Shows the chats of a folder.
    fn unfold(&mut self, folder: FolderId) {
        self.chats.unfold(folder);
        self.keep_folded();
    }

    fn keep_folded(&mut self) {
        let folded = self.chats.folded();
        self.change_settings(|settings| settings.folded_folders = folded);
    }

    /// A folder does not come back: asks first.
    pub(super) fn ask_delete_folder(&mut self, folder: FolderId) {
        let Some(known) = self.chats.folder(folder) else {
            return;
        };
        let (name, inside) = (&known.name, self.chats.count_in(folder));
        self.overlay = Some(Overlay::Confirm(Confirm {
            title: say!(self.texts(), "confirm-delete-folder", folder = name.as_str()),
            text: say!(self.texts(), "confirm-delete-folder-text", chats = inside),
            button: say!(self.texts(), "confirm-delete-folder-button"),
            then: Box::new(Msg::DeleteFolder(folder)),
        }));
        self.want(WindowEffect::FocusOverlay);
    }

    pub(super) fn delete_folder(&mut self, folder: FolderId) {
        if self.chats.folder(folder).is_some() {
            self.chats.remove_folder(folder);
            self.ask(BackendEffect::DeleteFolder(folder));
        }
    }

    pub(super) fn take_deleted_folder(&mut self, result: Result<()>) {
        if let Err(error) = result {
            self.complain(&say!(self.texts(), "failed-delete-folder"), &error);
            self.read_list_anew();
        }
    }

    /// What was changed here and refused comes back as it is stored.
    fn read_list_anew(&mut self) {
        self.ask(BackendEffect::WatchChats);
    }
}

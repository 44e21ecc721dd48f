//! The menus of the page: what can be done with a model and with a folder.

use hearth_protocol::FileId;
use hearth_protocol::library::{FileState, LibraryFile};

use super::MenuTarget;
use super::folders::{FolderKind, FolderRow};
use crate::msg::Msg;
use crate::msg::load::LoadMsg;
use crate::msg::my_models::MyModelsMsg;
use crate::state::AppState;
use crate::state::overlay::Glyph;
use crate::state::overlay::menu::MenuItem;
use crate::text::{key, say};

impl AppState {
    /// The items of the menu that is open; none where what it is of is gone.
    pub(in crate::state) fn my_models_items(&self) -> Vec<MenuItem> {
        match &self.my_models.menu {
            Some(MenuTarget::Model(file)) => self
                .file(file)
                .map_or_else(Vec::new, |file| self.model_items(file)),
            Some(MenuTarget::Folder(index)) => {
                let folder = self.my_models.folders.get(*index);
                folder.map_or_else(Vec::new, |folder| self.folder_items(folder))
            }
            None => Vec::new(),
        }
    }

    fn model_items(&self, file: &LibraryFile) -> Vec<MenuItem> {
        let texts = self.texts();
        let with = |msg: fn(FileId) -> MyModelsMsg| Msg::MyModels(msg(file.id.clone()));
        let mut items = Vec::new();
        let loaded = self.models.loaded.iter().find(|model| model.file == file.id);
        if file.state == FileState::Ready {
            let label = say!(texts, "my-models-chat");
            items.push(MenuItem::new(Glyph::Chat, label, with(MyModelsMsg::Chat)));
            let set_load = Msg::LoadDialog(LoadMsg::Open(Some(file.id.clone())));
            items.push(MenuItem::new(
                Glyph::Settings,
                say!(texts, "action-set-load"),
                set_load,
            ));
        }
        if let Some(model) = loaded {
            let label = say!(texts, "action-eject");
            items.push(MenuItem::new(Glyph::Eject, label, Msg::Eject(model.id)));
        }
        let details = MenuItem::new(
            Glyph::Info,
            say!(texts, "my-models-details"),
            with(MyModelsMsg::Inspect),
        );
        items.push(details.keys(say!(texts, "key-enter")));
        let rename = MenuItem::new(Glyph::Edit, say!(texts, "menu-rename"), with(MyModelsMsg::Rename));
        items.push(rename.keys("F2".into()));
        if file.model.is_some() {
            let label = say!(texts, "my-models-discover");
            items.push(MenuItem::new(Glyph::Discover, label, with(MyModelsMsg::Discover)));
        }
        let is_favourite = self.my_models.is_favourite(&file.id);
        let words = match is_favourite {
            true => key!("my-models-no-favourite"),
            false => key!("my-models-favourite"),
        };
        let favour = Msg::MyModels(MyModelsMsg::SetFavourite {
            file: file.id.clone(),
            favourite: !is_favourite,
        });
        items.push(MenuItem::new(Glyph::Heart, texts.say(words, &[]), favour));
        let label = say!(texts, "my-models-copy-path");
        items.push(MenuItem::new(Glyph::Copy, label, with(MyModelsMsg::CopyPath)).apart());
        if let Some(folder) = file.path.parent() {
            let open = Msg::MyModels(MyModelsMsg::OpenFolder(folder.to_owned()));
            items.push(MenuItem::new(
                Glyph::Folder,
                say!(texts, "my-models-open-folder"),
                open,
            ));
        }
        let delete = MenuItem::new(
            Glyph::Trash,
            say!(texts, "menu-delete"),
            with(MyModelsMsg::AskDelete),
        );
        items.push(delete.keys(say!(texts, "key-delete")).deletes());
        items
    }

    fn folder_items(&self, folder: &FolderRow) -> Vec<MenuItem> {
        let texts = self.texts();
        let mut items = Vec::new();
        if let Some(path) = &folder.path {
            let label = say!(texts, "my-models-open-folder");
            let open = Msg::MyModels(MyModelsMsg::OpenFolder(path.clone()));
            items.push(MenuItem::new(Glyph::Folder, label, open));
        }
        let (words, msg) = match &folder.kind {
            FolderKind::Hearth => return items,
            FolderKind::Person(path) => (
                key!("my-models-remove-folder"),
                MyModelsMsg::RemoveFolder(path.clone()),
            ),
            FolderKind::Program(source) => (
                key!("my-models-leave-out"),
                MyModelsMsg::SetIgnored {
                    source: *source,
                    ignored: true,
                },
            ),
            FolderKind::Ignored(source) => (
                key!("my-models-list-again"),
                MyModelsMsg::SetIgnored {
                    source: *source,
                    ignored: false,
                },
            ),
        };
        items.push(MenuItem::new(Glyph::Eye, texts.say(words, &[]), Msg::MyModels(msg)).apart());
        items
    }
}

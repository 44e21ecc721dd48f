//! Deleting models, one or several: asked first, ejected where they are in memory, and told once when all are done.

use hearth_protocol::library::{DeleteRequest, LibraryFile, Source};
use hearth_protocol::{Error, FileId, Result};

use crate::effect::WindowEffect;
use crate::effect::my_models::MyModelsEffect;
use crate::msg::Msg;
use crate::msg::my_models::MyModelsMsg;
use crate::state::my_models::deleting::Going;
use crate::state::overlay::Overlay;
use crate::state::overlay::confirm::Confirm;
use crate::state::{AppState, format};
use crate::text::{key, say};

impl AppState {
    pub(super) fn ask_delete_selected(&mut self) {
        let selected = self.shown_files().map(|file| &file.id);
        let selected = selected.filter(|file| self.my_models.selection().has(file));
        let files: Vec<_> = selected.cloned().collect();
        self.ask_delete_models(&files);
    }

    pub(super) fn ask_delete_models(&mut self, ids: &[FileId]) {
        let is_going = |id: &FileId| self.my_models.deleting.left.iter().any(|it| it.file == *id);
        let files: Vec<&LibraryFile> = ids
            .iter()
            .filter(|id| !is_going(id))
            .filter_map(|id| self.file(id))
            .collect();
        if files.is_empty() {
            return;
        }
        let question = self.delete_question(&files);
        let asked = files.iter().map(|file| (file.id.clone(), file.source)).collect();
        self.overlay = Some(Overlay::Confirm(Confirm {
            title: question.title,
            text: question.text,
            button: question.button,
            then: Box::new(Msg::MyModels(MyModelsMsg::Delete(asked))),
        }));
        self.want(WindowEffect::FocusOverlay);
    }

    /// Deletes files whose owners were named. What is in memory leaves it first.
    pub(super) fn delete_models(&mut self, files: Vec<(FileId, Source)>) {
        for (id, source) in files {
            let Some(file) = self.file(&id) else { continue };
            let going = Going {
                file: id.clone(),
                source,
                name: file.name.clone(),
                size: file.size.0,
            };
            let load = self.models.load.as_ref().filter(|load| load.file == id);
            let in_memory = load.is_some() || self.is_in_memory(&id);
            self.my_models.deleting.left.push(going);
            match in_memory {
                true => self.ask_my_models(MyModelsEffect::Eject(id)),
                false => self.ask_delete(id, source),
            }
        }
    }

    pub(super) fn take_ejected_for_delete(&mut self, file: &FileId, result: Result<()>) {
        let going = self.my_models.deleting.left.iter().find(|it| it.file == *file);
        let Some(source) = going.map(|going| going.source) else {
            return;
        };
        match result {
            // It left by itself meanwhile.
            Ok(()) | Err(Error::NotFound { .. }) => self.ask_delete(file.clone(), source),
            Err(error) => self.take_deleted_model(file, Err(error)),
        }
    }

    pub(super) fn take_deleted_model(&mut self, file: &FileId, result: Result<()>) {
        let deleting = &mut self.my_models.deleting;
        let Some(at) = deleting.left.iter().position(|it| it.file == *file) else {
            return;
        };
        let going = deleting.left.remove(at);
        match result {
            Ok(()) => {
                deleting.freed += going.size;
                deleting.gone.push(going.name);
                self.models.remove_file(file);
                self.forget_gone_models();
            }
            Err(error) => self.complain_of_model(key!("failed-delete-model"), &going.name, &error),
        }
        if self.my_models.deleting.left.is_empty() {
            self.tell_deleted();
        }
    }

    fn tell_deleted(&mut self) {
        let gone = std::mem::take(&mut self.my_models.deleting.gone);
        let freed = std::mem::take(&mut self.my_models.deleting.freed);
        let title = match gone.as_slice() {
            [] => return,
            [name] => say!(self.texts(), "done-delete-model", name = name.as_str()),
            names => say!(self.texts(), "done-delete-models", count = names.len()),
        };
        let size = format::size(self.texts(), hearth_protocol::ByteSize(freed));
        self.toasts.done(&title, size, None, self.present.now);
        self.read_about_models();
    }

    fn ask_delete(&mut self, file: FileId, source: Source) {
        let confirmed = (source != Source::Hearth).then_some(source);
        self.ask_my_models(MyModelsEffect::Delete(DeleteRequest { file, confirmed }));
    }
}

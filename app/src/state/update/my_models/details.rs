//! The panel beside the table: what a file says of itself, and what the person writes of it.

use hearth_protocol::library::{FileNotes, Inspection};
use hearth_protocol::{Error, FileId, Result};

use crate::effect::my_models::MyModelsEffect;
use crate::effect::{Run, WindowEffect};
use crate::msg::my_models::MyModelsMsg;
use crate::state::my_models::details::{Details, Part, Preview};
use crate::state::overlay::Overlay;
use crate::state::overlay::text_view::TextView;
use crate::state::{AppState, failure};
use crate::text::say;

impl AppState {
    pub(super) fn update_details(&mut self, msg: MyModelsMsg) {
        match msg {
            MyModelsMsg::Inspect(file) => self.inspect(file),
            MyModelsMsg::Rename(file) => {
                self.inspect(file);
                self.want(WindowEffect::FocusModelName);
            }
            MyModelsMsg::CloseDetails => self.close_details(),
            MyModelsMsg::SetFavourite { file, favourite } => {
                let notes = FileNotes {
                    favourite,
                    ..self.my_models.notes(&file)
                };
                self.write_notes(file, notes);
            }
            MyModelsMsg::CommitName => self.commit_model_name(),
            MyModelsMsg::CommitNotes => self.commit_notes(),
            MyModelsMsg::OpenValue(index) => self.open_value(index),
            MyModelsMsg::OpenTemplate => self.open_template(),
            MyModelsMsg::Preview => self.ask_preview(),
            msg => self.change_details(msg),
        }
    }

    fn change_details(&mut self, msg: MyModelsMsg) {
        let Some(details) = &mut self.my_models.details else {
            return;
        };
        match msg {
            MyModelsMsg::ShowPart(part) => details.part = part,
            MyModelsMsg::NameChanged(name) => details.name = Some(name),
            MyModelsMsg::TagsChanged(tags) => details.tags = Some(tags),
            MyModelsMsg::NotesChanged(notes) => details.notes = Some(notes),
            MyModelsMsg::SampleSystemChanged(text) => {
                (details.system, details.preview) = (text, Preview::Nothing);
            }
            MyModelsMsg::SampleMessageChanged(text) => {
                (details.message, details.preview) = (text, Preview::Nothing);
            }
            _ => (),
        }
    }

    fn inspect(&mut self, file: FileId) {
        if self.file(&file).is_none() {
            return;
        }
        let part = self.my_models.details.as_ref().map(|details| details.part);
        if self.my_models.details.as_ref().is_some_and(|it| it.file == file) {
            return;
        }
        self.commit_details();
        let details = Details::new(file.clone(), self.texts());
        self.my_models.details = Some(Details {
            part: part.unwrap_or_default(),
            ..details
        });
        self.ask_my_models(MyModelsEffect::Inspect(file));
    }

    pub(super) fn close_details(&mut self) {
        self.commit_details();
        if let Some(details) = self.my_models.details.take() {
            self.want(WindowEffect::FocusModel(details.file));
        }
    }

    /// Takes what stands in the fields, as of a panel that is about to close.
    fn commit_details(&mut self) {
        self.commit_model_name();
        self.commit_notes();
    }

    pub(in crate::state::update) fn commit_model_name(&mut self) {
        let Some(details) = &mut self.my_models.details else {
            return;
        };
        let (file, Some(name)) = (details.file.clone(), details.name.take()) else {
            return;
        };
        details.fault = None;
        let name = name.trim().to_owned();
        if self.file(&file).is_some_and(|file| file.name != name) {
            let name = (!name.is_empty()).then_some(name);
            self.ask_my_models(MyModelsEffect::Rename { file, name });
        }
    }

    pub(in crate::state::update) fn commit_notes(&mut self) {
        let Some(details) = &mut self.my_models.details else {
            return;
        };
        let (tags, notes) = (details.tags.take(), details.notes.take());
        let file = details.file.clone();
        let before = self.my_models.notes(&file);
        let split = |tags: String| -> Vec<String> {
            let tags = tags.split(',').map(str::trim).filter(|tag| !tag.is_empty());
            tags.map(str::to_owned).collect()
        };
        let after = FileNotes {
            tags: tags.map_or_else(|| before.tags.clone(), split),
            notes: notes.unwrap_or_else(|| before.notes.clone()),
            ..before.clone()
        };
        if after != before {
            self.write_notes(file, after);
        }
    }

    /// Stores what the person wrote of a file. It shows at once, and as it was where it is refused.
    fn write_notes(&mut self, file: FileId, notes: FileNotes) {
        if let Some(details) = &mut self.my_models.details {
            details.fault = None;
        }
        self.my_models.take_notes(&file, notes.clone());
        if self.my_models.begins_writing(&file, &notes) {
            self.ask_my_models(MyModelsEffect::WriteNotes { file, notes });
        }
    }

    pub(super) fn take_written_notes(&mut self, file: &FileId, result: Result<FileNotes>) {
        let next = self.my_models.end_writing(file);
        let is_last = next.is_none();
        if let Some(notes) = next {
            let file = file.clone();
            self.ask_my_models(MyModelsEffect::WriteNotes { file, notes });
        }
        match result {
            Ok(notes) if is_last => self.my_models.take_notes(file, notes),
            Ok(_) => (),
            Err(error) => {
                self.fault_details(&error);
                self.read_records();
            }
        }
    }

    /// Says in the panel why something was not stored, or by a toast where it is closed.
    pub(super) fn fault_details(&mut self, error: &Error) {
        let words = failure::words(&self.present.texts, error);
        match &mut self.my_models.details {
            Some(details) => details.fault = Some(words),
            None => self.complain(&say!(self.texts(), "failed-write-notes"), error),
        }
    }

    pub(super) fn take_inspected(&mut self, file: &FileId, result: Result<Box<Inspection>>) {
        if let Some(details) = &mut self.my_models.details
            && details.file == *file
        {
            details.read = Some(result);
        }
    }

    /// Asks for the preview wherever it is in sight and costs no load.
    pub(in crate::state) fn refresh_preview(&mut self) {
        let Some(details) = &self.my_models.details else {
            return;
        };
        let is_wanted = details.part == Part::Template && details.preview == Preview::Nothing;
        if is_wanted && self.is_in_memory(&details.file) {
            self.ask_preview();
        }
    }

    fn ask_preview(&mut self) {
        let Some(details) = &self.my_models.details else {
            return;
        };
        let has_template = details.inspection().is_some_and(|it| it.chat_template.is_some());
        let (file, messages) = (details.file.clone(), details.sample());
        if !has_template || messages.is_empty() {
            return;
        }
        let run = self.new_run();
        if let Some(details) = &mut self.my_models.details {
            details.preview = Preview::Asked(run);
        }
        self.ask_my_models(MyModelsEffect::Preview { run, file, messages });
    }

    pub(super) fn take_preview(&mut self, run: Run, result: Result<String>) {
        let texts = &self.present.texts;
        if let Some(details) = &mut self.my_models.details
            && details.preview == Preview::Asked(run)
        {
            details.preview = match result {
                Ok(text) => Preview::Here(text),
                Err(error) => Preview::Failed(failure::words(texts, &error)),
            };
        }
    }

    fn open_value(&mut self, index: usize) {
        let details = self.my_models.details.as_ref();
        let value = details.and_then(|details| details.inspection()?.metadata.get(index).cloned());
        if let Some((name, text)) = value {
            self.show_text(name, text);
        }
    }

    fn open_template(&mut self) {
        let details = self.my_models.details.as_ref();
        let template = details.and_then(|details| details.inspection()?.chat_template.clone());
        if let Some(text) = template {
            self.show_text(say!(self.texts(), "details-template"), text);
        }
    }

    fn show_text(&mut self, title: String, text: String) {
        self.overlay = Some(Overlay::TextView(TextView { title, text }));
        self.want(WindowEffect::FocusOverlay);
    }
}

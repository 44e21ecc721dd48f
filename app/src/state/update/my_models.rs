//! The page of model files: filtering, sorting, selecting, and what the backend tells of the files.

mod clean_up;
mod deleting;
mod details;
mod importing;

use hearth_protocol::library::{LibraryEvent, Source};
use hearth_protocol::{Error, FileId, Result};

use crate::effect::my_models::MyModelsEffect;
use crate::effect::{BackendEffect, WindowEffect};
use crate::msg::discover::DiscoverMsg;
use crate::msg::my_models::{MyModelsMsg, MyModelsNews};
use crate::state::my_models::{MenuTarget, Pick};
use crate::state::overlay::menu::{MenuOf, Place};
use crate::state::overlay::path_form::PathForm;
use crate::state::{AppState, Page};
use crate::text::say;

impl AppState {
    pub(super) fn update_my_models(&mut self, msg: MyModelsMsg) {
        match msg {
            MyModelsMsg::FilterChanged(words) => self.my_models.filter = words,
            MyModelsMsg::ToggleFavourites => self.my_models.favourites = !self.my_models.favourites,
            MyModelsMsg::ClearFilters => self.clear_model_filters(),
            MyModelsMsg::SortBy(column) => self.my_models.sort = self.my_models.sort.turn(column),
            MyModelsMsg::Select { file, how } => self.select_model(file, how),
            MyModelsMsg::SelectAll => {
                let shown = self.shown_files().map(|file| file.id.clone()).collect();
                self.my_models.selection.all(shown);
            }
            MyModelsMsg::SelectNone => drop(self.my_models.selection.clear()),
            MyModelsMsg::Chat(file) => {
                self.new_chat();
                self.load(&file);
            }
            MyModelsMsg::OpenMenu { of, at } => self.open_model_menu(of, at),
            MyModelsMsg::CopyPath(file) => {
                if let Some(file) = self.file(&file) {
                    let path = file.path.display().to_string();
                    self.want(WindowEffect::Copy(path));
                }
            }
            MyModelsMsg::OpenFolder(path) => {
                self.want(WindowEffect::OpenLink(path.display().to_string()));
            }

            MyModelsMsg::Discover(file) => {
                if let Some(model) = self.file(&file).and_then(|file| file.model.clone()) {
                    self.show_page(Page::Discover);
                    self.update_discover(DiscoverMsg::Choose(model));
                }
            }
            MyModelsMsg::AskDelete(file) => self.ask_delete_models(&[file]),
            MyModelsMsg::AskDeleteSelected => self.ask_delete_selected(),
            MyModelsMsg::Delete(files) => self.delete_models(files),

            MyModelsMsg::AskImport
            | MyModelsMsg::ImportPathChanged(_)
            | MyModelsMsg::BrowseImport
            | MyModelsMsg::SetImportMode(_)
            | MyModelsMsg::Import
            | MyModelsMsg::CancelImport(_) => self.update_import(msg),

            MyModelsMsg::AskFolder => {
                self.show_form(PathForm::model_folder());
                self.browse_path();
            }
            MyModelsMsg::RemoveFolder(folder) => {
                self.remove_model_folder(&folder);
            }
            MyModelsMsg::SetIgnored { source, ignored } => self.ignore_source(source, ignored),

            MyModelsMsg::AskCleanUp => self.ask_clean_up(),
            MyModelsMsg::TickLeftover(index) => self.tick_leftover(index),
            MyModelsMsg::CleanUp => self.clean_up(),
            msg => self.update_details(msg),
        }
    }

    pub(super) fn take_my_models_news(&mut self, news: MyModelsNews) {
        match news {
            MyModelsNews::Library(LibraryEvent::Files(files)) => {
                self.take_files(Ok(files));
                if self.page == Page::Models {
                    self.read_about_models();
                }
            }
            MyModelsNews::Library(LibraryEvent::Closed(error)) => {
                self.my_models.watching = false;
                self.complain(&say!(self.texts(), "failed-list-models"), &error);
            }
            MyModelsNews::Records(Ok(_)) if self.my_models.are_records_old() => self.read_records(),
            MyModelsNews::Records(Ok(records)) => self.my_models.take_records(records),
            MyModelsNews::Records(Err(error)) => {
                self.complain(&say!(self.texts(), "failed-read-records"), &error);
            }
            MyModelsNews::DiskUse(Ok(disk)) => self.my_models.disk = Some(disk),
            MyModelsNews::DiskUse(Err(error)) => {
                self.complain(&say!(self.texts(), "failed-disk-use"), &error);
            }
            MyModelsNews::Renamed(result) => self.take_renamed_model(result),
            MyModelsNews::NotesWritten { file, result } => self.take_written_notes(&file, result),
            MyModelsNews::Inspected { file, result } => self.take_inspected(&file, result),
            MyModelsNews::Previewed { run, result } => self.take_preview(run, result),
            MyModelsNews::Import { run, event } => self.take_import_event(run, event),
            MyModelsNews::Ejected { file, result } => self.take_ejected_for_delete(&file, result),
            MyModelsNews::Deleted { file, result } => self.take_deleted_model(&file, result.map(|_| ())),
            MyModelsNews::Leftovers(result) => self.take_leftovers(result),
            MyModelsNews::Cleaned(result) => self.take_cleaned(result),
        }
    }

    /// The page comes into sight: from now on changes of the files are told.
    pub(super) fn show_my_models(&mut self) {
        if !self.my_models.watching {
            self.my_models.watching = true;
            self.ask_my_models(MyModelsEffect::Watch);
        }
        self.read_about_models();
    }

    /// What Escape closes on the page, one thing at a time.
    pub(super) fn escape_my_models(&mut self) {
        if self.my_models.details.is_some() {
            self.close_details();
        } else if !self.my_models.selection.clear() {
            self.clear_model_filters();
        }
    }

    pub(super) fn ask_my_models(&mut self, effect: MyModelsEffect) {
        self.ask(BackendEffect::MyModels(effect));
    }

    /// Forgets what belonged to files that are no longer there.
    pub(super) fn forget_gone_models(&mut self) {
        let files = self.models.files.as_deref().unwrap_or_default();
        let is_there = |wanted: &FileId| files.iter().any(|file| file.id == *wanted);
        if self.my_models.selection.len() > 0 {
            let ids: std::collections::HashSet<_> = files.iter().map(|file| &file.id).collect();
            self.my_models.selection.keep(|file| ids.contains(file));
        }
        self.my_models.details.take_if(|details| !is_there(&details.file));
    }

    pub(super) fn read_about_models(&mut self) {
        self.read_records();
        self.ask_my_models(MyModelsEffect::ReadDiskUse);
    }

    pub(super) fn read_records(&mut self) {
        self.my_models.ask_records();
        self.ask_my_models(MyModelsEffect::ReadRecords);
    }

    fn clear_model_filters(&mut self) {
        self.my_models.filter.clear();
        self.my_models.favourites = false;
    }

    fn select_model(&mut self, file: FileId, how: Pick) {
        let shown: Vec<_> = self.shown_files().map(|file| file.id.clone()).collect();
        self.my_models.selection.pick(file, how, &shown);
    }

    fn open_model_menu(&mut self, of: MenuTarget, at: Place) {
        self.my_models.menu = Some(of);
        self.open_menu(MenuOf::MyModels, at);
    }

    fn ignore_source(&mut self, source: Source, ignored: bool) {
        self.change_settings(|settings| {
            settings.ignored_sources.retain(|it| *it != source);
            if ignored {
                settings.ignored_sources.push(source);
            }
        });
    }

    /// Tells what went wrong with a model of this name.
    fn complain_of_model(&mut self, what: crate::text::Key, name: &str, error: &Error) {
        let title = self.texts().say(what, &[("name", name.to_owned().into())]);
        self.complain(&title, error);
    }

    fn take_renamed_model(&mut self, result: Result<hearth_protocol::library::LibraryFile>) {
        match result {
            Ok(renamed) => self.models.put_file(renamed),
            Err(error) => self.fault_details(&error),
        }
    }
}

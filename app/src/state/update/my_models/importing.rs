//! Importing model files: the form, and imports that run.

use hearth_protocol::library::{ImportEvent, ImportRequest};
use hearth_protocol::{ByteSize, Error};

use crate::effect::my_models::MyModelsEffect;
use crate::effect::{Run, WindowEffect};
use crate::msg::my_models::MyModelsMsg;
use crate::state::my_models::import::{ImportForm, Importing};
use crate::state::overlay::Overlay;
use crate::state::overlay::path_form::with_home;
use crate::state::{AppState, Page};
use crate::text::{key, say};

impl AppState {
    pub(super) fn update_import(&mut self, msg: MyModelsMsg) {
        match msg {
            MyModelsMsg::AskImport => self.ask_model_import(),
            MyModelsMsg::BrowseImport => self.browse_import(),
            MyModelsMsg::Import => self.import_model(),
            MyModelsMsg::CancelImport(run) => {
                self.my_models.imports.retain(|import| import.run != run);
                self.ask_my_models(MyModelsEffect::CancelImport(run));
            }
            msg => {
                let Some(Overlay::ImportModel(form)) = &mut self.overlay else {
                    return;
                };
                form.fault = None;
                match msg {
                    MyModelsMsg::ImportPathChanged(path) => form.path = path,
                    MyModelsMsg::SetImportMode(mode) => form.mode = mode,
                    _ => (),
                }
            }
        }
    }

    pub(super) fn take_import_event(&mut self, run: Run, event: ImportEvent) {
        let Some(at) = self.my_models.imports.iter().position(|it| it.run == run) else {
            return;
        };
        match event {
            ImportEvent::Progress(done, whole) => self.my_models.imports[at].done = (done, whole),
            ImportEvent::Finished(file) => {
                self.my_models.imports.remove(at);
                let title = say!(self.texts(), "done-import", name = file.name.as_str());
                let text = self.short_path(&file.path);
                self.models.put_file(file);
                self.toasts.done(&title, text, None, self.present.now);
                if self.page == Page::Models {
                    self.read_about_models();
                }
            }
            ImportEvent::Failed(error) => {
                let import = self.my_models.imports.remove(at);
                self.take_failed_import(&import, &error);
            }
        }
    }

    /// Shows the form again with what was wrong, where nothing else is open; else a toast says it.
    fn take_failed_import(&mut self, import: &Importing, error: &Error) {
        if *error == Error::Cancelled {
            return;
        }
        if self.overlay.is_some() || self.page != Page::Models {
            return self.complain_of_model(key!("failed-import-model"), &import.name(), error);
        }
        self.show_import(ImportForm {
            path: import.path.display().to_string(),
            mode: import.mode,
            fault: Some(crate::state::failure::reason(self.texts(), error)),
        });
    }

    /// Asks for the file by the form, and by the system's dialog at once.
    fn ask_model_import(&mut self) {
        if self.page != Page::Models {
            self.show_page(Page::Models);
        }
        self.show_import(ImportForm::default());
        self.browse_import();
    }

    /// Shows the form.
    pub(in crate::state::update) fn show_import(&mut self, form: ImportForm) {
        self.overlay = Some(Overlay::ImportModel(form));
        self.want(WindowEffect::FocusOverlay);
    }

    fn browse_import(&mut self) {
        if let Some(Overlay::ImportModel(_)) = self.overlay {
            let title = say!(self.texts(), "import-model-title");
            self.want(WindowEffect::PickPath {
                title,
                write_to: None,
            });
        }
    }

    fn import_model(&mut self) {
        let Some(Overlay::ImportModel(form)) = &mut self.overlay else {
            return;
        };
        let Some(path) = with_home(&form.path, &self.places.home) else {
            form.fault = Some(say!(self.present.texts, "path-missing"));
            return;
        };
        let mode = form.mode;
        self.overlay = None;
        let run = self.new_run();
        self.my_models.imports.push(Importing {
            run,
            path: path.clone(),
            mode,
            done: (ByteSize(0), ByteSize(0)),
        });
        let request = ImportRequest { path, how: mode };
        self.ask_my_models(MyModelsEffect::Import { run, request });
    }
}

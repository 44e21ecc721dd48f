//! The part of the bridge that asks for model files.

use hearth_protocol::answer::AnswerOptions;
use hearth_protocol::engine::ModelRef;
use hearth_protocol::prompt::{Prompt, PromptMessage, TokenizeInput, TokenizeRequest};
use hearth_protocol::{Answer, FileId};

use super::{Bridge, Named, drain_run, drain_runs};
use crate::effect::Run;
use crate::effect::my_models::MyModelsEffect;
use crate::msg::News;
use crate::msg::my_models::MyModelsNews;

impl Bridge {
    /// Asks the backend for something of the page of model files.
    pub(super) fn run_my_models(&mut self, effect: MyModelsEffect) {
        match effect {
            MyModelsEffect::Watch => self.library = Some(self.client.watch_library()),
            MyModelsEffect::ReadRecords => {
                self.await_my_models(self.client.file_records(), MyModelsNews::Records);
            }
            MyModelsEffect::ReadDiskUse => {
                self.await_my_models(self.client.disk_use(), MyModelsNews::DiskUse);
            }
            MyModelsEffect::Rename { file, name } => {
                self.await_my_models(self.client.rename_file(file, name), MyModelsNews::Renamed);
            }
            MyModelsEffect::WriteNotes { file, notes } => {
                let answer = self.client.write_file_notes(file.clone(), notes);
                self.await_my_models(answer, |result| MyModelsNews::NotesWritten { file, result });
            }
            MyModelsEffect::Inspect(file) => {
                let answer = self.client.inspect_file(file.clone());
                self.await_my_models(answer, |result| MyModelsNews::Inspected {
                    file,
                    result: result.map(Box::new),
                });
            }
            MyModelsEffect::Preview { run, file, messages } => self.preview(run, file, messages),
            MyModelsEffect::Import { run, request } => {
                let events = self.client.import_file(request);
                self.imports.push(Named { run, events });
            }
            // Nobody listens any more, which ends it.
            MyModelsEffect::CancelImport(run) => self.imports.retain(|import| import.run != run),
            MyModelsEffect::Eject(file) => {
                let answer = self.client.eject_file(file.clone());
                self.await_my_models(answer, |result| MyModelsNews::Ejected { file, result });
            }
            MyModelsEffect::Delete(request) => {
                let file = request.file.clone();
                let answer = self.client.delete_file(request);
                self.await_my_models(answer, |result| MyModelsNews::Deleted { file, result });
            }
            MyModelsEffect::ListLeftovers => {
                self.await_my_models(self.client.leftovers(), MyModelsNews::Leftovers);
            }
            MyModelsEffect::Clean { paths, confirmed } => {
                let answer = self.client.clean_leftovers(paths, confirmed);
                self.await_my_models(answer, MyModelsNews::Cleaned);
            }
        }
    }

    /// Tells what became of imports and of the files.
    pub(super) fn drain_my_models(&mut self, news: &mut Vec<News>) {
        drain_runs(&mut self.imports, |run, event| {
            news.push(News::MyModels(MyModelsNews::Import { run, event }));
        });
        if let Some(events) = &self.library
            && !drain_run(events, |event| {
                news.push(News::MyModels(MyModelsNews::Library(event)))
            })
        {
            self.library = None;
        }
    }

    fn preview(&mut self, run: Run, file: FileId, messages: Vec<PromptMessage>) {
        let answer = self.client.tokenize(TokenizeRequest {
            model: Some(ModelRef::File(file)),
            input: TokenizeInput::Prompt {
                prompt: Prompt::Chat {
                    messages,
                    go_on: false,
                },
                answer: Box::new(AnswerOptions::default()),
            },
        });
        self.await_my_models(answer, move |result| MyModelsNews::Previewed {
            run,
            result: result.map(|tokenized| tokenized.text),
        });
    }

    fn await_my_models<T: 'static>(
        &mut self,
        answer: Answer<T>,
        news: impl FnOnce(hearth_protocol::Result<T>) -> MyModelsNews + 'static,
    ) {
        self.await_news(answer, |result| News::MyModels(news(result)));
    }
}

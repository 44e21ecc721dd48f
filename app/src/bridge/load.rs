//! The part of the bridge for the dialog that sets how a model is loaded.

use hearth_protocol::engine::ModelRef;

use super::{Bridge, Named, drain_run};
use crate::effect::load::LoadEffect;
use crate::msg::News;
use crate::msg::load::LoadNews;

impl Bridge {
    /// Asks the backend for something of it.
    pub(super) fn run_load(&mut self, effect: LoadEffect) {
        match effect {
            LoadEffect::ReadRemembered(file) => {
                let answer = self.client.read_load_options(file.clone());
                self.await_news(answer, |result| {
                    News::LoadDialog(LoadNews::Remembered { file, result })
                });
            }
            LoadEffect::Remember { file, options } => {
                let answer = self
                    .client
                    .write_load_options(file, options.map(|options| *options));
                self.await_news(answer, |result| News::LoadDialog(LoadNews::Kept(result)));
            }
            LoadEffect::ListDevices => {
                self.await_news(self.client.devices(), |result| {
                    let threads = std::thread::available_parallelism().ok();
                    let threads = threads.and_then(|threads| u32::try_from(threads.get()).ok());
                    News::LoadDialog(LoadNews::Devices { result, threads })
                });
            }
            LoadEffect::Estimate { run, file, options } => {
                let events = self.client.estimate_memory(ModelRef::File(file), *options);
                self.estimate = Some(Named { run, events });
            }
        }
    }

    /// Tells what is known of a load since the last time.
    pub(super) fn drain_estimate(&mut self, news: &mut Vec<News>) {
        if let Some(Named { run, events }) = &self.estimate
            && !drain_run(events, |event| {
                news.push(News::LoadDialog(LoadNews::Estimate { run: *run, event }));
            })
        {
            self.estimate = None;
        }
    }
}

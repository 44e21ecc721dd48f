//! The part of the bridge that is for the panel beside the chat.

use hearth_protocol::chat::DraftToCount;
use hearth_protocol::engine::ModelRef;
use hearth_protocol::{Answer, Result};

use super::Bridge;
use crate::effect::panel::PanelEffect;
use crate::msg::News;
use crate::msg::panel::PanelNews;

impl Bridge {
    /// Asks the backend for something of presets or settings.
    pub(super) fn run_panel(&mut self, effect: PanelEffect) {
        match effect {
            PanelEffect::ListPresets => {
                let answer = self.client.list_presets();
                self.await_panel(answer, PanelNews::Presets);
            }
            PanelEffect::Save { name, options } => {
                let answer = self.client.save_preset(name, *options);
                self.await_panel(answer, PanelNews::Saved);
            }
            PanelEffect::Rename { name, to } => {
                let answer = self.client.rename_preset(name, to);
                self.await_panel(answer, PanelNews::Renamed);
            }
            PanelEffect::Delete(preset) => {
                let answer = self.client.delete_preset(preset.name.clone());
                self.await_panel(answer, |result| PanelNews::Deleted { preset, result });
            }
            PanelEffect::Export { name, path } => {
                let answer = self.client.export_preset(name, path);
                self.await_panel(answer, PanelNews::Exported);
            }
            PanelEffect::Import(path) => {
                let answer = self.client.import_preset(path);
                self.await_panel(answer, PanelNews::Imported);
            }
            PanelEffect::ReadDefaults(file) => {
                let answer = self.client.read_chat_defaults(file.clone());
                self.await_panel(answer, |result| PanelNews::Defaults { file, result });
            }
            PanelEffect::KeepDefaults { file, options } => {
                let answer = self.client.write_chat_defaults(file.clone(), (*options).clone());
                self.await_panel(answer, |result| PanelNews::DefaultsKept {
                    file,
                    options,
                    result,
                });
            }
            PanelEffect::Count(prompt) => {
                let draft = DraftToCount {
                    model: Some(ModelRef::File(prompt.file.clone())),
                    text: prompt.text.clone(),
                    ..DraftToCount::default()
                };
                let answer = self.client.count_tokens(draft);
                self.await_panel(answer, |result| PanelNews::Counted { prompt, result });
            }
            PanelEffect::Keep { chat, options } => {
                let answer = self.client.write_chat_options(chat, *options);
                self.await_panel(answer, move |result| PanelNews::Kept { chat, result });
            }
        }
    }

    fn await_panel<T: 'static>(
        &mut self,
        answer: Answer<T>,
        news: impl FnOnce(Result<T>) -> PanelNews + 'static,
    ) {
        self.await_news(answer, |result| News::Panel(news(result)));
    }
}

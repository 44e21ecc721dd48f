//! The part of the bridge that is for the composer.

use super::Bridge;
use crate::effect::composer::ComposerEffect;
use crate::msg::News;
use crate::msg::composer::ComposerNews;

impl Bridge {
    /// Asks the backend for something about a draft.
    pub(super) fn run_composer(&mut self, effect: ComposerEffect) {
        match effect {
            ComposerEffect::ReadFile {
                conversation,
                chat,
                path,
            } => {
                let answer = self.client.read_attachment(path);
                self.await_news(answer, move |result| {
                    News::Composer(ComposerNews::FileRead {
                        conversation,
                        chat,
                        result,
                    })
                });
            }
            ComposerEffect::Count { subject, draft } => {
                let answer = self.client.count_tokens(draft);
                self.await_news(answer, |result| {
                    News::Composer(ComposerNews::Counted { subject, result })
                });
            }
        }
    }
}

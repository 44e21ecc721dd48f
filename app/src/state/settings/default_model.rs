//! The model that answers where none is named and none is loaded.

use hearth_protocol::library::FileState;

use crate::msg::Msg;
use crate::msg::settings::SettingsMsg;
use crate::state::AppState;
use crate::state::overlay::Glyph;
use crate::state::overlay::menu::MenuItem;
use crate::text::say;

/// Most models in the menu, which does not scroll.
const MOST: usize = 12;

impl AppState {
    /// What is chosen, in words.
    pub(crate) fn default_model(&self) -> String {
        let Some(chosen) = &self.settings.shown().default_model else {
            return say!(self.texts(), "default-model-last");
        };
        let files = self.models.files.iter().flatten();
        let known = files.into_iter().find(|file| file.id == *chosen);
        known.map_or_else(|| chosen.to_string(), |file| file.name.clone())
    }

    /// What can be chosen.
    pub(in crate::state) fn default_model_items(&self) -> Vec<MenuItem> {
        let chosen = self.settings.shown().default_model.as_ref();
        let item = |label: String, file| {
            let glyph = match chosen == Option::as_ref(&file) {
                true => Glyph::Check,
                false => Glyph::None,
            };
            MenuItem::new(glyph, label, Msg::Settings(SettingsMsg::DefaultModel(file)))
        };
        let files = self.models.files.iter().flatten();
        let ready = files.filter(|file| file.state == FileState::Ready).take(MOST);
        let mut items = vec![item(say!(self.texts(), "default-model-last"), None)];
        items.extend(ready.map(|file| item(file.name.clone(), Some(file.id.clone()))));
        items
    }
}

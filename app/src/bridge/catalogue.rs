//! The part of the bridge that asks the catalogue.

use hearth_protocol::ModelId;
use hearth_protocol::catalogue::search::{AskHub, CatalogueQuery, SearchEvent};

use super::Bridge;
use crate::msg::News;

impl Bridge {
    /// Asks what the catalogue knows of a model, by its name or that of a repository of its files. The hub is not asked.
    pub(super) fn look_up(&mut self, model: ModelId) {
        let events = self.client.search_catalogue(CatalogueQuery {
            text: model.to_string(),
            with_hidden: true,
            ask_hub: AskHub::Never,
            ..CatalogueQuery::default()
        });
        self.answers.push(Box::new(move |told| {
            let Some(event) = events.try_next() else {
                return false;
            };
            // The words of a name find the models with such a name first. One that cannot be looked up can do what its
            // file says, which is no trouble to tell of.
            let abilities = match event.body {
                SearchEvent::Page(page) => page.models.into_iter().next().map(|it| it.capabilities),
                SearchEvent::Finished | SearchEvent::Failed(_) => None,
            };
            told.push(News::LookedUp {
                model: model.clone(),
                abilities: abilities.unwrap_or_default(),
            });
            true
        }));
    }
}

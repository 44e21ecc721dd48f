//! The part of the bridge that finds models.

use super::{Bridge, Named, drain_run};
use crate::effect::discover::DiscoverEffect;
use crate::msg::News;
use crate::msg::discover::DiscoverNews;
use hearth_protocol::catalogue::DetailsEvent;
use hearth_protocol::catalogue::search::SearchEvent;

/// What is being asked of the catalogue. A newer question ends the one before.
#[derive(Default)]
pub(super) struct Asked {
    search: Option<Named<SearchEvent>>,
    details: Option<Named<DetailsEvent>>,
}

impl Bridge {
    /// Asks the backend for something of models that can be had.
    pub(super) fn run_discover(&mut self, effect: DiscoverEffect) {
        match effect {
            DiscoverEffect::Search { run, query } => {
                let events = self.client.search_catalogue(*query);
                self.discover.search = Some(Named { run, events });
            }
            DiscoverEffect::Details { run, request } => {
                let events = self.client.model_details(request);
                self.discover.details = Some(Named { run, events });
            }
            DiscoverEffect::ReadHub => self.await_news(self.client.hub_status(), |result| {
                News::Discover(DiscoverNews::Hub(result))
            }),
            DiscoverEffect::ReadDevices => self.await_news(self.client.devices(), |result| {
                News::Discover(DiscoverNews::Devices(result))
            }),
            DiscoverEffect::Edit { model, edits } => {
                self.await_news(self.client.edit_model(model, *edits), |result| {
                    News::Discover(DiscoverNews::Edited(result))
                });
            }
        }
    }

    /// Tells what the catalogue said since the last time.
    pub(super) fn drain_discover(&mut self, news: &mut Vec<News>) {
        if let Some(Named { run, events }) = &self.discover.search
            && !drain_run(events, |event| {
                news.push(News::Discover(DiscoverNews::Search { run: *run, event }));
            })
        {
            self.discover.search = None;
        }
        if let Some(Named { run, events }) = &self.discover.details
            && !drain_run(events, |event| {
                news.push(News::Discover(DiscoverNews::Details { run: *run, event }));
            })
        {
            self.discover.details = None;
        }
    }
}

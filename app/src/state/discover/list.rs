//! The models that were found: page after page, each first as this computer knows it, then as the hub answers.

use std::collections::HashSet;

use hearth_protocol::catalogue::search::{CataloguePage, SearchEvent};
use hearth_protocol::catalogue::{HubPart, ModelSummary};
use hearth_protocol::{Error, UnixMillis};

use crate::effect::Run;

/// The models that were found.
#[derive(Debug, Default)]
pub(crate) struct List {
    /// Them, in their order.
    pub(crate) models: Vec<ModelSummary>,
    /// What the hub has to do with them.
    pub(super) hub: HubPart,
    /// When the hub told them, where its answer comes from the disk.
    pub(super) cached_at: Option<UnixMillis>,
    /// Why the model that was named is not among them.
    pub(super) named: Option<Error>,
    /// Why there is no answer at all.
    pub(super) failure: Option<Error>,
    /// The search that the first of them are from: another one begins at its top.
    pub(crate) question: Option<Run>,
    /// Whether there are more.
    more: bool,
    /// Where each page begins.
    starts: Vec<usize>,
    /// The page that is asked for.
    asking: Option<(Run, u32)>,
    /// Whether an answer has come to the question before this one.
    is_answered: bool,
}

impl List {
    /// Begins anew. What was found before stays until something else is.
    pub(in crate::state) fn begin(&mut self, run: Run) {
        self.asking = Some((run, 0));
        self.failure = None;
    }

    /// Begins the next page, where there is one and it is not asked for yet; gives its number.
    pub(in crate::state) fn begin_next(&mut self, run: Run) -> Option<u32> {
        let page = self
            .wants_more()
            .then(|| u32::try_from(self.starts.len()).ok())??;
        self.asking = Some((run, page));
        Some(page)
    }

    /// Whether the next page is to be asked for once the end is near.
    pub(crate) fn wants_more(&self) -> bool {
        let failed = self.failure.is_some() || matches!(self.hub, HubPart::Failed { .. });
        self.more && self.asking.is_none() && !failed
    }

    /// Whether nothing is known yet.
    pub(crate) fn is_loading(&self) -> bool {
        !self.is_answered && self.failure.is_none()
    }

    /// Whether the hub is being asked.
    pub(super) fn asks_hub(&self) -> bool {
        self.asking.is_some() && self.hub == HubPart::Asking
    }

    /// Whether there are more than these.
    pub(super) fn has_more(&self) -> bool {
        self.more
    }

    /// Takes news of a search; those of an older one change nothing.
    pub(in crate::state) fn take(&mut self, run: Run, event: SearchEvent) {
        let Some((_, page)) = self.asking.filter(|(asking, _)| *asking == run) else {
            return;
        };
        match event {
            SearchEvent::Page(found) => {
                if page == 0 {
                    self.question = Some(run);
                }
                self.take_page(page as usize, found);
            }
            SearchEvent::Finished => self.asking = None,
            SearchEvent::Failed(error) => {
                self.asking = None;
                self.failure = Some(error);
                if page == 0 {
                    self.clear();
                }
            }
        }
    }

    /// Puts a model in the place of what was known of it.
    pub(in crate::state) fn put(&mut self, model: &ModelSummary) {
        if let Some(known) = self.models.iter_mut().find(|known| known.id == model.id) {
            *known = model.clone();
        }
    }

    fn clear(&mut self) {
        self.models.clear();
        self.starts.clear();
        (self.more, self.named, self.cached_at) = (false, None, None);
        (self.hub, self.is_answered) = (HubPart::NotAsked, true);
    }

    fn take_page(&mut self, page: usize, found: CataloguePage) {
        self.starts.truncate(page + 1);
        let start = match self.starts.get(page) {
            Some(start) => *start,
            None => {
                let start = if page == 0 { 0 } else { self.models.len() };
                self.starts.push(start);
                start
            }
        };
        self.models.truncate(start);
        let known: HashSet<_> = self.models.iter().map(|model| model.id.clone()).collect();
        let new = found.models.into_iter();
        self.models.extend(new.filter(|model| !known.contains(&model.id)));
        self.more = found.more;
        self.hub = found.hub;
        self.is_answered = true;
        if page == 0 {
            (self.cached_at, self.named) = (found.cached_at, found.named);
        }
    }
}

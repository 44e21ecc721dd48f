//! What is searched for: a text, what models shall be able to do, how large they may be, and the order.

use hearth_protocol::catalogue::Capability;
use hearth_protocol::catalogue::search::{AskHub, CatalogueQuery, CatalogueSort};

use crate::text::{Key, key};

/// Parameters of a billion.
const BILLION: u64 = 1_000_000_000;

/// What is searched for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Filters {
    /// What was typed or pasted.
    pub(crate) text: String,
    /// Whether only models are shown that fit this machine.
    pub(crate) fits: bool,
    /// What they shall be able to do.
    pub(crate) capabilities: Vec<Capability>,
    /// How large they may be.
    pub(crate) size: SizeRange,
    /// The order.
    pub(crate) sort: CatalogueSort,
}

/// How many parameters a model may have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum SizeRange {
    /// Any number.
    #[default]
    Any,
    /// Less than 3 billion, for small machines.
    Tiny,
    /// From 3 to 9 billion.
    Small,
    /// From 9 to 35 billion.
    Medium,
    /// More than 35 billion.
    Large,
}

impl SizeRange {
    /// All of them, from the widest.
    pub(crate) const ALL: [Self; 5] = [Self::Any, Self::Tiny, Self::Small, Self::Medium, Self::Large];

    /// In words.
    pub(crate) fn label(self) -> Key {
        match self {
            Self::Any => key!("discover-size-any"),
            Self::Tiny => key!("discover-size-tiny"),
            Self::Small => key!("discover-size-small"),
            Self::Medium => key!("discover-size-medium"),
            Self::Large => key!("discover-size-large"),
        }
    }

    /// Fewest and most parameters.
    fn limits(self) -> (Option<u64>, Option<u64>) {
        match self {
            Self::Any => (None, None),
            Self::Tiny => (None, Some(3 * BILLION)),
            Self::Small => (Some(3 * BILLION), Some(9 * BILLION)),
            Self::Medium => (Some(9 * BILLION), Some(35 * BILLION)),
            Self::Large => (Some(35 * BILLION), None),
        }
    }
}

/// The orders that are offered, and their words.
pub(crate) const SORTS: [(CatalogueSort, Key); 8] = [
    (CatalogueSort::BestMatch, key!("discover-sort-best")),
    (CatalogueSort::Downloads, key!("discover-sort-downloads")),
    (CatalogueSort::Likes, key!("discover-sort-likes")),
    (CatalogueSort::Trending, key!("discover-sort-trending")),
    (CatalogueSort::Updated, key!("discover-sort-updated")),
    (CatalogueSort::Created, key!("discover-sort-created")),
    (CatalogueSort::Parameters, key!("discover-sort-parameters")),
    (CatalogueSort::Name, key!("discover-sort-name")),
];

impl Default for Filters {
    fn default() -> Self {
        Self {
            text: String::new(),
            fits: true,
            capabilities: Vec::new(),
            size: SizeRange::Any,
            sort: CatalogueSort::BestMatch,
        }
    }
}

impl Filters {
    /// Without filters; where there are none, without the text.
    pub(in crate::state) fn cleared(&self) -> Self {
        let bare = Self {
            fits: false,
            sort: self.sort,
            text: self.text.clone(),
            ..Self::default()
        };
        if bare == *self {
            return Self {
                text: String::new(),
                ..bare
            };
        }
        bare
    }

    /// Asks for models that can do this, or no longer.
    pub(in crate::state) fn toggle(&mut self, capability: Capability) {
        match self.capabilities.iter().position(|known| *known == capability) {
            Some(place) => drop(self.capabilities.remove(place)),
            None => self.capabilities.push(capability),
        }
    }

    /// Whether the hub has a part in this: without words and in the usual order, what came with Hearth is shown, and
    /// nobody is asked.
    pub(crate) fn asks_hub(&self) -> bool {
        !self.text.trim().is_empty() || self.sort != CatalogueSort::BestMatch
    }

    /// The question for a page of models.
    pub(in crate::state) fn query(&self, page: u32) -> CatalogueQuery {
        let (min_parameters, max_parameters) = self.size.limits();
        CatalogueQuery {
            text: self.text.trim().to_owned(),
            capabilities: self.capabilities.clone(),
            min_parameters,
            max_parameters,
            fits_only: self.fits,
            sort: self.sort,
            page,
            ask_hub: if self.asks_hub() {
                AskHub::AfterPause
            } else {
                AskHub::Never
            },
            ..CatalogueQuery::default()
        }
    }

    /// The words of the order.
    pub(crate) fn sort_label(&self) -> Key {
        let known = SORTS.iter().find(|(sort, _)| *sort == self.sort);
        known.map_or(SORTS[0].1, |(_, label)| *label)
    }
}

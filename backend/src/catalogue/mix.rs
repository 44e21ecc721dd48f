//! How what this computer knows and what the hub gave become one list, page by page, each model once. Pure.

use std::collections::HashSet;

use hearth_protocol::ModelId;
use hearth_protocol::catalogue::search::CatalogueSort;

use crate::store::catalogue::{Candidate, Candidates};

/// Which of two lists goes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mix {
    /// One's own models, then the hub's in its order, then all others that this computer knows.
    OwnFirst,
    /// By the figure that both lists are ordered by.
    ByFigure,
    /// What this computer knows, in an order that the hub does not have; then what only the hub finds.
    KnownFirst,
}

/// Why a page ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// It holds as much as a page holds, and there is more.
    Full,
    /// Only the hub knows what comes next.
    AskHub,
    /// There is nothing more.
    Over,
}

impl Mix {
    pub(super) fn of(sort: CatalogueSort) -> Self {
        match sort {
            CatalogueSort::BestMatch => Self::OwnFirst,
            CatalogueSort::Name | CatalogueSort::Parameters | CatalogueSort::Favourites => Self::KnownFirst,
            CatalogueSort::Downloads
            | CatalogueSort::Likes
            | CatalogueSort::Trending
            | CatalogueSort::Updated
            | CatalogueSort::Created => Self::ByFigure,
        }
    }
}

/// Adds to a page of `room` models what comes next, and to `passed` what it added. `passed` holds all models of the pages
/// before and of this one. The lists may hold them too; that `from.known` goes on long enough is the caller's care.
pub(super) fn fill(
    mix: Mix,
    from: &Candidates,
    hub_is_done: bool,
    passed: &mut HashSet<ModelId>,
    page: &mut Vec<ModelId>,
    room: usize,
) -> End {
    loop {
        match next(mix, from, hub_is_done, passed) {
            Next::Model(model) if page.len() < room => {
                passed.insert(model.clone());
                page.push(model.clone());
            }
            Next::Over => return End::Over,
            Next::AskHub if page.len() < room => return End::AskHub,
            Next::Model(_) | Next::AskHub => return End::Full,
        }
    }
}

enum Next<'a> {
    Model(&'a ModelId),
    AskHub,
    Over,
}

fn next<'a>(mix: Mix, from: &'a Candidates, hub_is_done: bool, passed: &HashSet<ModelId>) -> Next<'a> {
    let first = |list: &'a [Candidate]| list.iter().find(|candidate| !passed.contains(&candidate.model));
    let (known, waiting) = (first(&from.known), first(&from.waiting));
    let found = match mix {
        Mix::OwnFirst => match first(&from.own).or(waiting) {
            None if hub_is_done => known,
            found => found,
        },
        Mix::KnownFirst => known.or(waiting),
        Mix::ByFigure => match (known, waiting) {
            (Some(known), Some(waiting)) if known.key < waiting.key => Some(waiting),
            // What the hub gives next may belong before it.
            (Some(_), None) if !hub_is_done => None,
            (known, waiting) => known.or(waiting),
        },
    };
    match found {
        Some(candidate) => Next::Model(&candidate.model),
        None if hub_is_done => Next::Over,
        None => Next::AskHub,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn candidate(number: u32, key: u32) -> Candidate {
        Candidate {
            model: ModelId(format!("o/{number}")),
            key: (key > 0).then_some(f64::from(key)),
        }
    }

    /// All pages of `room` models that come of what is known and of a hub that gives so many at once.
    fn pages(
        mix: Mix,
        known: &[Candidate],
        own: &[Candidate],
        hub: &[Candidate],
        at_once: usize,
        room: usize,
    ) -> Vec<Vec<ModelId>> {
        let mut rest = hub.chunks(at_once);
        let mut from = Candidates {
            own: own.to_vec(),
            known: known.to_vec(),
            waiting: Vec::new(),
        };
        let (mut passed, mut pages) = (HashSet::new(), Vec::new());
        loop {
            let mut page = Vec::new();
            let end = loop {
                match fill(mix, &from, rest.len() == 0, &mut passed, &mut page, room) {
                    End::AskHub => from
                        .waiting
                        .extend_from_slice(rest.next().expect("the hub has more")),
                    end => break end,
                }
            };
            pages.push(page);
            from.waiting
                .retain(|candidate| !passed.contains(&candidate.model));
            if end == End::Over {
                return pages;
            }
        }
    }

    fn names(pages: &[Vec<ModelId>]) -> Vec<&str> {
        pages.iter().flatten().map(ModelId::as_str).collect()
    }

    #[test]
    fn each_order_has_its_way() {
        let known = [candidate(1, 9), candidate(2, 5), candidate(3, 1)];
        let own = [candidate(3, 1)];
        let hub = [candidate(4, 7), candidate(2, 5), candidate(5, 3)];
        let cases = [
            (Mix::OwnFirst, ["o/3", "o/4", "o/2", "o/5", "o/1"]),
            (Mix::ByFigure, ["o/1", "o/4", "o/2", "o/5", "o/3"]),
            (Mix::KnownFirst, ["o/1", "o/2", "o/3", "o/4", "o/5"]),
        ];
        for (mix, expected) in cases {
            assert_eq!(names(&pages(mix, &known, &own, &hub, 2, 2)), expected, "{mix:?}");
        }
    }

    proptest! {
        /// However the hub cuts its answer and whatever both know: no model is left out, none comes twice, each page but
        /// the last is full, and the figures never rise.
        #[test]
        fn pages_have_no_gaps_and_repeat_nothing(
            models in proptest::collection::btree_map(0_u32..60, (0_u32..9, any::<bool>(), any::<bool>()), 0..60),
            at_once in 1_usize..8,
            room in 1_usize..8,
            mix in proptest::sample::select(vec![Mix::OwnFirst, Mix::ByFigure, Mix::KnownFirst]),
        ) {
            let list = |chosen: fn(bool, bool) -> bool| {
                let mut list: Vec<_> = models
                    .iter()
                    .filter(|(_, (_, here, there))| chosen(*here, *there))
                    .map(|(number, (key, ..))| (*key, candidate(*number, *key)))
                    .collect();
                list.sort_by_key(|(key, _)| std::cmp::Reverse(*key));
                list.into_iter().map(|(_, candidate)| candidate).collect::<Vec<_>>()
            };
            let (known, hub) = (list(|here, there| here || !there), list(|_, there| there));
            let own: Vec<_> = known.iter().step_by(3).cloned().collect();
            let pages = pages(mix, &known, &own, &hub, at_once, room);
            let names = names(&pages);
            let once: HashSet<_> = names.iter().collect();
            prop_assert_eq!(once.len(), names.len());
            prop_assert_eq!(once.len(), models.len());
            let (last, others) = pages.split_last().expect("a page");
            prop_assert!(others.iter().all(|page| page.len() == room) && last.len() <= room);
            if mix == Mix::ByFigure {
                let keys: BTreeMap<_, _> = known.iter().chain(&hub).map(|c| (c.model.as_str(), c.key)).collect();
                let told: Vec<_> = names.iter().map(|name| keys[name]).collect();
                prop_assert!(told.is_sorted_by(|a, b| a >= b), "{told:?}");
            }
        }
    }
}

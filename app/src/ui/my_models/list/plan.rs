//! Which rows the page has, in their order, and how high each is.

use crate::state::AppState;

/// A row of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Item {
    Disk,
    Import(usize),
    Head,
    Model(usize),
    NoMatch,
    Foot,
    Folders,
    /// Two folders, from the one at this place on.
    Pair(usize),
    End,
}

/// The rows of the page, in their order.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Plan {
    pub(super) imports: usize,
    pub(super) models: usize,
    pub(super) folders: usize,
}

impl Plan {
    pub(super) fn of(state: &AppState) -> Self {
        Self {
            imports: state.my_models.imports.len(),
            models: state.shown_count(),
            folders: state.my_models.folders().len(),
        }
    }

    /// Where the rows of the models begin.
    pub(super) fn first_model(self) -> usize {
        self.imports + 2
    }

    pub(super) fn len(self) -> usize {
        self.first_model() + self.models.max(1) + 3 + self.folders.div_ceil(2)
    }

    pub(super) fn item(self, index: usize) -> Option<Item> {
        let first = self.first_model();
        let foot = first + self.models.max(1);
        Some(match index {
            0 => Item::Disk,
            _ if index <= self.imports => Item::Import(index - 1),
            _ if index < first => Item::Head,
            _ if index < foot && self.models == 0 => Item::NoMatch,
            _ if index < foot => Item::Model(index - first),
            _ if index == foot => Item::Foot,
            _ if index == foot + 1 => Item::Folders,
            _ if index + 1 < self.len() => Item::Pair((index - foot - 2) * 2),
            _ if index < self.len() => Item::End,
            _ => return None,
        })
    }
}

/// Height of a row as it is designed, in pixels.
pub(super) fn height_of(item: Option<Item>, is_damaged: impl Fn(usize) -> bool) -> f64 {
    match item {
        Some(Item::Disk) => 108.0,
        Some(Item::Import(_) | Item::Folders) => 56.0,
        Some(Item::Head) => 34.0,
        Some(Item::Model(index)) if is_damaged(index) => 60.0,
        Some(Item::Model(_)) => 40.0,
        Some(Item::NoMatch) => 96.0,
        Some(Item::Foot) => 12.0,
        Some(Item::Pair(_)) => 48.0,
        Some(Item::End) => 16.0,
        None => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_its_place() {
        let plan = Plan {
            imports: 1,
            models: 2,
            folders: 3,
        };
        let items: Vec<_> = (0..=plan.len()).map(|index| plan.item(index)).collect();
        let expected = [
            Item::Disk,
            Item::Import(0),
            Item::Head,
            Item::Model(0),
            Item::Model(1),
            Item::Foot,
            Item::Folders,
            Item::Pair(0),
            Item::Pair(2),
            Item::End,
        ];
        let expected: Vec<_> = expected.into_iter().map(Some).chain([None]).collect();
        assert_eq!(items, expected);

        let empty = Plan::default();
        let items: Vec<_> = (0..=empty.len()).map(|index| empty.item(index)).collect();
        let expected = [
            Item::Disk,
            Item::Head,
            Item::NoMatch,
            Item::Foot,
            Item::Folders,
            Item::End,
        ];
        let expected: Vec<_> = expected.into_iter().map(Some).chain([None]).collect();
        assert_eq!(items, expected);
    }
}

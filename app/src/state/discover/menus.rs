//! The menus of the page that finds models: the size of models and their order.

use super::filters::{SORTS, SizeRange};
use crate::msg::Msg;
use crate::msg::discover::DiscoverMsg;
use crate::state::AppState;
use crate::state::overlay::Glyph;
use crate::state::overlay::menu::MenuItem;
use crate::text::Key;

/// The menus of the page that finds models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DiscoverMenu {
    /// How large models may be.
    Size,
    /// Their order.
    Sort,
}

impl AppState {
    /// The items of a menu of the page that finds models.
    pub(in crate::state) fn discover_items(&self, menu: DiscoverMenu) -> Vec<MenuItem> {
        let filters = &self.discover.filters;
        let item = |label: Key, is_it: bool, then: DiscoverMsg| {
            let glyph = if is_it { Glyph::Check } else { Glyph::None };
            MenuItem::new(glyph, self.texts().say(label, &[]), Msg::Discover(then))
        };
        match menu {
            DiscoverMenu::Size => SizeRange::ALL
                .map(|size| item(size.label(), size == filters.size, DiscoverMsg::SetSize(size)))
                .into(),
            DiscoverMenu::Sort => SORTS
                .map(|(sort, label)| item(label, sort == filters.sort, DiscoverMsg::SetSort(sort)))
                .into(),
        }
    }
}

//! What tests see of the rows.
#![cfg(feature = "probe")]

use makepad_widgets::*;

use super::panel::*;
use super::rows::TOOLS;
use crate::ui::elements::Element;

/// What the buttons are called, in their order.
const NAMES: [&str; TOOLS.len()] = [
    "more", "pause", "resume", "retry", "page", "use", "show", "remove",
];

impl DownloadsPanelRef {
    /// The rows in view with their names, as tests see them.
    pub(crate) fn elements(&self) -> Vec<Element> {
        let Some(panel) = self.borrow() else {
            return Vec::new();
        };
        let named = |name: String, widget: WidgetRef, text| Element {
            name,
            widget,
            text,
            part: None,
        };
        let rows = panel.drawn().iter().enumerate().flat_map(|(index, (row, item))| {
            let words = [&row.name, &row.tag, &row.amount, &row.pace, &row.reason];
            let words = words.into_iter().filter(|word| !word.is_empty());
            let text = words.cloned().collect::<Vec<_>>().join(" | ");
            let name = format!("downloads.row.{index}");
            let tools = NAMES
                .iter()
                .zip(TOOLS)
                .map(|(tool, path)| named(format!("{name}.{tool}"), item.widget(path), None));
            let mut all: Vec<_> = tools.collect();
            all.push(named(name, item.widget(id!(row)), Some(text)));
            all
        });
        rows.filter(|element| !element.widget.is_empty()).collect()
    }
}

//! Where Tab stops in the rows of the server's page, and what tests see of them.

use makepad_widgets::*;

#[cfg(feature = "probe")]
use super::log_view::*;
#[cfg(feature = "probe")]
use crate::state::AppState;
#[cfg(feature = "probe")]
use crate::ui::elements::Element;
use crate::ui::widget::stack::*;

/// The lists of the page and the buttons in their rows.
const ORIGINS: &[&[LiveId]] = &[id!(remove)];
const KEYS: &[&[LiveId]] = &[id!(revoke), id!(keep), id!(sure)];
const MODELS: &[&[LiveId]] = &[id!(eject)];

/// Where Tab stops among the origins.
pub(crate) fn origin_stops(list: &WidgetRef) -> Vec<WidgetRef> {
    stops(list, ORIGINS)
}

/// Where Tab stops among the keys.
pub(crate) fn key_stops(list: &WidgetRef) -> Vec<WidgetRef> {
    stops(list, KEYS)
}

/// Where Tab stops among the models in memory.
pub(crate) fn model_stops(list: &WidgetRef) -> Vec<WidgetRef> {
    stops(list, MODELS)
}

fn stops(list: &WidgetRef, buttons: &[&[LiveId]]) -> Vec<WidgetRef> {
    let rows = list.as_stack().rows();
    let of_row = |row: WidgetRef| buttons.iter().map(move |button| row.widget(button));
    rows.into_iter().flat_map(of_row).collect()
}

/// The rows with their names.
#[cfg(feature = "probe")]
pub(crate) fn all(ui: &WidgetRef, state: &AppState) -> Vec<Element> {
    let mut all = Vec::new();
    let lists: [(&[LiveId], &str, &[&str]); 3] = [
        (id!(connection.origins), "origin", &["origin", "remove"]),
        (
            id!(server_keys.list),
            "key",
            &["name", "begins", "used", "revoke", "question", "keep", "sure"],
        ),
        (id!(loaded_models.list), "model", &["name", "detail", "eject"]),
    ];
    for (path, name, parts) in lists {
        for (index, row) in ui.stack(path).rows().into_iter().enumerate() {
            for part in parts {
                all.push(Element {
                    name: format!("server.{name}.{index}.{part}"),
                    widget: row.widget(&[LiveId::from_str(part)]),
                    text: None,
                    part: None,
                });
            }
        }
    }
    let lines = ui.log_view(id!(server_log.lines));
    all.push(Element {
        name: "server.log.in_view".into(),
        widget: ui.widget(id!(server_log.lines)),
        text: Some(lines.lines_in_view(&state.server.log)),
        part: None,
    });
    all
}

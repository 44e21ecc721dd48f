//! Where Tab stops in the lists of the page, and what tests see of them.

use makepad_widgets::*;

use super::facts::*;
use super::list::*;
#[cfg(feature = "probe")]
use crate::state::AppState;
#[cfg(feature = "probe")]
use crate::ui::elements::Element;
use crate::ui::overlay::clean_up::*;
#[cfg(feature = "probe")]
use crate::ui::widget::stack::*;

/// Where Tab stops in what scrolls.
pub(crate) fn list_stops(cx: &Cx, list: &WidgetRef) -> Vec<WidgetRef> {
    list.as_model_list().stops(cx)
}

/// Where Tab stops among the metadata.
pub(crate) fn fact_stops(list: &WidgetRef) -> Vec<WidgetRef> {
    list.as_fact_list().stops()
}

/// Where Tab stops among leftovers.
pub(crate) fn leftover_stops(dialog: &WidgetRef) -> Vec<WidgetRef> {
    dialog.as_clean_up().stops()
}

/// The rows with their names.
#[cfg(feature = "probe")]
pub(crate) fn all(ui: &WidgetRef, state: &AppState) -> Vec<Element> {
    let mut all = ui.model_list(id!(model_list)).elements(state);
    let mut add = |name: String, widget: WidgetRef| {
        all.push(Element {
            name,
            widget,
            text: None,
            part: None,
        });
    };
    for (index, row) in ui.fact_list(id!(fact_list)).rows() {
        add(format!("models.fact.{index}.name"), row.widget(id!(name)));
        add(format!("models.fact.{index}.value"), row.widget(id!(value)));
    }
    for (index, row) in ui.stack(id!(model_facts)).rows().into_iter().enumerate() {
        add(format!("models.about.{index}.label"), row.widget(id!(label)));
        add(format!("models.about.{index}.value"), row.widget(id!(value)));
    }
    for (index, row) in ui.clean_up(id!(clean_up)).rows() {
        add(format!("clean_up.row.{index}"), row.clone());
        add(format!("clean_up.row.{index}.path"), row.widget(id!(path)));
        add(format!("clean_up.row.{index}.reason"), row.widget(id!(reason)));
    }
    all
}

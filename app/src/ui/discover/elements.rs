//! Where Tab stops on the page that finds models, and what tests see of its rows.

use makepad_widgets::*;

use super::cards::*;
use super::details::*;
use super::files::BUTTONS;
#[cfg(feature = "probe")]
use crate::state::AppState;
#[cfg(feature = "probe")]
use crate::ui::elements::Element;
use crate::ui::widget::stack::*;
#[cfg(feature = "probe")]
use crate::ui::widget::text::*;

/// The controls of the details above the files.
const ABOVE: [&[LiveId; 1]; 5] = [id!(back), id!(favourite), id!(open_page), id!(page), id!(act)];
const BELOW: [&[LiveId; 1]; 2] = [id!(context_slider), id!(main)];

/// Where Tab stops in the list.
pub(crate) fn card_stops(cx: &Cx, cards: &WidgetRef) -> Vec<WidgetRef> {
    cards.as_model_cards().stops(cx)
}

/// Where Tab stops in the details.
pub(crate) fn stops(details: &WidgetRef) -> Vec<WidgetRef> {
    details.as_found_model().stops()
}

/// The same from within.
pub(super) fn details_stops(details: &View) -> Vec<WidgetRef> {
    let note = details.widget(id!(details_note));
    let above = ABOVE.map(|path| match path {
        path if path == id!(page) || path == id!(act) => note.widget(path),
        path => details.widget(path),
    });
    let mut stops: Vec<_> = above.into();
    stops.extend(BELOW.map(|path| details.widget(path)));
    for row in details.stack(id!(rows)).rows() {
        stops.push(row.widget(id!(row)));
        stops.extend(BUTTONS.map(|button| row.widget(button)));
    }
    stops
}

/// The cards and the files with their names.
#[cfg(feature = "probe")]
pub(crate) fn all(ui: &WidgetRef, state: &AppState) -> Vec<Element> {
    let named = |name: String, widget: WidgetRef, text| Element {
        name,
        widget,
        text,
        part: None,
    };
    let mut all = Vec::new();
    for (index, card, item) in ui.model_cards(id!(model_cards)).drawn() {
        let fit = card.fit.map(|fit| format!("{fit:?}"));
        let words = [card.name, card.summary, card.facts, fit.unwrap_or_default()];
        all.push(named(
            format!("discover.model.{index}"),
            item,
            Some(words.join(" | ")),
        ));
    }
    let details = ui.widget(id!(found_model));
    let rows = details.stack(id!(rows)).rows();
    for (index, (file, row)) in state.file_rows().into_iter().zip(rows).enumerate() {
        let mark = if file.is_recommended { "recommended" } else { "" };
        let words = [file.label, file.size, format!("{:?}", file.fit), mark.into()];
        let name = format!("discover.file.{index}");
        all.push(named(name.clone(), row.widget(id!(row)), Some(words.join(" | "))));
        for (part, path) in PARTS {
            let text = matches!(part, "percent" | "problem").then(|| row.text_line(path).text());
            let text = text.filter(|text| !text.is_empty());
            all.push(named(format!("{name}.{part}"), row.widget(path), text));
        }
    }
    all
}

/// What of a file is named.
#[cfg(feature = "probe")]
const PARTS: [(&str, &[LiveId]); 9] = [
    ("download", id!(get)),
    ("pause", id!(pause)),
    ("resume", id!(resume)),
    ("retry", id!(retry)),
    ("chat", id!(chat)),
    ("here", id!(here)),
    ("coming", id!(coming)),
    ("percent", id!(coming.percent)),
    ("problem", id!(problem.why)),
];

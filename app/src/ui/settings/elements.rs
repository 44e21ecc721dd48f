//! The names of what is on the page of settings, in reading order: the way of the Tab key, and what tests find elements by.

use makepad_widgets::*;

use super::row;
use super::shortcuts;
#[cfg(feature = "probe")]
use crate::state::AppState;
#[cfg(feature = "probe")]
use crate::ui::elements::Element;
use crate::ui::widget::stack::*;

/// Something of the page with its name.
enum Spot {
    /// A control.
    Control(&'static str, &'static [LiveId]),
    /// Something to see.
    Sight(&'static str, &'static [LiveId]),
    /// Rows that a table describes, which have the names of their settings.
    Rows(&'static [LiveId]),
    /// Rows of a list with these controls and sights, named by their place.
    List(
        &'static str,
        &'static [LiveId],
        &'static [&'static [LiveId]],
        &'static [&'static str],
    ),
    /// The keys of each action.
    Keys(&'static [LiveId]),
}

use Spot::*;

const SPOTS: &[Spot] = &[
    Control("settings.part.general", id!(to_general)),
    Control("settings.part.models", id!(to_models)),
    Control("settings.part.network", id!(to_network)),
    Control("settings.part.hardware", id!(to_hardware)),
    Control("settings.part.chats", id!(to_chats)),
    Control("settings.part.shortcuts", id!(to_shortcuts)),
    Control("settings.part.data", id!(to_data)),
    Control("settings.part.privacy", id!(to_privacy)),
    Control("settings.part.about", id!(to_about)),
    Control("settings.theme.reset", id!(theme_row.reset)),
    Control("settings.theme.system", id!(system)),
    Control("settings.theme.light", id!(light)),
    Control("settings.theme.dark", id!(dark)),
    Control("settings.accent.reset", id!(accent_row.reset)),
    Control("settings.accent.ember", id!(ember)),
    Control("settings.accent.moss", id!(moss)),
    Control("settings.accent.lake", id!(lake)),
    Control("settings.accent.iris", id!(iris)),
    Control("settings.accent.rose", id!(rose)),
    Control("settings.text_size.reset", id!(size_row.reset)),
    Control("settings.text_size.small", id!(small)),
    Control("settings.text_size.default", id!(usual)),
    Control("settings.text_size.large", id!(large)),
    Control("settings.density.reset", id!(density_row.reset)),
    Control("settings.density.comfortable", id!(comfortable)),
    Control("settings.density.compact", id!(compact)),
    Control("settings.zoom.usual", id!(zoom_row.reset)),
    Control("settings.zoom.smaller", id!(zoom_smaller)),
    Sight("settings.zoom", id!(zoom)),
    Control("settings.zoom.larger", id!(zoom_larger)),
    Control("settings.language.reset", id!(language_row.reset)),
    Control("settings.language.system", id!(system_language)),
    Control("settings.language.english", id!(english)),
    Control("settings.language.german", id!(german)),
    Control("settings.first_steps", id!(first_steps_again)),
    Control("settings.folder.add", id!(add_folder)),
    List(
        "settings.folder",
        id!(folders),
        &[id!(use_it), id!(remove)],
        &["path", "goal", "detail", "use_it", "remove"],
    ),
    Sight("settings.models.total", id!(models_total)),
    Rows(id!(download_rows)),
    Control("settings.token", id!(token)),
    Control("settings.token.keep", id!(keep_token)),
    Sight("settings.token.problem", id!(token_problem.why)),
    Sight("settings.token.source", id!(owner_row.help)),
    Sight("settings.token.owner", id!(owner)),
    Control("settings.token.forget", id!(forget_token)),
    Rows(id!(network_rows)),
    Control("settings.hardware.again", id!(check_again)),
    List(
        "settings.device",
        id!(devices),
        &[id!(use_it)],
        &["label", "detail", "memory", "use_it"],
    ),
    Sight("settings.hardware.note", id!(devices_none.note)),
    Sight("settings.usage.memory", id!(settings_usage.memory_now)),
    Sight("settings.usage.cpu", id!(settings_usage.cpu_now)),
    Rows(id!(memory_rows)),
    Rows(id!(kept_rows)),
    Sight("settings.kept.size", id!(kept_size)),
    Control("settings.kept.empty", id!(empty_kept)),
    Rows(id!(loading_rows)),
    Rows(id!(answer_rows)),
    Control("settings.default_model.reset", id!(default_row.reset)),
    Control("settings.default_model", id!(default_model)),
    Rows(id!(chat_rows)),
    Control("settings.shortcuts.reset", id!(reset_all)),
    Keys(id!(shortcuts_part.list)),
    Control("settings.data.open", id!(open_data)),
    Sight("settings.data", id!(data_part.home)),
    Sight("settings.models", id!(data_part.models)),
    Control("settings.data.move", id!(move_data)),
    Control("settings.data.export", id!(export_all)),
    Control("settings.data.import", id!(import_chats)),
    Control("settings.data.delete", id!(delete_all)),
    Sight("settings.version", id!(version)),
    Control("settings.licences", id!(licences)),
];

/// Where Tab stops on the page.
pub(crate) fn stops(page: &WidgetRef) -> Vec<WidgetRef> {
    page.borrow::<super::page::SettingsPage>()
        .map_or_else(Vec::new, |page| stops_in(&page))
}

/// The same from within.
pub(super) fn stops_in(page: &View) -> Vec<WidgetRef> {
    let of_spot = |spot: &Spot| match spot {
        Control(_, path) => vec![page.widget(path)],
        Sight(..) => Vec::new(),
        Rows(path) => row::stops(&page.widget(path)),
        List(_, path, controls, _) => {
            let rows = page.stack(path).rows().into_iter();
            rows.flat_map(|row| controls.iter().map(move |control| row.widget(control)))
                .collect()
        }
        Keys(path) => shortcuts::stops(&page.widget(path)),
    };
    SPOTS.iter().flat_map(of_spot).collect()
}

/// All of it with its names.
#[cfg(feature = "probe")]
pub(crate) fn all(ui: &WidgetRef, state: &AppState) -> Vec<Element> {
    let page = ui.widget(id!(settings_page));
    let element = |name: String, widget| Element {
        name,
        widget,
        text: None,
        part: None,
    };
    let mut all = Vec::new();
    for spot in SPOTS {
        match spot {
            Control(name, path) | Sight(name, path) => {
                all.push(element((*name).to_owned(), page.widget(path)));
            }
            Rows(_) | Keys(_) => (),
            List(name, path, _, parts) => {
                for (index, row) in page.stack(path).rows().into_iter().enumerate() {
                    all.extend(parts.iter().map(|part| {
                        let widget = row.widget(&[LiveId::from_str(part)]);
                        element(format!("{name}.{index}.{part}"), widget)
                    }));
                }
            }
        }
    }
    all.extend(row::elements(ui));
    all.extend(shortcuts::elements(ui, state));
    all
}

//! Keys that work wherever the keyboard is, and the way of Tab through the window.

#[cfg(test)]
mod tests;

use makepad_widgets::*;

use super::chat::panel::page::*;
use super::discover::details::*;
use super::elements::ELEMENTS;
use super::overlay::load_dialog::elements as load_dialog;
use super::settings::page::*;
use super::shell;
use super::widget::place::seen;
use crate::msg::Msg;
use crate::msg::load::LoadMsg;
use crate::msg::settings::SettingsMsg;
use crate::state::AppState;
use crate::state::chats::RowKey;
use crate::state::overlay::Overlay;
use crate::state::shortcuts::chord::{Chord, NAMES};

/// What a key means for the whole window. `row` is the row of the list that has the keyboard, which comes before the open
/// chat.
pub(crate) fn shortcut(key: &KeyEvent, state: &AppState, row: Option<RowKey>) -> Option<Msg> {
    if key.key_code == KeyCode::Escape && !key.modifiers.is_primary() {
        return Some(Msg::Escape);
    }
    let action = state.action_of(chord(key)?)?;
    state.message_of(action, row)
}

/// What the plus means with the primary key. Where it is a key of its own, as on German keyboards, the toolkit does not tell
/// which key was pressed.
#[cfg(target_os = "linux")]
pub(crate) fn plus_shortcut(key: &KeyEvent, state: &AppState) -> Option<Msg> {
    let is_unknown = key.key_code == KeyCode::Unknown && key.modifiers.is_primary();
    if !is_unknown || key.modifiers.alt || key.modifiers.logo {
        return None;
    }
    let plus = Chord {
        primary: true,
        shift: false,
        alt: false,
        key: "plus",
    };
    state.message_of(state.action_of(plus)?, None)
}

/// What a key means while the next keys are to be an action's.
pub(crate) fn recorded(key: &KeyEvent) -> Option<Msg> {
    let plain = !key.modifiers.is_primary() && !key.modifiers.alt;
    Some(Msg::Settings(match key.key_code {
        KeyCode::Escape => SettingsMsg::EndRecording,
        KeyCode::Backspace | KeyCode::Delete if plain => SettingsMsg::TakeKeys(None),
        _ => SettingsMsg::TakeKeys(Some(chord(key)?)),
    }))
}

/// The keys that are pressed; `None` for a modifier alone and for keys that are part of none.
pub(crate) fn chord(key: &KeyEvent) -> Option<Chord> {
    let KeyModifiers {
        shift,
        control,
        alt,
        logo,
    } = key.modifiers;
    let primary = key.modifiers.is_primary();
    let other = if cfg!(target_os = "macos") { control } else { logo };
    let key = name(key.key_code)?;
    (!other).then_some(Chord {
        primary,
        // Where the plus stands above the equals sign, Shift belongs to it.
        shift: shift && key != "plus",
        alt,
        key,
    })
}

/// The name of a key in the settings.
fn name(key: KeyCode) -> Option<&'static str> {
    let named = match key {
        KeyCode::Comma => "comma",
        KeyCode::Period => "period",
        KeyCode::Slash => "slash",
        KeyCode::Semicolon => "semicolon",
        KeyCode::Quote => "quote",
        KeyCode::Backslash => "backslash",
        KeyCode::Minus | KeyCode::NumpadSubtract => "minus",
        KeyCode::Equals | KeyCode::NumpadAdd => "plus",
        KeyCode::ArrowLeft => "left",
        KeyCode::ArrowRight => "right",
        KeyCode::ArrowUp => "up",
        KeyCode::ArrowDown => "down",
        KeyCode::Home => "home",
        KeyCode::End => "end",
        KeyCode::PageUp => "pageup",
        KeyCode::PageDown => "pagedown",
        KeyCode::ReturnKey | KeyCode::NumpadEnter => "enter",
        KeyCode::Space => "space",
        KeyCode::Delete => "delete",
        KeyCode::Backspace => "backspace",
        // Letters, digits and the keys of functions are called as they are in the toolkit.
        _ => {
            let name = format!("{key:?}").to_lowercase();
            let name = name.trim_start_matches("numpad").trim_start_matches("key");
            return NAMES.into_iter().find(|known| *known == name);
        }
    };
    Some(named)
}

/// What a key means while something lies over the page.
#[derive(Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "one for each key")]
pub(crate) enum OverlayKey {
    /// This.
    Means(Msg),
    /// The next control in it, or the one before.
    Step,
    /// It is for whatever in it has the keyboard.
    Typed,
    /// Nothing: what lies below gets no keys.
    Nothing,
}

/// What a key means while this lies over the page.
pub(crate) fn overlay_key(key: &KeyEvent, overlay: &Overlay) -> OverlayKey {
    let primary = key.modifiers.is_primary();
    let goes_through = matches!(
        overlay,
        Overlay::Menu(_) | Overlay::Palette(_) | Overlay::Picker(_)
    );
    let picks = matches!(overlay, Overlay::Picker(_));
    match key.key_code {
        KeyCode::Escape => OverlayKey::Means(Msg::CloseOverlay),
        KeyCode::KeyK if primary => OverlayKey::Means(Msg::TogglePalette),
        KeyCode::KeyM if primary && picks => OverlayKey::Means(Msg::TogglePicker),
        KeyCode::ReturnKey | KeyCode::NumpadEnter if picks && key.modifiers.alt => {
            OverlayKey::Means(Msg::LoadDialog(LoadMsg::Open(None)))
        }
        KeyCode::KeyE if primary && picks => OverlayKey::Means(Msg::EjectCurrent),
        KeyCode::ArrowUp if goes_through => OverlayKey::Means(Msg::StepItem { back: true }),
        KeyCode::ArrowDown if goes_through => OverlayKey::Means(Msg::StepItem { back: false }),
        KeyCode::Tab if goes_through => OverlayKey::Means(Msg::StepItem {
            back: key.modifiers.shift,
        }),
        KeyCode::Tab => OverlayKey::Step,
        KeyCode::ReturnKey | KeyCode::NumpadEnter if goes_through => OverlayKey::Means(Msg::TakeChosenItem),
        KeyCode::Space if matches!(overlay, Overlay::Menu(_)) => OverlayKey::Means(Msg::TakeChosenItem),
        _ if matches!(overlay, Overlay::Menu(_)) => OverlayKey::Nothing,
        _ => OverlayKey::Typed,
    }
}

/// Moves the keyboard to the next control of what lies over the page.
pub(crate) fn tab_within(cx: &mut Cx, ui: &WidgetRef, overlay: &Overlay, back: bool) {
    tab_in(cx, ui, shell::widget_of(overlay)[0], back);
}

/// Moves the keyboard to the next control of the panel of downloads.
pub(crate) fn tab_in_downloads(cx: &mut Cx, ui: &WidgetRef, back: bool) {
    tab_in(cx, ui, live_id!(downloads_panel), back);
}

fn tab_in(cx: &mut Cx, ui: &WidgetRef, whole: LiveId, back: bool) {
    let within = ELEMENTS
        .iter()
        .filter(|element| element.path.first() == Some(&whole));
    let stops: Vec<_> = within
        .flat_map(|element| (element.stops)(cx, &ui.widget(element.path)))
        .collect();
    let dialog = ui.widget(id!(load_dialog));
    // It scrolls to what gets the keyboard.
    step(cx, &stops, back, |cx, widget| {
        is_shown(cx, widget) || load_dialog::holds(cx, &dialog, widget)
    });
}

/// Moves the keyboard to the next element in reading order. The toolkit's own order is that of drawing, in
/// which whatever fills the rest comes last.
pub(crate) fn tab(cx: &mut Cx, ui: &WidgetRef, back: bool) {
    let stops: Vec<WidgetRef> = ELEMENTS
        .iter()
        .flat_map(|element| (element.stops)(cx, &ui.widget(element.path)))
        .collect();
    let panel = ui.chat_panel(id!(chat_panel));
    let details = ui.found_model(id!(found_model));
    let settings = ui.settings_page(id!(settings_page));
    // These scroll to what gets the keyboard.
    step(cx, &stops, back, |cx, widget| {
        is_shown(cx, widget)
            || panel.holds(cx, widget)
            || details.holds(cx, widget)
            || settings.holds(cx, widget)
    });
}

/// What the elements of each pane are called, by how their names begin: the rail, the list beside the page, the page, and
/// the panel beside it. What no name fits belongs to the page.
const PANES: [&[&str]; 4] = [&["rail."], &["list."], &[], &["panel"]];
/// The pane of the page.
const PAGE: usize = 2;
/// What gets the keyboard in the page before the first of its controls.
const FIRST: &str = "composer.input";

/// Moves the keyboard to the next pane in which something can be reached. `under_panel` is whether the page lies under the
/// panel of downloads, which is in its place then.
pub(crate) fn step_pane(cx: &mut Cx, ui: &WidgetRef, back: bool, under_panel: bool) {
    let mut panes: [Vec<(&str, WidgetRef)>; PANES.len()] = Default::default();
    let is_free = |name: &str| !under_panel || name.starts_with("rail.") || name.starts_with("downloads.");
    for element in ELEMENTS.iter().filter(|element| is_free(element.name)) {
        let stops = (element.stops)(cx, &ui.widget(element.path)).into_iter();
        let reached = stops.filter(|stop| is_shown(cx, stop) && !stop.disabled(cx));
        panes[pane_of(element.name)].extend(reached.map(|stop| (element.name, stop)));
    }
    let holds = |pane: &Vec<(&str, WidgetRef)>| pane.iter().any(|(_, stop)| cx.has_key_focus(stop.area()));
    let now = panes.iter().position(holds).unwrap_or(PAGE);
    let count = panes.len();
    let mut others = (1..count).map(|by| {
        if back {
            (now + count - by) % count
        } else {
            (now + by) % count
        }
    });
    if let Some(next) = others.find(|pane| !panes[*pane].is_empty()) {
        let stops = &panes[next];
        let first = stops.iter().find(|(name, _)| *name == FIRST);
        if let Some((_, stop)) = first.or(stops.first()) {
            stop.set_key_focus(cx);
        }
    }
}

fn pane_of(name: &str) -> usize {
    let has = |names: &&[&str]| names.iter().any(|begins| name.starts_with(begins));
    // Its button stands in the head of the page.
    match PANES.iter().position(has) {
        Some(pane) if name != "panel.toggle" => pane,
        _ => PAGE,
    }
}

/// Moves the keyboard to the next of these that can be reached.
fn step(cx: &mut Cx, stops: &[WidgetRef], back: bool, can_reach: impl Fn(&Cx, &WidgetRef) -> bool) {
    let stops: Vec<_> = stops
        .iter()
        .filter(|widget| can_reach(cx, widget) && !widget.disabled(cx))
        .collect();
    let Some(last) = stops.len().checked_sub(1) else {
        return;
    };
    let at = stops.iter().position(|stop| cx.has_key_focus(stop.area()));
    let next = match (at, back) {
        (None, false) => 0,
        (None, true) | (Some(0), true) => last,
        (Some(at), true) => at - 1,
        (Some(at), false) => (at + 1) % stops.len(),
    };
    stops[next].set_key_focus(cx);
}

/// Whether a widget is drawn.
pub(crate) fn is_shown(cx: &Cx, widget: &WidgetRef) -> bool {
    !widget.is_empty() && seen(cx, widget.area()).size.x > 0.0
}

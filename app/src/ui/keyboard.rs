//! Keys that work wherever the keyboard is, and the way of Tab through the window.

use makepad_widgets::*;

use super::elements::ELEMENTS;
use super::widget::place::seen;
use crate::msg::Msg;
use crate::state::chats::ListRow;
use crate::state::{AppState, Page};

/// What a key means for the whole window.
pub(crate) fn shortcut(key: &KeyEvent, state: &AppState) -> Option<Msg> {
    let KeyModifiers { shift, alt, .. } = key.modifiers;
    match (key.key_code, key.modifiers.is_primary()) {
        (KeyCode::Escape, false) => Some(Msg::Escape),
        (KeyCode::F2, false) => state.open().chat.map(Msg::BeginRename),
        (KeyCode::KeyC, true) if shift => Some(Msg::CopyLastAnswer),
        _ if shift || alt => None,
        (KeyCode::KeyN, true) => Some(Msg::NewChat),
        (KeyCode::KeyM, true) => Some(Msg::TogglePicker),
        (KeyCode::KeyE, true) => Some(Msg::EjectCurrent),
        (KeyCode::KeyR, true) => Some(Msg::RegenerateLast),
        (KeyCode::Key1, true) => Some(Msg::ShowPage(Page::Chat)),
        (KeyCode::Key2, true) => Some(Msg::ShowPage(Page::Discover)),
        (KeyCode::Key3, true) => Some(Msg::ShowPage(Page::Models)),
        (KeyCode::Key4, true) => Some(Msg::ShowPage(Page::Server)),
        (KeyCode::KeyJ, true) => Some(Msg::ShowPage(Page::Downloads)),
        (KeyCode::Comma, true) => Some(Msg::ShowPage(Page::Settings)),
        (KeyCode::PageUp, true) => neighbour(state, true),
        (KeyCode::PageDown, true) => neighbour(state, false),
        _ => None,
    }
}

/// The chat above or below the open one in the list; the first where none is open.
fn neighbour(state: &AppState, above: bool) -> Option<Msg> {
    let chats: Vec<_> = state
        .list_rows()
        .iter()
        .filter_map(|row| match row {
            ListRow::Chat(chat) => Some(chat),
            ListRow::Group(_) => None,
        })
        .collect();
    let next = match chats.iter().position(|chat| chat.open) {
        Some(open) if above => open.checked_sub(1)?,
        Some(open) => open + 1,
        None => 0,
    };
    chats.get(next).map(|chat| Msg::OpenChat(chat.chat))
}

/// Moves the keyboard to the next element in reading order. The toolkit's own order is that of drawing, in
/// which whatever fills the rest comes last.
pub(crate) fn tab(cx: &mut Cx, ui: &WidgetRef, back: bool) {
    let stops: Vec<WidgetRef> = ELEMENTS
        .iter()
        .flat_map(|element| (element.stops)(cx, &ui.widget(element.path)))
        .collect();
    step(cx, &stops, back);
}

/// Moves the keyboard to the next of these.
pub(crate) fn step(cx: &mut Cx, stops: &[WidgetRef], back: bool) {
    let stops: Vec<_> = stops
        .iter()
        .filter(|widget| is_shown(cx, widget) && !widget.disabled(cx))
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

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;

    use super::*;
    use crate::state::Places;

    #[test]
    fn keys_mean_the_same_wherever_the_keyboard_is() {
        let state = AppState::new(Places::default(), TimeZone::UTC);
        let cases = [
            (KeyCode::Escape, false, Some(Msg::Escape)),
            (KeyCode::KeyN, true, Some(Msg::NewChat)),
            (KeyCode::KeyN, false, None),
            (KeyCode::Comma, true, Some(Msg::ShowPage(Page::Settings))),
            // There is no chat to rename or to go to.
            (KeyCode::F2, false, None),
            (KeyCode::PageDown, true, None),
        ];
        for (key_code, primary, expected) in cases {
            let modifiers = KeyModifiers {
                control: primary && cfg!(not(target_os = "macos")),
                logo: primary && cfg!(target_os = "macos"),
                ..KeyModifiers::default()
            };
            let key = KeyEvent {
                key_code,
                modifiers,
                ..KeyEvent::default()
            };
            assert_eq!(shortcut(&key, &state), expected, "{key_code:?}");
        }
    }
}

//! What keys mean, wherever the keyboard is.

use hearth_protocol::chat::Role;
use hearth_protocol::{ChatId, FolderId};
use jiff::tz::TimeZone;

use super::*;
use crate::msg::panel::PanelMsg;
use crate::state::overlay::menu::{Menu, MenuOf, Place};
use crate::state::overlay::palette::Palette;
use crate::state::overlay::path_form::PathForm;
use crate::state::{Page, Places};

#[test]
fn keys_mean_the_same_wherever_the_keyboard_is() {
    let state = AppState::new(Places::default(), TimeZone::UTC);
    let cases = [
        (KeyCode::Escape, false, Some(Msg::Escape)),
        (KeyCode::KeyN, true, Some(Msg::NewChat)),
        (KeyCode::KeyN, false, None),
        (KeyCode::Comma, true, Some(Msg::ShowPage(Page::Settings))),
        (KeyCode::KeyI, true, Some(Msg::Panel(PanelMsg::Toggle))),
        (KeyCode::KeyK, true, Some(Msg::TogglePalette)),
        (KeyCode::KeyF, true, Some(Msg::FocusSearch)),
        (KeyCode::ReturnKey, true, Some(Msg::Insert(Role::User))),
        (KeyCode::ReturnKey, false, None),
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
        assert_eq!(shortcut(&key, &state, None), expected, "{key_code:?}");
    }
}

#[test]
fn each_key_has_its_name_and_modifiers_alone_are_none() {
    let with = |shift, alt, key_code| KeyEvent {
        key_code,
        modifiers: KeyModifiers {
            shift,
            alt,
            ..KeyModifiers::default()
        },
        ..KeyEvent::default()
    };
    let cases = [
        (with(false, false, KeyCode::KeyA), Some("a")),
        (with(false, false, KeyCode::Key7), Some("7")),
        (with(false, false, KeyCode::Numpad0), Some("0")),
        (with(true, false, KeyCode::F12), Some("shift+f12")),
        (with(true, false, KeyCode::Equals), Some("plus")),
        (with(false, false, KeyCode::NumpadAdd), Some("plus")),
        (with(false, true, KeyCode::ArrowLeft), Some("alt+left")),
        (with(true, true, KeyCode::PageUp), Some("alt+shift+pageup")),
        (with(true, false, KeyCode::Shift), None),
        (with(false, false, KeyCode::Capslock), None),
    ];
    for (key, expected) in cases {
        let chord = chord(&key).map(Chord::written);
        assert_eq!(chord.as_deref(), expected, "{:?}", key.key_code);
    }
}

#[test]
fn every_control_belongs_to_a_pane() {
    let cases = [
        ("rail.chat", 0),
        ("list.rows", 1),
        ("list.search", 1),
        ("picker.button", PAGE),
        ("panel.toggle", PAGE),
        ("composer.input", PAGE),
        ("server.port", PAGE),
        ("panel", 3),
    ];
    for (name, pane) in cases {
        assert_eq!(pane_of(name), pane, "{name}");
    }
}

#[test]
fn a_row_that_has_the_keyboard_is_the_one_that_is_renamed() {
    let state = AppState::new(Places::default(), TimeZone::UTC);
    let key = KeyEvent {
        key_code: KeyCode::F2,
        ..KeyEvent::default()
    };
    let cases = [
        (RowKey::Chat(ChatId(7)), Some(Msg::BeginRename(ChatId(7)))),
        (
            RowKey::Folder(FolderId(8)),
            Some(Msg::BeginRenameFolder(FolderId(8))),
        ),
        (RowKey::NewFolder, None),
    ];
    for (row, expected) in cases {
        assert_eq!(shortcut(&key, &state, Some(row)), expected);
    }
}

#[test]
fn what_lies_over_the_page_has_the_keys() {
    use OverlayKey::*;
    let menu = || {
        Overlay::Menu(Menu {
            of: MenuOf::List,
            at: Place::default(),
            chosen: None,
        })
    };
    let palette = || Overlay::Palette(Palette::default());
    let form = || Overlay::PathForm(PathForm::import());
    let down = || Means(Msg::StepItem { back: false });
    let cases = [
        (menu(), KeyCode::ArrowDown, down()),
        (menu(), KeyCode::ReturnKey, Means(Msg::TakeChosenItem)),
        (menu(), KeyCode::Space, Means(Msg::TakeChosenItem)),
        (menu(), KeyCode::KeyA, Nothing),
        (menu(), KeyCode::Escape, Means(Msg::CloseOverlay)),
        (palette(), KeyCode::Tab, down()),
        (palette(), KeyCode::Space, Typed),
        (palette(), KeyCode::KeyA, Typed),
        (form(), KeyCode::Tab, Step),
        (form(), KeyCode::ReturnKey, Typed),
        (form(), KeyCode::ArrowDown, Typed),
    ];
    for (overlay, key_code, expected) in cases {
        let key = KeyEvent {
            key_code,
            ..KeyEvent::default()
        };
        assert_eq!(overlay_key(&key, &overlay), expected, "{key_code:?} {overlay:?}");
    }
}

//! Settings of the window: its look, its keys, its place.

use expect_test::expect;
use hearth_protocol::settings::{Accent, Language, Theme, WindowPlace, Zoom};

use super::*;
use crate::msg::settings::{SettingsMsg, ZoomStep};
use crate::state::appearance::{Desktop, Look, Shade};
use crate::state::settings::Part;
use crate::state::shortcuts::Action;
use crate::state::shortcuts::chord::Chord;

/// A desk with the settings read and nothing told yet.
fn desk() -> Desk {
    let mut desk = Desk::new();
    desk.all([Msg::Backend(News::SettingsRead(Ok(Settings::default())))]);
    desk.log.clear();
    desk
}

fn set(msg: SettingsMsg) -> Msg {
    Msg::Settings(msg)
}

fn press(keys: &str) -> Msg {
    set(SettingsMsg::TakeKeys(Chord::read(keys)))
}

/// Keys, problem and whether it waits, of an action's row.
fn row(desk: &Desk, action: Action) -> (String, String, bool) {
    let mut rows = desk.state.shortcut_rows().into_iter();
    let row = rows.find(|row| row.action == action).expect("a row");
    (row.keys, row.problem, row.waiting)
}

#[test]
fn each_change_shows_at_once_and_is_stored() {
    let mut desk = desk();
    desk.all([
        set(SettingsMsg::Accent(Accent::Lake)),
        set(SettingsMsg::Zoom(ZoomStep::Larger)),
        set(SettingsMsg::Zoom(ZoomStep::Larger)),
        set(SettingsMsg::Language(Some(Language::German))),
        set(SettingsMsg::Language(Some(Language::German))),
    ]);
    let look = desk.state.look();
    assert_eq!(
        (look.accent, look.zoom, look.language),
        (Accent::Lake, Zoom(120), Language::German)
    );
    assert_eq!(desk.log.matches("write settings").count(), 4, "{}", desk.log);
    // Another scale makes no design anew.
    assert_eq!(desk.log.matches("show Dark").count(), 2, "{}", desk.log);
    assert_eq!(desk.log.matches("show Zoom").count(), 2, "{}", desk.log);
    desk.all([set(SettingsMsg::Zoom(ZoomStep::Usual))]);
    assert_eq!(desk.state.look().zoom, Zoom(100));
}

#[test]
fn another_language_says_everything_anew() {
    let mut desk = desk();
    desk.all([filed(), set(SettingsMsg::Language(Some(Language::German)))]);
    expect![[r#"
        [Ordner]
        / Italian 0
        / Work 1
        - Second 14:31 nested
        [Heute]
        - First 14:32
        [Gestern]
        - Third 14:32
        header Off Modell wählen: Keins geladen
    "#]]
    .assert_eq(desk_told(&mut desk).split_once("new chat").expect("the chat").0);
}

/// What is shown, without what was asked for.
fn desk_told(desk: &mut Desk) -> String {
    desk.log.clear();
    desk.told()
}

#[test]
fn the_system_theme_follows_the_desktop_and_no_other_does() {
    let mut desk = desk();
    desk.all([Msg::DesktopTurned(Shade::Light)]);
    assert_eq!(desk.state.look().shade, Shade::Light);
    desk.all([
        set(SettingsMsg::Theme(Theme::Dark)),
        Msg::DesktopTurned(Shade::Light),
    ]);
    assert_eq!(desk.state.look().shade, Shade::Dark);
}

#[test]
fn the_window_opens_in_the_look_of_the_settings_and_asks_for_no_other() {
    let settings = Settings {
        theme: Theme::Light,
        zoom: Zoom(130),
        ..Settings::default()
    };
    let desktop = Desktop {
        shade: Shade::Dark,
        language: Language::German,
    };
    let mut desk = Desk::new();
    desk.state = desk.state.opened(desktop, &settings);
    assert_eq!(desk.state.look(), Look::of(&settings, desktop));
    desk.all([Msg::Backend(News::SettingsRead(Ok(settings)))]);
    assert_eq!(desk.log, "");
}

#[test]
fn keys_are_given_to_an_action_unless_another_has_them() {
    let mut desk = desk();
    let plain = |keys: &str| (keys.to_owned(), String::new(), false);
    assert_eq!(row(&desk, Action::NewChat), plain("Ctrl N"));
    desk.all([set(SettingsMsg::RecordKeys(Action::NewChat))]);
    assert!(row(&desk, Action::NewChat).2 && desk.state.records_keys());

    for (keys, problem) in [
        (
            "mod+k",
            "Ctrl K is taken by “Open the command palette”. Give that other keys first.",
        ),
        ("mod+c", "Text fields need these keys."),
        ("n", "These keys type. Add Ctrl, Cmd or Alt."),
    ] {
        desk.all([set(SettingsMsg::RecordKeys(Action::NewChat)), press(keys)]);
        desk.all([set(SettingsMsg::RecordKeys(Action::NewChat)), press(keys)]);
        assert_eq!(
            row(&desk, Action::NewChat),
            ("Ctrl N".to_owned(), problem.to_owned(), false)
        );
    }
    assert_eq!(desk.log, "", "nothing was stored");

    desk.all([
        set(SettingsMsg::RecordKeys(Action::NewChat)),
        press("mod+shift+n"),
    ]);
    assert_eq!(row(&desk, Action::NewChat), plain("Ctrl Shift N"));
    assert_eq!(desk.state.settings().shortcuts["new_chat"], "mod+shift+n");
    let chord = |keys| Chord::read(keys).expect("keys");
    assert_eq!(desk.state.action_of(chord("mod+n")), None);
    assert_eq!(desk.state.action_of(chord("mod+shift+n")), Some(Action::NewChat));

    // Another takes the free ones, so that they do not come back.
    desk.all([set(SettingsMsg::RecordKeys(Action::Search)), press("mod+n")]);
    desk.all([set(SettingsMsg::ResetKeys(Action::NewChat))]);
    assert!(row(&desk, Action::NewChat).1.starts_with("Ctrl N is taken"));
    desk.all([set(SettingsMsg::ResetAllKeys)]);
    assert!(desk.state.settings().shortcuts.is_empty());
    assert_eq!(row(&desk, Action::NewChat), plain("Ctrl N"));
}

#[test]
fn an_action_can_have_no_keys_and_recording_ends_with_the_page() {
    let mut desk = desk();
    desk.all([
        set(SettingsMsg::RecordKeys(Action::Eject)),
        set(SettingsMsg::TakeKeys(None)),
    ]);
    assert_eq!(row(&desk, Action::Eject).0, "None");
    for leave in [
        Msg::ShowPage(Page::Chat),
        set(SettingsMsg::ShowPart(Part::General)),
        set(SettingsMsg::EndRecording),
    ] {
        desk.all([set(SettingsMsg::RecordKeys(Action::Eject)), leave]);
        assert!(!desk.state.records_keys());
        desk.all([press("mod+e")]);
        assert_eq!(row(&desk, Action::Eject).0, "None");
    }
}

#[test]
fn the_place_of_the_window_is_asked_for_once_a_second_and_kept() {
    let mut desk = desk();
    let place = WindowPlace {
        at: Some((10, 20)),
        width: 1100,
        height: 700,
        maximised: false,
    };
    desk.all([
        Msg::WindowMoved,
        Msg::Tick,
        Msg::WindowPlaced(place),
        Msg::WindowPlaced(place),
    ]);
    assert_eq!(desk.log.matches("ReadPlace").count(), 1, "{}", desk.log);
    assert_eq!(desk.log.matches("write settings").count(), 1, "{}", desk.log);
    assert_eq!(desk.state.settings().window, Some(place));

    // What fills the screen keeps the size it had before.
    desk.all([Msg::WindowPlaced(WindowPlace {
        at: Some((0, 0)),
        width: 1920,
        height: 1080,
        maximised: true,
    })]);
    let kept = desk.state.settings().window;
    assert_eq!(
        kept,
        Some(WindowPlace {
            maximised: true,
            ..place
        })
    );
}

#[test]
fn another_start_shows_the_window() {
    let mut desk = desk();
    desk.all([Msg::Backend(News::ShowWindow(None))]);
    assert_eq!(desk.log, "-> ShowWindow\n");
}

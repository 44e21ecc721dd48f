//! The first start: when its steps come, how they go on, and that they come once.

use expect_test::expect;
use hearth_protocol::settings::{Language, WindowPlace};

use super::*;
use crate::msg::settings::SettingsMsg;
use crate::state::first_start::Step;
use crate::state::overlay::Overlay;

fn none() -> Msg {
    chats([])
}

fn stored() -> Msg {
    Msg::Backend(News::StorageChecked(Ok(())))
}

/// All that is told at a first start.
fn first() -> [Msg; 3] {
    [stored(), settings_read(), none()]
}

fn seen() -> Msg {
    Msg::Backend(News::SettingsRead(Ok(Settings {
        first_start_seen: true,
        ..Settings::default()
    })))
}

/// As a Hearth left them that noted a first start by the window's place.
fn seen_long_ago() -> Msg {
    Msg::Backend(News::SettingsRead(Ok(Settings {
        window: Some(WindowPlace::default()),
        ..Settings::default()
    })))
}

fn next() -> Msg {
    Msg::StepFirstStart { back: false }
}

fn step(desk: &Desk) -> Option<Step> {
    match &desk.state.overlay {
        Some(Overlay::FirstStart(steps)) => Some(steps.step),
        _ => None,
    }
}

#[test]
fn the_steps_come_by_themselves_at_the_first_start_only() {
    let gone = Msg::Backend(News::Chats(ChatsEvent::Closed(Error::BackendGone)));
    let unread = Msg::Backend(News::SettingsRead(Err(Error::BackendGone)));
    let full = Msg::Backend(News::StorageChecked(Err(trouble())));
    let cases = [
        (vec![stored(), settings_read(), none()], true),
        (vec![none(), settings_read(), stored()], true),
        (vec![stored(), settings_read()], false),
        (vec![stored(), none()], false),
        (vec![settings_read(), none()], false),
        (vec![stored(), seen(), none()], false),
        (vec![stored(), seen_long_ago(), none()], false),
        // Who has chats has been here before.
        (vec![stored(), settings_read(), three()], false),
        (vec![stored(), settings_read(), filed()], false),
        (vec![stored(), settings_read(), gone], false),
        (vec![stored(), unread, none()], false),
        // What hinders everything comes first.
        (vec![settings_read(), none(), full], false),
        // What comes later changes nothing.
        (vec![stored(), seen(), none(), settings_read(), none()], false),
        (
            vec![
                stored(),
                settings_read(),
                none(),
                Msg::CloseOverlay,
                settings_read(),
                none(),
            ],
            false,
        ),
    ];
    for (msgs, shown) in cases {
        let mut desk = Desk::with_models();
        desk.all(msgs.clone());
        assert_eq!(step(&desk).is_some(), shown, "{msgs:?}");
    }
}

#[test]
fn three_steps_lead_to_the_composer() {
    let mut desk = Desk::with_models();
    desk.all(first());
    assert_eq!(desk.log, "-> FocusOverlay\n");
    assert_eq!(step(&desk), Some(Step::Welcome));
    desk.all([next()]);
    assert_eq!(step(&desk), Some(Step::Look));
    desk.all([
        Msg::Settings(SettingsMsg::Language(Some(Language::German))),
        next(),
    ]);
    assert_eq!(step(&desk), Some(Step::Model));
    assert!(desk.state.first_model().starts_with("smol kam mit Hearth."));
    desk.all([Msg::StepFirstStart { back: true }]);
    assert_eq!(step(&desk), Some(Step::Look));
    desk.log.clear();
    desk.all([next(), next()]);
    assert_eq!(step(&desk), None);
    expect![[r#"
        -> FocusOverlay
        -> write settings, theme System
        -> FocusComposer
    "#]]
    .assert_eq(&desk.log);
}

#[test]
fn each_step_can_be_skipped_and_the_first_leads_nowhere_back() {
    for steps in 0..3 {
        let mut desk = Desk::with_models();
        desk.all(first());
        desk.all([Msg::StepFirstStart { back: true }]);
        assert_eq!(step(&desk), Some(Step::Welcome));
        desk.all((0..steps).map(|_| next()));
        desk.log.clear();
        desk.all([Msg::Escape]);
        assert_eq!(step(&desk), None);
        assert_eq!(desk.log, "-> write settings, theme System\n-> FocusComposer\n");
    }
}

#[test]
fn the_steps_can_be_seen_again() {
    let mut desk = Desk::with_models();
    desk.all([
        seen(),
        three(),
        Msg::TogglePalette,
        Msg::PaletteChanged("welcome".into()),
    ]);
    desk.log.clear();
    desk.all([Msg::TakeChosenItem]);
    assert_eq!(step(&desk), Some(Step::Welcome));
    desk.log.clear();
    desk.all([Msg::CloseOverlay]);
    assert_eq!(
        desk.log, "-> FocusComposer\n",
        "that they were seen is known already"
    );
}

#[test]
fn the_last_step_says_which_model_answers() {
    let own = Msg::Backend(News::Files(Ok(vec![file(QWEN, Source::Hearth)])));
    let empty = Msg::Backend(News::Files(Ok(vec![])));
    let cases = [
        (files(), "smol came with Hearth."),
        (own, "Your model runs on this machine"),
        (
            empty,
            "Put a model file, which ends in .gguf, into ~/Hearth/models",
        ),
    ];
    for (list, said) in cases {
        let mut desk = Desk::new();
        desk.all([list]);
        let told = desk.state.first_model();
        assert!(told.starts_with(said), "{told}");
    }
}

//! Pages, colours, toasts and banners.

use expect_test::expect;
use hearth_protocol::settings::Theme;

use hearth_protocol::{Result, UndoToken};

use super::*;
use crate::msg::settings::SettingsMsg;
use crate::state::appearance::Shade;
use crate::state::toast::{MOST, ToastId};

fn written(result: Result<Settings>) -> Msg {
    Msg::Backend(News::SettingsWritten(result))
}

fn refused(reason: &str) -> Msg {
    Msg::Backend(News::Refused(Error::Internal {
        reason: reason.into(),
    }))
}

fn newer() -> Error {
    Error::NewerDatabase { found: 9, known: 1 }
}

/// A toast that leaves by itself.
fn chat_deleted(desk: &mut Desk, chat: i64) -> Vec<Effect> {
    desk.all([chats([summary(chat, "Gone", NOW)]), Msg::DeleteChat(ChatId(chat))]);
    let undo = hearth_protocol::chat::Deleted {
        undo: UndoToken(chat),
    };
    let deleted = News::Deleted {
        chat: ChatId(chat),
        result: Ok(undo),
    };
    desk.state.update(Msg::Backend(deleted), UnixMillis(desk.now))
}

fn titles(desk: &Desk) -> Vec<&str> {
    desk.state
        .toasts
        .shown()
        .iter()
        .map(|toast| toast.title.as_str())
        .collect()
}

#[test]
fn pages_are_shown() {
    for page in [
        Page::Discover,
        Page::Models,
        Page::Server,
        Page::Settings,
        Page::Chat,
    ] {
        let mut desk = Desk::new();
        desk.all([Msg::ShowPage(page)]);
        assert_eq!(desk.state.page(), page);
        assert_eq!(desk.log.contains("FocusComposer"), page == Page::Chat);
    }
}

/// The composer is out of sight there: it would take keys that nobody means for it, or wait to be drawn for ever.
#[test]
fn the_composer_gets_the_keyboard_on_its_own_page_only() {
    let mut desk = Desk::with_models();
    desk.all([
        Msg::ShowPage(Page::Settings),
        Msg::TogglePicker,
        load(SMOL),
        Msg::PickSuggestion(0),
    ]);
    assert!(!desk.log.contains("FocusComposer"), "{}", desk.log);
}

#[test]
fn a_new_theme_shows_at_once_and_is_stored() {
    let light = Settings {
        theme: Theme::Light,
        ..Settings::default()
    };
    let mut desk = Desk::new();
    desk.all([
        settings_read(),
        Msg::Settings(SettingsMsg::Theme(Theme::Light)),
        Msg::Settings(SettingsMsg::Theme(Theme::Light)),
        written(Ok(light)),
    ]);
    assert_eq!(desk.state.look().shade, Shade::Light);
    expect![[r#"
        -> write settings, theme Light
        -> show Light
    "#]]
    .assert_eq(&desk.log);
}

#[test]
fn a_theme_that_was_not_stored_is_taken_back() {
    let mut desk = Desk::new();
    desk.all([
        settings_read(),
        Msg::Settings(SettingsMsg::Theme(Theme::Light)),
        written(Err(newer())),
    ]);
    assert_eq!(desk.state.look().shade, Shade::Dark);
    expect![[r#"
        -> write settings, theme Light
        -> show Light
        -> show Dark
        banner Warning: These chats were written by a newer Hearth (9, this one knows 1). They can be read; update Hearth to go on writing.
        header Off Choose a model: Nothing loaded
        new chat
          What would you like to ask?
        composer <These chats can only be read> (send) ReadOnly
    "#]].assert_eq(&desk.told());
}

#[test]
fn settings_that_are_not_read_yet_are_not_overwritten() {
    let mut desk = Desk::new();
    desk.all([Msg::Settings(SettingsMsg::Theme(Theme::Light))]);
    assert_eq!((desk.state.look().shade, desk.log.as_str()), (Shade::Dark, ""));
    let light = Settings {
        theme: Theme::Light,
        ..Settings::default()
    };
    desk.all([Msg::Backend(News::SettingsRead(Ok(light)))]);
    expect![[r#"
        -> show Light
    "#]]
    .assert_eq(&desk.log);
}

#[test]
fn a_toast_leaves_after_five_seconds_and_one_tick_is_asked_for() {
    let mut desk = Desk::with_models();
    assert_eq!(tick(&chat_deleted(&mut desk, 1)), Some(5_000));
    let start = desk.now;
    let mut at = |millis: i64, msg: Msg| {
        let effects = desk.state.update(msg, UnixMillis(start + millis));
        (desk.state.toasts.shown().len(), tick(&effects))
    };
    // Nothing new leaves, so no further tick.
    assert_eq!(at(1_000, Msg::RenameChanged("x".into())), (1, None));
    // A tick that comes too early asks for the rest.
    assert_eq!(at(4_000, Msg::Tick), (1, Some(1_000)));
    assert_eq!(at(5_000, Msg::Tick), (0, None));
    assert_eq!(at(6_000, Msg::Tick), (0, None));
}

#[test]
fn the_pointer_keeps_toasts() {
    let mut desk = Desk::with_models();
    chat_deleted(&mut desk, 1);
    let start = desk.now;
    let mut at = |millis: i64, msg: Msg| {
        let effects = desk.state.update(msg, UnixMillis(start + millis));
        (desk.state.toasts.shown().len(), tick(&effects))
    };
    assert_eq!(at(3_000, Msg::HoldToasts(true)), (1, None));
    assert_eq!(at(9_000, Msg::Tick), (1, None));
    assert_eq!(at(10_000, Msg::HoldToasts(false)), (1, Some(5_000)));
    assert_eq!(at(15_000, Msg::Tick), (0, None));
}

#[test]
fn closing_the_last_toast_under_the_pointer_holds_no_later_one() {
    let mut desk = Desk::with_models();
    chat_deleted(&mut desk, 1);
    desk.all([Msg::HoldToasts(true), Msg::CloseToast(ToastId(0))]);
    assert_eq!(tick(&chat_deleted(&mut desk, 2)), Some(5_000));
}

#[test]
fn errors_stay_until_they_are_closed_and_the_same_one_stands_once() {
    let mut desk = Desk::new();
    desk.all([refused("x"), refused("x"), Msg::Tick]);
    expect![[r#"
        header Off Choose a model: Nothing loaded
        new chat
          What would you like to ask?
        composer <Write a message> (send)
        toast Failed That did not work: Hearth made a mistake: x. A report with the log helps to mend it.
    "#]]
    .assert_eq(&desk.told());
    desk.all([Msg::CloseToast(ToastId(99)), Msg::CloseToast(ToastId(1))]);
    assert!(titles(&desk).is_empty());
}

#[test]
fn the_oldest_toast_gives_way() {
    let mut desk = Desk::new();
    desk.all(["1", "2", "3", "4"].map(refused));
    assert_eq!(desk.state.toasts.shown().len(), MOST);
    assert!(desk.state.toasts.shown()[0].text.contains('2'));
}

#[test]
fn a_newer_database_can_be_read_only() {
    let mut desk = Desk::with_chats();
    desk.all([draft("Hi"), Msg::Send]);
    desk.log.clear();
    desk.all([failed(1, newer(), None)]);
    expect![[r#"
        banner Warning: These chats were written by a newer Hearth (9, this one knows 1). They can be read; update Hearth to go on writing.
        [Today]
        - First 14:32 open
        - Second 14:31
        [Yesterday]
        - Third 14:32
        header Off Choose a model: Nothing loaded
        chat 1
          > 11 "Question"
          < 12 "Answer"
            61.3_tok/s · 2_tokens · TTFT 0.21_s · stop: end of text
        composer "Hi" (send) 42 / 2_048 ReadOnly
    "#]].assert_eq(&desk.told());
}

#[test]
fn a_newer_database_is_told_before_anything_is_written() {
    let mut desk = Desk::with_models();
    desk.all([
        Msg::Backend(News::StorageChecked(Ok(()))),
        Msg::Backend(News::StorageChecked(Err(newer()))),
    ]);
    expect![[r#"
        banner Warning: These chats were written by a newer Hearth (9, this one knows 1). They can be read; update Hearth to go on writing.
        header Off Choose a model: Nothing loaded
        new chat
          What would you like to ask?
        composer <These chats can only be read> (send) ReadOnly
    "#]].assert_eq(&desk.told());
}

#[test]
fn a_database_that_cannot_be_opened_is_told_once_for_all() {
    let refused = || Err(trouble());
    let mut desk = Desk::with_models();
    desk.all([
        Msg::Backend(News::StorageChecked(refused())),
        Msg::Backend(News::SettingsRead(Err(trouble()))),
        Msg::Backend(News::Chats(ChatsEvent::Closed(trouble()))),
        draft("Hi"),
        Msg::Send,
    ]);
    expect![[r#"
        -> TickAfter(1000)
        banner Failed: Chats cannot be stored. The database of chats: the disk is full.
        header Off Choose a model: Nothing loaded
        new chat
          What would you like to ask?
        composer "Hi" (send) NoStorage
    "#]]
    .assert_eq(&desk.told());
}

#[test]
fn a_backend_that_is_gone_is_told_once_for_all() {
    let gone = || Err(Error::BackendGone);
    let mut desk = Desk::new();
    desk.all([
        Msg::Backend(News::SettingsRead(gone())),
        Msg::Backend(News::Chats(ChatsEvent::Closed(Error::BackendGone))),
        Msg::Backend(News::Files(Err(Error::BackendGone))),
        Msg::Backend(News::Refused(Error::BackendGone)),
        draft("Hi"),
        Msg::Send,
    ]);
    expect![[r#"
        -> TickAfter(1000)
        banner Failed: Hearth's backend has stopped. Restart Hearth; chats and downloads are kept.
        header Off Choose a model: Nothing loaded
        new chat
          What would you like to ask?
        composer "Hi" (send) BackendGone
    "#]]
    .assert_eq(&desk.told());
}

#[test]
fn escape_closes_the_nearest_thing_first() {
    let mut desk = Desk::with_answer_begun();
    desk.all([Msg::BeginRename(ChatId(1)), Msg::TogglePicker]);
    desk.log.clear();
    desk.all([Msg::Escape]);
    assert_eq!(
        (desk.state.overlay.is_some(), desk.state.chats.rename.is_some()),
        (false, true)
    );
    assert_eq!(desk.log, "-> FocusComposer\n");
    desk.log.clear();
    desk.all([Msg::Escape]);
    assert!(desk.state.chats.rename.is_none());
    assert_eq!(desk.log, "");
    // An answer that is not in sight is not stopped.
    desk.all([Msg::ShowPage(Page::Settings), Msg::Escape]);
    assert_eq!(desk.log, "");
    desk.all([Msg::ShowPage(Page::Chat), Msg::Escape]);
    assert_eq!(desk.log, "-> FocusComposer\n-> Stop(Run(1))\n");
}

#[test]
fn a_suggestion_begins_the_message() {
    check(
        [files(), Msg::PickSuggestion(1), Msg::PickSuggestion(9)],
        expect![[r#"
            -> FocusComposer
            -> TickAfter(1000)
            header Off Choose a model: Nothing loaded
            new chat
              What would you like to ask?
            composer "Explain this code line by line, in plain words:\n\n" send
        "#]],
    );
}

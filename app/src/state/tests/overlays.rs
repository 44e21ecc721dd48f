//! Menus, the form for a path, and the palette.

use expect_test::expect;
use hearth_protocol::chat::list::{ExportFormat, Imported};

use super::*;
use crate::state::overlay::Overlay;
use crate::state::overlay::menu::{MenuOf, Place};

fn menu(of: MenuOf) -> Msg {
    Msg::OpenMenu {
        of,
        at: Place { x: 10.0, y: 20.0 },
    }
}

fn down() -> Msg {
    Msg::StepItem { back: false }
}

#[test]
fn the_menu_of_a_chat_has_everything_that_can_be_done_with_it() {
    let mut desk = Desk::with_models();
    desk.all([filed(), menu(MenuOf::Chat(ChatId(2))), down(), down(), down()]);
    expect![[r#""#]].assert_eq(&desk.told());
    desk.all([Msg::TakeChosenItem, down(), down()]);
    expect![[r#""#]].assert_eq(&desk.told());
    desk.all([Msg::TakeChosenItem]);
    expect![[r#""#]].assert_eq(&desk.told());
}

#[test]
fn the_menu_of_a_message_has_what_can_be_done_now() {
    let mut desk = Desk::with_chats();
    desk.all([menu(MenuOf::Message(MessageId(12)))]);
    expect![[r#""#]].assert_eq(&desk.told());
    let mut desk = Desk::with_answer_begun();
    desk.all([menu(MenuOf::Message(MessageId(11)))]);
    assert!(!desk.told().contains("Delete"), "not while an answer is written");
}

#[test]
fn a_menu_of_what_is_gone_does_not_open() {
    let mut desk = Desk::with_chats();
    desk.all([menu(MenuOf::Chat(ChatId(9))), menu(MenuOf::Message(MessageId(9)))]);
    assert!(desk.state.overlay.is_none());
}

#[test]
fn the_keys_go_round_in_a_menu_and_escape_closes_it() {
    let mut desk = Desk::with_chats();
    desk.all([menu(MenuOf::List), Msg::StepItem { back: true }]);
    assert!(desk.told().contains("Import Import chats  apart chosen"));
    desk.all([down()]);
    assert!(desk.told().contains("NewChat New chat Ctrl N chosen"));
    desk.all([Msg::Escape]);
    assert!(desk.state.overlay.is_none());
    assert!(
        !desk.log.contains("FocusComposer"),
        "the keyboard stays: {}",
        desk.log
    );
}

#[test]
fn an_export_asks_for_a_path_and_stays_open_where_it_fails() {
    let mut desk = Desk::with_chats();
    desk.all([
        Msg::AskExport {
            chat: ChatId(1),
            format: ExportFormat::Markdown,
        },
        Msg::BrowsePath,
        Msg::PathPicked(None),
        Msg::PathChanged("~/notes/a.md".into()),
        Msg::TakePath,
        Msg::TakePath,
    ]);
    expect![[r#""#]].assert_eq(&desk.told());
    desk.all([Msg::Backend(News::Exported(Err(trouble())))]);
    assert!(
        desk.told()
            .contains("Export as Markdown \"~/notes/a.md\" fault: ")
    );
    desk.all([
        Msg::PathPicked(Some("/tmp/b.md".into())),
        Msg::TakePath,
        Msg::Backend(News::Exported(Ok(()))),
    ]);
    let told = desk.told();
    assert!(told.contains("toast Done Chat exported: /tmp/b.md"), "{told}");
    assert!(desk.state.overlay.is_none());
}

#[test]
fn an_import_tells_what_came_and_shows_it() {
    let mut desk = Desk::with_chats();
    desk.all([Msg::AskImport, Msg::TakePath]);
    assert!(desk.told().contains("fault: Type the path of a file"));
    desk.all([
        Msg::PathChanged("/tmp/chats.json".into()),
        Msg::TakePath,
        Msg::Backend(News::Imported(Ok(Imported {
            chats: vec![summary(8, "Old one", NOW), summary(9, "Older one", NOW - DAY)],
            known: vec![summary(1, "First", NOW)],
            empty: 2,
        }))),
    ]);
    expect![[r#""#]].assert_eq(&desk.told());
    let toast = desk.state.toasts.shown()[0].id;
    desk.all([Msg::TakeToastAction(toast)]);
    assert_eq!(desk.state.open().chat, Some(ChatId(8)));
}

#[test]
fn a_form_that_was_closed_tells_its_end_by_a_toast() {
    let mut desk = Desk::with_chats();
    desk.all([
        Msg::AskImport,
        Msg::PathChanged("/tmp/chats.json".into()),
        Msg::TakePath,
        Msg::Escape,
        Msg::Backend(News::Imported(Err(trouble()))),
    ]);
    assert!(desk.told().contains("toast Failed The chats were not imported"));
}

#[test]
fn the_palette_finds_commands_models_and_chats() {
    let mut desk = Desk::with_chats();
    desk.all([Msg::TogglePalette]);
    expect![[r#""#]].assert_eq(&desk.told());
    for (words, expected) in [
        ("sec", "  [Chats]\n  Second"),
        ("@f", "  [Chats]\n  First"),
        ("#q", "  [Models]\n  Load qwen"),
        (">theme", "  [Commands]\n  Light theme"),
        ("new ch", "  [Commands]\n  New chat"),
        ("zzz", "  nothing"),
    ] {
        desk.all([Msg::PaletteChanged(words.into())]);
        let told = desk.told();
        assert!(told.contains(expected), "{words}: {told}");
    }
}

#[test]
fn the_palette_runs_what_is_chosen() {
    let mut desk = Desk::with_chats();
    desk.all([
        Msg::TogglePalette,
        Msg::PaletteChanged("@".into()),
        down(),
        down(),
        Msg::StepItem { back: true },
        Msg::TakeChosenItem,
    ]);
    assert_eq!(desk.state.open().chat, Some(ChatId(2)));
    assert!(desk.state.overlay.is_none());
    desk.all([
        Msg::TogglePalette,
        Msg::PaletteChanged("zzz".into()),
        Msg::TakeChosenItem,
    ]);
    assert!(
        matches!(desk.state.overlay, Some(Overlay::Palette(_))),
        "there is nothing to run"
    );
}

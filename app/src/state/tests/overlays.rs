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
    expect![[r#"
        [Folders]
        / Italian 0
        / Work 1
        - Second 14:31 nested
        [Today]
        - First 14:32
        [Yesterday]
        - Third 14:32
        menu Chat(ChatId(2))
          Edit Rename F2
          Pin Pin
          Folder Move to folder  opens chosen
          Copy Duplicate
          Export Export  opens
          Trash Delete Del apart danger
        header Off Choose a model: Nothing loaded
        new chat
          What would you like to ask?
        composer <Write a message> (send)
    "#]]
    .assert_eq(&desk.told());
    desk.all([Msg::TakeChosenItem, down(), down()]);
    expect![[r#"
        [Folders]
        / Italian 0
        / Work 1
        - Second 14:31 nested
        [Today]
        - First 14:32
        [Yesterday]
        - Third 14:32
        menu MoveChat(ChatId(2))
          Folder No folder
          Folder Italian  chosen
          Check Work
          Add New folder  apart
        header Off Choose a model: Nothing loaded
        new chat
          What would you like to ask?
        composer <Write a message> (send)
    "#]]
    .assert_eq(&desk.told());
    desk.all([Msg::TakeChosenItem]);
    expect![[r#"
        -> MoveChat { chat: ChatId(2), folder: Some(FolderId(2)) }
        [Folders]
        / Italian 1
        - Second 14:31 nested
        / Work 0
        [Today]
        - First 14:32
        [Yesterday]
        - Third 14:32
        header Off Choose a model: Nothing loaded
        new chat
          What would you like to ask?
        composer <Write a message> (send)
    "#]]
    .assert_eq(&desk.told());
}

#[test]
fn the_menu_of_a_message_has_what_can_be_done_now() {
    let mut desk = Desk::with_chats();
    desk.all([menu(MenuOf::Message(MessageId(12)))]);
    expect![[r#"
        [Today]
        - First 14:32 open
        - Second 14:31
        [Yesterday]
        - Third 14:32
        menu Message(MessageId(12))
          Copy Copy as Markdown
          Copy Copy as plain text
          Text Select text
          Edit Edit  apart
          Regenerate Regenerate
          Branch Branch from here
          Trash Delete  apart danger
        header Off Choose a model: Nothing loaded
        chat 1
          > 11 "Question"
          < 12 "Answer"
            61.3_tok/s · 2_tokens · TTFT 0.21_s · stop: end of text
        composer <Write a message> (send) 42 / 2_048
    "#]]
    .assert_eq(&desk.told());
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
    expect![[r#"
        -> FocusOverlay
        -> PickPath { title: "Export as Markdown", write_to: Some("/home/ada/First.md") }
        -> Export(ExportRequest { chat: ChatId(1), format: Markdown, path: "/home/ada/notes/a.md" })
        [Today]
        - First 14:32 open
        - Second 14:31
        [Yesterday]
        - Third 14:32
        Export as Markdown "~/notes/a.md" running
        header Off Choose a model: Nothing loaded
        chat 1
          > 11 "Question"
          < 12 "Answer"
            61.3_tok/s · 2_tokens · TTFT 0.21_s · stop: end of text
        composer <Write a message> (send) 42 / 2_048
    "#]]
    .assert_eq(&desk.told());
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
    expect![[r#"
        -> Import("/tmp/chats.json")
        -> FocusComposer
        -> TickAfter(5000)
        [Today]
        - Old one 14:32
        - First 14:32 open
        - Second 14:31
        [Yesterday]
        - Older one 14:32
        - Third 14:32
        header Off Choose a model: Nothing loaded
        chat 1
          > 11 "Question"
          < 12 "Answer"
            61.3_tok/s · 2_tokens · TTFT 0.21_s · stop: end of text
        composer <Write a message> (send) 42 / 2_048
        toast Done 2 chats imported: 1 was imported before and is still there. 2 hold no message. [Show]
    "#]]
    .assert_eq(&desk.told());
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
    expect![[r#"
        -> FocusOverlay
        [Today]
        - First 14:32 open
        - Second 14:31
        [Yesterday]
        - Third 14:32
        palette ""
          [Commands]
          New chat  Ctrl N chosen
          Search this page, or the chats  Ctrl F
          New folder  
          Import chats  
          Import a model file  
          Add a folder with models  
          Clean up leftover files  
          Choose a model  Ctrl M
          Chat settings  Ctrl I
          Attach a file  
          Regenerate the answer  Ctrl R
          Copy the last answer  Ctrl Shift C
          Select text of the last answer  
          Edit your last message  
          Rename this chat  F2
          Pin this chat  
          Duplicate this chat  
          Export this chat as Markdown  
          Export this chat as JSON  
          Delete this chat  
          Show chats  Ctrl 1
          Show Discover  Ctrl 2
          Show my models  Ctrl 3
          Show the server  Ctrl 4
          Show settings  Ctrl ,
          Show downloads  Ctrl J
          Settings: General  
          Settings: Models  
          Settings: Hub & network  
          Settings: Hardware  
          Settings: Chats  
          Settings: Shortcuts  
          Settings: Data  
          Settings: Privacy  
          Settings: About  
          Light theme  
          Zoom in  Ctrl +
          Zoom out  Ctrl -
          Reset the zoom  Ctrl 0
          Show the welcome again  
          [Models]
          Load qwen Q4_1, 98.4_MB 
          Load smol Q4_1, 98.4_MB 
          [Chats]
          First 14:32 
          Second 14:31 
          Third 14:32 
        header Off Choose a model: Nothing loaded
        chat 1
          > 11 "Question"
          < 12 "Answer"
            61.3_tok/s · 2_tokens · TTFT 0.21_s · stop: end of text
        composer <Write a message> (send) 42 / 2_048
    "#]]
    .assert_eq(&desk.told());
    for (words, expected) in [
        ("sec", "  [Chats]\n  Second"),
        ("@f", "  [Chats]\n  First"),
        ("#qw", "  [Models]\n  Load qwen"),
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

//! The picker, ejecting, and what the window says of models.

use expect_test::expect;

use super::*;

fn ejected(id: u64, result: hearth_protocol::Result<()>) -> Msg {
    Msg::Backend(News::Ejected {
        model: LoadedId(id),
        result,
    })
}

#[test]
fn the_picker_lists_loaded_models_first_and_says_what_is_damaged() {
    check(
        [files(), engine([loaded(4, QWEN)]), Msg::TogglePicker],
        expect![[r#"
            -> ListFiles
            header Ready qwen: Loaded, 98.4_MB, eject
            new chat
              What would you like to ask?
              [Loaded]
              qwen Q4_1 98.4_MB, loaded as 4
              [On this machine]
              smol Q4_1 98.4_MB, ready
              broken Q4_1 98.4_MB, damaged: It is a web page; download it again
            composer <Write a message> (send) 0 / 2_048
        "#]],
    );
}

#[test]
fn the_picker_closes_again() {
    for close in [
        Msg::TogglePicker,
        Msg::ClosePicker,
        Msg::Escape,
        Msg::ShowPage(Page::Chat),
        load(SMOL),
    ] {
        let mut desk = Desk::with_models();
        desk.all([Msg::TogglePicker, close.clone()]);
        assert!(!desk.state.models.picker_open, "{close:?}");
    }
}

#[test]
fn a_model_is_ejected_once() {
    let mut desk = Desk::with_models();
    desk.all([
        Msg::EjectCurrent,
        Msg::Eject(LoadedId(1)),
        engine([loaded(1, SMOL)]),
    ]);
    desk.all([Msg::EjectCurrent, Msg::EjectCurrent, Msg::Eject(LoadedId(1))]);
    expect![[r#"
        -> Eject(LoadedId(1))
        header Busy smol: Ejecting
        new chat
          What would you like to ask?
        composer <Write a message> (send)
    "#]]
    .assert_eq(&desk.told());
    desk.all([ejected(1, Ok(()))]);
    expect![[r#"
        header Off Choose a model: Nothing loaded
        new chat
          What would you like to ask?
        composer <Write a message> (send)
    "#]]
    .assert_eq(&desk.told());
}

#[test]
fn a_model_that_was_not_ejected_can_be_ejected_again() {
    let mut desk = Desk::with_models();
    desk.all([
        engine([loaded(1, SMOL)]),
        Msg::EjectCurrent,
        ejected(1, Err(busy())),
        Msg::EjectCurrent,
    ]);
    expect![[r#"
        -> Eject(LoadedId(1))
        -> Eject(LoadedId(1))
        header Busy smol: Ejecting
        new chat
          What would you like to ask?
        composer <Write a message> (send)
        toast Failed The model was not ejected: This chat is busy: an answer is being written.
    "#]]
    .assert_eq(&desk.told());
}

#[test]
fn the_end_of_the_engine_is_told() {
    let closed = Msg::Backend(News::Engine(EngineEvent::Closed(Error::BackendGone)));
    let mut desk = Desk::with_models();
    desk.all([engine([loaded(1, SMOL)]), closed]);
    expect![[r#"
        banner Failed: Hearth's backend has stopped. Restart Hearth; chats and downloads are kept.
        header Off Choose a model: Nothing loaded
        new chat
          What would you like to ask?
        composer <Restart Hearth to go on> (send) BackendGone
    "#]]
    .assert_eq(&desk.told());
}

#[test]
fn without_a_model_the_window_says_what_to_do() {
    let none = Msg::Backend(News::Files(Ok(vec![])));
    let mut desk = Desk::new();
    // Nothing is known yet.
    assert_eq!(desk.state.composer().obstacle, None);
    desk.all([none, draft("Hi"), Msg::Send, Msg::LookForModels]);
    expect![[r#"
        -> TickAfter(1000)
        -> ListFiles
        header Off Choose a model: Nothing loaded
        new chat
          There is no model yet
        composer "Hi" (send) NoModel
    "#]]
    .assert_eq(&desk.told());
    desk.all([files()]);
    expect![[r#"
        header Off Choose a model: Nothing loaded
        new chat
          What would you like to ask?
        composer "Hi" send
    "#]]
    .assert_eq(&desk.told());
}

#[test]
fn the_greeting_names_the_model_that_answers() {
    let mut desk = Desk::new();
    let others = Msg::Backend(News::Files(Ok(vec![file(QWEN, Source::Hearth)])));
    let mut told = String::new();
    let none = Msg::Backend(News::Files(Ok(vec![])));
    for msg in [none, files(), others, engine([loaded(1, QWEN)])] {
        desk.all([msg]);
        let greeting = desk.state.greeting().expect("greeting");
        told += &format!("{}\n", greeting.text);
    }
    expect![[r#"
        Put a model file, which ends in .gguf, into ~/Hearth/models and look again.
        A small starter model runs on this machine. It is loaded with your first message.
        Your model runs on this machine. It is loaded with your first message.
        qwen is loaded and runs on this machine.
    "#]]
    .assert_eq(&told);
}

#[test]
fn the_header_says_what_the_model_does() {
    let mut desk = Desk::with_models();
    let mut told = String::new();
    let working = LoadedModel {
        activity: Activity::Generating,
        ..loaded(1, SMOL)
    };
    for msg in [
        draft("Hi"),
        Msg::Send,
        started(1, 1, "Hi"),
        turn(1, ChatEvent::Loading(0.5)),
        engine([working]),
        turn(
            1,
            ChatEvent::PromptProgress {
                processed: 1,
                total: 2,
            },
        ),
        delta(1, "a"),
        Msg::NewChat,
        engine([loaded(1, SMOL)]),
        turn(1, ChatEvent::Finished(answer(12, "a"))),
    ] {
        desk.all([msg]);
        let header = desk.state.header();
        told += &format!("{:?} {}: {}\n", header.dot, header.name, header.doing);
    }
    expect![[r#"
        Off Choose a model: Nothing loaded
        Off Choose a model: Nothing loaded
        Off Choose a model: Nothing loaded
        Busy Loading a model: 50_%
        Busy Loading a model: 50_%
        Busy smol: Reading the prompt
        Busy smol: Generating
        Busy smol: Generating
        Busy smol: Generating
        Ready smol: Loaded, 98.4_MB
    "#]]
    .assert_eq(&told.replace('\u{a0}', "_"));
}

#[test]
fn a_list_of_models_that_does_not_come_is_told() {
    let mut desk = Desk::new();
    desk.all([Msg::Backend(News::Files(Err(Error::Internal {
        reason: "x".into(),
    })))]);
    expect![[r#"
        header Off Choose a model: Nothing loaded
        new chat
          What would you like to ask?
        composer <Write a message> (send)
        toast Failed Your models could not be listed: Hearth made a mistake: x. A report with the log helps to mend it.
    "#]].assert_eq(&desk.told());
}

//! The picker, ejecting, and what the window says of models.

use expect_test::expect;

use hearth_protocol::catalogue::Capability;

use super::*;
use crate::state::overlay::Overlay;

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
            -> FocusOverlay
            -> ListFiles
            picker ""
              [Loaded]
              qwen Q4_1 98.4_MB, loaded as 4 chosen
              [On this machine]
              broken Q4_1 98.4_MB, damaged: It is a web page; download it again
              smol Q4_1 98.4_MB, ready
            header Ready qwen: Loaded, 98.4_MB, eject
            new chat
              What would you like to ask?
            composer <Write a message> (send) 0 / 2_048
        "#]],
    );
}

#[test]
fn the_picker_finds_models_and_goes_through_those_that_can_be_chosen() {
    let typed = |words: &str| Msg::PickerChanged(words.into());
    let down = || Msg::StepItem { back: false };
    let up = || Msg::StepItem { back: true };
    let cases = [
        (vec![], Some(QWEN)),
        (vec![down()], Some(SMOL)),
        // A damaged one is passed over, and the last leads on to the first.
        (vec![down(), down()], Some(QWEN)),
        (vec![up()], Some(SMOL)),
        (vec![typed("SM")], Some(SMOL)),
        (vec![typed("q4 en")], Some(QWEN)),
        (vec![down(), typed("")], Some(QWEN)),
        // What is chosen and no longer listed gives way.
        (vec![down(), typed("qwen")], Some(QWEN)),
        (vec![typed("broken")], None),
        (vec![typed("x")], None),
        (vec![typed("x"), down()], None),
    ];
    for (msgs, chosen) in cases {
        let mut desk = Desk::with_models();
        desk.all([Msg::TogglePicker]);
        desk.all(msgs.clone());
        let Some(Overlay::Picker(picker)) = &desk.state.overlay else {
            panic!("the picker is open");
        };
        let rows = desk.state.models.picker_rows(&picker.words, desk.state.texts());
        let found = picker.chosen(&rows).map(|model| model.file.to_string());
        assert_eq!(found.as_deref(), chosen, "{msgs:?}");
        desk.log.clear();
        desk.all([Msg::TakeChosenItem]);
        assert_eq!(desk.log.contains("-> load"), chosen.is_some(), "{msgs:?}");
    }
}

#[test]
fn the_picker_says_that_nothing_matches_or_that_there_is_nothing() {
    let none = Msg::Backend(News::Files(Ok(vec![])));
    for (list, said) in [(None, ""), (Some(files()), "no match"), (Some(none), "no model")] {
        let mut desk = Desk::new();
        desk.all(list);
        desk.all([Msg::TogglePicker, Msg::PickerChanged("nothing".into())]);
        let told = desk.told();
        assert_eq!(told.contains("  no "), !said.is_empty(), "{told}");
        assert!(told.contains(said), "{told}");
    }
}

#[test]
fn the_picker_says_what_the_catalogue_knows_and_what_the_file_says_itself() {
    let on_hub = |id: &str, model: &str| LibraryFile {
        model: Some(model.into()),
        ..file(id, Source::HuggingFace)
    };
    let encoder = LibraryFile {
        architecture: Some("nomic-bert".into()),
        ..file("nomic.gguf", Source::Folder)
    };
    let list = vec![
        on_hub("a.gguf", "ada/a"),
        on_hub("b.gguf", "ada/a"),
        on_hub("c.gguf", "ada/c"),
        encoder,
    ];
    let looked_up = |model: &str, abilities: &[Capability]| {
        Msg::Backend(News::LookedUp {
            model: model.into(),
            abilities: abilities.to_vec(),
        })
    };
    check(
        [
            Msg::Backend(News::Files(Ok(list.clone()))),
            looked_up(
                "ada/a",
                &[Capability::Reasoning, Capability::Code, Capability::Vision],
            ),
            looked_up("ada/c", &[]),
            // Each model is asked about once.
            Msg::Backend(News::Files(Ok(list))),
            Msg::TogglePicker,
        ],
        expect![[r#"
            -> LookUp(ModelId("ada/a"))
            -> LookUp(ModelId("ada/c"))
            -> FocusOverlay
            -> ListFiles
            picker ""
              [On this machine]
              a Q4_1 98.4_MB, Vision, Thinking, ready chosen
              b Q4_1 98.4_MB, Vision, Thinking, ready
              c Q4_1 98.4_MB, ready
              nomic Q4_1 98.4_MB, Embedding, ready
            header Off Choose a model: Nothing loaded
            new chat
              What would you like to ask?
            composer <Write a message> (send)
        "#]],
    );
    check(
        [files(), Msg::TogglePicker, Msg::PickerChanged("thinking".into())],
        expect![[r#"
            -> FocusOverlay
            -> ListFiles
            picker "thinking"
              no match
            header Off Choose a model: Nothing loaded
            new chat
              What would you like to ask?
            composer <Write a message> (send)
        "#]],
    );
}

#[test]
fn a_loaded_model_is_ejected_from_the_picker_with_the_keys() {
    let mut desk = Desk::with_models();
    desk.all([
        engine([loaded(2, QWEN), loaded(1, SMOL)]),
        Msg::TogglePicker,
        Msg::StepItem { back: false },
    ]);
    desk.log.clear();
    desk.all([Msg::EjectCurrent, Msg::EjectCurrent]);
    assert_eq!(desk.log, "-> Eject(LoadedId(1))\n");
    desk.all([engine([]), Msg::EjectCurrent]);
    assert_eq!(desk.log, "-> Eject(LoadedId(1))\n", "what is not in memory stays");
}

#[test]
fn another_model_in_memory_answers_once_it_is_chosen() {
    let mut desk = Desk::with_chats();
    desk.all([engine([loaded(2, QWEN), loaded(1, SMOL)])]);
    assert_eq!(desk.state.header().name, "qwen", "the newest");
    desk.all([Msg::TogglePicker, load(SMOL)]);
    desk.log.clear();
    desk.all([draft("Hi"), Msg::Send]);
    expect![[r#"
        -> TickAfter(300)
        -> send 1 to chat 1 "Hi" with starter/smol.gguf
        -> FocusComposer
        -> ShowNewest
        -> TickAfter(0)
        [Today]
        - First 14:32 open running
        - Second 14:31
        [Yesterday]
        - Third 14:32
        header Ready smol: Loaded, 98.4_MB, eject
        chat 1
          > 11 "Question"
          < 12 "Answer"
            61.3_tok/s · 2_tokens · TTFT 0.21_s · stop: end of text
          > - "Hi"
          < - ""
            Waiting for the model
        composer <Write the next message while this one finishes> stop 42 / 2_048
    "#]]
    .assert_eq(&desk.told());
    // Once it is gone, the newest answers again.
    desk.all([engine([loaded(2, QWEN)])]);
    assert_eq!(desk.state.header().name, "qwen");
    let model = desk.state.open().entries[1].model.clone();
    assert_eq!(model.as_deref(), Some("smol"), "the older answer keeps its model");
}

#[test]
fn the_picker_closes_again() {
    for close in [
        Msg::TogglePicker,
        Msg::CloseOverlay,
        Msg::Escape,
        Msg::ShowPage(Page::Chat),
        Msg::TakeChosenItem,
        load(SMOL),
    ] {
        let mut desk = Desk::with_models();
        desk.all([Msg::TogglePicker, close.clone()]);
        assert!(desk.state.overlay.is_none(), "{close:?}");
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

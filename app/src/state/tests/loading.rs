//! Loading a model, with progress and cancel.

use expect_test::expect;
use hearth_protocol::engine::LoadEvent;

use super::*;

fn load_event(run: u64, event: LoadEvent) -> Msg {
    Msg::Backend(News::Load { run: Run(run), event })
}

fn out_of_memory() -> Error {
    Error::LoadFailed {
        reason: "there is not enough memory".into(),
        log: vec![],
    }
}

#[test]
fn a_model_loads_with_progress() {
    let mut desk = Desk::with_models();
    desk.all([Msg::TogglePicker, load(SMOL)]);
    desk.log.clear();
    desk.all([
        load_event(
            1,
            LoadEvent::Started {
                name: "SmolLM2".into(),
                size: ByteSize(7_300_000_000),
            },
        ),
        load_event(1, LoadEvent::Progress(0.625)),
        load(SMOL),
        Msg::TogglePicker,
    ]);
    expect![[r#"
        -> FocusComposer
        -> FocusOverlay
        -> ListFiles
        picker ""
          [On this machine]
          broken Q4_1 98.4_MB, damaged: It is a web page; download it again
          qwen Q4_1 98.4_MB, ready chosen
          smol Q4_1 98.4_MB, loading 0.625
        header Busy SmolLM2: Loading, 62_%
        new chat
          What would you like to ask?
        card Loading SmolLM2 62_% 4.56 of 7.30_GB
        composer <Write a message> (send)
    "#]]
    .assert_eq(&desk.told());
    desk.all([
        load_event(1, LoadEvent::Loaded(loaded(1, SMOL))),
        engine([loaded(1, SMOL)]),
    ]);
    expect![[r#"
        picker ""
          [Loaded]
          smol Q4_1 98.4_MB, loaded as 1 chosen
          [On this machine]
          broken Q4_1 98.4_MB, damaged: It is a web page; download it again
          qwen Q4_1 98.4_MB, ready
        header Ready smol: Loaded, 98.4_MB, eject
        new chat
          What would you like to ask?
        composer <Write a message> (send) 0 / 2_048
    "#]]
    .assert_eq(&desk.told());
    // It is there already.
    desk.all([load(SMOL)]);
    expect![[r#"
        -> FocusComposer
        header Ready smol: Loaded, 98.4_MB, eject
        new chat
          What would you like to ask?
        composer <Write a message> (send) 0 / 2_048
    "#]]
    .assert_eq(&desk.told());
}

#[test]
fn a_load_is_cancelled_once() {
    let mut desk = Desk::with_models();
    desk.all([load(SMOL), Msg::CancelLoad, Msg::CancelLoad]);
    expect![[r#"
        -> FocusComposer
        -> load 1 starter/smol.gguf
        -> CancelLoad(Run(1))
        header Busy smol: Cancelling
        new chat
          What would you like to ask?
        card Cancelling smol 0_% 0.0 of 98.4_MB
        composer <Write a message> (send)
    "#]]
    .assert_eq(&desk.told());
    desk.all([
        load_event(1, LoadEvent::Failed(Error::Cancelled)),
        Msg::CancelLoad,
    ]);
    expect![[r#"
        header Off Choose a model: Nothing loaded
        new chat
          What would you like to ask?
        composer <Write a message> (send)
    "#]]
    .assert_eq(&desk.told());
}

#[test]
fn another_model_takes_the_place_of_one_that_loads() {
    let mut desk = Desk::with_models();
    desk.all([load(SMOL), load(QWEN), load_event(1, LoadEvent::Progress(0.9))]);
    desk.all([
        load_event(1, LoadEvent::Failed(Error::Cancelled)),
        load_event(2, LoadEvent::Progress(0.25)),
    ]);
    expect![[r#"
        -> FocusComposer
        -> load 1 starter/smol.gguf
        -> FocusComposer
        -> CancelLoad(Run(1))
        -> load 2 hearth/qwen.gguf
        header Busy qwen: Loading, 25_%
        new chat
          What would you like to ask?
        card Loading qwen 25_% 24.6 of 98.4_MB
        composer <Write a message> (send)
    "#]]
    .assert_eq(&desk.told());
}

#[test]
fn going_back_to_the_loaded_model_ends_the_load_of_another() {
    let mut desk = Desk::with_models();
    desk.all([engine([loaded(1, SMOL)]), load(QWEN), load(SMOL)]);
    expect![[r#"
        -> FocusComposer
        -> load 1 hearth/qwen.gguf
        -> FocusComposer
        -> CancelLoad(Run(1))
        header Busy qwen: Cancelling, eject
        new chat
          What would you like to ask?
        card Cancelling qwen 0_% 0.0 of 98.4_MB
        composer <Write a message> (send) 0 / 2_048
    "#]]
    .assert_eq(&desk.told());
}

#[test]
fn a_model_that_does_not_load_says_why() {
    let mut desk = Desk::with_models();
    desk.all([load(QWEN), load_event(1, LoadEvent::Failed(out_of_memory()))]);
    expect![[r#"
        -> FocusComposer
        -> load 1 hearth/qwen.gguf
        header Failed qwen: Did not load
        new chat
          What would you like to ask?
        composer <Write a message> (send)
        toast Failed qwen did not load: There is not enough memory. [Load settings]
    "#]]
    .assert_eq(&desk.told());
    // Another try forgets it.
    desk.all([load(QWEN)]);
    expect![[r#"
        -> FocusComposer
        -> load 2 hearth/qwen.gguf
        header Busy qwen: Loading, 0_%
        new chat
          What would you like to ask?
        card Loading qwen 0_% 0.0 of 98.4_MB
        composer <Write a message> (send)
        toast Failed qwen did not load: There is not enough memory. [Load settings]
    "#]]
    .assert_eq(&desk.told());
}

#[test]
fn a_busy_engine_is_told_and_the_model_stays() {
    let mut desk = Desk::with_models();
    desk.all([engine([loaded(1, SMOL)]), load(QWEN)]);
    desk.log.clear();
    desk.all([load_event(1, LoadEvent::Failed(busy()))]);
    expect![[r#"
        header Ready smol: Loaded, 98.4_MB, eject
        new chat
          What would you like to ask?
        composer <Write a message> (send) 0 / 2_048
        toast Failed qwen did not load: This chat is busy: an answer is being written. [Load settings]
    "#]]
    .assert_eq(&desk.told());
}

#[test]
fn what_cannot_be_used_is_not_loaded() {
    let mut desk = Desk::with_models();
    desk.all([load("hearth/broken.gguf"), load("nowhere.gguf")]);
    assert_eq!(desk.log, "");
}

#[test]
fn a_message_sent_while_a_model_loads_is_for_it() {
    let mut desk = Desk::with_models();
    desk.all([load(QWEN), draft("Hi"), Msg::Send]);
    expect![[r#"
        -> FocusComposer
        -> load 1 hearth/qwen.gguf
        -> TickAfter(1000)
        -> send 2 to a new chat "Hi" with hearth/qwen.gguf
        -> FocusComposer
        -> ShowNewest
        header Busy qwen: Loading, 0_%
        new chat
          > - "Hi"
          < - ""
            Waiting for the model
        card Loading qwen 0_% 0.0 of 98.4_MB
        composer <Write the next message while this one finishes> stop
    "#]]
    .assert_eq(&desk.told());
    // Not for one that was cancelled.
    desk.all([Msg::NewChat, Msg::CancelLoad, draft("Hi"), Msg::Send]);
    expect![[r#"
        -> WriteDraft { chat: None, text: "" }
        -> FocusComposer
        -> CancelLoad(Run(1))
        -> TickAfter(1000)
        -> send 3 to a new chat "Hi"
        -> FocusComposer
        -> ShowNewest
        header Busy qwen: Cancelling
        new chat
          > - "Hi"
          < - ""
            Waiting for the model
        card Cancelling qwen 0_% 0.0 of 98.4_MB
        composer <Write the next message while this one finishes> stop
    "#]]
    .assert_eq(&desk.told());
}

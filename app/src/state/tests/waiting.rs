//! Messages that wait for an answer to end.

use expect_test::expect;

use super::*;
use crate::state::queue::QueuedId;

/// The answer to "Tell" has begun, and two messages wait.
fn desk() -> Desk {
    let mut desk = Desk::with_answer_begun();
    desk.all([
        draft("And then?\n"),
        Msg::Send,
        draft("And now?"),
        Msg::Send,
        draft("Half"),
    ]);
    desk
}

#[test]
fn messages_wait_and_go_out_one_after_the_other() {
    let mut desk = desk();
    expect![[r#"
        [Today]
        - Tell 14:32 open running
        header Off Choose a model: Nothing loaded
        chat 1
          > 11 "Tell"
          < 12 ""
            Waiting for the model
          waits "And then?"
          waits "And now?"
        composer "Half" stop
    "#]]
    .assert_eq(&desk.told());
    desk.all([turn(1, ChatEvent::Finished(answer(12, "So")))]);
    expect![[r#"
        -> send 2 to chat 1 "And then?"
        -> ShowNewest
        [Today]
        - Tell 14:32 open running
        header Off Choose a model: Nothing loaded
        chat 1
          > 11 "Tell"
          < 12 "So"
            61.3_tok/s · 2_tokens · TTFT 0.21_s · stop: end of text
          > - "And then?"
          < - ""
            Waiting for the model
          waits "And now?"
        composer "Half" stop 42 / 2_048
    "#]]
    .assert_eq(&desk.told());
}

#[test]
fn what_waits_comes_back_where_the_answer_does_not_end_well() {
    let stopped = Message {
        stop: Some(StopReason::UserStopped),
        ..answer(12, "So")
    };
    for end in [turn(1, ChatEvent::Finished(stopped)), failed(1, trouble(), None)] {
        let mut desk = desk();
        desk.all([end]);
        let told = desk.told();
        assert!(
            told.contains("composer \"And then?\\n\\nAnd now?\\n\\nHalf\" send"),
            "{told}"
        );
        assert!(!told.contains("waits"), "{told}");
    }
}

#[test]
fn what_waits_is_edited_or_taken_away() {
    let mut desk = desk();
    desk.all([
        Msg::RemoveQueued(QueuedId(0)),
        Msg::EditQueued(QueuedId(1)),
        Msg::EditQueued(QueuedId(9)),
    ]);
    let told = desk.told();
    assert!(told.contains("composer \"And now?\\n\\nHalf\" stop"), "{told}");
    assert!(!told.contains("waits"), "{told}");
}

#[test]
fn what_waits_goes_out_in_the_background_too() {
    let mut desk = desk();
    desk.all([Msg::NewChat, turn(1, ChatEvent::Finished(answer(12, "So")))]);
    assert!(
        desk.log.contains("send 2 to chat 1 \"And then?\""),
        "{}",
        desk.log
    );
    desk.all([Msg::OpenChat(ChatId(1))]);
    assert!(desk.told().contains("  waits \"And now?\""));
}

#[test]
fn what_waits_is_kept_with_the_draft() {
    let mut desk = desk();
    desk.log.clear();
    desk.all([Msg::Closing]);
    let kept = r#"WriteDraft { chat: Some(ChatId(1)), text: "And then?\n\nAnd now?\n\nHalf" }"#;
    assert!(desk.log.contains(kept), "{}", desk.log);
}

//! Chats of the window and answers for programs share a model.

use hearth_protocol::chat::ChatEvent;

use super::*;

/// Whether it has not ended, by what came of it so far.
fn goes_on(events: &Events<CompletionEvent>) -> bool {
    std::iter::from_fn(|| events.try_next()).all(|event| matches!(event.body, CompletionEvent::Piece(_)))
}

#[test]
fn nobody_waits_for_the_end_of_another_while_there_is_a_slot() {
    let app = App::real();
    let path = roomy(&app, 4);
    let chat = app.send(&path, None, "a long answer", SamplingParams::greedy());
    let mut seen = chat.until(|event| matches!(event, ChatEvent::Delta(_)));
    let others = ["ab", "cd", "ef"].map(|words| app.client.complete(endless(&path, words)));
    others.iter().for_each(until_it_writes);
    seen.extend(chat.until(|event| matches!(event, ChatEvent::Delta(_))));
    assert!(others.iter().all(goes_on));
    drop(others);
    assert_eq!(app.client.stop(chat.0.request()).wait(), Ok(()));
    assert_eq!(chat.finish_after(seen).stop(), &StopReason::UserStopped);
}

/// With more of them than there are slots, and one that takes its slot for good.
#[test]
fn a_chat_and_many_requests_all_come_to_their_turn() {
    let app = App::real();
    let path = roomy(&app, 2);
    let stays = app.client.complete(endless(&path, "ab"));
    until_it_writes(&stays);
    let requests: Vec<_> = (0..10)
        .map(|number| {
            let words = format!("the words of {number}");
            app.client.complete(request(&path, text(&words), 20))
        })
        .collect();
    let chat = app.send(&path, None, "a short answer", greedy(20));
    for request in &requests {
        assert_eq!(outcome(request).expect("an answer").stats.generated_tokens, 20);
    }
    assert_eq!(chat.finish().stats().generated_tokens, 20);
    assert!(goes_on(&stays));
}

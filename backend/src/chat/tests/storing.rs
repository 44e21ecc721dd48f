//! Answers that cannot be stored: they are told, kept, and stored once there is room.

use super::*;

/// So long that no test sees a try that nothing asked for.
const NEVER: Duration = Duration::from_secs(24 * 3600);

/// Chats that try again after this time.
async fn trying_after(delay: Duration) -> Fixture {
    let mut fixture = fixture().await;
    fixture.chats.unstored = Unstored::new(fixture.store.clone(), delay);
    fixture
}

/// Begins an answer, lets the store refuse it and ends it.
async fn unstored(fixture: &Fixture) -> Running {
    let running = fixture.begin(1).await;
    fixture.store.refuse_answers().await;
    running.says(JobEvent::Piece(Piece::Text("Once upon a time".into())));
    running.says(JobEvent::Finished {
        stop: StopReason::EndOfText,
        stats: stats(),
    });
    running
}

impl Running {
    async fn next(&self) -> ChatEvent {
        loop {
            match self.events.try_next() {
                Some(event) => return event.body,
                None => tokio::task::yield_now().await,
            }
        }
    }

    /// The rest of its events.
    async fn end(self) -> Vec<ChatEvent> {
        self.ended.await.expect("the turn ends");
        all(&self.events)
    }
}

fn is_storage(error: &Error) -> bool {
    matches!(error, Error::Storage { .. })
}

#[tokio::test]
async fn a_full_disk_is_told_once_and_the_answer_goes_on() {
    let fixture = trying_after(Duration::ZERO).await;
    let running = fixture.begin(1).await;
    fixture.store.refuse_answers().await;
    running.says(JobEvent::Piece(Piece::Text("Once".into())));
    assert_eq!(running.next().await, ChatEvent::Delta("Once".into()));
    let ChatEvent::NotStored(error) = running.next().await else {
        panic!("it is told that nothing is stored");
    };
    assert!(error.to_string().contains("The answer is kept"), "{error}");
    running.says(JobEvent::Piece(Piece::Text(" upon".into())));
    assert_eq!(running.next().await, ChatEvent::Delta(" upon".into()));
    fixture.store.take_answers().await;
    while fixture.answer_in(running.chat).await.text != "Once upon" {
        tokio::task::yield_now().await;
    }
    running.says(JobEvent::Finished {
        stop: StopReason::EndOfText,
        stats: stats(),
    });
    let rest = running.end().await;
    assert!(matches!(&rest[..], [ChatEvent::Finished(_)]), "{rest:?}");
}

#[tokio::test]
async fn the_end_of_an_answer_is_stored_once_there_is_room() {
    let fixture = trying_after(Duration::ZERO).await;
    let running = unstored(&fixture).await;
    let chat = running.chat;
    let events = running.end().await;
    let Some(ChatEvent::Failed {
        error,
        answer: Some(answer),
    }) = events.last()
    else {
        panic!("{events:?}");
    };
    assert!(is_storage(error), "{error:?}");
    assert_eq!(
        (answer.text.as_str(), &answer.stop, answer.stats),
        ("Once upon a time", &Some(StopReason::EndOfText), Some(stats()))
    );
    fixture.store.take_answers().await;
    while fixture.answer_in(chat).await != *answer {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn an_answer_that_is_not_stored_is_shown_whole() {
    let fixture = trying_after(NEVER).await;
    let running = unstored(&fixture).await;
    let chat = running.chat;
    running.end().await;
    assert_eq!(fixture.answer_in(chat).await.text, "", "nothing of it is stored");
    let shown = fixture.chats.open(chat).await.expect("the chat opens");
    let answer = shown.messages.last().expect("an answer");
    assert_eq!(
        (answer.text.as_str(), &answer.stop),
        ("Once upon a time", &Some(StopReason::EndOfText))
    );
}

#[tokio::test]
async fn what_follows_in_the_chat_is_refused_until_the_answer_is_stored() {
    let fixture = trying_after(NEVER).await;
    let running = unstored(&fixture).await;
    let chat = running.chat;
    running.end().await;
    let answer = fixture.answer_in(chat).await.id;
    let more = message(Some(chat), "And then?");

    let (events, _listener) = sink(2);
    let refused = fixture.stored(&more, &events).await;
    assert!(refused.is_err_and(|error| is_storage(&error)));
    let (events, listener) = sink(3);
    let options = TurnOptions::default();
    fixture.chats.regenerate(answer, options, events).await;
    assert!(matches!(
        &all(&listener)[..],
        [ChatEvent::Failed { error, answer: None }] if is_storage(error)
    ));
    let stored = fixture.store.open_chat(chat).await.expect("the chat");
    assert_eq!(
        stored.messages.len(),
        2,
        "nothing stands below a part of an answer"
    );

    fixture.store.take_answers().await;
    let (events, _listener) = sink(4);
    let (_turn, begun) = fixture.stored(&more, &events).await.expect("begin");
    let said: Vec<&str> = begun
        .history
        .iter()
        .map(|message| message.text.as_str())
        .collect();
    assert_eq!(said, ["Hello", "Once upon a time", "And then?"]);
}

#[tokio::test]
async fn another_chat_goes_on() {
    let fixture = trying_after(NEVER).await;
    let running = unstored(&fixture).await;
    running.end().await;
    let (events, _listener) = sink(2);
    let begun = fixture.stored(&message(None, "Something else"), &events).await;
    assert!(begun.is_ok(), "{begun:?}");
}

#[tokio::test]
async fn shutting_down_tries_a_last_time() {
    let fixture = trying_after(NEVER).await;
    let running = unstored(&fixture).await;
    let chat = running.chat;
    running.end().await;
    fixture.store.take_answers().await;
    fixture.chats.shut_down().await;
    assert_eq!(fixture.answer_in(chat).await.text, "Once upon a time");
}

#[tokio::test]
async fn an_answer_that_was_removed_is_not_kept() {
    let fixture = trying_after(NEVER).await;
    let running = unstored(&fixture).await;
    let chat = running.chat;
    running.end().await;
    let answer = fixture.answer_in(chat).await;
    fixture.chats.delete(chat).await.expect("delete");
    fixture.store.take_answers().await;
    fixture.store.remove_deleted().await;
    assert_eq!(fixture.chats.unstored.of(chat).len(), 1, "{answer:?}");
    assert_eq!(fixture.chats.unstored.settle(chat).await, Ok(()));
    assert_eq!(fixture.chats.unstored.of(chat).len(), 0);
}

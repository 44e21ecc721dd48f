//! What is sent, refused, titled and deleted, over a store without a model.

use super::*;

#[tokio::test]
async fn deleting_a_message_takes_what_is_below_it() {
    let fixture = fixture().await;
    let running = fixture.begin(1).await;
    running.says(JobEvent::Finished {
        stop: StopReason::EndOfText,
        stats: stats(),
    });
    running.ended.await.expect("the turn ends");
    let question = fixture.chats.open(running.chat).await.expect("the chat").messages[0].id;
    let deleted = fixture.chats.delete_message(question).await.expect("delete");
    assert_eq!(
        fixture.chats.open(running.chat).await.expect("the chat").messages,
        []
    );
    fixture.chats.undo(deleted.undo).await.expect("undo");
    assert_eq!(
        fixture
            .chats
            .open(running.chat)
            .await
            .expect("the chat")
            .messages
            .len(),
        2
    );
}

#[tokio::test]
async fn a_second_message_while_an_answer_is_written_is_refused() {
    let fixture = fixture().await;
    let running = fixture.begin(1).await;
    let (events, listener) = sink(2);
    fixture
        .chats
        .send(message(Some(running.chat), "More"), events)
        .await;
    let refused = all(&listener);
    assert!(
        matches!(
            &refused[..],
            [ChatEvent::Failed {
                error: Error::Busy { .. },
                answer: None
            }]
        ),
        "{refused:?}"
    );
    let answer = fixture.answer_in(running.chat).await;
    let (events, listener) = sink(3);
    fixture
        .chats
        .regenerate(answer.id, TurnOptions::default(), events)
        .await;
    assert!(matches!(
        &all(&listener)[..],
        [ChatEvent::Failed {
            error: Error::Busy { .. },
            ..
        }]
    ));
    assert!(matches!(
        fixture.chats.select_version(answer.id).await,
        Err(Error::Busy { .. })
    ));
    let chat = fixture.chats.open(running.chat).await.expect("the chat");
    assert_eq!(chat.messages.len(), 2, "nothing of it is stored");
}

#[tokio::test]
async fn what_cannot_be_sent_is_refused_and_leaves_no_trace() {
    let fixture = fixture().await;
    let hot = TurnOptions {
        sampling: Some(SamplingParams {
            temperature: -1.0,
            ..SamplingParams::default()
        }),
        ..TurnOptions::default()
    };
    let cases = [
        (message(None, " \n\t"), "message"),
        (
            TurnRequest {
                options: hot,
                ..message(None, "Hello")
            },
            "temperature",
        ),
    ];
    for (number, (request, field)) in (1..).zip(cases) {
        let (events, listener) = sink(number);
        fixture.chats.send(request, events).await;
        let refused = all(&listener);
        let [
            ChatEvent::Failed {
                error: Error::Invalid { field: named, .. },
                answer: None,
            },
        ] = &refused[..]
        else {
            panic!("{refused:?}");
        };
        assert_eq!(named, field);
    }
    let (events, listener) = sink(9);
    fixture
        .chats
        .send(message(Some(ChatId(99)), "Hello"), events)
        .await;
    assert!(matches!(
        &all(&listener)[..],
        [ChatEvent::Failed {
            error: Error::NotFound { .. },
            answer: None
        }]
    ));
    assert_eq!(fixture.chats.list().await, Ok(Vec::new()));
}

#[tokio::test]
async fn a_message_without_a_model_is_kept_and_can_be_answered_later() {
    let fixture = fixture().await;
    let (events, listener) = sink(1);
    fixture
        .chats
        .send(message(None, "What is\na monad?"), events)
        .await;
    let [started, failed] = &all(&listener)[..] else {
        panic!("two events");
    };
    let ChatEvent::Started {
        chat,
        user: Some(user),
        answer,
    } = started
    else {
        panic!("{started:?}");
    };
    assert_eq!(
        (chat.title.as_str(), user.text.as_str()),
        ("What is a monad?", "What is\na monad?")
    );
    assert_eq!(
        (answer.parent, answer.text.as_str(), &answer.stop),
        (Some(user.id), "", &None)
    );
    let ChatEvent::Failed {
        error,
        answer: Some(stored),
    } = failed
    else {
        panic!("{failed:?}");
    };
    assert_eq!(*error, Error::NoModel);
    assert_eq!(
        stored.stop,
        Some(StopReason::Failed {
            message: error.to_string()
        })
    );
    assert_eq!(*stored, fixture.answer_in(chat.id).await);

    let (events, listener) = sink(2);
    let options = TurnOptions {
        model: Some(ModelRef::Name("nowhere".into())),
        ..TurnOptions::default()
    };
    fixture.chats.regenerate(answer.id, options, events).await;
    let again = all(&listener);
    let [
        ChatEvent::Started {
            user: None, answer, ..
        },
        ChatEvent::Failed { error, .. },
    ] = &again[..]
    else {
        panic!("{again:?}");
    };
    assert_eq!(answer.version, (1, 2));
    assert!(
        matches!(error, Error::NotFound { what, .. } if what == "model"),
        "{error:?}"
    );
}

#[tokio::test]
async fn a_turn_can_be_stopped_before_anything_of_it_has_run() {
    let fixture = fixture().await;
    let (events, listener) = sink(1);
    let sending = fixture.chats.send(message(None, "Hello"), events);
    fixture.chats.stop(RequestId(1)).await.expect("stop");
    sending.await;
    let events = all(&listener);
    let [ChatEvent::Started { chat, .. }, ChatEvent::Finished(answer)] = &events[..] else {
        panic!("{events:?}");
    };
    assert_eq!(
        (&answer.stop, answer.stats),
        (&Some(StopReason::UserStopped), None)
    );
    assert_eq!(*answer, fixture.answer_in(chat.id).await);
}

#[tokio::test]
async fn titles_are_given_once_and_by_hand() {
    let fixture = fixture().await;
    let running = fixture.begin(1).await;
    assert_eq!(fixture.chats.list().await.expect("list")[0].title, "Hello");
    let renamed = fixture
        .chats
        .rename(running.chat, " My\nchat ")
        .await
        .expect("rename");
    assert_eq!(renamed.title, "My chat");
    let blank = fixture.chats.rename(running.chat, " \u{0}").await;
    assert!(matches!(blank, Err(Error::Invalid { field, .. }) if field == "title"));
    let missing = fixture.chats.rename(ChatId(99), "x").await;
    assert!(matches!(missing, Err(Error::NotFound { .. })));
}

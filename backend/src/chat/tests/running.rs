//! Turns whose engine is a channel that the test holds.

use super::*;

#[tokio::test]
async fn an_answer_is_told_and_stored() {
    let fixture = fixture().await;
    let running = fixture.begin(1).await;
    running.says(JobEvent::Loading(0.5));
    running.says(JobEvent::Started(model()));
    running.says(JobEvent::PromptProgress {
        cached: 0,
        processed: 5,
        total: 5,
    });
    running.says(JobEvent::Piece(Piece::Text("Hi".into())));
    running.says(JobEvent::Piece(Piece::Text(" there".into())));
    running.says(JobEvent::Finished {
        stop: StopReason::EndOfText,
        stats: stats(),
    });
    running.ended.await.expect("the turn ends");

    let stored = fixture.answer_in(running.chat).await;
    assert_eq!(stored.text, "Hi there");
    assert_eq!(
        (&stored.stop, stored.stats),
        (&Some(StopReason::EndOfText), Some(stats()))
    );
    assert_eq!(stored.model.as_deref(), Some("Tiny"));
    let expected = [
        ChatEvent::Loading(0.5),
        ChatEvent::PromptProgress {
            processed: 5,
            total: 5,
        },
        ChatEvent::Delta("Hi".into()),
        ChatEvent::Delta(" there".into()),
        ChatEvent::Finished(stored),
    ];
    assert_eq!(all(&running.events), expected);
    let last = fixture.store.last_model(Some(running.chat)).await;
    assert_eq!(last, Ok(Some("starter/tiny.gguf".into())));
}

#[tokio::test]
async fn words_are_stored_while_the_model_pauses() {
    let fixture = fixture().await;
    let (events, _listener) = sink(1);
    let (_turn, begun) = fixture
        .stored(&message(None, "Hello"), &events)
        .await
        .expect("begin");
    let unstored = Unstored::new(fixture.store.clone(), Duration::ZERO);
    let mut recorder = Recorder::new(unstored, begun.chat.id, begun.answer);
    recorder.add(Piece::Text("Once upon".into()));
    assert_eq!(recorder.keep().await, None);
    recorder.add(Piece::Text(" a time".into()));
    assert_eq!(recorder.keep().await, None);
    assert_eq!(
        fixture.answer_in(begun.chat.id).await.text,
        "Once upon",
        "a save holds what there was"
    );
    assert_eq!(recorder.keep().await, None);
    assert_eq!(recorder.keep().await, None);
    let partial = fixture.answer_in(begun.chat.id).await;
    assert_eq!((partial.text.as_str(), partial.stop), ("Once upon a time", None));
}

#[tokio::test]
async fn nothing_is_due_before_its_time_and_a_save_that_runs_ends_before_the_last_one() {
    let fixture = fixture().await;
    let (events, _listener) = sink(1);
    let (_turn, begun) = fixture
        .stored(&message(None, "Hello"), &events)
        .await
        .expect("begin");
    let chat = begun.chat.id;
    let unstored = Unstored::new(fixture.store.clone(), Duration::from_secs(3600));
    let mut recorder = Recorder::new(unstored, chat, begun.answer);
    recorder.add(Piece::Text("Once".into()));
    tokio::select! {
        biased;
        _ = recorder.keep() => panic!("it is not due"),
        () = std::future::ready(()) => (),
    }
    let (answer, stored) = recorder
        .finish(|answer| answer.stop = Some(StopReason::UserStopped))
        .await;
    assert_eq!(stored, Ok(()));
    assert_eq!(fixture.answer_in(chat).await, answer);
}

#[tokio::test]
async fn a_stopped_answer_keeps_its_text_and_the_chat_goes_on() {
    let fixture = fixture().await;
    let running = fixture.begin(1).await;
    running.says(JobEvent::Piece(Piece::Text("Half an".into())));
    fixture.chats.stop(RequestId(1)).await.expect("stop");
    fixture.chats.stop(RequestId(1)).await.expect("stop twice");
    // The worker says one more word before it hears of it.
    running.says(JobEvent::Piece(Piece::Text(" answer".into())));
    running.says(JobEvent::Finished {
        stop: StopReason::UserStopped,
        stats: stats(),
    });
    running.ended.await.expect("the turn ends");
    assert!(running.stops.load(Ordering::SeqCst) <= 1);
    let stored = fixture.answer_in(running.chat).await;
    assert_eq!(
        (stored.text.as_str(), &stored.stop),
        ("Half an answer", &Some(StopReason::UserStopped))
    );
    fixture
        .chats
        .stop(RequestId(1))
        .await
        .expect("stop what has ended");
    let (events, _listener) = sink(2);
    let again = fixture
        .stored(&message(Some(running.chat), "More"), &events)
        .await;
    assert!(again.is_ok(), "{again:?}");
}

#[tokio::test]
async fn an_answer_that_breaks_off_keeps_its_text_and_its_cause() {
    let fixture = fixture().await;
    let running = fixture.begin(1).await;
    running.says(JobEvent::Piece(Piece::Text("Half".into())));
    running.says(JobEvent::Failed(Error::Cancelled));
    running.ended.await.expect("the turn ends");
    let stored = fixture.answer_in(running.chat).await;
    let message = Error::Cancelled.to_string();
    assert_eq!(
        (stored.text.as_str(), &stored.stop),
        ("Half", &Some(StopReason::Failed { message }))
    );
    let failed = ChatEvent::Failed {
        error: Error::Cancelled,
        answer: Some(stored),
    };
    assert_eq!(all(&running.events).last(), Some(&failed));

    // An engine that ends without a word is a failure too.
    let running = fixture.begin(2).await;
    drop(running.job);
    running.ended.await.expect("the turn ends");
    assert!(matches!(
        all(&running.events).last(),
        Some(ChatEvent::Failed {
            error: Error::BackendGone,
            answer: Some(_)
        })
    ));
}

#[tokio::test]
async fn a_listener_that_leaves_stops_the_job() {
    let fixture = fixture().await;
    let Running {
        chat,
        job,
        stops,
        events,
        ended,
        ..
    } = fixture.begin(1).await;
    job.send(JobEvent::Piece(Piece::Text("Half".into())))
        .expect("the turn listens");
    drop(events);
    // As the engine does: it ends the job once it is told to.
    while stops.load(Ordering::SeqCst) == 0 {
        tokio::task::yield_now().await;
    }
    let end = JobEvent::Finished {
        stop: StopReason::UserStopped,
        stats: stats(),
    };
    job.send(end).expect("the turn listens");
    ended.await.expect("the turn ends");
    let stored = fixture.answer_in(chat).await;
    assert_eq!(
        (stored.text.as_str(), stored.stop),
        ("Half", Some(StopReason::UserStopped))
    );
}

#[tokio::test]
async fn deleting_a_chat_stops_its_answer_and_waits_for_no_engine() {
    let fixture = fixture().await;
    let running = fixture.begin(1).await;
    running.says(JobEvent::Piece(Piece::Text("Half".into())));
    // The engine does not stop at once, and may never.
    let deleted = fixture.chats.delete(running.chat).await.expect("delete");
    while running.stops.load(Ordering::SeqCst) == 0 {
        tokio::task::yield_now().await;
    }
    running.says(JobEvent::Finished {
        stop: StopReason::UserStopped,
        stats: stats(),
    });
    running.ended.await.expect("the turn ends");
    fixture.chats.undo(deleted.undo).await.expect("undo");
    let stored = fixture.answer_in(running.chat).await;
    assert_eq!(
        (stored.text.as_str(), stored.stop),
        ("Half", Some(StopReason::UserStopped))
    );
}

#[tokio::test]
async fn an_answer_goes_on_where_its_chat_could_not_be_deleted() {
    let fixture = fixture().await;
    let running = fixture.begin(1).await;
    fixture.store.delete_chat(running.chat).await.expect("delete");
    let again = fixture.chats.delete(running.chat).await;
    assert!(matches!(again, Err(Error::NotFound { .. })), "{again:?}");
    running.says(JobEvent::Finished {
        stop: StopReason::EndOfText,
        stats: stats(),
    });
    running.ended.await.expect("the turn ends");
    assert_eq!(running.stops.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn shutting_down_waits_for_the_last_words() {
    let fixture = fixture().await;
    let running = fixture.begin(1).await;
    running.says(JobEvent::Piece(Piece::Text("Last words".into())));
    let closing = tokio::spawn({
        let chats = running.chats.clone();
        async move { chats.shut_down().await }
    });
    while running.stops.load(Ordering::SeqCst) == 0 {
        tokio::task::yield_now().await;
    }
    running.says(JobEvent::Finished {
        stop: StopReason::UserStopped,
        stats: stats(),
    });
    closing.await.expect("closed");
    assert_eq!(fixture.answer_in(running.chat).await.text, "Last words");
    let (events, listener) = sink(2);
    fixture.chats.send(message(None, "Too late"), events).await;
    assert_eq!(all(&listener), [ChatEvent::failed(Error::BackendGone)]);
}

//! Jobs of one model, and the file that is in memory once.

use hearth_protocol::engine::Activity;

use super::*;

/// To eject what was on its way into memory was refused, as if it were not there.
#[tokio::test]
async fn an_eject_ends_a_load_and_tells_all_who_wait_for_it() {
    let desk = Desk::new();
    let endless = model("endless", 1);
    let load = desk.load(&endless).await;
    let mut answer = desk.ask(&endless, "quick");
    loop {
        match answer.events.recv().await.expect("it goes on") {
            JobEvent::Loading(share) if share > 0.0 => break,
            JobEvent::Loading(_) => (),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(desk.engine.eject_file(endless.id.clone()).await, Ok(()));
    let ejected = Error::ModelEjected {
        model: "endless".into(),
    };
    assert_eq!(load.outcome().await, Err(ejected));
    assert_eq!(answer.end().await, Ok(StopReason::ModelEjected));
    assert_eq!(desk.engine.in_use().await, Ok(Vec::new()));

    // One in memory goes the same way, and what is neither is not found.
    let one = model("one", 1);
    desk.loaded(&one).await;
    assert_eq!(desk.engine.eject_file(one.id.clone()).await, Ok(()));
    assert!(desk.names().is_empty());
    for file in [one.id, endless.id] {
        let nothing = desk.engine.eject_file(file).await;
        assert!(matches!(nothing, Err(Error::NotFound { .. })), "{nothing:?}");
    }
}

#[tokio::test]
async fn ten_first_requests_load_once() {
    let desk = Desk::new();
    let one = model("one", 1);
    let answers: Vec<_> = (0..10).map(|_| desk.ask(&one, "quick")).collect();
    for answer in answers {
        assert_eq!(answer.end().await, Ok(StopReason::EndOfText));
    }
    assert_eq!(desk.loads(), 1);
}

#[tokio::test]
async fn several_run_at_once_and_the_model_is_busy_until_the_last_has_ended() {
    let desk = Desk::new();
    let one = model("one", 1);
    let (mut first, mut second) = (desk.ask(&one, "slow"), desk.ask(&one, "slow"));
    for answer in [&mut first, &mut second] {
        assert_eq!(answer.begun().await.activity, Activity::Generating);
        answer.piece().await;
    }
    assert_eq!(desk.ask(&one, "quick").end().await, Ok(StopReason::EndOfText));
    assert_eq!(desk.engine.loaded()[0].activity, Activity::Generating);

    // Each event goes to its own.
    second.stop.stop();
    assert_eq!(second.piece().await, "more");
    assert!(first.events.try_recv().is_err());

    let ejected = desk.engine.eject(desk.engine.loaded()[0].id).await;
    assert_eq!(ejected, Ok(()));
    for answer in [first, second] {
        assert_eq!(answer.end().await, Ok(StopReason::ModelEjected));
    }
}

#[tokio::test]
async fn the_queue_of_a_model_is_bounded() {
    let desk = Desk::new();
    let one = model("one", 1);
    desk.loaded(&one).await;
    let slots = LoadOptions::default().parallel_slots as usize;
    let mut waiting: Vec<_> = (0..slots + QUEUE_LENGTH)
        .map(|_| desk.ask(&one, "wait"))
        .collect();
    let refused = desk.ask(&one, "quick").end().await;
    assert!(
        matches!(&refused, Err(Error::Busy { reason, .. }) if reason.starts_with("too many requests wait")),
        "{refused:?}"
    );
    // One that leaves makes room for another.
    let leaves = waiting.pop().expect("it waits");
    leaves.stop.stop();
    assert_eq!(leaves.end().await, Ok(StopReason::UserStopped));
    assert_eq!(desk.ask(&one, "quick").end().await, Ok(StopReason::EndOfText));
}

#[tokio::test]
async fn programs_that_fill_the_queue_keep_no_chat_out() {
    let desk = Desk::new();
    let one = model("one", 1);
    // While it is loaded, and when it is there.
    let first: Vec<_> = (0..QUEUE_LENGTH).map(|_| desk.ask(&one, "wait")).collect();
    let refused = desk.ask(&one, "wait").end().await;
    assert!(matches!(&refused, Err(Error::Busy { .. })), "{refused:?}");
    assert_eq!(
        desk.ask_in_chat(1, &one, "quick").end().await,
        Ok(StopReason::EndOfText)
    );
    let slots = LoadOptions::default().parallel_slots as usize;
    let more: Vec<_> = (0..slots).map(|_| desk.ask(&one, "wait")).collect();
    let refused = desk.ask(&one, "wait").end().await;
    assert!(matches!(&refused, Err(Error::Busy { .. })), "{refused:?}");
    assert_eq!(
        desk.ask_in_chat(1, &one, "quick").end().await,
        Ok(StopReason::EndOfText)
    );
    assert_eq!(first.len() + more.len(), slots + QUEUE_LENGTH);
}

#[tokio::test]
async fn a_job_that_waits_is_stopped_at_once() {
    let desk = Desk::new();
    let one = model("one", 1);
    let waiting = desk.ask(&one, "wait");
    waiting.stop.stop();
    assert_eq!(waiting.end().await, Ok(StopReason::UserStopped));
    desk.loaded(&one).await;
    let waiting = desk.ask(&one, "wait");
    waiting.stop.stop();
    assert_eq!(waiting.end().await, Ok(StopReason::UserStopped));
    assert_eq!(desk.engine.loaded()[0].activity, Activity::Idle);
}

#[tokio::test]
async fn a_file_is_loaded_anew_for_other_options_and_not_while_it_writes() {
    let desk = Desk::new();
    let one = model("one", 1);
    let other = || LoadOptions {
        threads: Some(3),
        ..LoadOptions::default()
    };
    let first = desk.loaded(&one).await;
    let mut answer = desk.ask(&one, "slow");
    answer.begun().await;
    let refused = desk.load_with(&one, other(), false).await.outcome().await;
    assert!(
        matches!(&refused, Err(Error::Busy { reason, .. }) if reason.contains("is at work")),
        "{refused:?}"
    );
    drop(answer);
    assert_eq!(desk.engine.eject(first.id).await, Ok(()));

    let first = desk.loaded(&one).await;
    let second = desk
        .load_with(&one, other(), false)
        .await
        .outcome()
        .await
        .expect("it loads");
    assert_ne!(first.process, second.process);
    assert_eq!(desk.engine.loaded(), [second]);
}

#[tokio::test]
async fn the_end_of_the_engine_ends_all_jobs() {
    let desk = Desk::new();
    let (one, two) = (model("one", 1), model("two", 1));
    let mut begun = desk.ask(&one, "slow");
    begun.begun().await;
    let (waiting, loading) = (desk.ask(&one, "wait"), desk.ask(&two, "quick"));
    desk.engine.shut_down().await;
    assert_eq!(begun.end().await, Ok(StopReason::UserStopped));
    assert_eq!(waiting.end().await, Ok(StopReason::UserStopped));
    assert_eq!(loading.end().await, Ok(StopReason::UserStopped));
    assert_eq!(desk.ask(&one, "quick").end().await, Err(Error::BackendGone));
}

//! Workers that hang, and workers that die with jobs that wait.

use super::*;

const ALMOST: Duration = Duration::from_secs(29);
const REST: Duration = Duration::from_secs(1);

fn death(end: Result<StopReason>) -> (String, String) {
    match end {
        Err(Error::WorkerDied { during, cause, .. }) => (during, cause),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_worker_that_hangs_is_killed_and_what_it_had_not_begun_is_made_by_another() {
    let desk = Desk::new();
    let one = model("one", 1);
    let mut hanging = desk.ask(&one, "hang");
    let first = hanging.begun().await;
    let waiting = desk.ask(&one, "quick");
    desk.pass(ALMOST).await;
    assert_eq!(desk.names(), ["one"]);
    desk.pass(REST).await;
    let (during, cause) = death(hanging.end().await);
    assert_eq!(
        (during.as_str(), cause.as_str()),
        ("reading the prompt", "it hung")
    );
    assert_eq!(waiting.end().await, Ok(StopReason::EndOfText));
    assert_ne!(desk.engine.loaded()[0].process, first.process);
    assert_eq!(desk.loads(), 2);
}

#[tokio::test]
async fn a_worker_that_speaks_does_not_hang() {
    let desk = Desk::new();
    let one = model("one", 1);
    let mut slow = desk.ask(&one, "slow");
    slow.begun().await;
    slow.piece().await;
    for _ in 0..3 {
        desk.pass(ALMOST).await;
        slow.stop.stop();
        slow.piece().await;
    }
    // Requests that come do not count: only what the worker says does.
    desk.pass(ALMOST).await;
    let waiting = desk.ask(&one, "wait");
    desk.pass(REST).await;
    let (during, cause) = death(slow.end().await);
    assert_eq!(
        (during.as_str(), cause.as_str()),
        ("writing the answer", "it hung")
    );
    drop(waiting);
}

#[tokio::test]
async fn an_idle_worker_may_be_silent() {
    let desk = Desk::new();
    let one = model("one", 1);
    desk.loaded(&one).await;
    desk.pass(100 * ALMOST).await;
    desk.ask(&one, "quick").end().await.expect("an answer");
    assert_eq!(desk.loads(), 1);
}

#[tokio::test]
async fn a_death_costs_what_had_begun_and_nothing_else() {
    let desk = Desk::new();
    let one = model("one", 1);
    let mut begun = desk.ask(&one, "slow");
    begun.begun().await;
    let waiting = desk.ask(&one, "wait");
    let crash = desk.ask(&one, "crash");
    let quick = desk.ask(&one, "quick");
    let (_, cause) = death(begun.end().await);
    assert_eq!(cause, "it ended with code 7");
    let (during, _) = death(crash.end().await);
    assert_eq!(during, "reading the prompt");
    assert_eq!(quick.end().await, Ok(StopReason::EndOfText));
    waiting.stop.stop();
    assert_eq!(waiting.end().await, Ok(StopReason::UserStopped));
    assert_eq!(desk.loads(), 2);
}

#[tokio::test]
async fn a_job_that_kills_two_workers_fails() {
    let desk = Desk::new();
    let one = model("one", 1);
    desk.loaded(&one).await;
    let (during, cause) = death(desk.ask(&one, "fall").end().await);
    assert_eq!(
        (during.as_str(), cause.as_str()),
        ("preparing the answer", "it ended with code 8")
    );
    assert_eq!(desk.loads(), 2);
    assert_eq!(desk.names(), [""; 0]);
}

/// The second worker is loaded as the first was, and stays as long.
#[tokio::test]
async fn the_worker_that_follows_a_dead_one_is_like_it() {
    let desk = Desk::new();
    let one = model("one", 1);
    let options = LoadOptions {
        threads: Some(3),
        ..LoadOptions::default()
    };
    let load = desk.load_with(&one, options.clone(), false).await;
    load.outcome().await.expect("it loads");
    let waiting = desk.ask(&one, "wait");
    let crash = desk.ask(&one, "crash");
    death(crash.end().await);
    desk.holds(&["one"]).await;
    let again = desk.load_with(&one, options, false).await.outcome().await;
    assert_eq!(
        again.expect("it is there").activity,
        hearth_protocol::engine::Activity::Generating
    );
    assert_eq!(desk.loads(), 2, "with these options it is there already");
    drop(waiting);
}

//! Models stay in memory as long as was asked for.

use super::*;

const MINUTE: Duration = Duration::from_secs(60);

/// Asks for a quick answer and waits for its end.
async fn quick(desk: &Desk, file: &LibraryFile, keep: KeepLoaded) {
    let end = desk.ask_keeping(file, "quick", keep).end().await;
    assert_eq!(end, Ok(StopReason::EndOfText));
}

#[tokio::test]
async fn a_model_goes_when_the_seconds_that_were_asked_for_have_passed() {
    let desk = Desk::new();
    let one = model("one", 1);
    quick(&desk, &one, KeepLoaded::Seconds(90)).await;
    desk.pass(Duration::from_secs(89)).await;
    assert_eq!(desk.names(), ["one"]);
    // The time begins with the last answer, and what was asked for holds for it too.
    quick(&desk, &one, KeepLoaded::Default).await;
    desk.pass(Duration::from_secs(89)).await;
    assert_eq!(desk.names(), ["one"]);
    desk.pass(Duration::from_secs(1)).await;
    assert_eq!(desk.names(), [""; 0]);
    // A request at that very moment is served by a new worker.
    quick(&desk, &one, KeepLoaded::Default).await;
    assert_eq!(desk.loads(), 2);
    desk.pass(59 * MINUTE).await;
    assert_eq!(desk.names(), ["one"], "a new stay begins with the settings");
}

#[tokio::test]
async fn what_is_asked_later_replaces_what_was_asked_before() {
    let desk = Desk::new();
    let one = model("one", 1);
    quick(&desk, &one, KeepLoaded::Seconds(10)).await;
    quick(&desk, &one, KeepLoaded::Always).await;
    desk.pass(10_000 * MINUTE).await;
    assert_eq!(desk.names(), ["one"]);
    quick(&desk, &one, KeepLoaded::Seconds(10)).await;
    desk.pass(Duration::from_secs(10)).await;
    assert_eq!(desk.names(), [""; 0]);
    assert_eq!(desk.loads(), 1);
}

#[tokio::test]
async fn a_model_that_nobody_shall_keep_goes_with_its_last_answer() {
    let desk = Desk::new();
    let one = model("one", 1);
    let mut first = desk.ask_keeping(&one, "slow", KeepLoaded::Seconds(0));
    first.begun().await;
    let second = desk.ask(&one, "quick");
    assert_eq!(second.end().await, Ok(StopReason::EndOfText));
    desk.settled().await;
    assert_eq!(desk.names(), ["one"], "the other answer is still written");
    let id = desk.engine.loaded()[0].id;
    let third = desk.ask(&one, "crash");
    third.end().await.expect_err("the worker died");
    first.end().await.expect_err("with all that it had begun");
    assert!(desk.engine.loaded().iter().all(|model| model.id != id));

    quick(&desk, &one, KeepLoaded::Seconds(0)).await;
    desk.holds(&[]).await;
    assert_eq!(desk.loads(), 2);
}

#[tokio::test]
async fn a_busy_model_outlives_its_time() {
    let desk = Desk::new();
    let one = model("one", 1);
    let mut answer = desk.ask_keeping(&one, "slow", KeepLoaded::Seconds(1));
    answer.begun().await;
    answer.piece().await;
    for _ in 0..5 {
        desk.pass(Duration::from_secs(20)).await;
        // This worker says something at each Stop.
        answer.stop.stop();
        answer.piece().await;
    }
    assert_eq!(desk.names(), ["one"]);
}

#[tokio::test]
async fn who_loads_by_hand_says_how_long_it_stays() {
    let desk = Desk::new();
    let (one, two) = (model("one", 1), model("two", 1));
    let load = |file: LibraryFile, keep| {
        let desk = &desk;
        async move {
            let load = desk.load_keeping(&file, LoadOptions::default(), false, keep);
            load.await.outcome().await.expect("it loads")
        }
    };
    let loaded = load(one.clone(), KeepLoaded::Seconds(60)).await;
    assert_eq!(loaded.time_to_live, Some(60));
    // Two was asked for by a program, and is then wanted by hand: for good.
    quick(&desk, &two, KeepLoaded::Seconds(60)).await;
    assert_eq!(desk.times_to_live(), [Some(60), Some(60)]);
    let loaded = load(two.clone(), KeepLoaded::Default).await;
    assert_eq!(loaded.time_to_live, None);
    assert_eq!(desk.times_to_live(), [None, Some(60)]);
    desk.pass(MINUTE).await;
    assert_eq!(desk.names(), ["two"]);
    desk.pass(10_000 * MINUTE).await;
    assert_eq!(desk.names(), ["two"]);
    load(two, KeepLoaded::Seconds(0)).await;
    desk.holds(&[]).await;
}

#[tokio::test]
async fn those_who_wait_for_one_load_are_heard_in_their_order() {
    let desk = Desk::new();
    let one = model("one", 1);
    let asked = [
        desk.ask_keeping(&one, "quick", KeepLoaded::Always),
        desk.ask_keeping(&one, "quick", KeepLoaded::Seconds(30)),
        desk.ask_keeping(&one, "quick", KeepLoaded::Default),
    ];
    for answer in asked {
        assert_eq!(answer.end().await, Ok(StopReason::EndOfText));
    }
    assert_eq!(desk.loads(), 1, "one load for all");
    desk.pass(Duration::from_secs(30)).await;
    assert_eq!(desk.names(), [""; 0]);
}

#[tokio::test]
async fn what_was_asked_for_outlives_a_worker_that_dies() {
    let desk = Desk::new();
    let one = model("one", 1);
    quick(&desk, &one, KeepLoaded::Seconds(30)).await;
    let first = desk.engine.loaded()[0].id;
    let waiting = desk.ask(&one, "wait");
    desk.ask(&one, "crash").end().await.expect_err("the worker died");
    // What had not begun waits in another worker then, and gives it up.
    let mut loaded = desk.engine.loaded.clone();
    let is_another = |models: &Vec<LoadedModel>| models.iter().any(|model| model.id != first);
    loaded.wait_for(is_another).await.expect("the engine lives");
    waiting.stop.stop();
    assert_eq!(waiting.end().await, Ok(StopReason::UserStopped));
    desk.pass(Duration::from_secs(29)).await;
    assert_eq!(desk.names(), ["one"]);
    desk.pass(Duration::from_secs(1)).await;
    assert_eq!(desk.names(), [""; 0]);
}

#[tokio::test]
async fn a_question_goes_to_the_model_that_is_meant_and_shows_no_work() {
    let desk = Desk::new();
    let one = model("one", 1);
    let loaded = desk.loaded(&one).await;
    assert_eq!(desk.engine.slots(loaded.id).await, Ok(Vec::new()));
    let gone = desk.engine.slots(LoadedId(99)).await;
    assert!(
        matches!(&gone, Err(Error::NotFound { what, .. }) if what == "loaded model"),
        "{gone:?}"
    );
    assert_eq!(desk.loads(), 1);
}

//! Idle models leave memory.

use super::*;

const MINUTE: Duration = Duration::from_secs(60);

#[tokio::test]
async fn a_model_loaded_on_request_goes_after_an_hour_of_rest() {
    let desk = Desk::new();
    let one = model("one", 1);
    assert_eq!(desk.ask(&one, "quick").end().await, Ok(StopReason::EndOfText));
    desk.pass(59 * MINUTE).await;
    assert_eq!(desk.names(), ["one"]);
    assert_eq!(desk.ask(&one, "quick").end().await, Ok(StopReason::EndOfText));
    assert_eq!(desk.loads(), 1);
    desk.pass(59 * MINUTE).await;
    assert_eq!(
        desk.names(),
        ["one"],
        "the hour begins with the last answer's end"
    );
    desk.pass(MINUTE).await;
    assert_eq!(desk.names(), [""; 0]);
    // A request at that very moment waits for the end of the old worker and gets a new one.
    assert_eq!(desk.ask(&one, "quick").end().await, Ok(StopReason::EndOfText));
    assert_eq!(desk.loads(), 2);
}

#[tokio::test]
async fn a_model_loaded_by_hand_stays() {
    let desk = Desk::new();
    let (one, two) = (model("one", 1), model("two", 1));
    desk.loaded(&one).await;
    desk.ask(&one, "quick").end().await.expect("an answer");
    desk.ask(&two, "quick").end().await.expect("an answer");
    // Loaded on request, and then wanted by hand.
    desk.loaded(&two).await;
    desk.pass(10_000 * MINUTE).await;
    assert_eq!(desk.names(), ["two", "one"]);
}

#[tokio::test]
async fn the_time_to_live_is_a_setting() {
    let desk = Desk::new();
    let settings = |idle_unload_minutes| Settings {
        idle_unload_minutes,
        ..Settings::default()
    };
    desk.engine.heed(&settings(None));
    desk.ask(&model("one", 1), "quick")
        .end()
        .await
        .expect("an answer");
    desk.pass(10_000 * MINUTE).await;
    assert_eq!(desk.names(), ["one"]);
    assert_eq!(desk.times_to_live(), [None]);
    desk.engine.heed(&settings(Some(10_001)));
    desk.pass(Duration::ZERO).await;
    assert_eq!(desk.names(), ["one"]);
    assert_eq!(desk.times_to_live(), [Some(600_060)], "who watches hears of it");
    desk.pass(MINUTE).await;
    assert_eq!(desk.names(), [""; 0]);
}

#[tokio::test]
async fn a_busy_model_stays_however_long_it_takes() {
    let desk = Desk::new();
    let one = model("one", 1);
    desk.engine.heed(&Settings {
        idle_unload_minutes: Some(1),
        ..Settings::default()
    });
    let mut answer = desk.ask(&one, "slow");
    answer.begun().await;
    answer.piece().await;
    for _ in 0..10 {
        desk.pass(20 * MINUTE / 60).await;
        // This worker says something at each Stop.
        answer.stop.stop();
        answer.piece().await;
    }
    assert_eq!(desk.names(), ["one"]);
}

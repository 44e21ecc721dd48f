//! Several models, and memory that is short.

use super::*;

/// A desk where all models together may take so many gigabytes.
fn desk_with_room_for(gigabytes: u32) -> Desk {
    let desk = Desk::new();
    desk.guard(MemoryGuard::Gigabytes(gigabytes));
    desk
}

impl Desk {
    /// An answer that this model has begun and goes on with.
    async fn busy(&self, file: &LibraryFile) -> Generation {
        let mut answer = self.ask(file, "slow");
        answer.begun().await;
        answer
    }
}

/// Case 57 of the public reports: 8 GB, a model of 5 GB in memory, one of 6 GB is wanted; and 20 GB with the guard off.
#[tokio::test]
async fn the_model_that_goes_is_not_counted_and_off_is_heeded() {
    let desk = Desk::new();
    let (five, six, twenty) = (model("five", 5), model("six", 6), model("twenty", 20));
    let first = desk.loaded(&five).await;
    desk.memory.send_modify(|memory| memory.free = Some(3 * GB));
    let second = desk.loaded(&six).await;
    assert_ne!(first.process, second.process);
    assert_eq!(desk.engine.loaded(), [second]);

    let refused = desk.load(&twenty).await.outcome().await;
    assert!(
        matches!(&refused, Err(Error::MemoryShort { reason, .. })
            if reason.contains("20.0 GB") && reason.contains("6.80 GB") && reason.contains("load it anyway")),
        "{refused:?}"
    );
    let refused = desk.ask(&twenty, "quick").end().await;
    assert!(matches!(refused, Err(Error::MemoryShort { .. })), "{refused:?}");
    assert_eq!(desk.names(), ["six"], "nothing goes in vain");

    desk.guard(MemoryGuard::Off);
    desk.loaded(&twenty).await;
    assert_eq!(desk.names(), ["twenty", "six"]);
}

#[tokio::test]
async fn what_is_forced_is_loaded() {
    let desk = Desk::new();
    let twenty = model("twenty", 20);
    let forced = desk.load_with(&twenty, LoadOptions::default(), true).await;
    forced.outcome().await.expect("it loads");
    assert_eq!(desk.names(), ["twenty"]);
}

#[tokio::test]
async fn models_that_fit_stand_beside_each_other_and_the_least_recently_used_goes() {
    let desk = desk_with_room_for(7);
    let [one, two, three] = ["one", "two", "three"].map(|name| model(name, 3));
    desk.loaded(&one).await;
    desk.loaded(&two).await;
    assert_eq!(desk.names(), ["two", "one"]);
    desk.pass(Duration::from_secs(1)).await;
    desk.ask(&one, "quick").end().await.expect("an answer");
    desk.loaded(&three).await;
    assert_eq!(desk.names(), ["three", "one"]);
}

#[tokio::test]
async fn a_request_waits_for_a_busy_model_and_a_load_by_hand_is_told() {
    let desk = desk_with_room_for(6);
    let (one, two) = (model("one", 4), model("two", 4));
    let answer = desk.busy(&one).await;
    let waiting = desk.ask(&two, "quick");
    let refused = desk.load(&two).await.outcome().await;
    assert!(
        matches!(&refused, Err(Error::Busy { reason, .. }) if reason.contains("one is at work")),
        "{refused:?}"
    );
    assert_eq!(desk.names(), ["one"]);
    // What comes later does not pass by.
    let later = desk.ask(&model("three", 2), "quick");
    desk.settled().await;
    assert_eq!(desk.names(), ["one"]);

    let loaded = desk.engine.loaded().remove(0);
    assert_eq!(desk.engine.eject(loaded.id).await, Ok(()));
    assert_eq!(answer.end().await, Ok(StopReason::ModelEjected));
    assert_eq!(waiting.end().await, Ok(StopReason::EndOfText));
    assert_eq!(later.end().await, Ok(StopReason::EndOfText));
    // They loaded at the same time.
    let mut names = desk.names();
    names.sort();
    assert_eq!(names, ["three", "two"]);
}

#[tokio::test]
async fn an_eject_ends_a_load_that_waits_for_memory() {
    let desk = desk_with_room_for(6);
    let (one, two) = (model("one", 4), model("two", 4));
    let busy = desk.busy(&one).await;
    let waiting = desk.ask(&two, "quick");
    desk.settled().await;
    assert_eq!(desk.engine.eject_file(two.id).await, Ok(()));
    assert_eq!(waiting.end().await, Ok(StopReason::ModelEjected));
    assert_eq!(desk.names(), ["one"]);
    busy.stop.stop();
}

#[tokio::test]
async fn a_request_that_waits_for_memory_goes_on_when_the_model_is_idle() {
    let desk = desk_with_room_for(6);
    let (one, two) = (model("one", 4), model("two", 4));
    desk.loaded(&one).await;
    let busy = desk.ask(&one, "wait");
    let waiting = desk.ask(&two, "quick");
    desk.settled().await;
    assert_eq!(desk.names(), ["one"]);
    busy.stop.stop();
    assert_eq!(busy.end().await, Ok(StopReason::UserStopped));
    assert_eq!(waiting.end().await, Ok(StopReason::EndOfText));
    assert_eq!(desk.names(), ["two"]);
}

#[tokio::test]
async fn a_load_that_joins_one_that_waits_can_force_it() {
    let desk = desk_with_room_for(6);
    let (one, two) = (model("one", 4), model("two", 4));
    let _busy = desk.busy(&one).await;
    let waiting = desk.ask(&two, "quick");
    let forced = desk.load_with(&two, LoadOptions::default(), true).await;
    forced.outcome().await.expect("it loads");
    assert_eq!(waiting.end().await, Ok(StopReason::EndOfText));
    assert_eq!(desk.names(), ["two", "one"]);
}

#[tokio::test]
async fn a_request_that_is_stopped_while_it_waits_lets_the_next_one_go() {
    let desk = desk_with_room_for(6);
    let (one, two, three) = (model("one", 4), model("two", 4), model("three", 2));
    let _busy = desk.busy(&one).await;
    let (waiting, next) = (desk.ask(&two, "quick"), desk.ask(&three, "quick"));
    desk.settled().await;
    waiting.stop.stop();
    assert_eq!(waiting.end().await, Ok(StopReason::UserStopped));
    assert_eq!(next.end().await, Ok(StopReason::EndOfText));
    assert_eq!(desk.names(), ["three", "one"]);
}

/// The pages of a mapped file count as free all along, so that unloading it does not show.
#[tokio::test]
async fn what_made_room_is_believed() {
    let desk = Desk::new();
    let (three, five) = (model("three", 3), model("five", 5));
    desk.loaded(&three).await;
    desk.memory.send_modify(|memory| memory.free = Some(4 * GB));
    desk.loaded(&five).await;
    assert_eq!(desk.names(), ["five"]);
}

#[tokio::test]
async fn a_size_that_is_unknown_or_whose_estimate_breaks_never_hinders() {
    let estimates: [Estimate; 2] = [
        Arc::new(|_, _| None),
        Arc::new(|_, _| panic!("as a broken one would")),
    ];
    for estimate in estimates {
        let desk = Desk::with_estimate(estimate);
        desk.loaded(&model("huge", 1_000_000)).await;
        assert_eq!(desk.names(), ["huge"]);
    }
}

#[tokio::test]
async fn a_file_is_in_use_from_the_wish_for_it_to_its_end() {
    let desk = Desk::new();
    let (first, second) = (model("first", 5), model("second", 5));
    let in_use = async || {
        let files = desk.engine.in_use().await.expect("the engine lives");
        let tell = |file: crate::engine::InUse| (file.file.0, file.is_loading);
        files.into_iter().map(tell).collect::<Vec<_>>()
    };
    let mut answer = desk.ask(&first, "slow");
    let loaded = answer.begun().await;
    let mut waiting = desk.ask(&second, "slow");
    desk.settled().await;
    assert_eq!(in_use().await, [("first".into(), false), ("second".into(), true)]);
    desk.engine.eject(loaded.id).await.expect("ejected");
    waiting.begun().await;
    assert_eq!(in_use().await, [("second".into(), false)]);
}

//! Slow hubs, hubs that refuse, people who type on.

use hearth_protocol::catalogue::HubPart;
use hearth_testhub::{Fault, Place};

use super::*;

// The test blocks its thread while it waits for the hub.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_hub_keeps_nobody_from_what_is_known() {
    let both = Both::start().await;
    both.add("o/smollm2-owl", downloads(1));
    both.theirs.fault(Place::Api, "", None, Fault::Hold);
    let run = both.begin(query("smollm2"));
    let SearchEvent::Page(known) = run.next().await else {
        panic!("a page comes first");
    };
    assert_eq!((known.hub.clone(), known.models.len()), (HubPart::Asking, 3));
    both.theirs.wait_until_held(1);
    assert_eq!(run.events.try_next(), None);
    both.theirs.release();
    let SearchEvent::Page(all) = run.next().await else {
        panic!("the hub's page comes then");
    };
    assert_eq!((all.hub.clone(), all.models.len()), (HubPart::Answered, 4));
    assert_eq!(run.next().await, SearchEvent::Finished);
}

// The test blocks its thread while it waits for the hub.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_leaves_ends_the_question_to_the_hub() {
    let both = Both::start().await;
    both.add("o/owl", downloads(1));
    both.theirs.fault(Place::Api, "", None, Fault::Hold);
    let search = both.begin(query("owl"));
    let details = both.ask(DetailsRequest::of("o/owl".into()));
    both.theirs.wait_until_held(2);
    drop((search.events, details.events));
    both.theirs.wait_until_left(2);
    search.work.await.expect("it ended");
    details.work.await.expect("it ended");
}

#[tokio::test]
async fn of_what_is_typed_only_the_last_reaches_the_hub() {
    let mut both = Both::start().await;
    both.add("o/owl", downloads(1));
    let typed = |text: &str| CatalogueQuery {
        ask_hub: AskHub::AfterPause,
        ..query(text)
    };
    // Whoever types is quicker than this.
    both.catalogue.times.pause = Duration::from_secs(24 * 60 * 60);
    for text in ["o", "ow"] {
        let run = both.begin(typed(text));
        assert!(matches!(run.next().await, SearchEvent::Page(page) if page.hub == HubPart::Asking));
        drop(run.events);
        run.work.await.expect("it ended");
    }
    both.catalogue.times.pause = Duration::ZERO;
    assert_eq!(names(&both.found(typed("owl")).await), ["o/owl"]);
    assert_eq!(both.lists(), 1);
    assert!(both.theirs.seen()[0].path.contains("search=owl"));
}

#[tokio::test]
async fn a_hub_that_does_not_answer_in_time_is_down() {
    let mut both = Both::start().await;
    both.catalogue.times.limit = Duration::ZERO;
    both.theirs.fault(Place::Api, "", None, Fault::Hold);
    let page = both.found(query("smollm2")).await;
    assert_eq!(page.models.len(), 3);
    let HubPart::Failed { error } = page.hub else {
        panic!("it failed");
    };
    assert!(error.to_string().contains("did not answer within"), "{error}");
}

#[tokio::test]
async fn each_trouble_of_the_hub_is_told_beside_what_is_known() {
    let both = Both::start().await;
    let wait = vec![("retry-after", "77".to_owned())];
    let refused = vec![(
        "x-error-message",
        "Invalid credentials in Authorization header".to_owned(),
    )];
    let cases = [
        (Fault::Status(429, wait, ""), "asks to wait for 77 s"),
        (Fault::Status(500, Vec::new(), "<html>"), "it answers 500"),
        (Fault::Html, "something else than a hub"),
        (
            Fault::Status(200, Vec::new(), "[{\"id\":"),
            "something else than a hub",
        ),
        (
            Fault::Status(401, refused, ""),
            "does not accept your Hugging Face token",
        ),
    ];
    for (fault, words) in cases {
        both.theirs.mend();
        both.theirs.fault(Place::Api, "", None, fault.clone());
        let pages = both.search(query("smollm2")).await;
        assert_eq!(names(&pages[0]), names(&pages[1]), "{fault:?}");
        assert_eq!(pages[1].models.len(), 3);
        let HubPart::Failed { error } = &pages[1].hub else {
            panic!("{fault:?} is no answer");
        };
        assert!(error.to_string().contains(words), "{error}");
    }
    // Nothing of it is taken for the hub's answer.
    both.theirs.mend();
    assert_eq!(both.search(query("smollm2")).await[1].hub, HubPart::Answered);
}

#[tokio::test]
async fn an_odd_entry_keeps_nobody_from_the_others() {
    let both = Both::start().await;
    let list = r#"[{"name":"no id"},7,{"id":"gpt2"},{"id":"o/owl","siblings":[{"rfilename":"m.gguf"}]}]"#;
    both.theirs
        .fault(Place::Api, "", None, Fault::Status(200, Vec::new(), list));
    assert_eq!(names(&both.found(query("owl")).await), ["o/owl"]);
}

#[tokio::test]
async fn offline_asks_nobody() {
    let both = Both::start().await;
    both.net.set_offline(true);
    let pages = both.search(query("smollm2")).await;
    assert_eq!(
        (pages.len(), pages[0].models.len(), &pages[0].hub),
        (1, 3, &HubPart::Offline)
    );
    let (told, error) = both.told(DetailsRequest::of("o/owl".into())).await;
    assert_eq!(told, []);
    assert!(error.is_some_and(|error| error.to_string().contains("offline mode is on")));
    assert_eq!(both.theirs.seen(), []);
}

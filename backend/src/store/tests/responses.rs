//! Kept answers of the server.

use super::super::responses::{Bounds, KeptResponse};
use super::*;

fn kept(id: &str, previous: Option<&str>) -> KeptResponse {
    KeptResponse {
        id: id.into(),
        previous: previous.map(str::to_owned),
        input: format!(r#"["{id}"]"#),
        output: "{}".into(),
    }
}

/// Room for everything.
const WIDE: Bounds = Bounds {
    count: usize::MAX,
    bytes: u64::MAX,
    oldest: 0,
};

async fn chain(store: &Store, id: &str) -> String {
    let chain = store.response_chain(id).await.expect("a chain");
    let ids: Vec<_> = chain.into_iter().map(|kept| kept.id).collect();
    ids.join(" ")
}

#[tokio::test]
async fn a_chain_is_gone_back_to_its_beginning() {
    let folder = tempfile::tempdir().expect("folder");
    let store = open(&folder).await;
    for (id, previous) in [
        ("a", None),
        ("b", Some("a")),
        ("c", Some("b")),
        ("d", Some("b")),
        ("x", None),
    ] {
        store.keep_response(&kept(id, previous)).await.expect("kept");
    }
    assert_eq!(store.response("b").await, Ok(Some(kept("b", Some("a")))));
    assert_eq!(chain(&store, "d").await, "a b d");
    assert_eq!(chain(&store, "x").await, "x");
    assert_eq!(chain(&store, "nope").await, "");
    assert_eq!(store.delete_response("a").await, Ok(true));
    assert_eq!(store.delete_response("a").await, Ok(false));
    assert_eq!(store.response("a").await, Ok(None));
    let rest = store.response_chain("d").await.expect("a chain");
    assert_eq!(rest[0].previous.as_deref(), Some("a"), "what is gone is seen");
}

#[tokio::test]
async fn what_a_newer_answer_goes_on_from_stays() {
    let folder = tempfile::tempdir().expect("folder");
    let store = open(&folder).await;
    for (id, previous) in [("old", None), ("base", None), ("new", Some("base"))] {
        store.keep_response(&kept(id, previous)).await.expect("kept");
    }
    let mut other = connect(&file_in(&folder)).await;
    run(
        &mut other,
        "update responses set created_at = 1 where id <> 'new'",
    )
    .await;
    let bounds = Bounds { oldest: 2, ..WIDE };
    store.trim_responses(bounds).await.expect("trimmed");
    assert_eq!(store.response("old").await, Ok(None));
    assert_eq!(chain(&store, "new").await, "base new");
}

/// All of them were kept for 30 days, however many they were.
#[tokio::test]
async fn what_has_not_been_used_for_longest_goes_first() {
    let folder = tempfile::tempdir().expect("folder");
    let store = open(&folder).await;
    let mut other = connect(&file_in(&folder)).await;
    // Each is newer than the one before it, and 7 bytes long.
    let answers = [
        ("a", None),
        ("x", None),
        ("y", None),
        ("b", Some("a")),
        ("z", None),
    ];
    for (id, previous) in answers {
        store.keep_response(&kept(id, previous)).await.expect("kept");
    }
    for (time, (id, _)) in (1..).zip(answers) {
        run(
            &mut other,
            &format!("update responses set created_at = {time} where id = '{id}'"),
        )
        .await;
    }
    let left = async || {
        let mut left = String::new();
        for id in ["a", "b", "x", "y", "z"] {
            if store.response(id).await.expect("read").is_some() {
                left += id;
            }
        }
        left
    };
    let steps = [
        (WIDE, "abxyz"),
        (Bounds { count: 4, ..WIDE }, "abyz"),
        (Bounds { bytes: 3 * 7, ..WIDE }, "abz"),
        (
            Bounds {
                bytes: 3 * 7 - 1,
                ..WIDE
            },
            "bz",
        ),
        (Bounds { count: 0, ..WIDE }, ""),
    ];
    for (bounds, expected) in steps {
        store.trim_responses(bounds).await.expect("trimmed");
        assert_eq!(left().await, expected, "{bounds:?}");
    }
}

#[tokio::test]
async fn a_chain_that_is_too_long_is_not_read() {
    let folder = tempfile::tempdir().expect("folder");
    let store = open(&folder).await;
    for (id, previous) in [("a", None), ("b", Some("a")), ("c", Some("b"))] {
        store.keep_response(&kept(id, previous)).await.expect("kept");
    }
    let length = async |id, most| {
        let chain = store.response_chain_within(id, most).await;
        chain.map(|chain| chain.len())
    };
    assert_eq!(length("c", 21).await, Ok(3));
    assert_eq!(length("b", 20).await, Ok(2));
    assert_eq!(length("nope", 0).await, Ok(0));
    let refused = length("c", 20).await.expect_err("too long");
    assert!(matches!(refused, Error::Invalid { field, .. } if field == "previous_response_id"));
}

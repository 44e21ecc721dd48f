//! Kept answers of the server.

use super::super::responses::KeptResponse;
use super::*;

fn kept(id: &str, previous: Option<&str>) -> KeptResponse {
    KeptResponse {
        id: id.into(),
        previous: previous.map(str::to_owned),
        input: format!(r#"["{id}"]"#),
        output: "{}".into(),
    }
}

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
    store.purge_responses(2).await.expect("purged");
    assert_eq!(store.response("old").await, Ok(None));
    assert_eq!(chain(&store, "new").await, "base new");
}

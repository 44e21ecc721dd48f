//! Versions by their numbers.

use hearth_protocol::ErrorKind;

use super::*;

#[tokio::test]
async fn a_version_is_found_by_its_number_beside_any_other() {
    let folder = tempfile::tempdir().expect("folder");
    let store = open(&folder).await;
    let begun = send(&store, None, "question").await;
    let first = answer(&store, begun.answer, "one").await;
    let again = store.begin_version(first, None).await.expect("a version");
    let second = answer(&store, again.answer, "two").await;
    let again = store.begin_version(first, None).await.expect("a version");
    let third = answer(&store, again.answer, "three").await;
    for from in [first, second, third] {
        for (number, version) in [first, second, third].into_iter().enumerate() {
            let number = u32::try_from(number).expect("few");
            assert_eq!(store.version_of(from, number).await, Ok(version));
        }
        let none = store.version_of(from, 3).await.expect_err("there are three");
        assert_eq!(none.kind(), ErrorKind::NotFound);
    }

    // The numbers are those that the messages tell: a deleted one is none of them.
    store.delete_message(second).await.expect("delete");
    assert_eq!(store.version_of(first, 1).await, Ok(third));
    let shown = store.select_version(third).await.expect("select");
    assert_eq!(texts(&shown), "question / three (2 of 2)");
}

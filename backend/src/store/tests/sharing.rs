//! Several programs on one file.

use super::*;

/// Case 63 of the public reports.
#[tokio::test]
async fn a_write_waits_for_another_program_and_reads_do_not() {
    let folder = tempfile::tempdir().expect("folder");
    let store = open(&folder).await;
    let chat = send(&store, None, "first").await.chat.id;
    let mut other = connect(&file_in(&folder)).await;
    run(
        &mut other,
        "begin immediate; insert into settings (key, value) values ('theirs', '1');",
    )
    .await;
    let write = tokio::spawn({
        let store = store.clone();
        async move { send(&store, Some(chat), "second").await }
    });
    assert_eq!(shown(&store, chat).await, "first / ");
    assert_eq!(store.read_setting("theirs").await, Ok(None));
    assert!(!write.is_finished(), "the lock is the other program's");
    run(&mut other, "commit;").await;
    write.await.expect("the write goes through");
    assert_eq!(shown(&store, chat).await, "first /  / second / ");
    assert_eq!(store.read_setting("theirs").await, Ok(Some("1".into())));
}

#[tokio::test]
async fn several_backends_may_make_the_file_at_once() {
    for _ in 0..20 {
        let folder = tempfile::tempdir().expect("folder");
        let opened = tokio::join!(open(&folder), open(&folder), open(&folder), open(&folder));
        send(&opened.0, None, "first").await;
        assert_eq!(opened.3.list_chats().await.expect("list").len(), 1);
    }
}

#[tokio::test]
async fn two_backends_on_one_file_lose_nothing() {
    let folder = tempfile::tempdir().expect("folder");
    let (left, right) = tokio::join!(open(&folder), open(&folder));
    let chat = send(&left, None, "first").await.chat.id;
    let writes: Vec<_> = (0..40)
        .map(|number| {
            let store = if number % 2 == 0 {
                left.clone()
            } else {
                right.clone()
            };
            tokio::spawn(async move { send(&store, Some(chat), "more").await })
        })
        .collect();
    for write in writes {
        write.await.expect("the write goes through");
    }
    assert_eq!(left.open_chat(chat).await.expect("the chat").messages.len(), 82);
    let mut connection = connect(&file_in(&folder)).await;
    let check: String = sqlx::query_scalar("pragma integrity_check")
        .fetch_one(&mut connection)
        .await
        .expect("check");
    assert_eq!(check, "ok");
}

//! A full disk, and what works again once there is room.

use super::*;

/// For tests of what is built on the store.
impl Store {
    /// From now on no message can be changed. As where a disk is full, SQLite ends the transaction by itself.
    pub(crate) async fn refuse_answers(&self) {
        let trigger = "create trigger no_room before update on messages
            begin select raise(rollback, 'there is no room'); end";
        self.change_schema(trigger).await;
    }

    /// From now on no answer of the server is kept.
    pub(crate) async fn refuse_responses(&self) {
        let trigger = "create trigger no_room_for_responses before insert on responses
            begin select raise(rollback, 'there is no room'); end";
        self.change_schema(trigger).await;
    }

    /// They can be changed again.
    pub(crate) async fn take_answers(&self) {
        self.change_schema("drop trigger no_room").await;
    }

    /// Removes for good what is deleted, as a day later.
    pub(crate) async fn remove_deleted(&self) {
        self.purge_deletions(i64::MAX).await.expect("purge");
    }

    async fn change_schema(&self, sql: &'static str) {
        let mut transaction = self.write().await.expect("begin");
        let run = sqlx::raw_sql(sql).execute(&mut *transaction).await;
        run.expect("the statement runs");
        transaction.commit().await.expect("commit");
    }
}

/// More than the free part of the pages that there are.
fn much() -> String {
    "much ".repeat(20_000)
}

fn assert_full(outcome: Result<()>) {
    let said = outcome.expect_err("there is no room").to_string();
    assert_eq!(
        said,
        "The database of chats: its file cannot grow, since the disk is full; free some space."
    );
}

/// SQLite ends the transaction, and sqlx believes it goes on: every later write failed until a restart.
#[tokio::test]
async fn a_disk_that_was_full_takes_writes_again() {
    let folder = tempfile::tempdir().expect("folder");
    let store = open(&folder).await;
    let writer = store.writer.clone().expect("it can be written");
    let mut connection = writer.acquire().await.expect("the writer");
    let pages = number(&mut connection, "pragma page_count").await;
    let limit = format!("pragma max_page_count = {pages}");
    run(&mut connection, &limit).await;
    drop(connection);
    assert_full(store.write_setting("big", &much()).await);
    // The limit went with the connection.
    assert_eq!(store.write_setting("big", &much()).await, Ok(()));
    assert_eq!(store.read_setting("big").await, Ok(Some(much())));
}

#[tokio::test]
async fn a_disk_that_stays_full_says_so_each_time_and_takes_what_fits() {
    let folder = tempfile::tempdir().expect("folder");
    let store = open(&folder).await;
    // One page is the least there is; SQLite takes as many as the file has.
    let options = SqliteConnectOptions::new()
        .filename(file_in(&folder))
        .pragma("max_page_count", "1");
    let full = Store {
        writer: Ok(one_connection(options)),
        ..store.clone()
    };
    for _ in 0..3 {
        assert_full(full.write_setting("big", &much()).await);
    }
    assert_eq!(full.write_setting("small", "1").await, Ok(()));
    assert_eq!(store.write_setting("big", &much()).await, Ok(()));
}

#[tokio::test]
async fn a_transaction_that_sqlite_ends_by_itself_hinders_no_other() {
    let folder = tempfile::tempdir().expect("folder");
    let store = open(&folder).await;
    let begun = send(&store, None, "Hello").await;
    store.refuse_answers().await;
    for _ in 0..3 {
        let refused = store.save_answer(&begun.answer, None).await;
        assert!(matches!(refused, Err(Error::Storage { .. })), "{refused:?}");
    }
    store
        .rename_chat(begun.chat.id, "Another write")
        .await
        .expect("rename");
    store.take_answers().await;
    answer(&store, begun.answer, "Hi").await;
    assert_eq!(shown(&store, begun.chat.id).await, "Hello / Hi");
}

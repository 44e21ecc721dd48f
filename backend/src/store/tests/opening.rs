//! Opening: new files, older ones, newer ones, and a restart.

use super::*;

#[tokio::test]
async fn each_script_runs_on_an_empty_file_and_counts_itself() {
    let folder = tempfile::tempdir().expect("folder");
    let mut connection = connect(&file_in(&folder)).await;
    for (place, script) in (1..).zip(migrate::SCRIPTS) {
        run(&mut connection, script).await;
        assert_eq!(number(&mut connection, "pragma user_version").await, place);
    }
    let not_strict = "select count(*) from pragma_table_list where schema = 'main' and type = 'table'
        and name not like 'sqlite%' and not strict";
    assert_eq!(number(&mut connection, not_strict).await, 0);
}

#[tokio::test]
async fn what_was_stored_is_there_after_a_restart() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("new/folders/hearth.db");
    let store = Store::open(&path).await.expect("open");
    let begun = send(&store, None, "Hello").await;
    let stats = TurnStats {
        generated_tokens: 3,
        ..TurnStats::default()
    };
    let stored = Message {
        text: "Hi".into(),
        model: Some("Tiny".into()),
        stop: Some(StopReason::StopString { text: "END".into() }),
        stats: Some(stats),
        ..begun.answer
    };
    store.save_answer(&stored, None).await.expect("save");
    store.close().await;
    assert!(!beside(&path, "-wal").exists(), "the log is moved into the file");

    let store = Store::open(&path).await.expect("open again");
    let chat = store.open_chat(begun.chat.id).await.expect("the chat");
    assert_eq!(store.list_chats().await, Ok(vec![chat.summary]));
    assert_eq!(chat.messages[0].role, Role::User);
    assert_eq!(chat.messages[1], stored);
}

#[tokio::test]
async fn an_answer_without_an_end_stays_readable() {
    let folder = tempfile::tempdir().expect("folder");
    let store = open(&folder).await;
    let begun = send(&store, None, "Hello").await;
    let mut partial = begun.answer;
    partial.text = "Hi, I am".into();
    store.save_answer(&partial, None).await.expect("save");
    // Another start on the same file, as after a crash: the first one is never closed.
    let chat = open(&folder)
        .await
        .open_chat(begun.chat.id)
        .await
        .expect("the chat");
    assert_eq!(chat.messages[1], partial);
    assert_eq!(chat.messages[1].stop, None);
}

#[tokio::test]
async fn a_file_with_data_is_copied_before_it_is_brought_up_to_date() {
    let folder = tempfile::tempdir().expect("folder");
    let path = file_in(&folder);
    let store = open(&folder).await;
    let chat = send(&store, None, "precious").await.chat.id;
    assert!(!beside(&path, ".before-v1").exists(), "a new file needs no copy");

    // The store is still open: what it has written stands in the log and not in the file.
    let next = migrate::SCRIPTS.len() + 1;
    let script = format!("delete from messages; pragma user_version = {next};").leak();
    let scripts = [migrate::SCRIPTS, &[&*script]].concat();
    let options = SqliteConnectOptions::new().filename(&path);
    migrate::migrate(&path, &options, &scripts)
        .await
        .expect("migrate");
    assert_eq!(shown(&store, chat).await, "");

    let copy = beside(&path, &format!(".before-v{next}"));
    assert_eq!(
        shown(&Store::open(&copy).await.expect("open the copy"), chat).await,
        "precious / "
    );
    assert!(!beside(&copy, ".partial").exists());
}

#[tokio::test]
async fn a_script_that_fails_changes_nothing() {
    let folder = tempfile::tempdir().expect("folder");
    let path = file_in(&folder);
    let store = open(&folder).await;
    let chat = send(&store, None, "precious").await.chat.id;
    let scripts = [migrate::SCRIPTS, &["delete from messages; this is no sql;"]].concat();
    let options = SqliteConnectOptions::new().filename(&path);
    let migrated = migrate::migrate(&path, &options, &scripts).await;
    assert!(matches!(migrated, Err(Error::Storage { .. })), "{migrated:?}");
    assert_eq!(shown(&store, chat).await, "precious / ");
    assert_eq!(shown(&open(&folder).await, chat).await, "precious / ");
}

#[tokio::test]
async fn a_newer_database_can_be_read_and_not_written() {
    let folder = tempfile::tempdir().expect("folder");
    let store = open(&folder).await;
    let chat = send(&store, None, "from the future").await.chat.id;
    store.close().await;
    let mut connection = connect(&file_in(&folder)).await;
    run(
        &mut connection,
        "pragma user_version = 99; alter table chats add column mood text;",
    )
    .await;
    connection.close().await.expect("close");
    let before = std::fs::read(file_in(&folder)).expect("read");

    let store = open(&folder).await;
    assert_eq!(shown(&store, chat).await, "from the future / ");
    let newer = Error::NewerDatabase {
        found: 99,
        known: migrate::SCRIPTS.len() as i64,
    };
    let turn = NewTurn {
        chat: Some(chat),
        text: "x",
        title: "x",
        ..NewTurn::default()
    };
    assert_eq!(store.begin_turn(turn).await.err(), Some(newer.clone()));
    assert_eq!(store.rename_chat(chat, "x").await, Err(newer.clone()));
    assert_eq!(store.delete_chat(chat).await, Err(newer.clone()));
    assert_eq!(store.write_setting("x", "1").await, Err(newer.clone()));
    assert_eq!(store.check_writable(), Err(newer));
    store.close().await;
    assert!(
        std::fs::read(file_in(&folder)).expect("read") == before,
        "not a byte of the file has changed"
    );
}

#[tokio::test]
async fn an_empty_file_is_a_new_database() {
    let folder = tempfile::tempdir().expect("folder");
    std::fs::write(file_in(&folder), "").expect("write");
    assert_eq!(open(&folder).await.list_chats().await, Ok(Vec::new()));
}

#[tokio::test]
async fn a_closed_store_says_that_the_backend_is_gone() {
    let folder = tempfile::tempdir().expect("folder");
    let store = open(&folder).await;
    store.close().await;
    assert_eq!(store.list_chats().await, Err(Error::BackendGone));
    assert_eq!(store.delete_chat(ChatId(1)).await, Err(Error::BackendGone));
}

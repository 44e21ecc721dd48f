//! Files that are no databases of ours, damaged files and damaged values.

use super::*;

#[tokio::test]
async fn what_is_no_database_of_ours_is_refused_by_name_and_left_alone() {
    let check = async |content: Option<&[u8]>, problem: &str| {
        let folder = tempfile::tempdir().expect("folder");
        let path = file_in(&folder);
        match content {
            Some(content) => std::fs::write(&path, content).expect("write"),
            None => std::fs::create_dir(&path).expect("make a folder"),
        }
        let refused = Store::open(&path).await.expect_err("it is refused");
        let Error::Storage { reason } = &refused else {
            panic!("{refused:?}");
        };
        assert!(
            reason.contains("hearth.db") && reason.contains(problem),
            "{reason}"
        );
        if let Some(content) = content {
            assert!(
                std::fs::read(&path).expect("read") == content,
                "not a byte has changed"
            );
        }
    };
    check(
        Some(b"<html>this is no database, it is a page of the web</html>"),
        "is not a database",
    )
    .await;
    check(None, "is a folder").await;

    let folder = tempfile::tempdir().expect("folder");
    let mut connection = connect(&file_in(&folder)).await;
    run(&mut connection, "create table bookmarks (url text);").await;
    connection.close().await.expect("close");
    check(
        Some(&std::fs::read(file_in(&folder)).expect("read")),
        "belongs to another program",
    )
    .await;
}

#[tokio::test]
async fn what_sqlite_refuses_is_said_in_words() {
    let folder = tempfile::tempdir().expect("folder");
    let path = file_in(&folder);
    let store = open(&folder).await;
    send(&store, None, "Hello").await;
    let refused = async |options: SqliteConnectOptions, sql: &'static str| {
        let mut connection = options.filename(&path).connect().await.expect("connect");
        let error = sqlx::raw_sql(sql).execute(&mut connection).await;
        storage(error.expect_err("it is refused")).to_string()
    };
    let options = SqliteConnectOptions::new;
    let full = refused(
        options().pragma("max_page_count", "1"),
        "insert into settings values ('big', hex(zeroblob(100000)))",
    );
    let full = full.await;
    assert!(full.contains("the disk is full"), "{full}");
    let read_only = refused(options().read_only(true), "delete from chats").await;
    assert!(read_only.contains("may not be written"), "{read_only}");
    let mut other = connect(&path).await;
    run(&mut other, "begin immediate").await;
    let busy = refused(options().busy_timeout(Duration::ZERO), "delete from chats").await;
    assert!(busy.contains("in use by another program"), "{busy}");
}

#[tokio::test]
async fn a_damaged_file_is_an_error_and_stays_as_it_is() {
    let folder = tempfile::tempdir().expect("folder");
    let path = file_in(&folder);
    let store = open(&folder).await;
    send(&store, None, "Hello").await;
    store.close().await;
    let root_page = "select rootpage from sqlite_schema where name = 'chats'";
    let page = number(&mut connect(&path).await, root_page).await as usize;
    let mut bytes = std::fs::read(&path).expect("read");
    // Where the chats are; the schema stays readable.
    bytes[(page - 1) * 4096..page * 4096].fill(0xff);
    std::fs::write(&path, &bytes).expect("write");
    let store = open(&folder).await;
    let refused = store.list_chats().await.expect_err("it is refused").to_string();
    store.close().await;
    assert!(refused.contains("is damaged"), "{refused}");
    assert!(
        std::fs::read(&path).expect("read") == bytes,
        "what can still be saved of it is kept"
    );
}

#[tokio::test]
async fn a_file_in_place_of_the_folder_is_an_error_with_its_name() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("taken/hearth.db");
    std::fs::write(folder.path().join("taken"), "").expect("write");
    let refused = Store::open(&path).await.expect_err("it is refused");
    assert!(refused.to_string().contains("taken"), "{refused}");
}

/// Case 62 of the public reports.
#[tokio::test]
async fn damaged_values_take_their_defaults_and_hide_nothing() {
    let folder = tempfile::tempdir().expect("folder");
    let store = open(&folder).await;
    let good = send(&store, None, "good").await;
    let bad = send(&store, None, "bad").await;
    let mut connection = connect(&file_in(&folder)).await;
    let (chat, question, reply) = (bad.chat.id, bad.history[0].id, bad.answer.id);
    let damage = format!(
        "update messages set role = 'oracle', tool_calls = '{{', stop = '{{\"reason\":\"tired\"}}', stats = 'null',
            reasoning = cast(x'41ff' as text), model_name = null where id = {reply};
        update messages set text = cast(x'6261ff64' as text), created_at = -5, stop = '', stats = '[1]'
            where id = {question};
        update chats set title = cast(x'fe' as text), system_prompt = cast(x'ff' as text), pinned = 7
            where id = {chat};"
    );
    run(&mut connection, &damage).await;

    let list = store.list_chats().await.expect("the list");
    let ids: Vec<ChatId> = list.iter().map(|chat| chat.id).collect();
    assert_eq!(ids, [chat, good.chat.id]);
    assert_eq!(list[0].title, "\u{fffd}");
    assert_eq!(shown(&store, chat).await, "ba\u{fffd}d / ");
    assert_eq!(shown(&store, good.chat.id).await, "good / ");
    let opened = store.open_chat(chat).await.expect("the chat");
    let reply = &opened.messages[1];
    assert_eq!(
        (reply.role, &reply.stop, reply.stats),
        (Role::Assistant, &None, None)
    );
    assert_eq!(
        (reply.tool_calls.len(), reply.reasoning.as_deref()),
        (0, Some("A\u{fffd}"))
    );
    // It is not only shown: it goes on.
    send(&store, Some(chat), "again").await;
    assert_eq!(shown(&store, chat).await, "ba\u{fffd}d /  / again / ");
}

/// Case 62 too: nulls where there must be none, as a file has that other hands have changed.
#[tokio::test]
async fn nulls_everywhere_hide_nothing() {
    let folder = tempfile::tempdir().expect("folder");
    let mut connection = connect(&file_in(&folder)).await;
    for script in migrate::SCRIPTS {
        let lax = script
            .replace("integer not null", "integer")
            .replace("text not null", "text");
        run(&mut connection, &lax).await;
    }
    run(
        &mut connection,
        "insert into chats (id) values (1); insert into chats (id, title) values (2, 'good');
        insert into messages (id, chat_id) values (1, 1); insert into messages (id, chat_id, parent_id) values (2, 1, 1);
        insert into settings (key) values ('settings');",
    )
    .await;
    let store = open(&folder).await;
    let titles: Vec<String> = store
        .list_chats()
        .await
        .expect("list")
        .into_iter()
        .map(|chat| chat.title)
        .collect();
    assert_eq!(titles, ["good", ""]);
    let chat = store.open_chat(ChatId(1)).await.expect("the chat opens");
    assert_eq!(texts(&chat), " / ");
    assert_eq!(store.read_setting("settings").await, Ok(Some(String::new())));
    send(&store, Some(ChatId(1)), "again").await;
    assert_eq!(shown(&store, ChatId(1)).await, " /  / again / ");
}

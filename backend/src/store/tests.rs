//! The store on real files: opening, old and newer and damaged ones, other programs, the tree, undo.

use std::path::{Path, PathBuf};

use hearth_protocol::chat::{Chat, Message, Role};
use hearth_protocol::generate::{StopReason, TurnStats};
use hearth_protocol::{ChatId, MessageId, UndoToken};
use sqlx::sqlite::SqliteConnection;
use sqlx::{AssertSqlSafe, Connection};
use tempfile::TempDir;

use super::messages::{Begun, NewTurn};
use super::*;

fn file_in(folder: &TempDir) -> PathBuf {
    folder.path().join("hearth.db")
}

async fn open(folder: &TempDir) -> Store {
    Store::open(&file_in(folder)).await.expect("the store opens")
}

/// A connection of another program.
async fn connect(path: &Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(path).create_if_missing(true);
    SqliteConnection::connect_with(&options).await.expect("connect")
}

async fn run(connection: &mut SqliteConnection, sql: &str) {
    let sql = sqlx::raw_sql(AssertSqlSafe(sql.to_owned()));
    sql.execute(connection).await.expect("the statement runs");
}

async fn number(connection: &mut SqliteConnection, sql: &str) -> i64 {
    let sql = sqlx::query_scalar(AssertSqlSafe(sql.to_owned()));
    sql.fetch_one(connection).await.expect("the question is answered")
}

async fn send(store: &Store, chat: Option<ChatId>, text: &str) -> Begun {
    let turn = NewTurn {
        chat,
        text,
        title: text,
        system_prompt: None,
    };
    store.begin_turn(turn).await.expect("the turn is stored")
}

async fn answer(store: &Store, mut answer: Message, text: &str) -> MessageId {
    answer.text = text.into();
    answer.stop = Some(StopReason::EndOfText);
    let file = "starter/a.gguf".into();
    store
        .save_answer(&answer, Some(&file))
        .await
        .expect("the answer is stored");
    answer.id
}

/// The texts that are shown, with their versions where there are several.
fn texts(chat: &Chat) -> String {
    let texts: Vec<String> = chat
        .messages
        .iter()
        .map(|message| match message.version {
            (0, 1) => message.text.clone(),
            (number, count) => format!("{} ({} of {count})", message.text, number + 1),
        })
        .collect();
    texts.join(" / ")
}

async fn shown(store: &Store, chat: ChatId) -> String {
    texts(&store.open_chat(chat).await.expect("the chat opens"))
}

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

fn beside(path: &Path, ending: &str) -> PathBuf {
    PathBuf::from(format!("{}{ending}", path.display()))
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
        system_prompt: None,
    };
    assert_eq!(store.begin_turn(turn).await.err(), Some(newer.clone()));
    assert_eq!(store.rename_chat(chat, "x").await, Err(newer.clone()));
    assert_eq!(store.delete_chat(chat).await, Err(newer.clone()));
    assert_eq!(store.write_setting("x", "1").await, Err(newer));
    store.close().await;
    assert!(
        std::fs::read(file_in(&folder)).expect("read") == before,
        "not a byte of the file has changed"
    );
}

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
async fn a_file_in_place_of_the_folder_is_an_error_with_its_name() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("taken/hearth.db");
    std::fs::write(folder.path().join("taken"), "").expect("write");
    let refused = Store::open(&path).await.expect_err("it is refused");
    assert!(refused.to_string().contains("taken"), "{refused}");
}

#[tokio::test]
async fn an_empty_file_is_a_new_database() {
    let folder = tempfile::tempdir().expect("folder");
    std::fs::write(file_in(&folder), "").expect("write");
    assert_eq!(open(&folder).await.list_chats().await, Ok(Vec::new()));
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

#[tokio::test]
async fn every_version_of_an_answer_can_be_reached_again() {
    let folder = tempfile::tempdir().expect("folder");
    let store = open(&folder).await;
    let begun = send(&store, None, "question").await;
    let chat = begun.chat.id;
    let first = answer(&store, begun.answer, "one").await;
    let next = send(&store, Some(chat), "more").await;
    answer(&store, next.answer, "even more").await;

    let again = store
        .begin_version(first, Some("be brief"))
        .await
        .expect("a further version");
    assert_eq!(again.history.len(), 1, "only what stands above it is given");
    assert_eq!(again.system_prompt.as_deref(), Some("be brief"));
    assert_eq!(again.answer.version, (1, 2));
    let second = answer(&store, again.answer, "two").await;
    assert_eq!(shown(&store, chat).await, "question / two (2 of 2)");

    let store = open(&folder).await;
    let chosen = store.select_version(first).await.expect("select");
    assert_eq!(texts(&chosen), "question / one (1 of 2) / more / even more");
    store.select_version(second).await.expect("select");
    assert_eq!(shown(&store, chat).await, "question / two (2 of 2)");

    // A message out of sight comes back into sight together with what it stands below.
    let deep = chosen.messages[3].id;
    assert_eq!(
        texts(&store.select_version(deep).await.expect("select")),
        texts(&chosen)
    );
    // Asking for an answer to a message that has some is a further version too.
    let question = chosen.messages[0].id;
    let third = store
        .begin_version(question, None)
        .await
        .expect("a further version");
    assert_eq!(third.answer.version, (2, 3));
    assert_eq!(third.answer.parent, Some(question));
}

#[tokio::test]
async fn a_system_prompt_stays_until_it_is_replaced() {
    let folder = tempfile::tempdir().expect("folder");
    let store = open(&folder).await;
    let begin = async |chat, system_prompt| {
        let turn = NewTurn {
            chat,
            text: "x",
            title: "x",
            system_prompt,
        };
        let begun = store.begin_turn(turn).await.expect("begin");
        (Some(begun.chat.id), begun.system_prompt)
    };
    let (chat, prompt) = begin(None, Some("be kind")).await;
    assert_eq!(prompt.as_deref(), Some("be kind"));
    assert_eq!(begin(chat, None).await.1.as_deref(), Some("be kind"));
    assert_eq!(begin(chat, Some("be brief")).await.1.as_deref(), Some("be brief"));
    assert_eq!(begin(chat, Some(" ")).await.1, None);
}

#[tokio::test]
async fn the_list_has_pinned_chats_first_then_the_newest() {
    let folder = tempfile::tempdir().expect("folder");
    let store = open(&folder).await;
    let (first, second, third) = (
        send(&store, None, "1").await.chat.id,
        send(&store, None, "2").await.chat.id,
        send(&store, None, "3").await.chat.id,
    );
    let titles = async || {
        let list = store.list_chats().await.expect("list");
        list.into_iter()
            .map(|chat| chat.title)
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(titles().await, "3 2 1");
    // Times of the future, since all of this happens within a millisecond.
    let mut connection = connect(&file_in(&folder)).await;
    run(
        &mut connection,
        &format!("update chats set updated_at = updated_at + 60000 where id = {first}"),
    )
    .await;
    assert_eq!(titles().await, "1 3 2");
    assert!(store.pin_chat(second, true).await.expect("pin").pinned);
    store.rename_chat(third, "three").await.expect("rename");
    assert_eq!(titles().await, "2 1 three");
    assert!(!store.pin_chat(second, false).await.expect("unpin").pinned);
    assert_eq!(titles().await, "1 three 2");
}

#[tokio::test]
async fn the_model_that_answered_last_is_known() {
    let folder = tempfile::tempdir().expect("folder");
    let store = open(&folder).await;
    let old = send(&store, None, "old").await;
    assert_eq!(store.last_model(old.chat.id).await, Ok(None));
    store
        .save_answer(&old.answer, Some(&"hub/a.gguf".into()))
        .await
        .expect("save");
    let new = send(&store, None, "new").await;
    assert_eq!(store.last_model(new.chat.id).await, Ok(Some("hub/a.gguf".into())));
    store
        .save_answer(&new.answer, Some(&"hub/b.gguf".into()))
        .await
        .expect("save");
    assert_eq!(store.last_model(old.chat.id).await, Ok(Some("hub/a.gguf".into())));
    assert_eq!(store.last_model(ChatId(99)).await, Ok(Some("hub/b.gguf".into())));
}

#[tokio::test]
async fn what_was_deleted_comes_back_whole() {
    let folder = tempfile::tempdir().expect("folder");
    let store = open(&folder).await;
    let begun = send(&store, None, "question").await;
    let chat = begun.chat.id;
    answer(&store, begun.answer, "answer").await;
    let second = send(&store, Some(chat), "more").await;
    answer(&store, second.answer, "even more").await;

    let message = store.delete_message(second.history[2].id).await.expect("delete");
    assert_eq!(shown(&store, chat).await, "question / answer");
    let whole = store.delete_chat(chat).await.expect("delete");
    assert_eq!(store.list_chats().await, Ok(Vec::new()));
    assert!(matches!(store.open_chat(chat).await, Err(Error::NotFound { .. })));
    let gone = [
        store.rename_chat(chat, "x").await.err(),
        store.pin_chat(chat, true).await.err(),
        store.delete_chat(chat).await.err(),
        store.begin_version(second.history[0].id, None).await.err(),
        store.select_version(second.history[0].id).await.err(),
    ];
    assert!(
        gone.iter()
            .all(|error| matches!(error, Some(Error::NotFound { .. }))),
        "{gone:?}"
    );

    // A restart does not remove it yet.
    let store = open(&folder).await;
    assert_eq!(store.undo(whole).await.expect("undo").id, chat);
    assert_eq!(shown(&store, chat).await, "question / answer");
    assert_eq!(store.undo(message).await.expect("undo").id, chat);
    assert_eq!(shown(&store, chat).await, "question / answer / more / even more");
    for token in [whole, message, UndoToken(99)] {
        assert!(matches!(store.undo(token).await, Err(Error::NotFound { .. })));
    }
}

#[tokio::test]
async fn old_deletes_are_removed_for_good() {
    let folder = tempfile::tempdir().expect("folder");
    let store = open(&folder).await;
    let deleted = send(&store, None, "deleted").await.chat.id;
    let kept = send(&store, None, "kept").await;
    let later = send(&store, Some(kept.chat.id), "later").await;
    // Longer than SQLite lets a cascade be.
    let mut connection = connect(&file_in(&folder)).await;
    let grow = format!(
        "with recursive line (n) as (select 1000 union all select n + 1 from line where n < 2500)
        insert into messages (id, chat_id, parent_id, choice, role, text, created_at)
        select n, {deleted}, case n when 1000 then 2 else n - 1 end, 1, 'user', '', 0 from line;
        with recursive line (n) as (select 3000 union all select n + 1 from line where n < 4500)
        insert into messages (id, chat_id, parent_id, choice, role, text, created_at)
        select n, {}, case n when 3000 then {} else n - 1 end, 1, 'user', '', 0 from line;",
        kept.chat.id, later.answer.id
    );
    run(&mut connection, &grow).await;
    let whole = store.delete_chat(deleted).await.expect("delete");
    let part = store.delete_message(later.history[2].id).await.expect("delete");

    let too_early = now() - 60_000;
    store.purge_deletions(too_early).await.expect("purge");
    store.undo(whole).await.expect("still there");
    let whole = store.delete_chat(deleted).await.expect("delete again");

    store.purge_deletions(now() + 1).await.expect("purge");
    for token in [whole, part] {
        assert!(matches!(store.undo(token).await, Err(Error::NotFound { .. })));
    }
    assert_eq!(shown(&store, kept.chat.id).await, "kept / ");
    assert_eq!(number(&mut connection, "select count(*) from messages").await, 2);
    assert_eq!(number(&mut connection, "select count(*) from chats").await, 1);
    // An answer that was still being written when it was removed says so.
    assert!(matches!(
        store.save_answer(&later.answer, None).await,
        Err(Error::NotFound { .. })
    ));
}

#[tokio::test]
async fn a_closed_store_says_that_the_backend_is_gone() {
    let folder = tempfile::tempdir().expect("folder");
    let store = open(&folder).await;
    store.close().await;
    assert_eq!(store.list_chats().await, Err(Error::BackendGone));
    assert_eq!(store.delete_chat(ChatId(1)).await, Err(Error::BackendGone));
}

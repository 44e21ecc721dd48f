//! Searching chats: what is found, in which order, and by the index.

use sqlx::Row;

use super::*;

/// The hits of a search: titles by themselves, messages with their chat's title before them.
async fn found(store: &Store, typed: &str) -> String {
    let hits = store.search_chats(typed).await.expect("the search");
    let hits = hits.into_iter().map(|hit| match hit.message {
        None => hit.snippet,
        Some(_) => format!("{}: {}", hit.chat.title, hit.snippet),
    });
    hits.collect::<Vec<_>>().join(" | ")
}

#[tokio::test]
async fn titles_come_first_and_then_messages_the_newest_first() {
    let folder = tempfile::tempdir().expect("folder");
    let store = open(&folder).await;
    let first = send(&store, None, "What is a monad?").await;
    answer(&store, first.answer, "A Monad is a monoid.").await;
    let second = send(&store, None, "天空为什么是蓝色的").await;
    answer(&store, second.answer, "因为散射。École, monads").await;
    store.rename_chat(second.chat.id, "Sky").await.expect("renamed");
    store
        .rename_chat(first.chat.id, "On monads")
        .await
        .expect("renamed");

    assert_eq!(
        found(&store, "mon").await,
        "On monads | Sky: 因为散射。École, monads | On monads: A Monad is a monoid. | On monads: What is a monad?"
    );
    assert_eq!(
        found(&store, "monad monoid").await,
        "On monads: A Monad is a monoid."
    );
    assert_eq!(found(&store, "天空").await, "Sky: 天空为什么是蓝色的");
    assert_eq!(found(&store, "ecole").await, "Sky: 因为散射。École, monads");
    for nothing in ["onad", "空天", "monoid sky", "\"", "* OR", "NEAR(", ""] {
        assert_eq!(found(&store, nothing).await, "", "{nothing}");
    }
    let hit = store.search_chats("散射").await.expect("the search").remove(0);
    let marked: Vec<&str> = hit
        .matches
        .iter()
        .map(|(from, to)| &hit.snippet[*from..*to])
        .collect();
    assert_eq!(marked, ["散射"]);
}

#[tokio::test]
async fn what_is_deleted_is_not_found_and_what_is_out_of_sight_can_be_shown() {
    let folder = tempfile::tempdir().expect("folder");
    let store = open(&folder).await;
    let begun = send(&store, None, "question").await;
    let chat = begun.chat.id;
    let hidden = answer(&store, begun.answer, "needle one").await;
    let other = store.begin_version(hidden, None).await.expect("a version");
    answer(&store, other.answer, "something else").await;
    let hit = store.search_chats("needle").await.expect("the search").remove(0);
    assert_eq!(hit.message, Some(hidden));
    store.select_version(hidden).await.expect("it is shown");
    assert_eq!(shown(&store, chat).await, "question / needle one (1 of 2)");

    let below = send(&store, Some(chat), "needle two").await;
    assert_eq!(
        found(&store, "needle").await,
        "question: needle two | question: needle one"
    );
    let deleted = store.delete_message(hidden).await.expect("delete");
    assert_eq!(found(&store, "needle").await, "", "nor what stands below it");
    store.undo(deleted).await.expect("undo");
    let deleted = store.delete_chat(chat).await.expect("delete");
    assert_eq!(
        found(&store, "needle").await + &found(&store, "question").await,
        ""
    );
    store.undo(deleted).await.expect("undo");
    assert_eq!(
        found(&store, "needle").await,
        "question: needle two | question: needle one"
    );

    store.delete_message(below.history[2].id).await.expect("delete");
    store.purge_deletions(i64::MAX).await.expect("purge");
    let mut connection = connect(&file_in(&folder)).await;
    let (messages, indexed) = (
        number(&mut connection, "select count(*) from messages").await,
        number(&mut connection, "select count(*) from message_search").await,
    );
    assert_eq!((messages, indexed), (3, 3), "what is removed leaves the index");
}

#[tokio::test]
async fn a_changed_text_is_found_by_its_new_words() {
    let folder = tempfile::tempdir().expect("folder");
    let store = open(&folder).await;
    let begun = send(&store, None, "question").await;
    let mut partial = begun.answer;
    partial.text = "half".into();
    store.save_answer(&partial, None).await.expect("saved");
    assert_eq!(
        found(&store, "half").await,
        "",
        "it is put there when it has ended"
    );
    let whole = answer(&store, partial.clone(), "half and whole").await;
    assert_eq!(found(&store, "whole").await, "question: half and whole");
    let more = store.begin_more(whole, None).await.expect("goes on");
    answer(&store, more.answer, "half and whole and more").await;
    assert_eq!(found(&store, "more").await, "question: half and whole and more");
    store.edit_message(whole, "another").await.expect("edited");
    assert_eq!(found(&store, "another").await, "question: another");
}

#[tokio::test]
async fn one_long_chat_does_not_hide_the_others() {
    let folder = tempfile::tempdir().expect("folder");
    let store = open(&folder).await;
    send(&store, None, "short needle").await;
    let long = send(&store, None, "long").await.chat.id;
    for number in 0..20 {
        send(&store, Some(long), &format!("needle {number}")).await;
    }
    let hits = store.search_chats("needle").await.expect("the search");
    let titles: Vec<&str> = hits.iter().map(|hit| hit.chat.title.as_str()).collect();
    assert_eq!(
        titles,
        [
            "short needle",
            "long",
            "long",
            "long",
            "long",
            "long",
            "short needle"
        ]
    );
}

/// A file of the Hearth before: it opens with all that it holds, and what it holds is found.
#[tokio::test]
async fn messages_of_an_older_file_are_found() {
    let folder = tempfile::tempdir().expect("folder");
    let mut connection = connect(&file_in(&folder)).await;
    for script in &migrate::SCRIPTS[..5] {
        run(&mut connection, script).await;
    }
    run(
        &mut connection,
        "insert into chats (id, title, system_prompt, created_at, updated_at) values (7, 'Old', 'Be old.', 1, 2);
        insert into messages (id, chat_id, parent_id, choice, role, text, created_at)
            values (1, 7, null, 1, 'user', 'ancient words', 1), (2, 7, 1, 1, 'assistant', 'answered', 2);",
    )
    .await;
    connection.close().await.expect("close");
    let store = open(&folder).await;
    assert!(
        beside(&file_in(&folder), ".before-v6").exists(),
        "it was copied before"
    );
    let chat = store.open_chat(ChatId(7)).await.expect("the chat");
    assert_eq!(texts(&chat), "ancient words / answered");
    assert_eq!(
        (chat.system_prompt.as_deref(), chat.draft.as_str()),
        (Some("Be old."), "")
    );
    assert!(
        !store.wants_title(ChatId(7)).await.expect("asked"),
        "it keeps the title it has"
    );
    assert_eq!(found(&store, "ancient").await, "");
    store.index_messages().await.expect("indexed");
    assert_eq!(found(&store, "ancient").await, "Old: ancient words");
    assert_eq!(found(&store, "answ").await, "Old: answered");
    let mut connection = connect(&file_in(&folder)).await;
    assert_eq!(
        number(&mut connection, "select count(*) from messages where indexed = 0").await,
        0
    );
}

/// Thousands of hits are neither all read nor sorted.
#[tokio::test]
async fn the_search_goes_along_the_index() {
    let folder = tempfile::tempdir().expect("folder");
    let store = open(&folder).await;
    send(&store, None, "question").await;
    let mut transaction = store.read().await.expect("read");
    let sql = include_str!("../search.rs");
    let start = sql.find("with recursive hidden").expect("the query");
    let sql = &sql[start..];
    let sql = &sql[..sql.find("\"#").expect("its end")];
    let plan = sqlx::query(AssertSqlSafe(format!("explain query plan {sql}")))
        .bind("\"question\" *")
        .bind(10_i64)
        .fetch_all(&mut *transaction)
        .await
        .expect("the plan");
    let plan: Vec<String> = plan.iter().map(|row| row.get::<String, _>("detail")).collect();
    let plan = plan.join("\n");
    assert!(plan.contains("SCAN message_search VIRTUAL TABLE INDEX"), "{plan}");
    assert!(
        plan.contains("SEARCH messages USING INTEGER PRIMARY KEY"),
        "{plan}"
    );
    assert!(!plan.contains("FOR ORDER BY"), "{plan}");
}

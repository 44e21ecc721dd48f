//! Chats and messages: versions, the list, deleting and undo.

use hearth_protocol::chat::TurnOptions;

use super::*;

/// Options that are only instructions.
fn told(system_prompt: &str) -> TurnOptions {
    TurnOptions {
        system_prompt: Some(system_prompt.into()),
        ..TurnOptions::default()
    }
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
        .begin_version(first, Some(&told("be brief")))
        .await
        .expect("a further version");
    assert_eq!(again.history.len(), 1, "only what stands above it is given");
    assert_eq!(again.options.system_prompt.as_deref(), Some("be brief"));
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

/// A further version below a deleted message would stand out of sight, and its words went into the message that is
/// shown last.
#[tokio::test]
async fn nothing_is_answered_or_shown_below_a_deleted_message() {
    let folder = tempfile::tempdir().expect("folder");
    let store = open(&folder).await;
    let begun = send(&store, None, "question").await;
    let chat = begun.chat.id;
    answer(&store, begun.answer, "answer").await;
    let below = send(&store, Some(chat), "more").await;
    let (question, reply) = (below.history[2].id, below.answer.id);
    answer(&store, below.answer, "even more").await;
    let deleted = store.delete_message(question).await.expect("delete");

    let refused = [
        store.begin_version(reply, None).await.err(),
        store.begin_version(question, None).await.err(),
        store.select_version(reply).await.err(),
    ];
    for error in refused {
        assert!(
            matches!(&error, Some(Error::NotFound { what, .. }) if what == "message"),
            "{error:?}"
        );
    }
    assert_eq!(shown(&store, chat).await, "question / answer");
    store.undo(deleted).await.expect("undo");
    assert_eq!(
        shown(&store, chat).await,
        "question / answer / more / even more",
        "the refused versions left nothing"
    );
}

#[tokio::test]
async fn a_system_prompt_stays_until_it_is_replaced() {
    let folder = tempfile::tempdir().expect("folder");
    let store = open(&folder).await;
    let begin = async |chat, system_prompt: Option<&str>| {
        let kept = system_prompt.map(told);
        let turn = NewTurn {
            chat,
            text: "x",
            title: "x",
            kept: kept.as_ref(),
            ..NewTurn::default()
        };
        let begun = store.begin_turn(turn).await.expect("begin");
        (Some(begun.chat.id), begun.options.system_prompt)
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
    assert_eq!(store.last_model(Some(old.chat.id)).await, Ok(None));
    store
        .save_answer(&old.answer, Some(&"hub/a.gguf".into()))
        .await
        .expect("save");
    let new = send(&store, None, "new").await;
    assert_eq!(
        store.last_model(Some(new.chat.id)).await,
        Ok(Some("hub/a.gguf".into()))
    );
    store
        .save_answer(&new.answer, Some(&"hub/b.gguf".into()))
        .await
        .expect("save");
    assert_eq!(
        store.last_model(Some(old.chat.id)).await,
        Ok(Some("hub/a.gguf".into()))
    );
    assert_eq!(
        store.last_model(Some(ChatId(99))).await,
        Ok(Some("hub/b.gguf".into()))
    );
    assert_eq!(store.last_model(None).await, Ok(Some("hub/b.gguf".into())));
    let used = store.files_used().await.expect("used");
    let newer = used[&"hub/b.gguf".into()] >= used[&"hub/a.gguf".into()];
    assert!(used.len() == 2 && newer, "{used:?}");
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

//! What a person changes of a chat: texts without an answer, changed ones, answers that go on, copies.

use hearth_protocol::chat::attachment::Attachment;
use hearth_protocol::chat::{NewMessage, TurnOptions};

use super::*;
use crate::store::copies::NewChat;

async fn insert(store: &Store, chat: Option<ChatId>, role: Role, text: &str) -> Chat {
    let message = NewMessage {
        chat,
        role,
        text: text.into(),
        attachments: Vec::new(),
    };
    store.insert_message(&message, "title").await.expect("inserted")
}

#[tokio::test]
async fn messages_are_stored_without_an_answer_and_can_be_answered_later() {
    let folder = tempfile::tempdir().expect("folder");
    let store = open(&folder).await;
    let chat = insert(&store, None, Role::System, "Be kind.").await.summary.id;
    insert(&store, Some(chat), Role::User, "question").await;
    let inserted = insert(&store, Some(chat), Role::Assistant, "answer").await;
    assert_eq!(texts(&inserted), "Be kind. / question / answer");
    assert_eq!(inserted.messages[2].stop, Some(StopReason::EndOfText));
    // As after a kill: the first store is never closed.
    let store = open(&folder).await;
    assert_eq!(shown(&store, chat).await, "Be kind. / question / answer");
    let question = inserted.messages[1].id;
    let begun = store.begin_version(question, None).await.expect("answered");
    answer(&store, begun.answer, "by a model").await;
    assert_eq!(
        shown(&store, chat).await,
        "Be kind. / question / by a model (2 of 2)"
    );
    let missing = NewMessage {
        chat: Some(ChatId(99)),
        role: Role::User,
        text: "x".into(),
        attachments: Vec::new(),
    };
    let missing = store.insert_message(&missing, "x").await;
    assert!(matches!(missing, Err(Error::NotFound { .. })), "{missing:?}");
}

#[tokio::test]
async fn changed_texts_are_further_versions() {
    let folder = tempfile::tempdir().expect("folder");
    let store = open(&folder).await;
    let begun = send(&store, None, "question").await;
    let (chat, question) = (begun.chat.id, begun.history[0].id);
    let first = answer(
        &store,
        Message {
            model: Some("Tiny".into()),
            ..begun.answer
        },
        "answer",
    )
    .await;
    send(&store, Some(chat), "more").await;

    let edited = store.edit_message(first, "better answer").await.expect("edited");
    assert_eq!(texts(&edited), "question / better answer (2 of 2)");
    let version = &edited.messages[1];
    assert_eq!((version.model.as_deref(), version.stats), (Some("Tiny"), None));
    assert_eq!(version.stop, Some(StopReason::EndOfText));
    let asked = store
        .edit_message(question, "better question")
        .await
        .expect("edited");
    assert_eq!(texts(&asked), "better question (2 of 2)");
    assert_eq!(asked.messages[0].stop, None);
    let store = open(&folder).await;
    assert_eq!(shown(&store, chat).await, "better question (2 of 2)");
    let back = store.select_version(first).await.expect("select");
    assert_eq!(texts(&back), "question (1 of 2) / answer (1 of 2) / more / ");

    store.delete_message(question).await.expect("delete");
    let hidden = store.edit_message(first, "x").await;
    assert!(matches!(hidden, Err(Error::NotFound { .. })), "{hidden:?}");
    assert_eq!(shown(&store, chat).await, "better question");
}

#[tokio::test]
async fn the_last_answer_goes_on_as_the_same_message() {
    let folder = tempfile::tempdir().expect("folder");
    let store = open(&folder).await;
    let begun = send(&store, None, "question").await;
    let chat = begun.chat.id;
    let (question, first) = (begun.history[0].id, answer(&store, begun.answer, "The sky").await);
    let more = store.begin_more(first, None).await.expect("goes on");
    assert_eq!((more.answer.id, more.answer.text.as_str()), (first, "The sky"));
    assert_eq!(more.history.len(), 1);
    // Killed in the middle of it.
    let cut = open(&folder).await.open_chat(chat).await.expect("the chat");
    assert_eq!(
        (cut.messages[1].text.as_str(), &cut.messages[1].stop),
        ("The sky", &None)
    );
    answer(&store, more.answer, "The sky is blue").await;
    assert_eq!(shown(&store, chat).await, "question / The sky is blue");

    // One out of sight is shown again.
    let other = store.begin_version(first, None).await.expect("a version");
    answer(&store, other.answer, "other").await;
    let more = store.begin_more(first, None).await.expect("goes on");
    answer(&store, more.answer, "The sky is blue.").await;
    assert_eq!(shown(&store, chat).await, "question / The sky is blue. (1 of 2)");

    send(&store, Some(chat), "more").await;
    for message in [first, question] {
        let refused = store.begin_more(message, None).await;
        assert!(matches!(refused, Err(Error::Invalid { .. })), "{refused:?}");
    }
    let stored = store.open_chat(chat).await.expect("the chat");
    assert!(stored.messages[1].stop.is_some(), "a refusal changes nothing");
}

#[tokio::test]
async fn what_a_chat_keeps_is_there_after_a_restart() {
    let folder = tempfile::tempdir().expect("folder");
    let store = open(&folder).await;
    let file = Attachment {
        name: "a.csv".into(),
        text: "1;2".into(),
    };
    let kept = TurnOptions {
        system_prompt: Some("Be brief.".into()),
        sampling: Some(hearth_protocol::generate::SamplingParams::greedy()),
        ..TurnOptions::default()
    };
    let turn = NewTurn {
        text: "sum",
        title: "sum",
        attachments: std::slice::from_ref(&file),
        kept: Some(&kept),
        ..NewTurn::default()
    };
    let chat = store.begin_turn(turn).await.expect("begin").chat.id;
    store.write_draft(Some(chat), "half a th").await.expect("a draft");
    store.write_draft(None, "of a new chat").await.expect("a draft");
    let place = hearth_protocol::chat::ScrollPlace {
        message: MessageId(1),
        offset: 12.5,
    };
    store.write_place(chat, Some(place)).await.expect("a place");
    let store = open(&folder).await;
    let opened = store.open_chat(chat).await.expect("the chat");
    assert_eq!(
        (&opened.options, opened.draft.as_str(), opened.place),
        (&kept, "half a th", Some(place))
    );
    assert_eq!(opened.messages[0].attachments, [file]);
    assert_eq!(store.draft(None).await.as_deref(), Ok("of a new chat"));

    // A message takes the draft with it, and options that it leaves out stay.
    let turn = NewTurn {
        chat: Some(chat),
        text: "again",
        kept: Some(&TurnOptions {
            system_prompt: Some(" ".into()),
            ..TurnOptions::default()
        }),
        ..NewTurn::default()
    };
    let begun = store.begin_turn(turn).await.expect("begin");
    assert_eq!(
        (begun.options.system_prompt, begun.options.sampling),
        (None, kept.sampling)
    );
    assert_eq!(store.draft(Some(chat)).await.as_deref(), Ok(""));
    store
        .write_chat_options(chat, &TurnOptions::default())
        .await
        .expect("options");
    assert_eq!(store.chat_options(chat).await, Ok(TurnOptions::default()));
}

#[tokio::test]
async fn a_copy_has_all_that_is_not_deleted() {
    let folder = tempfile::tempdir().expect("folder");
    let store = open(&folder).await;
    let begun = send(&store, None, "question").await;
    let chat = begun.chat.id;
    let first = answer(&store, begun.answer, "one").await;
    let again = store.begin_version(first, None).await.expect("a version");
    let second = answer(&store, again.answer, "two").await;
    let third = store.begin_version(first, None).await.expect("a version");
    let third = answer(&store, third.answer, "three").await;
    let below = insert(&store, Some(chat), Role::User, "below").await.messages[2].id;
    store.delete_message(third).await.expect("delete");
    assert_eq!(shown(&store, chat).await, "question / two (2 of 2)");
    store.select_version(first).await.expect("select");

    let (whole, ids) = store.whole_chat(chat).await.expect("whole");
    assert!(ids.contains(&second) && !ids.contains(&third) && !ids.contains(&below));
    let new = |chat| NewChat {
        chat,
        folder: None,
        hash: None,
    };
    let last = ids.iter().position(|id| *id == second).expect("there");
    let copies = [new(whole.clone()), new(whole.up_to(last))];
    let copies = store.add_chats(&copies).await.expect("added");
    assert_eq!(shown(&store, copies[0].id).await, "question / one (1 of 2)");
    assert_eq!(shown(&store, copies[1].id).await, "question / two");
    assert!(!store.wants_title(copies[0].id).await.expect("asked"));
}

#[tokio::test]
async fn a_title_given_by_hand_stays() {
    let folder = tempfile::tempdir().expect("folder");
    let store = open(&folder).await;
    let (one, two) = (
        send(&store, None, "one").await.chat.id,
        send(&store, None, "two").await.chat.id,
    );
    assert!(store.wants_title(one).await.expect("asked"));
    assert_eq!(
        store
            .title_by_model(one, Some("First"))
            .await
            .expect("titled")
            .title,
        "First"
    );
    assert!(
        !store.wants_title(one).await.expect("asked"),
        "a model is asked once"
    );
    store.rename_chat(two, "Mine").await.expect("renamed");
    assert!(!store.wants_title(two).await.expect("asked"));
    assert_eq!(
        store
            .title_by_model(two, Some("Second"))
            .await
            .expect("asked")
            .title,
        "Mine"
    );
    let three = send(&store, None, "three").await.chat.id;
    assert_eq!(
        store.title_by_model(three, None).await.expect("asked").title,
        "three"
    );
    assert!(!store.wants_title(three).await.expect("asked"));
}

//! Files of chats, as they are and damaged.

use expect_test::{Expect, expect};
use hearth_protocol::chat::TurnOptions;
use hearth_protocol::chat::attachment::Attachment;
use hearth_protocol::generate::{StopReason, TurnStats};
use hearth_protocol::tools::ToolCall;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::chat::export;

fn read_text(text: &str) -> Result<Vec<WholeChat>> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("chats.json");
    std::fs::write(&path, text).expect("written");
    read(&path)
}

/// The chats as `title`, and each message as its place, its parent's, a star where it is shown, and its text.
fn check(file: &Value, expected: Expect) {
    let chats = read_text(&file.to_string()).expect("it is read");
    let mut told = String::new();
    for chat in &chats {
        let shown = chat.shown();
        told += &format!(
            "{} {}\n",
            chat.title,
            chat.options.system_prompt.as_deref().unwrap_or("-")
        );
        for (place, message) in chat.messages.iter().enumerate() {
            let star = if shown.iter().any(|shown| std::ptr::eq(*shown, message)) {
                "*"
            } else {
                ""
            };
            let parent = message.parent.map_or("-".into(), |parent| parent.to_string());
            told += &format!(
                "{place}{star} below {parent} {:?} {:?} {:?} {:?}\n",
                message.role,
                message.text,
                message.reasoning.as_deref().unwrap_or_default(),
                message.model.as_deref().unwrap_or_default()
            );
        }
    }
    expected.assert_eq(&told);
}

fn node(id: &str, parent: Option<&str>, children: &[&str], message: Value) -> (String, Value) {
    (
        id.into(),
        json!({"id": id, "parent": parent, "children": children, "message": message}),
    )
}

fn said(role: &str, text: &str) -> Value {
    json!({"id": "x", "author": {"role": role, "name": null, "metadata": {}}, "create_time": 1700000000.5,
        "content": {"content_type": "text", "parts": [text]}, "status": "finished_successfully",
        "metadata": {"model_slug": "gpt-4o"}, "recipient": "all"})
}

#[test]
fn chatgpts_conversations() {
    let hidden = json!({"author": {"role": "system"}, "content": {"content_type": "text", "parts": [""]},
        "metadata": {"is_visually_hidden_from_conversation": true}, "create_time": null});
    let picture = json!({"author": {"role": "user"}, "create_time": 1.0, "content": {"content_type": "multimodal_text",
        "parts": [{"content_type": "image_asset_pointer", "asset_pointer": "file-service://x"}, "What is it?"]}});
    let thoughts = json!({"author": {"role": "assistant"}, "content": {"content_type": "thoughts",
        "thoughts": [{"summary": "s", "content": "Look closely."}, {"content": "A cat."}]}, "recipient": "all"});
    let to_tool = json!({"author": {"role": "assistant"}, "content": {"content_type": "code", "text": "search()"},
        "recipient": "browser"});
    let by_tool = json!({"author": {"role": "tool", "name": "browser"},
        "content": {"content_type": "tether_quote", "text": "a page"}, "recipient": "all"});
    let mapping: serde_json::Map<String, Value> = [
        node("root", None, &["system"], Value::Null),
        node("system", Some("root"), &["ask"], hidden),
        node("ask", Some("system"), &["old", "thinks"], picture),
        node("old", Some("ask"), &[], said("assistant", "A dog.")),
        node("thinks", Some("ask"), &["calls"], thoughts),
        node("calls", Some("thinks"), &["result"], to_tool),
        node("result", Some("calls"), &["new"], by_tool),
        node(
            "new",
            Some("result"),
            &["thanks"],
            said("assistant", "A cat\u{e200}cite\u{e202}turn0\u{e201}."),
        ),
        node("thanks", Some("new"), &["missing"], said("user", "Thanks")),
    ]
    .into_iter()
    .collect();
    let chat = json!({"title": "Cat\nor dog", "create_time": 1700000000.0, "update_time": 1700000001.0,
        "mapping": mapping, "current_node": "thanks", "id": "1", "default_model_slug": "gpt-4o"});
    let empty = json!({"title": null, "create_time": null, "mapping": {}, "current_node": null});
    check(
        &json!([chat, empty]),
        expect![[r#"
        Cat or dog -
        0* below - User "[picture]\n\nWhat is it?" "" ""
        1 below 0 Assistant "A dog." "" "gpt-4o"
        2* below 0 Assistant "A cat." "Look closely.\n\nA cat." "gpt-4o"
        3* below 2 User "Thanks" "" ""
        New chat -
    "#]],
    );
    check(
        &chat,
        expect![[r#"
        Cat or dog -
        0* below - User "[picture]\n\nWhat is it?" "" ""
        1 below 0 Assistant "A dog." "" "gpt-4o"
        2* below 0 Assistant "A cat." "Look closely.\n\nA cat." "gpt-4o"
        3* below 2 User "Thanks" "" ""
    "#]],
    );
}

#[test]
fn lm_studios_conversations() {
    let answer = |text: &str| {
        json!({"type": "multiStep", "role": "assistant",
        "senderInfo": {"senderName": "qwen3-4b"}, "steps": [
            {"type": "contentBlock", "content": [{"type": "text", "text": "Hm."}],
                "style": {"type": "thinking", "ended": true, "title": "Thought"}},
            {"type": "contentBlock", "content": [{"type": "text", "text": text}],
                "genInfo": {"identifier": "qwen/qwen3-4b", "stats": {"stopReason": "maxPredictedTokensReached"}}},
            {"type": "debugInfoBlock", "debugInfo": "Conversation naming technique: 'prompt'"},
        ]})
    };
    let asked = |text: &str| {
        json!({"type": "singleStep", "role": "user", "content": [
        {"type": "file", "fileIdentifier": "1.txt", "fileType": "text/plain"}, {"type": "text", "text": text}]})
    };
    let file = json!({
    "name": "Skies", "pinned": true, "createdAt": 1730000000000_i64, "preset": "", "tokenCount": 10,
    "systemPrompt": "", "userLastMessagedAt": 1730000000001_i64,
    "perChatPredictionConfig": {"fields": [
        {"key": "llm.prediction.temperature", "value": 0.1},
        {"key": "llm.prediction.systemPrompt", "value": "Be brief."}]},
    "messages": [
        {"versions": [asked("Why is it blue?")], "currentlySelected": 0},
        {"versions": [answer("Scattering."), answer("Rayleigh.")], "currentlySelected": 0},
        {"versions": [asked("And red?")], "currentlySelected": 0},
    ]});
    check(
        &file,
        expect![[r#"
        Skies Be brief.
        0* below - User "Why is it blue?" "" ""
        1* below 0 Assistant "Scattering." "Hm." "qwen3-4b"
        2 below 0 Assistant "Rayleigh." "Hm." "qwen3-4b"
        3* below 1 User "And red?" "" ""
    "#]],
    );
    let chat = read_text(&file.to_string()).expect("it is read").remove(0);
    assert!(chat.pinned && chat.title_by_person);
    assert_eq!(chat.messages[1].stop, Some(StopReason::TokenLimit));
}

#[test]
fn a_folder_of_lm_studios() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, text).expect("written");
    };
    let none = read(folder.path()).expect_err("there is none").to_string();
    assert!(none.contains("no file that ends in .conversation.json"), "{none}");
    for name in ["b.conversation.json", "work/a.conversation.json"] {
        write(name, &json!({"name": name, "messages": []}).to_string());
    }
    write("notes.json", "{");
    let titles: Vec<String> = read(folder.path())
        .expect("read")
        .into_iter()
        .map(|chat| chat.title)
        .collect();
    assert_eq!(titles, ["b.conversation.json", "work/a.conversation.json"]);
    write("work/c.conversation.json", "{");
    let damaged = read(folder.path()).expect_err("one is damaged").to_string();
    assert!(damaged.contains("c.conversation.json"), "{damaged}");
}

#[test]
fn what_cannot_be_read_is_named_and_brings_nothing() {
    let whole = export::write(chat(vec![said_by(Role::User, "a", None)])).expect("written");
    let cases = [
        (String::new(), "is empty"),
        ("  \n".into(), "is empty"),
        ("hello".into(), "no export of chats"),
        ("{}".into(), "no export of chats"),
        ("PK\u{3}\u{4}".into(), "is an archive"),
        ("[{\"title\": 1".into(), "is damaged"),
        (
            r#"[{"title": "a", "mapping": {"x": {"message": {"author": {}}}}}]"#.into(),
            "at [0].mapping",
        ),
        (
            r#"{"messages": [{"versions": [{"content": []}]}]}"#.into(),
            "at messages[0].versions[0]",
        ),
        (whole[..whole.len() / 2].to_owned(), "is damaged"),
        (format!("{whole}x"), "is damaged"),
        (whole.replace("\"version\": 1", "\"version\": 2"), "newer Hearth"),
        (whole.replace("\"chat\",", "\"preset\","), "holds a preset"),
        (
            whole.replace("\"choice\"", "\"parent\": 0, \"choice\""),
            "does not stand before it",
        ),
    ];
    for (text, problem) in cases {
        let error = read_text(&text).expect_err(problem).to_string();
        assert!(error.contains("chats.json") && error.contains(problem), "{error}");
    }
}

fn said_by(role: Role, text: &str, parent: Option<usize>) -> WholeMessage {
    WholeMessage::text(role, text.into(), parent, UnixMillis(5))
}

fn chat(messages: Vec<WholeMessage>) -> WholeChat {
    WholeChat {
        title: "Title".into(),
        title_by_person: true,
        pinned: true,
        created_at: UnixMillis(1),
        updated_at: UnixMillis(2),
        options: TurnOptions {
            system_prompt: Some("Be\nkind.".into()),
            ..TurnOptions::default()
        },
        messages,
    }
}

/// Any message below one that stands before it.
fn any_message(place: usize) -> impl Strategy<Value = WholeMessage> {
    let role = prop_oneof![
        Just(Role::System),
        Just(Role::User),
        Just(Role::Assistant),
        Just(Role::Tool)
    ];
    let parent = proptest::option::of(0..place.max(1));
    let stop = prop_oneof![
        Just(None),
        Just(Some(StopReason::EndOfText)),
        Just(Some(StopReason::StopString { text: "END".into() })),
    ];
    let beside = (any::<bool>(), "\\PC{0,5}", any::<u32>());
    (
        role,
        parent,
        "\\PC{0,20}",
        -3..3_i64,
        stop,
        beside,
        proptest::option::of("[a-z\n]{1,9}"),
    )
        .prop_map(
            move |(role, parent, text, choice, stop, (more, name, count), reasoning)| WholeMessage {
                parent: parent.filter(|parent| *parent < place),
                choice,
                reasoning,
                tool_calls: more
                    .then(|| ToolCall {
                        id: "1".into(),
                        name: name.clone(),
                        arguments: "{\"a\":1}".into(),
                    })
                    .into_iter()
                    .collect(),
                attachments: more
                    .then(|| Attachment {
                        name: "a.txt".into(),
                        text: name.clone(),
                    })
                    .into_iter()
                    .collect(),
                model: more.then(|| name.clone()),
                stats: more.then(|| TurnStats {
                    prompt_tokens: count,
                    // The last bit of a longer fraction may change on its way through JSON.
                    wall_time_ms: f64::from(count) / 8.0,
                    ..TurnStats::default()
                }),
                stop,
                ..WholeMessage::text(role, text, None, UnixMillis(i64::from(count)))
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_exported_comes_back_the_same(
        messages in proptest::collection::vec(any::<prop::sample::Index>(), 0..12).prop_flat_map(|places| {
            (0..places.len()).map(any_message).collect::<Vec<_>>()
        })
    ) {
        let chat = chat(messages);
        let text = export::write(chat.clone()).expect("written");
        prop_assert_eq!(read_text(&text).expect("read"), vec![chat.clone()]);
        prop_assert_eq!(hash(&chat), hash(&read_text(&text).expect("read").remove(0)));
    }
}

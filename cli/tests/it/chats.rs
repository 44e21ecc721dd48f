//! `chats`: the list, the search, files there and back.

use serde_json::Value;

use crate::hearth::Hearth;

/// As LM Studio writes it.
const FILE: &str = r#"{"name": "Skies", "createdAt": 1730000000000, "messages": [
    {"versions": [{"role": "user", "content": [{"type": "text", "text": "Why is the sky blue?"}]}],
        "currentlySelected": 0}]}"#;

#[test]
fn chats_are_imported_listed_found_and_exported() {
    let hearth = Hearth::new();
    let end = hearth.run(&["chats"]).expect_code(0);
    assert!(end.stderr.contains("no chat yet"), "{end:#?}");
    std::fs::write(hearth.folder().join("skies.conversation.json"), FILE).expect("written");
    let end = hearth
        .run(&["chats", "import", "skies.conversation.json"])
        .expect_code(0);
    assert_eq!(end.stdout, "1  Skies\n");
    let end = hearth
        .run(&["chats", "import", "skies.conversation.json"])
        .expect_code(0);
    assert_eq!(end.stdout, "1  Skies (was there already)\n");

    let end = hearth.run(&["chats"]).expect_code(0);
    let line = end.stdout.lines().nth(1).expect("a chat");
    assert!(line.starts_with("1 ") && line.ends_with("Skies"), "{end:#?}");
    let end = hearth.run(&["chats", "search", "blu", "--json"]).expect_code(0);
    let hits: Vec<Value> = serde_json::from_str(&end.stdout).expect("an array");
    assert_eq!(hits[0]["snippet"], "Why is the sky blue?");
    let end = hearth.run(&["chats", "search", "green"]).expect_code(0);
    assert!(
        end.stdout.is_empty() && end.stderr.contains("has these words"),
        "{end:#?}"
    );

    hearth.run(&["chats", "export", "1", "skies.md"]).expect_code(0);
    let text = std::fs::read_to_string(hearth.folder().join("skies.md")).expect("written");
    assert_eq!(text, "# Skies\n\n## You\n\nWhy is the sky blue?\n");
    hearth.run(&["chats", "export", "1", "skies.md"]).expect_code(1);
    hearth.run(&["chats", "export", "2", "other.md"]).expect_code(3);
    hearth.run(&["chats", "import", "skies.md"]).expect_code(2);
}

//! What is known of earlier texts, in memory and on the disk, and what is given up when the context is full.

use super::*;

#[test]
fn the_beginning_that_chats_have_in_common_is_read_once() {
    let (_folder, path) = tiny();
    let mut worker = Worker::with_model(&path, json!({}));
    let system = "You are kind. ".repeat(60);
    let chat = |question| [("system", system.as_str()), ("user", question)];
    let first = worker.ask(&chat("What is a lighthouse?"), greedy(5), json!({}));
    worker.until_ended(vec![first]);
    let second = worker.ask(&chat("And what is the sea?"), greedy(5), json!({}));
    let third = worker.ask(&chat("Who are you?"), greedy(5), json!({}));
    let said = worker.until_ended(vec![second, third]);
    for (id, answer) in answers(&said) {
        let cached = answer.stats["cached_tokens"].as_u64().expect("a count");
        assert!(cached as usize >= system.len(), "{id}: {cached}");
    }
}

/// The oldest turns go, the system prompt stays, and the answer does not stop where the context does.
#[test]
fn a_rolling_context_goes_on_beyond_its_length() {
    let (_folder, path) = tiny();
    let options = json!({"context_length": {"tokens": 512}});
    let mut worker = Worker::with_model(&path, options);
    let turn = "some words of an older turn ".repeat(4);
    let mut chat = vec![("system", "be kind")];
    for _ in 0..6 {
        chat.push(("user", turn.as_str()));
        chat.push(("assistant", "yes"));
    }
    chat.push(("user", "and now?"));
    let refused = worker.said_of(&chat, greedy(3), json!({}));
    assert_eq!(refused[0]["error"]["error"], "context_overflow", "{refused:?}");

    let said = worker.said_of(&chat, greedy(400), json!({"context_policy": "rolling"}));
    let (begun, end) = (&said[0], end(&said));
    assert_eq!(end["stop"]["reason"], "token_limit", "{end}");
    assert_eq!(end["stats"]["generated_tokens"], 400);
    let left_out = |count: &Value| count.as_u64().expect("a count");
    assert!(left_out(&begun["left_out"]) > 0, "{begun}");
    assert!(
        left_out(&end["stats"]["messages_left_out"]) > left_out(&begun["left_out"]),
        "{end}"
    );
}

#[test]
fn yesterdays_chat_goes_on_without_being_read_again() {
    let (folder, path) = tiny();
    let states = folder.path().join("kv");
    let store = json!({"folder": states, "limit": 100_000_000});
    let words = "many words that were said yesterday ".repeat(12);
    let chat = [("user", words.as_str())];
    let cached = |said: &[Value]| end(said)["stats"]["cached_tokens"].as_u64().expect("a count");

    let mut worker = Worker::with_store(&path, json!({}), &store);
    let id = worker.ask_in_chat(Some(5), &chat, greedy(5), json!({}));
    let first = worker.until_ended(vec![id]);
    let api = worker.said_of(&[("user", &words.replace("many", "few"))], greedy(5), json!({}));
    assert_eq!(cached(&first), 0);
    worker.close();
    let files = || std::fs::read_dir(&states).expect("the folder").count();
    assert_eq!(files(), 1, "what belongs to no chat is not kept");

    let mut worker = Worker::with_store(&path, json!({}), &store);
    let id = worker.ask_in_chat(Some(5), &chat, greedy(5), json!({}));
    let again = worker.until_ended(vec![id]);
    assert!(cached(&again) as usize > words.len(), "{}", end(&again));
    assert_eq!(pieces(&again, "text"), pieces(&first, "text"));
    drop(api);

    worker.say(&json!({"request": "forget", "chat": 5}));
    worker.close();
    assert_eq!(files(), 0, "a deleted chat leaves nothing");

    // Other number formats are another model.
    let mut worker = Worker::with_store(&path, json!({}), &store);
    let id = worker.ask_in_chat(Some(5), &chat, greedy(5), json!({}));
    worker.until_ended(vec![id]);
    worker.close();
    let mut worker = Worker::with_store(&path, json!({"kv_type_k": "f32"}), &store);
    let id = worker.ask_in_chat(Some(5), &chat, greedy(5), json!({}));
    assert_eq!(cached(&worker.until_ended(vec![id])), 0);
}

/// Cuts cost nothing but time: a context too small for three chats keeps them on the disk.
#[test]
fn chats_that_do_not_fit_beside_each_other_come_back_from_the_disk() {
    let (folder, path) = tiny();
    let store = json!({"folder": folder.path().join("kv"), "limit": 100_000_000});
    let mut worker = Worker::with_store(&path, json!({"context_length": {"tokens": 1024}}), &store);
    let texts: Vec<String> = ["red", "green", "blue"]
        .iter()
        .map(|colour| format!("{colour} ").repeat(120))
        .collect();
    let mut firsts = Vec::new();
    for round in 0..2 {
        for (chat, text) in (1..).zip(&texts) {
            let id = worker.ask_in_chat(Some(chat), &[("user", text)], greedy(5), json!({}));
            let said = worker.until_ended(vec![id]);
            if round == 0 {
                firsts.push(pieces(&said, "text"));
            } else {
                let cached = end(&said)["stats"]["cached_tokens"].as_u64().expect("a count");
                assert!(cached as usize >= text.len(), "{chat}: {cached}");
                assert_eq!(pieces(&said, "text"), firsts[chat as usize - 1]);
            }
        }
    }
}

/// 300 messages through one model: what was needed for the first hundred is enough for all.
#[cfg(target_os = "linux")]
#[test]
fn memory_levels_out() {
    let (_folder, path) = tiny();
    let mut worker = Worker::with_model(&path, json!({"context_length": {"tokens": 1024}}));
    let resident = |worker: &Worker| {
        let status = std::fs::read_to_string(format!("/proc/{}/status", worker.process.id()));
        let status = status.expect("it runs");
        let line = status.lines().find(|line| line.starts_with("VmRSS:"));
        let kib = line.and_then(|line| line.split_whitespace().nth(1));
        kib.and_then(|kib| kib.parse::<u64>().ok()).expect("a number")
    };
    let mut after = Vec::new();
    for number in 1..=300 {
        worker.answer(
            &format!("message {number} {}", "of many words ".repeat(number % 20)),
            10,
        );
        if number % 100 == 0 {
            after.push(resident(&worker));
        }
    }
    assert!(
        after[2] < after[0] + 8 * 1024,
        "KiB after 100, 200, 300 messages: {after:?}"
    );
}

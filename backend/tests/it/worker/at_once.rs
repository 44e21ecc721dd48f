//! Several answers at once, in one context.

use super::*;
use crate::smollm;

#[test]
fn answers_are_written_at_the_same_time_and_each_as_if_alone() {
    let mut worker = Worker::with_model(&smollm::model(), json!({"context_length": {"tokens": 2048}}));
    let ids = smollm::RECORDED.map(|(question, _)| worker.ask_greedy(question, 40));
    let said = worker.until_ended(ids.to_vec());
    let together = answers(&said);
    for (id, (_, recorded)) in ids.iter().zip(smollm::RECORDED) {
        assert_eq!(together[id].text, recorded);
        assert_eq!(together[id].stop, "end_of_text");
    }
    let (one, other) = (span(&said, ids[0]), span(&said, ids[1]));
    assert!(
        one.0 < other.1 && other.0 < one.1,
        "they overlap: {one:?} {other:?}"
    );
}

#[test]
fn a_writer_goes_on_while_a_long_prompt_is_read() {
    let (_folder, path) = tiny();
    let mut worker = Worker::with_model(&path, json!({}));
    let writer = worker.ask_greedy("tell me a story", 400);
    while worker.next()["response"] != "piece" {}
    let reader = worker.ask_greedy(&"word ".repeat(600), 3);
    let said = worker.until_ended(vec![writer, reader]);
    let progress: Vec<usize> = said
        .iter()
        .enumerate()
        .filter(|(_, message)| message["id"] == reader && message["response"] == "prompt_progress")
        .map(|(place, _)| place)
        .collect();
    assert!(
        progress.len() > 10,
        "the prompt is read in small pieces: {}",
        progress.len()
    );
    for pair in progress.windows(2) {
        let between = &said[pair[0]..pair[1]];
        assert!(
            between
                .iter()
                .any(|message| message["id"] == writer && message["response"] == "piece"),
            "the writer gets its word in between"
        );
    }
}

#[test]
fn a_stop_ends_one_and_leaves_its_neighbour_alone() {
    let (_folder, path) = tiny();
    let mut worker = Worker::with_model(&path, json!({}));
    let stays = worker.ask_greedy("tell me a story", 200);
    let stopped = worker.ask_greedy(&"word ".repeat(1000), 2000);
    let mut said = Vec::new();
    loop {
        let next = worker.next();
        let reading = next["id"] == stopped && next["response"] == "prompt_progress";
        said.push(next);
        if reading {
            break;
        }
    }
    worker.say(&json!({"request": "stop", "id": stopped}));
    said.extend(worker.until_ended(vec![stays, stopped]));
    let answers = answers(&said);
    assert_eq!(answers[&stopped].stop, "user_stopped");
    assert_eq!(answers[&stays].stop, "token_limit");
    assert_eq!(answers[&stays].stats["generated_tokens"], 200);
}

#[test]
fn a_stop_of_one_that_waits_for_its_turn_ends_it() {
    let (_folder, path) = tiny();
    let mut worker = Worker::with_model(&path, json!({"parallel_slots": 1}));
    let first = worker.ask_greedy("one", 300);
    let second = worker.ask_greedy("two", 300);
    worker.say(&json!({"request": "stop", "id": second}));
    let said = worker.until_ended(vec![first, second]);
    let answers = answers(&said);
    assert_eq!(answers[&first].stop, "token_limit");
    assert_eq!(answers[&second].stop, "user_stopped");
    assert_eq!(answers[&second].text, "");
}

#[test]
fn a_chat_and_programs_begin_in_turns() {
    let (_folder, path) = tiny();
    let mut worker = Worker::with_model(&path, json!({"parallel_slots": 1}));
    let first = worker.ask_greedy("one", 300);
    while worker.next()["response"] != "piece" {}
    let [second, third] = ["two", "three"].map(|text| worker.ask_greedy(text, 2));
    let chat = worker.ask_in_chat(Some(1), &[("user", "four")], greedy(2), json!({}));
    let fifth = worker.ask_greedy("five", 2);
    let said = worker.until_ended(vec![first, second, third, chat, fifth]);
    let begun = said.iter().filter(|message| message["response"] == "begun");
    let order: Vec<_> = begun.filter_map(|message| message["id"].as_u64()).collect();
    assert_eq!(order, [chat, second, third, fifth]);
}

/// Two answers that do not fit the context together: the younger waits, and both are whole.
#[test]
fn answers_that_outgrow_the_context_together_end_one_after_the_other() {
    let (_folder, path) = tiny();
    let mut worker = Worker::with_model(&path, json!({"context_length": {"tokens": 512}}));
    let ids = vec![worker.ask_greedy("one", 400), worker.ask_greedy("two", 400)];
    let said = worker.until_ended(ids.clone());
    let answers = answers(&said);
    for id in ids {
        assert_eq!(answers[&id].stop, "token_limit");
        assert_eq!(answers[&id].stats["generated_tokens"], 400);
    }
}

#[test]
fn a_context_that_is_full_ends_its_answer_and_no_other() {
    let (_folder, path) = tiny();
    let mut worker = Worker::with_model(&path, json!({"context_length": {"tokens": 256}}));
    let long = worker.ask_greedy("one", 1000);
    let short = worker.ask_greedy("two", 20);
    let said = worker.until_ended(vec![long, short]);
    let answers = answers(&said);
    assert_eq!(answers[&long].stop, "context_full");
    assert_eq!(answers[&short].stop, "token_limit");
}

#[test]
fn a_deterministic_answer_does_not_depend_on_its_neighbours() {
    let path = smollm::model();
    let sampling = json!({"temperature": 1.0, "seed": 7, "max_tokens": 30});
    let ask = |worker: &mut Worker| {
        let question = [("user", "Tell me something about the moon.")];
        worker.ask(&question, sampling.clone(), json!({"deterministic": true}))
    };
    let mut worker = Worker::with_model(&path, json!({"context_length": {"tokens": 2048}}));
    let first = ask(&mut worker);
    let first = answers(&worker.until_ended(vec![first]))
        .remove(&first)
        .expect("an answer");
    let neighbour = worker.ask_greedy("Write a long story.", 60);
    let again = ask(&mut worker);
    let after = worker.ask_greedy("Write a short story.", 10);
    let said = worker.until_ended(vec![neighbour, again, after]);
    let again = &answers(&said)[&again];
    assert_eq!(again.text, first.text);
    assert_eq!(again.stats["cached_tokens"], 0);
}

/// Greedy text repeats itself, so that much is guessed: it is the text without guessing.
#[test]
fn guessing_ahead_changes_nothing_in_the_text() {
    let path = smollm::model();
    let question = "Repeat this three times: the quick brown fox jumps over the lazy dog.";
    let mut texts = Vec::new();
    for guess in [false, true] {
        let options = json!({"context_length": {"tokens": 2048}, "ngram_speculation": guess});
        let mut worker = Worker::with_model(&path, options);
        let answer = worker.answer(question, 120);
        let right = answer.stats["guessed_tokens"][1].as_u64().expect("a count");
        assert_eq!(right > 0, guess, "{}", answer.stats);
        texts.push(answer.text);
    }
    assert_eq!(texts[0], texts[1]);
}

#[test]
fn small_batches_serve_many_answers() {
    let (_folder, path) = tiny();
    let options = json!({"batch_size": 2, "micro_batch_size": 2, "parallel_slots": 8});
    let mut worker = Worker::with_model(&path, options);
    let ids: Vec<_> = (0..8).map(|_| worker.ask_greedy("hello", 20)).collect();
    let said = worker.until_ended(ids.clone());
    let answers = answers(&said);
    for id in ids {
        assert_eq!(answers[&id].stats["generated_tokens"], 20);
    }
}

//! A worker process by itself, spoken to line by line: what it does with several answers at once.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use hearth_backend::WORKER_ARGUMENT;
use serde_json::{Value, json};

use crate::smollm;
use crate::tiny_gguf::Tiny;

/// A worker with a model in memory. Killed when dropped.
struct Worker {
    process: Child,
    /// `None` once it is closed.
    requests: Option<ChildStdin>,
    said: Lines<BufReader<ChildStdout>>,
    /// The last number that was given to an answer.
    asked: u64,
}

/// What a worker said of one answer.
#[derive(Debug, Default)]
struct Answer {
    text: String,
    stop: Value,
    stats: Value,
    error: Value,
}

impl Worker {
    fn with_model(path: &Path, options: Value) -> Self {
        Self::with_store(path, options, &Value::Null)
    }

    /// The same with a folder for KV states.
    fn with_store(path: &Path, options: Value, store: &Value) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_hearth-test-worker"))
            .arg(WORKER_ARGUMENT)
            // As the backend starts it: threads that wait must not take the time of other tests.
            .env("GOMP_SPINCOUNT", "300")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the worker starts");
        let requests = process.stdin.take();
        let said = BufReader::new(process.stdout.take().expect("its output")).lines();
        let mut worker = Self {
            process,
            requests,
            said,
            asked: 0,
        };
        worker.say(&json!({"request": "load", "path": path, "options": options, "kv_store": store}));
        while worker.next()["response"] != "loaded" {}
        worker
    }

    fn say(&mut self, request: &Value) {
        let requests = self.requests.as_mut().expect("it is open");
        writeln!(requests, "{request}").expect("it reads");
    }

    fn next(&mut self) -> Value {
        let line = self.said.next().expect("it speaks").expect("text");
        serde_json::from_str(&line).expect("a message")
    }

    /// Asks and gives the answer's number.
    fn ask(&mut self, messages: &[(&str, &str)], sampling: Value, answer: Value) -> u64 {
        self.ask_in_chat(None, messages, sampling, answer)
    }

    fn ask_in_chat(
        &mut self,
        chat: Option<i64>,
        messages: &[(&str, &str)],
        sampling: Value,
        answer: Value,
    ) -> u64 {
        self.asked += 1;
        let id = self.asked;
        let messages: Vec<_> = messages
            .iter()
            .map(|(role, text)| json!({"role": role, "text": text, "tool_calls": []}))
            .collect();
        let job = json!({"chat": chat, "messages": messages, "sampling": sampling, "answer": answer});
        self.say(&json!({"request": "generate", "id": id, "job": job}));
        id
    }

    /// A greedy answer of so many tokens.
    fn ask_greedy(&mut self, text: &str, tokens: u32) -> u64 {
        self.ask(&[("user", text)], greedy(tokens), json!({}))
    }

    /// Everything said until all these answers have ended.
    fn until_ended(&mut self, mut ids: Vec<u64>) -> Vec<Value> {
        let mut said = Vec::new();
        while !ids.is_empty() {
            let next = self.next();
            if matches!(next["response"].as_str(), Some("finished" | "failed")) {
                ids.retain(|id| next["id"] != *id);
            }
            said.push(next);
        }
        said
    }

    /// Everything said of one answer, to its end.
    fn said_of(&mut self, messages: &[(&str, &str)], sampling: Value, answer: Value) -> Vec<Value> {
        let id = self.ask(messages, sampling, answer);
        self.until_ended(vec![id])
    }

    /// Closes the input and waits for the end.
    fn close(mut self) {
        drop(self.requests.take());
        assert!(self.process.wait().expect("it ends").success());
    }

    /// One answer by itself.
    fn answer(&mut self, text: &str, tokens: u32) -> Answer {
        let id = self.ask_greedy(text, tokens);
        let said = self.until_ended(vec![id]);
        answers(&said).remove(&id).expect("it answered")
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // Killing what has ended by itself is no fault.
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

fn greedy(tokens: u32) -> Value {
    json!({"temperature": 0.0, "max_tokens": tokens})
}

/// What was said, by answer.
fn answers(said: &[Value]) -> HashMap<u64, Answer> {
    let mut answers: HashMap<u64, Answer> = HashMap::new();
    for message in said {
        // Signs of life belong to none.
        let Some(id) = message["id"].as_u64() else {
            continue;
        };
        let answer = answers.entry(id).or_default();
        if let Some(text) = message["piece"]["text"].as_str() {
            answer.text += text;
        }
        if message["response"] == "finished" {
            answer.stop = message["stop"]["reason"].clone();
            answer.stats = message["stats"].clone();
        }
        if message["response"] == "failed" {
            answer.error = message["error"].clone();
        }
    }
    answers
}

/// The tiny model, kept for as long as the folder is.
fn tiny() -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("tiny.gguf");
    Tiny::default().write(&path);
    (folder, path)
}

/// Where an answer's first and last text stand.
fn span(said: &[Value], id: u64) -> (usize, usize) {
    let is_text = |message: &&Value| message["id"] == id && message["response"] == "piece";
    let mut places = said.iter().enumerate().filter(|(_, message)| is_text(message));
    let first = places.next().expect("some text").0;
    (first, places.last().map_or(first, |(place, _)| place))
}

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

/// The pieces of this kind, put together.
fn pieces(said: &[Value], kind: &str) -> String {
    said.iter()
        .filter_map(|message| message["piece"][kind].as_str())
        .collect()
}

fn end(said: &[Value]) -> &Value {
    said.iter()
        .find(|message| message["response"] == "finished")
        .unwrap_or_else(|| panic!("it ended well: {said:?}"))
}

/// A model of 135 million parameters knows no JSON; the grammar does.
#[test]
fn a_small_model_obeys_a_schema() {
    let mut worker = Worker::with_model(&smollm::model(), json!({"context_length": {"tokens": 2048}}));
    let schema = json!({
        "type": "object",
        "properties": {
            "city": {"type": "string", "enum": ["Berlin", "Rome"]},
            "inhabitants": {"type": "integer"},
        },
        "required": ["city", "inhabitants"],
        "additionalProperties": false,
    });
    let question = [("user", "Tell me about a city.")];
    for sampling in [
        json!({"temperature": 0.0, "max_tokens": 200}),
        json!({"temperature": 1.5, "seed": 3, "max_tokens": 200}),
    ] {
        let said = worker.said_of(&question, sampling, json!({"format": {"json_schema": schema}}));
        let text = pieces(&said, "text");
        let value: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert!(
            ["Berlin", "Rome"].contains(&value["city"].as_str().expect("a city")),
            "{text}"
        );
        assert!(
            value["inhabitants"].is_i64() || value["inhabitants"].is_u64(),
            "{text}"
        );
        assert_eq!(end(&said)["stop"]["reason"], "end_of_text");
    }
}

#[test]
fn a_regular_expression_holds_for_the_whole_text() {
    let mut worker = Worker::with_model(&smollm::model(), json!({"context_length": {"tokens": 2048}}));
    let said = worker.said_of(
        &[("user", "When?")],
        greedy(60),
        json!({"format": {"regex": "\\d{4}-\\d{2}"}}),
    );
    let text = pieces(&said, "text");
    let digits: Vec<bool> = text.chars().map(|letter| letter.is_ascii_digit()).collect();
    assert_eq!(digits, [true, true, true, true, false, true, true], "{text}");
}

#[test]
fn a_form_that_is_none_is_refused_before_anything_runs() {
    let (_folder, path) = tiny();
    let mut worker = Worker::with_model(&path, json!({}));
    for format in [
        json!({"json_schema": {"type": "nothing"}}),
        json!({"gbnf": "root ::= ("}),
        json!({"regex": "(?=a)"}),
    ] {
        let said = worker.said_of(&[("user", "hi")], greedy(5), json!({"format": format}));
        assert_eq!(said.len(), 1, "{said:?}");
        assert_eq!(said[0]["error"]["field"], "response_format", "{said:?}");
    }
    assert_eq!(worker.answer("hi", 3).stop, "token_limit", "the worker goes on");
}

#[test]
fn a_tool_that_is_required_is_called_with_arguments_that_fit_its_schema() {
    let mut worker = Worker::with_model(&smollm::model(), json!({"context_length": {"tokens": 2048}}));
    let tool = json!({
        "name": "get_weather",
        "description": "The weather in a city",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string", "enum": ["Paris", "Oslo"]}},
            "required": ["city"],
        },
    });
    for choice in [json!("required"), json!({"named": "get_weather"})] {
        let options = json!({"tools": [tool], "tool_choice": choice, "one_tool_only": true});
        let said = worker.said_of(&[("user", "How is the weather in Paris?")], greedy(120), options);
        let names: Vec<_> = said
            .iter()
            .filter_map(|message| message["piece"]["tool_call"]["name"].as_str())
            .collect();
        assert_eq!(names, ["get_weather"], "{said:?}");
        let arguments: String = said
            .iter()
            .filter_map(|message| message["piece"]["tool_arguments"]["text"].as_str())
            .collect();
        let arguments: Value =
            serde_json::from_str(&arguments).unwrap_or_else(|error| panic!("{error}: {arguments}"));
        assert!(
            ["Paris", "Oslo"].contains(&arguments["city"].as_str().expect("a city")),
            "{arguments}"
        );
        assert_eq!(end(&said)["stop"]["reason"], "tool_calls");
    }
}

#[test]
fn the_chances_of_the_chosen_tokens_are_told_beside_the_likeliest() {
    let mut worker = Worker::with_model(&smollm::model(), json!({"context_length": {"tokens": 2048}}));
    let said = worker.said_of(
        &[("user", "What is the capital of Germany?")],
        greedy(5),
        json!({"logprobs": 3}),
    );
    let tokens: Vec<&Value> = said
        .iter()
        .filter_map(|message| message["tokens"].as_array())
        .flatten()
        .collect();
    assert_eq!(tokens.len(), 5);
    for token in tokens {
        let top = token["top"].as_array().expect("the likeliest");
        assert_eq!(top.len(), 3);
        assert_eq!(
            top[0]["token"], token["chosen"]["token"],
            "greedy takes the likeliest"
        );
        let logprobs: Vec<f64> = top
            .iter()
            .map(|chance| chance["logprob"].as_f64().expect("a number"))
            .collect();
        assert!(
            logprobs.is_sorted_by(|one, other| one >= other) && logprobs[0] <= 0.0,
            "{logprobs:?}"
        );
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

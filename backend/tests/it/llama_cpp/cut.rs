//! Answers that end before their model does: what is told of them, and that their model hears of it.

use serde_json::{Value, json};

use crate::app::{App, eventually};
use crate::served::Served;

fn loaded() -> Value {
    json!({"response": "loaded", "context_length": 512, "has_chat_template": true, "gpu_layers": [0, 5], "threads": 1,
        "slots": 4})
}

/// The steps of an answer that begins and writes these pieces, a token each.
fn writes<'a>(pieces: impl IntoIterator<Item = &'a str>) -> Vec<Value> {
    let say = |mut response: Value| {
        response["id"] = "$id".into();
        json!({ "say": response })
    };
    let mut steps = vec![
        say(json!({"response": "begun", "left_out": 0})),
        say(json!({"response": "prompt_progress", "processed": 6, "cached": 2, "total": 6})),
    ];
    for piece in pieces {
        let chosen = json!({"token": 7, "bytes": piece.as_bytes(), "logprob": -0.5});
        steps.push(say(
            json!({"response": "logprobs", "tokens": [{"chosen": chosen, "top": []}]}),
        ));
        steps.push(say(json!({"response": "piece", "piece": {"text": piece}})));
    }
    steps
}

/// A server whose model plays these steps for answers.
fn playing(steps: impl IntoIterator<Item = Value>) -> Served {
    let mut script = vec![
        json!({"await": "load"}),
        json!({"say": loaded()}),
        json!({"await": "generate"}),
    ];
    script.extend(steps);
    let app = App::scripted(&Value::Array(script));
    let path = app.tiny();
    let served = Served::new(app);
    served.add("tiny.gguf", &path);
    served
}

const FIELDS: [&str; 4] = ["content", "stop_type", "tokens_predicted", "tokens_evaluated"];

/// One of two answers is cut at a line, and the other goes on to its end.
#[test]
fn an_answer_that_is_cut_is_stopped_and_the_other_goes_on() {
    let mut steps = writes(["if a:\n", "    b\n", "c", "d"]);
    // From the stop on, `$id` is the other one.
    steps.push(json!({"await": "stop"}));
    steps.extend(writes(["x\n", "    y"]));
    let stats = json!({"prompt_tokens": 6, "cached_tokens": 2, "generated_tokens": 2});
    steps.push(json!({"say": {"response": "finished", "id": "$id", "stop": {"reason": "end_of_text"}, "stats": stats}}));
    let served = playing(steps);
    let asked = json!({"prompt": "a", "n_cmpl": 2, "n_indent": 4, "response_fields": FIELDS});
    let (status, answers) = served.post("/completion", &asked);
    assert_eq!(status, 200, "{answers}");
    let mut answers = answers.as_array().expect("two answers").clone();
    answers.sort_by_key(|answer| answer["content"].to_string());
    let cut = json!({"content": "if a:\n    b\n", "stop_type": "limit", "tokens_predicted": 3, "tokens_evaluated": 6});
    let whole =
        json!({"content": "x\n    y", "stop_type": "eos", "tokens_predicted": 2, "tokens_evaluated": 6});
    assert_eq!(answers, [cut, whole]);
    served.until_quiet();
    let (_, status) = served.get("/api/v1/status");
    let counted = [
        "answers",
        "cancelled",
        "prompt_tokens",
        "cached_tokens",
        "generated_tokens",
    ];
    assert_eq!(
        counted.map(|name| status[name].as_u64()),
        [2, 0, 8, 4, 5].map(Some),
        "{status}"
    );
}

/// More than a millisecond of tokens.
#[test]
fn a_time_that_is_over_stops_the_model() {
    let folder = tempfile::tempdir().expect("a folder");
    let heard = folder.path().join("heard");
    let mut steps = writes(std::iter::once("a\n").chain(std::iter::repeat_n("b", 5_000)));
    steps.push(json!({"await": "stop"}));
    steps.push(json!({"process": heard}));
    let served = playing(steps);
    let asked = json!({"prompt": "a", "t_max_predict_ms": 1, "response_fields": FIELDS});
    let (status, answer) = served.post("/completion", &asked);
    assert_eq!(status, 200, "{answer}");
    let content = answer["content"].as_str().expect("text");
    assert!(content.starts_with("a\n") && content.len() < 5_002, "{answer}");
    assert_eq!(answer["stop_type"], "limit");
    eventually("the stop", || heard.exists());
}

/// What a client left was counted as if it had cost nothing.
#[test]
fn an_answer_whose_client_leaves_is_counted_with_what_it_cost() {
    let mut steps = writes(["a", "b"]);
    steps.push(json!({"await": "stop"}));
    let served = playing(steps);
    let mut stream = served.begin(
        "/completion",
        &json!({"prompt": "a", "stream": true, "response_fields": ["content"]}),
    );
    let mut told = String::new();
    while !told.contains("\"b\"") {
        told.push_str(&stream.chunk().expect("more"));
    }
    drop(stream);
    served.until_quiet();
    let (_, status) = served.get("/api/v1/status");
    let counted = [
        "answers",
        "cancelled",
        "prompt_tokens",
        "cached_tokens",
        "generated_tokens",
    ];
    assert_eq!(
        counted.map(|name| status[name].as_u64()),
        [0, 1, 4, 2, 2].map(Some),
        "{status}"
    );
}

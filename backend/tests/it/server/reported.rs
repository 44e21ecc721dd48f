//! Faults that people reported of other servers.

use super::*;

const CHAT: &str = "/v1/chat/completions";

/// Case 49: a display name and an id are names too.
#[test]
fn a_model_answers_to_all_its_names() {
    let served = Served::tiny();
    let files = served.app.client.list_files().wait().expect("the files");
    let file = &files[0];
    for name in [file.id.as_str(), &file.name] {
        let asked = chat("Hi", &json!({"model": name, "max_tokens": 1}));
        let (status, body) = served.post(CHAT, &asked);
        assert_eq!((status, &body["model"]), (200, &"tiny".into()), "{name} {body}");
    }
}

/// Case 50: four first requests at once once loaded four copies of a model, beside each other or one for the other.
#[test]
fn first_requests_at_once_load_the_model_once() {
    let asked = chat("Hi", &json!({"max_tokens": 3}));
    // Loads are counted in their ids.
    let last_load = |requests: usize| {
        let served = Served::tiny();
        std::thread::scope(|scope| {
            for _ in 0..requests {
                scope.spawn(|| assert_eq!(served.post(CHAT, &asked).0, 200));
            }
        });
        let loaded = served.app.loaded();
        assert_eq!(loaded.len(), 1);
        loaded[0].id
    };
    assert_eq!(last_load(4), last_load(1));
}

/// Case 50: requests that come while the model is on its way out.
#[test]
fn requests_are_answered_while_their_model_leaves() {
    let served = Served::tiny();
    let asked = chat("Hi", &json!({"max_tokens": 1, "ttl": 0}));
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for _ in 0..3 {
                    let (status, body) = served.post(CHAT, &asked);
                    assert_eq!(status, 200, "{body}");
                }
            });
        }
    });
    eventually("the model has left", || served.app.loaded().is_empty());
}

/// Case 53: a port that the system keeps for administrators.
#[test]
fn a_port_that_may_not_be_used_is_named() {
    const KEPT: u16 = 1;
    let app = App::real();
    let kept = std::net::TcpListener::bind(("127.0.0.1", KEPT)).map(drop);
    let config = ServerConfig {
        port: KEPT,
        ..ServerConfig::default()
    };
    let started = app.client.start_server(config).wait();
    match (kept, started) {
        (Ok(()), Ok(ServerStatus::Running { address, .. })) => assert_eq!(address.port(), KEPT),
        (Err(_), Err(Error::Invalid { field, problem })) => {
            assert!(
                field == "port" && problem.contains("above 1023"),
                "{field} {problem}"
            );
        }
        outcome => panic!("{outcome:?}"),
    }
}

/// Case 54: a text that is longer than what is computed at a time ended other servers.
#[test]
fn a_text_above_the_micro_batch_has_the_same_vector() {
    let served = Served::tiny();
    let vector = |options: Value| {
        let load = json!({"model": "tiny", "options": options, "force": true});
        let (status, body) = served.post("/api/v1/models/load", &load);
        assert_eq!(status, 200, "{body}");
        let asked = json!({"model": "tiny", "input": "one two three ".repeat(12)});
        let (status, body) = served.post("/v1/embeddings", &asked);
        assert_eq!(status, 200, "{body}");
        let tokens = body["usage"]["prompt_tokens"].as_u64().expect("a number");
        assert!(tokens > 32, "{tokens}");
        let numbers = body["data"][0]["embedding"].as_array().expect("numbers").clone();
        numbers
            .into_iter()
            .map(|number| number.as_f64().expect("a number"))
            .collect::<Vec<_>>()
    };
    let (whole, pieces) = (
        vector(json!({})),
        vector(json!({"batch_size": 32, "micro_batch_size": 16})),
    );
    let near: f64 = whole.iter().zip(&pieces).map(|(one, other)| one * other).sum();
    assert!(near > 0.999, "{near}");
}

/// Case 56: a server remembered other conversations, and counted wrongly.
#[test]
fn requests_know_nothing_of_each_other_and_are_counted_to_the_token() {
    let served = Served::tiny();
    let asked = chat("Tell me of it.", &json!({"max_tokens": 8, "cache_prompt": false}));
    let (_, before) = served.post(CHAT, &asked);
    let other = chat(
        "The word is: cucumber. Tell me of the word.",
        &json!({"max_tokens": 8}),
    );
    assert_eq!(served.post(CHAT, &other).0, 200);
    let (_, behind) = served.post(CHAT, &asked);
    assert_eq!(before["choices"], behind["choices"]);
    let (_, prompt) = served.post("/apply-template", &asked);
    let text = json!({"content": prompt["prompt"], "add_special": true, "parse_special": true});
    let (_, tokens) = served.post("/tokenize", &text);
    let tokens = tokens["tokens"].as_array().expect("tokens").len();
    assert_eq!(before["usage"]["prompt_tokens"], tokens, "{prompt}");
    assert_eq!(behind["usage"]["prompt_tokens"], tokens);
    let streamed = json!({"max_tokens": 8, "stream": true, "stream_options": {"include_usage": true}});
    let frames = served.begin(CHAT, &chat("Tell me of it.", &streamed)).frames();
    let usage: Value = serde_json::from_str(&frames[frames.len() - 2]).expect("usage");
    assert_eq!(usage["usage"]["prompt_tokens"], tokens);
}

/// Where there is no model, each endpoint says so in the same way.
#[test]
fn without_any_model_every_endpoint_says_so_alike() {
    let served = Served::new(App::real());
    for path in ["/props", "/slots"] {
        let (status, body) = served.get(path);
        assert_eq!(status, 404, "{path} {body}");
    }
    let messages = json!({"messages": [{"role": "user", "content": "a"}], "max_tokens": 1});
    for (path, asked) in [
        (CHAT, messages.clone()),
        ("/v1/completions", json!({"prompt": "a"})),
        ("/v1/responses", json!({"input": "a"})),
        ("/v1/messages", messages),
        ("/completion", json!({"prompt": "a"})),
        ("/tokenize", json!({"content": "a"})),
        ("/embedding", json!({"content": "a"})),
    ] {
        let (status, body) = served.post(path, &asked);
        let words = body["error"]["message"].as_str().unwrap_or_default();
        assert_eq!((status, words.contains("no model")), (404, true), "{path} {body}");
    }
}

/// What is refused in Anthropic's shape at OpenAI's place left no word in the log.
#[test]
fn what_is_refused_stands_in_the_log_in_every_shape() {
    let served = Served::tiny();
    let path = "/v1/models?limit=0";
    let (status, body) = served
        .send("GET", path, &[("anthropic-version", "2023-06-01")], b"")
        .json();
    assert_eq!((status, &body["type"]), (400, &"error".into()), "{body}");
    served.until_quiet();
    let last = served.log().pop().expect("a line");
    assert!(last.contains("limit is"), "{last}");
}

//! What clients may take, over real sockets: the queue, the memory, the log, and both kinds of address.

use std::io::{Read, Write};
use std::net::{Ipv6Addr, TcpListener, TcpStream};

use hearth_protocol::server::ServerConfig;
use serde_json::{Value, json};

use super::chat;
use crate::app::{App, eventually};
use crate::served::{Response, Served};

/// More requests than answer and wait at once.
const TOO_MANY: usize = 100;

#[test]
fn a_full_queue_is_429_with_a_time_to_come_back() {
    let model = json!({"response": "loaded", "context_length": 512, "has_chat_template": true, "gpu_layers": [0, 5],
        "threads": 1});
    let app = App::scripted(&json!([{"await": "load"}, {"say": model}, {"deaf": true}]));
    let path = app.tiny();
    let served = Served::new(app);
    served.add("tiny.gguf", &path);
    let body = chat("Hi", &json!({})).to_string();
    let head = format!(
        "POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let asked = || {
        let mut stream = served.connect();
        stream.write_all(head.as_bytes()).expect("sent");
        stream.set_nonblocking(true).expect("asked without waiting");
        stream
    };
    let waiting: Vec<_> = (0..TOO_MANY).map(|_| asked()).collect();
    // The model answers nobody.
    let is_answered = |stream: &TcpStream| stream.peek(&mut [0]).is_ok();
    eventually("a refusal", || waiting.iter().any(is_answered));
    for path in ["/v1/chat/completions", "/v1/messages"] {
        let response = served.begin(path, &chat("Hi", &json!({"max_tokens": 5})));
        assert_eq!(response.status, 429, "{path}");
        let seconds = response
            .header("retry-after")
            .and_then(|seconds| seconds.parse().ok());
        assert!(seconds.is_some_and(|seconds: u32| seconds > 0), "{path}");
        let (_, body) = response.json();
        assert_eq!(body["error"]["type"], "rate_limit_error", "{body}");
    }
    drop(waiting);
    served.until_quiet();
}

/// One that says how long its body is once was answered only when all of it had come.
#[test]
fn a_body_that_is_too_long_is_refused_before_it_comes() {
    let served = Served::tiny();
    let answer = |head: String| {
        let mut stream = served.connect();
        stream.write_all(head.as_bytes()).expect("sent");
        let (status, body) = Response::try_read(stream).expect("an answer").json();
        (status, body["error"]["message"].to_string())
    };
    for more in ["", "expect: 100-continue\r\n"] {
        let length = (32 << 20) + 1;
        let (status, message) = answer(format!(
            "POST /v1/embeddings HTTP/1.1\r\nhost: localhost\r\n{more}content-length: {length}\r\n\r\n"
        ));
        assert_eq!(status, 413, "{message}");
        assert!(message.contains("32 MiB"), "{message}");
    }
    let (status, message) = answer(
        "POST /tokenize HTTP/1.1\r\nhost: localhost\r\ncontent-encoding: gzip\r\ncontent-length: 3\r\n\r\nabc".into(),
    );
    assert_eq!(status, 415, "{message}");
    assert!(message.contains("gzip"), "{message}");
    // A mark before the JSON is no part of it.
    let body = "\u{feff}{\"content\": \"a\"}";
    let head = format!("content-length: {}\r\n\r\n{body}", body.len());
    let (status, message) = answer(format!("POST /tokenize HTTP/1.1\r\nhost: localhost\r\n{head}"));
    assert_eq!(status, 200, "{message}");
}

/// A body that is taken apart away from the other requests.
#[test]
fn a_long_body_is_read_as_any_other() {
    let served = Served::tiny();
    let long = "a".repeat(1 << 20);
    // Fields that are not known are passed over.
    let short = served.post("/tokenize", &json!({"content": "abc"}));
    assert_eq!(short.0, 200, "{}", short.1);
    assert_eq!(
        served.post("/tokenize", &json!({"content": "abc", "more": long})),
        short
    );
    let (status, body) = served.post("/v1/chat/completions", &chat(&long, &json!({})));
    assert_eq!(
        (status, &body["error"]["code"]),
        (400, &"context_length_exceeded".into())
    );
    let (status, body) = served.post("/v1/chat/completions", &chat(&long, &json!({"n": "two"})));
    assert_eq!(
        (status, &body["error"]["param"]),
        (400, &"n".into()),
        "{}",
        body["error"]
    );
}

/// What a body becomes in memory is far more than its bytes: each of these once took gigabytes, or held up everyone.
#[test]
fn what_would_take_much_memory_or_time_is_refused_before_it_does() {
    let served = Served::tiny();
    let tool = |fields: Value| {
        let mut function = json!({"name": "f"});
        for (name, value) in fields.as_object().expect("fields") {
            function[name] = value.clone();
        }
        json!({"tools": [{"type": "function", "function": function}]})
    };
    let numbers = vec![0; (1 << 20) + 1];
    let many = "the body";
    let cases = [
        ("/completion", json!({"prompt": numbers}), (413, json!(413)), many),
        (
            "/v1/chat/completions",
            chat("Hi", &tool(json!({"parameters": {"enum": numbers}}))),
            (413, Value::Null),
            many,
        ),
        (
            "/v1/chat/completions",
            chat("Hi", &tool(json!({"description": "a".repeat(2 << 20)}))),
            (400, Value::Null),
            "one tool",
        ),
        (
            "/v1/chat/completions",
            chat("Hi", &tool(json!({"description": "a".repeat(600_000)}))),
            (400, json!("context_length_exceeded")),
            "a tool beside a chat",
        ),
    ];
    for (path, body, (status, code), what) in cases {
        let (found, refused) = served.post(path, &body);
        assert_eq!(
            (found, &refused["error"]["code"]),
            (status, &code),
            "{what}: {refused}"
        );
    }
}

/// Characters outside the vocabulary, of which llama.cpp's time grows with the square.
#[test]
fn a_long_text_of_odd_characters_becomes_tokens() {
    let served = Served::tiny();
    let text = "\u{12000}".repeat(1 << 18);
    let (status, answer) = served.post("/tokenize", &json!({"content": text}));
    assert_eq!(status, 200, "{answer}");
    let tokens = answer["tokens"].as_array().expect("tokens");
    // A byte each.
    assert_eq!(tokens.len(), text.len());
    assert_eq!(tokens[..4], tokens[text.len() - 4..]);
}

/// hyper sees no client leave while something stands behind its request, as the empty line that some programs send.
#[test]
fn work_stops_when_a_client_leaves_that_has_sent_more() {
    let served = Served::tiny();
    let endless = json!({"ignore_eos": true, "max_tokens": 1_000_000});
    let body = chat("Hi", &endless).to_string();
    let mut stream = served.connect();
    let request = format!(
        "POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-length: {}\r\n\r\n{body}\r\n",
        body.len()
    );
    stream.write_all(request.as_bytes()).expect("sent");
    let is = |activity| served.app.loaded().iter().any(|model| model.activity == activity);
    eventually("a model is at work", || {
        is(hearth_protocol::engine::Activity::Generating)
    });
    drop(stream);
    served.until_quiet();
    eventually("the model does nothing", || {
        is(hearth_protocol::engine::Activity::Idle)
    });
    let last = served.log().pop().expect("a line");
    assert!(last.contains("cancelled"), "{last}");
}

#[test]
fn what_stands_behind_a_request_is_the_next_one() {
    let served = Served::tiny();
    let mut stream = served.connect();
    let one = "GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n";
    let last = "GET /health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
    stream
        .write_all(format!("{one}\r\n{one}{last}").as_bytes())
        .expect("sent");
    let mut answers = String::new();
    stream.read_to_string(&mut answers).expect("answers");
    assert_eq!(answers.matches("HTTP/1.1 200").count(), 3, "{answers}");
}

#[test]
fn prompts_stand_in_the_log_only_where_that_is_asked_for() {
    for log_prompts in [false, true] {
        let app = App::real();
        let path = app.tiny();
        let config = ServerConfig {
            log_prompts,
            ..ServerConfig::default()
        };
        let served = Served::with(app, config);
        served.add("tiny.gguf", &path);
        let words = "a secret of mine";
        let (_, whole) = served.post("/v1/chat/completions", &chat(words, &json!({"max_tokens": 3})));
        let whole = whole["id"].as_str().expect("an id").to_owned();
        let streams = chat(words, &json!({"max_tokens": 3, "stream": true}));
        let frames = served.begin("/v1/chat/completions", &streams).frames();
        let first: serde_json::Value = serde_json::from_str(&frames[0]).expect("a chunk");
        let streamed = first["id"].as_str().expect("an id").to_owned();
        served.until_quiet();
        let file = served.app.config.home.join("logs/server.log");
        let file = || std::fs::read_to_string(&file).unwrap_or_default();
        let lines = |log: &str| log.matches("POST /v1/chat/completions 200").count();
        eventually("both lines", || lines(&file()) == 2);
        for log in [served.log().join("\n"), file()] {
            assert_eq!(lines(&log), 2, "{log}");
            for kept in [words, &whole, &streamed] {
                assert_eq!(log.contains(kept), log_prompts, "{kept}: {log}");
            }
        }
    }
}

#[test]
fn tokens_of_embeddings_are_counted() {
    let served = Served::tiny();
    let read = || {
        let text = served.send("GET", "/metrics", &[], b"").text();
        let value = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(name));
            line.and_then(|number| number.trim().parse::<f64>().ok())
                .expect(name)
        };
        assert_eq!(value("llamacpp:tokens_predicted_total "), 0.0);
        assert_eq!(value("llamacpp:requests_deferred "), 0.0);
        assert!(value("llamacpp:prompt_seconds_total ") >= 0.0);
        value("llamacpp:prompt_tokens_total ")
    };
    assert_eq!(read(), 0.0);
    let asked = json!({"model": "tiny", "input": ["hello world", "goodbye"]});
    let (status, body) = served.post("/v1/embeddings", &asked);
    assert_eq!(status, 200, "{body}");
    let tokens = body["usage"]["prompt_tokens"].as_f64().expect("tokens");
    assert!(tokens > 0.0);
    assert_eq!(read(), tokens);
    let asked = json!({"model": "tiny", "content": ["hello world", "goodbye"]});
    assert_eq!(served.post("/embedding", &asked).0, 200);
    assert_eq!(read(), 2.0 * tokens);
}

#[test]
fn it_is_there_by_both_kinds_of_address() {
    // A machine without IPv6 goes without.
    let has_ipv6 = TcpListener::bind((Ipv6Addr::LOCALHOST, 0)).is_ok();
    for network in [false, true] {
        let app = App::real();
        let key = app.client.make_api_key("test".into()).wait().expect("a key");
        let config = ServerConfig {
            network,
            ..ServerConfig::default()
        };
        let served = Served::with(app, config);
        let port = served.address.port();
        let mut hosts = vec![format!("127.0.0.1:{port}")];
        if has_ipv6 {
            hosts.push(format!("[::1]:{port}"));
        }
        for host in hosts {
            let mut stream = TcpStream::connect(&host).expect("it listens");
            let key = key.secret.expose();
            write!(
                stream,
                "GET /v1/models HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {key}\r\n\r\n"
            )
            .expect("sent");
            assert_eq!(Response::read(stream).status, 200, "{host}");
        }
        // No other program can have the port of either.
        assert!(TcpListener::bind((Ipv6Addr::LOCALHOST, port)).is_err() || !has_ipv6);
        assert_eq!(served.app.client.stop_server().wait(), Ok(()));
    }
}

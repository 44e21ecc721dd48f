//! The local server over real sockets, with real workers.

mod damaged;
mod limits;
mod live;
mod reported;

use std::io::Write;
use std::path::PathBuf;

use hearth_protocol::Error;
use hearth_protocol::server::{ServerConfig, ServerStatus, TlsFiles};
use serde_json::{Value, json};

use crate::app::{App, eventually};
use crate::served::{Response, Served};

fn chat(text: &str, more: &Value) -> Value {
    let mut request =
        json!({"model": "tiny", "temperature": 0, "messages": [{"role": "user", "content": text}]});
    let fields = more.as_object().expect("an object").clone();
    request.as_object_mut().expect("an object").extend(fields);
    request
}

/// The text of a stream's chunks.
fn text(frames: &[String]) -> String {
    let chunks = frames
        .iter()
        .filter_map(|frame| serde_json::from_str::<Value>(frame).ok());
    chunks
        .filter_map(|chunk| {
            chunk["choices"][0]["delta"]["content"]
                .as_str()
                .map(str::to_owned)
        })
        .collect()
}

#[test]
fn a_stream_and_a_whole_answer_are_the_same() {
    let served = Served::tiny();
    let (status, whole) = served.post("/v1/chat/completions", &chat("Hi", &json!({"max_tokens": 12})));
    assert_eq!(status, 200, "{whole}");
    assert_eq!(whole["model"], "tiny");
    assert_eq!(whole["usage"]["completion_tokens"], 12);
    let asked = chat(
        "Hi",
        &json!({"max_tokens": 12, "stream": true, "stream_options": {"include_usage": true}}),
    );
    let response = served.begin("/v1/chat/completions", &asked);
    assert_eq!(response.status, 200);
    assert_eq!(
        response.header("content-type"),
        Some("text/event-stream; charset=utf-8")
    );
    let frames = response.frames();
    assert_eq!(text(&frames), whole["choices"][0]["message"]["content"]);
    assert_eq!(frames.last().map(String::as_str), Some("[DONE]"));
    let usage: Value = serde_json::from_str(&frames[frames.len() - 2]).expect("usage");
    assert_eq!(usage["usage"]["prompt_tokens"], whole["usage"]["prompt_tokens"]);
    assert_eq!(usage["choices"], json!([]));
}

/// Case 49 of the public reports: an unknown model was served by another one.
#[test]
fn an_unknown_model_is_named_with_those_there_are() {
    let served = Served::tiny();
    let (status, body) = served.post("/v1/chat/completions", &chat("Hi", &json!({"model": "nope"})));
    assert_eq!((status, &body["error"]["code"]), (404, &"model_not_found".into()));
    assert!(
        body["error"]["message"].as_str().expect("words").contains("tiny"),
        "{body}"
    );
    for model in [json!("TINY"), json!(""), Value::Null] {
        let (status, body) = served.post(
            "/v1/chat/completions",
            &chat("Hi", &json!({"model": model, "max_tokens": 1})),
        );
        assert_eq!((status, &body["model"]), (200, &"tiny".into()), "{model}");
    }
    let (status, models) = served.get("/v1/models");
    assert_eq!((status, &models["data"][0]["id"]), (200, &"tiny".into()));
    assert_eq!(served.get("/v1/models/tiny").0, 200);
    assert_eq!(served.get("/v1/models/nope").0, 404);
}

/// Case 43: what is too long is refused before anything is computed, with a real status, stream or not.
#[test]
fn a_prompt_that_is_too_long_is_a_status_before_the_first_byte() {
    let served = Served::tiny();
    for stream in [false, true] {
        let long = chat(&"word ".repeat(3_000), &json!({"stream": stream}));
        let (status, body) = served.post("/v1/chat/completions", &long);
        assert_eq!(
            (status, &body["error"]["code"]),
            (400, &"context_length_exceeded".into()),
            "{body}"
        );
    }
}

/// Case 41: a client that leaves once left the model at work.
#[test]
fn work_stops_when_the_listener_leaves() {
    let served = Served::tiny();
    for stream in [true, false] {
        // More than could be written while the test runs.
        let asked = chat(
            "Hi",
            &json!({"stream": stream, "ignore_eos": true, "max_tokens": 1_000_000}),
        );
        if stream {
            let mut response = served.begin("/v1/chat/completions", &asked);
            response.chunk().expect("a first chunk");
            drop(response);
        } else {
            let body = asked.to_string();
            let mut stream = served.connect();
            let head = format!(
                "POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-length: {}\r\n\r\n{body}",
                body.len()
            );
            stream.write_all(head.as_bytes()).expect("sent");
            // It is at work, and then the client is gone.
            eventually("a model is at work", || {
                let at_work = hearth_protocol::engine::Activity::Generating;
                served.app.loaded().iter().any(|model| model.activity == at_work)
            });
            drop(stream);
        }
        served.until_quiet();
        let idle = hearth_protocol::engine::Activity::Idle;
        eventually("the model does nothing", || {
            served.app.loaded().iter().all(|model| model.activity == idle)
        });
        let last = served.log().pop().expect("a line");
        assert!(last.contains("cancelled"), "{last}");
    }
}

/// Case 53: requests that run when the server stops end properly, and the port is free afterwards.
#[test]
fn a_server_that_stops_ends_its_streams() {
    let served = Served::tiny();
    let asked = chat(
        "Hi",
        &json!({"stream": true, "ignore_eos": true, "max_tokens": 1_000_000}),
    );
    let mut response = served.begin("/v1/chat/completions", &asked);
    response.chunk().expect("a first chunk");
    assert_eq!(served.app.client.stop_server().wait(), Ok(()));
    let rest: String = std::iter::from_fn(|| response.chunk()).collect();
    assert!(
        rest.contains("server_stopped") && rest.ends_with("data: [DONE]\n\n"),
        "{rest}"
    );
    std::net::TcpListener::bind(served.address).expect("the port is free");
}

#[test]
fn a_server_for_the_network_has_a_key() {
    let app = App::real();
    let key = app.client.make_api_key("test".into()).wait().expect("a key");
    let config = ServerConfig {
        network: true,
        ..ServerConfig::default()
    };
    let served = Served::with(app, config);
    assert_eq!(served.get("/v1/models").0, 401);
    let bearer = format!("Bearer {}", key.secret.expose());
    let (status, _) = served
        .send("GET", "/v1/models", &[("authorization", &bearer)], b"")
        .json();
    assert_eq!(status, 200);
    assert!(
        served
            .log()
            .iter()
            .all(|line| !line.contains(key.secret.expose()))
    );
}

#[test]
fn it_starts_with_hearth_where_the_settings_say_so() {
    let mut app = App::real();
    let mut settings = app.client.read_settings().wait().expect("settings");
    settings.server.port = 0;
    settings.server.start_with_hearth = true;
    app.client.write_settings(settings).wait().expect("stored");
    app.shut_down();
    let (client, shutdown) = hearth_backend::start_serving(app.config.clone());
    eventually("the server runs", || {
        matches!(client.server_status().wait(), Ok(ServerStatus::Running { .. }))
    });
    shutdown.shut_down();
}

/// Many clients keep a connection open and ask nothing for a long time; when one asks, it is answered.
#[test]
fn two_thousand_idle_connections_are_held() {
    let served = Served::tiny();
    let idle: Vec<_> = (0..2_000).map(|_| served.connect()).collect();
    assert_eq!(served.get("/health").0, 200);
    for mut connection in idle {
        let asked = b"GET /health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
        connection.write_all(asked).expect("it is open");
        assert_eq!(Response::read(connection).status, 200);
    }
}

/// While a long prompt is read nothing else is sent, and what stands between would take the connection for dead.
#[test]
fn comments_keep_a_connection_alive_while_a_prompt_is_read() {
    let model = json!({"response": "loaded", "context_length": 512, "has_chat_template": true, "gpu_layers": [0, 5],
        "threads": 1});
    let app = App::scripted(&json!([
        {"await": "load"},
        {"say": model},
        {"await": "generate"},
        {"say": {"response": "begun", "id": "$id", "left_out": 0}},
        {"say": {"response": "prompt_progress", "id": "$id", "processed": 1, "cached": 0, "total": 9}},
        {"deaf": true},
    ]));
    let path = app.tiny();
    let served = Served::new(app);
    served.add("tiny.gguf", &path);
    let mut response = served.begin("/v1/chat/completions", &chat("Hi", &json!({"stream": true})));
    assert_eq!(response.status, 200);
    assert!(response.chunk().expect("the role").contains("assistant"));
    assert_eq!(response.chunk().as_deref(), Some(":\n\n"));
}

#[test]
fn it_speaks_https_with_a_certificate() {
    let app = App::real();
    let (certificate, key) = certificate(&app);
    let config = |certificate: &std::path::Path, key: &std::path::Path| ServerConfig {
        tls: Some(TlsFiles {
            certificate: certificate.to_owned(),
            key: key.to_owned(),
        }),
        port: 0,
        ..ServerConfig::default()
    };
    let odd = app.client.start_server(config(&key, &certificate)).wait();
    assert!(
        matches!(odd, Err(Error::Invalid { ref field, .. }) if field == "tls"),
        "{odd:?}"
    );
    let served = Served::with(app, config(&certificate, &key));
    let status = https_status(served.address.port(), &certificate);
    assert_eq!(status, 200);
    // A client that says nothing does not hold the end up.
    let silent = served.connect();
    assert_eq!(served.app.client.stop_server().wait(), Ok(()));
    drop(silent);
}

/// The files of a certificate and its key.
fn certificate(app: &App) -> (PathBuf, PathBuf) {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".into()]).expect("a certificate");
    let (certificate, key) = (app.path("certificate.pem"), app.path("key.pem"));
    std::fs::write(&certificate, made.cert.pem()).expect("written");
    std::fs::write(&key, made.signing_key.serialize_pem()).expect("written");
    (certificate, key)
}

/// What it answers over TLS, where it has this certificate.
fn https_status(port: u16, certificate: &std::path::Path) -> u16 {
    let url = format!("https://localhost:{port}/health");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let pem = std::fs::read(certificate).expect("read");
        let root = reqwest::Certificate::from_pem(&pem).expect("a certificate");
        let client = reqwest::Client::builder()
            .no_proxy()
            .tls_certs_only([root])
            .build()
            .expect("a client");
        client.get(url).send().await.expect("an answer").status().as_u16()
    })
}

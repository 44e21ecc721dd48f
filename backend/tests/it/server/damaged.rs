//! Thousands of requests that are wrong in every way: no answer is a failure of ours, and the model stays in memory.

use std::io::{ErrorKind, Write};

use fastrand::Rng;
use hearth_protocol::engine::LoadOptions;
use serde_json::{Value, json};

use crate::alone::{alone, resident};
use crate::app::{App, is_process};
use crate::served::{Response, Served};

/// Requests of one run, and how many of them it takes until all that is kept between them is there.
const COUNT: u64 = 5_000;
const WARM_UP: u64 = 1_000;

/// Most bytes by which server or worker may grow after that: 2 KiB for each request.
const MOST_GROWTH: u64 = 8 << 20;

/// Endpoints with a request that each takes.
fn sound(rng: &mut Rng) -> (&'static str, &'static str, Value) {
    let messages = json!([{"role": "user", "content": "Hi"}]);
    let cases = [
        (
            "/v1/chat/completions",
            json!({"model": "tiny", "messages": messages, "max_tokens": 2, "temperature": 0.5, "top_p": 1, "n": 1,
                "stop": ["x"], "seed": 1, "logit_bias": {"1": 1}, "logprobs": true, "top_logprobs": 1, "stream": false,
                "response_format": {"type": "text"}, "tool_choice": "auto", "chat_template_kwargs": {"a": 1},
                "tools": [{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}]}),
        ),
        (
            "/v1/completions",
            json!({"model": "tiny", "prompt": "Once", "max_tokens": 2, "echo": true, "suffix": null, "logprobs": 1,
                "n": 1, "stream": true, "stop": "x", "seed": 3}),
        ),
        (
            "/v1/embeddings",
            json!({"model": "tiny", "input": ["a", "b"], "encoding_format": "base64", "dimensions": 2}),
        ),
        (
            "/v1/responses",
            json!({"model": "tiny", "input": messages, "max_output_tokens": 2, "store": false, "stream": true,
                "text": {"format": {"type": "text"}}, "reasoning": {"effort": "low"}}),
        ),
        (
            "/v1/messages",
            json!({"model": "tiny", "messages": messages, "max_tokens": 2, "system": "x", "stop_sequences": ["y"],
                "thinking": {"type": "disabled"}, "stream": true}),
        ),
        (
            "/v1/messages/count_tokens",
            json!({"model": "tiny", "messages": messages}),
        ),
        (
            "/completion",
            json!({"prompt": "Once", "n_predict": 2, "n_probs": 1, "cache_prompt": true, "id_slot": 0, "stream": false,
                "grammar": "", "mirostat": 2, "dry_multiplier": 0.5}),
        ),
        (
            "/tokenize",
            json!({"content": "Once", "add_special": true, "with_pieces": true}),
        ),
        ("/detokenize", json!({"tokens": [1, 2, 3]})),
        ("/apply-template", json!({"messages": messages})),
        (
            "/infill",
            json!({"input_prefix": "a", "input_suffix": "b", "n_predict": 2}),
        ),
        (
            "/v1/responses/input_tokens",
            json!({"model": "tiny", "input": messages, "instructions": "x"}),
        ),
        (
            "/embedding",
            json!({"content": ["a", [1, 2]], "embd_normalize": 2}),
        ),
        ("/slots/0?action=save", json!({"filename": "a b"})),
        ("/slots/1?action=restore", json!({"filename": "a b"})),
        ("/slots/1?action=erase", json!({})),
        ("/props", json!({"default_generation_settings": {}})),
        ("/api/v1/models/load", json!({"model": "none", "stream": true})),
        ("/api/v1/models/eject", json!({"model": "none"})),
        ("/api/v1/downloads/7/pause", json!({})),
        ("/api/v1/downloads/7/resume", json!({})),
        ("/api/v1/downloads/7/cancel", json!({})),
    ];
    let asked = [
        "/slots",
        "/slots?model=none&fail_on_no_slot=1",
        "/props?model=tiny",
        "/v1/responses/resp_none",
        "/v1/responses/resp_none/input_items?limit=1",
        "/v1/models/none",
        "/api/v1/models",
        "/api/v1/downloads",
        "/api/v1/status",
    ];
    match rng.usize(..cases.len() + asked.len()) {
        place if place < cases.len() => {
            let (path, body) = cases[place].clone();
            ("POST", path, body)
        }
        place => ("GET", asked[place - cases.len()], json!({})),
    }
}

/// Any value.
fn odd_value(rng: &mut Rng, depth: u32) -> Value {
    match rng.u8(0..14) {
        0 => Value::Null,
        1 => Value::from(rng.bool()),
        2 => Value::from(rng.i64(..)),
        3 => Value::from(rng.i32(-3..10)),
        4 => json!(1e308),
        5 => json!(-0.0),
        6 => Value::from(""),
        7 => Value::from("\u{0}\u{202e}<|im_end|>é"),
        8 => Value::from("x".repeat(rng.usize(..5_000))),
        9 => Value::from("data:image/png;base64,AAAA"),
        10 => json!([]),
        11 => json!({}),
        _ if depth == 0 => json!([[[]]]),
        12 => (0..rng.usize(..4)).map(|_| odd_value(rng, depth - 1)).collect(),
        _ => json!({"type": odd_value(rng, depth - 1), "text": odd_value(rng, depth - 1)}),
    }
}

/// Puts an odd value somewhere into a request, or takes something away.
fn damage(value: &mut Value, rng: &mut Rng) {
    match value {
        Value::Object(fields) if !fields.is_empty() && rng.u8(..8) > 0 => {
            let name = fields
                .keys()
                .nth(rng.usize(..fields.len()))
                .cloned()
                .expect("a field");
            match rng.u8(..5) {
                0 => drop(fields.remove(&name)),
                1 | 2 => drop(fields.insert(name, odd_value(rng, 2))),
                _ => damage(fields.get_mut(&name).expect("the field"), rng),
            }
        }
        Value::Array(entries) if !entries.is_empty() && rng.u8(..8) > 0 => {
            let place = rng.usize(..entries.len());
            match rng.u8(..4) {
                0 => drop(entries.remove(place)),
                1 => entries.push(odd_value(rng, 2)),
                _ => damage(&mut entries[place], rng),
            }
        }
        value => *value = odd_value(rng, 2),
    }
}

/// A request.
struct Sent {
    bytes: Vec<u8>,
    /// Whether all of it is there.
    is_whole: bool,
    /// Whether it can be refused before all of it is read; then the connection may be reset.
    may_be_reset: bool,
}

fn request(rng: &mut Rng) -> Sent {
    let (method, path, mut body) = sound(rng);
    let mut may_be_reset = false;
    for _ in 0..rng.usize(..3) {
        damage(&mut body, rng);
    }
    let mut body = body.to_string().into_bytes();
    if rng.u8(..5) == 0 && !body.is_empty() {
        match rng.u8(..3) {
            0 => body.truncate(rng.usize(..body.len())),
            1 => {
                let place = rng.usize(..body.len());
                body[place] = rng.u8(..);
            }
            _ => body.extend(std::iter::repeat_with(|| rng.u8(..)).take(20)),
        }
    }
    let odd = rng.u8(..12);
    // Of another server, or of none.
    may_be_reset |= matches!(odd, 2 | 3);
    let mut head = match odd {
        0 => format!(
            "{} {path} HTTP/1.1\r\nhost: localhost\r\n",
            ["GET", "PUT", "DELETE", "BREW"][rng.usize(..4)]
        ),
        1 => format!("{method} {path}/{} HTTP/1.1\r\nhost: localhost\r\n", rng.u32(..)),
        2 => format!(
            "{method} {path}?{} HTTP/1.1\r\nhost: evil.example\r\n",
            rng.u32(..)
        ),
        3 => format!("{method} {path} HTTP/1.1\r\n"),
        _ => format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\n"),
    };
    let odd = rng.u8(..12);
    // A foreign page, a head that is too long, and one that is none.
    may_be_reset |= matches!(odd, 0 | 1 | 4);
    match odd {
        0 => head.push_str("origin: http://evil.example\r\n"),
        1 => head.push_str(&format!("x-long: {}\r\n", "y".repeat(rng.usize(..80_000)))),
        2 => head.push_str("content-type: text/plain\r\ncontent-encoding: gzip\r\n"),
        3 => head.push_str("expect: 100-continue\r\n"),
        4 => head.push_str("no header at all\r\n"),
        _ => (),
    }
    let mut bytes = head.into_bytes();
    if rng.u8(..4) == 0 {
        bytes.extend(b"transfer-encoding: chunked\r\n\r\n");
        let mut rest = body.as_slice();
        while !rest.is_empty() {
            let (chunk, behind) = rest.split_at(rng.usize(1..=rest.len()));
            bytes.extend(format!("{:x}\r\n", chunk.len()).into_bytes());
            bytes.extend(chunk);
            bytes.extend(b"\r\n");
            rest = behind;
        }
        bytes.extend(b"0\r\n\r\n");
    } else {
        let length = match rng.u8(..20) {
            // Such a client says less than it sends; what is left over is a request of its own, and no sound one.
            0 => {
                may_be_reset = true;
                body.len() / 2
            }
            _ => body.len(),
        };
        bytes.extend(format!("content-length: {length}\r\n\r\n").into_bytes());
        bytes.extend(&body);
    }
    let is_whole = rng.u8(..30) > 0;
    if !is_whole {
        bytes.truncate(rng.usize(..bytes.len()));
    }
    Sent {
        bytes,
        is_whole,
        may_be_reset: may_be_reset || !is_whole,
    }
}

#[test]
fn damaged_requests_are_answered_and_harm_nothing() {
    if !alone("server::damaged::damaged_requests_are_answered_and_harm_nothing") {
        return;
    }
    let app = App::real();
    let path = app.tiny();
    let served = Served::new(app);
    served.add("tiny.gguf", &path);
    let model = served.app.load(
        &served.app.config.home.join("models/tiny.gguf"),
        LoadOptions::default(),
    );
    let worker = model.expect("it loads").process;
    let memory = || [worker, std::process::id()].map(resident);
    let mut warm = memory();
    for seed in 0..COUNT {
        if seed == WARM_UP {
            warm = memory();
        }
        let mut rng = Rng::with_seed(seed);
        let Sent {
            bytes,
            is_whole,
            may_be_reset,
        } = request(&mut rng);
        let leaves = rng.u8(..10) == 0;
        let mut stream = served.connect();
        // The server may have refused and closed already.
        let is_sent = stream.write_all(&bytes).is_ok();
        if leaves || (!is_sent && may_be_reset) {
            continue;
        }
        if !is_whole {
            // Nothing more comes, so that the rest is not waited for.
            stream.shutdown(std::net::Shutdown::Write).expect("half closed");
        }
        let response = match Response::try_read(stream) {
            Ok(response) => response,
            // The server closed before it had read all that was sent.
            Err(ErrorKind::ConnectionReset) if may_be_reset => continue,
            Err(_) if !is_whole => continue,
            // That is how a handler that panicked looks from here.
            Err(error) => {
                let request = String::from_utf8_lossy(&bytes);
                panic!("{error} for request {seed}: {request}");
            }
        };
        // What cannot be changed over this server says so.
        if response.status >= 500 && response.status != 501 {
            let status = response.status;
            let request = String::from_utf8_lossy(&bytes);
            panic!("{status} for request {seed}: {request}\n{}", response.text());
        }
    }
    assert!(is_process(worker), "the model's process is gone");
    for (warm, now) in warm.into_iter().zip(memory()) {
        assert!(
            now < warm + MOST_GROWTH,
            "from {warm} to {now} bytes after {COUNT} requests"
        );
    }
    let (status, body) = served.post(
        "/v1/chat/completions",
        &json!({"model": "tiny", "messages": [{"role": "user", "content": "Hi"}], "max_tokens": 3}),
    );
    assert_eq!(
        (status, &body["usage"]["completion_tokens"]),
        (200, &3.into()),
        "{body}"
    );
}

//! The local server's interfaces over real sockets: each stream against the whole answer, each count against the
//! tokens, each fault by its name.

mod anthropic;
mod completions;
mod drawn;
mod embeddings;
mod responses;
mod wrong;

use hearth_protocol::prompt::{TokenizeInput, TokenizeRequest};
use serde_json::{Value, json};

use crate::served::Served;

/// A request with more fields.
fn with(request: &Value, more: &Value) -> Value {
    let mut request = request.clone();
    for (name, value) in more.as_object().expect("an object") {
        request[name] = value.clone();
    }
    request
}

/// The frames of a stream that are JSON.
fn frames(served: &Served, path: &str, request: &Value) -> Vec<Value> {
    let response = served.begin(path, &with(request, &json!({"stream": true})));
    let status = response.status;
    let frames = response.frames();
    assert_eq!(status, 200, "{frames:?}");
    frames
        .iter()
        .filter_map(|frame| serde_json::from_str(frame).ok())
        .collect()
}

/// A whole answer that is one.
fn whole(served: &Served, path: &str, request: &Value) -> Value {
    let (status, body) = served.post(path, request);
    assert_eq!(status, 200, "{body}");
    body
}

/// The ids of a text's tokens, with those that are added to every text.
fn ids(served: &Served, text: &str) -> Vec<u32> {
    let tokenized = served.app.client.tokenize(TokenizeRequest {
        model: None,
        input: TokenizeInput::Text {
            text: text.to_owned(),
            add_special: true,
            parse_special: true,
        },
    });
    let tokens = tokenized.wait().expect("tokens").tokens;
    tokens.into_iter().map(|token| token.id).collect()
}

/// The texts that stand at a place of all frames, together.
fn joined(frames: &[Value], pointer: &str) -> String {
    let texts = frames.iter().filter_map(|frame| frame.pointer(pointer)?.as_str());
    texts.collect()
}

/// A tool that SmolLM2 is made to call.
const CITY: &str = r#"{"type": "object", "properties": {"city": {"type": "string", "enum": ["Berlin", "Rome"]}},
    "required": ["city"], "additionalProperties": false}"#;

fn city_schema() -> Value {
    serde_json::from_str(CITY).expect("a schema")
}

/// What fits the schema of a city.
fn assert_is_city(arguments: &Value) {
    let city = arguments["city"].as_str();
    assert!(matches!(city, Some("Berlin" | "Rome")), "{arguments}");
    assert_eq!(arguments.as_object().map(serde_json::Map::len), Some(1));
}

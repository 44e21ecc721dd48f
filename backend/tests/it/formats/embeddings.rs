//! `POST /v1/embeddings`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::*;

const PATH: &str = "/v1/embeddings";

fn vector(embedding: &Value) -> Vec<f32> {
    let numbers = embedding.as_array().expect("numbers").iter();
    numbers
        .map(|number| number.as_f64().expect("a number") as f32)
        .collect()
}

#[test]
fn both_forms_of_a_vector_are_the_same_numbers() {
    let served = Served::tiny();
    let asked = json!({"model": "tiny", "input": ["one", "two"]});
    let float = whole(&served, PATH, &asked);
    let base64 = whole(
        &served,
        PATH,
        &with(&asked, &json!({"encoding_format": "base64"})),
    );
    for place in 0..2 {
        let (float, base64) = (&float["data"][place], &base64["data"][place]);
        assert_eq!(
            (&float["index"], &base64["index"]),
            (&json!(place), &json!(place))
        );
        let bytes = STANDARD
            .decode(base64["embedding"].as_str().expect("text"))
            .expect("base64");
        let (numbers, rest) = bytes.as_chunks::<4>();
        assert!(rest.is_empty());
        let numbers: Vec<_> = numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        assert_eq!(numbers, vector(&float["embedding"]));
    }
    assert_ne!(float["data"][0]["embedding"], float["data"][1]["embedding"]);
    let tokens = ids(&served, "one").len() + ids(&served, "two").len();
    assert_eq!(
        float["usage"],
        json!({"prompt_tokens": tokens, "total_tokens": tokens})
    );
    assert_eq!(float["model"], "tiny");
}

/// Case 54 of the public reports: sizes and forms that ended other servers.
#[test]
fn a_thousand_inputs_keep_their_order_and_empty_ones_are_named() {
    let served = Served::tiny();
    let one = whole(&served, PATH, &json!({"input": "text 7"}));
    let many: Vec<_> = (0..1_000).map(|place| format!("text {}", place % 10)).collect();
    let body = whole(&served, PATH, &json!({"input": many}));
    let data = body["data"].as_array().expect("vectors");
    assert_eq!(data.len(), 1_000);
    for (place, entry) in data.iter().enumerate() {
        assert_eq!(entry["index"], place);
    }
    let near = |one: &Value, other: &Value| {
        let pairs = vector(one).into_iter().zip(vector(other));
        pairs.map(|(one, other)| one * other).sum::<f32>()
    };
    // Vectors have length 1: the same text points the same way.
    assert!(near(&data[997]["embedding"], &one["data"][0]["embedding"]) > 0.999);
    let tokens = ids(&served, "text 7");
    let body = whole(&served, PATH, &json!({"input": [tokens]}));
    assert!(near(&body["data"][0]["embedding"], &one["data"][0]["embedding"]) > 0.999);
    for (input, named) in [
        (json!(""), "input"),
        (json!([]), "input"),
        (json!(["a", "  "]), "input[1]"),
        (json!({"text": "a"}), "input"),
        (json!([[1], []]), "input[1]"),
    ] {
        let (status, body) = served.post(PATH, &json!({"input": input}));
        assert_eq!((status, &body["error"]["param"]), (400, &json!(named)), "{body}");
    }
    assert_eq!(served.get("/health").0, 200);
}

/// A million texts were at work for more than five minutes.
#[test]
fn more_texts_than_openai_takes_are_refused_by_the_name_that_was_written() {
    let served = Served::tiny();
    let many = vec!["a"; 2_049];
    for (path, field) in [
        (PATH, "input"),
        ("/embedding", "content"),
        ("/embeddings", "input"),
    ] {
        let (status, body) = served.post(path, &json!({"model": "tiny", field: many}));
        let message = body["error"]["message"].as_str().expect("a message");
        assert_eq!(status, 400, "{path}: {body}");
        assert!(
            message.starts_with(field) && message.contains("2049") && message.contains("2048"),
            "{path}: {message}"
        );
    }
    // Nothing was even loaded for it.
    assert_eq!(served.app.loaded(), []);
}

#[test]
fn vectors_can_be_shortened_and_texts_be_too_long() {
    let served = Served::tiny();
    let long = whole(&served, PATH, &json!({"input": "a"}));
    let short = whole(&served, PATH, &json!({"input": "a", "dimensions": 4}));
    let (long, short) = (
        vector(&long["data"][0]["embedding"]),
        vector(&short["data"][0]["embedding"]),
    );
    assert!(short.len() == 4 && long.len() > 4);
    let length: f32 = short.iter().map(|number| number * number).sum();
    assert!((length - 1.0).abs() < 1e-3, "{length}");
    for dimensions in [0, 1 << 20] {
        let (status, body) = served.post(PATH, &json!({"input": "a", "dimensions": dimensions}));
        assert_eq!(
            (status, &body["error"]["param"]),
            (400, &json!("dimensions")),
            "{body}"
        );
    }
    let (status, body) = served.post(PATH, &json!({"input": "word ".repeat(20_000)}));
    assert_eq!(
        (status, &body["error"]["code"]),
        (400, &json!("context_length_exceeded")),
        "{body}"
    );
}

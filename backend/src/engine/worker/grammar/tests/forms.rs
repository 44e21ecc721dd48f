//! Structured output.

use hearth_protocol::answer::Reasoning;
use serde_json::Value;

use super::*;

fn check(format: Format, yes: &[&str], no: &[&str]) {
    let options = with(format);
    for text in yes {
        assert!(
            matches(&options, style(Family::Hermes), text),
            "{:?} matches {text:?}",
            options.format
        );
    }
    for text in no {
        assert!(
            !matches(&options, style(Family::Hermes), text),
            "{:?} does not match {text:?}",
            options.format
        );
    }
}

#[test]
fn any_object() {
    check(
        Format::JsonObject,
        &[
            "{}",
            "{\"a\": [1, -2.5e3, \"é\\n\", null]}",
            "{ \"a\": {\"b\": true}}",
        ],
        &["", "[]", "1", "{", "{a: 1}", "{\"a\": 1,}", "{}{}"],
    );
}

#[test]
fn schemas() {
    let person = json!({
        "type": "object",
        "properties": {
            "name": {"type": "string", "maxLength": 5},
            "age": {"type": "integer", "minimum": 0, "maximum": 150},
            "kind": {"enum": ["a", "b", 3, null]},
            "more": {"type": "array", "items": {"$ref": "#/$defs/point"}, "minItems": 1, "maxItems": 2},
        },
        "required": ["name", "age"],
        "additionalProperties": false,
        "$defs": {"point": {"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"]}},
    });
    check(
        Format::JsonSchema(person),
        &[
            "{\"name\": \"Ada\", \"age\": 36}",
            "{\"name\":\"\",\"age\":0,\"kind\":null,\"more\":[{\"x\":1.5}]}",
        ],
        &[
            "{\"name\": \"Ada\"}",
            "{\"name\": \"Adalaide\", \"age\": 36}",
            "{\"name\": \"Ada\", \"age\": 151}",
            "{\"name\": \"Ada\", \"age\": 36, \"kind\": \"c\"}",
            "{\"name\": \"Ada\", \"age\": 36, \"more\": []}",
            "{\"name\": \"Ada\", \"age\": 36, \"other\": 1}",
        ],
    );
    check(
        Format::JsonSchema(json!({"type": "string", "pattern": "^[a-z]{2}-[0-9]+$"})),
        &["\"ab-12\""],
        &["\"ab\"", "ab-12"],
    );
    // Longer than llama.cpp's own grammars can count.
    let long = json!({"type": "string", "minLength": 2001, "maxLength": 2002});
    let text = |length| format!("\"{}\"", "x".repeat(length));
    check(
        Format::JsonSchema(long),
        &[&text(2002)],
        &[&text(2000), &text(2003)],
    );
    check(
        Format::JsonSchema(json!({"anyOf": [{"const": "42"}, {"type": "boolean"}]})),
        &["\"42\"", "true"],
        &["42"],
    );
    // A schema that comes back to itself by way of something.
    let tree = json!({"type": "object", "properties": {"left": {"$ref": "#/$defs/tree"}}});
    check(
        Format::JsonSchema(json!({"$ref": "#/$defs/tree", "$defs": {"tree": tree}})),
        &["{}", "{\"left\": {\"left\": {}}}"],
        &["{\"left\": 1}"],
    );
}

#[test]
fn what_a_schema_lets_through_is_what_it_describes() {
    let schema = json!({
        "type": "object",
        "properties": {
            "id": {"type": "integer", "minimum": -20, "maximum": 1999},
            "tags": {"type": "array", "items": {"enum": ["x", "y"]}, "minItems": 1, "maxItems": 3},
            "at": {"type": "string", "format": "date"},
            "note": {"type": ["string", "null"], "minLength": 1, "maxLength": 4},
        },
        "required": ["id", "tags", "at"],
    });
    for random in 0..40 {
        let mut state = grammar(&with(Format::JsonSchema(schema.clone())), style(Family::Hermes));
        let text = write(&mut state, random, 60);
        let value: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        // -0 is an integer of JSON's and no `i64`.
        let id = value["id"].as_f64().expect("a number");
        assert!((-20.0..=1999.0).contains(&id) && id.fract() == 0.0, "{text}");
        let tags = value["tags"].as_array().expect("a list");
        assert!(
            (1..=3).contains(&tags.len()) && tags.iter().all(|tag| tag == "x" || tag == "y"),
            "{text}"
        );
        assert_eq!(value["at"].as_str().expect("a date").len(), 10, "{text}");
        let mut keys = value.as_object().expect("an object").keys();
        assert!(keys.all(|key| schema["properties"].get(key).is_some()), "{text}");
        if let Some(note) = value.get("note").and_then(Value::as_str) {
            assert!((1..=4).contains(&note.chars().count()), "{text}");
        }
    }
}

#[test]
fn gbnf_of_the_request() {
    let chess = "root ::= (\"1. \" move \" \" move \"\\n\")+\nmove ::= [a-h] [1-8] | \"O-O\" # castling\n";
    check(
        Format::Gbnf(chess.into()),
        &["1. e4 e5\n", "1. O-O e5\n1. a1 h8\n"],
        &["1. e4", "1. e9 e5\n"],
    );
    // A token by its text.
    check(
        Format::Gbnf("root ::= <think> [a-z]* </think>".into()),
        &["<think>a</think>"],
        &["<think>"],
    );
}

#[test]
fn regular_expressions_match_as_a_whole() {
    let regex =
        |expression: &str, yes: &[&str], no: &[&str]| check(Format::Regex(expression.into()), yes, no);
    regex("a|bc", &["a", "bc"], &["", "abc", "xa"]);
    regex("^a+$", &["a", "aa"], &["", "ab"]);
    regex("(^a|b$)", &["a", "b"], &["ab"]);
    regex("(?i)ja|nein", &["JA", "ja", "Nein"], &["oui"]);
    regex("[0-9]{3}-\\d{4}", &["555-1234"], &["555-123"]);
    regex("(\\w+\\s?){1,3}", &["x_1", "a b c"], &["!", "é"]);
    regex("\\d", &["7"], &["٧", "🯸"]);
    regex("[\\d_]+", &["1_2"], &["٧"]);
    regex("\\D[^\\s]", &["é漢"], &["1a", "a\n"]);
    regex(".", &["é", "漢"], &["\n"]);
    regex("(?s).", &["\n"], &["ab"]);
    regex("(?:ab)*?c", &["c", "ababc"], &["ab"]);
    regex("\\p{Greek}", &["α"], &["a"]);
    regex("[^a]", &["b", "é"], &["a"]);
    regex("", &[""], &["a"]);
}

#[test]
fn a_model_that_may_think_thinks_first() {
    let thinks = Style::detect(Some("<think></think>"));
    let mut options = with(Format::JsonObject);
    assert!(matches(&options, thinks, "<think>so </thin </think>\n\n{}"));
    assert!(matches(&options, thinks, "{}"));
    assert!(!matches(&options, thinks, "<think>so{}"));
    options.reasoning = Reasoning {
        enabled: Some(false),
        budget: None,
    };
    assert!(!matches(&options, thinks, "<think>so</think>{}"));
    // Where the prompt has begun the thought, the grammar holds after it.
    options.reasoning.enabled = None;
    let grammar = Grammar::demanded(&options, &thinks, "<think>\n")
        .expect("good")
        .expect("a demand");
    assert!(!grammar.start().expect("a start").accept(b"<think>"));

    let harmony = Style::detect(Some("<|channel|><|message|>"));
    let answer = "<|channel|>analysis<|message|>so<|end|><|start|>assistant<|channel|>final<|message|>{}";
    assert!(matches(&options, harmony, answer));
    assert!(matches(&options, harmony, "<|channel|>final<|message|>{}"));
    assert!(!matches(&options, harmony, "{}"));
}

#[test]
fn nothing_is_demanded_of_plain_text() {
    let options = AnswerOptions::default();
    assert!(
        Grammar::demanded(&options, &style(Family::Hermes), "")
            .expect("good")
            .is_none()
    );
}

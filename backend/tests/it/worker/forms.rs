//! Forms, tools and chances of tokens.

use super::*;
use crate::smollm;

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

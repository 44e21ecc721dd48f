//! How tokens are drawn is said in every chat in the same words.

use super::*;

/// An interface: its path, a request of it, and where the text of the answer stands.
fn interfaces() -> [(&'static str, Value, &'static str); 3] {
    let messages = json!([{"role": "user", "content": "Once"}]);
    [
        (
            "/v1/chat/completions",
            json!({"messages": messages, "max_tokens": 6}),
            "/choices/0/message/content",
        ),
        (
            "/v1/responses",
            json!({"input": "Once", "max_output_tokens": 6}),
            "/output/0/content/0/text",
        ),
        (
            "/v1/messages",
            json!({"messages": messages, "max_tokens": 6}),
            "/content/0/text",
        ),
    ]
}

/// The interfaces that have none of these fields of their own dropped them.
#[test]
fn stops_seeds_biases_and_penalties_count_in_every_chat() {
    let served = Served::tiny();
    // What the model is made to say.
    let token = *ids(&served, "Tom").last().expect("a token");
    let bias = json!({token.to_string(): 100});
    for (path, request, place) in interfaces() {
        let text = |fields: Value| {
            let body = whole(&served, path, &with(&request, &fields));
            let text = body.pointer(place).and_then(Value::as_str).unwrap_or_default();
            text.to_owned()
        };
        let biased = text(json!({"temperature": 0, "logit_bias": bias}));
        let piece = biased.trim().chars().next().expect("a letter").to_string();
        let length = biased.len();
        assert_eq!(biased, biased[..length / 6].repeat(6), "{path}");
        let stopped = text(json!({"temperature": 0, "logit_bias": bias, "stop": [piece]}));
        assert_eq!(stopped.trim(), "", "{path}");
        let drawn = || text(json!({"temperature": 1, "top_k": 0, "top_p": 1, "min_p": 0, "seed": 7}));
        assert_eq!(drawn(), drawn(), "{path}");
        for field in ["presence_penalty", "frequency_penalty"] {
            let (status, body) = served.post(path, &with(&request, &json!({field: 3})));
            let words = body["error"]["message"].as_str().unwrap_or_default();
            assert_eq!((status, words.starts_with(field)), (400, true), "{body}");
        }
    }
}

/// `/v1/responses` dropped llama.cpp's name of the limit; `/v1/messages` always has its own.
#[test]
fn the_limit_has_llama_cpps_name_too_in_every_chat() {
    let served = Served::tiny();
    for (path, request, counted) in [
        (
            "/v1/chat/completions",
            json!({"messages": [{"role": "user", "content": "a"}]}),
            "/usage/completion_tokens",
        ),
        ("/v1/responses", json!({"input": "a"}), "/usage/output_tokens"),
    ] {
        let body = whole(
            &served,
            path,
            &with(&request, &json!({"n_predict": 3, "ignore_eos": true})),
        );
        assert_eq!(body.pointer(counted), Some(&json!(3)), "{body}");
    }
}

/// Clients that write out whole objects send null where nothing is said.
#[test]
fn what_is_null_is_as_if_it_were_not_there() {
    let served = Served::tiny();
    let (chat, response) = ("/v1/chat/completions", "/v1/responses");
    let said = json!([{"role": "user", "content": "a", "name": null}]);
    let cases = [
        (
            chat,
            json!({"messages": said, "max_tokens": 1, "stream_options": {"include_usage": null},
                "tools": null, "tool_choice": null, "response_format": null, "stop": null, "logit_bias": null,
                "functions": null, "function_call": null, "audio": null, "n": null, "seed": null, "logprobs": null}),
        ),
        (
            response,
            json!({"input": "a", "max_output_tokens": 1, "text": {"format": null, "verbosity": null},
                "reasoning": {"effort": null, "summary": null}, "tools": [], "tool_choice": null, "include": null,
                "stop": null, "conversation": null, "prompt": null, "metadata": null, "truncation": null}),
        ),
        (
            "/v1/messages",
            json!({"max_tokens": 1, "system": null, "tools": null, "tool_choice": null, "thinking": null,
                "stop_sequences": null, "context_management": null, "messages": [
                    {"role": "user", "content": [{"type": "text", "text": "a", "citations": null}]},
                    {"role": "assistant", "content": [{"type": "tool_use", "id": "x", "name": "f", "input": null}]},
                    {"role": "user", "content": [
                        {"type": "tool_result", "tool_use_id": "x", "content": null, "is_error": null}]}]}),
        ),
    ];
    for (path, request) in cases {
        whole(&served, path, &request);
    }
}

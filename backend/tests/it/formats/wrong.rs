//! Requests that are wrong: each is refused with the field at fault and what is expected there.

use super::*;

/// Cases 47 to 49 and 54 of the public reports: a wrong type was an error without a place, or none at all.
#[test]
fn what_is_wrong_is_named_with_what_is_expected() {
    let served = Served::tiny();
    let user = |content: Value| json!({"messages": [{"role": "user", "content": content}], "max_tokens": 1});
    let image = json!([{"type": "image_url", "image_url": {"url": "https://example.org/cat.png"}}]);
    let cases = [
        (
            "/v1/chat/completions",
            user(json!(3)),
            "messages[0].content",
            "a text or a list of parts",
        ),
        (
            "/v1/chat/completions",
            user(json!([{"type": "text", "text": "a"}, {"type": "input_audio"}])),
            "messages[0].content[1].type",
            "is input_audio",
        ),
        (
            "/v1/chat/completions",
            user(Value::Null),
            "messages[0]",
            "content is missing",
        ),
        (
            "/v1/chat/completions",
            user(image),
            "messages[0].content[0].image_url",
            "data: address",
        ),
        (
            "/v1/chat/completions",
            with(&user(json!("a")), &json!({"tool_choice": 3})),
            "tool_choice",
            "expected none, auto, required",
        ),
        (
            "/v1/chat/completions",
            with(&user(json!("a")), &json!({"stop": 3})),
            "stop",
            "a text or a list of texts",
        ),
        (
            "/v1/chat/completions",
            with(&user(json!("a")), &json!({"response_format": {"type": "yaml"}})),
            "response_format.type",
            "yaml",
        ),
        (
            "/v1/chat/completions",
            with(&user(json!("a")), &json!({"dynatemp_range": 9})),
            "dynatemp_range",
            "from 0 to 5",
        ),
        (
            "/v1/chat/completions",
            with(&user(json!("a")), &json!({"stop": vec!["x"; 65]})),
            "stop",
            "64 are the most",
        ),
        (
            "/v1/chat/completions",
            with(&user(json!("a")), &json!({"add_generation_prompt": false})),
            "add_generation_prompt",
            "always true",
        ),
        (
            "/v1/completions",
            json!({"prompt": "a", "repetition_penalty": 0}),
            "repetition_penalty",
            "above 0",
        ),
        (
            "/completion",
            json!({"prompt": "a", "xtc_probability": 2}),
            "xtc_probability",
            "from 0 to 1",
        ),
        (
            "/v1/responses",
            json!({"input": "a", "top_logprobs": 21}),
            "top_logprobs",
            "from 0 to 20",
        ),
        (
            "/v1/responses",
            json!({"input": "a", "return_progress": true}),
            "return_progress",
            "not there in this format",
        ),
        (
            "/v1/completions",
            json!({"prompt": {}}),
            "prompt",
            "expected a text, a list of texts",
        ),
        (
            "/v1/completions",
            json!({"prompt": "a", "n": 0}),
            "n",
            "1 or more",
        ),
        (
            "/v1/completions",
            json!({"prompt": "a", "best_of": 2}),
            "best_of",
            "may only be 1",
        ),
        (
            "/v1/completions",
            json!({"prompt": "a", "echo": true, "logprobs": 1}),
            "logprobs",
            "echo",
        ),
        (
            "/v1/embeddings",
            json!({"input": 3}),
            "input",
            "expected a text, a list of texts",
        ),
        (
            "/v1/responses",
            json!({"input": [{"role": "user", "content": [{"type": "input_text", "text": 3}]}]}),
            "input[0].content[0]",
            "string",
        ),
        (
            "/v1/responses",
            json!({"input": [{"type": "web_search_call"}]}),
            "input[0].type",
            "web_search_call",
        ),
        (
            "/v1/responses",
            json!({"input": "a", "background": true}),
            "background",
            "stream",
        ),
        ("/v1/responses", json!({}), "input", "is missing"),
        (
            "/v1/responses",
            json!({"input": "a", "tools": [{"type": "web_search"}]}),
            "tools[0].type",
            "a tool of OpenAI's own",
        ),
        (
            "/v1/responses",
            json!({"input": [{"role": "user", "content": [{"type": "input_file", "file_id": "x"}]}]}),
            "input[0].content[0].type",
            "input_file",
        ),
        (
            "/v1/responses",
            json!({"input": "a", "presence_penalty": 3}),
            "presence_penalty",
            "from -2 to 2",
        ),
        (
            "/v1/chat/completions",
            with(
                &user(json!("a")),
                &json!({"tools": [{"type": "custom", "custom": {"name": "x"}}]}),
            ),
            "tools[0].type",
            "custom",
        ),
    ];
    for (path, request, param, words) in cases {
        let (status, body) = served.post(path, &request);
        let error = &body["error"];
        assert_eq!(
            (status, &error["type"]),
            (400, &json!("invalid_request_error")),
            "{body}"
        );
        assert_eq!(error["param"], param, "{body}");
        assert!(
            error["message"]
                .as_str()
                .is_some_and(|message| message.contains(words)),
            "{body}"
        );
    }
    let anthropic = [
        (user(json!(3)), "messages[0].content"),
        (
            json!({"messages": [{"role": "user", "content": "a"}]}),
            "max_tokens",
        ),
        (
            with(&user(json!("a")), &json!({"temperature": 1.5})),
            "temperature",
        ),
        (
            with(
                &user(json!("a")),
                &json!({"tools": [{"type": "web_search_20250305", "name": "web_search"}]}),
            ),
            "web_search_20250305",
        ),
        (
            with(
                &user(json!("a")),
                &json!({"max_tokens": 1, "stop_sequences": [""]}),
            ),
            "stop_sequences must not hold",
        ),
    ];
    for (request, words) in anthropic {
        let (status, body) = served.post("/v1/messages", &request);
        assert_eq!(
            (status, &body["error"]["type"]),
            (400, &json!("invalid_request_error")),
            "{body}"
        );
        assert!(
            body["error"]["message"]
                .as_str()
                .is_some_and(|message| message.contains(words)),
            "{body}"
        );
    }
    // None of it has loaded a model.
    assert_eq!(served.app.loaded(), []);
}

/// Case 47 of the public reports: content as parts, as nothing and as an empty text.
#[test]
fn content_comes_in_every_form() {
    let served = Served::tiny();
    let call = json!([{"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}]);
    let text = |text: &str| json!([{"type": "text", "text": text}]);
    let asked = json!({"model": "tiny", "max_completion_tokens": 2, "an_unknown_field": {"x": 1}, "messages": [
        {"role": "system", "content": text("Be brief.")},
        {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
        {"role": "assistant", "content": null, "tool_calls": call},
        {"role": "tool", "tool_call_id": "c1", "content": text("A cat.")},
        {"role": "assistant", "content": ""},
        {"role": "user", "content": ""}]});
    let body = whole(&served, "/v1/chat/completions", &asked);
    assert_eq!(body["usage"]["completion_tokens"], 2);
}

/// What cannot be honoured has a code of its own.
#[test]
fn what_is_not_there_is_told_as_unsupported() {
    let served = Served::tiny();
    let chat = |fields: Value| with(&json!({"messages": [{"role": "user", "content": "a"}]}), &fields);
    let said = |part: Value| json!({"messages": [{"role": "user", "content": [part]}]});
    let cases = [
        (
            "/v1/chat/completions",
            chat(json!({"tools": [{"type": "custom"}]})),
        ),
        ("/v1/chat/completions", said(json!({"type": "input_audio"}))),
        ("/v1/chat/completions", said(json!({"type": "file"}))),
        (
            "/v1/responses",
            json!({"input": "a", "tools": [{"type": "custom", "name": "x"}]}),
        ),
        (
            "/v1/responses",
            json!({"input": "a", "tools": [{"type": "mcp", "server_label": "x"}]}),
        ),
    ];
    for (path, request) in cases {
        let (status, body) = served.post(path, &request);
        let code = &body["error"]["code"];
        assert_eq!((status, code), (400, &json!("unsupported_parameter")), "{body}");
    }
}

/// A picture that a tool shows was refused as if only people could show any.
#[test]
fn a_model_that_sees_nothing_is_shown_no_picture_by_anybody() {
    let served = Served::tiny();
    let data = "R0lGODlhLi4=";
    let address = format!("data:image/gif;base64,{data}");
    let picture = json!([{"type": "image_url", "image_url": {"url": address}}]);
    let theirs =
        json!([{"type": "image", "source": {"type": "base64", "media_type": "image/gif", "data": data}}]);
    let seen = json!([{"type": "input_image", "image_url": address}]);
    let call = json!({"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}});
    let cases = [
        (
            "/v1/chat/completions",
            json!({"messages": [{"role": "user", "content": picture}]}),
        ),
        (
            "/v1/chat/completions",
            json!({"messages": [{"role": "assistant", "tool_calls": [call]},
                {"role": "tool", "tool_call_id": "c1", "content": picture}]}),
        ),
        (
            "/v1/responses",
            json!({"input": [{"type": "function_call", "call_id": "c1", "name": "look", "arguments": "{}"},
                {"type": "function_call_output", "call_id": "c1", "output": seen}]}),
        ),
        (
            "/v1/messages",
            json!({"max_tokens": 1, "messages": [
                {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "look", "input": {}}]},
                {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": theirs}]}]}),
        ),
    ];
    for (path, request) in cases {
        let (status, body) = served.post(path, &request);
        let words = body["error"]["message"].as_str().unwrap_or_default();
        assert_eq!(
            (status, words.contains("cannot see images")),
            (400, true),
            "{body}"
        );
    }
}

//! `POST /v1/messages` and the counting of its tokens.

use super::*;

const PATH: &str = "/v1/messages";

/// A stream's events as the message that they make up, the way clients put it together.
fn accumulated(events: &[Value]) -> Value {
    let mut message = Value::Null;
    let mut arguments = Vec::new();
    for event in events {
        let place = event["index"].as_u64().unwrap_or_default() as usize;
        match event["type"].as_str().expect("a type") {
            "message_start" => message = event["message"].clone(),
            "content_block_start" => {
                let content = message["content"].as_array_mut().expect("blocks");
                assert_eq!(content.len(), place);
                content.push(event["content_block"].clone());
                arguments.push(String::new());
            }
            "content_block_delta" => {
                let delta = &event["delta"];
                let block = &mut message["content"][place];
                let mut add = |field: &str| {
                    let more = delta[field].as_str().expect("text");
                    let text = format!("{}{more}", block[field].as_str().expect("text"));
                    block[field] = text.into();
                };
                match delta["type"].as_str().expect("a type") {
                    "text_delta" => add("text"),
                    "thinking_delta" => add("thinking"),
                    "signature_delta" => add("signature"),
                    "input_json_delta" => {
                        arguments[place].push_str(delta["partial_json"].as_str().expect("text"))
                    }
                    other => panic!("{other}"),
                }
            }
            "content_block_stop" if !arguments[place].is_empty() => {
                message["content"][place]["input"] = serde_json::from_str(&arguments[place]).expect("JSON");
            }
            "message_delta" => {
                for (field, value) in event["delta"].as_object().expect("fields") {
                    message[field] = value.clone();
                }
                message["usage"] = event["usage"].clone();
            }
            "content_block_stop" | "ping" | "message_stop" => (),
            other => panic!("{other}"),
        }
    }
    message
}

/// A message without what differs from one answer to the next.
fn same(message: &Value) -> Value {
    let mut message = with(message, &json!({"id": null}));
    // The second of two finds the first's prompt in the cache.
    let usage = &message["usage"];
    let read = usage["input_tokens"].as_u64().expect("a number");
    let cached = usage["cache_read_input_tokens"].as_u64().expect("a number");
    message["usage"] = json!([read + cached, usage["output_tokens"]]);
    for block in message["content"].as_array_mut().expect("blocks") {
        if block["type"] == "tool_use" {
            block["id"] = Value::Null;
        }
    }
    message
}

#[test]
fn a_stream_adds_up_to_the_whole_answer() {
    let served = Served::tiny();
    let asked = json!({"model": "tiny", "max_tokens": 12, "temperature": 0, "system": [{"type": "text", "text": "Be."}],
        "messages": [{"role": "user", "content": [{"type": "text", "text": "Hi", "cache_control": {"type": "ephemeral"}}]}]});
    let body = whole(&served, PATH, &asked);
    assert_eq!(
        (&body["stop_reason"], &body["stop_sequence"]),
        (&json!("max_tokens"), &Value::Null)
    );
    let events = frames(&served, PATH, &asked);
    assert_eq!(same(&accumulated(&events)), same(&body));
    let counted = whole(&served, "/v1/messages/count_tokens", &asked);
    assert_eq!(same(&body)["usage"], json!([counted["input_tokens"], 12]));
    // The first event says already how long the prompt is.
    let begun = &events[0]["message"]["usage"];
    let prompt = begun["input_tokens"]
        .as_u64()
        .zip(begun["cache_read_input_tokens"].as_u64());
    assert_eq!(
        prompt.map(|(read, cached)| read + cached),
        counted["input_tokens"].as_u64()
    );
}

#[test]
fn an_answer_names_its_request_and_a_refusal_too() {
    let served = Served::tiny();
    let asked = json!({"max_tokens": 1, "messages": [{"role": "user", "content": "Hi"}]});
    for (request, status) in [(asked, 200), (json!({"messages": []}), 400)] {
        let headers = [("anthropic-version", "2023-06-01")];
        let response = served.send("POST", PATH, &headers, request.to_string().as_bytes());
        assert_eq!(response.status, status);
        let id = response.header("request-id").expect("a name").to_owned();
        assert!(id.starts_with("req_"), "{id}");
        if status != 200 {
            let (_, body) = response.json();
            assert_eq!(
                (&body["type"], &body["request_id"]),
                (&json!("error"), &json!(id))
            );
            assert_eq!(body["error"]["type"], "invalid_request_error");
        }
    }
}

#[test]
fn an_answer_ends_at_a_stop_sequence_and_goes_on_with_a_begun_one() {
    let served = Served::smollm();
    let turn = |role: &str, content: &str| json!({"role": role, "content": content});
    let asked = json!({"model": "smollm2", "max_tokens": 40, "temperature": 0, "stop_sequences": ["zzz", "Berlin"],
        "messages": [turn("user", "What is the capital of Germany?")]});
    let body = whole(&served, PATH, &asked);
    assert_eq!(
        (&body["stop_reason"], &body["stop_sequence"]),
        (&json!("stop_sequence"), &json!("Berlin"))
    );
    assert_eq!(body["content"][0]["text"], "The capital of Germany is ");
    assert_eq!(same(&accumulated(&frames(&served, PATH, &asked))), same(&body));
    let begun = json!([
        turn("user", "What is the capital of Germany?"),
        turn("assistant", "The capital of Germany is")
    ]);
    let body = whole(
        &served,
        PATH,
        &json!({"model": "smollm2", "max_tokens": 3, "temperature": 0, "messages": begun}),
    );
    let text = body["content"][0]["text"].as_str().expect("text");
    assert!(text.trim_start().starts_with("Berlin"), "{text}");
}

#[test]
fn a_tool_is_called_as_its_schema_says() {
    let served = Served::smollm();
    let asked = json!({"model": "smollm2", "max_tokens": 200, "temperature": 0,
        "tool_choice": {"type": "any", "disable_parallel_tool_use": true},
        "tools": [{"name": "weather", "description": "Tells the weather.", "input_schema": city_schema()}],
        "messages": [{"role": "user", "content": "What is the weather in Rome?"}]});
    let body = whole(&served, PATH, &asked);
    assert_eq!(body["stop_reason"], "tool_use", "{body}");
    let call = &body["content"][0];
    assert_eq!(
        (&call["type"], &call["name"]),
        (&json!("tool_use"), &json!("weather"))
    );
    assert_is_city(&call["input"]);
    let streamed = accumulated(&frames(&served, PATH, &asked));
    assert_eq!(streamed["stop_reason"], "tool_use", "{streamed}");
    assert_is_city(&streamed["content"][0]["input"]);
    let result = json!([{"type": "tool_result", "tool_use_id": call["id"], "content": "Sunny."}]);
    let mut asked = with(
        &asked,
        &json!({"tool_choice": {"type": "none"}, "max_tokens": 20}),
    );
    let messages = asked["messages"].as_array_mut().expect("messages");
    messages.push(json!({"role": "assistant", "content": [call]}));
    messages.push(json!({"role": "user", "content": result}));
    let body = whole(&served, PATH, &asked);
    assert_eq!(body["content"][0]["type"], "text", "{body}");
}

/// Its SDK lists models at OpenAI's place.
#[test]
fn models_have_anthropics_shape_where_its_client_asks() {
    let served = Served::tiny();
    let get = |path: &str| {
        let response = served.send("GET", path, &[("anthropic-version", "2023-06-01")], b"");
        assert!(response.header("request-id").is_some(), "{path}");
        response.json()
    };
    let (status, page) = get("/v1/models?limit=1000");
    assert_eq!(status, 200, "{page}");
    let model = &page["data"][0];
    assert_eq!((&model["type"], &model["id"]), (&json!("model"), &json!("tiny")));
    let created = model["created_at"].as_str().expect("a time");
    assert!(created.starts_with("20") && created.ends_with('Z'), "{created}");
    assert_eq!(
        (&page["has_more"], &page["first_id"], &page["last_id"]),
        (&json!(false), &json!("tiny"), &json!("tiny"))
    );
    assert_eq!(get("/v1/models/tiny"), (200, model.clone()));
    let (status, refused) = get("/v1/models/nope");
    assert_eq!(
        (status, &refused["error"]["type"]),
        (404, &json!("not_found_error"))
    );
    assert_eq!(get("/v1/models?limit=0").0, 400);
    // Everyone else sees OpenAI's.
    assert_eq!(served.get("/v1/models").1["object"], "list");
}

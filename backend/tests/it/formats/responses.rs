//! `POST /v1/responses` and the answers that it keeps.

use super::*;

const PATH: &str = "/v1/responses";

/// The text of an answer.
fn said(response: &Value) -> String {
    let items = response["output"].as_array().expect("items");
    let messages = items.iter().filter(|item| item["type"] == "message");
    messages
        .filter_map(|item| item["content"][0]["text"].as_str())
        .collect()
}

#[test]
fn a_stream_says_what_the_whole_answer_does_and_is_kept() {
    let served = Served::tiny();
    let asked = json!({"model": "tiny", "input": "Hi", "instructions": "Be brief.", "temperature": 0,
        "max_output_tokens": 12, "metadata": {"note": "x"}});
    let body = whole(&served, PATH, &asked);
    let events = frames(&served, PATH, &asked);
    assert_eq!(joined(&events, "/delta"), said(&body));
    for (place, event) in events.iter().enumerate() {
        assert_eq!(event["sequence_number"], place);
    }
    let last = events.last().expect("an end");
    assert_eq!(last["type"], "response.incomplete");
    let response = &last["response"];
    assert_eq!(said(response), said(&body));
    assert_eq!(response["usage"]["output_tokens"], 12);
    for field in ["input_tokens", "output_tokens", "total_tokens"] {
        assert_eq!(response["usage"][field], body["usage"][field]);
    }
    let counted = served.post(
        "/v1/messages/count_tokens",
        &json!({"system": "Be brief.", "messages": [{"role": "user", "content": "Hi"}]}),
    );
    assert_eq!(
        body["usage"]["input_tokens"], counted.1["input_tokens"],
        "{counted:?}"
    );

    let counted = served.post(&format!("{PATH}/input_tokens"), &asked);
    let tokens = json!({"object": "response.input_tokens", "input_tokens": body["usage"]["input_tokens"]});
    assert_eq!(counted, (200, tokens));

    let path = format!("{PATH}/{}", response["id"].as_str().expect("an id"));
    assert_eq!(served.get(&path), (200, response.clone()));
    let (status, items) = served.get(&format!("{path}/input_items"));
    assert_eq!(
        (status, &items["data"][0]["content"][0]["text"]),
        (200, &json!("Hi"))
    );
    let deleted = served.send("DELETE", &path, &[], b"").json();
    assert_eq!((deleted.0, &deleted.1["deleted"]), (200, &json!(true)));
    assert_eq!(served.get(&path).0, 404);
    assert_eq!(served.send("DELETE", &path, &[], b"").json().0, 404);
}

#[test]
fn an_answer_is_gone_on_from_by_its_id() {
    let served = Served::tiny();
    let limits = json!({"model": "tiny", "temperature": 0, "max_output_tokens": 6});
    let first = whole(&served, PATH, &with(&limits, &json!({"input": "Hi"})));
    // It is there as soon as the stream's last event is.
    let asked = with(
        &limits,
        &json!({"input": "And?", "previous_response_id": first["id"]}),
    );
    let events = frames(&served, PATH, &asked);
    let second = events.last().expect("an end")["response"].clone();
    let asked = with(
        &limits,
        &json!({"input": "So?", "previous_response_id": second["id"], "store": false}),
    );
    let third = whole(&served, PATH, &asked);
    assert_eq!(third["previous_response_id"], second["id"]);
    let turn = |role: &str, content: &Value| json!({"role": role, "content": content});
    let chat = json!([
        turn("user", &json!("Hi")),
        turn("assistant", &json!(said(&first))),
        turn("user", &json!("And?")),
        turn("assistant", &json!(said(&second))),
        turn("user", &json!("So?"))
    ]);
    let whole_chat = whole(&served, PATH, &with(&limits, &json!({"input": chat})));
    assert_eq!(said(&whole_chat), said(&third));
    assert_eq!(
        whole_chat["usage"]["input_tokens"],
        third["usage"]["input_tokens"]
    );

    let id = third["id"].as_str().expect("an id");
    assert_eq!(
        served.get(&format!("{PATH}/{id}")).0,
        404,
        "it was not to be kept"
    );
    let asked = with(&limits, &json!({"input": "x", "previous_response_id": id}));
    let (status, body) = served.post(PATH, &asked);
    assert_eq!(
        (status, &body["error"]["code"], &body["error"]["param"]),
        (
            400,
            &json!("previous_response_not_found"),
            &json!("previous_response_id")
        )
    );
}

#[test]
fn a_tool_is_called_and_its_result_is_read() {
    let served = Served::smollm();
    let asked = json!({"model": "smollm2", "temperature": 0, "max_output_tokens": 200, "tool_choice": "required",
        "input": "What is the weather in Rome?",
        "tools": [{"type": "function", "name": "weather", "parameters": city_schema(), "strict": true}]});
    let body = whole(&served, PATH, &asked);
    let events = frames(&served, PATH, &asked);
    let call = &body["output"][0];
    assert_eq!(
        (&call["type"], &call["name"]),
        (&json!("function_call"), &json!("weather")),
        "{body}"
    );
    let arguments = call["arguments"].as_str().expect("arguments");
    assert_is_city(&serde_json::from_str(arguments).expect("JSON"));
    let streamed = &events.last().expect("an end")["response"]["output"][0]["arguments"];
    let streamed = streamed.as_str().expect("arguments");
    assert_is_city(&serde_json::from_str(streamed).expect("JSON"));
    assert_eq!(joined(&events, "/delta"), streamed);
    let done = events
        .iter()
        .find(|event| event["type"] == "response.function_call_arguments.done");
    assert_eq!(done.expect("the end of the arguments")["arguments"], streamed);
    let result = json!([{"type": "function_call_output", "call_id": call["call_id"], "output": "Sunny."}]);
    let asked = json!({"model": "smollm2", "temperature": 0, "max_output_tokens": 20, "input": result,
        "previous_response_id": body["id"]});
    assert!(!said(&whole(&served, PATH, &asked)).is_empty());
}

/// Case 48 of the public reports.
#[test]
fn a_text_has_the_form_that_was_asked_for() {
    let served = Served::smollm();
    let asked = |format: Value| {
        json!({"model": "smollm2", "temperature": 0, "max_output_tokens": 60,
            "input": "Name a city as JSON.",
            "text": {"format": format}})
    };
    let schema =
        asked(json!({"type": "json_schema", "name": "city", "strict": true, "schema": city_schema()}));
    let body = whole(&served, PATH, &schema);
    assert_is_city(&serde_json::from_str(&said(&body)).expect("JSON"));
    assert_eq!(body["text"]["format"]["name"], "city");
    let streamed = joined(&frames(&served, PATH, &schema), "/delta");
    assert_is_city(&serde_json::from_str(&streamed).expect("JSON"));
    assert!(!said(&whole(&served, PATH, &asked(json!({"type": "text"})))).is_empty());
    let broken = asked(json!({"type": "json_schema", "name": "x", "schema": {"type": "wizard"}}));
    let (status, body) = served.post(PATH, &broken);
    assert_eq!(status, 400, "{body}");
}

use hearth_protocol::completion::CompletionRequest;
use hearth_protocol::generate::StopReason;
use hearth_protocol::prompt::Prompt;
use serde_json::{Value, json};

use super::super::request;
use super::*;
use crate::server::log::Log;
use crate::server::told::{self, end, reasoning, text};
use crate::store::Store;

fn answering() -> Answering {
    let wire = serde_json::from_value(json!({"input": "Hi"})).expect("a request");
    let request = CompletionRequest::new(None, Prompt::chat(Vec::new()));
    Answering::new(request::response(wire, &request, true), "tiny")
}

/// The events of a stream.
fn stream(events: Vec<CompletionEvent>) -> Vec<Value> {
    let events = told::named(ResponseFrames::new(answering(), None), events);
    let event = |(place, (_, data)): (usize, (String, Value))| {
        assert_eq!(data["sequence_number"], place);
        data
    };
    events.into_iter().enumerate().map(event).collect()
}

/// The names of events without what they begin with.
fn order(events: &[Value]) -> Vec<&str> {
    let names = events.iter().filter_map(|event| event["type"].as_str());
    names.filter_map(|name| name.strip_prefix("response.")).collect()
}

fn call(index: u32, arguments: &str) -> [CompletionEvent; 2] {
    [
        told::call(index, &format!("c{index}")),
        told::arguments(index, arguments),
    ]
}

#[test]
fn a_text_is_told_in_the_order_of_the_specification() {
    let events = stream(vec![text("H"), text("i"), end(StopReason::EndOfText)]);
    let expected = [
        "created",
        "in_progress",
        "output_item.added",
        "content_part.added",
        "output_text.delta",
        "output_text.delta",
        "output_text.done",
        "content_part.done",
        "output_item.done",
        "completed",
    ];
    assert_eq!(order(&events), expected);
    assert_eq!(events[0]["response"]["status"], "in_progress");
    let id = &events[2]["item"]["id"];
    for event in &events[3..8] {
        assert_eq!(
            (&event["item_id"], &event["output_index"], &event["content_index"]),
            (id, &json!(0), &json!(0))
        );
    }
    assert_eq!(
        events[3]["part"],
        json!({"type": "output_text", "text": "", "annotations": [], "logprobs": []})
    );
    assert_eq!(
        (&events[4]["delta"], &events[4]["logprobs"]),
        (&json!("H"), &json!([]))
    );
    assert_eq!(
        (&events[6]["text"], &events[6]["logprobs"]),
        (&json!("Hi"), &json!([]))
    );
    let part = json!({"type": "output_text", "text": "Hi", "annotations": [], "logprobs": []});
    assert_eq!(events[7]["part"], part);
    let item =
        json!({"type": "message", "id": id, "status": "completed", "role": "assistant", "content": [part]});
    assert_eq!(events[8]["item"], item);
    let response = &events[9]["response"];
    assert_eq!(
        (&response["status"], &response["output"]),
        (&json!("completed"), &json!([item]))
    );
    assert_eq!(
        response["usage"],
        json!({"input_tokens": 5, "input_tokens_details": {"cached_tokens": 2},
            "output_tokens": 3, "output_tokens_details": {"reasoning_tokens": 1}, "total_tokens": 8})
    );
}

#[test]
fn thinking_text_and_tools_are_items_of_their_own() {
    let mut all = vec![reasoning("Hm"), text("I look.")];
    all.extend(call(0, "{}"));
    all.extend(call(1, "[]"));
    all.push(end(StopReason::ToolCalls));
    let events = stream(all.clone());
    let expected = [
        "created",
        "in_progress",
        "output_item.added",
        "content_part.added",
        "reasoning_text.delta",
        "reasoning_text.done",
        "content_part.done",
        "output_item.done",
        "output_item.added",
        "content_part.added",
        "output_text.delta",
        "output_text.done",
        "content_part.done",
        "output_item.done",
        "output_item.added",
        "function_call_arguments.delta",
        "function_call_arguments.done",
        "output_item.done",
        "output_item.added",
        "function_call_arguments.delta",
        "function_call_arguments.done",
        "output_item.done",
        "completed",
    ];
    assert_eq!(order(&events), expected);
    let indices: Vec<_> = events
        .iter()
        .filter_map(|event| event["output_index"].as_u64())
        .collect();
    assert_eq!(indices, [vec![0; 6], vec![1; 6], vec![2; 4], vec![3; 4]].concat());
    assert_eq!(
        (&events[16]["name"], &events[16]["arguments"]),
        (&json!("look"), &json!("{}"))
    );
    let output = &events[22]["response"]["output"];
    assert_eq!(
        output[0]["content"],
        json!([{"type": "reasoning_text", "text": "Hm"}])
    );
    assert_eq!(
        (&output[0]["type"], &output[0]["summary"]),
        (&json!("reasoning"), &json!([]))
    );
    assert_eq!(
        (&output[3]["call_id"], &output[3]["arguments"]),
        (&json!("c1"), &json!("[]"))
    );

    // A whole answer has the same items, but for their ids.
    let mut whole = answering();
    for event in all {
        whole.take(event, &mut Vec::new());
    }
    let whole = serde_json::to_value(whole.response()).expect("serialise");
    for (one, other) in whole["output"]
        .as_array()
        .into_iter()
        .flatten()
        .zip(output.as_array().into_iter().flatten())
    {
        let without_id = |item: &Value| {
            let mut item = item.clone();
            item["id"] = Value::Null;
            item
        };
        assert_eq!(without_id(one), without_id(other));
    }
    assert_eq!(whole["output"].as_array().map(Vec::len), Some(4));
}

#[test]
fn logprobs_come_with_their_text_and_stand_in_the_item() {
    let token = |bytes: &[u8]| told::token(1, bytes, -1.0);
    let events = stream(vec![
        token(b"H"),
        text("H"),
        token(b"i"),
        text("i"),
        token(b"."),
        end(StopReason::EndOfText),
    ]);
    let tokens = |logprobs: &Value| -> Vec<String> {
        let tokens = logprobs.as_array().into_iter().flatten();
        tokens
            .filter_map(|token| token["token"].as_str().map(str::to_owned))
            .collect()
    };
    assert_eq!(tokens(&events[4]["logprobs"]), ["H"]);
    assert_eq!(tokens(&events[6]["logprobs"]), ["H", "i", "."]);
    assert_eq!(
        tokens(&events[8]["item"]["content"][0]["logprobs"]),
        ["H", "i", "."]
    );
}

#[test]
fn a_limit_leaves_an_answer_incomplete() {
    let events = stream(vec![text("a"), end(StopReason::TokenLimit)]);
    let response = &events.last().expect("an event")["response"];
    assert_eq!(order(&events).last(), Some(&"incomplete"));
    assert_eq!(
        response["incomplete_details"],
        json!({"reason": "max_output_tokens"})
    );
    assert_eq!(
        (&response["status"], &response["output"][0]["status"]),
        (&json!("incomplete"), &json!("incomplete"))
    );
}

#[test]
fn an_answer_without_a_word_is_an_empty_message() {
    let events = stream(vec![end(StopReason::EndOfText)]);
    let response = &events.last().expect("an event")["response"];
    assert_eq!(response["output"][0]["content"][0]["text"], "");
}

#[test]
fn a_failure_in_the_middle_is_told_and_ends_the_stream() {
    let events = stream(vec![text("a"), CompletionEvent::Failed(Error::ServerStopped)]);
    assert_eq!(
        order(&events)[5..],
        [
            "output_text.done",
            "content_part.done",
            "output_item.done",
            "failed"
        ]
    );
    let response = &events.last().expect("an event")["response"];
    assert_eq!(
        (&response["status"], &response["error"]["code"]),
        (&json!("failed"), &json!("server_error"))
    );
    assert_eq!(response["output"][0]["content"][0]["text"], "a");
}

/// One that could not be kept was told to be, so that a later request was to go on from nothing.
#[tokio::test]
async fn the_last_event_says_whether_the_answer_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(&folder.path().join("hearth.db"))
        .await
        .expect("a database");
    let log = Log::open(folder.path().to_owned());
    for is_kept in [true, false] {
        if !is_kept {
            store.refuse_responses().await;
        }
        for ending in [
            end(StopReason::EndOfText),
            end(StopReason::TokenLimit),
            CompletionEvent::Failed(Error::Cancelled),
        ] {
            let mut dialect = ResponseFrames::new(answering(), Some(Keeping::to(store.clone(), log.clone())));
            let id = dialect.answering.response().id.clone();
            let mut frames = Frames::default();
            dialect.begin(&mut frames);
            dialect.take(0, text("Hi"), &mut frames);
            match ending {
                CompletionEvent::Failed(error) => dialect.fail(error, &mut frames),
                ending => {
                    dialect.take(0, ending, &mut frames);
                    dialect.end(&mut frames);
                }
            }
            dialect.settle().expect("it is to be kept").await;
            dialect.settled(&mut frames);
            let told = frames.into_text();
            let data = told.trim_end().rsplit("data: ").next().expect("a last event");
            let last: Value = serde_json::from_str(data).expect("JSON");
            assert_eq!(last["response"]["store"], is_kept, "{last}");
            assert_eq!(store.response(&id).await.expect("read").is_some(), is_kept);
        }
    }
}

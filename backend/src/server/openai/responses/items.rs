//! Items: from a request to what a model is given, and to what is kept.

use hearth_protocol::Image;
use hearth_protocol::chat::Role;
use hearth_protocol::openai::responses::item::{Content, InputItem, MessageRole, Part as WirePart};
use hearth_protocol::prompt::PromptMessage;
use hearth_protocol::tools::ToolCall;
use serde_json::{Value, json};

use super::super::messages::{Part, text_alone, together, tool_called};
use super::super::new_id;
use crate::server::refusal::Refusal;

/// Adds items to a chat. What the model thought and the tools that it called become one message with what it said.
///
/// # Errors
/// Names the item that cannot be given to a model.
pub(super) fn add(
    field: &str,
    items: Vec<InputItem>,
    messages: &mut Vec<PromptMessage>,
) -> Result<(), Refusal> {
    let mut thought: Option<String> = None;
    for (place, item) in items.into_iter().enumerate() {
        let field = format!("{field}[{place}]");
        match item {
            InputItem::Message { role, content } => {
                let field = format!("{field}.content");
                let (text, images) = match (role, parts(&field, content)?) {
                    (MessageRole::User, said) => said,
                    (_, said) => (text_alone(&field, said)?, Vec::new()),
                };
                messages.push(PromptMessage {
                    images,
                    reasoning: thought.take().filter(|_| role == MessageRole::Assistant),
                    ..PromptMessage::text(speaker(role), text)
                });
            }
            InputItem::Reasoning { summary, content } => {
                let mut texts = Vec::new();
                for content in [content, summary].into_iter().flatten() {
                    texts.push(parts(&field, content)?.0);
                }
                // In full where it is there, else in short.
                thought = texts.into_iter().find(|text| !text.is_empty()).or(thought);
            }
            InputItem::FunctionCall {
                call_id,
                name,
                arguments,
            } => {
                let call = ToolCall {
                    id: call_id,
                    name,
                    arguments,
                };
                match messages.last_mut() {
                    Some(last) if last.role == Role::Assistant && thought.is_none() => {
                        last.tool_calls.push(call)
                    }
                    _ => messages.push(PromptMessage {
                        reasoning: thought.take(),
                        tool_calls: vec![call],
                        ..PromptMessage::text(Role::Assistant, "")
                    }),
                }
            }
            InputItem::FunctionCallOutput { call_id, output } => {
                let field = format!("{field}.output");
                let (text, images) = parts(&field, output)?;
                let name = tool_called(messages, &call_id);
                messages.push(PromptMessage {
                    images,
                    name,
                    tool_call_id: Some(call_id),
                    ..PromptMessage::text(Role::Tool, text)
                });
            }
        }
    }
    Ok(())
}

fn speaker(role: MessageRole) -> Role {
    match role {
        MessageRole::System => Role::System,
        MessageRole::User => Role::User,
        MessageRole::Assistant => Role::Assistant,
    }
}

fn parts(field: &str, content: Content) -> Result<(String, Vec<Image>), Refusal> {
    let parts = match content {
        Content::Text(text) => return Ok((text, Vec::new())),
        Content::Parts(parts) => parts,
    };
    let parts = parts.into_iter().map(|part| match part {
        WirePart::Text { text } => Part::Text(text),
        WirePart::Refusal { refusal } => Part::Text(refusal),
        WirePart::Image { image_url } => Part::Picture(image_url),
        WirePart::File {} => Part::Beyond("input_file"),
        WirePart::Audio {} => Part::Beyond("input_audio"),
    });
    together(field, parts)
}

/// The input of a request as items that are kept: each with its kind and an id.
pub(super) fn kept(input: Option<Value>) -> Vec<Value> {
    let items = match input {
        None => Vec::new(),
        Some(Value::Array(items)) => items,
        Some(text) => vec![json!({"role": "user", "content": [{"type": "input_text", "text": text}]})],
    };
    items.into_iter().map(named).collect()
}

fn named(mut item: Value) -> Value {
    if let Value::Object(fields) = &mut item {
        let kind = fields.get("type").and_then(Value::as_str).unwrap_or("message");
        let prefix = match kind {
            "function_call" => "fc_",
            "function_call_output" => "fco_",
            "reasoning" => "rs_",
            _ => "msg_",
        };
        let kind = kind.to_owned();
        fields.insert("type".into(), kind.into());
        if !fields.get("id").is_some_and(Value::is_string) {
            fields.insert("id".into(), new_id(prefix).into());
        }
        // The specification knows messages by their parts only.
        if let Some(Value::String(text)) = fields.get("content") {
            let from_model = fields.get("role").and_then(Value::as_str) == Some("assistant");
            let part = if from_model { "output_text" } else { "input_text" };
            let mut parts = json!([{"type": part, "text": text}]);
            if from_model {
                parts[0]["annotations"] = json!([]);
                parts[0]["logprobs"] = json!([]);
            }
            fields.insert("content".into(), parts);
        }
    }
    item
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(items: Value) -> Result<Vec<PromptMessage>, Refusal> {
        let items = serde_json::from_value(items).expect("items");
        let mut messages = Vec::new();
        add("input", items, &mut messages).map(|()| messages)
    }

    #[test]
    fn a_turn_of_the_model_is_one_message() {
        let messages = messages(json!([
            {"role": "user", "content": [{"type": "input_text", "text": "a"}, {"type": "input_text", "text": "b"}]},
            {"type": "reasoning", "summary": [], "content": [{"type": "reasoning_text", "text": "Hm"}]},
            {"type": "message", "role": "assistant", "content": "I look."},
            {"type": "function_call", "call_id": "c1", "name": "look", "arguments": "{}"},
            {"type": "function_call", "call_id": "c2", "name": "hear", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "c2", "output": "Nothing."},
            {"type": "function_call_output", "call_id": "c9", "output": [{"type": "input_text", "text": "x"}]}
        ]))
        .expect("messages");
        assert_eq!(messages.len(), 4);
        assert_eq!(messages[0].text, "a\nb");
        assert_eq!(messages[1].reasoning.as_deref(), Some("Hm"));
        let calls: Vec<_> = messages[1]
            .tool_calls
            .iter()
            .map(|call| call.name.as_str())
            .collect();
        assert_eq!(
            (messages[1].text.as_str(), calls),
            ("I look.", vec!["look", "hear"])
        );
        assert_eq!(messages[2].name.as_deref(), Some("hear"));
        assert_eq!(
            (messages[3].name.as_deref(), messages[3].text.as_str()),
            (None, "x")
        );
    }

    #[test]
    fn a_picture_that_cannot_be_had_is_named() {
        let image = |role: &str, address: &str| {
            let part = json!({"type": "input_image", "image_url": address});
            let refused = messages(json!([{"role": role, "content": [part]}])).err();
            refused.and_then(|refusal| refusal.param)
        };
        assert_eq!(image("user", "data:image/gif;base64,R0lGODlhLi4="), None);
        let place = Some("input[0].content[0].image_url");
        assert_eq!(image("user", "https://example.org/a.png").as_deref(), place);
        let place = Some("input[0].content");
        assert_eq!(
            image("assistant", "data:image/gif;base64,R0lGODlhLi4=").as_deref(),
            place
        );
    }

    #[test]
    fn what_is_kept_can_be_read_again() {
        let items = kept(Some(json!("Hi")));
        assert_eq!(items[0]["content"], json!([{"type": "input_text", "text": "Hi"}]));
        assert_eq!(
            (&items[0]["type"], &items[0]["role"]),
            (&json!("message"), &json!("user"))
        );
        let items = kept(Some(json!([
            {"role": "assistant", "content": "I"},
            {"type": "function_call", "id": "fc_1", "call_id": "c", "name": "f", "arguments": "{}"}
        ])));
        assert_eq!(items[1]["id"], "fc_1");
        assert!(items[0]["id"].as_str().is_some_and(|id| id.starts_with("msg_")));
        assert_eq!(messages(items.into()).expect("messages")[0].text, "I");
        assert_eq!(kept(None), Vec::<Value>::new());
    }
}

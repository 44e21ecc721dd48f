//! The messages of a chat, from OpenAI's shape to what a model is given.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hearth_protocol::Image;
use hearth_protocol::chat::Role;
use hearth_protocol::openai::chat::{AssistantBeyond, ChatMessage, Content, ContentPart};
use hearth_protocol::prompt::PromptMessage;

use super::tools;
use crate::server::refusal::Refusal;
use crate::server::shown::behind_tools;

/// Stands between two parts of a message.
const SEAM: &str = "\n";

/// The messages as a model is given them.
///
/// # Errors
/// Names the message that cannot be given.
pub(super) fn prompt(messages: Vec<ChatMessage>) -> Result<Vec<PromptMessage>, Refusal> {
    let mut prompt: Vec<PromptMessage> = Vec::with_capacity(messages.len());
    for (place, message) in messages.into_iter().enumerate() {
        let message = one(place, message, &prompt)?;
        prompt.push(message);
    }
    Ok(behind_tools(prompt))
}

fn one(place: usize, message: ChatMessage, before: &[PromptMessage]) -> Result<PromptMessage, Refusal> {
    let field = format!("messages[{place}].content");
    Ok(match message {
        ChatMessage::System { content, name } => PromptMessage {
            name,
            ..text_only(&field, Role::System, content)?
        },
        ChatMessage::User { content, name } => {
            let (text, images) = parts(&field, content)?;
            PromptMessage {
                images,
                name,
                ..PromptMessage::text(Role::User, text)
            }
        }
        ChatMessage::Assistant {
            content,
            reasoning_content,
            tool_calls,
            name,
            beyond,
        } => {
            refuse_beyond(place, &beyond)?;
            let calls = tool_calls.unwrap_or_default();
            let content = content.unwrap_or_else(|| Content::Text(String::new()));
            PromptMessage {
                reasoning: reasoning_content,
                tool_calls: calls.into_iter().map(tools::called).collect(),
                name,
                ..text_only(&field, Role::Assistant, content)?
            }
        }
        ChatMessage::Tool {
            content,
            tool_call_id,
        } => {
            let (text, images) = parts(&field, content)?;
            PromptMessage {
                images,
                name: tool_called(before, &tool_call_id),
                tool_call_id: Some(tool_call_id),
                ..PromptMessage::text(Role::Tool, text)
            }
        }
    })
}

/// Refuses what no model is given, by name.
fn refuse_beyond(place: usize, beyond: &AssistantBeyond) -> Result<(), Refusal> {
    let cases = [
        (
            beyond.function_call.is_some(),
            "function_call",
            "is the older form and not there; use tool_calls",
        ),
        (
            beyond.audio.is_some(),
            "audio",
            "names a sound that OpenAI keeps; send its text as content",
        ),
    ];
    match cases.into_iter().find(|(is_there, ..)| *is_there) {
        Some((_, field, reason)) => Err(Refusal::unsupported(
            &format!("messages[{place}].{field}"),
            reason,
        )),
        None => Ok(()),
    }
}

fn text_only(field: &str, role: Role, content: Content) -> Result<PromptMessage, Refusal> {
    let text = text_alone(field, parts(field, content)?)?;
    Ok(PromptMessage::text(role, text))
}

fn parts(field: &str, content: Content) -> Result<(String, Vec<Image>), Refusal> {
    let parts = match content {
        Content::Text(text) => return Ok((text, Vec::new())),
        Content::Parts(parts) => parts,
    };
    let parts = parts.into_iter().map(|part| match part {
        ContentPart::Text { text } => Part::Text(text),
        ContentPart::Refusal { refusal } => Part::Text(refusal),
        ContentPart::ImageUrl { image_url } => Part::Picture(Some(image_url.url)),
        ContentPart::InputAudio {} => Part::Beyond("input_audio"),
        ContentPart::File {} => Part::Beyond("file"),
    });
    together(field, parts)
}

/// A part of a message in either of OpenAI's interfaces.
pub(super) enum Part {
    Text(String),
    /// A picture by its address.
    Picture(Option<String>),
    /// What no model is given, by its kind.
    Beyond(&'static str),
}

/// The text of a message, its parts below each other, and its pictures.
///
/// # Errors
/// Names the part that cannot be had.
pub(super) fn together(
    field: &str,
    parts: impl IntoIterator<Item = Part>,
) -> Result<(String, Vec<Image>), Refusal> {
    let (mut texts, mut images) = (Vec::new(), Vec::new());
    for (place, part) in parts.into_iter().enumerate() {
        match part {
            Part::Text(text) => texts.push(text),
            Part::Picture(address) => {
                let field = format!("{field}[{place}].image_url");
                let address = address
                    .ok_or_else(|| Refusal::field(&field, "is missing; this server keeps no files"))?;
                images.push(image(&field, &address)?);
            }
            Part::Beyond(kind) => {
                let reason = format!("is {kind}, which is not there; send text or pictures");
                return Err(Refusal::unsupported(&format!("{field}[{place}].type"), &reason));
            }
        }
    }
    Ok((texts.join(SEAM), images))
}

/// The text of what holds no picture.
///
/// # Errors
/// Where it holds one.
pub(super) fn text_alone(field: &str, said: (String, Vec<Image>)) -> Result<String, Refusal> {
    match said {
        (text, images) if images.is_empty() => Ok(text),
        _ => Err(Refusal::field(
            field,
            "holds a picture, which only a user's message and a tool's result may",
        )),
    }
}

/// The tool that one of these messages called under this name of the call.
pub(in crate::server) fn tool_called(messages: &[PromptMessage], call: &str) -> Option<String> {
    let mut calls = messages.iter().rev().flat_map(|message| &message.tool_calls);
    calls
        .find(|known| known.id == call)
        .map(|known| known.name.clone())
}

/// The picture in a `data:` address (RFC 2397).
///
/// # Errors
/// Where the address is another one, since the server fetches nothing, or holds no picture.
fn image(field: &str, address: &str) -> Result<Image, Refusal> {
    let data = address
        .strip_prefix("data:")
        .ok_or_else(|| Refusal::field(field, "must be a data: address; this server fetches nothing"))?;
    let base64 = data
        .split_once(";base64,")
        .map(|(_, base64)| base64)
        .ok_or_else(|| Refusal::field(field, "must hold base64"))?;
    picture(field, base64)
}

/// The picture in a text of base64.
///
/// # Errors
/// Where it is none.
pub(in crate::server) fn picture(field: &str, base64: &str) -> Result<Image, Refusal> {
    let bytes = STANDARD
        .decode(base64.trim())
        .map_err(|error| Refusal::field(field, format!("is no base64: {error}")))?;
    Image::new(bytes).map_err(|_| Refusal::field(field, "is no PNG, JPEG, WebP or GIF picture"))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn read(messages: Value) -> Result<Vec<PromptMessage>, Refusal> {
        prompt(serde_json::from_value(messages).expect("messages"))
    }

    #[test]
    fn what_no_model_is_given_is_refused_by_name() {
        let call = json!({"name": "look", "arguments": "{}"});
        for (field, value) in [("function_call", call), ("audio", json!({"id": "audio_1"}))] {
            let user = json!({"role": "user", "content": "a"});
            let assistant = json!({"role": "assistant", "content": "b", field: value});
            let refused = read(json!([user, assistant])).expect_err(field);
            assert_eq!(refused.param, Some(format!("messages[1].{field}")));
            let without = json!({"role": "assistant", "content": "b", field: null});
            assert!(read(json!([user, without])).is_ok(), "{field}");
        }
    }

    #[test]
    fn what_a_tool_shows_is_a_picture_of_the_person() {
        let address = "data:image/gif;base64,R0lGODlhLi4=";
        let result = json!({"role": "tool", "tool_call_id": "1", "content": [
            {"type": "text", "text": "a"}, {"type": "image_url", "image_url": {"url": address}}]});
        let messages = read(json!([result])).expect("messages");
        let found = messages
            .iter()
            .map(|message| (message.role, &*message.text, message.images.len()));
        assert!(
            found.eq([(Role::Tool, "a", 0), (Role::User, "", 1)]),
            "{messages:?}"
        );
    }

    #[test]
    fn a_refusal_is_what_an_assistant_said() {
        let said = |fields: Value| read(json!([fields])).expect("messages").remove(0).text;
        assert_eq!(
            said(json!({"role": "assistant", "content": null, "refusal": "No."})),
            "No."
        );
        assert_eq!(
            said(json!({"role": "assistant", "content": "Yes.", "refusal": null})),
            "Yes."
        );
    }
}

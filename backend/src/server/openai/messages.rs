//! The messages of a chat, from OpenAI's shape to what a model is given.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hearth_protocol::Image;
use hearth_protocol::chat::Role;
use hearth_protocol::openai::chat::{ChatMessage, Content, ContentPart};
use hearth_protocol::prompt::PromptMessage;

use super::tools;
use crate::server::refusal::Refusal;

/// Stands between two parts of a message.
pub(super) const SEAM: &str = "\n";

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
    Ok(prompt)
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
        } => {
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
            let calls = before.iter().rev().flat_map(|message| &message.tool_calls);
            let name = calls
                .filter(|call| call.id == tool_call_id)
                .map(|call| call.name.clone())
                .next();
            PromptMessage {
                tool_call_id: Some(tool_call_id),
                name,
                ..text_only(&field, Role::Tool, content)?
            }
        }
    })
}

fn text_only(field: &str, role: Role, content: Content) -> Result<PromptMessage, Refusal> {
    let (text, images) = parts(field, content)?;
    if !images.is_empty() {
        return Err(Refusal::field(
            field,
            "holds a picture, which only a user's message may",
        ));
    }
    Ok(PromptMessage::text(role, text))
}

/// The text of a message, its parts below each other, and its pictures.
fn parts(field: &str, content: Content) -> Result<(String, Vec<Image>), Refusal> {
    let parts = match content {
        Content::Text(text) => return Ok((text, Vec::new())),
        Content::Parts(parts) => parts,
    };
    let (mut texts, mut images) = (Vec::new(), Vec::new());
    for (place, part) in parts.into_iter().enumerate() {
        match part {
            ContentPart::Text { text } => texts.push(text),
            ContentPart::Refusal { refusal } => texts.push(refusal),
            ContentPart::ImageUrl { image_url } => {
                images.push(image(&format!("{field}[{place}].image_url"), &image_url.url)?);
            }
        }
    }
    Ok((texts.join(SEAM), images))
}

/// The picture in a `data:` address (RFC 2397).
///
/// # Errors
/// Where the address is another one, since the server fetches nothing, or holds no picture.
pub(in crate::server) fn image(field: &str, address: &str) -> Result<Image, Refusal> {
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

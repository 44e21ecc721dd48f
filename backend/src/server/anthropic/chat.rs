//! The messages of a chat, from Anthropic's shape to what a model is given.

use hearth_protocol::Image;
use hearth_protocol::anthropic::request::{Block, Content, ImageSource, Message, Role as WireRole};
use hearth_protocol::chat::Role;
use hearth_protocol::prompt::PromptMessage;
use hearth_protocol::tools::ToolCall;
use serde_json::Value;

use crate::server::openai::messages::{picture, tool_called};
use crate::server::refusal::Refusal;
use crate::server::shown::behind_tools;

/// Stands between two blocks.
const SEAM: &str = "\n";

/// Stands before what a tool says that failed: models have no other sign for it.
const FAILED: &str = "Error: ";

/// The messages as a model is given them. Turns of the same speaker that follow each other are one.
///
/// # Errors
/// Names the block that cannot be given.
pub(super) fn messages(
    system: Option<Content>,
    messages: Vec<Message>,
) -> Result<Vec<PromptMessage>, Refusal> {
    let mut chat = Chat::default();
    if let Some(system) = system {
        let text = text_only("system", system)?;
        chat.messages.push(PromptMessage::text(Role::System, text));
    }
    if messages.is_empty() {
        return Err(Refusal::field("messages", "must hold at least one message"));
    }
    for (place, message) in messages.into_iter().enumerate() {
        let field = format!("messages[{place}].content");
        let blocks = match message.content {
            Content::Text(text) => vec![Block::Text { text }],
            Content::Blocks(blocks) => blocks,
        };
        for (place, block) in blocks.into_iter().enumerate() {
            let field = format!("{field}[{place}]");
            match message.role {
                WireRole::User => chat.user(&field, block)?,
                WireRole::Assistant => chat.assistant(&field, block)?,
            }
        }
        // A turn without a block is a turn all the same.
        chat.turn(match message.role {
            WireRole::User if chat.messages.last().is_some_and(|last| last.role == Role::Tool) => Role::Tool,
            WireRole::User => Role::User,
            WireRole::Assistant => Role::Assistant,
        });
    }
    Ok(behind_tools(chat.messages))
}

/// A chat in the making.
#[derive(Default)]
struct Chat {
    messages: Vec<PromptMessage>,
}

impl Chat {
    /// The message of this speaker that is being written: the last one, or a new one.
    fn turn(&mut self, role: Role) -> &mut PromptMessage {
        if self.messages.last().is_none_or(|last| last.role != role) {
            self.messages.push(PromptMessage::text(role, ""));
        }
        let last = self.messages.len() - 1;
        &mut self.messages[last]
    }

    fn user(&mut self, field: &str, block: Block) -> Result<(), Refusal> {
        match block {
            Block::Text { text } => add(&mut self.turn(Role::User).text, &text),
            Block::Image { source } => {
                let image = image(field, source)?;
                self.turn(Role::User).images.push(image);
            }
            Block::ToolResult {
                tool_use_id,
                content,
                is_error,
            } => {
                let (text, images) = match content {
                    Some(content) => shown(&format!("{field}.content"), content)?,
                    None => Default::default(),
                };
                let failed = if is_error == Some(true) { FAILED } else { "" };
                let name = tool_called(&self.messages, &tool_use_id);
                self.messages.push(PromptMessage {
                    images,
                    tool_call_id: Some(tool_use_id),
                    name,
                    ..PromptMessage::text(Role::Tool, format!("{failed}{text}"))
                });
            }
            Block::Document {} => return Err(beyond(field, "document")),
            Block::SearchResult {} => return Err(beyond(field, "search_result")),
            Block::ToolUse { .. } | Block::Thinking { .. } | Block::RedactedThinking {} => {
                return Err(Refusal::field(
                    field,
                    "is a block of an assistant's message, and this is a user's",
                ));
            }
        }
        Ok(())
    }

    fn assistant(&mut self, field: &str, block: Block) -> Result<(), Refusal> {
        match block {
            Block::Text { text } => add(&mut self.turn(Role::Assistant).text, &text),
            Block::Thinking { thinking } => {
                let reasoning = &mut self.turn(Role::Assistant).reasoning;
                add(reasoning.get_or_insert_default(), &thinking);
            }
            Block::RedactedThinking {} => (),
            Block::ToolUse { id, name, input } => self.turn(Role::Assistant).tool_calls.push(ToolCall {
                id,
                name,
                arguments: Value::Object(input).to_string(),
            }),
            Block::Image { .. } | Block::ToolResult { .. } | Block::Document {} | Block::SearchResult {} => {
                return Err(Refusal::field(
                    field,
                    "is a block of a user's message, and this is an assistant's",
                ));
            }
        }
        Ok(())
    }
}

/// The refusal of a block that no model is given.
fn beyond(field: &str, kind: &str) -> Refusal {
    let reason = format!("is {kind}, which is not there; send its text");
    Refusal::unsupported(&format!("{field}.type"), &reason)
}

/// Adds a block's text below the others.
fn add(text: &mut String, more: &str) {
    if !text.is_empty() {
        text.push_str(SEAM);
    }
    text.push_str(more);
}

/// The text of instructions.
fn text_only(field: &str, content: Content) -> Result<String, Refusal> {
    match shown(field, content)? {
        (text, images) if images.is_empty() => Ok(text),
        _ => Err(Refusal::field(
            field,
            "holds a picture, and only text can stand here",
        )),
    }
}

/// The text of blocks, below each other, and their pictures.
fn shown(field: &str, content: Content) -> Result<(String, Vec<Image>), Refusal> {
    let blocks = match content {
        Content::Text(text) => return Ok((text, Vec::new())),
        Content::Blocks(blocks) => blocks,
    };
    let (mut whole, mut images) = (String::new(), Vec::new());
    for (place, block) in blocks.into_iter().enumerate() {
        let field = format!("{field}[{place}]");
        match block {
            Block::Text { text } => add(&mut whole, &text),
            Block::Image { source } => images.push(image(&field, source)?),
            Block::Document {} => return Err(beyond(&field, "document")),
            Block::SearchResult {} => return Err(beyond(&field, "search_result")),
            _ => {
                return Err(Refusal::field(
                    &field,
                    "is neither text nor a picture, and nothing else can stand here",
                ));
            }
        }
    }
    Ok((whole, images))
}

fn image(field: &str, source: ImageSource) -> Result<Image, Refusal> {
    let field = format!("{field}.source");
    match source {
        ImageSource::Base64 { data } => picture(&format!("{field}.data"), &data),
        ImageSource::Url {} => {
            let problem = "must be base64; this server fetches nothing";
            Err(Refusal::unsupported(&field, problem))
        }
        ImageSource::File {} => {
            let problem = "must be base64; this server keeps no files";
            Err(Refusal::unsupported(&field, problem))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn chat(turns: Value) -> Result<Vec<PromptMessage>, Refusal> {
        let system = serde_json::from_value(
            json!([{"type": "text", "text": "Be"}, {"type": "text", "text": "brief."}]),
        );
        messages(
            Some(system.expect("blocks")),
            serde_json::from_value(turns).expect("messages"),
        )
    }

    #[test]
    fn turns_and_their_blocks_become_messages() {
        let chat = chat(json!([
            {"role": "user", "content": "Look."},
            {"role": "user", "content": [{"type": "image", "source": {"type": "base64", "data": "R0lGODlhLi4="}}]},
            {"role": "assistant", "content": [
                {"type": "thinking", "thinking": "Hm", "signature": ""},
                {"type": "redacted_thinking", "data": "x"},
                {"type": "text", "text": "I look."},
                {"type": "tool_use", "id": "t1", "name": "look", "input": {"at": 1}}]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "t1", "content": "No.", "is_error": true},
                {"type": "tool_result", "tool_use_id": "t2"},
                {"type": "text", "text": "Well?"}]},
            {"role": "assistant", "content": ""}
        ]))
        .expect("messages");
        let said: Vec<_> = chat
            .iter()
            .map(|message| (message.role, message.text.as_str()))
            .collect();
        let expected = [
            (Role::System, "Be\nbrief."),
            (Role::User, "Look."),
            (Role::Assistant, "I look."),
            (Role::Tool, "Error: No."),
            (Role::Tool, ""),
            (Role::User, "Well?"),
            (Role::Assistant, ""),
        ];
        assert_eq!(said, expected);
        assert_eq!(chat[1].images.len(), 1);
        assert_eq!(chat[2].reasoning.as_deref(), Some("Hm"));
        assert_eq!(chat[2].tool_calls[0].arguments, r#"{"at":1}"#);
        assert_eq!(chat[3].name.as_deref(), Some("look"));
        assert_eq!(
            (chat[4].tool_call_id.as_deref(), &chat[4].name),
            (Some("t2"), &None)
        );
    }

    /// They were refused as what only a person may show.
    #[test]
    fn what_a_tool_shows_is_a_picture_of_the_person() {
        let picture = json!({"type": "image", "source": {"type": "base64", "data": "R0lGODlhLi4="}});
        let chat = chat(json!([{"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "a"}, picture]},
            {"type": "tool_result", "tool_use_id": "t2", "content": "b"},
            {"type": "text", "text": "Well?"}]}]))
        .expect("messages");
        let found = chat
            .iter()
            .map(|message| (message.role, &*message.text, message.images.len()));
        let expected = [
            (Role::System, "Be\nbrief.", 0),
            (Role::Tool, "a", 0),
            (Role::Tool, "b", 0),
            (Role::User, "Well?", 1),
        ];
        assert!(found.eq(expected), "{chat:?}");
    }

    #[test]
    fn a_block_that_cannot_be_given_is_named() {
        let place = "messages[0].content[0]";
        let cases = [
            (json!([]), "messages".to_owned()),
            (
                json!([{"role": "user", "content": [{"type": "image", "source": {"type": "url", "url": "https://x"}}]}]),
                format!("{place}.source"),
            ),
            (
                json!([{"role": "user", "content": [{"type": "image", "source": {"type": "base64", "data": "AA=="}}]}]),
                format!("{place}.source.data"),
            ),
            (
                json!([{"role": "user", "content": [{"type": "thinking", "thinking": "x"}]}]),
                place.to_owned(),
            ),
            (
                json!([{"role": "user", "content": [{"type": "document", "source": {}}]}]),
                format!("{place}.type"),
            ),
            (
                json!([{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "x", "content": [
                    {"type": "search_result"}]}]}]),
                format!("{place}.content[0].type"),
            ),
            (
                json!([{"role": "assistant", "content": [{"type": "tool_result", "tool_use_id": "x"}]}]),
                place.to_owned(),
            ),
            (
                json!([{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "x", "content": [
                    {"type": "image", "source": {"type": "url"}}]}]}]),
                format!("{place}.content[0].source"),
            ),
            (
                json!([{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "x", "content": [
                    {"type": "thinking", "thinking": "x"}]}]}]),
                format!("{place}.content[0]"),
            ),
        ];
        for (turns, named) in cases {
            let refused = chat(turns.clone()).expect_err(&named);
            assert_eq!(refused.param, Some(named), "{turns}");
        }
    }
}

//! ChatGPT's `conversations.json`: a list of conversations, each a tree of nodes of which one is the current.
//!
//! The file is described nowhere; this is what is in the exports that people get. What the person and the model said to
//! each other comes over, in all versions. What stands between (hidden instructions, tools and their results, notes for
//! the model) does not: it means nothing here, and the file does not hold all of it.

use std::collections::{HashMap, HashSet};

use hearth_protocol::chat::{Role, TurnOptions};
use hearth_protocol::{Result, UnixMillis};
use serde::Deserialize;
use serde_json::Value;

use super::{times_of, title_of};
use crate::chat::whole::{WholeChat, WholeMessage};

/// Stands in place of a picture, which the file does not hold.
const PICTURE: &str = "[picture]";

#[derive(Debug, Deserialize)]
pub(super) struct Conversation {
    title: Option<String>,
    /// Seconds since 1970.
    create_time: Option<f64>,
    mapping: HashMap<String, Node>,
    current_node: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Node {
    message: Option<NodeMessage>,
    parent: Option<String>,
    #[serde(default)]
    children: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct NodeMessage {
    author: Author,
    create_time: Option<f64>,
    content: Option<Content>,
    #[serde(default)]
    metadata: Option<Metadata>,
    /// Whom it is for: a tool, or all.
    recipient: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Author {
    role: String,
}

#[derive(Debug, Deserialize)]
struct Content {
    content_type: String,
    #[serde(default)]
    parts: Option<Vec<Value>>,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    thoughts: Option<Vec<Thought>>,
}

#[derive(Debug, Deserialize)]
struct Thought {
    content: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
struct Metadata {
    model_slug: Option<String>,
    is_visually_hidden_from_conversation: Option<bool>,
}

/// What is known on the way down at a node.
struct Step<'a> {
    node: &'a str,
    /// Place of the message above it.
    parent: Option<usize>,
    /// What the model thought since that.
    thoughts: Vec<&'a str>,
}

/// The chats of a file.
pub(super) fn chats(conversations: Vec<Conversation>) -> Result<Vec<WholeChat>> {
    Ok(conversations.iter().map(chat).collect())
}

fn chat(conversation: &Conversation) -> WholeChat {
    let messages = messages(conversation);
    let (title, title_by_person) = title_of(conversation.title.as_deref(), &messages);
    let (created_at, updated_at) = times_of(conversation.create_time.map(millis), &messages);
    WholeChat {
        title,
        title_by_person,
        pinned: false,
        created_at,
        updated_at,
        options: TurnOptions::default(),
        messages,
    }
}

/// What was said, each message behind the one it answers; the line to the current node is the one that is shown.
fn messages(conversation: &Conversation) -> Vec<WholeMessage> {
    let nodes = &conversation.mapping;
    let current = line_up(nodes, conversation.current_node.as_deref());
    let is_first = |node: &Node| {
        node.parent
            .as_ref()
            .is_none_or(|parent| !nodes.contains_key(parent))
    };
    let mut first: Vec<&str> = nodes
        .iter()
        .filter(|(_, node)| is_first(node))
        .map(|(id, _)| id.as_str())
        .collect();
    first.sort_unstable();
    let mut messages: Vec<WholeMessage> = Vec::new();
    let mut seen = HashSet::new();
    let step = |node, parent, thoughts| Step {
        node,
        parent,
        thoughts,
    };
    let mut steps: Vec<Step<'_>> = first
        .into_iter()
        .rev()
        .map(|node| step(node, None, Vec::new()))
        .collect();
    while let Some(Step {
        node: id,
        mut parent,
        mut thoughts,
    }) = steps.pop()
    {
        // A damaged tree may lead to a node twice.
        let Some(node) = nodes.get(id).filter(|_| seen.insert(id)) else {
            continue;
        };
        if let Some(message) = &node.message {
            thoughts.extend(message.thoughts());
            if let Some((role, text)) = message.said() {
                let above = parent.and_then(|place| messages.get(place));
                let time = message.create_time.map(millis);
                let time = time.or(above.map(|above| above.created_at));
                let time = time.or(conversation.create_time.map(millis));
                let thoughts = std::mem::take(&mut thoughts);
                messages.push(WholeMessage {
                    choice: if current.contains(id) { 2 } else { 1 },
                    reasoning: (role == Role::Assistant && !thoughts.is_empty())
                        .then(|| thoughts.join("\n\n")),
                    model: message.model().filter(|_| role == Role::Assistant),
                    ..WholeMessage::text(role, text, parent, time.unwrap_or(UnixMillis(0)))
                });
                parent = Some(messages.len() - 1);
            }
        }
        let children = node.children.iter().rev();
        steps.extend(children.map(|child| step(child, parent, thoughts.clone())));
    }
    messages
}

/// A node and all above it.
fn line_up<'a>(nodes: &'a HashMap<String, Node>, from: Option<&'a str>) -> HashSet<&'a str> {
    let mut line = HashSet::new();
    let mut next = from;
    while let Some(id) = next.filter(|id| line.insert(*id)) {
        next = nodes.get(id).and_then(|node| node.parent.as_deref());
    }
    line
}

impl NodeMessage {
    /// Who said what to the other; nothing for all else.
    fn said(&self) -> Option<(Role, String)> {
        let role = match self.author.role.as_str() {
            "user" => Role::User,
            "assistant" => Role::Assistant,
            _ => return None,
        };
        let hidden = self
            .metadata
            .as_ref()
            .and_then(|about| about.is_visually_hidden_from_conversation);
        let to_all = self
            .recipient
            .as_deref()
            .is_none_or(|recipient| recipient == "all");
        if hidden == Some(true) || !to_all {
            return None;
        }
        let content = self.content.as_ref()?;
        let text = match content.content_type.as_str() {
            "text" | "multimodal_text" => {
                let parts = content.parts.iter().flatten().filter_map(part);
                parts.collect::<Vec<_>>().join("\n\n")
            }
            "code" => content.text.clone()?,
            _ => return None,
        };
        let text = without_references(&text);
        (!text.trim().is_empty()).then_some((role, text))
    }

    fn thoughts(&self) -> impl Iterator<Item = &str> {
        let content = self
            .content
            .iter()
            .filter(|content| content.content_type == "thoughts");
        let thoughts = content.flat_map(|content| content.thoughts.iter().flatten());
        thoughts.filter_map(|thought| thought.content.as_deref())
    }

    fn model(&self) -> Option<String> {
        self.metadata.as_ref()?.model_slug.clone()
    }
}

/// The text of a part: itself, what was said aloud, or that a picture is there.
fn part(part: &Value) -> Option<String> {
    if let Some(text) = part.as_str() {
        return (!text.is_empty()).then(|| text.to_owned());
    }
    match part.get("content_type")?.as_str()? {
        "audio_transcription" => part.get("text")?.as_str().map(str::to_owned),
        "image_asset_pointer" => Some(PICTURE.to_owned()),
        _ => None,
    }
}

/// A text without references to pages that were looked at, which stand between characters of private use.
fn without_references(text: &str) -> String {
    let mut rest = text;
    let mut kept = String::with_capacity(text.len());
    while let Some((before, reference)) = rest.split_once('\u{e200}') {
        kept.push_str(before);
        rest = reference.split_once('\u{e201}').map_or("", |(_, behind)| behind);
    }
    kept + rest
}

/// Milliseconds of seconds; what is no time is the beginning.
fn millis(seconds: f64) -> UnixMillis {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a time beyond all clocks is the last one there is"
    )]
    UnixMillis((seconds * 1000.0) as i64)
}

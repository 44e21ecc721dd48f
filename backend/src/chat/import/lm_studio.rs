//! LM Studio's `*.conversation.json`: a list of messages, each in one version or several, of which one is selected.
//!
//! What follows a message follows whichever of its versions is selected; here it stands below that one.

use hearth_protocol::UnixMillis;
use hearth_protocol::chat::{Role, TurnOptions};
use hearth_protocol::generate::StopReason;
use serde::Deserialize;
use serde_json::Value;

use super::{times_of, title_of};
use crate::chat::whole::{WholeChat, WholeMessage};

/// Where the instructions stand that belong to one chat.
const SYSTEM_PROMPT_KEY: &str = "llm.prediction.systemPrompt";

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Conversation {
    name: Option<String>,
    /// Milliseconds since 1970.
    created_at: Option<f64>,
    #[serde(default)]
    pinned: bool,
    system_prompt: Option<String>,
    per_chat_prediction_config: Option<Config>,
    messages: Vec<Versioned>,
}

#[derive(Debug, Deserialize)]
struct Config {
    #[serde(default)]
    fields: Vec<Field>,
}

#[derive(Debug, Deserialize)]
struct Field {
    key: String,
    #[serde(default)]
    value: Value,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Versioned {
    versions: Vec<Version>,
    #[serde(default)]
    currently_selected: usize,
}

/// A version: a text of a person's, or an answer in steps.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Version {
    role: String,
    #[serde(default)]
    content: Vec<Part>,
    #[serde(default)]
    steps: Vec<Step>,
    sender_info: Option<Sender>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Sender {
    sender_name: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Part {
    #[serde(rename = "type")]
    kind: String,
    text: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Step {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    content: Vec<Part>,
    style: Option<Style>,
    gen_info: Option<GenerationInfo>,
}

#[derive(Debug, Deserialize)]
struct Style {
    #[serde(rename = "type")]
    kind: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct GenerationInfo {
    identifier: Option<String>,
    stats: Option<Stats>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Stats {
    stop_reason: Option<String>,
}

/// The chat of a file.
pub(super) fn chat(conversation: Conversation) -> WholeChat {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a time beyond all clocks is the last one there is"
    )]
    let created = conversation.created_at.map(|time| UnixMillis(time as i64));
    let messages = messages(&conversation, created.unwrap_or(UnixMillis(0)));
    let (title, title_by_person) = title_of(conversation.name.as_deref(), &messages);
    let (created_at, updated_at) = times_of(created, &messages);
    let fields = conversation
        .per_chat_prediction_config
        .into_iter()
        .flat_map(|config| config.fields);
    let mut of_chat = fields.filter(|field| field.key == SYSTEM_PROMPT_KEY);
    let of_chat = of_chat.find_map(|field| field.value.as_str().map(str::to_owned));
    let system_prompt = conversation.system_prompt.filter(|text| !text.trim().is_empty());
    WholeChat {
        title,
        title_by_person,
        pinned: conversation.pinned,
        created_at,
        updated_at,
        options: TurnOptions {
            system_prompt: system_prompt.or(of_chat).filter(|text| !text.trim().is_empty()),
            ..TurnOptions::default()
        },
        messages,
    }
}

fn messages(conversation: &Conversation, time: UnixMillis) -> Vec<WholeMessage> {
    let mut messages: Vec<WholeMessage> = Vec::new();
    let mut parent = None;
    for versioned in &conversation.messages {
        let mut below = None;
        for (number, version) in versioned.versions.iter().enumerate() {
            let Some(message) = version.read(parent, time) else {
                continue;
            };
            let selected = number == versioned.currently_selected;
            messages.push(WholeMessage {
                choice: if selected { 2 } else { 1 },
                ..message
            });
            if selected || below.is_none() {
                below = Some(messages.len() - 1);
            }
        }
        parent = below.or(parent);
    }
    messages
}

impl Version {
    /// The message; nothing where nothing was said.
    fn read(&self, parent: Option<usize>, time: UnixMillis) -> Option<WholeMessage> {
        let role = match self.role.as_str() {
            "user" => Role::User,
            "assistant" => Role::Assistant,
            "system" => Role::System,
            _ => return None,
        };
        let said = |step: &&Step| step.kind == "contentBlock";
        let thinks =
            |step: &&Step| step.style.as_ref().and_then(|style| style.kind.as_deref()) == Some("thinking");
        let steps = self.steps.iter().filter(said);
        let thoughts = join(steps.clone().filter(thinks).map(|step| text(&step.content)));
        let answer = steps
            .clone()
            .filter(|step| !thinks(step))
            .map(|step| text(&step.content));
        let text = join(std::iter::once(text(&self.content)).chain(answer));
        if text.is_empty() && thoughts.is_empty() {
            return None;
        }
        let mut message = WholeMessage::text(role, text, parent, time);
        if role == Role::Assistant {
            let infos = steps.filter_map(|step| step.gen_info.as_ref());
            let identifier = infos.clone().find_map(|info| info.identifier.clone());
            let sender = self
                .sender_info
                .as_ref()
                .and_then(|sender| sender.sender_name.clone());
            let stop = infos
                .filter_map(|info| info.stats.as_ref()?.stop_reason.as_deref())
                .next_back();
            message.reasoning = Some(thoughts).filter(|thoughts| !thoughts.is_empty());
            message.model = sender.or(identifier).filter(|name| !name.is_empty());
            message.stop = Some(stop_reason(stop));
        }
        Some(message)
    }
}

/// The texts of a content, one below the other. Files and pictures beside it are named in it only, and not kept.
fn text(content: &[Part]) -> String {
    let texts = content.iter().filter(|part| part.kind == "text");
    join(texts.filter_map(|part| part.text.clone()))
}

fn join(texts: impl Iterator<Item = String>) -> String {
    let texts = texts
        .map(|text| text.trim().to_owned())
        .filter(|text| !text.is_empty());
    texts.collect::<Vec<_>>().join("\n\n")
}

fn stop_reason(reason: Option<&str>) -> StopReason {
    match reason {
        Some("userStopped") => StopReason::UserStopped,
        Some("maxPredictedTokensReached") => StopReason::TokenLimit,
        Some("contextLengthReached") => StopReason::ContextFull,
        _ => StopReason::EndOfText,
    }
}

//! A chat as a whole, with all versions of its messages: what is copied, and what an exported file holds.

use hearth_protocol::UnixMillis;
use hearth_protocol::chat::attachment::Attachment;
use hearth_protocol::chat::{Role, TurnOptions};
use hearth_protocol::generate::{StopReason, TurnStats};
use hearth_protocol::tools::ToolCall;
use serde::{Deserialize, Serialize};

/// A chat.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct WholeChat {
    /// Its title, one line.
    pub(crate) title: String,
    /// Whether a person gave it.
    #[serde(default)]
    pub(crate) title_by_person: bool,
    /// Whether it stands at the top of the list.
    #[serde(default)]
    pub(crate) pinned: bool,
    /// When it was begun.
    pub(crate) created_at: UnixMillis,
    /// When a message last came.
    pub(crate) updated_at: UnixMillis,
    /// How it is answered, its instructions too.
    #[serde(default)]
    pub(crate) options: TurnOptions,
    /// All messages, each behind the one it answers.
    pub(crate) messages: Vec<WholeMessage>,
}

/// One message in one version.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct WholeMessage {
    /// Place of the message it answers among all, from 0; nothing for a first one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) parent: Option<usize>,
    /// Of the messages with one parent that with the highest number is shown, the last of equal ones.
    #[serde(default)]
    pub(crate) choice: i64,
    /// Who speaks.
    pub(crate) role: Role,
    /// Its text.
    #[serde(default)]
    pub(crate) text: String,
    /// What the model thought before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reasoning: Option<String>,
    /// Tools the model asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) tool_calls: Vec<ToolCall>,
    /// Files of text beside it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) attachments: Vec<Attachment>,
    /// Display name of the model that wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) model: Option<String>,
    /// Its file, which means nothing on another computer.
    #[serde(skip)]
    pub(crate) model_file: Option<String>,
    /// Why it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) stop: Option<StopReason>,
    /// What it cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) stats: Option<TurnStats>,
    /// When it was begun.
    pub(crate) created_at: UnixMillis,
}

impl WholeMessage {
    /// A message that is only text, the newest at its place.
    pub(crate) fn text(role: Role, text: String, parent: Option<usize>, created_at: UnixMillis) -> Self {
        Self {
            parent,
            choice: 1,
            role,
            text,
            reasoning: None,
            tool_calls: Vec::new(),
            attachments: Vec::new(),
            model: None,
            model_file: None,
            stop: (role == Role::Assistant).then_some(StopReason::EndOfText),
            stats: None,
            created_at,
        }
    }
}

impl WholeChat {
    /// The messages from the first to this one, and no other version.
    pub(crate) fn up_to(mut self, last: usize) -> Self {
        let mut line = Vec::new();
        let mut next = Some(last);
        // Each parent stands before its child, so that this comes to an end.
        while let Some(message) = next.and_then(|place| self.messages.get(place)) {
            next = message.parent;
            line.push(message.clone());
        }
        line.reverse();
        for (place, message) in line.iter_mut().enumerate() {
            message.parent = place.checked_sub(1);
            message.choice = 1;
        }
        self.messages = line;
        self
    }

    /// The messages that are shown, first to last: at each place the version with the highest choice.
    pub(crate) fn shown(&self) -> Vec<&WholeMessage> {
        let mut path = Vec::new();
        let mut place = None;
        loop {
            let versions = self.messages.iter().enumerate();
            let versions = versions.filter(|(_, message)| message.parent == place);
            let Some((chosen, message)) = versions.max_by_key(|(_, message)| message.choice) else {
                return path;
            };
            path.push(message);
            place = Some(chosen);
        }
    }
}

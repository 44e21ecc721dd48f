//! Events as lines of JSON, for scripts. The last line is `finished` or `failed`.

use std::io::{self, Write};

use hearth_protocol::answer::Logprobs;
use hearth_protocol::chat::{ChatEvent, Message};
use hearth_protocol::engine::{LoadEvent, LoadedModel};
use hearth_protocol::tools::ToolCall;
use hearth_protocol::{ChatId, Error, MessageId};
use serde::Serialize;

use super::turn::View;

/// Writes each event as a line.
pub(crate) struct JsonLines;

/// What a script sees of an event. Fields may be added, none is renamed.
#[derive(Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Line<'a> {
    /// Share of the model in memory, 0.0 to 1.0.
    Loading { share: f32 },
    /// The model is in memory.
    Loaded { model: &'a LoadedModel },
    /// The message is stored; the answer stands below it, still empty.
    Started {
        chat: ChatId,
        message: Option<MessageId>,
        answer: MessageId,
    },
    /// Tokens of the prompt read, and all of them.
    PromptProgress { processed: u32, total: u32 },
    /// More of the answer.
    Delta { text: &'a str },
    /// More of what the model thinks.
    ReasoningDelta { text: &'a str },
    /// The model asks for a tool.
    ToolCall { call: &'a ToolCall },
    /// How likely the tokens were that came.
    Logprobs { tokens: &'a [Logprobs] },
    /// What was written cannot be stored now; it is tried again.
    NotStored { error: &'a Error, message: String },
    /// The answer as it is stored.
    Finished { answer: &'a Message },
    /// It broke off.
    Failed {
        error: &'a Error,
        message: String,
        answer: Option<&'a Message>,
    },
}

impl View for JsonLines {
    fn load(&mut self, event: &LoadEvent) -> io::Result<()> {
        write(match event {
            LoadEvent::Started { .. } => Line::Loading { share: 0.0 },
            LoadEvent::Progress(share) => Line::Loading { share: *share },
            LoadEvent::Loaded(model) => Line::Loaded { model },
            LoadEvent::Failed(error) => failed(error, None),
        })
    }

    fn turn(&mut self, event: &ChatEvent) -> io::Result<()> {
        write(match event {
            ChatEvent::Started { chat, user, answer } => Line::Started {
                chat: chat.id,
                message: user.as_ref().map(|message| message.id),
                answer: answer.id,
            },
            ChatEvent::Loading(share) => Line::Loading { share: *share },
            ChatEvent::PromptProgress { processed, total } => Line::PromptProgress {
                processed: *processed,
                total: *total,
            },
            ChatEvent::Delta(text) => Line::Delta { text },
            ChatEvent::ReasoningDelta(text) => Line::ReasoningDelta { text },
            ChatEvent::ToolCall(call) => Line::ToolCall { call },
            ChatEvent::Logprobs(tokens) => Line::Logprobs { tokens },
            ChatEvent::NotStored(error) => Line::NotStored {
                error,
                message: error.to_string(),
            },
            ChatEvent::Finished(answer) => Line::Finished { answer },
            ChatEvent::Failed { error, answer } => failed(error, answer.as_ref()),
        })
    }
}

fn failed<'a>(error: &'a Error, answer: Option<&'a Message>) -> Line<'a> {
    Line::Failed {
        error,
        message: error.to_string(),
        answer,
    }
}

fn write(line: Line<'_>) -> io::Result<()> {
    let mut output = io::stdout().lock();
    serde_json::to_writer(&mut output, &line)?;
    writeln!(output)?;
    output.flush()
}

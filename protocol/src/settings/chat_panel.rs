//! The panel beside the chat, in which is set how it is answered: whether it is shown, and which of its sections are.

use serde::{Deserialize, Serialize};

use crate::ChatId;

/// What the window keeps of the panel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ChatPanel {
    /// Whether it stands beside the chat, where there is room.
    pub open: bool,
    /// Sections of which only the title is shown.
    pub folded: Vec<PanelSection>,
    /// What was typed and cannot count, the newest last, so that it is not lost over a restart.
    pub unfinished: Vec<Unfinished>,
}

/// A text that was typed in the panel and is not yet what its field takes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unfinished {
    /// In which chat.
    pub chat: ChatId,
    /// In which field.
    pub field: UnfinishedField,
    /// The text.
    pub text: String,
}

/// A field of the panel in which JSON is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnfinishedField {
    /// A schema for the answer.
    Schema,
    /// Values for the chat template.
    TemplateArguments,
}

/// A section of the panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PanelSection {
    /// How tokens are chosen: what most people change.
    Sampling,
    /// The rest of it.
    FineSampling,
    /// Where the answer ends.
    Length,
    /// The form of the answer.
    Form,
    /// Thinking before the answer.
    Thinking,
    /// Values for the chat template.
    Template,
}

impl Default for ChatPanel {
    fn default() -> Self {
        Self {
            open: false,
            folded: vec![
                PanelSection::FineSampling,
                PanelSection::Form,
                PanelSection::Thinking,
                PanelSection::Template,
            ],
            unfinished: Vec::new(),
        }
    }
}

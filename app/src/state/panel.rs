//! The panel beside the chat: how it is answered, and the presets for that.
//!
//! What counts is a part of the conversation ([`settings`]). Here stands what all chats share: the presets, what is
//! remembered of models, and whether the panel is in sight.

pub(crate) mod effective;
pub(crate) mod forms;
pub(crate) mod menus;
pub(crate) mod parameter;
pub(crate) mod presets;
pub(crate) mod problem;
pub(crate) mod settings;
pub(crate) mod view;

use std::collections::HashMap;

use hearth_protocol::chat::TurnOptions;
use hearth_protocol::{ChatId, FileId};

use presets::Presets;
use settings::{ChatSettings, Typed};

/// What all chats share of the panel.
#[derive(Debug, Default)]
pub(crate) struct Panel {
    /// The presets.
    pub(crate) presets: Presets,
    /// Whether the window has no room for the panel beside the chat.
    pub(super) is_narrow: bool,
    /// Whether it lies over the chat, where there is no room beside it.
    pub(super) lies_over: bool,
    /// What is remembered of the models that were asked about; `None` while the answer is awaited.
    pub(super) defaults: HashMap<FileId, Option<TurnOptions>>,
    /// Chats whose settings are on their way to be kept, and how many times.
    pub(super) on_their_way: HashMap<ChatId, usize>,
    /// What was set in a new chat before another one was shown.
    pub(super) of_new_chat: ChatSettings,
    /// How long the instructions are.
    pub(super) count: PromptCount,
    /// What was typed in chats that are not shown and could not count, which is not lost.
    pub(super) unfinished: HashMap<ChatId, Typed>,
}

/// How many tokens the instructions are, as the model that is in memory counts them. One count runs at a time.
#[derive(Debug, Default)]
pub(super) struct PromptCount {
    /// What is being counted.
    pub(super) asked: Option<Prompt>,
    /// What was counted last; `None` where it could not be.
    pub(super) known: Option<(Prompt, Option<u32>)>,
}

/// Instructions for a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Prompt {
    /// The model.
    pub(crate) file: FileId,
    /// The text.
    pub(crate) text: String,
}

impl Panel {
    /// What is remembered of a model; nothing is set where nothing is, or where it is not known yet.
    pub(super) fn defaults_of(&self, file: Option<&FileId>) -> TurnOptions {
        let known = file.and_then(|file| self.defaults.get(file));
        known.cloned().flatten().unwrap_or_default()
    }
}

//! A chat as the window shows it: its messages with their blocks, and the answer that is being written.

mod entry;

use std::collections::HashMap;

use hearth_protocol::chat::{Chat, Role, ScrollPlace};
use hearth_protocol::generate::StopReason;
use hearth_protocol::{ChatId, Error, MessageId};

use super::panel::settings::ChatSettings;
use super::queue::{Queued, QueuedId};
use super::turn::Turn;
use super::{failure, format};
use crate::text::{Key, Texts, key, say};

pub(crate) use entry::Entry;

/// Messages that came into a chat which are read at once.
const NEW_TO_READ: usize = 8;

/// Names a conversation of this window, also one that is not stored yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ConversationKey(pub(crate) u64);

/// A chat that is shown, or whose answer is being written.
#[derive(Debug, Clone)]
pub(crate) struct Conversation {
    /// Its name in this window.
    pub(crate) key: ConversationKey,
    /// The chat; `None` until its first message is stored.
    pub(crate) chat: Option<ChatId>,
    /// Whether its messages are here.
    pub(crate) contents: Contents,
    /// The messages, oldest first.
    pub(crate) entries: Vec<Entry>,
    /// The answer that is being written. It is the last entry.
    pub(crate) turn: Option<Turn>,
    /// Messages that wait for the answer to end.
    pub(crate) queue: Vec<Queued>,
    /// A message whose text is being changed in place.
    pub(crate) editing: Option<Editing>,
    /// Whether a change of its messages is on its way. Meanwhile no other begins.
    pub(super) changing: bool,
    /// A message that is to be shown once it is here.
    pub(super) seek: Option<MessageId>,
    /// Where the view stands; `None` at the end.
    pub(crate) place: Option<ScrollPlace>,
    /// How it is answered.
    pub(crate) settings: ChatSettings,
}

/// A text of a message that is being changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Editing {
    /// Which.
    pub(crate) message: MessageId,
    /// Its text as typed so far.
    pub(crate) text: String,
}

/// Whether the messages of a conversation are here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Contents {
    /// They are being read.
    Reading,
    /// They are here.
    Here,
    /// They could not be read.
    Failed(Error),
}

/// Why there is no whole answer, for a card below what there is. Below the last answer it can be tried again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    /// What happened, in a few words.
    pub(crate) title: Key,
    cause: Cause,
}

/// What is known of why.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Cause {
    /// It was told as it happened.
    Told(Error),
    /// It is stored, in the words of then.
    Stored(String),
    /// Hearth ended in the middle of it.
    CutOff,
}

impl Conversation {
    /// An empty new chat.
    pub(super) fn new(key: ConversationKey) -> Self {
        Self {
            key,
            chat: None,
            contents: Contents::Here,
            entries: Vec::new(),
            turn: None,
            queue: Vec::new(),
            editing: None,
            changing: false,
            seek: None,
            place: None,
            settings: ChatSettings::default(),
        }
    }

    /// A stored chat whose messages are being read.
    pub(super) fn reading(key: ConversationKey, chat: ChatId) -> Self {
        Self {
            chat: Some(chat),
            contents: Contents::Reading,
            ..Self::new(key)
        }
    }

    /// Takes the stored messages. Those that are here already stay as they are. System messages are not shown, and what a
    /// tool answered belongs to the answer that asked for it.
    pub(super) fn fill(&mut self, chat: Chat) {
        if self.contents != Contents::Here {
            self.contents = Contents::Here;
            self.place = chat.place;
        }
        let before = std::mem::take(&mut self.entries).into_iter();
        // Of new versions, those near the view are read at once, so that it knows their rows.
        let mut to_read = if before.len() > 0 { NEW_TO_READ } else { 0 };
        let mut before: HashMap<_, _> = before.filter_map(|entry| Some((entry.id?, entry))).collect();
        // How many tools have answered the last entry.
        let mut answered = 0;
        for message in chat.messages {
            match message.role {
                Role::System => (),
                Role::Tool => {
                    let last = self.entries.last_mut();
                    let mut tools = last.into_iter().flat_map(|entry| entry.asides.iter_mut());
                    let tool = tools.by_ref().filter(|aside| !aside.is_thought()).nth(answered);
                    if let Some(tool) = tool {
                        tool.answer(&message.text);
                    }
                    answered += 1;
                }
                Role::User | Role::Assistant => {
                    answered = 0;
                    self.entries.push(match before.remove(&message.id) {
                        Some(entry) if entry.shows(&message) => entry,
                        Some(entry) => Entry::stored(message).shown_like(&entry),
                        None => {
                            let entry = Entry::stored(message);
                            if to_read > 0 {
                                to_read -= 1;
                                entry.body.blocks();
                            }
                            entry
                        }
                    });
                }
            }
        }
        let edited = self.editing.as_ref().map(|editing| editing.message);
        if edited.is_some_and(|message| self.entry(message).is_none()) {
            self.editing = None;
        }
    }

    /// Whether an answer is being written.
    pub(crate) fn is_running(&self) -> bool {
        self.turn.is_some()
    }

    /// Whether nothing was said yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.contents == Contents::Here && self.entries.is_empty()
    }

    /// Whether this entry is the answer that is being written.
    pub(crate) fn is_written(&self, index: usize) -> bool {
        self.turn.is_some() && index + 1 == self.entries.len()
    }

    /// Whether its messages can be changed: they are here, and nothing is being made of them.
    pub(crate) fn can_change(&self) -> bool {
        self.contents == Contents::Here && !self.is_running() && !self.changing
    }

    /// Whether this entry can be answered, or is an answer that can be made anew. What follows it goes out of sight, and
    /// its versions lead back.
    pub(crate) fn can_answer_again(&self, index: usize) -> bool {
        let is_last = index + 1 == self.entries.len();
        let is_one = self
            .entries
            .get(index)
            .is_some_and(|entry| !entry.from_person || is_last);
        is_one && self.can_change()
    }

    /// Whether this entry is an answer that can go on: the last one, which ended before its end.
    pub(crate) fn can_go_on(&self, index: usize) -> bool {
        let is_last = index + 1 == self.entries.len();
        let ended_early = |entry: &Entry| {
            let is_whole = matches!(
                entry.stop,
                Some(StopReason::EndOfText | StopReason::StopString { .. } | StopReason::ToolCalls)
            );
            !entry.from_person && !is_whole
        };
        is_last && self.can_change() && self.entries.get(index).is_some_and(ended_early)
    }

    /// The place of a stored message among the entries.
    pub(crate) fn index_of(&self, id: MessageId) -> Option<usize> {
        self.entries.iter().position(|entry| entry.id == Some(id))
    }

    /// Takes a message that waits out of the queue.
    pub(super) fn take_queued(&mut self, id: QueuedId) -> Option<Queued> {
        let index = self.queue.iter().position(|queued| queued.id == id)?;
        Some(self.queue.remove(index))
    }

    /// The stats line below an entry; empty where there is none.
    pub(crate) fn stats_line(&self, index: usize, texts: &Texts) -> String {
        match (self.entries.get(index), &self.turn) {
            (Some(_), Some(turn)) if self.is_written(index) => turn.stats_line(texts),
            // The card below says more than "stop: failed".
            (Some(entry), _) if matches!(entry.stop, Some(StopReason::Failed { .. })) => {
                format::stats_line(texts, entry.stats.as_ref(), None)
            }
            (Some(entry), _) if !entry.from_person => {
                format::stats_line(texts, entry.stats.as_ref(), entry.stop.as_ref())
            }
            _ => String::new(),
        }
    }

    /// Whether there is a stats line below an entry.
    pub(crate) fn has_stats(&self, index: usize) -> bool {
        match (self.entries.get(index), &self.turn) {
            (Some(_), Some(turn)) if self.is_written(index) => !turn.is_waiting(),
            (Some(entry), _) => {
                let ended = !matches!(entry.stop, None | Some(StopReason::Failed { .. }));
                !entry.from_person && (entry.stats.is_some() || ended)
            }
            (None, _) => false,
        }
    }

    /// The entry of a stored message.
    pub(super) fn entry(&self, id: MessageId) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.id == Some(id))
    }

    /// The last answer, whole or not.
    pub(super) fn last_answer(&self) -> Option<&Entry> {
        self.entries.iter().rev().find(|entry| !entry.from_person)
    }

    /// Tokens in the context and tokens it holds, after the newest answer that tells.
    pub(super) fn context_after_last(&self) -> Option<(u32, u32)> {
        let stats = self.entries.iter().rev().filter_map(|entry| entry.stats);
        stats
            .map(|stats| (stats.context_used, stats.context_length))
            .find(|(_, length)| *length > 0)
    }
}

impl Failure {
    /// An answer that ended with an error.
    pub(super) fn of(error: &Error) -> Self {
        Self {
            title: failure::title_of_answer(error),
            cause: Cause::Told(error.clone()),
        }
    }

    /// An answer that stands in the database without a good end.
    fn stored(cause: Cause) -> Self {
        Self {
            title: key!("failure-stopped"),
            cause,
        }
    }

    /// Why, and what to do.
    pub(crate) fn text(&self, texts: &Texts) -> String {
        match &self.cause {
            Cause::Told(error) => failure::reason(texts, error),
            Cause::Stored(words) => words.clone(),
            Cause::CutOff => say!(texts, "failure-cut-off"),
        }
    }

    /// The last lines of the engine's log, oldest first. Often empty.
    pub(crate) fn log(&self) -> &[String] {
        match &self.cause {
            Cause::Told(error) => error.log(),
            Cause::Stored(_) | Cause::CutOff => &[],
        }
    }
}

//! An answer while it is made: how far it is, and what each event of its run changes in its conversation.

use hearth_protocol::chat::{ChatEvent, ChatSummary};
use hearth_protocol::generate::StopReason;
use hearth_protocol::{Error, UnixMillis};

use super::aside::Aside;
use super::composer::draft::Unsent;
use super::conversation::{Conversation, Entry, Failure};
use super::format;
use crate::effect::Run;
use crate::text::{Key, Texts, key};

/// An answer that is made.
#[derive(Debug, Clone)]
pub(crate) struct Turn {
    /// Its run.
    pub(crate) run: Run,
    /// How far it is.
    pub(crate) phase: Phase,
    /// Whether it was asked to stop.
    pub(crate) stopping: bool,
    /// What to put back when it is refused before it began.
    undo: Undo,
}

/// How far an answer is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Phase {
    /// Asked for; nothing is stored yet.
    Sent,
    /// The message is stored; the model has not said anything.
    Waiting,
    /// The model is being loaded: share done, 0.0 to 1.0.
    Loading(f32),
    /// The prompt is being read.
    Reading {
        /// Tokens read.
        processed: u32,
        /// Tokens in all.
        total: u32,
    },
    /// Text comes.
    Writing {
        /// Tokens of the prompt; 0 where they were not told.
        prompt: u32,
        /// Pieces of text so far. The engine sends one a token, but for those that it holds back until a character is
        /// whole; the exact number comes with the end.
        pieces: u32,
        /// When the first one came.
        first_at: UnixMillis,
        /// When the last one came.
        last_at: UnixMillis,
    },
}

/// What is shown in place of the text before the first word comes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Waiting {
    /// What is being done.
    pub(crate) what: Key,
    /// How far, in words. May be empty.
    pub(crate) how_far: String,
    /// How far, from 0.0 to 1.0; `None` where that is not known.
    pub(crate) share: Option<f32>,
}

/// What a turn took away when it was asked for.
#[derive(Debug, Clone)]
enum Undo {
    /// A new message: it goes back to the composer.
    Message(Unsent),
    /// An answer made anew: the old one and what followed it.
    Entries(Vec<Entry>),
    /// An answer that goes on, as it was.
    Last(Box<Entry>),
}

/// What an event means beyond its conversation.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Outcome {
    /// Nothing.
    Shown,
    /// The chat has this row now.
    Listed(ChatSummary),
    /// The answer has ended.
    Ended {
        /// Whether by itself: nobody stopped it.
        well: bool,
    },
    /// It broke off; its card says why.
    Broke(Error),
    /// It was refused before it began; what it took away is back, a message is handed over for the composer.
    Refused {
        /// Why.
        error: Error,
        /// The message that was not sent.
        message: Option<Unsent>,
    },
}

impl Turn {
    fn new(run: Run, undo: Undo) -> Self {
        Self {
            run,
            phase: Phase::Sent,
            stopping: false,
            undo,
        }
    }

    /// Whether there is no text yet.
    pub(crate) fn is_waiting(&self) -> bool {
        !matches!(self.phase, Phase::Writing { .. })
    }

    /// What is shown in place of the text; `None` once there is text.
    pub(crate) fn waiting(&self, texts: &Texts) -> Option<Waiting> {
        let (what, how_far, share) = match self.phase {
            Phase::Writing { .. } => return None,
            _ if self.stopping => (key!("waiting-stopping"), String::new(), None),
            Phase::Sent | Phase::Waiting => (key!("waiting-model"), String::new(), None),
            Phase::Loading(share) => (key!("waiting-loading"), format::percent(share), Some(share)),
            Phase::Reading { processed, total } => {
                let share = format::share(processed, total);
                (
                    key!("waiting-reading"),
                    format::prompt_progress(texts, processed, total),
                    Some(share),
                )
            }
        };
        Some(Waiting { what, how_far, share })
    }

    /// The stats line while text comes; empty before.
    pub(super) fn stats_line(&self, texts: &Texts) -> String {
        match self.phase {
            Phase::Writing {
                pieces,
                first_at,
                last_at,
                ..
            } => format::live_stats_line(texts, pieces, last_at.0.saturating_sub(first_at.0)),
            _ => String::new(),
        }
    }

    /// Tokens in the context so far.
    pub(super) fn tokens_in_context(&self) -> Option<u32> {
        match self.phase {
            Phase::Reading { processed, .. } => Some(processed),
            Phase::Writing { prompt, pieces, .. } if prompt > 0 => Some(prompt.saturating_add(pieces)),
            _ => None,
        }
    }
}

impl Conversation {
    /// Shows a message of the person and awaits its answer.
    pub(super) fn begin_message(&mut self, run: Run, message: Unsent) {
        self.entries.push(Entry::sent(&message));
        self.entries.push(Entry::awaited());
        self.turn = Some(Turn::new(run, Undo::Message(message)));
    }

    /// Awaits another answer in place of the one at `index` and all that follows it, or to the message of the person there.
    pub(super) fn begin_again(&mut self, run: Run, index: usize) {
        let asks = self.entries.get(index).is_some_and(|entry| entry.from_person);
        let from = index + usize::from(asks);
        let replaced = self.entries.split_off(from.min(self.entries.len()));
        self.entries.push(Entry::awaited());
        self.turn = Some(Turn::new(run, Undo::Entries(replaced)));
    }

    /// Awaits more of the last answer.
    pub(super) fn begin_more(&mut self, run: Run) {
        if let Some(last) = self.entries.last_mut() {
            let before = last.clone();
            last.failure = None;
            last.stop = None;
            self.turn = Some(Turn::new(run, Undo::Last(Box::new(before))));
        }
    }

    /// Takes an event of the run of its turn; without a turn nothing changes.
    pub(super) fn take_event(&mut self, event: ChatEvent, now: UnixMillis) -> Outcome {
        let Some(turn) = &mut self.turn else {
            return Outcome::Shown;
        };
        let begun = turn.phase != Phase::Sent;
        match event {
            ChatEvent::Started { chat, user, answer } => {
                turn.phase = Phase::Waiting;
                self.chat = Some(chat.id);
                if let Some(user) = user {
                    self.replace_from_end(1, Entry::stored(user));
                }
                self.replace_from_end(
                    0,
                    Entry {
                        failure: None,
                        ..Entry::stored(answer)
                    },
                );
                return Outcome::Listed(chat);
            }
            ChatEvent::Loading(share) => turn.phase = Phase::Loading(share.clamp(0.0, 1.0)),
            ChatEvent::PromptProgress { processed, total } => {
                turn.phase = Phase::Reading { processed, total };
            }
            ChatEvent::Delta(text) => {
                turn.count_piece(now);
                if let Some(answer) = self.entries.last_mut() {
                    answer.asides.iter_mut().for_each(|aside| aside.end_thought(now));
                    answer.body.append(&text);
                }
            }
            ChatEvent::ReasoningDelta(text) => {
                turn.count_piece(now);
                if let Some(answer) = self.entries.last_mut() {
                    Aside::think(&mut answer.asides, &text, now);
                }
            }
            ChatEvent::ToolCall(call) => {
                if let Some(answer) = self.entries.last_mut() {
                    answer.asides.push(Aside::tool(call));
                }
            }
            ChatEvent::Logprobs(_) => (),
            ChatEvent::NotStored(error) => {
                if let Some(answer) = self.entries.last_mut() {
                    answer.failure = Some(Failure::of(&error));
                }
            }
            ChatEvent::Finished(answer) => {
                self.turn = None;
                let well = !matches!(
                    answer.stop,
                    None | Some(StopReason::UserStopped | StopReason::Failed { .. })
                );
                self.replace_from_end(0, Entry::stored(answer));
                return Outcome::Ended { well };
            }
            ChatEvent::Failed { error, answer } if begun => {
                self.turn = None;
                if let Some(answer) = answer {
                    self.replace_from_end(0, Entry::stored(answer));
                }
                if let Some(answer) = self.entries.last_mut() {
                    answer.failure = Some(Failure::of(&error));
                }
                return Outcome::Broke(error);
            }
            ChatEvent::Failed { error, .. } => {
                let message = self.take_back();
                return Outcome::Refused { error, message };
            }
        }
        Outcome::Shown
    }

    /// Takes the turn's entries away and puts back what they replaced. Gives the message that was not sent.
    fn take_back(&mut self) -> Option<Unsent> {
        let turn = self.turn.take()?;
        self.entries.pop();
        match turn.undo {
            Undo::Message(message) => {
                self.entries.pop();
                Some(message)
            }
            Undo::Entries(replaced) => {
                self.entries.extend(replaced);
                None
            }
            Undo::Last(before) => {
                self.entries.push(*before);
                None
            }
        }
    }

    /// Replaces the entry that many places before the last.
    fn replace_from_end(&mut self, before: usize, entry: Entry) {
        if let Some(place) = self.entries.iter_mut().rev().nth(before) {
            *place = entry.shown_like(place);
        }
    }
}

impl Turn {
    fn count_piece(&mut self, now: UnixMillis) {
        self.phase = match self.phase {
            Phase::Writing {
                prompt,
                pieces,
                first_at,
                ..
            } => Phase::Writing {
                prompt,
                pieces: pieces.saturating_add(1),
                first_at,
                last_at: now,
            },
            before => Phase::Writing {
                prompt: match before {
                    Phase::Reading { total, .. } => total,
                    _ => 0,
                },
                pieces: 1,
                first_at: now,
                last_at: now,
            },
        };
    }
}

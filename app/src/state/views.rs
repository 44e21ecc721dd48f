//! What the window draws that belongs to no one part of the state: the list, the header, the greeting.

use super::AppState;
use super::chats::ListRow;
use super::conversation::Conversation;
use super::format;
use super::health::Banner;
use super::models::{Dot, Header};
use super::turn::Phase;
use crate::text::{Key, key, say};

/// What an empty new chat says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Greeting {
    /// A question, or what is missing.
    pub(crate) title: Key,
    /// More of it.
    pub(crate) text: String,
    /// Whether the suggestions are offered; else a button "Look again" that looks for models.
    pub(crate) suggestions: bool,
}

impl AppState {
    /// The list of chats, in groups.
    pub(crate) fn list_rows(&self) -> &[ListRow] {
        self.chats.rows()
    }

    /// The head of the conversation. What an answer does comes first, that of the open chat before all.
    pub(crate) fn header(&self) -> Header {
        let header = self.models.header(self.texts());
        let phase = self
            .conversations()
            .find_map(|conversation| conversation.turn.as_ref());
        let doing = match phase.map(|turn| turn.phase) {
            _ if self.models.load.is_some() => return header,
            Some(Phase::Loading(share)) => {
                return Header {
                    dot: Dot::Busy,
                    name: say!(self.texts(), "header-loading-model"),
                    quantisation: None,
                    doing: format::percent(share),
                    can_eject: false,
                };
            }
            Some(Phase::Reading { .. }) => say!(self.texts(), "header-reading"),
            Some(Phase::Writing { .. }) => say!(self.texts(), "header-generating"),
            Some(Phase::Sent | Phase::Waiting) | None => return header,
        };
        if self.models.current().is_none() {
            return header;
        }
        Header {
            dot: Dot::Busy,
            doing,
            ..header
        }
    }

    /// What the open chat says while it is empty; `None` where it is not.
    pub(crate) fn greeting(&self) -> Option<Greeting> {
        if !self.open.is_empty() {
            return None;
        }
        if self.models.are_missing() {
            return Some(Greeting {
                title: key!("greeting-missing-title"),
                text: say!(
                    self.texts(),
                    "greeting-missing-text",
                    folder = self.places.models.as_str()
                ),
                suggestions: false,
            });
        }
        let text = match self.models.current() {
            Some(model) => say!(self.texts(), "greeting-loaded", model = model.name.as_str()),
            None if self.models.has_starter() => {
                say!(self.texts(), "greeting-starter")
            }
            None => say!(self.texts(), "greeting-model"),
        };
        Some(Greeting {
            title: key!("greeting-title"),
            text,
            suggestions: true,
        })
    }

    /// The notice above everything; `None` while all is well.
    pub(crate) fn banner(&self) -> Option<Banner> {
        self.health.banner(self.texts())
    }

    /// Whether text streams in anywhere, so that the window keeps moving.
    pub(crate) fn is_streaming(&self) -> bool {
        self.models.load.is_some() || self.conversations().any(Conversation::is_running)
    }

    /// The open conversation, then those in the background.
    pub(super) fn conversations(&self) -> impl Iterator<Item = &Conversation> {
        std::iter::once(&self.open).chain(&self.background)
    }
}

//! The model that is shown, in words: what it is, the memory it would take, and what leads to a chat with it.

use hearth_protocol::catalogue::{Capability, Fit, FitEstimate, HubPart, ModelDetails};
use hearth_protocol::{ByteSize, Error, ErrorKind};

use super::card::short;
use super::file_row::FileDoing;
use super::found::{Act, Notice};
use super::shown::{FileName, Shown};
use crate::msg::discover::DiscoverMsg;
use crate::state::{AppState, failure, format};
use crate::text::{key, say};

/// The model that is shown.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DetailsView {
    /// Its name; that on the hub until more is known.
    pub(crate) name: String,
    /// Whether Hearth picked it.
    pub(crate) is_picked: bool,
    /// Whether the person likes it; `None` where that cannot be changed yet.
    pub(crate) favourite: Option<bool>,
    /// What it is; empty where nobody has written it.
    pub(crate) summary: String,
    /// What it can do.
    pub(crate) abilities: Vec<Capability>,
    /// Author, licence, parameters, context, likes, downloads, last change, architecture.
    pub(crate) facts: [String; 8],
    /// How old that is.
    pub(crate) age: String,
    /// Whether nothing is known yet, and more is to come.
    pub(crate) is_loading: bool,
    /// What is to be known of it.
    pub(crate) notice: Option<Notice>,
    /// Whether it is gated, so that the notice leads to the page of its licence.
    pub(crate) is_gated: bool,
    /// What the button above the files says and does.
    pub(crate) main: Option<Main>,
    /// For how long a context the files are reckoned.
    pub(crate) memory: Option<Memory>,
    /// `7 files`.
    pub(crate) files: String,
}

/// The button above the files.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Main {
    /// What it says.
    pub(crate) label: String,
    /// What it does; `None` where there is nothing to be done.
    pub(crate) act: Option<DiscoverMsg>,
}

/// What a file needs for a context.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Memory {
    /// `8 192 tokens`.
    pub(crate) context: String,
    /// Where the slider stands, from 0.0 to 1.0.
    pub(crate) share: f64,
    /// What the file needs.
    pub(crate) needs: String,
    /// What this machine has.
    pub(crate) has: String,
    /// The share of what it has that would be taken, from 0.0 to 1.0.
    pub(crate) taken: f32,
    /// How it fits.
    pub(crate) fit: Fit,
}

impl AppState {
    /// The model that is shown.
    pub(crate) fn details_view(&self) -> Option<DetailsView> {
        let shown = self.discover.shown.as_ref()?;
        let details = shown.details.as_ref();
        let model = details.map(|details| &details.model);
        let access = details.and_then(|details| details.access.as_ref());
        let has_token = self.discover.hub.as_ref().is_some_and(|hub| hub.token.is_some());
        let is_gated = is_access(access)
            || is_access(shown.failure.as_ref())
            || model.is_some_and(|model| model.gated && !has_token);
        let count = shown.files().count();
        Some(DetailsView {
            name: model.map_or_else(|| shown.model.to_string(), |model| model.name.clone()),
            is_picked: model.is_some_and(|model| model.featured),
            favourite: details.map(|details| details.edits.favourite),
            summary: model.and_then(|model| model.summary.clone()).unwrap_or_default(),
            abilities: model.map_or_else(Vec::new, |model| model.capabilities.clone()),
            facts: details.map_or_else(Default::default, |details| self.facts(details)),
            age: match details.and_then(|details| details.fetched_at) {
                Some(at) => say!(self.texts(), "discover-as-of", date = self.present().label(at)),
                None => String::new(),
            },
            is_loading: details.is_none() && shown.is_asking(),
            notice: self.details_notice(shown, is_gated),
            is_gated,
            main: self.main(shown),
            memory: self.memory(shown),
            files: say!(
                self.texts(),
                "discover-files",
                count = count,
                number = format::count(count as u64)
            ),
        })
    }

    fn facts(&self, details: &ModelDetails) -> [String; 8] {
        let (model, texts) = (&details.model, self.texts());
        let facts = [
            Some(model.author.clone()),
            model.licence.clone(),
            model.parameters.map(|count| format::parameters(texts, count)),
            model.context_length.map(|tokens| format::tokens(texts, tokens)),
            model.likes.map(|count| short(texts, count)),
            model.downloads.map(|count| short(texts, count)),
            model.updated_at.map(|at| self.present().label(at)),
            details.card.architecture.clone(),
        ];
        facts.map(|fact| fact.filter(|fact| !fact.is_empty()).unwrap_or_else(|| "–".into()))
    }

    fn details_notice(&self, shown: &Shown, is_gated: bool) -> Option<Notice> {
        let details = shown.details.as_ref();
        let access = details.and_then(|details| details.access.as_ref());
        if is_gated {
            let text = match access {
                Some(error @ (Error::NoAccess { .. } | Error::TokenRefused { .. })) => {
                    failure::words(self.texts(), error)
                }
                _ => say!(self.texts(), "discover-gated-text"),
            };
            return Some(Notice {
                is_bad: false,
                text,
                act: Some((key!("discover-add-token"), Act::Settings)),
            });
        }
        let trouble = match (&shown.failure, details.map(|details| &details.hub)) {
            (Some(error), _) | (None, Some(HubPart::Failed { error })) => error,
            (None, Some(HubPart::Offline)) => {
                return Some(Notice {
                    is_bad: false,
                    text: say!(self.texts(), "discover-offline-details"),
                    act: None,
                });
            }
            _ => return None,
        };
        Some(Notice {
            is_bad: true,
            text: failure::words(self.texts(), trouble),
            act: Some((key!("action-try-again"), Act::Retry)),
        })
    }

    /// The button that leads from the model to a chat with it.
    fn main(&self, shown: &Shown) -> Option<Main> {
        let file = shown.recommended()?;
        let name = FileName::of(file);
        let size = file
            .size
            .map_or_else(String::new, |size| format::size(self.texts(), size));
        let get = || Some(DiscoverMsg::DownloadAndChat(name.clone()));
        let waits = self.discover.waits_for(&name);
        let (label, act) = match self.doing(file) {
            FileDoing::Here(here) => (say!(self.texts(), "discover-chat"), Some(DiscoverMsg::Chat(here))),
            FileDoing::Coming { .. } | FileDoing::Paused { .. } if waits => {
                (say!(self.texts(), "discover-chat-comes"), None)
            }
            FileDoing::Coming { .. } | FileDoing::Paused { .. } => {
                (say!(self.texts(), "discover-chat-then"), get())
            }
            FileDoing::Absent | FileDoing::Failed { .. } => {
                (say!(self.texts(), "discover-get-and-chat", size = size), get())
            }
            FileDoing::Useless(_) => return None,
        };
        Some(Main { label, act })
    }

    fn memory(&self, shown: &Shown) -> Option<Memory> {
        let file = shown.looked_at()?;
        let texts = self.texts();
        let label = file.quantisation.as_deref().unwrap_or(&file.name);
        let size = |size: ByteSize| format::size(texts, size);
        let (needs, has, taken) = match &file.estimate {
            None => (say!(texts, "discover-memory-unknown"), String::new(), 0.0),
            Some(estimate) => {
                let (weights, context) = (size(estimate.weights), size(estimate.context));
                let total = size(estimate.total());
                let needs = match estimate.is_rough {
                    true => say!(
                        texts,
                        "discover-needs-rough",
                        file = label,
                        total = total,
                        weights = weights,
                        context = context
                    ),
                    false => say!(
                        texts,
                        "discover-needs",
                        file = label,
                        total = total,
                        weights = weights,
                        context = context
                    ),
                };
                let has = match estimate.gpu_room.0 {
                    0 => say!(texts, "discover-has", memory = size(estimate.memory_room)),
                    _ => say!(
                        texts,
                        "discover-has-both",
                        cards = size(estimate.gpu_room),
                        memory = size(estimate.memory_room)
                    ),
                };
                (needs, has, taken(estimate, file.fit))
            }
        };
        Some(Memory {
            context: format::tokens(texts, shown.context()),
            share: shown.context_share(),
            needs,
            has,
            taken,
            fit: file.fit,
        })
    }
}

/// The share of the room it would lie in that a file takes.
fn taken(estimate: &FitEstimate, fit: Fit) -> f32 {
    let (cards, memory) = (estimate.gpu_room.0, estimate.memory_room.0);
    let room = match fit {
        Fit::Gpu => cards,
        Fit::Cpu => memory,
        Fit::Partly | Fit::TooLarge | Fit::Unknown => cards.saturating_add(memory),
    };
    (estimate.total().0 as f64 / room.max(1) as f64).min(1.0) as f32
}

fn is_access(error: Option<&Error>) -> bool {
    error.is_some_and(|error| error.kind() == ErrorKind::Access)
}

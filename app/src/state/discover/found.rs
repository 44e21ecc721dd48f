//! What was found as a whole, in words, and the machine it is to run on.

use hearth_protocol::catalogue::HubPart;
use hearth_protocol::engine::DeviceKind;
use hearth_protocol::{ByteSize, Error, UnixMillis};

use crate::state::{AppState, failure, format};
use crate::text::{Key, key, say};

/// The list as a whole.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ListView {
    /// What is listed.
    pub(crate) title: Key,
    /// `42 models`, `50 models and more`, or that the hub is being asked.
    pub(crate) count: String,
    /// What is to be known of all of it.
    pub(crate) notice: Option<Notice>,
    /// What stands in the place of rows where there are none.
    pub(crate) empty: Option<Empty>,
}

/// Something to be known, and what to do.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Notice {
    /// Whether it is trouble.
    pub(crate) is_bad: bool,
    /// In words.
    pub(crate) text: String,
    /// What its button says and does.
    pub(crate) act: Option<(Key, Act)>,
}

/// What a button does that is not of one row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    /// Asks again.
    Retry,
    /// Shows all models.
    ClearFilters,
    /// Shows the settings.
    Settings,
}

/// What stands in the place of rows.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Empty {
    /// Rows are on their way.
    Loading,
    /// There are none, and why.
    Nothing {
        /// What it is about, for its icon.
        kind: EmptyKind,
        /// In a few words.
        title: Key,
        /// More of it.
        text: String,
        /// What its button says and does.
        act: (Key, Act),
    },
}

/// What an empty list is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EmptyKind {
    /// Nothing matches.
    Search,
    /// The hub is not to be reached.
    Offline,
}

impl AppState {
    /// The memory of the graphics cards, and the main memory, as in `8.0 GB VRAM`; empty where there is none or it is not
    /// known.
    pub(crate) fn machine_words(&self) -> (String, String) {
        let devices = self.discover.devices.as_deref().unwrap_or_default();
        let total = |kind: DeviceKind| -> u64 {
            let of_kind = devices.iter().filter(|device| device.kind == kind);
            of_kind
                .filter_map(|device| device.memory_total)
                .map(|total| total.0)
                .sum()
        };
        let said = |bytes: u64| match bytes {
            0 => None,
            bytes => Some(format::size(self.texts(), ByteSize(bytes))),
        };
        let cards = said(total(DeviceKind::Gpu));
        let memory = said(total(DeviceKind::Cpu));
        (
            cards.map_or_else(String::new, |size| {
                say!(self.texts(), "discover-vram", size = size)
            }),
            memory.map_or_else(String::new, |size| {
                say!(self.texts(), "discover-ram", size = size)
            }),
        )
    }

    /// The list as a whole.
    pub(crate) fn found_view(&self) -> ListView {
        let (list, filters) = (&self.discover.list, &self.discover.filters);
        let count = list.models.len();
        let number = format::count(count as u64);
        ListView {
            title: match filters.asks_hub() {
                true => key!("discover-found"),
                false => key!("discover-picked"),
            },
            count: if list.asks_hub() {
                say!(self.texts(), "discover-asking")
            } else if list.has_more() {
                say!(
                    self.texts(),
                    "discover-count-more",
                    count = count,
                    number = number
                )
            } else {
                say!(self.texts(), "discover-count", count = count, number = number)
            },
            notice: self.found_notice(),
            empty: self.found_nothing(),
        }
    }

    fn found_notice(&self) -> Option<Notice> {
        let list = &self.discover.list;
        let bad = |text: String, act| Notice {
            is_bad: true,
            text,
            act,
        };
        if let Some(error) = &list.named {
            return Some(bad(failure::words(self.texts(), error), None));
        }
        if list.models.is_empty() {
            return None;
        }
        let retry = Some((key!("action-try-again"), Act::Retry));
        if let Some(error) = &list.failure {
            return Some(bad(failure::words(self.texts(), error), retry));
        }
        let as_of = |at: UnixMillis| say!(self.texts(), "discover-as-of", date = self.present().label(at));
        match &list.hub {
            HubPart::Failed { error } => {
                let mut text = failure::words(self.texts(), error);
                if let Some(at) = list.cached_at {
                    text = format!("{text} {}", as_of(at));
                }
                Some(bad(text, retry))
            }
            HubPart::Offline => {
                let mut text = say!(self.texts(), "discover-offline-known");
                if let Some(at) = list.cached_at {
                    text = format!("{text} {}", as_of(at));
                }
                Some(Notice {
                    is_bad: false,
                    text,
                    act: Some((key!("discover-open-settings"), Act::Settings)),
                })
            }
            HubPart::NotAsked | HubPart::Asking | HubPart::Answered => None,
        }
    }

    fn found_nothing(&self) -> Option<Empty> {
        let list = &self.discover.list;
        if !list.models.is_empty() {
            return None;
        }
        if list.is_loading() || list.asks_hub() {
            return Some(Empty::Loading);
        }
        let trouble = match (&list.failure, &list.hub) {
            (Some(error), _) | (None, HubPart::Failed { error }) => Some(error),
            _ => None,
        };
        let nothing = |kind, title, text: String, act| {
            Some(Empty::Nothing {
                kind,
                title,
                text,
                act,
            })
        };
        match trouble {
            Some(Error::Invalid { .. }) => nothing(
                EmptyKind::Search,
                key!("discover-no-link-title"),
                say!(self.texts(), "discover-no-link-text"),
                (key!("discover-clear"), Act::ClearFilters),
            ),
            Some(Error::Offline { .. }) => nothing(
                EmptyKind::Offline,
                key!("discover-offline-title"),
                say!(self.texts(), "discover-offline-text"),
                (key!("discover-open-settings"), Act::Settings),
            ),
            Some(error) => nothing(
                EmptyKind::Offline,
                key!("discover-down-title"),
                failure::words(self.texts(), error),
                (key!("action-try-again"), Act::Retry),
            ),
            None if list.hub == HubPart::Offline => nothing(
                EmptyKind::Offline,
                key!("discover-offline-title"),
                say!(self.texts(), "discover-offline-text"),
                (key!("discover-open-settings"), Act::Settings),
            ),
            None => nothing(
                EmptyKind::Search,
                key!("discover-nothing-title"),
                say!(self.texts(), "discover-nothing-text"),
                (key!("discover-clear"), Act::ClearFilters),
            ),
        }
    }
}

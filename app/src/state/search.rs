//! Searching the chats: the words, the hits in titles and messages, and the one that the keys have chosen.

use hearth_protocol::chat::list::SearchHit;
use hearth_protocol::{ChatId, MessageId, Result};

use super::calendar::Present;
use super::chats::Chats;
use super::failure;
use crate::effect::Run;
use crate::text::{Key, key};

/// Bytes of a message shown before the first hit: what comes later would be out of sight in a narrow list.
const LEAD: usize = 18;

/// A search of the list of chats. Without words there is none.
#[derive(Debug, Default)]
pub(crate) struct Search {
    /// What is looked for, as typed.
    pub(crate) words: String,
    /// The question that waits for its answer.
    asked: Option<Run>,
    found: Found,
    /// The hit that Enter opens, among those that are shown.
    chosen: usize,
}

/// What a search found.
#[derive(Debug, Default)]
enum Found {
    /// The answer has not come.
    #[default]
    Unknown,
    /// These.
    Hits(Vec<Hit>),
    /// It failed, for this reason.
    Failed(String),
}

/// A place where the words stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hit {
    /// The chat.
    pub(crate) chat: ChatId,
    /// The message; `None` for the title.
    pub(crate) message: Option<MessageId>,
    /// The chat's title.
    pub(crate) title: String,
    /// When a message last came there.
    pub(crate) date: String,
    /// The text with the words in it, as one line: the title, or a piece of the message.
    pub(crate) text: String,
    /// Byte ranges of the words in it, in order.
    pub(crate) marks: Vec<(usize, usize)>,
}

/// A row of what was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SearchRow<'a> {
    /// The title of a group.
    Group(Key),
    /// A hit.
    Hit {
        /// Its place among the hits.
        index: usize,
        /// The hit.
        hit: &'a Hit,
        /// Whether Enter opens it.
        chosen: bool,
    },
    /// Nothing was found.
    Nothing,
    /// The search failed, for this reason.
    Failed(&'a str),
}

impl Search {
    /// Whether hits are shown in place of the list.
    pub(crate) fn is_on(&self) -> bool {
        !self.words.trim().is_empty()
    }

    /// The rows, in groups. Hits in chats that are gone are left out.
    pub(crate) fn rows(&self, chats: &Chats) -> Vec<SearchRow<'_>> {
        let hits = match &self.found {
            Found::Unknown => return Vec::new(),
            Found::Failed(reason) => return vec![SearchRow::Failed(reason)],
            Found::Hits(hits) => hits,
        };
        let there: Vec<_> = hits
            .iter()
            .enumerate()
            .filter(|(_, hit)| chats.get(hit.chat).is_some())
            .collect();
        let mut rows = Vec::with_capacity(there.len() + 2);
        for (title, in_titles) in [(key!("search-titles"), true), (key!("search-messages"), false)] {
            let group = there.iter().filter(|(_, hit)| hit.message.is_none() == in_titles);
            let mut group = group.peekable();
            rows.extend(group.peek().map(|_| SearchRow::Group(title)));
            rows.extend(group.map(|(index, hit)| SearchRow::Hit {
                index: *index,
                hit,
                chosen: *index == self.chosen,
            }));
        }
        if rows.is_empty() {
            rows.push(SearchRow::Nothing);
        }
        rows
    }

    /// A hit.
    pub(super) fn hit(&self, index: usize) -> Option<&Hit> {
        match &self.found {
            Found::Hits(hits) => hits.get(index),
            Found::Unknown | Found::Failed(_) => None,
        }
    }

    /// The hit that Enter opens.
    pub(super) fn chosen(&self) -> Option<&Hit> {
        self.hit(self.chosen)
    }

    /// Takes other words; whether they are to be looked for. The hits of the words before stay in sight meanwhile.
    pub(super) fn change(&mut self, words: String, run: Run) -> bool {
        let is_same = self.words.trim() == words.trim();
        self.words = words;
        if !self.is_on() {
            self.asked = None;
            self.found = Found::Unknown;
            return false;
        }
        if !is_same {
            self.asked = Some(run);
        }
        !is_same
    }

    /// Looks for nothing.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Takes an answer, unless it is an older question's.
    pub(super) fn take(&mut self, run: Run, result: Result<Vec<SearchHit>>, present: &Present) {
        if self.asked != Some(run) {
            return;
        }
        self.asked = None;
        self.chosen = 0;
        self.found = match result {
            Ok(hits) => Found::Hits(hits.into_iter().map(|hit| Hit::new(hit, present)).collect()),
            Err(error) => Found::Failed(failure::reason(&present.texts, &error)),
        };
    }

    /// Chooses the next hit that is shown, or the one before.
    pub(super) fn step(&mut self, back: bool, chats: &Chats) {
        let hits: Vec<usize> = self
            .rows(chats)
            .iter()
            .filter_map(|row| match row {
                SearchRow::Hit { index, .. } => Some(*index),
                _ => None,
            })
            .collect();
        let at = hits.iter().position(|index| *index == self.chosen);
        let next = match at {
            None => 0,
            Some(at) if back => at.saturating_sub(1),
            Some(at) => (at + 1).min(hits.len().saturating_sub(1)),
        };
        self.chosen = hits.get(next).copied().unwrap_or(0);
    }
}

impl Hit {
    fn new(hit: SearchHit, present: &Present) -> Self {
        let (text, marks) = if hit.message.is_some() {
            led(hit.snippet, hit.matches)
        } else {
            (hit.snippet, hit.matches)
        };
        Self {
            chat: hit.chat.id,
            message: hit.message,
            title: hit.chat.title,
            date: present.label(hit.chat.updated_at),
            text,
            marks,
        }
    }
}

/// A snippet cut so that its first hit is near the beginning.
fn led(snippet: String, matches: Vec<(usize, usize)>) -> (String, Vec<(usize, usize)>) {
    let first = matches.first().map_or(0, |(from, _)| *from);
    let least = first.saturating_sub(LEAD);
    if least == 0 {
        return (snippet, matches);
    }
    let Some(before) = snippet.get(..first) else {
        return (snippet, matches);
    };
    // At the beginning of a word, where one begins there.
    let spaces = before.char_indices().filter(|(_, it)| it.is_whitespace());
    let word = spaces
        .map(|(at, space)| at + space.len_utf8())
        .find(|at| *at >= least);
    let cut = word.unwrap_or(first);
    let moved = |at: usize| at - cut + "…".len();
    let text = format!("…{}", &snippet[cut..]);
    let marks = matches
        .into_iter()
        .map(|(from, to)| (moved(from), moved(to)))
        .collect();
    (text, marks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_hit_stands_near_the_beginning() {
        let cases = [
            ("a short one with hit", "hit", "a short one with hit"),
            (
                "Some words that stand long before the hit here",
                "hit",
                "…long before the hit here",
            ),
            (
                "Ein Wort vor dem: über die größeren Häuser",
                "Häuser",
                "…die größeren Häuser",
            ),
            ("averyveryveryveryverylongwordwithahit", "hit", "…hit"),
        ];
        for (text, word, expected) in cases {
            let at = text.find(word).expect("the word");
            let (shown, marks) = led(text.into(), vec![(at, at + word.len())]);
            assert_eq!(shown, expected);
            let marked: Vec<_> = marks.iter().map(|(from, to)| &shown[*from..*to]).collect();
            assert_eq!(marked, [word]);
        }
    }
}

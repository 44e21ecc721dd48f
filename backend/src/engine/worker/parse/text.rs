//! Reading outside of tool calls: the beginning of an answer, thoughts, and text.

use super::family::Family;
use super::find::{self, Found, Head};
use super::{Calls, GrammarStart, Mode, Parser};

/// What Granite 3 puts around the answer that follows a thought.
const RESPONSE: [&str; 2] = ["<response>", "</response>"];

impl Parser {
    /// At the beginning of the answer. Gives whether there is more to do.
    pub(super) fn start(&mut self, clean: bool, ends: bool) -> bool {
        let space = self.pending.len() - self.pending.trim_start().len();
        let rest = &self.pending[space..];
        if rest.is_empty() {
            if ends && !clean {
                let text = self.take(space);
                self.say(&text);
            }
            return false;
        }
        let thoughts = self.style.thoughts;
        let open = thoughts.map(|tags| tags.open);
        let close = thoughts.map(|tags| tags.close);
        let wrap = self.has_wrap().then_some(RESPONSE[0]);
        let calls = if self.tools.is_empty() {
            &[][..]
        } else {
            self.syntax.opens
        };
        let bare = if self.bare {
            self.syntax.bare.unwrap_or_default()
        } else {
            &[]
        };
        let tags = open.into_iter().chain(close).chain(wrap);
        let tags = tags.chain(calls.iter().copied()).chain(bare.iter().copied());
        match find::head(rest, tags, ends) {
            Head::Begun => false,
            Head::Tag(tag) if Some(tag) == open => {
                self.take(space + tag.len());
                self.last = None;
                self.mode = Mode::Thought { empty: true };
                true
            }
            // The end of a thought that the prompt began, or of none.
            Head::Tag(tag) if Some(tag) == close || Some(tag) == wrap => {
                self.take(space + tag.len());
                self.wrapped |= Some(tag) == wrap;
                self.mode = Mode::Start { clean: true };
                true
            }
            Head::Tag(tag) if calls.contains(&tag) => {
                self.take(space);
                self.begin_calls(tag);
                true
            }
            Head::Tag(_) => {
                let space = self.take(space);
                self.mode = Mode::Calls(Calls::bare(if clean { String::new() } else { space }));
                true
            }
            Head::Other if self.bare && rest.starts_with('{') => {
                let space = self.take(space);
                self.mode = Mode::Calls(Calls::bare(if clean { String::new() } else { space }));
                true
            }
            Head::Other => {
                let text = self.take(space);
                if !clean {
                    self.say(&text);
                }
                self.mode = Mode::Text;
                true
            }
        }
    }

    /// In a thought. White space at its beginning and its end is left out, so that an empty one leaves nothing.
    pub(super) fn thought(&mut self, empty: bool, ends: bool) -> bool {
        let Some(tags) = self.style.thoughts else {
            self.mode = Mode::Text;
            return true;
        };
        match find::first(&self.pending, std::iter::once(tags.close), ends) {
            Found::At(at, tag) => {
                let before = self.pending[..at].chars().next_back().or(self.last);
                let after = self.pending[at + tag.len()..].chars().next();
                // `</think>` between backticks is spoken of.
                if before == Some('`') && !self.is_control(at) {
                    if after.is_none() && !ends {
                        self.think(at, empty, false);
                        return false;
                    }
                    if after == Some('`') {
                        self.think(at + tag.len(), empty, false);
                        return true;
                    }
                }
                self.think(at, empty, true);
                self.take(tag.len());
                if self.grammar == GrammarStart::AfterThought {
                    self.grammar = GrammarStart::Due(self.pending.trim_start().to_owned());
                }
                self.mode = Mode::Start { clean: true };
                true
            }
            Found::None(free) => {
                self.think(free, empty, ends);
                false
            }
        }
    }

    fn think(&mut self, bytes: usize, empty: bool, over: bool) {
        let empty = self.think_aloud(bytes, empty, over);
        self.mode = Mode::Thought { empty };
    }

    /// Gives the first bytes of what is pending as thought, and tells whether the thought is still empty. White
    /// space at their end waits for what follows, unless the thought is over.
    pub(super) fn think_aloud(&mut self, bytes: usize, empty: bool, over: bool) -> bool {
        let text = &self.pending[..bytes];
        let spoken = text.trim_end().len();
        let skipped = match empty {
            true => (text.len() - text.trim_start().len()).min(spoken),
            false => 0,
        };
        let text = text[skipped..spoken].to_owned();
        self.last = text.chars().next_back().or(self.last);
        self.take(if over { bytes } else { spoken });
        self.out.reasoning(&text);
        empty && text.is_empty()
    }

    /// In the text of the answer.
    pub(super) fn text(&mut self, ends: bool) -> bool {
        let calls = if self.tools.is_empty() {
            &[][..]
        } else {
            self.syntax.opens
        };
        let close = self.style.thoughts.map(|tags| tags.close);
        let open = self.style.thoughts.map(|tags| tags.open);
        let wrap = self.wrapped.then_some(RESPONSE[1]);
        let tags = calls.iter().copied().chain(close).chain(open).chain(wrap);
        match find::first(&self.pending, tags, ends) {
            Found::None(free) => {
                let text = self.take(free);
                self.say(&text);
                false
            }
            Found::At(at, tag) => {
                let control = self.is_control(at);
                let text = self.take(at);
                self.say(&text);
                let meant = control || !self.code.is_inside();
                if calls.contains(&tag) && meant {
                    self.begin_calls(tag);
                    return true;
                }
                if Some(tag) == open && control {
                    self.take(tag.len());
                    self.last = None;
                    self.mode = Mode::Thought { empty: true };
                    return true;
                }
                if Some(tag) == close && meant {
                    // A tag alone in its line ends a thought whose beginning nobody saw.
                    let after = self.pending[tag.len()..].chars().next();
                    let alone = self.code.at_line_start();
                    if alone && after.is_none() && !ends && !control {
                        return false;
                    }
                    if control || alone && after.is_none_or(|after| matches!(after, '\n' | '\r')) {
                        self.take(tag.len());
                        self.mode = Mode::Start { clean: true };
                        return true;
                    }
                }
                if Some(tag) == wrap && meant {
                    self.take(tag.len());
                    self.wrapped = false;
                    return true;
                }
                // It is spoken of: what follows its first character is looked through as usual.
                let first = self.pending.chars().next().map_or(0, char::len_utf8);
                let text = self.take(first);
                self.say(&text);
                true
            }
        }
    }

    /// A run of calls begins with this mark or tag.
    fn begin_calls(&mut self, tag: &str) {
        if self.grammar == GrammarStart::AtCall {
            self.grammar = GrammarStart::Due(self.pending.clone());
        }
        self.mode = Mode::Calls(match self.syntax.begins.contains(&tag) {
            true => Calls::marked(),
            false => Calls::armed(),
        });
    }

    fn has_wrap(&self) -> bool {
        self.style.family == Family::Granite
    }
}

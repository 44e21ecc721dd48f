//! Reading tool calls, from the first mark to what is none any more.

use super::call::{Call, DictionaryCall, Event, Flow, MarkupCall, NamedCall, ObjectCall};
use super::family::Body;
use super::find::{self, Head};
use super::{GrammarStart, Mode, Parser};

/// A run of calls.
#[derive(Debug)]
pub(super) struct Calls {
    /// Without marks: only what is certainly a call of a known tool counts.
    bare: bool,
    /// What came and is no call yet; it is text in the end, if there is none.
    raw: String,
    /// A mark came, so that a call may follow.
    armed: bool,
    /// The call that is read, and whether it has told its name.
    call: Option<Call>,
    named: bool,
    /// Some call came whole.
    some: bool,
}

impl Calls {
    /// Before the first mark.
    pub(super) fn marked() -> Self {
        Self {
            bare: false,
            raw: String::new(),
            armed: false,
            call: None,
            named: false,
            some: false,
        }
    }

    /// Before the first tag of a call that needs no mark.
    pub(super) fn armed() -> Self {
        Self {
            armed: true,
            ..Self::marked()
        }
    }

    /// Before an opening brace without marks, or before a fence around it; `space` stood before that.
    pub(super) fn bare(space: String) -> Self {
        Self {
            bare: true,
            raw: space,
            armed: true,
            call: None,
            named: false,
            some: false,
        }
    }
}

impl Parser {
    /// In a run of calls. Gives whether there is more to do.
    pub(super) fn calls(&mut self, ends: bool) -> bool {
        let Mode::Calls(calls) = &mut self.mode else {
            return true;
        };
        if calls.call.is_none() {
            return self.between_calls(ends);
        }
        let Some(character) = self.pending.chars().next() else {
            if ends {
                self.cut_call();
            }
            return false;
        };
        self.in_call(character)
    }

    /// Feeds the call that is read with the next character.
    fn in_call(&mut self, character: char) -> bool {
        let Mode::Calls(calls) = &mut self.mode else {
            return true;
        };
        let Some(call) = &mut calls.call else {
            return true;
        };
        let mut events = Vec::new();
        let mut flow = call.push(character, &self.tools, &mut events);
        let is_tool = |name: &str| self.tools.iter().any(|tool| tool.name == name);
        let unknown = |event: &Event| matches!(event, Event::Name(name) if !is_tool(name));
        if calls.bare && events.iter().any(unknown) {
            flow = Flow::Bad;
            events.clear();
        }
        let consumed = matches!(flow, Flow::More | Flow::Done);
        if !calls.named && consumed {
            calls.raw.push(character);
        }
        let named_now = events.iter().any(|event| matches!(event, Event::Name(_)));
        let raw = match named_now && calls.bare {
            true => {
                let begin = calls.raw.find('{').unwrap_or_default();
                Some(format!(
                    "{}{}",
                    &calls.raw[begin..],
                    &self.pending[character.len_utf8()..]
                ))
            }
            false => None,
        };
        if named_now {
            calls.named = true;
            calls.raw.clear();
        }
        match flow {
            Flow::More => {}
            Flow::Done | Flow::DoneBefore => {
                calls.some = true;
                calls.named = false;
                calls.call = None;
                // Where a call begins with its name, all text would look like one.
                calls.armed = match self.syntax.body {
                    Body::Named(_) => false,
                    Body::Markup(markup) => !markup.open.is_empty(),
                    _ => true,
                };
            }
            Flow::Bad => {
                let raw = std::mem::take(&mut calls.raw);
                let some = calls.named || calls.some;
                self.leave_calls(&raw, some);
            }
        }
        if let Some(text) = raw
            && self.grammar == GrammarStart::AtCall
        {
            self.grammar = GrammarStart::Due(text);
        }
        events.into_iter().for_each(|event| self.out.event(event));
        if consumed {
            self.take(character.len_utf8());
        }
        true
    }

    /// Takes marks and separators up to the next call.
    fn between_calls(&mut self, ends: bool) -> bool {
        let Mode::Calls(calls) = &mut self.mode else {
            return true;
        };
        let fences = if calls.bare {
            self.syntax.bare.unwrap_or_default()
        } else {
            &[]
        };
        let marks = [self.syntax.begins, self.syntax.ends, fences].concat();
        let (armed, mark) = match find::head(&self.pending, marks.iter().copied(), ends) {
            Head::Begun if !self.pending.is_empty() => return false,
            Head::Tag(mark) => (
                !self.syntax.ends.contains(&mark) || fences.contains(&mark),
                mark.len(),
            ),
            _ => match self.pending.chars().next() {
                None => {
                    if ends {
                        let (raw, some) = (std::mem::take(&mut calls.raw), calls.some);
                        self.leave_calls(&raw, some);
                        return true;
                    }
                    return false;
                }
                Some(',' | ';') => (
                    calls.armed || matches!(self.syntax.body, Body::Object | Body::Named(true)),
                    1,
                ),
                Some(character) if character.is_whitespace() || matches!(character, '[' | ']') => {
                    (calls.armed, character.len_utf8())
                }
                Some(character) => return self.begin_call(character),
            },
        };
        calls.armed = armed;
        let text = self.take(mark);
        if let Mode::Calls(calls) = &mut self.mode {
            calls.raw.push_str(&text);
        }
        true
    }

    /// Begins a call, if the character can be its first; else the run of calls ends.
    fn begin_call(&mut self, character: char) -> bool {
        let Mode::Calls(calls) = &mut self.mode else {
            return true;
        };
        let call = match self.syntax.body {
            _ if !calls.armed => None,
            Body::Object | Body::Named(true) if character == '{' => {
                Some(Call::Object(ObjectCall::new(calls.bare)))
            }
            Body::Named(_) if character != '{' => Some(Call::Named(NamedCall::new())),
            Body::Markup(markup) => {
                let first = markup.open.chars().next();
                let begins = first.map_or(character != '<', |first| first == character);
                begins.then(|| Call::Markup(MarkupCall::new(markup)))
            }
            Body::Dictionary(quote) => {
                (character == 'c').then(|| Call::Dictionary(DictionaryCall::new(quote)))
            }
            _ => None,
        };
        if call.is_some() {
            calls.call = call;
            calls.named = false;
            if calls.some {
                calls.raw.clear();
            }
            return true;
        }
        let (raw, some) = (std::mem::take(&mut calls.raw), calls.some);
        self.leave_calls(&raw, some);
        true
    }

    /// The answer ends within a call: what came of it is given.
    fn cut_call(&mut self) {
        let Mode::Calls(calls) = &mut self.mode else {
            return;
        };
        if !calls.named {
            let raw = std::mem::take(&mut calls.raw);
            self.leave_calls(&raw, false);
            return;
        }
        let mut events = Vec::new();
        if let Some(call) = &mut calls.call {
            call.cut(&mut events);
        }
        events.into_iter().for_each(|event| self.out.event(event));
        self.mode = Mode::Start { clean: true };
    }

    /// Goes on with text. What looked like a call is text, unless it is only what stands between calls.
    fn leave_calls(&mut self, raw: &str, some: bool) {
        let only_marks = {
            let marks = [self.syntax.begins, self.syntax.ends].concat();
            let mut rest = raw.to_owned();
            marks.iter().for_each(|mark| rest = rest.replace(mark, ""));
            rest.chars()
                .all(|character| character.is_whitespace() || "[],;".contains(character))
        };
        if some && only_marks {
            self.mode = Mode::Start { clean: true };
            return;
        }
        self.mode = Mode::Text;
        if raw.is_empty() && !some {
            // What was taken for the beginning of a call: looked at again, it would be taken for one again.
            let first = self.pending.chars().next().map_or(0, char::len_utf8);
            let first = self.take(first);
            self.say(&first);
        }
        self.say(raw);
    }
}

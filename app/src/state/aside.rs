//! What stands beside the text of an answer, folded: what the model thought, and the tools it asked for.

use std::time::Duration;

use hearth_protocol::UnixMillis;
use hearth_protocol::chat::Message;
use hearth_protocol::generate::TurnStats;
use hearth_protocol::tools::ToolCall;

use super::blocks::MessageText;
use super::format;
use crate::text::{Texts, say};

/// What a model did besides answering.
#[derive(Debug, Clone)]
pub(crate) struct Aside {
    /// What it is.
    pub(crate) kind: Kind,
    /// What is shown of it while it is open.
    pub(crate) body: MessageText,
    /// Whether it is open.
    pub(crate) open: bool,
}

/// What an aside is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    /// What the model thought before it answered.
    Thought {
        /// How long; `None` where that was not measured.
        time: Option<Duration>,
        /// When it began, while it goes on.
        since: Option<UnixMillis>,
    },
    /// A tool that the model asked for, and what came of it.
    Tool {
        /// The tool and its arguments.
        call: ToolCall,
        /// What it answered; `None` where nothing is known of an answer.
        result: Option<String>,
    },
}

impl Aside {
    /// What a model has thought.
    fn thought(text: &str, stats: Option<&TurnStats>) -> Self {
        let kind = Kind::Thought {
            time: stats.and_then(time_of_thinking),
            since: None,
        };
        Self {
            kind,
            body: MessageText::marked(text),
            open: false,
        }
    }

    /// What a model begins to think.
    fn thinking(now: UnixMillis) -> Self {
        let kind = Kind::Thought {
            time: None,
            since: Some(now),
        };
        Self {
            kind,
            body: MessageText::default(),
            open: false,
        }
    }

    /// A tool that was asked for.
    pub(super) fn tool(call: ToolCall) -> Self {
        Self {
            body: MessageText::marked(of_tool(&call, None)),
            kind: Kind::Tool { call, result: None },
            open: false,
        }
    }

    /// All asides of a stored message.
    pub(super) fn all(message: &Message) -> Vec<Self> {
        let thought = thought_of(message).map(|text| Self::thought(text, message.stats.as_ref()));
        let tools = message.tool_calls.iter().cloned().map(Self::tool);
        thought.into_iter().chain(tools).collect()
    }

    /// Takes more of what a model thinks into the asides of its answer.
    pub(super) fn think(asides: &mut Vec<Self>, more: &str, now: UnixMillis) {
        if !asides.last().is_some_and(Self::is_thought) {
            asides.push(Self::thinking(now));
        }
        if let Some(thought) = asides.last_mut() {
            thought.note_time(now);
            thought.body.append(more);
        }
    }

    /// Ends the thought, where one goes on: the answer begins.
    pub(super) fn end_thought(&mut self, now: UnixMillis) {
        self.note_time(now);
        if let Kind::Thought { since, .. } = &mut self.kind {
            *since = None;
        }
    }

    fn note_time(&mut self, now: UnixMillis) {
        if let Kind::Thought {
            time,
            since: Some(since),
        } = &mut self.kind
        {
            let millis = now.0.saturating_sub(since.0);
            *time = u64::try_from(millis).ok().map(Duration::from_millis);
        }
    }

    /// Whether these are the asides of a stored message.
    pub(super) fn are_of(asides: &[Self], message: &Message) -> bool {
        let thoughts = asides.iter().filter(|aside| aside.is_thought());
        let calls = asides.iter().filter_map(|aside| match &aside.kind {
            Kind::Tool { call, .. } => Some(call),
            Kind::Thought { .. } => None,
        });
        thoughts
            .map(|thought| thought.body.text())
            .eq(thought_of(message))
            && calls.eq(&message.tool_calls)
    }

    /// Whether it is what the model thought.
    pub(crate) fn is_thought(&self) -> bool {
        matches!(self.kind, Kind::Thought { .. })
    }

    /// Takes what the tool answered.
    pub(super) fn answer(&mut self, answer: &str) {
        if let Kind::Tool { call, result } = &mut self.kind
            && result.as_deref() != Some(answer)
        {
            *result = Some(answer.to_owned());
            self.body = MessageText::marked(of_tool(call, Some(answer)));
        }
    }

    /// What it is called.
    pub(crate) fn title(&self, texts: &Texts) -> String {
        match &self.kind {
            Kind::Thought { time, since } => match (since, time) {
                (Some(_), Some(time)) => {
                    say!(texts, "aside-thinking-for", time = format::seconds(texts, *time))
                }
                (Some(_), None) => say!(texts, "aside-thinking"),
                (None, Some(time)) => {
                    say!(texts, "aside-thought-for", time = format::seconds(texts, *time))
                }
                (None, None) => say!(texts, "aside-thoughts"),
            },
            Kind::Tool {
                call,
                result: Some(_),
            } => say!(texts, "aside-used", tool = call.name.as_str()),
            Kind::Tool { call, result: None } => {
                say!(texts, "aside-asked-for", tool = call.name.as_str())
            }
        }
    }
}

/// What the model thought before this answer.
fn thought_of(message: &Message) -> Option<&str> {
    let thought = message.reasoning.as_deref();
    thought.filter(|text| !text.trim().is_empty())
}

/// How long a model thought, by the speed at which it wrote.
fn time_of_thinking(stats: &TurnStats) -> Option<Duration> {
    let seconds = f64::from(stats.reasoning_tokens) / stats.generated_tokens_per_second;
    let is_known = stats.reasoning_tokens > 0 && seconds.is_finite();
    is_known
        .then(|| Duration::try_from_secs_f64(seconds).ok())
        .flatten()
}

/// Arguments and result of a tool as Markdown.
fn of_tool(call: &ToolCall, result: Option<&str>) -> String {
    let arguments = fenced("json", &call.arguments);
    let result = result.map(|result| fenced("result", result));
    format!("{arguments}\n{}", result.unwrap_or_default())
}

/// Text as a code block: its fence is longer than every row of backticks in it.
fn fenced(language: &str, text: &str) -> String {
    let longest = text.split(|it| it != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}\n", text.trim_end_matches('\n'))
}

#[cfg(test)]
mod tests {
    use super::super::blocks::Kind as Block;
    use super::*;

    fn call(arguments: &str) -> ToolCall {
        ToolCall {
            id: "1".into(),
            name: "weather".into(),
            arguments: arguments.into(),
        }
    }

    fn code(aside: &Aside) -> Vec<(&str, &str)> {
        let blocks = aside.body.blocks().iter();
        blocks
            .map(|block| match &block.kind {
                Block::Code { language, text } => (language.as_str(), text.as_str()),
                other => panic!("{other:?}"),
            })
            .collect()
    }

    #[test]
    fn a_tool_shows_its_arguments_and_its_result_whatever_they_hold() {
        let mut aside = Aside::tool(call("{\"place\": \"```\"}"));
        assert_eq!(aside.title(&Texts::default()), "Asked for weather");
        assert_eq!(code(&aside), [("json", "{\"place\": \"```\"}\n")]);
        aside.answer("# 21 degrees\n\n````\n$x$");
        assert_eq!(aside.title(&Texts::default()), "Used weather");
        assert_eq!(code(&aside)[1], ("result", "# 21 degrees\n\n````\n$x$\n"));
    }

    #[test]
    fn the_time_of_thinking_is_reckoned_where_it_can_be() {
        let stats = |reasoning_tokens, generated_tokens_per_second| TurnStats {
            reasoning_tokens,
            generated_tokens_per_second,
            ..TurnStats::default()
        };
        let title = |stats: &TurnStats| Aside::thought("Hm.", Some(stats)).title(&Texts::default());
        assert_eq!(title(&stats(64, 20.0)), "Thought for 3.2\u{a0}s");
        assert_eq!(title(&stats(0, 20.0)), "Thoughts");
        assert_eq!(title(&stats(64, 0.0)), "Thoughts");
    }

    #[test]
    fn a_thought_is_timed_while_it_goes_on() {
        let mut asides = Vec::new();
        Aside::think(&mut asides, "Let me", UnixMillis(1_000));
        Aside::think(&mut asides, " see.", UnixMillis(2_500));
        assert_eq!(asides.len(), 1);
        assert_eq!(asides[0].title(&Texts::default()), "Thinking for 1.5\u{a0}s");
        assert_eq!(asides[0].body.text(), "Let me see.");
        asides[0].end_thought(UnixMillis(3_000));
        asides[0].end_thought(UnixMillis(9_000));
        assert_eq!(asides[0].title(&Texts::default()), "Thought for 2.0\u{a0}s");
    }
}

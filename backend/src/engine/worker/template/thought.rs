//! Thoughts in prompts: under which name a template expects those of earlier answers, and the tags around the one
//! that is to be written.

/// Where a template expects what the model thought before an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Under this name in the message.
    Key(&'static str),
    /// As a part of the content, as Mistral has it.
    Part,
    /// Nowhere: it shows none.
    Nowhere,
}

/// The names, the most usual first. A template that reads more than one takes them as the same.
const KEYS: [&str; 3] = ["reasoning_content", "reasoning", "thinking"];

/// Where the template of this source expects thoughts. The source is searched for the names as it would write them
/// to read them; one that is there for another purpose does no harm.
pub(super) fn place_in(source: &str) -> Place {
    let reads = |key: &&str| {
        let quoted = [format!("['{key}']"), format!("[\"{key}\"]")];
        let named = source.match_indices(&format!(".{key}")).any(|(at, found)| {
            let after = source[at + found.len()..].chars().next();
            !after.is_some_and(|c| c.is_alphanumeric() || c == '_')
        });
        // A quoted name by itself is one that is asked for with `in` or `get`.
        let asked = [
            format!("'{key}' in "),
            format!("get('{key}'"),
            format!("get(\"{key}\""),
        ];
        named
            || quoted
                .iter()
                .chain(&asked)
                .any(|form| source.contains(form.as_str()))
    };
    let of_part = [
        "['type'] == 'thinking'",
        "[\"type\"] == \"thinking\"",
        ".type == 'thinking'",
    ];
    if of_part.iter().any(|form| source.contains(form)) {
        return Place::Part;
    }
    KEYS.iter()
        .find(|key| reads(key))
        .map_or(Place::Nowhere, |key| Place::Key(key))
}

/// What stands around a thought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tags {
    pub(super) open: &'static str,
    close: &'static str,
}

/// The tags of the models that Hearth knows.
const TAGS: [Tags; 5] = [
    Tags {
        open: "<think>",
        close: "</think>",
    },
    Tags {
        open: "<|START_THINKING|>",
        close: "<|END_THINKING|>",
    },
    Tags {
        open: "[THINK]",
        close: "[/THINK]",
    },
    Tags {
        open: "<seed:think>",
        close: "</seed:think>",
    },
    Tags {
        open: "<|inner_prefix|>",
        close: "<|inner_suffix|>",
    },
];

impl Tags {
    /// The tags of a thought that is open at the end of a text.
    pub(super) fn open_at_end(text: &str) -> Option<Self> {
        let text = text.trim_end();
        TAGS.into_iter().find(|tags| text.ends_with(tags.open))
    }

    /// The tags that a template writes or looks for.
    pub(super) fn in_source(source: &str) -> Option<Self> {
        TAGS.into_iter().find(|tags| source.contains(tags.open))
    }

    /// What ends the thought that is open at the end of a text, in the layout that began it.
    pub(super) fn closing(self, text: &str, thought: &str) -> String {
        if text.ends_with('\n') {
            let line = if thought.ends_with('\n') { "" } else { "\n" };
            format!("{line}{}\n\n", self.close)
        } else {
            self.close.to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_of_thoughts_is_read_from_the_source() {
        let cases = [
            ("{{ message.reasoning_content }}", Place::Key("reasoning_content")),
            (
                "{% if message['reasoning_content'] is string %}",
                Place::Key("reasoning_content"),
            ),
            (
                "{{ message.reasoning or message.reasoning_content }}",
                Place::Key("reasoning_content"),
            ),
            ("{{ message.reasoning }}", Place::Key("reasoning")),
            ("{{ message.thinking }}", Place::Key("thinking")),
            ("{% if 'thinking' in message %}", Place::Key("thinking")),
            (
                "{% if block['type'] == 'thinking' %}{{ block['thinking'] }}",
                Place::Part,
            ),
            ("{% if thinking is defined and thinking %}", Place::Nowhere),
            ("{{ message.reasoning_effort }}", Place::Nowhere),
            ("{{ message.content }}", Place::Nowhere),
        ];
        for (source, place) in cases {
            assert_eq!(place_in(source), place, "{source}");
        }
    }

    #[test]
    fn an_open_thought_is_closed_in_its_layout() {
        let open = |text| Tags::open_at_end(text).map(|tags| tags.closing(text, ""));
        assert_eq!(open("assistant\n<think>\n").as_deref(), Some("\n</think>\n\n"));
        assert_eq!(open("<|Assistant|><think>").as_deref(), Some("</think>"));
        assert_eq!(open("<|START_THINKING|>").as_deref(), Some("<|END_THINKING|>"));
        assert_eq!(open("<think>\n\n</think>\n\n"), None);
        assert_eq!(open("assistant\n"), None);
        let tags = Tags::in_source("x <think> y").expect("it has tags");
        assert_eq!(tags.closing("<think>\n", "So.\n"), "</think>\n\n");
        assert_eq!(tags.closing("<think>\n", "So."), "\n</think>\n\n");
    }
}

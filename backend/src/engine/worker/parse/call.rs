//! One tool call, read character by character, in the forms that models write it in.

mod dictionary;
mod markup;
mod named;
mod object;

use hearth_protocol::tools::Tool;

pub(super) use self::dictionary::DictionaryCall;
pub(super) use self::markup::{Markup, MarkupCall};
pub(super) use self::named::NamedCall;
pub(super) use self::object::ObjectCall;
pub(super) use super::json::Flow;

/// Longest name, in characters; what is longer is no call.
const LONGEST_NAME: usize = 256;

/// What a call's text tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Event {
    /// The tool's name; it comes once and before all arguments.
    Name(String),
    /// More of the arguments; all of them together are a JSON object.
    Arguments(String),
}

/// A call on its way.
#[derive(Debug)]
pub(super) enum Call {
    Object(ObjectCall),
    Named(NamedCall),
    Markup(MarkupCall),
    Dictionary(DictionaryCall),
}

impl Call {
    /// Takes the next character. What comes after `Done` and after `Bad` belongs to others.
    pub(super) fn push(&mut self, character: char, tools: &[Tool], events: &mut Vec<Event>) -> Flow {
        match self {
            Self::Object(call) => call.push(character, events),
            Self::Named(call) => call.push(character, events),
            Self::Markup(call) => call.push(character, tools, events),
            Self::Dictionary(call) => call.push(character, events),
        }
    }

    /// Gives what came and was held, where the text ends within the call.
    pub(super) fn cut(&mut self, events: &mut Vec<Event>) {
        match self {
            Self::Markup(call) => call.cut(events),
            Self::Dictionary(call) => call.cut(events),
            Self::Object(_) | Self::Named(_) => {}
        }
    }
}

/// Whether a text can be the name of a tool.
fn is_name(name: &str) -> bool {
    let letter = |letter: char| letter.is_ascii_alphanumeric() || "_-.".contains(letter);
    !name.is_empty() && name.len() <= LONGEST_NAME && name.chars().all(letter)
}

/// The inside of a JSON string that stands for a text.
fn escaped(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

//! Commands and their answers as lines of JSON, so that a client in another process asks the same backend.
//!
//! The asking side gives each command a number. Its answer, or each of its events, comes back under that number; and
//! where the listener leaves, that is told, so that the work stops at once. Here is only what the lines say and what
//! becomes of it: no socket and no thread. Whoever carries the lines reads them one by one and writes what it is given.

mod asking;
mod form;
mod serving;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Error, RequestId, Result};

pub use asking::Asking;
pub(crate) use asking::WayBack;
pub(crate) use form::{Fields, Wire};
pub(crate) use serving::Opening;
pub use serving::Serving;

/// The form of the lines: raised where an older side would take them for something else. A command, a field or an event
/// that one side does not know is answered with an error and needs no other form.
const FORM: u32 = 1;

/// One line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    /// The first line of each side.
    Hello(Hello),
    /// A command.
    Ask {
        /// The asking side's number for it.
        call: u64,
        /// The asking side's number for its run, where it has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        run: Option<RequestId>,
        /// Its name.
        command: String,
        /// Its fields.
        fields: Fields,
    },
    /// Nobody listens to a command's events any more.
    Leave {
        /// The command.
        call: u64,
    },
    /// The answer, or an event.
    Answer {
        /// The command.
        call: u64,
        /// What it says.
        body: Value,
    },
    /// It failed; nothing more comes.
    Failed {
        /// The command.
        call: u64,
        /// Why.
        error: Error,
    },
    /// The other side's line cannot be read; the connection ends.
    Bad {
        /// Why.
        error: Error,
    },
}

/// Who speaks.
#[derive(Debug, Serialize, Deserialize)]
struct Hello {
    /// The form of its lines.
    form: u32,
    /// Its version of Hearth, for people.
    hearth: String,
}

/// The line with which each side begins.
pub fn hello() -> String {
    write(&Line::Hello(Hello {
        form: FORM,
        hearth: env!("CARGO_PKG_VERSION").to_owned(),
    }))
}

/// Heeds the other side's first line.
///
/// # Errors
/// [`Error::OtherHearth`] where both do not understand each other; the other side's own refusal.
pub fn heed_hello(line: &str) -> Result<()> {
    match read(line)? {
        Line::Hello(Hello { form: FORM, .. }) => Ok(()),
        Line::Hello(Hello { hearth, .. }) => Err(Error::OtherHearth {
            problem: format!(
                "it is version {hearth}, which does not understand version {}; close it, or use the \
                 programs of that version",
                env!("CARGO_PKG_VERSION")
            ),
        }),
        Line::Bad { error } => Err(error),
        _ => Err(unreadable("it does not begin with a hello")),
    }
}

/// The last line for a side whose lines cannot be read.
pub fn bad(error: Error) -> String {
    write(&Line::Bad { error })
}

fn read(line: &str) -> Result<Line> {
    serde_json::from_str(line).map_err(unreadable)
}

/// A line, without its end.
fn write(line: &Line) -> String {
    // What cannot be written has become an error before: a line holds only JSON, texts and numbers.
    serde_json::to_string(line).unwrap_or_default()
}

fn unreadable(reason: impl std::fmt::Display) -> Error {
    Error::OtherHearth {
        problem: format!("what was said to it or by it cannot be read: {reason}"),
    }
}

//! How a command ends: its exit code, and the words for a person where it failed.

use std::io::{self, Write};
use std::process::ExitCode;

use hearth_protocol::{Error, ErrorKind};
use serde::Serialize;

use crate::text::printable;

/// Exit codes that scripts can rely on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done.
    Done = 0,
    /// Failed for a reason without a code of its own.
    Failed = 1,
    /// The command was used wrongly; clap ends with the same code.
    Usage = 2,
    /// Something named is not there.
    NotFound = 3,
    /// The model, its file or its engine failed.
    Engine = 4,
    /// Stopped by Ctrl-C, as shells number it: 128 and the signal.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Why a command ended early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Hearth said so.
    Hearth(Error),
    /// The same, and the last line of JSON has told of it already.
    Told(Error),
    /// The command was used wrongly, in words.
    Usage(&'static str),
    /// Input or output broke.
    Terminal(io::Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Hearth(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Terminal(error)
    }
}

/// The last line of JSON of a command that failed. Fields may be added, none is renamed.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum LastLine<'a> {
    /// With Hearth's error, where it is one.
    Failed {
        error: Option<&'a Error>,
        message: String,
    },
}

impl Failure {
    /// Tells a person what happened, and a script too where it reads JSON, and gives the exit code.
    pub(crate) fn report(self, as_json: bool) -> Exit {
        if as_json && let Some(line) = self.last_line() {
            // Where standard output is closed nobody reads it any more.
            write_line(&line).ok();
        }
        match self {
            Self::Hearth(error) | Self::Told(error) => {
                tell(&error.to_string());
                for line in error.log() {
                    tell(&format!("  {line}"));
                }
                exit_of(&error)
            }
            Self::Usage(message) => {
                tell(message);
                Exit::Usage
            }
            // The reader has what it wanted, as `head` does.
            Self::Terminal(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Done,
            Self::Terminal(error) => {
                tell(&terminal_words(&error));
                Exit::Failed
            }
        }
    }

    /// What a script is told of it; `None` where it knows already, or does not listen.
    fn last_line(&self) -> Option<LastLine<'_>> {
        let (error, message) = match self {
            Self::Hearth(error) => (Some(error), error.to_string()),
            Self::Usage(message) => (None, (*message).to_owned()),
            Self::Terminal(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                (None, terminal_words(error))
            }
            Self::Told(_) | Self::Terminal(_) => return None,
        };
        Some(LastLine::Failed { error, message })
    }
}

fn terminal_words(error: &io::Error) -> String {
    format!("The terminal failed: {error}.")
}

fn write_line(line: &LastLine<'_>) -> io::Result<()> {
    let mut output = io::stdout().lock();
    serde_json::to_writer(&mut output, line)?;
    writeln!(output)?;
    output.flush()
}

/// The exit code of an error.
pub(crate) fn exit_of(error: &Error) -> Exit {
    match error.kind() {
        ErrorKind::NotFound => Exit::NotFound,
        ErrorKind::Invalid => Exit::Usage,
        ErrorKind::Engine => Exit::Engine,
        ErrorKind::Cancelled => Exit::Interrupted,
        ErrorKind::NotYet
        | ErrorKind::Failed
        | ErrorKind::Busy
        | ErrorKind::Offline
        | ErrorKind::Access
        | ErrorKind::Unconfirmed => Exit::Failed,
    }
}

/// Writes a line to standard error. Where that is closed there is nobody left to tell.
fn tell(line: &str) {
    writeln!(io::stderr().lock(), "{}", printable(line)).ok();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_failure_has_the_documented_code() {
        let not_found = Error::NotFound {
            what: "model".into(),
            name: "x".into(),
            known: vec![],
        };
        let bad_file = Error::BadModelFile {
            file: "x.gguf".into(),
            reason: "it is empty".into(),
        };
        let cases = [
            (Error::invalid("temperature", "is wrong"), 2),
            (not_found, 3),
            (bad_file, 4),
            (Error::Cancelled, 130),
            (Error::BackendGone, 1),
        ];
        for (error, code) in cases {
            assert_eq!(exit_of(&error) as u8, code, "{error}");
        }
    }

    #[test]
    fn a_closed_output_is_no_failure() {
        let closed = Failure::Terminal(io::ErrorKind::BrokenPipe.into());
        assert!(closed.last_line().is_none());
        assert_eq!(closed.report(true), Exit::Done);
    }
}

//! Why a template did not give a prompt, in words for a person.

use minijinja::{Error, ErrorKind};

use super::builtin;

/// A failure of a template. The text is the rest of the sentence “The chat template of this model failed: …”.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The template itself refuses this chat; the same chat in another shape may do.
    Refused(String),
    /// Something in the template is not known or does not work with this chat; another shape may do.
    Construct(String),
    /// With any chat.
    Template(String),
    /// A limit was reached, and what reached it cannot be broken off: its thread runs on until the process ends.
    Stuck(String),
}

/// What a template says with `raise_exception`; the source of the engine's error.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct Raised(pub(super) String);

impl Failure {
    /// A template that cannot be read.
    pub(super) fn of_parse(error: &Error) -> Self {
        Self::Template(describe(error))
    }

    /// A render that broke off.
    pub(super) fn of_render(error: &Error) -> Self {
        match (raised(error), error.kind()) {
            (Some(raised), _) => Self::Refused(format!("it refuses this chat: {}", sentence(&raised.0))),
            (None, ErrorKind::OutOfFuel) => {
                Self::Template(format!("{}it does far more work than a chat needs", line(error)))
            }
            (None, ErrorKind::WriteFailure) => {
                Self::Template(format!("{}it writes too much text", line(error)))
            }
            (None, _) => Self::Construct(describe(error)),
        }
    }

    /// The reason.
    pub(crate) fn reason(&self) -> &str {
        let (Self::Refused(reason) | Self::Construct(reason) | Self::Template(reason) | Self::Stuck(reason)) =
            self;
        reason
    }
}

/// What is wrong in the template itself comes with what can be done about it.
impl From<Failure> for hearth_protocol::Error {
    fn from(failure: Failure) -> Self {
        let reason = match &failure {
            Failure::Refused(reason) => reason.clone(),
            failure => format!(
                "{}. Load the model with another chat template in its place, such as “{}”",
                failure.reason(),
                builtin::CHATML_NAME
            ),
        };
        Self::Template { reason }
    }
}

/// What the template itself said, wherever in it the error came up.
fn raised(error: &Error) -> Option<&Raised> {
    let mut source = std::error::Error::source(error);
    while let Some(error) = source {
        if let Some(raised) = error.downcast_ref() {
            return Some(raised);
        }
        source = error.source();
    }
    None
}

/// The construct at fault: that of the innermost error, since those around it only say where it came through.
fn describe(error: &Error) -> String {
    let mut inner = error;
    while let Some(source) =
        std::error::Error::source(inner).and_then(|source| source.downcast_ref::<Error>())
    {
        inner = source;
    }
    let place = if inner.line().is_some() {
        line(inner)
    } else {
        line(error)
    };
    match inner.detail() {
        Some(detail) => format!("{place}{}: {}", inner.kind(), sentence(detail)),
        None => format!("{place}{}", inner.kind()),
    }
}

fn line(error: &Error) -> String {
    error
        .line()
        .map_or_else(String::new, |line| format!("line {line}: "))
}

/// Text that can stand before the full stop of another sentence.
fn sentence(text: &str) -> &str {
    let text = text.trim();
    if text.ends_with("..") {
        text
    } else {
        text.trim_end_matches(['.', '!'])
    }
}

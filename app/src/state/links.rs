//! What a link is that was clicked: a web page, something to ask about, or nothing that is ever opened.

use super::blocks::hidden;
use crate::text::{Key, key};

/// Schemes that are opened without asking.
const WEB: [&str; 2] = ["http", "https"];
/// Schemes whose addresses are programs or hold what is shown: never opened.
const NEVER: [&str; 6] = ["javascript", "vbscript", "data", "blob", "about", "view-source"];

/// A link that is asked about before it is opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AskedLink {
    /// Its address as it was written.
    pub(crate) address: String,
    /// Whether it can be opened at all.
    pub(crate) can_open: bool,
}

impl AskedLink {
    /// The title of the question.
    pub(crate) fn title(&self) -> Key {
        if self.can_open {
            key!("link-open-title")
        } else {
            key!("link-never-title")
        }
    }

    /// What to think of before.
    pub(crate) fn text(&self) -> Key {
        if self.can_open {
            key!("link-open-text")
        } else {
            key!("link-never-text")
        }
    }

    /// The address as it is shown.
    pub(crate) fn shown(&self) -> String {
        hidden::shown(&self.address)
    }
}

/// What becomes of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It is opened at once.
    Open,
    /// It is opened after asking.
    Ask,
    /// It is not opened.
    Never,
}

/// Judges an address.
pub(super) fn judge(address: &str) -> Verdict {
    let is_odd = |it: char| it.is_whitespace() || it.is_control() || hidden::is_hidden(it);
    let Some(scheme) = scheme(address).filter(|_| !address.contains(is_odd)) else {
        return Verdict::Never;
    };
    let is_in = |list: &[&str]| list.iter().any(|it| it.eq_ignore_ascii_case(scheme));
    if is_in(&WEB) {
        Verdict::Open
    } else if is_in(&NEVER) {
        Verdict::Never
    } else {
        Verdict::Ask
    }
}

/// The scheme of an address (RFC 3986, 3.1), of at least two letters: one is a drive of Windows.
fn scheme(address: &str) -> Option<&str> {
    let (scheme, rest) = address.split_once(':')?;
    let mut letters = scheme.chars();
    let is_scheme = letters.next().is_some_and(|it| it.is_ascii_alphabetic())
        && letters.clone().count() > 0
        && letters.all(|it| it.is_ascii_alphanumeric() || "+-.".contains(it));
    (is_scheme && !rest.is_empty()).then_some(scheme)
}

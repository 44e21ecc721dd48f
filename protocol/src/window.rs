//! The window, for other processes of the same person: one that is started a second time asks the first to show itself, and
//! hands over what it was started with.

use std::path::PathBuf;

use percent_encoding::percent_decode_str;
use serde::{Deserialize, Serialize};

use crate::hub::link::{self, Link};
use crate::{Error, ModelId, RunEvent};

/// How links begin that Hearth is registered for, as in `hearth://owner/model`.
pub const SCHEME: &str = "hearth://";

/// How files are handed over by desktops that speak of addresses alone.
const FILE_SCHEME: &str = "file://";

/// How the names of model files end.
const MODEL_FILE: &str = ".gguf";

/// What a window hears from other processes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WindowEvent {
    /// Come to the front, with what the other was started with.
    Show {
        /// The link or file; `None` where there was none.
        handed: Option<Handed>,
    },
    /// No more news.
    Closed(Error),
}

/// What Hearth is started with by a click on a link or on a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Handed {
    /// A model of the hub.
    Model {
        /// Which.
        model: ModelId,
        /// The file or the quantisation that is meant; `None` where the link names none.
        file: Option<String>,
    },
    /// A model file.
    File(PathBuf),
}

impl Handed {
    /// Reads what stands behind the program's name: a link such as `hearth://owner/model`, `hearth://owner/model:Q4_K_M` or
    /// one with the further path of a page of the hub, the address of a file, or the path of a model file. `None` where it
    /// is nothing of the kind.
    pub fn read(text: &str) -> Option<Self> {
        if let Some(rest) = after(text, SCHEME) {
            // What follows is what follows the hub's address, whichever hub it is.
            let link = format!("{}/{rest}", link::HOSTS[0]);
            return match link::read(&link, "")? {
                Link::Model { model, file, .. } => Some(Self::Model { model, file }),
                _ => None,
            };
        }
        let path = match after(text, FILE_SCHEME) {
            // Between the scheme and the path stands the name of this computer, or nothing.
            Some(rest) => percent_decode_str(&rest[rest.find('/')?..])
                .decode_utf8()
                .ok()?
                .into_owned(),
            None => text.to_owned(),
        };
        let ending = path.len().checked_sub(MODEL_FILE.len())?;
        let is_model = path.get(ending..)?.eq_ignore_ascii_case(MODEL_FILE);
        is_model.then(|| Self::File(path.into()))
    }
}

/// What follows a scheme, however that is written.
fn after<'a>(text: &'a str, scheme: &str) -> Option<&'a str> {
    let start = text.get(..scheme.len())?;
    start.eq_ignore_ascii_case(scheme).then(|| &text[scheme.len()..])
}

impl RunEvent for WindowEvent {
    fn is_terminal(&self) -> bool {
        matches!(self, Self::Closed(_))
    }
    fn failed(error: Error) -> Self {
        Self::Closed(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_files_are_told_apart() {
        let model = |name: &str, file: Option<&str>| {
            Some(Handed::Model {
                model: name.into(),
                file: file.map(str::to_owned),
            })
        };
        let file = |path: &str| Some(Handed::File(path.into()));
        let cases = [
            ("hearth://Ada/owl-GGUF", model("Ada/owl-GGUF", None)),
            ("HEARTH://Ada/owl-GGUF/", model("Ada/owl-GGUF", None)),
            ("hearth://Ada/owl:Q4_K_M", model("Ada/owl", Some("Q4_K_M"))),
            (
                "hearth://Ada/owl/blob/main/a%20b.gguf",
                model("Ada/owl", Some("a b.gguf")),
            ),
            ("hearth://", None),
            ("hearth://Ada", None),
            ("hearth://../../etc/passwd", None),
            ("hearth://Ada/owl rm", None),
            ("/models/ü.gguf", file("/models/ü.gguf")),
            ("owl.GGUF", file("owl.GGUF")),
            ("file:///models/a%20b.gguf", file("/models/a b.gguf")),
            ("file://here/models/a.gguf", file("/models/a.gguf")),
            ("file://a.gguf", None),
            ("/etc/passwd", None),
            ("ü", None),
            ("--help", None),
            ("", None),
        ];
        for (text, handed) in cases {
            assert_eq!(Handed::read(text), handed, "{text}");
        }
    }
}

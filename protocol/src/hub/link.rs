//! Links to the hub's pages, and names of models. Pure.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use crate::ModelId;

/// Hosts of the Hugging Face Hub, as links to it and other programs' folders have them.
pub const HOSTS: [&str; 2] = ["huggingface.co", "hf.co"];

/// The branch that is meant where none is named.
const MAIN: &str = "main";

/// First parts of paths that are no names of authors.
const OTHER_PAGES: [&str; 20] = [
    "api",
    "blog",
    "chat",
    "collections",
    "datasets",
    "docs",
    "enterprise",
    "inference",
    "join",
    "learn",
    "login",
    "new",
    "organizations",
    "papers",
    "posts",
    "pricing",
    "settings",
    "spaces",
    "tasks",
    "welcome",
];

/// Where a link leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Link {
    /// To a page of a model, whichever.
    Model {
        /// The model.
        model: ModelId,
        /// The branch, tag or commit that the page shows, where it is another than `main`.
        revision: Option<String>,
        /// The file that the page shows, or a quantisation.
        file: Option<String>,
    },
    /// To a user or an organisation.
    Author(String),
    /// To a list of models, with the query of its address, such as `search=owl`.
    List(String),
    /// To something else.
    Other,
}

/// Reads a link, with or without its scheme, to the Hugging Face Hub or to the hub at this address, such as a mirror;
/// `None` where it is none.
pub fn read(text: &str, hub: &str) -> Option<Link> {
    if text.contains(char::is_whitespace) {
        return None;
    }
    let text = without_scheme(text);
    let own = without_scheme(hub);
    let path = HOSTS
        .into_iter()
        .chain([own].into_iter().filter(|own| !own.is_empty()))
        .find_map(|host| below(text, host))?;
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let path = path.split('#').next().unwrap_or(path);
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let parts = match parts.as_slice() {
        ["api", "models", rest @ ..] => rest,
        ["models", ..] | [] => return Some(Link::List(query.to_owned())),
        rest => rest,
    };
    Some(match parts {
        [first, ..] if OTHER_PAGES.contains(&first.to_lowercase().as_str()) => Link::Other,
        [author] if is_name(author) => Link::Author((*author).to_owned()),
        [author, name, page @ ..] => match model(&format!("{author}/{name}")) {
            Some(model) => {
                // As other programs have it: `hf.co/owner/name:Q4_K_M`.
                let tag = name.split_once(':').map(|(_, tag)| tag);
                of_model(model, tag, page)
            }
            None => Link::Other,
        },
        _ => Link::Other,
    })
}

/// The page of a model that these parts of a path lead to.
fn of_model(model: ModelId, tag: Option<&str>, page: &[&str]) -> Link {
    let text = |part: &str| percent_decode_str(part).decode_utf8().map(Cow::into_owned).ok();
    let (revision, file) = match page {
        ["blob" | "resolve" | "raw" | "blame", revision, file @ ..] => {
            (text(revision), text(&file.join("/")))
        }
        ["tree" | "commit" | "commits", revision, ..] => (text(revision), None),
        _ => (None, tag.map(str::to_owned)),
    };
    Link::Model {
        model,
        revision: revision.filter(|revision| revision != MAIN),
        file: file.filter(|file| !file.is_empty()),
    }
}

/// The model in `author/model`, a file or a quantisation after a colon left out; `None` where the text is nothing of the
/// kind.
pub fn model(text: &str) -> Option<ModelId> {
    let text = text.split_once(':').map_or(text, |(model, _)| model);
    let (author, name) = text.split_once('/')?;
    (is_name(author) && is_name(name)).then(|| text.into())
}

/// Whether a text can be the name of an author or of a model (`huggingface_hub`, `validate_repo_id`).
pub fn is_name(text: &str) -> bool {
    let is_allowed = |char: char| char.is_ascii_alphanumeric() || matches!(char, '-' | '_' | '.');
    !text.is_empty()
        && text.len() <= 96
        && text.chars().all(is_allowed)
        && text.chars().any(|char| char.is_ascii_alphanumeric())
        && !text.contains("..")
}

fn without_scheme(text: &str) -> &str {
    let without = |scheme: &str| {
        let start = text.get(..scheme.len())?;
        start.eq_ignore_ascii_case(scheme).then(|| &text[scheme.len()..])
    };
    let text = without("https://").or_else(|| without("http://")).unwrap_or(text);
    text.strip_prefix("www.").unwrap_or(text)
}

/// What of an address comes after a host; `None` where it is another host's.
fn below<'a>(text: &'a str, host: &str) -> Option<&'a str> {
    let start = text.get(..host.len())?;
    let rest = &text[host.len()..];
    let is_below = rest.is_empty() || rest.starts_with(['/', '?', '#']);
    (start.eq_ignore_ascii_case(host) && is_below).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_to_a_model_a_revision_and_a_file() {
        let cases = [
            ("https://huggingface.co/o/n", Some(("o/n", None, None))),
            ("hf.co/o/n/", Some(("o/n", None, None))),
            ("hf.co/o/n:Q4_K_M", Some(("o/n", None, Some("Q4_K_M")))),
            ("https://huggingface.co/o/n/tree/main", Some(("o/n", None, None))),
            ("http://mirror:1/o/n/tree/v2", Some(("o/n", Some("v2"), None))),
            (
                "https://www.huggingface.co/o/n/blob/main/m-Q4_0.gguf?show=1#L1",
                Some(("o/n", None, Some("m-Q4_0.gguf"))),
            ),
            (
                "https://huggingface.co/o/n/resolve/refs%2Fpr%2F1/UD/a%20b.gguf",
                Some(("o/n", Some("refs/pr/1"), Some("UD/a b.gguf"))),
            ),
            (
                "https://huggingface.co/o/n/discussions/7",
                Some(("o/n", None, None)),
            ),
            ("https://other.example/o/n", None),
            ("o/n", None),
            ("/o/n", None),
        ];
        for (text, expected) in cases {
            let expected =
                expected.map(
                    |(model, revision, file): (&str, Option<&str>, Option<&str>)| Link::Model {
                        model: model.into(),
                        revision: revision.map(str::to_owned),
                        file: file.map(str::to_owned),
                    },
                );
            assert_eq!(read(text, "http://mirror:1"), expected, "{text}");
        }
    }
}

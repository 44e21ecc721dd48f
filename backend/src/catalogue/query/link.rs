//! Links to the hub's pages, and names of models. Pure.

use hearth_protocol::ModelId;
use url::form_urlencoded;

use crate::hub::endpoint::HOSTS;

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
pub(super) enum Link {
    /// To a page of a model, whichever.
    Model(ModelId),
    /// To a user or an organisation.
    Author(String),
    /// To the list of models that have these words.
    Search(String),
    /// To something else.
    Other,
}

/// Reads a link, with or without its scheme, to the Hugging Face Hub or to the hub at this address; `None` where it is
/// none.
pub(super) fn read(text: &str, hub: &str) -> Option<Link> {
    if text.contains(char::is_whitespace) {
        return None;
    }
    let text = without_scheme(text);
    let own = without_scheme(hub);
    let path = HOSTS
        .into_iter()
        .chain([own])
        .find_map(|host| below(text, host))?;
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let path = path.split('#').next().unwrap_or(path);
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let parts = match parts.as_slice() {
        ["api", "models", rest @ ..] => rest,
        ["models", ..] | [] => {
            let mut pairs = form_urlencoded::parse(query.as_bytes());
            let words = pairs.find(|(name, _)| name == "search");
            return Some(Link::Search(
                words.map_or_else(String::new, |(_, words)| words.into_owned()),
            ));
        }
        rest => rest,
    };
    Some(match parts {
        [first, ..] if OTHER_PAGES.contains(&first.to_lowercase().as_str()) => Link::Other,
        [author] if is_name(author) => Link::Author((*author).to_owned()),
        [author, name, ..] => model(&format!("{author}/{name}")).map_or(Link::Other, Link::Model),
        _ => Link::Other,
    })
}

/// The model in `author/model`, a file or a quantisation after a colon left out; `None` where the text is nothing of the
/// kind.
pub(super) fn model(text: &str) -> Option<ModelId> {
    let text = text.split_once(':').map_or(text, |(model, _)| model);
    let (author, name) = text.split_once('/')?;
    (is_name(author) && is_name(name)).then(|| text.into())
}

/// Whether a text can be the name of an author or of a model (`huggingface_hub`, `validate_repo_id`).
pub(super) fn is_name(text: &str) -> bool {
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

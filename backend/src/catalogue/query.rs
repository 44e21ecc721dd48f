//! From what a person types to what the full-text index and the hub are asked. Pure.

use hearth_protocol::catalogue::search::{AskHub, CatalogueQuery, CatalogueSort};
use hearth_protocol::hub::link::{self, Link};
use hearth_protocol::{Error, ModelId, Result};
use url::form_urlencoded;

use super::licence;
use crate::hub::search::SearchQuery;
use crate::library::quant;

/// Words that are looked for; more make no search better.
const MAX_WORDS: usize = 12;

/// Characters of a word that are looked for.
const MAX_LETTERS: usize = 64;

/// Models that the hub is asked for at once.
const HUB_PAGE: u32 = 100;

/// What a typed text asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// All models.
    All,
    /// Those with all these words.
    Words(Vec<Word>),
    /// None: what was typed holds no letter and no number.
    Nothing,
}

/// A word as the full-text index understands it: a phrase whose last part may go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word(String);

impl Word {
    /// In FTS5's query language: quoted, so that nothing in it is an operator.
    pub(crate) fn phrase(&self) -> String {
        format!("\"{}\"*", self.0.replace('"', "\"\""))
    }

    /// Whether it is the whole name of one.
    fn is_quantisation(&self) -> bool {
        let name = quant::quantisation(&self.0, None);
        name.is_some_and(|name| name.eq_ignore_ascii_case(&self.0))
    }
}

/// A search as it was asked for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Asked {
    /// Everything but the text.
    pub(crate) query: CatalogueQuery,
    /// The text.
    pub(crate) wanted: Wanted,
    /// The very model that the text names.
    pub(crate) named: Option<ModelId>,
    /// The author whose models are asked for.
    author: Option<String>,
    /// Those of the words that the hub does not find models by: quantisations, which stand in names of files only.
    pub(crate) unknown_to_hub: Vec<Word>,
    /// Where only models that fit are asked for, what the smallest file may take.
    pub(crate) memory: Option<u64>,
}

impl Asked {
    /// Reads what was typed. `hub` is the address of the hub in use, whose links are known beside those of Hugging Face.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a link that leads to no model.
    pub(crate) fn new(query: CatalogueQuery, hub: &str, memory: Option<u64>) -> Result<Self> {
        let text = query.text.trim();
        let (words, named, author) = match link::read(text, hub) {
            Some(Link::Model { model, .. }) => (model.0.clone(), Some(model), None),
            Some(Link::Author(author)) => (author.clone(), None, Some(author)),
            Some(Link::List(query)) => (searched(&query), None, None),
            Some(Link::Other) => {
                return Err(Error::invalid(
                    "text",
                    "is a link to something that is no model; paste the address of a model's page",
                ));
            }
            None => match (link::model(text), text.strip_suffix('/')) {
                (Some(model), _) => (model.0.clone(), Some(model), None),
                (None, Some(author)) if link::is_name(author) => {
                    (author.to_owned(), None, Some(author.to_owned()))
                }
                (None, _) => (text.to_owned(), None, None),
            },
        };
        let wanted = Wanted::new(&words);
        let unknown_to_hub = match &wanted {
            Wanted::Words(words) if named.is_none() => words
                .iter()
                .filter(|word| word.is_quantisation())
                .cloned()
                .collect(),
            _ => Vec::new(),
        };
        Ok(Self {
            wanted,
            unknown_to_hub,
            named,
            author,
            memory,
            query,
        })
    }

    /// What the answer is kept under: equal questions have equal ones, whatever page of the answer is asked for.
    ///
    /// # Errors
    /// [`Error::Internal`] where it cannot be written as JSON.
    pub(super) fn question(&self, hub: &str) -> Result<String> {
        let query = CatalogueQuery {
            text: self.query.text.split_whitespace().collect::<Vec<_>>().join(" "),
            page: 0,
            ask_hub: AskHub::AtOnce,
            ..self.query.clone()
        };
        serde_json::to_string(&(hub, query, self.memory)).map_err(Error::internal)
    }

    /// What the hub is asked. It is told of conditions no more than it understands exactly; what it finds is held against
    /// all of them.
    pub(super) fn for_hub(&self) -> SearchQuery {
        let query = &self.query;
        let words = match (&self.wanted, &self.author) {
            (Wanted::Words(words), None) => {
                let told = words.iter().filter(|word| !self.unknown_to_hub.contains(word));
                let told: Vec<_> = told.map(|word| word.0.as_str()).collect();
                told.join(" ")
            }
            _ => String::new(),
        };
        let licence = match query.licences.as_slice() {
            [only] => licence::hub_name(only).map(|name| format!("license:{name}")),
            _ => None,
        };
        let language = query.language.as_ref().map(|code| code.to_lowercase());
        SearchQuery {
            words,
            author: self.author.clone(),
            tags: licence.into_iter().chain(language).collect(),
            gated: query.gated,
            parameters: parameters(query.min_parameters, query.max_parameters),
            sort: Some(match query.sort {
                CatalogueSort::Likes => "likes",
                CatalogueSort::Trending => "trendingScore",
                CatalogueSort::Updated => "lastModified",
                CatalogueSort::Created => "createdAt",
                CatalogueSort::BestMatch
                | CatalogueSort::Name
                | CatalogueSort::Parameters
                | CatalogueSort::Favourites
                | CatalogueSort::Downloads => "downloads",
            }),
            limit: HUB_PAGE,
        }
    }
}

/// The words in the query of an address of the hub's list.
fn searched(query: &str) -> String {
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    let words = pairs.find(|(name, _)| name == "search");
    words.map_or_else(String::new, |(_, words)| words.into_owned())
}

/// Whether a text can name a model of the hub.
pub(super) fn is_model(text: &str) -> bool {
    link::model(text).is_some_and(|model| model.as_str() == text)
}

/// A range of parameters as the hub writes it, in whole millions and no narrower than was asked for.
fn parameters(least: Option<u64>, most: Option<u64>) -> Option<String> {
    const MILLION: u64 = 1_000_000;
    let least = least.map(|number| format!("min:{}M", number / MILLION));
    let most = most.map(|number| format!("max:{}M", number.div_ceil(MILLION)));
    let limits: Vec<_> = least.into_iter().chain(most).collect();
    (!limits.is_empty()).then(|| limits.join(","))
}

impl Wanted {
    /// Reads words.
    fn new(text: &str) -> Self {
        if text.trim().is_empty() {
            return Self::All;
        }
        let words: Vec<Word> = text
            .split(|char: char| char.is_whitespace() || char.is_control() || char == '/')
            .filter(|word| word.chars().any(char::is_alphanumeric))
            .take(MAX_WORDS)
            .map(|word| Word(word.chars().take(MAX_LETTERS).collect()))
            .collect();
        if words.is_empty() {
            Self::Nothing
        } else {
            Self::Words(words)
        }
    }
}

#[cfg(test)]
mod tests;

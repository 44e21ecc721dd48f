//! Searching the hub: the question as its API takes it, and a page of its answer.

use hearth_protocol::{Error, Result};
use serde_json::Value;
use url::Url;

use super::Hub;
use super::request::Question;
use super::shapes::ModelInfo;

/// What the hub is to say of each model. It tells no sizes of files in lists.
const PROPERTIES: [&str; 12] = [
    "cardData",
    "createdAt",
    "downloads",
    "gated",
    "gguf",
    "lastModified",
    "likes",
    "pipeline_tag",
    "sha",
    "siblings",
    "tags",
    "trendingScore",
];

/// What to look for on the hub.
#[derive(Debug, Clone, Default)]
pub(crate) struct SearchQuery {
    /// Words of the name.
    pub(crate) words: String,
    /// Only of this user or organisation.
    pub(crate) author: Option<String>,
    /// Only with all these tags, beside the one for GGUF files.
    pub(crate) tags: Vec<String>,
    /// Only those whose licence must be accepted first, or only the others.
    pub(crate) gated: Option<bool>,
    /// Only with so many parameters, as `min:6B,max:128B`.
    pub(crate) parameters: Option<String>,
    /// The hub's name of an order, such as `downloads`; highest first.
    pub(crate) sort: Option<&'static str>,
    /// Models of a page.
    pub(crate) limit: u32,
}

/// Models that were found.
#[derive(Debug)]
pub(crate) struct SearchPage {
    /// The models.
    pub(crate) models: Vec<ModelInfo>,
    /// Where the next page is, if there is one.
    pub(crate) next: Option<Url>,
}

impl Hub {
    /// Models with GGUF files that fit a query, or the page at `next` of such a search.
    ///
    /// # Errors
    /// As the hub refuses.
    pub(crate) async fn search(&self, query: &SearchQuery, next: Option<Url>) -> Result<SearchPage> {
        let endpoint = self.endpoint()?;
        let url = match next {
            Some(next) => next,
            None => {
                let mut url = endpoint.at(["api", "models"]);
                query.write(&mut url);
                url
            }
        };
        let (entries, next) = self.ask_json::<Vec<Value>>(Question::get(url, None)).await?;
        if next.as_ref().is_some_and(|next| !endpoint.owns(next)) {
            return Err(Error::HubDown {
                reason: "it says that another host knows the rest".into(),
            });
        }
        // One odd entry keeps nobody from the others.
        let read = |entry| {
            let model = serde_json::from_value(entry);
            model
                .inspect_err(|error| tracing::warn!(%error, "an entry of the hub's list cannot be read"))
                .ok()
        };
        let models = entries.into_iter().filter_map(read).collect();
        Ok(SearchPage { models, next })
    }
}

impl SearchQuery {
    fn write(&self, url: &mut Url) {
        let mut pairs = url.query_pairs_mut();
        pairs.append_pair("limit", &self.limit.to_string());
        for tag in std::iter::once("gguf").chain(self.tags.iter().map(String::as_str)) {
            pairs.append_pair("filter", tag);
        }
        for word in self.words.split_whitespace() {
            pairs.append_pair("search", word);
        }
        let gated = self.gated.map(|gated| gated.to_string());
        let more = [
            ("author", self.author.as_deref()),
            ("gated", gated.as_deref()),
            ("num_parameters", self.parameters.as_deref()),
            ("sort", self.sort),
        ];
        for (name, value) in more {
            if let Some(value) = value {
                pairs.append_pair(name, value);
            }
        }
        for property in PROPERTIES {
            pairs.append_pair("expand", property);
        }
    }
}

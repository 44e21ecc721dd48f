//! The Hugging Face Hub, or a mirror of it: models, their files, the person's account.
//!
//! Speaks the hub's API over the door. Downloads nothing and keeps nothing but the token.

mod endpoint;
pub(crate) mod refusal;
mod request;
pub(crate) mod search;
pub(crate) mod shapes;
#[cfg(test)]
mod tests;
mod token;

use std::sync::{Arc, Mutex, PoisonError};

use hearth_protocol::hub::{HubAccount, HubStatus};
use hearth_protocol::settings::Settings;
use hearth_protocol::{Error, ModelId, Result, Secret};
use http::{HeaderMap, Method, header};
use url::Url;

use crate::config::Config;
use crate::net::{HttpError, Net, Response};
use endpoint::Endpoint;
use request::Question;
use shapes::{ModelInfo, RepoFile, TreeEntry, WhoAmI};
use token::Tokens;

/// The branch that is meant where none is named.
pub(crate) const MAIN: &str = "main";

/// Pages of a tree that are read, and files: a list that is longer does not end.
const MAX_PAGES: usize = 1000;
const MAX_FILES: usize = 1_000_000;

/// The hub. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Hub {
    net: Net,
    tokens: Tokens,
    /// The address of the environment, which goes before the one of the settings.
    fixed_endpoint: Option<String>,
    /// The address of the settings.
    mirror: Arc<Mutex<Option<String>>>,
}

/// Where a file is, as the hub says at this moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Location {
    /// The address of its bytes: signed and short-lived where it is on another host.
    pub(crate) url: Url,
    /// Its bytes, where the hub tells.
    pub(crate) size: Option<u64>,
}

impl Hub {
    /// The hub of the configuration; asks nobody yet.
    pub(crate) fn new(config: &Config, net: Net) -> Self {
        Self {
            net,
            tokens: Tokens::new(&config.hub, config.token()),
            fixed_endpoint: config.hub.endpoint.clone(),
            mirror: Arc::default(),
        }
    }

    /// Takes what the settings say of it from now on.
    pub(crate) fn heed(&self, settings: &Settings) {
        let mut mirror = self.mirror.lock().unwrap_or_else(PoisonError::into_inner);
        mirror.clone_from(&settings.hub_endpoint);
    }

    fn endpoint(&self) -> Result<Endpoint> {
        match &self.fixed_endpoint {
            Some(address) => Endpoint::parse(Some(address), "HF_ENDPOINT"),
            None => {
                let mirror = self.mirror.lock().unwrap_or_else(PoisonError::into_inner);
                Endpoint::parse(mirror.as_deref(), "hub_endpoint")
            }
        }
    }

    /// Its address, such as `https://huggingface.co`.
    ///
    /// # Errors
    /// [`Error::Invalid`] where it is none.
    pub(crate) fn address(&self) -> Result<String> {
        Ok(self.endpoint()?.to_string())
    }

    /// Host and proxy of an address, for the words of what goes wrong there.
    pub(crate) fn way(&self, url: &Url) -> String {
        let http = self.net.http();
        http.map_or_else(
            |_| url.host_str().unwrap_or_default().to_owned(),
            |http| http.way(url),
        )
    }

    /// Whether offline mode keeps it from being asked.
    pub(crate) fn is_offline(&self) -> bool {
        self.net.is_offline()
    }

    /// How it is reached.
    ///
    /// # Errors
    /// [`Error::Invalid`] where its address is none.
    pub(crate) async fn status(&self) -> Result<HubStatus> {
        Ok(HubStatus {
            endpoint: self.address()?,
            offline: self.is_offline(),
            token: self.tokens.find().await.map(|(_, source)| source),
        })
    }

    /// Whose token is in use.
    ///
    /// # Errors
    /// [`Error::NotSignedIn`], [`Error::TokenRefused`], or why the hub did not answer.
    pub(crate) async fn who_am_i(&self) -> Result<HubAccount> {
        let (token, _) = self.tokens.find().await.ok_or(Error::NotSignedIn)?;
        self.account(&token).await
    }

    /// Keeps a token once the hub has said whose it is.
    ///
    /// # Errors
    /// [`Error::TokenRefused`], or why the hub did not answer, or why it cannot be kept.
    pub(crate) async fn set_token(&self, token: Secret) -> Result<HubAccount> {
        let account = self.account(&token).await?;
        self.tokens.keep(token).await?;
        Ok(account)
    }

    /// Forgets the token that was kept.
    ///
    /// # Errors
    /// [`Error::File`] where its file cannot be removed.
    pub(crate) async fn forget_token(&self) -> Result<()> {
        self.tokens.forget().await
    }

    async fn account(&self, token: &Secret) -> Result<HubAccount> {
        let url = self.endpoint()?.at(["api", "whoami-v2"]);
        let question = Question {
            token: Some(token),
            ..Question::get(url, None)
        };
        let (account, _) = self.ask_json::<WhoAmI>(question).await?;
        Ok(HubAccount {
            name: shapes::printable(&account.name),
            full_name: account
                .fullname
                .map(|name| shapes::printable(&name))
                .filter(|name| !name.is_empty()),
        })
    }

    /// A model at a revision, with sizes and hashes of its files.
    ///
    /// # Errors
    /// [`Error::Renamed`] where it has another name now, else as the hub refuses.
    pub(crate) async fn model(&self, model: &ModelId, revision: &str) -> Result<ModelInfo> {
        let (owner, name) = parts(model)?;
        check_revision(revision)?;
        let mut url = self
            .endpoint()?
            .at(["api", "models", owner, name, "revision", revision]);
        url.set_query(Some("blobs=true"));
        let (mut info, _) = self
            .ask_json::<ModelInfo>(Question::get(url, Some(model.as_str())))
            .await
            .map_err(|error| with_revision(error, model, revision))?;
        if !info.id.eq_ignore_ascii_case(model.as_str()) {
            return Err(match parts(&ModelId::from(info.id.as_str())) {
                Ok(_) => Error::Renamed {
                    from: model.to_string(),
                    to: info.id,
                },
                Err(_) => Error::HubDown {
                    reason: "it answers for something that is no model".into(),
                },
            });
        }
        // Some mirrors leave the sizes out here and tell them in the tree.
        if info.siblings.iter().any(|file| file.size.is_none()) {
            info.siblings = self.tree(model, revision).await?;
        }
        Ok(info)
    }

    /// All files of a model at a revision.
    ///
    /// # Errors
    /// As the hub refuses.
    pub(crate) async fn tree(&self, model: &ModelId, revision: &str) -> Result<Vec<RepoFile>> {
        let (owner, name) = parts(model)?;
        check_revision(revision)?;
        let mut url = self
            .endpoint()?
            .at(["api", "models", owner, name, "tree", revision]);
        url.set_query(Some("recursive=true"));
        let mut files = Vec::new();
        let mut next = Some(url);
        for _ in 0..MAX_PAGES {
            let Some(url) = next.take() else { return Ok(files) };
            let question = Question::get(url, Some(model.as_str()));
            let (entries, following) = self
                .ask_json::<Vec<TreeEntry>>(question)
                .await
                .map_err(|error| with_revision(error, model, revision))?;
            files.extend(entries.into_iter().filter_map(TreeEntry::into_file));
            next = following;
            if files.len() > MAX_FILES {
                break;
            }
        }
        Err(Error::HubDown {
            reason: "its list of files does not end".into(),
        })
    }

    /// Where the bytes of a file are right now.
    ///
    /// # Errors
    /// As the hub refuses: a gated model does so here and not before.
    pub(crate) async fn locate(&self, model: &ModelId, commit: &str, file: &str) -> Result<Location> {
        let (owner, name) = parts(model)?;
        let url = self.endpoint()?.at([owner, name, "resolve", commit]
            .into_iter()
            .chain(file.split('/')));
        let question = Question {
            method: Method::HEAD,
            file: Some(file),
            elsewhere_is_answer: true,
            ..Question::get(url, Some(model.as_str()))
        };
        let answered = self.ask(question).await?;
        let linked = answered.response.header("x-linked-size");
        let is_direct = answered.response.status().is_success();
        let direct = || answered.response.header(header::CONTENT_LENGTH.as_str());
        let size = linked.or_else(|| is_direct.then(direct).flatten());
        Ok(Location {
            size: size.and_then(|text| shapes::size(text.parse().ok()?)),
            url: answered.url,
        })
    }

    /// Asks for the bytes at a location; the token goes with it only to the hub's own host.
    ///
    /// # Errors
    /// Where no answer comes. A refusal is an answer.
    pub(crate) async fn open(
        &self,
        location: &Location,
        more: HeaderMap,
    ) -> std::result::Result<Response, HttpError> {
        let broken = |error: Error| match error {
            Error::Offline { .. } => HttpError::Offline,
            error => HttpError::Broken(error.to_string()),
        };
        let endpoint = self.endpoint().map_err(broken)?;
        let http = self.net.http().map_err(broken)?;
        let token = match endpoint.owns(&location.url) {
            true => self.tokens.find().await.map(|(token, _)| token),
            false => None,
        };
        let mut headers = request::headers(&endpoint, &location.url, token.as_ref());
        headers.extend(more);
        http.send(Method::GET, location.url.clone(), headers).await
    }
}

/// Owner and name of a model.
fn parts(model: &ModelId) -> Result<(&str, &str)> {
    let parts = model.as_str().split_once('/');
    parts
        .filter(|(owner, name)| {
            !name.contains('/') && shapes::is_safe_path(owner) && shapes::is_safe_path(name)
        })
        .ok_or_else(|| Error::invalid("model", format!("“{model}” must be owner/name")))
}

/// A branch, a tag or a commit.
/// The error with the revision's name, which only the one who asked knows.
fn with_revision(error: Error, model: &ModelId, revision: &str) -> Error {
    match error {
        Error::NotFound { what, known, .. } if what == refusal::REVISION => Error::NotFound {
            what: format!("{} of {model}", refusal::REVISION),
            name: revision.to_owned(),
            known,
        },
        error => error,
    }
}

fn check_revision(revision: &str) -> Result<()> {
    if shapes::is_safe_path(revision) {
        return Ok(());
    }
    let problem = format!("“{}” is no branch, tag or commit", revision.escape_debug());
    Err(Error::invalid("revision", problem))
}

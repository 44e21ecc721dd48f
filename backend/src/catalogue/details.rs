//! Everything of one model: what is stored at once, then what the hub says, then with the fit of its files exact.

use std::time::Duration;

use hearth_protocol::catalogue::{
    CatalogueFile, DetailsEvent, DetailsRequest, FileRole, HubPart, ModelDetails,
};
use hearth_protocol::engine::{ContextLength, LoadOptions};
use hearth_protocol::library::{FileState, LibraryFile};
use hearth_protocol::{Error, ErrorKind, EventSink, ModelId, Result};

use super::find::{age, now};
use super::fit::{self, ContextBytes, Machine};
use super::hub_model::{self, Told};
use super::{Catalogue, files, header, query, recommend};
use crate::files::blocking;
use crate::hub::MAIN;
use crate::leaving::left;
use crate::library::estimate::{Facts, quick_estimate};
use crate::net::offline;
use crate::store::catalogue::{Header, StoredModel};

/// How long what the hub told of a model counts as new.
const FRESH: Duration = Duration::from_secs(60 * 60);

/// Headers that are read for one answer at most. One is enough for all quantisations of a model in one repository.
const MOST_HEADERS: usize = 3;

/// What is told of a model.
struct View {
    details: ModelDetails,
    /// Files whose headers would make more of it exact, the most wanted first.
    unread: Vec<CatalogueFile>,
}

impl Catalogue {
    /// Tells everything of a model, as it becomes known.
    pub(crate) async fn details(&self, request: DetailsRequest, mut events: EventSink<DetailsEvent>) {
        let left = left(&events);
        let work = async {
            match self.tell(&request, &mut events).await {
                // Nobody listening is no fault.
                Ok(()) => events.send(DetailsEvent::Finished).ok(),
                Err(error) => events.send(DetailsEvent::Failed(error)).ok(),
            };
        };
        tokio::select! { biased; () = left.notified() => (), () = work => () }
    }

    async fn tell(&self, request: &DetailsRequest, events: &mut EventSink<DetailsEvent>) -> Result<()> {
        if request.context_length == Some(0) {
            return Err(Error::invalid("context_length", "must be at least 1"));
        }
        let mut send = |mut details: ModelDetails, hub| {
            details.hub = hub;
            // Whoever has gone ends this run from outside.
            events.send(DetailsEvent::Details(Box::new(details))).ok();
        };
        let stored = self.stored(&request.model).await?;
        if self.hub.is_offline() {
            let missing = || format!("Asking the hub for “{}”, which is not known here,", request.model);
            let stored = stored.ok_or_else(|| offline(&missing()))?;
            send(self.view(&stored, request).await.details, HubPart::Offline);
            return Ok(());
        }
        let told_at = stored.as_ref().and_then(|stored| stored.detailed_at);
        let is_new = told_at.and_then(age).is_some_and(|age| age < FRESH);
        let (mut view, mut failure) = (None, None);
        if let Some(stored) = &stored {
            let known = self.view(stored, request).await;
            if is_new && known.unread.is_empty() {
                send(known.details, HubPart::NotAsked);
                return Ok(());
            }
            send(known.details.clone(), HubPart::Asking);
            view = Some(known);
        }
        if !is_new {
            let refreshed = self
                .within_limit(self.refresh(&request.model, stored.as_ref()))
                .await;
            if stored.is_none() {
                refreshed.clone()?;
            }
            let known = self
                .view(&self.store.catalogue_model(&request.model).await?, request)
                .await;
            match refreshed {
                // Of a model that came with Hearth another repository has answered, perhaps.
                Err(error) if known.details.model.featured && is_of_one(&error) => failure = Some(error),
                Err(error) => {
                    send(known.details, HubPart::Failed { error });
                    return Ok(());
                }
                Ok(()) if known.unread.is_empty() => {
                    send(known.details, HubPart::Answered);
                    return Ok(());
                }
                Ok(()) => send(known.details.clone(), HubPart::Asking),
            }
            view = Some(known);
        }
        let unread = view.map(|view| view.unread).unwrap_or_default();
        let read = self.read_headers(unread).await;
        let mut details = self
            .view(&self.store.catalogue_model(&request.model).await?, request)
            .await
            .details;
        let part = match (failure, read) {
            (Some(error), _) => HubPart::Failed { error },
            (None, Ok(())) => HubPart::Answered,
            // The rest of it was answered.
            (None, Err(error)) if error.kind() == ErrorKind::Access => {
                details.access = Some(error);
                HubPart::Answered
            }
            (None, Err(error)) => HubPart::Failed { error },
        };
        send(details, part);
        Ok(())
    }

    /// What is stored of a model; `None` where only the hub can know it.
    async fn stored(&self, model: &ModelId) -> Result<Option<StoredModel>> {
        match self.store.catalogue_model(model).await {
            Ok(stored) => Ok(Some(stored)),
            Err(Error::NotFound { .. }) if query::is_model(model.as_str()) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Asks the hub for a model, or for all repositories of one that came with Hearth. What one of them refuses keeps
    /// nobody from the others.
    async fn refresh(&self, model: &ModelId, stored: Option<&StoredModel>) -> Result<()> {
        let own = stored.filter(|stored| stored.model.featured);
        let Some(own) = own else {
            return self.fetch(model).await.map(drop);
        };
        let mut outcome = Ok(());
        for repository in &own.card.repositories {
            match self.fetch(repository).await {
                Err(error) if is_of_one(&error) => outcome = Err(error),
                fetched => drop(fetched?),
            }
        }
        outcome
    }

    /// Asks the hub for everything of a model, keeps it, and gives the name under which it is shown.
    ///
    /// # Errors
    /// [`Error::NotFound`] where it has no file that Hearth can use, [`Error::Renamed`], or as the hub refuses.
    pub(super) async fn fetch(&self, model: &ModelId) -> Result<ModelId> {
        let missing = |what: &str| Error::NotFound {
            what: what.to_owned(),
            name: model.to_string(),
            known: Vec::new(),
        };
        let info = self.hub.model(model, MAIN).await?;
        let new = hub_model::read(info, Told::Whole, now()).ok_or_else(|| missing("model"))?;
        if new.files.is_empty() {
            // Its maker's own repository; of one that came with Hearth others are known that hold files.
            return match self.store.catalogue_model(model).await {
                Ok(stored) if stored.model.featured => Ok(stored.model.id),
                Ok(_) | Err(Error::NotFound { .. }) => Err(missing("GGUF file in")),
                Err(error) => Err(error),
            };
        }
        let shown = self.store.keep_found(&[new]).await?;
        shown.into_iter().next().ok_or_else(|| missing("model"))
    }

    /// Reads these headers on the hub and keeps what they say.
    ///
    /// # Errors
    /// As the hub refuses; what one repository refuses keeps nobody from the headers of another.
    async fn read_headers(&self, unread: Vec<CatalogueFile>) -> Result<()> {
        let mut outcome = Ok(());
        for file in unread.iter().take(MOST_HEADERS) {
            let kept = match self.within_limit(header::read(&self.hub, file)).await {
                Ok(header::Header::Facts(facts)) => {
                    Header::Facts(serde_json::to_string(&facts).map_err(Error::internal)?)
                }
                Ok(header::Header::Damaged(problem)) => Header::Problem(problem),
                Err(error) if is_of_one(&error) => {
                    outcome = outcome.and(Err(error));
                    continue;
                }
                Err(error) => return Err(error),
            };
            if let Some(key) = key(file) {
                self.store.keep_header(&key, &kept).await?;
            }
        }
        outcome
    }

    /// Everything that is known here of a model.
    async fn view(&self, stored: &StoredModel, request: &DetailsRequest) -> View {
        let trained = stored.model.context_length;
        let tokens = request
            .context_length
            .unwrap_or_else(|| fit::default_context(trained));
        let mut files = stored.files.clone();
        let place = |file: &CatalogueFile| {
            let mut repositories = stored.card.repositories.iter();
            repositories.position(|repository| *repository == file.repository)
        };
        files.sort_by_key(|file| place(file).unwrap_or(usize::MAX));
        files::pair(&mut files);
        // Without an engine the files are shown all the same; how they fit stays unknown.
        let machine = self.machine().await;
        let machine = machine.inspect_err(|error| tracing::warn!(%error, "what computes here is unknown"));
        let unread = self
            .judge(&mut files, machine.ok().as_ref(), stored.model.parameters, tokens)
            .await;
        recommend::recommend(&mut files, stored.usual_file.as_deref(), stored.model.parameters);
        let unread = match request.read_headers {
            true => most_wanted(unread, &files, request.file.as_deref()),
            false => Vec::new(),
        };
        files.sort_by_key(|file| (file.role != FileRole::Model, file.size));
        View {
            details: ModelDetails {
                model: stored.model.clone(),
                card: stored.card.clone(),
                edits: stored.edits.clone(),
                files,
                fit_context_length: tokens,
                fetched_at: stored.detailed_at.or(stored.model.fetched_at),
                hub: HubPart::NotAsked,
                access: None,
            },
            unread,
        }
    }

    /// Says of each model file how it fits: by a header, its own or that of another quantisation of the same model, on the
    /// disk or read on the hub before; else by a rule of thumb. Gives those whose header nobody has read.
    async fn judge(
        &self,
        files: &mut [CatalogueFile],
        machine: Option<&Machine>,
        parameters: Option<u64>,
        tokens: u32,
    ) -> Vec<CatalogueFile> {
        let options = LoadOptions {
            context_length: ContextLength::Tokens(tokens),
            ..self.settings.read().await.load
        };
        let facts = self.facts(files).await;
        let mut unread = Vec::new();
        for place in 0..files.len() {
            if files[place].role != FileRole::Model {
                continue;
            }
            let known = facts[place].as_ref().or_else(|| {
                let mut others = files.iter().zip(&facts);
                others.find_map(|(other, facts)| {
                    facts.as_ref().filter(|_| files::are_alike(&files[place], other))
                })
            });
            if known.is_none() && files[place].problem.is_none() {
                unread.push(files[place].clone());
            }
            let exact = known.and_then(|facts| context_bytes(facts, &options));
            let context = exact.or_else(|| ContextBytes::rough(parameters, files[place].size, tokens));
            if let Some(machine) = machine {
                fit::judge(&mut files[place], context, machine);
            }
        }
        unread
    }

    /// What the headers of these files say, of each that was read. What is wrong with one is noted in the file.
    async fn facts(&self, files: &mut [CatalogueFile]) -> Vec<Option<Facts>> {
        let here = self.library.list().await.unwrap_or_else(|error| {
            tracing::warn!(%error, "the library cannot be listed");
            Vec::new()
        });
        let keys: Vec<_> = files.iter().filter_map(key).collect();
        let read = self.store.read_headers(&keys).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "what headers of files say cannot be read");
            Default::default()
        });
        let mut facts = Vec::new();
        for file in files {
            let own = here.iter().find(|own| is_same(own, file));
            let mut known = None;
            if let Some(own) = own {
                file.quantisation = file.quantisation.take().or_else(|| own.quantisation.clone());
                known = open(own).await;
            }
            match key(file).and_then(|key| read.get(&key)) {
                Some(Header::Facts(facts)) if known.is_none() => known = serde_json::from_str(facts).ok(),
                Some(Header::Problem(problem)) => file.problem = Some(problem.clone()),
                _ => (),
            }
            facts.push(known);
        }
        facts
    }
}

/// One file of each model among those whose headers nobody has read: the file that was asked for, the recommended one,
/// and then one of each other, as repositories may hold several.
fn most_wanted(
    mut unread: Vec<CatalogueFile>,
    files: &[CatalogueFile],
    asked_for: Option<&str>,
) -> Vec<CatalogueFile> {
    let is_recommended = |file: &CatalogueFile| {
        let mut recommended = files.iter().filter(|file| file.recommended.is_some());
        recommended.any(|other| other.name == file.name && other.repository == file.repository)
    };
    // Where a size is unknown, the hub has not told of the file itself yet.
    unread.retain(|file| key(file).is_some() && file.size.is_some() && !file.missing_parts.contains(&1));
    let is_asked_for = |file: &CatalogueFile| {
        asked_for.is_some_and(|name| {
            let quantisation = file.quantisation.as_deref();
            file.name == name || quantisation.is_some_and(|own| own.eq_ignore_ascii_case(name))
        })
    };
    unread.sort_by_key(|file| (!is_asked_for(file), !is_recommended(file), file.size));
    let mut wanted: Vec<CatalogueFile> = Vec::new();
    for file in unread {
        if !wanted.iter().any(|other| files::are_alike(other, &file)) {
            wanted.push(file);
        }
    }
    wanted
}

/// What a file's header is kept under: its hash, else where it is. `None` where neither is known.
fn key(file: &CatalogueFile) -> Option<String> {
    let sha256 = match file.parts.first() {
        Some(part) => part.sha256.as_ref(),
        None => file.sha256.as_ref(),
    };
    let by_hash = sha256.map(|hash| format!("sha256:{hash}"));
    by_hash.or_else(|| {
        Some(format!(
            "{}@{}/{}",
            file.repository,
            file.revision.as_ref()?,
            file.name
        ))
    })
}

/// Whether a file of the library is this one: as many bytes of the same quantisation, as far as its name tells one.
/// Names differ from place to place.
fn is_same(own: &LibraryFile, file: &CatalogueFile) -> bool {
    let is_alike = file.quantisation.is_none() || own.quantisation == file.quantisation;
    file.role == FileRole::Model && own.state == FileState::Ready && Some(own.size) == file.size && is_alike
}

/// What the header of a file on the disk says.
async fn open(file: &LibraryFile) -> Option<Facts> {
    let path = file.path.clone();
    let read = blocking(move || Ok(Facts::open(&path).ok()));
    read.await.ok().flatten()
}

/// What a context takes, reckoned from a header; `None` where that does not tell.
fn context_bytes(facts: &Facts, options: &LoadOptions) -> Option<ContextBytes> {
    let estimate = quick_estimate(facts, options, None);
    let bytes = estimate.kv?.checked_add(estimate.compute?)?;
    Some(ContextBytes {
        bytes,
        is_rough: false,
    })
}

/// Whether an error is of one repository, so that another may well answer; a hub that is down, or that asks to wait, is
/// not asked again.
fn is_of_one(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::Access)
}

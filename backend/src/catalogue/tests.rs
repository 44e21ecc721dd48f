//! The catalogue over a hub of the tests. What a person writes stands in `edits`.

mod details;
mod edits;
mod headers;
mod pages;
mod searches;
mod troubles;

use std::sync::Arc;
use std::time::Duration;

use hearth_protocol::catalogue::search::{AskHub, CataloguePage, CatalogueQuery, SearchEvent};
use hearth_protocol::catalogue::{DetailsEvent, DetailsRequest, ModelDetails};
use hearth_protocol::engine::{Device, DeviceKind};
use hearth_protocol::{ByteSize, Error, EventSink, Events, RequestId, Waker};
use hearth_testhub::{Repo, TestHub};
use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use super::*;
use crate::config::{Config, HubConfig, WorkerCommand};
use crate::net::Net;

/// A computer with a catalogue, and the hub that it asks.
struct Both {
    theirs: TestHub,
    catalogue: Catalogue,
    net: Net,
    folder: tempfile::TempDir,
}

/// A run of the catalogue, with its events as they come.
struct Run<E> {
    events: Events<E>,
    woken: Arc<Notify>,
    work: JoinHandle<()>,
}

impl Both {
    async fn start() -> Self {
        let theirs = TestHub::start();
        let folder = tempfile::tempdir().expect("a folder");
        let config = Config {
            home: folder.path().join("home"),
            worker: WorkerCommand {
                program: "none".into(),
                arguments: Vec::new(),
            },
            starter_models: folder.path().join("starter"),
            toolkit: Default::default(),
            login: None,
            hub_cache: None,
            other_programs: Vec::new(),
            hub: HubConfig {
                endpoint: Some(theirs.url()),
                ..HubConfig::default()
            },
        };
        let net = Net::default();
        let store = Store::open(&config.database()).await.expect("a store");
        let processor = Device {
            name: "CPU".into(),
            description: "A processor".into(),
            kind: DeviceKind::Cpu,
            memory_total: Some(ByteSize(16 << 30)),
            memory_free: None,
        };
        let engine = Engine::new(config.worker.clone(), config.kv_states());
        let mut catalogue = Catalogue::open(
            store.clone(),
            engine.with_devices(vec![processor]),
            Library::new(&config, net.clone()),
            SettingsService::new(store),
            Hub::new(&config, net.clone()),
        )
        .await;
        catalogue.times = Times {
            pause: Duration::ZERO,
            limit: Duration::from_secs(600),
        };
        Self {
            theirs,
            catalogue,
            net,
            folder,
        }
    }

    /// Adds an open repository with these further fields.
    fn add(&self, name: &str, about: Value) {
        let mut repo = Repo::new(name).with("m-Q4_K_M.gguf", "GGUF");
        repo.about = about;
        self.theirs.add(repo);
    }

    /// Starts a search.
    fn begin(&self, query: CatalogueQuery) -> Run<SearchEvent> {
        let catalogue = self.catalogue.clone();
        Run::begin(|sink| async move { catalogue.search(query, sink).await })
    }

    /// Asks for details.
    fn ask(&self, request: DetailsRequest) -> Run<DetailsEvent> {
        let catalogue = self.catalogue.clone();
        Run::begin(|sink| async move { catalogue.details(request, sink).await })
    }

    /// All pages of a search.
    async fn search(&self, query: CatalogueQuery) -> Vec<CataloguePage> {
        let events = self.begin(query).all().await;
        let pages = events.into_iter().map(|event| match event {
            SearchEvent::Page(page) => page,
            event => panic!("{event:?} is no page"),
        });
        pages.collect()
    }

    /// The last page of a search.
    async fn found(&self, query: CatalogueQuery) -> CataloguePage {
        self.search(query).await.pop().expect("a page")
    }

    /// All that is told of a model, and why it ends if that is an error.
    async fn told(&self, request: DetailsRequest) -> (Vec<ModelDetails>, Option<Error>) {
        let run = self.ask(request);
        let (mut told, mut error) = (Vec::new(), None);
        loop {
            match run.next().await {
                DetailsEvent::Details(details) => told.push(*details),
                DetailsEvent::Finished => return (told, error),
                DetailsEvent::Failed(failure) => {
                    error = Some(failure);
                    return (told, error);
                }
            }
        }
    }

    /// How often the hub was asked for a list.
    fn lists(&self) -> usize {
        let seen = self.theirs.seen();
        seen.iter()
            .filter(|seen| seen.path.starts_with("/api/models?"))
            .count()
    }
}

impl<E: hearth_protocol::RunEvent + Send + 'static> Run<E> {
    fn begin<F: Future<Output = ()> + Send + 'static>(work: impl FnOnce(EventSink<E>) -> F) -> Self {
        let woken = Arc::new(Notify::new());
        let waking = Arc::clone(&woken);
        let (sink, events) = EventSink::new(RequestId(1), Waker::new(move || waking.notify_one()));
        Self {
            events,
            woken,
            work: tokio::spawn(work(sink)),
        }
    }

    /// The next event.
    async fn next(&self) -> E {
        loop {
            if let Some(event) = self.events.try_next() {
                return event.body;
            }
            self.woken.notified().await;
        }
    }
}

impl Run<SearchEvent> {
    /// All events but the last, which says that there are no more.
    async fn all(self) -> Vec<SearchEvent> {
        let mut events = Vec::new();
        loop {
            match self.next().await {
                SearchEvent::Finished => return events,
                event => events.push(event),
            }
        }
    }
}

fn query(text: &str) -> CatalogueQuery {
    CatalogueQuery {
        text: text.to_owned(),
        ..CatalogueQuery::default()
    }
}

fn names(page: &CataloguePage) -> Vec<&str> {
    page.models.iter().map(|model| model.id.as_str()).collect()
}

/// What the hub tells of a model with so many downloads.
fn downloads(count: u64) -> Value {
    json!({ "downloads": count, "likes": count / 2 })
}

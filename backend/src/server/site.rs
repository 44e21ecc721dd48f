//! What every handler stands on.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hearth_protocol::server::{ServerConfig, ServerStatus};
use hearth_protocol::settings::{Settings, SettingsEvent};
use hearth_protocol::{Client, Result};
use tokio::sync::watch;

use super::followed::Followed;
use super::keys::Keys;
use super::limits::{Bodies, Limits};
use super::log::Log;
use super::metrics::Metrics;
use super::names::{self, Names};
use crate::store::Store;

/// How far the server's end has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Phase {
    /// It serves.
    Serving,
    /// It takes no new requests; those that run may finish.
    Finishing,
    /// What still runs is cut off.
    CutOff,
}

/// A running server, as its handlers see it. Cheap to clone.
#[derive(Clone)]
pub(super) struct Site(Arc<Inner>);

struct Inner {
    parts: Parts,
    config: watch::Receiver<Arc<ServerConfig>>,
    phase: watch::Receiver<Phase>,
    names: Followed<Names>,
    settings: Followed<Settings>,
}

/// What outlives a single start of the server.
#[derive(Clone)]
pub(super) struct Parts {
    pub(super) client: Client,
    pub(super) store: Result<Store>,
    pub(super) keys: Keys,
    pub(super) log: Log,
    /// Where what slots know is kept.
    pub(super) slots: PathBuf,
    pub(super) metrics: Arc<Metrics>,
    pub(super) limits: Limits,
    pub(super) bodies: Bodies,
    pub(super) status: Arc<watch::Sender<ServerStatus>>,
}

impl Site {
    /// A site that serves as `config` says now, until `phase` says otherwise. Must be called within the runtime.
    pub(super) fn new(
        parts: Parts,
        config: watch::Receiver<Arc<ServerConfig>>,
        phase: watch::Receiver<Phase>,
    ) -> Self {
        let names = names::follow(&parts.client);
        let settings = Followed::start(&parts.client, Client::watch_settings, |event| match event {
            SettingsEvent::Settings(settings) => Some(*settings),
            SettingsEvent::Closed(_) => None,
        });
        Self(Arc::new(Inner {
            parts,
            config,
            phase,
            names,
            settings,
        }))
    }

    pub(super) fn client(&self) -> &Client {
        &self.0.parts.client
    }

    /// The database.
    ///
    /// # Errors
    /// Why there is none.
    pub(super) fn store(&self) -> Result<&Store> {
        self.0.parts.store.as_ref().map_err(Clone::clone)
    }

    pub(super) fn keys(&self) -> &Keys {
        &self.0.parts.keys
    }

    pub(super) fn log(&self) -> &Log {
        &self.0.parts.log
    }

    /// The folder of what slots know.
    pub(super) fn slots(&self) -> &Path {
        &self.0.parts.slots
    }

    /// Where it listens, and how.
    pub(super) fn status(&self) -> ServerStatus {
        self.0.parts.status.borrow().clone()
    }

    pub(super) fn metrics(&self) -> &Metrics {
        &self.0.parts.metrics
    }

    pub(super) fn limits(&self) -> &Limits {
        &self.0.parts.limits
    }

    /// The memory for the bodies of requests.
    pub(super) fn bodies(&self) -> &Bodies {
        &self.0.parts.bodies
    }

    /// How it serves now.
    pub(super) fn config(&self) -> Arc<ServerConfig> {
        Arc::clone(&self.0.config.borrow())
    }

    /// What models are called to the outside.
    pub(super) fn names(&self) -> Arc<Names> {
        self.0.names.now()
    }

    /// The same, once the library has been read.
    pub(super) async fn names_read(&self) -> Arc<Names> {
        self.0.names.told().await
    }

    /// The settings as they are now.
    pub(super) async fn settings(&self) -> Arc<Settings> {
        self.0.settings.told().await
    }

    /// A request has come.
    pub(super) fn began(&self) {
        self.metrics().began();
        self.tell_in_flight();
    }

    /// A request is over.
    pub(super) fn ended(&self) {
        self.metrics().ended();
        self.tell_in_flight();
    }

    fn tell_in_flight(&self) {
        self.0.parts.status.send_modify(|status| {
            if let ServerStatus::Running { in_flight, .. } = status {
                // Read here, so that of two that tell at once the later one is right.
                *in_flight = self.metrics().counted().in_flight;
            }
        });
    }

    /// Waits until what still runs is cut off.
    pub(super) async fn cut_off(&self) {
        reached(&mut self.0.phase.clone(), Phase::CutOff).await;
    }
}

/// Waits until the server has come so far; one that is gone has.
pub(super) async fn reached(phase: &mut watch::Receiver<Phase>, wanted: Phase) {
    if phase.wait_for(|phase| *phase >= wanted).await.is_err() {
        tracing::debug!("the server is gone");
    }
}

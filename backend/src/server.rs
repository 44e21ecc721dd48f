//! The local HTTP server: programs that speak OpenAI's, Anthropic's or llama.cpp's interface work when they are pointed
//! at Hearth.
//!
//! It is a client of the protocol, as the window is: what models do is asked of the engine through the [`Client`]. Each
//! interface is a folder, each endpoint a file; [`routes`] is the table of all.

mod anthropic;
mod body;
mod changed;
mod choices;
mod connection;
mod current;
mod field_names;
mod followed;
mod format;
mod guard;
mod hearth;
mod keys;
mod limits;
mod listener;
mod listening;
mod llama_cpp;
mod log;
mod metrics;
mod names;
mod network;
mod news;
mod openai;
mod openapi;
mod options;
mod part;
mod refusal;
mod routes;
mod run;
mod serving;
mod shown;
mod site;
mod sse;
#[cfg(test)]
mod tests;
mod ticket;
mod tls;
#[cfg(test)]
mod told;

use std::path::PathBuf;
use std::sync::Arc;

use hearth_protocol::command::ServerCommand;
use hearth_protocol::server::{LogLevel, ServerConfig, ServerEvent, ServerStatus};
use hearth_protocol::{Client, Error, EventSink, Result};
use tokio::runtime::Handle;
use tokio::sync::{Mutex, watch};

use crate::files::blocking;
use crate::store::Store;
use changed::changed;
use keys::Keys;
use limits::{Bodies, Limits};
use llama_cpp::slots::clear;
use log::Log;
use metrics::Metrics;
use serving::Serving;
use site::Parts;

/// The local server, running or not. Cheap to clone.
#[derive(Clone)]
pub(crate) struct LocalServer {
    parts: Parts,
    running: Arc<Mutex<Running>>,
    runtime: Handle,
}

/// What runs.
#[derive(Default)]
struct Running {
    server: Option<Serving>,
    /// Hearth is ending.
    is_closed: bool,
}

impl LocalServer {
    /// A server that does not run yet, and asks through this client. It keeps its log and what slots know in these folders.
    /// Must be called within the runtime.
    pub(crate) async fn new(client: Client, store: Result<Store>, logs: PathBuf, slots: PathBuf) -> Self {
        let limits = Limits::default();
        let unfinished = slots.clone();
        let cleared = blocking(move || {
            clear(&unfinished);
            Ok(())
        });
        if let Err(error) = cleared.await {
            tracing::warn!(%error, "the folder of slots was not looked through");
        }
        Self {
            parts: Parts {
                client,
                keys: Keys::open(store.clone()).await,
                store,
                log: Log::open(logs),
                slots,
                metrics: Arc::new(Metrics::default()),
                limits,
                bodies: Bodies::new(limits.bodies),
                status: Arc::new(watch::Sender::new(ServerStatus::Stopped)),
            },
            running: Arc::default(),
            runtime: Handle::current(),
        }
    }

    /// Carries a command out.
    pub(crate) fn carry_out(&self, command: ServerCommand) {
        let server = self.clone();
        self.runtime.spawn(async move {
            match command {
                ServerCommand::Start { config, reply } => reply.send(server.start(config).await),
                ServerCommand::Stop { reply } => {
                    server.stop().await;
                    reply.send(Ok(()));
                }
                ServerCommand::Status { reply } => reply.send(Ok(server.parts.status.borrow().clone())),
                ServerCommand::Watch { events } => server.watch(events).await,
                ServerCommand::MakeKey { name, reply } => reply.send(server.parts.keys.make(&name).await),
                ServerCommand::ListKeys { reply } => reply.send(server.parts.keys.list().await),
                ServerCommand::RevokeKey { key, reply } => reply.send(server.parts.keys.revoke(key).await),
            }
        });
    }

    /// Starts it as the settings say, when Hearth starts. Where that is not possible, the log says why.
    pub(crate) async fn start_with_hearth(&self, config: ServerConfig) {
        if let Err(error) = self.start(config).await {
            let text = format!("The server did not start with Hearth: {error}");
            self.parts.log.write(LogLevel::Error, &text);
        }
    }

    /// Starts it. One that runs goes on this way, and the requests that run go on.
    ///
    /// # Errors
    /// What stands in the way; one that runs goes on as before then.
    async fn start(&self, config: ServerConfig) -> Result<ServerStatus> {
        self.check(&config).await?;
        let mut running = self.running.lock().await;
        if running.is_closed {
            return Err(Error::BackendGone);
        }
        running.serve(&self.parts, config).await?;
        Ok(self.parts.status.borrow().clone())
    }

    /// Takes what differs between the settings as they were and as they are to be, where it runs.
    ///
    /// # Errors
    /// What stands in the way; it goes on as before then.
    pub(crate) async fn take_over(&self, before: &ServerConfig, after: &ServerConfig) -> Result<()> {
        let mut running = self.running.lock().await;
        let Some(now) = running.server.as_ref().map(Serving::config) else {
            return Ok(());
        };
        let config = changed(&now, before, after);
        if config == *now {
            return Ok(());
        }
        // One that needs a key already, and has lost its last one, answers nobody however it goes on.
        if (config.network, config.needs_key()) != (now.network, now.needs_key()) {
            self.check(&config).await?;
        }
        running.serve(&self.parts, config).await
    }

    /// Whether it can serve so.
    ///
    /// # Errors
    /// What is wrong, or which switch needs a key where there is none.
    async fn check(&self, config: &ServerConfig) -> Result<()> {
        config.validate()?;
        self.parts.keys.read().await.or_else(|error| {
            // Without a database there are no keys, and none are needed either.
            if config.needs_key() { Err(error) } else { Ok(()) }
        })?;
        if config.needs_key() && self.parts.keys.is_empty() {
            let field = if config.network {
                "network"
            } else {
                "keys_required"
            };
            return Err(Error::invalid(field, "needs an API key; make one first"));
        }
        Ok(())
    }

    /// Stops it for good: no command starts it again.
    pub(crate) async fn shut_down(&self) {
        self.running.lock().await.is_closed = true;
        self.stop().await;
    }

    /// Stops it: requests that run may finish for a moment, then they end with an error. On return the port is free.
    pub(crate) async fn stop(&self) {
        self.running.lock().await.end().await;
    }

    async fn watch(&self, events: EventSink<ServerEvent>) {
        news::tell(
            &self.parts.log,
            &self.parts.keys,
            self.parts.status.subscribe(),
            events,
        )
        .await;
    }
}

impl Running {
    /// Begins, or goes on another way.
    async fn serve(&mut self, parts: &Parts, config: ServerConfig) -> Result<()> {
        let Some(server) = self.server.as_mut().filter(|server| !server.is_over()) else {
            self.end().await;
            self.server = Some(Serving::begin(parts.clone(), config).await?);
            return Ok(());
        };
        let changed = server.change(config).await;
        if server.is_over() {
            self.end().await;
        }
        changed
    }

    async fn end(&mut self) {
        if let Some(server) = self.server.take() {
            server.end().await;
        }
    }
}

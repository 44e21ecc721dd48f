//! The local HTTP server: programs that speak OpenAI's, Anthropic's or llama.cpp's interface work when they are pointed
//! at Hearth.
//!
//! It is a client of the protocol, as the window is: what models do is asked of the engine through the [`Client`]. Each
//! interface is a folder, each endpoint a file; [`routes`] is the table of all.

mod anthropic;
mod body;
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
mod openai;
mod openapi;
mod options;
mod part;
mod refusal;
mod routes;
mod run;
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
use std::time::Duration;

use hearth_protocol::command::ServerCommand;
use hearth_protocol::server::{LogLevel, ServerConfig, ServerStatus};
use hearth_protocol::{Client, Error, EventSink, Result};
use tokio::net::TcpListener;
use tokio::runtime::Handle;
use tokio::sync::{Mutex, watch};
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

use crate::files::blocking;
use crate::store::Store;
use keys::Keys;
use limits::{Bodies, Limits};
use llama_cpp::slots::clear;
use log::Log;
use metrics::Metrics;
use site::{Parts, Phase, Site};

/// How long requests that run may go on once the server is told to stop.
const GRACE: Duration = Duration::from_secs(3);

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

/// A server that runs.
struct Serving {
    config: ServerConfig,
    /// The port it has, where the settings leave it open too.
    port: u16,
    tls: Option<TlsAcceptor>,
    phase: watch::Sender<Phase>,
    ended: JoinHandle<()>,
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

    /// Starts it. One that runs the same way goes on; one that runs another way ends first, once it is clear that the new
    /// way is possible.
    ///
    /// # Errors
    /// What stands in the way; one that runs goes on then, unless it had the same port.
    async fn start(&self, config: ServerConfig) -> Result<ServerStatus> {
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
        let tls = match &config.tls {
            Some(files) => Some(tls::acceptor(files).await?),
            None => None,
        };
        let mut running = self.running.lock().await;
        if running.is_closed {
            return Err(Error::BackendGone);
        }
        if let Some(server) = &running.server
            && server.config == config
            && !server.ended.is_finished()
        {
            return Ok(self.parts.status.borrow().clone());
        }
        let has_port = |server: &Serving| server.port == config.port;
        let Some(before) = running.server.take_if(|server| has_port(server)) else {
            // Where the new port cannot be had, the one that runs goes on.
            let listeners = listener::listen(&config).await?;
            if let Some(before) = running.server.take() {
                self.end(before).await;
            }
            return self.run(&mut running, config, tls, listeners);
        };
        let (config_before, tls_before) = (before.config.clone(), before.tls.clone());
        self.end(before).await;
        match listener::listen(&config).await {
            Ok(listeners) => self.run(&mut running, config, tls, listeners),
            Err(error) => {
                let again = listener::listen(&config_before).await;
                if let Ok(listeners) = again {
                    self.run(&mut running, config_before, tls_before, listeners)?;
                }
                Err(error)
            }
        }
    }

    /// Serves at these ports.
    fn run(
        &self,
        running: &mut Running,
        config: ServerConfig,
        tls: Option<TlsAcceptor>,
        listeners: Vec<TcpListener>,
    ) -> Result<ServerStatus> {
        let address = listener::address(&listeners)?;
        let (phase, reached) = watch::channel(Phase::Serving);
        let site = Site::new(self.parts.clone(), config.clone(), reached.clone());
        let https = tls.is_some();
        let router = routes::router(site);
        let ended = tokio::spawn(listener::serve(
            listeners,
            tls.clone(),
            router,
            reached,
            self.parts.limits,
        ));
        let status = ServerStatus::Running {
            address,
            https,
            in_flight: self.parts.metrics.counted().in_flight,
        };
        self.parts.status.send_replace(status.clone());
        let scheme = if https { "https" } else { "http" };
        let text = format!("The server listens at {scheme}://{address}");
        self.parts.log.write(LogLevel::Info, &text);
        running.server = Some(Serving {
            config,
            port: address.port(),
            tls,
            phase,
            ended,
        });
        Ok(status)
    }

    /// Stops it for good: no command starts it again.
    pub(crate) async fn shut_down(&self) {
        self.running.lock().await.is_closed = true;
        self.stop().await;
    }

    /// Stops it: requests that run may finish for a moment, then they end with an error. On return the port is free.
    pub(crate) async fn stop(&self) {
        let mut running = self.running.lock().await;
        if let Some(server) = running.server.take() {
            self.end(server).await;
        }
    }

    async fn end(&self, mut server: Serving) {
        server.phase.send_replace(Phase::Finishing);
        if tokio::time::timeout(GRACE, &mut server.ended).await.is_err() {
            server.phase.send_replace(Phase::CutOff);
            if let Err(error) = server.ended.await {
                tracing::error!(%error, "the local server broke off");
            }
        }
        self.parts.status.send_replace(ServerStatus::Stopped);
        self.parts.log.write(LogLevel::Info, "The server has stopped");
    }

    async fn watch(&self, events: EventSink<hearth_protocol::server::ServerEvent>) {
        self.parts.log.watch(self.parts.status.subscribe(), events).await;
    }
}

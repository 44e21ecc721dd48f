//! A server that runs: how it serves, which changes while it does, and the doors that clients come in by.
//!
//! What a change says of requests counts for the next one. What it says of the port opens another door: requests that
//! came in by the one before are still answered, as was asked there, and no more are taken.

use std::sync::Arc;
use std::time::Duration;

use hearth_protocol::Result;
use hearth_protocol::server::{LogLevel, ServerConfig, ServerStatus};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;

use super::listener::{self, Closed};
use super::routes::router;
use super::site::{Parts, Phase, Site};
use super::{network, tls};

/// How long requests that run may go on once the server is told to stop.
const GRACE: Duration = Duration::from_secs(3);

/// A server that runs.
pub(super) struct Serving {
    parts: Parts,
    door: Door,
    /// Doors that are closed, with requests that still run.
    left: Vec<Door>,
    /// It could open its port in no way any more.
    is_lost: bool,
}

/// An open port and the connections that came in by it.
struct Door {
    /// How requests that come in by it are served.
    config: watch::Sender<Arc<ServerConfig>>,
    /// The port it has, where the settings leave it open too.
    port: u16,
    tls: Option<TlsAcceptor>,
    phase: watch::Sender<Phase>,
    closed: Closed,
    /// `None` once that has been waited for.
    ended: Option<JoinHandle<()>>,
}

impl Serving {
    /// Begins to serve.
    ///
    /// # Errors
    /// Why it cannot be done so.
    pub(super) async fn begin(parts: Parts, config: ServerConfig) -> Result<Self> {
        let tls = tls::of(&config).await?;
        let listeners = listener::listen(&config).await?;
        let door = Door::open(&parts, Arc::new(config), tls, listeners).await?;
        Ok(Self {
            parts,
            door,
            left: Vec::new(),
            is_lost: false,
        })
    }

    /// How it serves.
    pub(super) fn config(&self) -> Arc<ServerConfig> {
        Arc::clone(&self.door.config.borrow())
    }

    /// Whether it takes no requests any more, although nobody ended it.
    pub(super) fn is_over(&self) -> bool {
        self.is_lost || self.door.has_ended()
    }

    /// Goes on another way. Requests that run go on.
    ///
    /// # Errors
    /// Why that cannot be done; it goes on as before then, unless it [is over](Self::is_over).
    pub(super) async fn change(&mut self, config: ServerConfig) -> Result<()> {
        let before = self.config();
        if *before == config {
            return Ok(());
        }
        let config = Arc::new(config);
        // Programs know the port that it has, where any would do.
        let port = match config.port == before.port {
            true => self.door.port,
            false => config.port,
        };
        if port != self.door.port {
            let tls = tls::of(&config).await?;
            // Where it cannot be had, nothing has changed.
            let listeners = listener::listen(&config).await?;
            let door = Door::open(&self.parts, Arc::clone(&config), tls, listeners).await?;
            self.door.close().await;
            self.pass_on(door);
        } else if config.network != before.network || config.tls != before.tls {
            let tls = tls::of(&config).await?;
            self.reopen(Arc::clone(&config), tls).await?;
        } else {
            self.door.config.send_replace(config);
        }
        let text = "The settings of the server have changed and count from now on";
        self.parts.log.write(LogLevel::Info, text);
        Ok(())
    }

    /// Opens the port it has another way, which no system allows while it is open. Where that cannot be done, it is open as
    /// before.
    async fn reopen(&mut self, config: Arc<ServerConfig>, tls: Option<TlsAcceptor>) -> Result<()> {
        let (before, tls_before) = (self.config(), self.door.tls.clone());
        self.door.close().await;
        let Err(error) = self.open_again(config, tls).await else {
            return Ok(());
        };
        if let Err(error) = self.open_again(before, tls_before).await {
            self.is_lost = true;
            let text = format!("The server has lost its port: {error}");
            self.parts.log.write(LogLevel::Error, &text);
        }
        Err(error)
    }

    async fn open_again(&mut self, config: Arc<ServerConfig>, tls: Option<TlsAcceptor>) -> Result<()> {
        let place = ServerConfig {
            port: self.door.port,
            ..ServerConfig::clone(&config)
        };
        let listeners = listener::listen(&place).await?;
        let door = Door::open(&self.parts, config, tls, listeners).await?;
        self.pass_on(door);
        Ok(())
    }

    /// Takes its requests by another door.
    fn pass_on(&mut self, door: Door) {
        self.left.retain(|door| !door.has_ended());
        self.left.push(std::mem::replace(&mut self.door, door));
    }

    /// Ends it: requests that run may finish for a moment, then they end with an error. On return the port is free.
    pub(super) async fn end(self) {
        let mut doors = self.left;
        doors.push(self.door);
        for door in &doors {
            door.phase.send_replace(Phase::Finishing);
        }
        if timeout(GRACE, until_ended(&mut doors)).await.is_err() {
            for door in &doors {
                door.phase.send_replace(Phase::CutOff);
            }
            until_ended(&mut doors).await;
        }
        self.parts.status.send_replace(ServerStatus::Stopped);
        self.parts.log.write(LogLevel::Info, "The server has stopped");
    }
}

/// Waits until the last connections are closed.
async fn until_ended(doors: &mut [Door]) {
    for door in doors {
        let Some(ended) = &mut door.ended else {
            continue;
        };
        if let Err(error) = ended.await {
            tracing::error!(%error, "the local server broke off");
        }
        door.ended = None;
    }
}

impl Door {
    /// Serves at this port, and says so.
    async fn open(
        parts: &Parts,
        config: Arc<ServerConfig>,
        tls: Option<TlsAcceptor>,
        listeners: Vec<TcpListener>,
    ) -> Result<Self> {
        let address = listener::address(&listeners)?;
        let network = match config.network {
            true => network::addresses().await,
            false => Vec::new(),
        };
        let (phase, reached) = watch::channel(Phase::Serving);
        let (config, served_as) = watch::channel(config);
        let router = router(Site::new(parts.clone(), served_as, reached.clone()));
        let (open, closed) = listener::open_port();
        let serving = listener::serve(listeners, open, tls.clone(), router, reached, parts.limits);
        let ended = Some(tokio::spawn(serving));
        parts.status.send_replace(ServerStatus::Running {
            address,
            https: tls.is_some(),
            in_flight: parts.metrics.counted().in_flight,
            network,
        });
        let scheme = if tls.is_some() { "https" } else { "http" };
        let text = format!("The server listens at {scheme}://{address}");
        parts.log.write(LogLevel::Info, &text);
        Ok(Self {
            config,
            port: address.port(),
            tls,
            phase,
            closed,
            ended,
        })
    }

    fn has_ended(&self) -> bool {
        self.ended.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Takes no more requests. On return the port is free.
    async fn close(&mut self) {
        self.phase.send_replace(Phase::Finishing);
        self.closed.wait().await;
    }
}

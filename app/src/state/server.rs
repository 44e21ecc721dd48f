//! The local server as the window shows it: whether it runs, its keys, its log, and what stands in the way.
//!
//! How it is to serve stands in the settings; here is what was asked of it and what came of that. What changes it is
//! `update::server`.

pub(crate) mod example;
pub(crate) mod keys;
pub(crate) mod log;
pub(crate) mod view;

use hearth_protocol::server::{ServerConfig, ServerStatus};
use hearth_protocol::{Error, Result};

use example::Example;
use keys::Keys;
use log::Log;

/// The local server.
#[derive(Debug, Default)]
pub(crate) struct Server {
    /// Its keys.
    pub(crate) keys: Keys,
    /// Its log.
    pub(crate) log: Log,
    /// The example that is shown.
    pub(crate) example: Example,
    /// Whether the list of origins is open.
    pub(crate) origins_open: bool,
    /// The text in the field of a new origin.
    pub(crate) origin: String,
    /// Whether that origin cannot be taken.
    pub(crate) origin_is_bad: bool,
    /// The text in the field of the port while it differs from the settings.
    pub(crate) port: Option<String>,
    status: Option<ServerStatus>,
    doing: Option<Doing>,
    trouble: Option<Trouble>,
}

/// What was asked of the server and is not answered yet.
#[derive(Debug, Clone, PartialEq)]
enum Doing {
    /// It starts so.
    Starting(ServerConfig),
    /// It stops.
    Stopping,
}

/// Why the server does not do what was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Trouble {
    /// The backend says why.
    Failed(Error),
    /// What was typed is no port.
    BadPort,
}

impl Trouble {
    /// A port that is free, where the wanted one is not.
    fn free_port(&self) -> Option<u16> {
        match self {
            Self::Failed(Error::PortTaken { free, .. }) => *free,
            _ => None,
        }
    }
}

impl Server {
    /// Whether requests are answered now.
    pub(crate) fn is_running(&self) -> bool {
        matches!(self.status, Some(ServerStatus::Running { .. }))
    }

    /// Whether it runs or is about to.
    pub(crate) fn is_on(&self) -> bool {
        match &self.doing {
            Some(Doing::Starting(_)) => true,
            Some(Doing::Stopping) => false,
            None => self.is_running(),
        }
    }

    /// Whether it is starting or stopping.
    pub(crate) fn is_busy(&self) -> bool {
        self.doing.is_some()
    }

    /// How it will serve once what was asked is done; `None` where nothing was asked.
    pub(crate) fn wanted(&self) -> Option<&ServerConfig> {
        match &self.doing {
            Some(Doing::Starting(config)) => Some(config),
            _ => None,
        }
    }

    /// Begins to start.
    pub(super) fn begin_start(&mut self, config: ServerConfig) {
        self.trouble = None;
        self.doing = Some(Doing::Starting(config));
    }

    /// Begins to stop.
    pub(super) fn begin_stop(&mut self) {
        self.trouble = None;
        self.doing = Some(Doing::Stopping);
    }

    /// Takes the answer to a start. One that something newer has overtaken leaves the newer to come.
    pub(super) fn end_start(&mut self, config: &ServerConfig, result: Result<ServerStatus>) {
        if self.wanted() == Some(config) {
            self.doing = None;
        }
        match result {
            Ok(status) => self.status = Some(status),
            Err(error) => self.trouble = Some(Trouble::Failed(error)),
        }
    }

    /// Takes the answer to a stop.
    pub(super) fn end_stop(&mut self, result: Result<()>) {
        if self.doing == Some(Doing::Stopping) {
            self.doing = None;
        }
        match result {
            Ok(()) => self.status = Some(ServerStatus::Stopped),
            Err(error) => self.trouble = Some(Trouble::Failed(error)),
        }
    }

    /// Takes a status that was told.
    pub(super) fn note_status(&mut self, status: ServerStatus) {
        self.status = Some(status);
    }

    /// The backend tells no more.
    pub(super) fn note_end(&mut self) {
        (self.status, self.doing) = (None, None);
    }

    /// What was typed is no port.
    pub(super) fn refuse_port(&mut self) {
        self.trouble = Some(Trouble::BadPort);
    }

    /// Forgets what stood in the way.
    pub(super) fn forgive(&mut self) {
        self.trouble = None;
    }

    /// The port that is offered, once.
    pub(super) fn take_free_port(&mut self) -> Option<u16> {
        self.trouble.take()?.free_port()
    }
}

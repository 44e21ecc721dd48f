//! The local HTTP server.

use std::net::SocketAddr;

use serde::{Deserialize, Serialize};

use crate::{Error, RunEvent, UnixMillis};

/// How to serve.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ServerConfig {
    /// TCP port, 1 to 65535; 0 takes a free one.
    pub port: u16,
    /// Whether other machines may connect; needs an API key.
    pub network: bool,
    /// Origins that web pages may call from.
    pub cors_origins: Vec<String>,
}

impl Default for ServerConfig {
    fn default() -> Self {
        Self {
            port: 1234,
            network: false,
            cors_origins: Vec::new(),
        }
    }
}

/// Whether the server runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServerStatus {
    /// It does not.
    Stopped,
    /// It does.
    Running {
        /// Where.
        address: SocketAddr,
        /// Requests being answered.
        in_flight: u32,
    },
}

/// A line of the server's log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogLine {
    /// When.
    pub at: UnixMillis,
    /// How grave.
    pub level: LogLevel,
    /// What. Prompts are left out, keys redacted.
    pub text: String,
}

/// How grave a log line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogLevel {
    /// Progress.
    Info,
    /// A request.
    Request,
    /// Worth a look.
    Warning,
    /// A failure.
    Error,
}

/// News of the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServerEvent {
    /// A line was logged.
    Line(LogLine),
    /// No more news.
    Closed(Error),
}

impl RunEvent for ServerEvent {
    fn is_terminal(&self) -> bool {
        matches!(self, Self::Closed(_))
    }
    fn failed(error: Error) -> Self {
        Self::Closed(error)
    }
}

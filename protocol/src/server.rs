//! The local HTTP server.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{Error, Result, RunEvent, Secret, UnixMillis};

/// How to serve.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ServerConfig {
    /// TCP port, 1 to 65535; 0 takes a free one.
    pub port: u16,
    /// Whether other machines may connect; needs an API key.
    pub network: bool,
    /// Whether programs on this machine need an API key too.
    pub keys_required: bool,
    /// Origins that web pages may call from, such as `https://chat.example.org`; `*` is any, and then every request
    /// needs an API key. Empty lets no page.
    pub cors_origins: Vec<String>,
    /// Further names by which it may be called (the `Host` header), such as `workstation.local`; its own addresses and
    /// `localhost` always may. Other names are refused, since a foreign page could stand behind them.
    pub hosts: Vec<String>,
    /// For HTTPS; `None` speaks HTTP.
    pub tls: Option<TlsFiles>,
    /// Write what people ask and models answer to the log.
    pub log_prompts: bool,
    /// Whether it starts with Hearth.
    pub start_with_hearth: bool,
}

/// The files of a certificate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TlsFiles {
    /// The certificate and those that vouch for it (PEM).
    pub certificate: PathBuf,
    /// Its private key (PEM).
    pub key: PathBuf,
}

impl Default for ServerConfig {
    fn default() -> Self {
        Self {
            port: 1234,
            network: false,
            keys_required: false,
            cors_origins: Vec::new(),
            hosts: Vec::new(),
            tls: None,
            log_prompts: false,
            start_with_hearth: false,
        }
    }
}

impl ServerConfig {
    /// Whether every request must bring an API key.
    pub fn needs_key(&self) -> bool {
        self.network || self.keys_required || self.cors_origins.iter().any(|origin| origin == "*")
    }

    /// Checks every field.
    ///
    /// # Errors
    /// [`Error::Invalid`] names the first field that is wrong.
    pub fn validate(&self) -> Result<()> {
        let is_origin = |text: &String| {
            let host = text
                .strip_prefix("http://")
                .or_else(|| text.strip_prefix("https://"));
            text == "*" || host.is_some_and(|host| !host.is_empty() && !host.contains(['/', ' ', '*']))
        };
        if let Some(origin) = self.cors_origins.iter().find(|origin| !is_origin(origin)) {
            return Err(Error::invalid(
                "cors_origins",
                format!("holds {origin:?}, which is no origin such as https://chat.example.org, nor *"),
            ));
        }
        let is_host = |text: &String| !text.is_empty() && !text.contains(['/', ' ', ':', '*']);
        if let Some(host) = self.hosts.iter().find(|host| !is_host(host)) {
            return Err(Error::invalid(
                "hosts",
                format!("holds {host:?}, which is no name such as workstation.local"),
            ));
        }
        Ok(())
    }
}

/// Whether the server runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ServerStatus {
    /// It does not.
    Stopped,
    /// It does.
    Running {
        /// Where.
        address: SocketAddr,
        /// Whether it speaks HTTPS.
        https: bool,
        /// Requests being answered.
        in_flight: u32,
        /// Addresses of this machine by which others reach it, as they were when it began to listen; none unless it is
        /// open to the network.
        #[serde(default)]
        network: Vec<IpAddr>,
    },
}

/// A line of the server's log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogLine {
    /// When.
    pub at: UnixMillis,
    /// How grave.
    pub level: LogLevel,
    /// What. Prompts are left out, keys redacted.
    pub text: String,
}

/// How grave a log line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ServerEvent {
    /// Lines that were logged since the last time, oldest first. However many are logged, an event comes ten times a
    /// second at most.
    Lines {
        /// The lines.
        lines: Vec<LogLine>,
        /// Lines before them that are not told, since more came than are kept.
        left_out: u64,
    },
    /// It began, it ended, it listens elsewhere, or the number of requests being answered changed.
    Status(ServerStatus),
    /// All keys, oldest first: now, and after each change by whomever, or use.
    Keys(Vec<ApiKey>),
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

/// An API key, without the key itself: of that only a hash is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApiKey {
    /// The key.
    pub id: ApiKeyId,
    /// What it is for, in the person's words.
    pub name: String,
    /// Its first letters, to tell it by.
    pub begins: String,
    /// When it was made.
    pub made_at: UnixMillis,
    /// When it was last used; `None` never.
    pub used_at: Option<UnixMillis>,
}

pub use crate::ids::ApiKeyId;

/// A key that was just made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewApiKey {
    /// What is kept of it.
    pub key: ApiKey,
    /// The key itself. It is shown once.
    pub secret: Secret,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_origin_and_no_host_is_refused() {
        let origin = |text: &str| {
            let config = ServerConfig {
                cors_origins: vec![text.into()],
                ..ServerConfig::default()
            };
            config.validate().is_ok()
        };
        assert!(origin("*") && origin("https://a.example") && origin("http://localhost:3000"));
        assert!(
            !origin("") && !origin("a.example") && !origin("https://a/b") && !origin("https://*.example")
        );
        let host = |text: &str| {
            let config = ServerConfig {
                hosts: vec![text.into()],
                ..ServerConfig::default()
            };
            config.validate().is_ok()
        };
        assert!(host("workstation.local") && !host("http://a") && !host("a:80") && !host(""));
    }

    #[test]
    fn whoever_can_be_reached_from_elsewhere_needs_a_key() {
        let mut config = ServerConfig::default();
        assert!(!config.needs_key());
        config.cors_origins = vec!["https://a.example".into()];
        assert!(!config.needs_key());
        config.cors_origins.push("*".into());
        assert!(config.needs_key());
        assert!(
            ServerConfig {
                network: true,
                ..ServerConfig::default()
            }
            .needs_key()
        );
    }
}

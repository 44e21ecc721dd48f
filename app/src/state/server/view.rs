//! What the server's page says, in words.

use std::net::{IpAddr, SocketAddr};

use hearth_protocol::LoadedId;
use hearth_protocol::engine::Activity;
use hearth_protocol::server::{ApiKey, ApiKeyId, ServerConfig, ServerStatus};

use super::{Trouble, example};
use crate::state::{AppState, format};

/// What the server's page says of the server.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ServerView {
    /// `Off`, `Starting`, `Running` or `Stopping`.
    pub(crate) state: &'static str,
    /// Whether requests are answered now.
    pub(crate) running: bool,
    /// The switch.
    pub(crate) on: bool,
    /// Whether the switch can be used: not while the server starts or stops, nor before the settings are read.
    pub(crate) can_toggle: bool,
    /// `2 requests in flight`; empty while it does not run.
    pub(crate) in_flight: String,
    /// What programs are given as base address.
    pub(crate) address: String,
    /// Who can reach it.
    pub(crate) reach: String,
    /// The text in the field of the port.
    pub(crate) port: String,
    /// What stands in the way.
    pub(crate) trouble: Option<Trouble>,
    /// How it serves, or will.
    pub(crate) config: ServerConfig,
    /// Who needs a key, in words.
    pub(crate) keys_help: &'static str,
    /// `No origins`, `2 origins`.
    pub(crate) origins: String,
}

/// A key in the list.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct KeyRow {
    /// Which.
    pub(crate) id: ApiKeyId,
    /// What it is for.
    pub(crate) name: String,
    /// `hearth-Ab3d…`.
    pub(crate) begins: String,
    /// `Used 14:32`, `Never used`.
    pub(crate) used: String,
    /// What is asked before it is taken back; `None` where nothing is asked.
    pub(crate) question: Option<String>,
}

/// A model in memory.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ModelRow {
    /// Which.
    pub(crate) id: LoadedId,
    /// Display name.
    pub(crate) name: String,
    /// `98.4 MB · idle · stays`.
    pub(crate) detail: String,
    /// Whether it does something.
    pub(crate) busy: bool,
}

impl AppState {
    /// How the server serves, or will once what was asked is done.
    pub(crate) fn server_config(&self) -> &ServerConfig {
        self.server
            .wanted()
            .unwrap_or_else(|| &self.settings.shown().server)
    }

    /// What the server's page says of the server.
    pub(crate) fn server_view(&self) -> ServerView {
        let server = &self.server;
        let config = self.server_config().clone();
        let state = match (server.is_busy(), server.is_on(), server.is_running()) {
            (true, true, _) => "Starting",
            (true, false, _) => "Stopping",
            (false, _, true) => "Running",
            (false, _, false) => "Off",
        };
        let in_flight = match &server.status {
            Some(ServerStatus::Running { in_flight: 1, .. }) => "1 request in flight".into(),
            Some(ServerStatus::Running { in_flight, .. }) => {
                format!("{} requests in flight", format::count((*in_flight).into()))
            }
            _ => String::new(),
        };
        let origins = match config.cors_origins.len() {
            0 => "No origins".into(),
            1 => "1 origin".into(),
            many => format!("{many} origins"),
        };
        ServerView {
            state,
            running: server.is_running(),
            on: server.is_on(),
            can_toggle: !server.is_busy() && self.settings.are_read(),
            in_flight,
            address: format!("{}/v1", self.server_base()),
            reach: self.server_reach(config.network),
            port: server.port.clone().unwrap_or_else(|| config.port.to_string()),
            trouble: server.trouble.clone(),
            keys_help: match (config.network, config.keys_required, config.needs_key()) {
                (true, ..) => "Always, while other devices can connect",
                (_, true, _) => "Programs without a key are refused",
                (_, _, true) => "Always, while any web page may call",
                (..) => "Off, any program on this machine can connect",
            },
            origins,
            config,
        }
    }

    /// The keys, oldest first.
    pub(crate) fn key_rows(&self) -> Vec<KeyRow> {
        let keys = &self.server.keys;
        let row = |key: &ApiKey| KeyRow {
            id: key.id,
            name: key.name.clone(),
            begins: format!("{}…", key.begins),
            used: match key.used_at {
                Some(at) => format!("Used {}", self.present.label(at)),
                None => "Never used".into(),
            },
            question: (keys.asked == Some(key.id)).then(|| self.question(key)),
        };
        keys.list().iter().map(row).collect()
    }

    /// What is asked before a key is taken back.
    fn question(&self, key: &ApiKey) -> String {
        let config = self.server_config();
        let more = match (self.server.keys.list().len(), config.network, config.needs_key()) {
            (1, true, _) => " It is the last key: other devices can no longer connect.",
            (1, false, true) => " It is the last key: the server stops until you make another.",
            _ => "",
        };
        format!(
            "Revoke {}? Programs that use it are refused at once.{more}",
            key.name
        )
    }

    /// The models in memory, newest first.
    pub(crate) fn model_rows(&self) -> Vec<ModelRow> {
        let rows = self.models.loaded.iter().map(|model| {
            let busy = model.activity == Activity::Generating;
            let doing = if busy { "busy" } else { "idle" };
            ModelRow {
                id: model.id,
                name: model.name.clone(),
                detail: format!("{} · {doing} · {}", format::size(model.size), model.stay()),
                busy,
            }
        });
        rows.collect()
    }

    /// How long models stay that requests bring into memory.
    pub(crate) fn model_stay(&self) -> String {
        match self.settings.shown().idle_unload_minutes {
            Some(1) => "A model that a request loads leaves after 1 minute without work.".into(),
            Some(minutes) => {
                let minutes = format::count(minutes.into());
                format!("A model that a request loads leaves after {minutes} minutes without work.")
            }
            None => "A model that a request loads stays until you eject it.".into(),
        }
    }

    /// The example that is shown.
    pub(crate) fn server_example(&self) -> String {
        let model = self.models.current().map(|model| model.name.as_str());
        self.server.example.text(&example::Place {
            base: &self.server_base(),
            model: model
                .or_else(|| self.models.first_usable())
                .unwrap_or(example::MODEL),
            needs_key: self.server_config().needs_key(),
        })
    }

    /// Who can reach it, and where.
    fn server_reach(&self, is_open: bool) -> String {
        let (port, scheme) = (self.server_port(), self.server_scheme());
        let addresses = match &self.server.status {
            Some(ServerStatus::Running { network, .. }) => network.as_slice(),
            _ => &[],
        };
        let url = |ip: &IpAddr| format!("{scheme}://{}/v1", SocketAddr::new(*ip, port));
        match (is_open, addresses) {
            (false, _) => "Only programs on this machine can reach it.".into(),
            (true, []) => format!("Other devices use this machine's address with port {port}."),
            (true, [one]) => format!("Other devices use {}.", url(one)),
            (true, [one, other, ..]) => format!("Other devices use {} or {other}.", url(one)),
        }
    }

    /// The root of all addresses, as programs on this machine reach it.
    fn server_base(&self) -> String {
        format!("{}://127.0.0.1:{}", self.server_scheme(), self.server_port())
    }

    fn server_scheme(&self) -> &'static str {
        let https = match &self.server.status {
            Some(ServerStatus::Running { https, .. }) => *https,
            _ => self.server_config().tls.is_some(),
        };
        if https { "https" } else { "http" }
    }

    /// The port it has, else the one it will have.
    fn server_port(&self) -> u16 {
        match &self.server.status {
            Some(ServerStatus::Running { address, .. }) => address.port(),
            _ => self.server_config().port,
        }
    }
}

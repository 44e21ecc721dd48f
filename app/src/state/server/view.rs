//! What the server's page says, in words.

use std::net::{IpAddr, SocketAddr};

use hearth_protocol::LoadedId;
use hearth_protocol::engine::Activity;
use hearth_protocol::server::{ApiKey, ApiKeyId, ServerConfig, ServerStatus};

use super::{Trouble, example};
use crate::state::{AppState, failure, format};
use crate::text::{Key, Texts, key, say};

/// What the server's page says of the server.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ServerView {
    /// `Off`, `Starting`, `Running` or `Stopping`, in the person's words.
    pub(crate) state: Key,
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
    pub(crate) trouble: Option<TroubleView>,
    /// How it serves, or will.
    pub(crate) config: ServerConfig,
    /// Who needs a key, in words.
    pub(crate) keys_help: Key,
    /// `No origins`, `2 origins`.
    pub(crate) origins: String,
}

/// What stands in the server's way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TroubleView {
    /// In words for a person.
    pub(crate) text: String,
    /// A port that is free, where the wanted one is not.
    pub(crate) free_port: Option<u16>,
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
        let (server, texts) = (&self.server, self.texts());
        let config = self.server_config().clone();
        let state = match (server.is_busy(), server.is_on(), server.is_running()) {
            (true, true, _) => key!("server-starting"),
            (true, false, _) => key!("server-stopping"),
            (false, _, true) => key!("server-running"),
            (false, _, false) => key!("server-off"),
        };
        let in_flight = match &server.status {
            Some(ServerStatus::Running { in_flight, .. }) => say!(
                texts,
                "server-in-flight",
                count = *in_flight,
                number = format::count((*in_flight).into()),
            ),
            _ => String::new(),
        };
        let origins = say!(texts, "server-origins", count = config.cors_origins.len());
        ServerView {
            state,
            running: server.is_running(),
            on: server.is_on(),
            can_toggle: !server.is_busy() && self.settings.are_read(),
            in_flight,
            address: format!("{}/v1", self.server_base()),
            reach: self.server_reach(config.network),
            port: server.port.clone().unwrap_or_else(|| config.port.to_string()),
            trouble: server.trouble.as_ref().map(|trouble| trouble.view(texts)),
            keys_help: match (config.network, config.keys_required, config.needs_key()) {
                (true, ..) => key!("server-keys-network"),
                (_, true, _) => key!("server-keys-on"),
                (_, _, true) => key!("server-keys-any-page"),
                (..) => key!("server-keys-off"),
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
                Some(at) => say!(self.texts(), "server-key-used", when = self.present.label(at)),
                None => say!(self.texts(), "server-key-never-used"),
            },
            question: (keys.asked == Some(key.id)).then(|| self.question(key)),
        };
        keys.list().iter().map(row).collect()
    }

    /// What is asked before a key is taken back.
    fn question(&self, key: &ApiKey) -> String {
        let config = self.server_config();
        let (texts, name) = (self.texts(), key.name.as_str());
        match (self.server.keys.list().len(), config.network, config.needs_key()) {
            (1, true, _) => say!(texts, "server-revoke-last-network", name = name),
            (1, false, true) => say!(texts, "server-revoke-last", name = name),
            _ => say!(texts, "server-revoke-question", name = name),
        }
    }

    /// The models in memory, newest first.
    pub(crate) fn model_rows(&self) -> Vec<ModelRow> {
        let texts = self.texts();
        let rows = self.models.loaded.iter().map(|model| {
            let busy = model.activity == Activity::Generating;
            let doing = if busy {
                say!(texts, "server-model-busy")
            } else {
                say!(texts, "server-model-idle")
            };
            ModelRow {
                id: model.id,
                name: model.name.clone(),
                detail: format!(
                    "{} · {doing} · {}",
                    format::size(texts, model.size),
                    stay(texts, model.time_to_live)
                ),
                busy,
            }
        });
        rows.collect()
    }

    /// How long models stay that requests bring into memory.
    pub(crate) fn model_stay(&self) -> String {
        match self.settings.shown().idle_unload_minutes {
            Some(minutes) => say!(
                self.texts(),
                "server-stay",
                count = minutes,
                number = format::count(minutes.into()),
            ),
            None => say!(self.texts(), "server-stay-for-ever"),
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
        let texts = self.texts();
        match (is_open, addresses) {
            (false, _) => say!(texts, "server-reach-here"),
            (true, []) => say!(texts, "server-reach-port", port = port.to_string()),
            (true, [one]) => say!(texts, "server-reach-one", address = url(one)),
            (true, [one, other, ..]) => say!(
                texts,
                "server-reach-two",
                address = url(one),
                other = other.to_string(),
            ),
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

impl Trouble {
    fn view(&self, texts: &Texts) -> TroubleView {
        TroubleView {
            text: match self {
                Self::Failed(error) => failure::words(texts, error),
                Self::BadPort => say!(texts, "server-bad-port"),
            },
            free_port: self.free_port(),
        }
    }
}

/// How long a model stays, in words: `stays`, `goes after 1 h 30 min unused`, `goes when unused`.
fn stay(texts: &Texts, time_to_live: Option<u32>) -> String {
    const UNITS: [(u32, &str); 4] = [(86_400, "d"), (3_600, "h"), (60, "min"), (1, "s")];
    let Some(mut seconds) = time_to_live else {
        return say!(texts, "server-stays");
    };
    let mut parts = Vec::new();
    for (unit, name) in UNITS {
        if seconds >= unit {
            parts.push(format!("{} {name}", seconds / unit));
            seconds %= unit;
        }
    }
    match parts.is_empty() {
        true => say!(texts, "server-goes"),
        false => say!(texts, "server-goes-after", time = parts.join(" ")),
    }
}

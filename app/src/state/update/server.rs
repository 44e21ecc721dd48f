//! The server: its switch, its settings, its keys, its log, its examples.

use hearth_protocol::server::{ApiKeyId, NewApiKey, ServerConfig, ServerEvent, ServerStatus};
use hearth_protocol::{Result, Secret};

use crate::effect::server::ServerEffect;
use crate::effect::{BackendEffect, WindowEffect};
use crate::msg::server::{ServerMsg, ServerNews};
use crate::state::server::keys::Form;
use crate::state::{AppState, failure};
use crate::text::say;

impl AppState {
    pub(super) fn update_server(&mut self, msg: ServerMsg) {
        match msg {
            ServerMsg::Toggle => self.toggle_server(),
            ServerMsg::CopyAddress => self.want(WindowEffect::Copy(self.server_view().address)),
            ServerMsg::PortChanged(text) => self.server.port = Some(text),
            ServerMsg::CommitPort => self.commit_port(),
            ServerMsg::UseFreePort => self.use_free_port(),
            ServerMsg::SetStartWithHearth(starts) => {
                let change = self.settings.change(|all| all.server.start_with_hearth = starts);
                if let Some(settings) = change {
                    self.ask(BackendEffect::WriteSettings(Box::new(settings)));
                }
            }
            ServerMsg::SetNetwork(network) => self.change_server(|config| config.network = network),
            ServerMsg::SetKeysRequired(required) => {
                self.change_server(|config| config.keys_required = required);
            }

            ServerMsg::ToggleOrigins => self.server.origins_open = !self.server.origins_open,
            ServerMsg::OriginChanged(text) => {
                self.server.origin = text;
                self.server.origin_is_bad = false;
            }
            ServerMsg::AddOrigin => self.add_origin(),
            ServerMsg::RemoveOrigin(origin) => {
                self.change_server(|config| config.cors_origins.retain(|known| *known != origin));
            }

            ServerMsg::BeginKey => self.server.keys.begin(None),
            ServerMsg::KeyNameChanged(text) => {
                if let Form::Naming { name, problem, .. } = &mut self.server.keys.form {
                    (*name, *problem) = (text, None);
                }
            }
            ServerMsg::MakeKey => {
                if let Some(name) = self.server.keys.begin_making(&self.present.texts) {
                    self.ask_server(ServerEffect::MakeKey(name));
                }
            }
            ServerMsg::CloseKey => self.server.keys.form = Form::Closed,
            ServerMsg::CopyKey => {
                if let Form::Made { secret, .. } = &self.server.keys.form {
                    let text = Secret::expose(secret).to_owned();
                    self.want(WindowEffect::Copy(text));
                }
            }
            ServerMsg::AskRevoke(key) => self.server.keys.asked = Some(key),
            ServerMsg::KeepKey => self.server.keys.asked = None,
            ServerMsg::Revoke => {
                if let Some(key) = self.server.keys.asked.take() {
                    self.ask_server(ServerEffect::RevokeKey(key));
                }
            }

            ServerMsg::FilterChanged(text) => self.server.log.set_filter(text),
            ServerMsg::SetLevel(level) => self.server.log.set_level(level),
            ServerMsg::SetFollow(follow) => self.server.log.follow = follow,
            ServerMsg::CopyLog => self.want(WindowEffect::Copy(self.server.log.text(&self.present))),
            ServerMsg::ClearLog => self.server.log.clear(),

            ServerMsg::PickEndpoint(endpoint) => self.server.example.endpoint = endpoint,
            ServerMsg::PickLanguage(language) => self.server.example.language = language,
            ServerMsg::CopyExample => self.want(WindowEffect::Copy(self.server_example())),
        }
    }

    pub(super) fn take_server_news(&mut self, news: ServerNews) {
        match news {
            ServerNews::Event(ServerEvent::Status(status)) => self.server.note_status(status),
            ServerNews::Event(ServerEvent::Lines { lines, left_out }) => {
                self.server.log.push(lines, left_out, &self.present.texts)
            }
            ServerNews::Event(ServerEvent::Keys(keys)) => self.server.keys.take(keys),
            ServerNews::Event(ServerEvent::Closed(error)) => {
                self.server.note_end();
                self.complain(&say!(self.texts(), "failed-server"), &error);
            }
            ServerNews::Started { config, result } => self.take_server_start(*config, result),
            ServerNews::Stopped(result) => self.server.end_stop(result),
            ServerNews::Keys(Ok(keys)) => self.server.keys.take(keys),
            ServerNews::Keys(Err(error)) => self.complain(&say!(self.texts(), "failed-read-keys"), &error),
            ServerNews::KeyMade(result) => self.take_key(result),
            ServerNews::KeyRevoked { key, result } => self.take_revoked(key, result),
        }
    }

    /// What Escape closes on the server's page.
    pub(super) fn escape_server(&mut self) {
        let server = &mut self.server;
        if server.keys.asked.take().is_none() {
            server.keys.form = Form::Closed;
        }
        (server.port, server.origin_is_bad) = (None, false);
    }

    /// Asks to be told of the server.
    pub(super) fn start_watching_server(&mut self) {
        self.ask_server(ServerEffect::Watch);
        self.list_server_keys();
    }

    /// Asks for the keys. Changes are told, but not why they cannot be read.
    fn list_server_keys(&mut self) {
        self.ask_server(ServerEffect::ListKeys);
    }

    fn toggle_server(&mut self) {
        if self.server.is_busy() || !self.settings.are_read() {
            return;
        }
        if self.server.is_running() {
            self.stop_server();
            return;
        }
        let config = self.settings.shown().server.clone();
        self.with_key(config, Self::start_server);
    }

    /// Changes how it serves: at once where it runs, and in the settings once that has worked.
    fn change_server(&mut self, change: impl FnOnce(&mut ServerConfig)) {
        let mut config = self.server_config().clone();
        change(&mut config);
        if config == *self.server_config() || !self.settings.are_read() {
            return;
        }
        self.with_key(config, |state, config| {
            if state.server.is_on() {
                state.start_server(config);
            } else {
                state.server.forgive();
                state.store_server(config);
            }
        });
    }

    /// Does something with this configuration; where it needs a key and there is none, asks for the key first.
    fn with_key(&mut self, config: ServerConfig, act: impl FnOnce(&mut Self, ServerConfig)) {
        if config.needs_key() && self.server.keys.is_empty() {
            self.server.keys.begin(Some(config));
        } else {
            act(self, config);
        }
    }

    fn start_server(&mut self, config: ServerConfig) {
        self.server.begin_start(config.clone());
        self.ask_server(ServerEffect::Start(Box::new(config)));
    }

    fn stop_server(&mut self) {
        self.server.begin_stop();
        self.ask_server(ServerEffect::Stop);
    }

    /// Stores how it is to serve.
    fn store_server(&mut self, config: ServerConfig) {
        let kept = self.settings.shown().server.start_with_hearth;
        let change = self.settings.change(|all| {
            all.server = config;
            all.server.start_with_hearth = kept;
        });
        if let Some(settings) = change {
            self.ask(BackendEffect::WriteSettings(Box::new(settings)));
        }
    }

    fn take_server_start(&mut self, config: ServerConfig, result: Result<ServerStatus>) {
        let started = result.is_ok();
        self.server.end_start(&config, result);
        // Of one that is about to stop, nothing is kept.
        if started && self.server.is_on() {
            self.store_server(config);
        }
    }

    pub(super) fn commit_port(&mut self) {
        let Some(text) = self.server.port.take() else {
            return;
        };
        match text.trim().parse::<u16>() {
            Ok(port) if port > 0 => self.change_server(|config| config.port = port),
            _ => self.server.refuse_port(),
        }
    }

    fn use_free_port(&mut self) {
        let Some(port) = self.server.take_free_port() else {
            return;
        };
        // Whoever was refused the port wanted the server to run.
        let config = ServerConfig {
            port,
            ..self.server_config().clone()
        };
        self.with_key(config, Self::start_server);
    }

    fn add_origin(&mut self) {
        let origin = self.server.origin.trim().trim_end_matches('/').to_owned();
        if origin.is_empty() {
            return;
        }
        let wanted = ServerConfig {
            cors_origins: vec![origin.clone()],
            ..ServerConfig::default()
        };
        if wanted.validate().is_err() {
            self.server.origin_is_bad = true;
            return;
        }
        self.server.origin.clear();
        self.change_server(|config| {
            if !config.cors_origins.contains(&origin) {
                config.cors_origins.push(origin);
            }
        });
    }

    fn take_key(&mut self, result: Result<NewApiKey>) {
        match result {
            Ok(made) => {
                if let Some(config) = self.server.keys.show(made) {
                    self.after_key(*config);
                }
            }
            Err(error) => {
                if !self
                    .server
                    .keys
                    .refuse(&failure::words(&self.present.texts, &error))
                {
                    self.complain(&say!(self.texts(), "failed-make-key"), &error);
                }
            }
        }
    }

    /// Does what waited for a key.
    fn after_key(&mut self, config: ServerConfig) {
        let toggled = config == *self.server_config();
        if toggled || self.server.is_on() {
            self.start_server(config);
        } else {
            self.store_server(config);
        }
    }

    fn take_revoked(&mut self, key: ApiKeyId, result: Result<()>) {
        match result {
            Ok(()) => {
                if self.server.keys.remove(key) {
                    self.close_without_keys();
                }
            }
            Err(error) => {
                self.complain(&say!(self.texts(), "failed-revoke-key"), &error);
                self.list_server_keys();
            }
        }
    }

    /// After the last key: the network cannot be open, and a server that still needs a key answers nobody.
    fn close_without_keys(&mut self) {
        let config = ServerConfig {
            network: false,
            ..self.server_config().clone()
        };
        if !config.needs_key() {
            self.change_server(|config| config.network = false);
            return;
        }
        if self.server.is_on() {
            self.stop_server();
        }
        self.store_server(config);
    }

    fn ask_server(&mut self, effect: ServerEffect) {
        self.ask(BackendEffect::Server(effect));
    }
}

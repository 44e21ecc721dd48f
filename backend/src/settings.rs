//! The settings: checked on the way in, and on the way out as much of them as can be read.

use std::sync::Arc;

use hearth_protocol::engine::LoadOptions;
use hearth_protocol::library::LibraryFile;
use hearth_protocol::settings::{Settings, SettingsEvent};
use hearth_protocol::{Error, EventSink, FileId, Result};
use serde_json::{Map, Value};
use tokio::sync::{oneshot, watch};

use crate::at_login::LoginEntry;
use crate::store::Store;

/// Where they stand in the database.
const KEY: &str = "settings";

/// Where the load options of a model stand, with its file's id behind it.
const LOAD_OPTIONS_KEY: &str = "load_options/";

/// Reads and writes the settings. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct SettingsService {
    store: Store,
    /// What the system starts at login; `None` changes nothing there.
    login: Option<LoginEntry>,
    /// Counts changes, for those who watch.
    changes: Arc<watch::Sender<u64>>,
}

impl SettingsService {
    /// The settings in a database.
    pub(crate) fn new(store: Store) -> Self {
        Self {
            store,
            login: None,
            changes: Arc::new(watch::Sender::new(0)),
        }
    }

    /// The same, which make the system start the server at login where they say so.
    pub(crate) fn with_login(mut self, login: Option<LoginEntry>) -> Self {
        self.login = login;
        self
    }

    /// Tells a listener the settings, now and after each change, until it leaves.
    pub(crate) async fn watch(&self, mut events: EventSink<SettingsEvent>) {
        let mut changes = self.changes.subscribe();
        let (left, has_left) = oneshot::channel::<()>();
        events.on_abandoned(move || drop(left));
        let told = async {
            loop {
                changes.borrow_and_update();
                let settings = Box::new(self.read().await);
                if events.send(SettingsEvent::Settings(settings)).is_err() || changes.changed().await.is_err()
                {
                    return;
                }
            }
        };
        tokio::select! {
            () = told => (),
            // Nothing is ever sent: the channel closes when the listener leaves.
            _ = has_left => (),
        }
    }

    /// The settings; what is missing or cannot be read has its default.
    pub(crate) async fn read(&self) -> Settings {
        match self.store.read_setting(KEY).await {
            Ok(Some(stored)) => parse(&stored),
            Ok(None) => Settings::default(),
            Err(error) => {
                tracing::warn!(%error, "the settings cannot be read; the defaults are taken");
                Settings::default()
            }
        }
    }

    /// Replaces all settings, or none of them.
    ///
    /// # Errors
    /// [`Error::Invalid`] names the first field that is out of range; [`Error::Storage`]; [`Error::File`] where the system
    /// cannot be made to start the server at login.
    pub(crate) async fn write(&self, mut settings: Settings) -> Result<Settings> {
        settings.validate()?;
        // JSON knows no infinity, with which a token is forbidden; the lowest number forbids it as well.
        for (_, bias) in &mut settings.sampling.logit_bias {
            *bias = bias.clamp(f32::MIN, f32::MAX);
        }
        if let Some(login) = &self.login
            && settings.serve_at_login != self.read().await.serve_at_login
        {
            login.set(settings.serve_at_login)?;
        }
        let stored = serde_json::to_string(&settings).map_err(Error::internal)?;
        self.store.write_setting(KEY, &stored).await?;
        self.changes.send_modify(|count| *count += 1);
        Ok(settings)
    }

    /// How a model is loaded: as was asked for, else as is remembered for it, else as the settings say. Where its file
    /// has no chat template and nobody named one, the catalogue's counts.
    pub(crate) async fn load_options(&self, file: &LibraryFile, asked: Option<LoadOptions>) -> LoadOptions {
        let mut options = match asked {
            Some(options) => options,
            None => self.load_options_for(&file.id).await,
        };
        if !file.has_chat_template && options.chat_template.is_none() {
            let known = self.store.chat_format(file).await;
            let known = known.inspect_err(|error| tracing::warn!(%error, "the catalogue cannot be asked"));
            if let Ok(Some(format)) = known {
                options.chat_template = Some(format.template);
                options.reverse_prompts.extend(format.reverse_prompt);
            }
        }
        options
    }

    async fn load_options_for(&self, file: &FileId) -> LoadOptions {
        match self.read_load_options(file).await {
            Some(options) => options,
            None => self.read().await.load,
        }
    }

    /// What is remembered for a model; nothing where it cannot be read.
    pub(crate) async fn read_load_options(&self, file: &FileId) -> Option<LoadOptions> {
        let stored = self.store.read_setting(&load_options_key(file)).await;
        let stored = stored.inspect_err(|error| tracing::warn!(%file, %error, "load options cannot be read"));
        parse_load_options(&stored.ok()??)
    }

    /// Remembers how a model is loaded; `None` forgets it.
    ///
    /// # Errors
    /// [`Error::Invalid`] names the first field that is wrong; [`Error::Storage`].
    pub(crate) async fn write_load_options(
        &self,
        file: &FileId,
        options: Option<&LoadOptions>,
    ) -> Result<()> {
        let key = load_options_key(file);
        let Some(options) = options else {
            return self.store.remove_setting(&key).await;
        };
        options.validate()?;
        let stored = serde_json::to_string(options).map_err(Error::internal)?;
        self.store.write_setting(&key, &stored).await
    }
}

fn load_options_key(file: &FileId) -> String {
    format!("{LOAD_OPTIONS_KEY}{file}")
}

/// The load options in a text; nothing where it is damaged or holds what is not possible.
fn parse_load_options(stored: &str) -> Option<LoadOptions> {
    let options = serde_json::from_str::<Option<LoadOptions>>(stored).map_err(|error| error.to_string());
    let checked = options.and_then(|options| match options {
        Some(options) => match options.validate() {
            Ok(()) => Ok(Some(options)),
            Err(error) => Err(error.to_string()),
        },
        None => Ok(None),
    });
    checked
        .inspect_err(|reason| {
            tracing::warn!(
                reason,
                "remembered load options are damaged; the settings' are taken"
            )
        })
        .ok()?
}

/// Takes the fields one by one, so that a bad one costs only itself.
fn parse(stored: &str) -> Settings {
    let fields: Map<String, Value> = match serde_json::from_str(stored) {
        Ok(fields) => fields,
        Err(error) => {
            tracing::warn!(%error, "the settings are damaged; the defaults are taken");
            return Settings::default();
        }
    };
    let mut good = Map::new();
    let mut settings = Settings::default();
    for (name, value) in fields {
        good.insert(name.clone(), value);
        match checked(good.clone()) {
            Ok(with_field) => settings = with_field,
            Err(reason) => {
                tracing::warn!(name, reason, "a setting is damaged; its default is taken");
                good.remove(&name);
            }
        }
    }
    settings
}

fn checked(fields: Map<String, Value>) -> std::result::Result<Settings, String> {
    let settings: Settings =
        serde_json::from_value(Value::Object(fields)).map_err(|error| error.to_string())?;
    settings.validate().map_err(|error| error.to_string())?;
    Ok(settings)
}

#[cfg(test)]
mod tests;

//! The settings: checked on the way in, and on the way out as much of them as can be read.

use hearth_protocol::settings::Settings;
use hearth_protocol::{Error, Result};
use serde_json::{Map, Value};

use crate::store::Store;

/// Where they stand in the database.
const KEY: &str = "settings";

/// Reads and writes the settings. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct SettingsService {
    store: Store,
}

impl SettingsService {
    /// The settings in a database.
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
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
    /// [`Error::Invalid`] names the first field that is out of range; [`Error::Storage`].
    pub(crate) async fn write(&self, mut settings: Settings) -> Result<Settings> {
        settings.validate()?;
        // JSON knows no infinity, with which a token is forbidden; the lowest number forbids it as well.
        for (_, bias) in &mut settings.sampling.logit_bias {
            *bias = bias.clamp(f32::MIN, f32::MAX);
        }
        let stored = serde_json::to_string(&settings).map_err(Error::internal)?;
        self.store.write_setting(KEY, &stored).await?;
        Ok(settings)
    }
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
mod tests {
    use hearth_protocol::FileId;
    use hearth_protocol::generate::SamplingParams;
    use hearth_protocol::settings::Theme;

    use super::*;

    async fn service(folder: &tempfile::TempDir) -> SettingsService {
        let store = Store::open(&folder.path().join("hearth.db")).await.expect("open");
        SettingsService::new(store)
    }

    #[tokio::test]
    async fn settings_outlive_a_restart() {
        let folder = tempfile::tempdir().expect("folder");
        let settings = Settings {
            theme: Theme::Light,
            default_model: Some(FileId::from("starter/a.gguf")),
            sampling: SamplingParams {
                logit_bias: vec![(7, f32::MIN)],
                ..SamplingParams::greedy()
            },
            ..Settings::default()
        };
        let first = service(&folder).await;
        assert_eq!(first.read().await, Settings::default());
        assert_eq!(first.write(settings.clone()).await, Ok(settings.clone()));
        first.store.close().await;
        assert_eq!(service(&folder).await.read().await, settings);
    }

    #[tokio::test]
    async fn an_invalid_setting_changes_nothing() {
        let folder = tempfile::tempdir().expect("folder");
        let service = service(&folder).await;
        let mut settings = Settings {
            offline: true,
            ..Settings::default()
        };
        settings.sampling.top_p = 2.0;
        assert!(
            matches!(service.write(settings).await, Err(Error::Invalid { field, .. }) if field == "top_p")
        );
        assert_eq!(service.read().await, Settings::default());
    }

    #[tokio::test]
    async fn a_forbidden_token_can_be_stored() {
        let folder = tempfile::tempdir().expect("folder");
        let service = service(&folder).await;
        let mut settings = Settings::default();
        settings.sampling.logit_bias = vec![(1, f32::NEG_INFINITY)];
        let written = service.write(settings).await.expect("write");
        assert_eq!(written.sampling.logit_bias, [(1, f32::MIN)]);
        assert_eq!(service.read().await, written);
    }

    #[test]
    fn a_damaged_field_costs_only_itself() {
        let light = Settings {
            theme: Theme::Light,
            ..Settings::default()
        };
        let offline = Settings {
            offline: true,
            ..Settings::default()
        };
        let cases = [
            ("", Settings::default()),
            ("null", Settings::default()),
            ("[]", Settings::default()),
            (r#"{"theme":"light""#, Settings::default()),
            (r#"{"theme":"light"}"#, light.clone()),
            (r#"{"theme":"sepia","offline":true}"#, offline.clone()),
            (r#"{"offline":true,"sampling":{"top_p":7}}"#, offline.clone()),
            (r#"{"load":null,"offline":true,"default_model":5}"#, offline),
            (r#"{"from_a_newer_hearth":[1],"theme":"light"}"#, light),
        ];
        for (stored, expected) in cases {
            assert_eq!(parse(stored), expected, "{stored}");
        }
    }
}

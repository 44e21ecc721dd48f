//! The person's token: where it is found and where it is kept. It is shown nowhere.
//!
//! The keyring is slow and may ask the person, so it is asked once and only when a token is needed.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use hearth_protocol::hub::TokenSource;
use hearth_protocol::{Error, Result, Secret};

use crate::config::HubConfig;

/// How the keyring's entry is called.
const SERVICE: &str = "Hearth";
const ACCOUNT: &str = "hugging-face-token";

/// A token and where it is from.
type Found = Option<(Secret, TokenSource)>;

/// Finds and keeps the token. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Tokens {
    environment: Option<Secret>,
    uses_keyring: bool,
    /// Hearth's own file, for systems without a keyring.
    file: PathBuf,
    /// Where `hf auth login` keeps one.
    hugging_face_file: Option<PathBuf>,
    /// What the keyring held, once it was asked. Files are looked at each time, since others write them.
    in_keyring: Arc<Mutex<Option<Option<Secret>>>>,
}

impl Tokens {
    /// Looks for nothing yet.
    pub(super) fn new(config: &HubConfig, file: PathBuf) -> Self {
        Self {
            environment: config.token.clone(),
            uses_keyring: config.keyring,
            file,
            hugging_face_file: config.token_file.clone(),
            in_keyring: Arc::default(),
        }
    }

    /// The token in use.
    pub(super) async fn find(&self) -> Found {
        if let Some(token) = &self.environment {
            return Some((token.clone(), TokenSource::Environment));
        }
        let tokens = self.clone();
        let found = blocking(move || Ok(tokens.look())).await;
        found.unwrap_or_else(|error| {
            tracing::error!(%error, "the token cannot be looked for");
            None
        })
    }

    /// Keeps a token: in the keyring, else in a file that only its owner may read.
    ///
    /// # Errors
    /// [`Error::File`] where neither can be written.
    pub(super) async fn keep(&self, token: Secret) -> Result<()> {
        let tokens = self.clone();
        let kept = blocking(move || {
            tokens.remove()?;
            let in_keyring = tokens.uses_keyring && keyring_set(&token);
            *tokens.in_keyring.lock().unwrap_or_else(PoisonError::into_inner) = None;
            if !in_keyring {
                write_private(&tokens.file, &token)?;
            }
            Ok(())
        });
        kept.await
    }

    /// Forgets the token that was kept.
    ///
    /// # Errors
    /// [`Error::File`] where it cannot be removed.
    pub(super) async fn forget(&self) -> Result<()> {
        let tokens = self.clone();
        blocking(move || tokens.remove()).await
    }

    fn look(&self) -> Found {
        if let Some(token) = self.ask_keyring() {
            return Some((token, TokenSource::Keyring));
        }
        if let Some(token) = read(&self.file) {
            return Some((token, TokenSource::File));
        }
        let token = read(self.hugging_face_file.as_deref()?)?;
        Some((token, TokenSource::HuggingFace))
    }

    /// The keyring's answer; only the first time it is asked itself.
    fn ask_keyring(&self) -> Option<Secret> {
        let mut known = self.in_keyring.lock().unwrap_or_else(PoisonError::into_inner);
        known
            .get_or_insert_with(|| if self.uses_keyring { keyring_get() } else { None })
            .clone()
    }

    fn remove(&self) -> Result<()> {
        if self.uses_keyring {
            keyring_delete();
        }
        *self.in_keyring.lock().unwrap_or_else(PoisonError::into_inner) = None;
        match std::fs::remove_file(&self.file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(file_error(&self.file, &error)),
            _ => Ok(()),
        }
    }
}

/// Runs what waits for the disk or the keyring off the runtime's threads.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(Error::internal)?
}

fn entry() -> keyring::v1::Result<keyring::v1::Entry> {
    keyring::v1::Entry::new(SERVICE, ACCOUNT)
}

fn keyring_get() -> Option<Secret> {
    match entry().and_then(|entry| entry.get_password()) {
        Ok(token) => Some(Secret::new(&token)),
        Err(keyring::v1::Error::NoEntry) => None,
        Err(error) => {
            tracing::info!(%error, "no keyring can be read");
            None
        }
    }
}

fn keyring_set(token: &Secret) -> bool {
    let set = entry().and_then(|entry| entry.set_password(token.expose()));
    set.inspect_err(|error| tracing::info!(%error, "no keyring takes the token; it goes to a file"))
        .is_ok()
}

fn keyring_delete() {
    match entry().and_then(|entry| entry.delete_credential()) {
        Ok(()) | Err(keyring::v1::Error::NoEntry) => (),
        Err(error) => tracing::info!(%error, "no keyring to forget the token"),
    }
}

fn read(path: &Path) -> Option<Secret> {
    let text = std::fs::read_to_string(path).ok()?;
    Some(Secret::new(&text)).filter(|token| !token.expose().is_empty())
}

/// Writes a file that nobody else may read at any moment.
fn write_private(path: &Path, token: &Secret) -> Result<()> {
    let write = || {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(path)?;
        file.write_all(token.expose().as_bytes())?;
        file.sync_all()
    };
    write().map_err(|error| file_error(path, &error))
}

fn file_error(path: &Path, error: &std::io::Error) -> Error {
    Error::File {
        path: path.display().to_string(),
        reason: error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(folder: &Path, config: HubConfig) -> Tokens {
        Tokens::new(&config, folder.join("home").join("token"))
    }

    #[tokio::test]
    async fn a_kept_token_lies_in_a_file_of_its_owner_only() {
        let folder = tempfile::tempdir().expect("a folder");
        let tokens = tokens(folder.path(), HubConfig::default());
        assert_eq!(tokens.find().await, None);
        for text in ["hf_one", "hf_two"] {
            tokens.keep(Secret::new(text)).await.expect("kept");
            assert_eq!(tokens.find().await, Some((Secret::new(text), TokenSource::File)));
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let about = std::fs::metadata(&tokens.file).expect("the file");
            assert_eq!(about.permissions().mode() & 0o777, 0o600);
        }
        tokens.forget().await.expect("forgotten");
        assert_eq!(tokens.find().await, None);
        tokens.forget().await.expect("twice is no fault");
    }

    #[tokio::test]
    async fn the_environment_goes_first_and_the_file_of_hugging_face_last() {
        let folder = tempfile::tempdir().expect("a folder");
        let theirs = folder.path().join("token");
        std::fs::write(&theirs, "hf_theirs\n").expect("written");
        let mut config = HubConfig {
            token_file: Some(theirs),
            ..HubConfig::default()
        };
        let found = |config: &HubConfig| {
            let tokens = tokens(folder.path(), config.clone());
            async move {
                tokens
                    .find()
                    .await
                    .map(|(token, source)| (token.expose().to_owned(), source))
            }
        };
        assert_eq!(
            found(&config).await,
            Some(("hf_theirs".into(), TokenSource::HuggingFace))
        );
        let own = tokens(folder.path(), config.clone());
        own.keep(Secret::new("hf_own")).await.expect("kept");
        assert_eq!(found(&config).await, Some(("hf_own".into(), TokenSource::File)));
        config.token = Some(Secret::new("hf_env"));
        assert_eq!(
            found(&config).await,
            Some(("hf_env".into(), TokenSource::Environment))
        );
    }
}

//! The person's token: where it is found and where it is kept. It is shown nowhere.

mod keyring;
#[cfg(test)]
mod tests;

use std::io::Write;
use std::path::{Path, PathBuf};

use hearth_protocol::hub::TokenSource;
use hearth_protocol::{Result, Secret};

use self::keyring::Keyring;
use crate::config::HubConfig;
use crate::files::{self, blocking, file_error};

/// Longest file of a token that is read, in bytes.
const MAX_FILE: u64 = 64 << 10;

/// A token and where it is from.
type Found = Option<(Secret, TokenSource)>;

/// Finds and keeps the token. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Tokens {
    environment: Option<Secret>,
    /// `None` where the system's keyring is to be left alone.
    keyring: Option<Keyring>,
    /// Hearth's own file, for systems without a keyring.
    file: PathBuf,
    /// Where `hf auth login` keeps one.
    hugging_face_file: Option<PathBuf>,
}

impl Tokens {
    /// Looks for nothing yet.
    pub(super) fn new(config: &HubConfig, file: PathBuf) -> Self {
        Self {
            environment: config.token.clone(),
            keyring: config.keyring.then(Keyring::default),
            file,
            hugging_face_file: config.token_file.clone(),
        }
    }

    /// The token in use. Files are looked at each time, since others write them.
    pub(super) async fn find(&self) -> Found {
        if let Some(token) = &self.environment {
            return Some((token.clone(), TokenSource::Environment));
        }
        // The file first: where there is one, the keyring did not take the token, and may hold an older one.
        if let Some(token) = read(self.file.clone()).await {
            return Some((token, TokenSource::File));
        }
        if let Some(keyring) = &self.keyring
            && let Some(token) = keyring.get().await
        {
            return Some((token, TokenSource::Keyring));
        }
        let token = read(self.hugging_face_file.clone()?).await?;
        Some((token, TokenSource::HuggingFace))
    }

    /// Keeps a token: in the keyring, else in a file that only its owner may read.
    ///
    /// # Errors
    /// [`hearth_protocol::Error::File`] or [`hearth_protocol::Error::DiskFull`] where neither can be written; the token
    /// that was kept before is there then.
    pub(super) async fn keep(&self, token: Secret) -> Result<()> {
        if let Some(keyring) = &self.keyring
            && keyring.set(token.clone()).await
        {
            return self.remove_file().await;
        }
        let file = self.file.clone();
        blocking(move || write_private(&file, &token)).await
    }

    /// Forgets the token that was kept.
    ///
    /// # Errors
    /// [`hearth_protocol::Error::File`] where its file cannot be removed; [`hearth_protocol::Error::Busy`] where the
    /// keyring does not let it go.
    pub(super) async fn forget(&self) -> Result<()> {
        self.remove_file().await?;
        match &self.keyring {
            Some(keyring) => keyring.delete().await,
            None => Ok(()),
        }
    }

    async fn remove_file(&self) -> Result<()> {
        let file = self.file.clone();
        let remove = move || match std::fs::remove_file(&file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(file_error(&file, &error)),
            _ => Ok(()),
        };
        blocking(remove).await
    }
}

/// The token in a file; `None` where there is none.
async fn read(path: PathBuf) -> Option<Secret> {
    let text = blocking(move || Ok(files::read_small(&path, MAX_FILE).ok()));
    let text = text
        .await
        .inspect_err(|error| tracing::error!(%error, "the token cannot be looked for"));
    let token = Secret::new(&String::from_utf8(text.ok()??).ok()?);
    Some(token).filter(|token| !token.expose().is_empty())
}

/// Writes a file that nobody else may read at any moment, and that is whole at every moment.
fn write_private(path: &Path, token: &Secret) -> Result<()> {
    let write = || {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let new = path.with_extension("new");
        // What a kill left there has the rights of then.
        match std::fs::remove_file(&new) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
            _ => (),
        }
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&new)?;
        file.write_all(token.expose().as_bytes())?;
        file.sync_all()?;
        std::fs::rename(&new, path)
    };
    write().map_err(|error| file_error(path, &error))
}

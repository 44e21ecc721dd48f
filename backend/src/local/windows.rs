//! The door as a named pipe. Windows lets its owner write to it and nobody else, and no other computer reach it.

use std::io;
use std::path::Path;
use std::time::Duration;

use sha2::{Digest, Sha256};
use tokio::net::windows::named_pipe::{ClientOptions, NamedPipeClient, NamedPipeServer, ServerOptions};

use crate::files::make_private_folder;

/// All instances of the pipe are taken for a moment (`ERROR_PIPE_BUSY`).
const PIPE_BUSY: i32 = 231;

/// How long to rest before a busy pipe is tried again. The system tells no news of it that could be awaited.
const REST: Duration = Duration::from_millis(20);

/// How often a busy pipe is tried.
const TRIES: usize = 100;

/// A pipe that listens.
pub(super) struct Door {
    name: String,
    /// The instance that the next who connects gets.
    waiting: NamedPipeServer,
}

impl Door {
    /// Listens for the commands of a data folder; `None` where another process does.
    pub(super) fn open(home: &Path) -> io::Result<Option<Self>> {
        make_private_folder(home)?;
        let name = pipe_name(home)?;
        match ServerOptions::new().first_pipe_instance(true).create(&name) {
            Ok(waiting) => Ok(Some(Self { name, waiting })),
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The next who connects.
    pub(super) async fn next(&mut self) -> io::Result<NamedPipeServer> {
        self.waiting.connect().await?;
        let next = ServerOptions::new().create(&self.name)?;
        Ok(std::mem::replace(&mut self.waiting, next))
    }
}

/// Connects to who listens for the commands of a data folder; `None` where nobody does.
pub(super) async fn knock(home: &Path) -> io::Result<Option<NamedPipeClient>> {
    if !home.exists() {
        return Ok(None);
    }
    let name = pipe_name(home)?;
    for _ in 0..TRIES {
        match ClientOptions::new().open(&name) {
            Ok(stream) => return Ok(Some(stream)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) if error.raw_os_error() == Some(PIPE_BUSY) => tokio::time::sleep(REST).await,
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::from_raw_os_error(PIPE_BUSY))
}

/// The pipe's name, one for each data folder.
fn pipe_name(home: &Path) -> io::Result<String> {
    let hash = Sha256::digest(home.canonicalize()?.as_os_str().as_encoded_bytes());
    let digits: String = hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    Ok(format!(r"\\.\pipe\hearth-{digits}"))
}

//! Where everything lives. No other file guesses a path.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use hearth_protocol::{Error, Result};

/// Names the folder that holds all data, instead of the system's own place.
pub(crate) const HOME_VARIABLE: &str = "HEARTH_HOME";

/// Folder beside the executable that holds the models that come with Hearth.
const STARTER_FOLDER: &str = "starter-models";

/// Where the backend finds and keeps everything.
#[derive(Debug, Clone)]
pub struct Config {
    /// Holds all data; made if it is missing.
    pub home: PathBuf,
    /// How a worker is started.
    pub worker: WorkerCommand,
    /// Models that come with Hearth; need not exist.
    pub starter_models: PathBuf,
    /// The Hugging Face cache; `None` leaves it out of the library.
    pub hub_cache: Option<PathBuf>,
}

/// The program that becomes a worker.
#[derive(Debug, Clone)]
pub struct WorkerCommand {
    /// The executable; it calls [`crate::worker_main`] when its first argument is [`crate::WORKER_ARGUMENT`].
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
}

impl Config {
    /// The system's own places, or those below `HEARTH_HOME`; workers are this same executable.
    ///
    /// # Errors
    /// [`Error::File`] where the executable's own path or a home folder cannot be found.
    pub fn from_environment() -> Result<Self> {
        let program = std::env::current_exe().map_err(|error| Error::File {
            path: "this program".into(),
            reason: error.to_string(),
        })?;
        let home = match std::env::var_os(HOME_VARIABLE).filter(|value| !value.is_empty()) {
            Some(home) => PathBuf::from(home),
            None => directories::ProjectDirs::from("", "", "Hearth")
                .map(|dirs| dirs.data_dir().to_owned())
                .ok_or_else(|| Error::File {
                    path: "home folder".into(),
                    reason: format!("there is none; set {HOME_VARIABLE}"),
                })?,
        };
        Ok(Self {
            home,
            starter_models: program.parent().unwrap_or(Path::new("")).join(STARTER_FOLDER),
            worker: WorkerCommand {
                program,
                arguments: vec![crate::WORKER_ARGUMENT.into()],
            },
            hub_cache: Some(hf_hub::resolve_cache_dir()),
        })
    }

    /// The database of chats and settings.
    pub(crate) fn database(&self) -> PathBuf {
        self.home.join("hearth.db")
    }

    /// KV states of chats.
    pub(crate) fn kv_states(&self) -> PathBuf {
        self.home.join("kv")
    }

    /// Models that Hearth downloaded or imported.
    pub(crate) fn models(&self) -> PathBuf {
        self.home.join("models")
    }
}

//! Where everything lives. No other file guesses a path.

mod environment;
pub(crate) mod installed;
mod other_programs;

use std::ffi::OsString;
use std::path::PathBuf;

use hearth_protocol::library::Source;
use hearth_protocol::{Error, Result, Secret};

use crate::at_login::{LoginEntry, server_program};
use crate::relocate;
use environment::Environment;

/// Names the folder that holds all data, instead of the system's own place.
pub(crate) const HOME_VARIABLE: &str = "HEARTH_HOME";

/// Leaves the system's keyring alone.
const NO_KEYRING_VARIABLE: &str = "HEARTH_NO_KEYRING";

/// The variables that say where data lie, which a Hearth that starts at login needs as this one has them.
const KEPT_VARIABLES: [&str; 3] = [HOME_VARIABLE, "HF_HOME", "HF_HUB_CACHE"];

/// Folder with the models that come with Hearth.
const STARTER_FOLDER: &str = "starter-models";

/// Folder with the toolkit's fonts and icons.
const TOOLKIT_FOLDER: &str = "toolkit";

/// Where the backend finds and keeps everything.
#[derive(Debug, Clone)]
pub struct Config {
    /// Holds all data; made if it is missing.
    pub home: PathBuf,
    /// How a worker is started.
    pub worker: WorkerCommand,
    /// Models that come with Hearth; need not exist.
    pub starter_models: PathBuf,
    /// The window's fonts and icons, a folder for each crate that has some; missing in a build of the tree, where they are
    /// read from these crates.
    pub toolkit: PathBuf,
    /// What makes the system start the local server at the person's login; `None` where there is no such way.
    pub login: Option<LoginEntry>,
    /// The Hugging Face cache; `None` leaves it out of the library, and downloads go to Hearth's own folder.
    pub hub_cache: Option<PathBuf>,
    /// Where other programs keep their models, which the library uses in place; the folders need not exist.
    pub other_programs: Vec<ProgramFolder>,
    /// How the hub is reached.
    pub hub: HubConfig,
}

/// A folder in which another program keeps models.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramFolder {
    /// The program.
    pub program: Source,
    /// The folder: of Ollama the one with `manifests` and `blobs`, of Jan the one of all its data.
    pub folder: PathBuf,
}

/// How the hub is reached, where the settings do not say it.
#[derive(Debug, Clone, Default)]
pub struct HubConfig {
    /// Its address; `None` takes the one of the settings, else the Hugging Face Hub.
    pub endpoint: Option<String>,
    /// A token for this start only.
    pub token: Option<Secret>,
    /// A file with a token that another program keeps; need not exist.
    pub token_file: Option<PathBuf>,
    /// Whether a token may be kept in the system's keyring; else it goes to a file of Hearth's own.
    pub keyring: bool,
    /// Whether every outbound connection is refused, whatever the settings say.
    pub offline: bool,
    /// Whether downloads of earlier starts wait until they are asked for, instead of going on by themselves.
    pub only_asked_downloads: bool,
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
    /// The system's own places, or those below `HEARTH_HOME`, or where the data were moved from there; workers are this same
    /// executable.
    ///
    /// # Errors
    /// [`Error::File`] where the executable's own path or the data folder cannot be found; [`Error::Invalid`] for a variable
    /// that holds no text and should.
    pub fn from_environment() -> Result<Self> {
        let environment = Environment(&|name| std::env::var_os(name));
        let program = std::env::current_exe().map_err(|error| Error::File {
            path: "this program".into(),
            reason: error.to_string(),
        })?;
        let home = match environment.path(HOME_VARIABLE) {
            Some(home) => home,
            None => directories::ProjectDirs::from("", "", "Hearth")
                .map(|dirs| dirs.data_dir().to_owned())
                .ok_or_else(|| Error::File {
                    path: "home folder".into(),
                    reason: format!("there is none; set {HOME_VARIABLE}"),
                })?,
        };
        let login = directories::BaseDirs::new().map(|folders| LoginEntry {
            file: LoginEntry::place(&folders),
            program: server_program(&program),
            variables: environment.kept(&KEPT_VARIABLES),
        });
        Ok(Self {
            home: relocate::settle(home)?,
            login,
            starter_models: installed::folder(&program, STARTER_FOLDER),
            toolkit: installed::folder(&program, TOOLKIT_FOLDER),
            worker: WorkerCommand {
                program,
                arguments: vec![crate::WORKER_ARGUMENT.into()],
            },
            hub_cache: Some(environment.hub_cache()),
            other_programs: other_programs::from_environment(),
            hub: HubConfig::from(&environment)?,
        })
    }

    /// The database of chats and settings.
    pub(crate) fn database(&self) -> PathBuf {
        self.home.join("hearth.db")
    }

    /// What downloads remember of themselves.
    pub(crate) fn downloads(&self) -> PathBuf {
        self.home.join("downloads")
    }

    /// The hub's token, on a system without a keyring.
    pub(crate) fn token(&self) -> PathBuf {
        self.home.join("hub-token")
    }

    /// The local server's log.
    pub(crate) fn logs(&self) -> PathBuf {
        self.home.join("logs")
    }

    /// What slots know, where programs ask the local server to keep it.
    pub(crate) fn slots(&self) -> PathBuf {
        self.home.join("slots")
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

impl HubConfig {
    /// As `HF_ENDPOINT`, `HF_TOKEN`, `HF_TOKEN_PATH`, `HF_HOME` and `HF_HUB_OFFLINE` say.
    ///
    /// # Errors
    /// [`Error::Invalid`] for one that holds no text and should.
    fn from(environment: &Environment<'_>) -> Result<Self> {
        let token = environment.text("HF_TOKEN")?;
        Ok(Self {
            endpoint: environment.text("HF_ENDPOINT")?,
            token: token.map(|token| Secret::new(&token)),
            token_file: Some(environment.token_file()),
            keyring: !environment.is_on(NO_KEYRING_VARIABLE)?,
            offline: environment.is_on("HF_HUB_OFFLINE")?,
            only_asked_downloads: false,
        })
    }
}

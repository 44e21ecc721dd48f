//! A Hearth that runs in this process and listens, as a window's does, beside the program under test.

use hearth_backend::{Config, HubConfig, Shutdown, WORKER_ARGUMENT, WorkerCommand, start_serving};
use hearth_protocol::Client;
use hearth_testhub::TestHub;

use crate::hearth::Hearth;

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_hearth-cli");

/// The Hearth that runs.
pub(crate) struct Neighbour {
    pub(crate) client: Client,
    pub(crate) shutdown: Shutdown,
}

impl Neighbour {
    /// Starts one on a test's data, offline where there is no hub. Once it has answered, it listens.
    pub(crate) fn start(hearth: &Hearth, hub: Option<&TestHub>) -> Self {
        let worker = WorkerCommand {
            program: PROGRAM.into(),
            arguments: vec![WORKER_ARGUMENT.into()],
        };
        Self::with_worker(hearth, hub, worker)
    }

    /// The same with models that never are in memory: their workers say nothing.
    pub(crate) fn that_only_loads(hearth: &Hearth) -> Self {
        let worker = WorkerCommand {
            program: "sleep".into(),
            arguments: vec!["600".into()],
        };
        Self::with_worker(hearth, None, worker)
    }

    fn with_worker(hearth: &Hearth, hub: Option<&TestHub>, worker: WorkerCommand) -> Self {
        let (client, shutdown) = start_serving(Config {
            home: hearth.folder().join("home"),
            starter_models: std::path::Path::new(PROGRAM).with_file_name("starter-models"),
            toolkit: Default::default(),
            login: None,
            worker,
            hub_cache: Some(hearth.folder().join("hub").join("hub")),
            other_programs: Vec::new(),
            hub: HubConfig {
                endpoint: hub.map(TestHub::url),
                offline: hub.is_none(),
                ..HubConfig::default()
            },
        });
        client.list_loaded().wait().expect("it runs");
        Self { client, shutdown }
    }
}

//! Downloads from a hub of the tests to a folder of the test.

mod faults;
mod gone;
mod layout;
mod library;
mod list;
mod room;

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use hearth_protocol::download::{Download, DownloadEvent, DownloadRequest, DownloadState};
use hearth_protocol::settings::{DownloadPlace, Settings};
use hearth_protocol::{ByteSize, Client, Command, DownloadId, Error, Secret};
use hearth_testhub::{Repo, TestHub, some_bytes};
use tempfile::TempDir;

use super::*;
use crate::config::{HubConfig, WorkerCommand};
use crate::library::Library;

/// No wait takes this long unless something is broken.
const LIMIT: Duration = Duration::from_secs(60);

/// A file of several parts.
const SIZE: usize = 6_000_000;

/// Stands for what the disk itself says it has free.
const ASK_THE_DISK: u64 = u64::MAX - 1;

/// A token that the hub knows.
const TOKEN: &str = "hf_of_the_test";

/// A hub, and downloads from it.
struct Setup {
    hub: TestHub,
    client: Client,
    downloads: Downloads,
    net: Net,
    config: Config,
    /// What the disk has free, as downloads are told.
    free: Arc<AtomicU64>,
    _folder: TempDir,
}

impl Setup {
    /// A hub with `o/n`, which holds `m-Q4_K_M.gguf` of [`SIZE`] bytes; downloads go to a cache.
    fn new() -> Self {
        Self::with(|_| ())
    }

    /// The same with another configuration.
    fn with(change: impl FnOnce(&mut Config)) -> Self {
        let hub = TestHub::start();
        hub.add_token(TOKEN, "person", &[]);
        hub.add(
            Repo::new("o/n")
                .with("m-Q4_K_M.gguf", some_bytes(1, SIZE))
                .with("README.md", "hello"),
        );
        let folder = tempfile::tempdir().expect("a folder");
        let mut config = Config {
            home: folder.path().join("home"),
            worker: WorkerCommand {
                program: "none".into(),
                arguments: Vec::new(),
            },
            starter_models: folder.path().join("starter"),
            toolkit: Default::default(),
            login: None,
            hub_cache: Some(folder.path().join("cache")),
            other_programs: Vec::new(),
            hub: HubConfig {
                endpoint: Some(hub.url()),
                token: Some(Secret::new(TOKEN)),
                ..HubConfig::default()
            },
        };
        change(&mut config);
        let free = Arc::new(AtomicU64::new(u64::MAX));
        let net = Net::default();
        let (client, downloads) = open(&config, &net, &free);
        Self {
            hub,
            client,
            downloads,
            net,
            config,
            free,
            _folder: folder,
        }
    }

    /// Ends the downloads and starts them anew, as a new process does.
    async fn restart(&mut self) {
        self.downloads.shut_down().await;
        (self.client, self.downloads) = open(&self.config, &self.net, &self.free);
    }

    fn heed(&self, change: impl FnOnce(&mut Settings)) {
        let mut settings = Settings::default();
        change(&mut settings);
        settings.validate().expect("possible settings");
        self.downloads.heed(&settings);
    }

    /// Starts the download of a file.
    fn start(&self, model: &str, file: Option<&str>) -> DownloadId {
        let request = DownloadRequest {
            model: model.into(),
            file: file.map(str::to_owned),
            revision: None,
        };
        self.client.start_download(request).wait().expect("it starts")
    }

    /// Waits until a download is as wanted.
    #[track_caller]
    fn until(&self, id: DownloadId, wanted: impl Fn(&Download) -> bool) -> Download {
        let events = self.client.watch_downloads();
        let mut last = None;
        loop {
            match events.next_timeout(LIMIT) {
                Ok(Some(DownloadEvent::Changed(download))) if download.id == id => {
                    if wanted(&download) {
                        return download;
                    }
                    last = Some(download);
                }
                Ok(Some(_)) => (),
                other => panic!("{other:?} while waiting; last seen: {last:?}"),
            }
        }
    }

    /// Lets so many bytes come and pauses when all of them are there.
    #[track_caller]
    fn pause_after(&self, id: DownloadId, bytes: u64) {
        self.hub.allow(Some(self.hub.sent() + bytes));
        // The hub sends pieces of 16 kB; what is less than one is not sent.
        self.until(id, |download| download.done.0 + 16_384 > bytes);
        self.client.pause_download(id).wait().expect("paused");
    }

    /// Waits until a download neither runs nor waits for its turn.
    #[track_caller]
    fn settled(&self, id: DownloadId) -> Download {
        self.until(id, |download| {
            !matches!(
                download.state,
                DownloadState::Queued | DownloadState::Running { .. } | DownloadState::Verifying
            )
        })
    }

    /// Waits for the end and checks that it is a good one.
    #[track_caller]
    fn done(&self, id: DownloadId) -> Download {
        let download = self.settled(id);
        assert!(
            matches!(download.state, DownloadState::Done { verified: true, .. }),
            "{download:?}"
        );
        assert_eq!(Some(download.done), download.total);
        download
    }

    /// Waits until a download that is paused has gone on by itself to a good end.
    #[track_caller]
    fn done_by_itself(&self, id: DownloadId) -> Download {
        self.until(id, |download| {
            matches!(download.state, DownloadState::Done { verified: true, .. })
        })
    }

    /// Why a download is paused.
    #[track_caller]
    fn paused(&self, id: DownloadId) -> Error {
        match self.settled(id).state {
            DownloadState::Paused { reason: Some(reason) } => reason,
            other => panic!("{other:?}"),
        }
    }

    /// Why a download failed.
    #[track_caller]
    fn failed(&self, id: DownloadId) -> Error {
        match self.settled(id).state {
            DownloadState::Failed { error } => error,
            other => panic!("{other:?}"),
        }
    }

    /// The folder of a model in the cache.
    fn cached(&self, model: &str) -> PathBuf {
        let cache = self.config.hub_cache.as_ref().expect("a cache");
        cache.join(format!("models--{}", model.replace('/', "--")))
    }

    /// The file of `o/n` as other programs find it.
    fn file(&self) -> PathBuf {
        let folder = self.cached("o/n");
        let commit = std::fs::read_to_string(folder.join("refs").join("main")).expect("the branch");
        folder.join("snapshots").join(commit).join("m-Q4_K_M.gguf")
    }

    /// Checks the file of `o/n`.
    #[track_caller]
    fn check_file(&self) {
        assert!(
            std::fs::read(self.file()).expect("the file") == some_bytes(1, SIZE),
            "other bytes"
        );
    }

    /// Checks that no request for bytes, but the first so many, asks for one of these.
    #[track_caller]
    fn check_not_asked_again(&self, told: &[Range<u64>], first: usize) {
        for seen in self.hub.file_requests().split_off(first) {
            let (start, end) = seen.range.expect("a range");
            let overlaps = |range: &Range<u64>| start < range.end && range.start <= end.expect("an end");
            assert!(
                !told.iter().any(overlaps),
                "{start} to {end:?} was there: {told:?}"
            );
        }
    }

    /// What the side file of a download tells of its first file.
    fn told(&self, id: DownloadId) -> Vec<Range<u64>> {
        let text = std::fs::read(self.config.downloads().join(format!("{id}.json"))).expect("a side file");
        let record: serde_json::Value = serde_json::from_slice(&text).expect("JSON");
        let pairs = record["set"]["files"][0]["have"].as_array().expect("ranges");
        let number = |value: &serde_json::Value| value.as_u64().expect("a number");
        pairs
            .iter()
            .map(|pair| number(&pair[0])..number(&pair[1]))
            .collect()
    }
}

fn open(config: &Config, net: &Net, free: &Arc<AtomicU64>) -> (Client, Downloads) {
    let free = Arc::clone(free);
    let surroundings = Surroundings {
        stall: Duration::from_millis(300),
        first_rest: Duration::from_millis(1),
        longest_rest: Duration::from_millis(10),
        news: Duration::from_millis(5),
        room: Duration::from_millis(5),
        free_space: Box::new(move |path: &Path| match free.load(Ordering::SeqCst) {
            ASK_THE_DISK => files::free_space(path),
            free => Ok(free),
        }),
    };
    let downloads = Downloads::new(config, Hub::new(config, net.clone()), net.clone(), surroundings);
    let (client, commands) = Client::new();
    let carrying = downloads.clone();
    std::thread::spawn(move || {
        for command in commands {
            match command {
                Command::Download(command) => carrying.carry_out(command),
                other => panic!("{other:?}"),
            }
        }
    });
    (client, downloads)
}

/// All files below a folder, with `/` between folders.
fn files_below(folder: &Path) -> Vec<String> {
    let entries = walkdir::WalkDir::new(folder)
        .sort_by_file_name()
        .into_iter()
        .filter_map(|entry| entry.ok());
    let files = entries.filter(|entry| !entry.file_type().is_dir());
    files
        .map(|entry| {
            entry
                .path()
                .strip_prefix(folder)
                .expect("below")
                .display()
                .to_string()
        })
        .collect()
}

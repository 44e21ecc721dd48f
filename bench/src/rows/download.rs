//! Downloading a file of noise from the hub of the tests, which runs as a process of its own, beside aria2c.
//!
//! Both may open eight connections and write to one disk. Hearth asks the hub first which files there are, compares the
//! sha256, syncs what it writes and notes it; aria2c is given address and hash.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use hearth_protocol::Client;
use hearth_protocol::download::{DownloadEvent, DownloadRequest, DownloadState};
use serde_json::Value;
use tempfile::TempDir;

use super::{Line, Series, Target, Unit};
use crate::hearth::start_backend_at;
use crate::peers::http;
use crate::stage::{in_turn, split};

/// Bytes of the file: long enough that beginning and end are a small part of it.
const SIZE: u64 = 1_000_000_000;

/// Bytes a second of each connection of the server that keeps a pace.
const PACE: &str = "20000000";

/// The repository that the hub offers its large file in, and that file.
const MODEL: &str = "tests/large";
const FILE: &str = "large-Q4_K_M.gguf";

/// No download takes this long unless something is broken.
const LIMIT: Duration = Duration::from_secs(600);

/// Each connection gives 20 MB/s, so that the time goes where connections idle. aria2c does not compare the hash here,
/// since it would read the file once more for that.
pub(super) fn paced(rounds: u32) -> anyhow::Result<Vec<Series>> {
    let stage = Downloads::start(&["--connection-speed", PACE])?;
    let line = Line::new(
        "1 GB from a server that gives each connection 20 MB/s, Hearth comparing the hash",
        Unit::MegabytesPerSecond,
        "aria2c with 8 connections, without comparing it",
        Some(Target::RatioAtLeast(0.95)),
    );
    let rounds = in_turn(rounds, |_| stage.hearth(), |_| stage.aria2c(Hash::Left))?;
    Ok(vec![line.measured(rounds)])
}

/// The server gives what it can, so that the time goes where the processor works.
pub(super) fn unlimited(rounds: u32) -> anyhow::Result<Vec<Series>> {
    let stage = Downloads::start(&[])?;
    let line = Line::new(
        "1 GB over loopback, as fast as it goes, the hash compared",
        Unit::MegabytesPerSecond,
        "aria2c with 8 connections, comparing it too",
        Some(Target::RatioAtLeast(0.8)),
    );
    let bare = Line::new(
        "the same, beside a peer that hashes nothing",
        Unit::MegabytesPerSecond,
        "aria2c with 8 connections, without comparing it",
        None,
    );
    let both = |_| {
        let with = stage.aria2c(Hash::Compared)?;
        let without = stage.aria2c(Hash::Left)?;
        Ok(with.zip(without))
    };
    let ours = |_| stage.hearth().map(|speed| (speed, speed));
    let (with, without) = split(&in_turn(rounds, ours, both)?);
    Ok(vec![line.measured(with), bare.measured(without)])
}

/// Whether aria2c compares the sha256, for which it reads the whole file again.
#[derive(Clone, Copy)]
enum Hash {
    Compared,
    Left,
}

/// Both sides, a hub, and a folder that both write to.
struct Downloads {
    hub: Hub,
    folder: TempDir,
    has_peer: bool,
}

impl Downloads {
    fn start(arguments: &[&str]) -> anyhow::Result<Self> {
        let has_peer = Command::new("aria2c").arg("--version").output().is_ok();
        if !has_peer {
            println!("aria2c is not installed: Hearth is measured alone");
        }
        Ok(Self {
            hub: Hub::start(arguments)?,
            folder: tempfile::tempdir()?,
            has_peer,
        })
    }

    /// Megabytes a second of Hearth, from asking for the file until it is said to be there.
    fn hearth(&self) -> anyhow::Result<f64> {
        settle()?;
        let home = self.folder.path().join("hearth");
        let (client, shutdown) = start_backend_at(&home, Some(&self.hub.url))?;
        // The first command makes the database and reads what there is, as in a program that has run for a while.
        client.list_downloads().wait()?;
        let began = Instant::now();
        let request = DownloadRequest {
            model: MODEL.into(),
            file: Some(FILE.into()),
            revision: None,
        };
        client.start_download(request).wait()?;
        wait_until_done(&client)?;
        let speed = megabytes_per_second(began);
        shutdown.shut_down();
        std::fs::remove_dir_all(&home)?;
        Ok(speed)
    }

    /// The same of aria2c, from its start to its end; `None` where it is not installed.
    fn aria2c(&self, hash: Hash) -> anyhow::Result<Option<f64>> {
        if !self.has_peer {
            return Ok(None);
        }
        settle()?;
        let folder = self.folder.path().join("aria2c");
        let mut command = Command::new("aria2c");
        command
            .args(["--no-conf", "--quiet", "--file-allocation=none"])
            .args(["--split=8", "--max-connection-per-server=8"])
            .arg("--dir")
            .arg(&folder)
            .args(["--out", FILE]);
        if let Hash::Compared = hash {
            command.arg(format!("--checksum=sha-256={}", self.hub.sha256));
        }
        command.arg(format!("{}/{MODEL}/resolve/main/{FILE}", self.hub.url));
        let began = Instant::now();
        let status = command.status().context("aria2c does not start")?;
        let speed = megabytes_per_second(began);
        ensure!(status.success(), "aria2c ended with {status}");
        let length = std::fs::metadata(folder.join(FILE))?.len();
        ensure!(length == SIZE, "aria2c fetched {length} bytes");
        std::fs::remove_dir_all(&folder)?;
        Ok(Some(speed))
    }
}

fn wait_until_done(client: &Client) -> anyhow::Result<()> {
    let events = client.watch_downloads();
    loop {
        let event = events.next_timeout(LIMIT)?.context("no news come any more")?;
        let DownloadEvent::Changed(download) = event else {
            continue;
        };
        match download.state {
            DownloadState::Done { verified: true, .. } => return Ok(()),
            DownloadState::Queued | DownloadState::Running { .. } | DownloadState::Verifying => (),
            other => bail!("the download ended with {other:?}"),
        }
    }
}

fn megabytes_per_second(began: Instant) -> f64 {
    SIZE as f64 / 1e6 / began.elapsed().as_secs_f64()
}

/// Waits until the disk has written what others left to it, so that each side begins with an idle one.
fn settle() -> anyhow::Result<()> {
    if cfg!(unix) {
        let status = Command::new("sync").status().context("sync does not start")?;
        ensure!(status.success(), "sync ended with {status}");
    }
    Ok(())
}

/// The hub, which ends when it is dropped.
struct Hub {
    process: Child,
    /// What it prints; it would end if nobody could read that.
    _output: BufReader<ChildStdout>,
    url: String,
    /// The sha256 of the file.
    sha256: String,
}

impl Hub {
    fn start(arguments: &[&str]) -> anyhow::Result<Self> {
        let program = std::env::current_exe()?.with_file_name("hearth-testhub");
        let mut command = Command::new(program.with_extension(std::env::consts::EXE_EXTENSION));
        command.args(["--port", "0", "--uncounted", "--large", &SIZE.to_string()]);
        let process = command.args(arguments).stdout(Stdio::piped()).spawn();
        let mut process = process.context("hearth-testhub does not start; build the whole workspace")?;
        let mut output = BufReader::new(process.stdout.take().context("the hub has no output")?);
        let mut line = String::new();
        output.read_line(&mut line)?;
        let mut hub = Self {
            process,
            _output: output,
            url: line
                .trim()
                .strip_prefix("HF_ENDPOINT=")
                .unwrap_or_default()
                .to_owned(),
            sha256: String::new(),
        };
        let port = hub.url.rsplit(':').next().and_then(|port| port.parse().ok());
        let port = port.with_context(|| format!("the hub says {line:?} in place of its address"))?;
        let mut text = String::new();
        http::get(port, &format!("/api/models/{MODEL}?blobs=true"))?.read_to_string(&mut text)?;
        let about: Value = serde_json::from_str(&text)?;
        let sha256 = about["siblings"][0]["lfs"]["sha256"].as_str();
        hub.sha256 = sha256.context("the hub tells no hash")?.to_owned();
        Ok(hub)
    }
}

impl Drop for Hub {
    fn drop(&mut self) {
        let ended = self.process.kill().and_then(|()| self.process.wait());
        if let Err(error) = ended {
            eprintln!("the hub does not end: {error}");
        }
    }
}

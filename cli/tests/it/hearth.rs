//! Starts the program under test and reads what it prints.

use std::io::{BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use hearth_testhub::TestHub;
use serde_json::Value;
use tempfile::TempDir;

/// The starter model's name.
pub(crate) const STARTER: &str = "SmolLM2-135M-Instruct-Q4_1";

/// Only ends tests that hang. Nothing is expected to take this long.
const HANG_GUARD: Duration = Duration::from_secs(120);

/// A data folder, and the program that works in it.
pub(crate) struct Hearth {
    folder: TempDir,
}

impl Hearth {
    pub(crate) fn new() -> Self {
        let program = Path::new(env!("CARGO_BIN_EXE_hearth-cli"));
        let starter = program
            .with_file_name("starter-models")
            .join(format!("{STARTER}.gguf"));
        assert!(
            starter.is_file(),
            "{} is missing: run `cargo xtask models`",
            starter.display()
        );
        Self {
            folder: TempDir::new().expect("a temp folder"),
        }
    }

    /// A folder for the test's own files; the program runs in it.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A call with no terminal and no input, away from this machine's own models and chats.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hearth-cli"));
        command
            .args(arguments)
            .current_dir(self.folder())
            .env("HEARTH_HOME", self.folder().join("home"))
            .env("HF_HOME", self.folder().join("hub"))
            // Where other programs keep their models.
            .envs(
                ["HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"]
                    .map(|name| (name, self.folder().join("user"))),
            )
            .env("OLLAMA_MODELS", self.folder().join("ollama"))
            .env("LLAMA_CACHE", self.folder().join("llama.cpp"))
            .env_remove("XDG_DATA_HOME")
            .env_remove("XDG_CONFIG_HOME")
            .env_remove("XDG_CACHE_HOME")
            .env_remove("HF_HUB_CACHE")
            // No test asks the real hub.
            .env("HF_HUB_OFFLINE", "1")
            .env_remove("HEARTH_LOG")
            .env_remove("RUST_LOG")
            .stdin(Stdio::null());
        command
    }

    /// The same with a hub of the tests, and away from this machine's own account and network settings.
    pub(crate) fn command_at(&self, hub: &TestHub, arguments: &[&str]) -> Command {
        let mut command = self.command(arguments);
        command
            .env("HF_ENDPOINT", hub.url())
            .env("HEARTH_NO_KEYRING", "1")
            .env_remove("HF_TOKEN")
            .env_remove("HF_HUB_OFFLINE");
        command
    }

    /// The same, run to its end.
    pub(crate) fn run_at(&self, hub: &TestHub, arguments: &[&str]) -> Finished {
        Finished::new(&self.command_at(hub, arguments).output().expect("starts"))
    }

    /// Runs the program to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Finished {
        Finished::new(&self.command(arguments).output().expect("starts"))
    }
}

/// A run that is over.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Finished {
    pub(crate) fn new(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
        Self {
            code: output.status.code(),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        }
    }

    /// Fails with all that was printed where the exit code is another.
    #[track_caller]
    pub(crate) fn expect_code(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self
    }

    /// The lines of JSON on standard output.
    pub(crate) fn lines(&self) -> Vec<Value> {
        let parse = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        self.stdout.lines().map(parse).collect()
    }
}

/// A run that goes on, with its output as it comes.
pub(crate) struct Running {
    pub(crate) child: Child,
    chunks: Receiver<Vec<u8>>,
    seen: String,
}

impl Running {
    /// Starts a command and reads its standard output.
    pub(crate) fn start(command: &mut Command) -> Self {
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("starts");
        let mut output = BufReader::new(child.stdout.take().expect("piped"));
        let (sender, chunks) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(read @ 1..) = output.read(&mut buffer) {
                if sender.send(buffer[..read].to_vec()).is_err() {
                    break;
                }
            }
        });
        Self {
            child,
            chunks,
            seen: String::new(),
        }
    }

    /// Waits until the output fulfils a condition.
    #[track_caller]
    pub(crate) fn wait_until(&mut self, what: &str, condition: impl Fn(&str) -> bool) {
        while !condition(&self.seen) {
            match self.chunks.recv_timeout(HANG_GUARD) {
                Ok(chunk) => self.seen.push_str(&String::from_utf8_lossy(&chunk)),
                Err(error) => panic!("waiting for {what}: {error}; seen: {}", self.seen),
            }
        }
    }

    /// The output so far, from the last time it was forgotten.
    pub(crate) fn seen(&self) -> &str {
        &self.seen
    }

    /// Forgets the output so far, so that the next wait is for what is new.
    pub(crate) fn forget(&mut self) {
        self.seen.clear();
    }

    /// Waits for the end and gives the exit code and what was not forgotten of the output.
    pub(crate) fn finish(mut self) -> Finished {
        while let Ok(chunk) = self.chunks.recv_timeout(HANG_GUARD) {
            self.seen.push_str(&String::from_utf8_lossy(&chunk));
        }
        Finished {
            code: self.child.wait().expect("ends").code(),
            stdout: self.seen,
            stderr: String::new(),
        }
    }
}

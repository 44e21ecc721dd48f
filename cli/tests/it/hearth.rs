//! Starts the program under test and reads what it prints.

use std::io::{BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use hearth_testhub::{Repo, TestHub};
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

    /// The same in a terminal, which util-linux's `script` provides.
    #[cfg(target_os = "linux")]
    pub(crate) fn command_in_terminal(&self, arguments: &str) -> Command {
        let program = env!("CARGO_BIN_EXE_hearth-cli");
        let mut command = Command::new("script");
        command
            .args(["--quiet", "--return", "--flush", "--command"])
            .arg(format!("'{program}' {arguments}"))
            .arg("/dev/null");
        take_surroundings(&mut command, &self.command(&[]));
        command.env("TERM", "xterm").stdin(Stdio::piped());
        command
    }

    /// Runs the program to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Finished {
        Finished::new(&self.command(arguments).output().expect("starts"))
    }
}

/// Gives a command the folder and the variables of the one that it starts.
#[cfg(target_os = "linux")]
pub(crate) fn take_surroundings(outer: &mut Command, inner: &Command) {
    outer.current_dir(inner.get_current_dir().expect("a folder"));
    for (name, value) in inner.get_envs() {
        match value {
            Some(value) => outer.env(name, value),
            None => outer.env_remove(name),
        };
    }
}

/// A data folder, and a hub of the tests that the program in it asks.
pub(crate) struct AtHub {
    pub(crate) hub: TestHub,
    pub(crate) hearth: Hearth,
}

impl AtHub {
    /// With a hub that has these models.
    pub(crate) fn new(repos: impl IntoIterator<Item = Repo>) -> Self {
        let hub = TestHub::start();
        for repo in repos {
            hub.add(repo);
        }
        Self {
            hub,
            hearth: Hearth::new(),
        }
    }

    /// A call that asks the hub, away from this machine's own account and network settings.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.hearth.command(arguments);
        command
            .env("HF_ENDPOINT", self.hub.url())
            .env("HEARTH_NO_KEYRING", "1")
            .env_remove("HF_TOKEN")
            .env_remove("HF_HUB_OFFLINE");
        command
    }

    /// The same, run to its end.
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
    /// A command that is writing a long answer, as lines of JSON.
    pub(crate) fn in_mid_answer(hearth: &Hearth) -> Self {
        let story = "Write a long story about a lighthouse.";
        let long = ["run", STARTER, story, "--json", "--threads", "1"];
        let mut running = Self::start(&mut hearth.command(&long));
        running.wait_until("the answer", |seen| seen.matches("\"delta\"").count() >= 5);
        running
    }

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

    /// Writes to its standard input, which is piped, as keys are pressed in a terminal.
    #[cfg(target_os = "linux")]
    pub(crate) fn press(&mut self, keys: &str) {
        use std::io::Write;

        let input = self.child.stdin.as_mut().expect("piped");
        input.write_all(keys.as_bytes()).expect("written");
    }

    /// The output so far, from the last time it was forgotten.
    pub(crate) fn seen(&self) -> &str {
        &self.seen
    }

    /// Forgets the output so far, so that the next wait is for what is new.
    pub(crate) fn forget(&mut self) {
        self.seen.clear();
    }

    /// Kills it and waits for its end.
    #[cfg(unix)]
    pub(crate) fn finish_by_kill(mut self) -> Finished {
        self.child.kill().expect("kill -9");
        self.finish()
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

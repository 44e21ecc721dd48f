//! A real worker of the test's own, to see what it says of a load and what it logs, which the client is not told.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use hearth_backend::WORKER_ARGUMENT;
use hearth_protocol::engine::LoadOptions;
use serde_json::{Value, json};

/// What a worker said of a load, and its log.
#[derive(Debug)]
pub(crate) struct Report {
    /// Its last answer: `loaded` or `load_failed`.
    pub(crate) answer: Value,
    /// All it wrote to standard error.
    pub(crate) log: String,
}

/// Loads in a worker with these variables in its environment.
pub(crate) fn load(path: &Path, options: &LoadOptions, environment: &[(&str, &str)]) -> Report {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hearth-test-worker"));
    command
        .arg(WORKER_ARGUMENT)
        .envs(environment.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut worker = command.spawn().expect("the worker starts");
    let mut errors = worker.stderr.take().expect("it has a log");
    let log = std::thread::spawn(move || {
        let mut log = Vec::new();
        errors.read_to_end(&mut log).expect("the log is read");
        String::from_utf8_lossy(&log).into_owned()
    });
    let mut input = worker.stdin.take().expect("it takes requests");
    let request = json!({"request": "load", "path": path, "options": options});
    writeln!(input, "{request}").expect("it is asked");
    let output = BufReader::new(worker.stdout.take().expect("it answers"));
    let answer = output
        .lines()
        .map(|line| serde_json::from_str::<Value>(&line.expect("a line")).expect("JSON"))
        .find(|answer| answer["response"] != "load_progress")
        .expect("an answer to the load");
    drop(input);
    worker.wait().expect("it ends");
    Report {
        answer,
        log: log.join().expect("the log is read"),
    }
}

impl Report {
    /// The sentences for a person.
    pub(crate) fn notices(&self) -> Vec<&str> {
        let notices = self.answer["notices"].as_array();
        notices.into_iter().flatten().filter_map(Value::as_str).collect()
    }
}

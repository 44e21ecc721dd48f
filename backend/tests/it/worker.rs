//! A worker process by itself, spoken to line by line.

mod at_once;
mod forms;
mod kept;

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use hearth_backend::WORKER_ARGUMENT;
use serde_json::{Value, json};

use crate::tiny_gguf::Tiny;

/// A worker with a model in memory. Killed when dropped.
struct Worker {
    process: Child,
    /// `None` once it is closed.
    requests: Option<ChildStdin>,
    said: Lines<BufReader<ChildStdout>>,
    /// The last number that was given to an answer.
    asked: u64,
}

/// What a worker said of one answer.
#[derive(Debug, Default)]
struct Answer {
    text: String,
    stop: Value,
    stats: Value,
    error: Value,
}

impl Worker {
    fn with_model(path: &Path, options: Value) -> Self {
        Self::with_store(path, options, &Value::Null)
    }

    /// The same with a folder for KV states.
    fn with_store(path: &Path, options: Value, store: &Value) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_hearth-test-worker"))
            .arg(WORKER_ARGUMENT)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the worker starts");
        let requests = process.stdin.take();
        let said = BufReader::new(process.stdout.take().expect("its output")).lines();
        let mut worker = Self {
            process,
            requests,
            said,
            asked: 0,
        };
        worker.say(&json!({"request": "load", "path": path, "options": options, "kv_store": store}));
        while worker.next()["response"] != "loaded" {}
        worker
    }

    fn say(&mut self, request: &Value) {
        let requests = self.requests.as_mut().expect("it is open");
        writeln!(requests, "{request}").expect("it reads");
    }

    fn next(&mut self) -> Value {
        let line = self.said.next().expect("it speaks").expect("text");
        serde_json::from_str(&line).expect("a message")
    }

    /// Asks and gives the answer's number.
    fn ask(&mut self, messages: &[(&str, &str)], sampling: Value, answer: Value) -> u64 {
        self.ask_in_chat(None, messages, sampling, answer)
    }

    fn ask_in_chat(
        &mut self,
        chat: Option<i64>,
        messages: &[(&str, &str)],
        sampling: Value,
        answer: Value,
    ) -> u64 {
        self.asked += 1;
        let id = self.asked;
        let messages: Vec<_> = messages
            .iter()
            .map(|(role, text)| json!({"role": role, "text": text, "tool_calls": []}))
            .collect();
        let prompt = json!({"chat": {"messages": messages, "go_on": false}});
        let job = json!({"chat": chat, "prompt": prompt, "sampling": sampling, "answer": answer});
        self.say(&json!({"request": "generate", "id": id, "job": job}));
        id
    }

    /// A greedy answer of so many tokens.
    fn ask_greedy(&mut self, text: &str, tokens: u32) -> u64 {
        self.ask(&[("user", text)], greedy(tokens), json!({}))
    }

    /// Everything said until all these answers have ended.
    fn until_ended(&mut self, mut ids: Vec<u64>) -> Vec<Value> {
        let mut said = Vec::new();
        while !ids.is_empty() {
            let next = self.next();
            if matches!(next["response"].as_str(), Some("finished" | "failed")) {
                ids.retain(|id| next["id"] != *id);
            }
            said.push(next);
        }
        said
    }

    /// Everything said of one answer, to its end.
    fn said_of(&mut self, messages: &[(&str, &str)], sampling: Value, answer: Value) -> Vec<Value> {
        let id = self.ask(messages, sampling, answer);
        self.until_ended(vec![id])
    }

    /// Closes the input and waits for the end.
    fn close(mut self) {
        drop(self.requests.take());
        assert!(self.process.wait().expect("it ends").success());
    }

    /// One answer by itself.
    fn answer(&mut self, text: &str, tokens: u32) -> Answer {
        let id = self.ask_greedy(text, tokens);
        let said = self.until_ended(vec![id]);
        answers(&said).remove(&id).expect("it answered")
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // Killing what has ended by itself is no fault.
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

fn greedy(tokens: u32) -> Value {
    json!({"temperature": 0.0, "max_tokens": tokens})
}

/// What was said, by answer.
fn answers(said: &[Value]) -> HashMap<u64, Answer> {
    let mut answers: HashMap<u64, Answer> = HashMap::new();
    for message in said {
        // Signs of life belong to none.
        let Some(id) = message["id"].as_u64() else {
            continue;
        };
        let answer = answers.entry(id).or_default();
        if let Some(text) = message["piece"]["text"].as_str() {
            answer.text += text;
        }
        if message["response"] == "finished" {
            answer.stop = message["stop"]["reason"].clone();
            answer.stats = message["stats"].clone();
        }
        if message["response"] == "failed" {
            answer.error = message["error"].clone();
        }
    }
    answers
}

/// The tiny model, kept for as long as the folder is.
fn tiny() -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("tiny.gguf");
    Tiny::default().write(&path);
    (folder, path)
}

/// Where an answer's first and last text stand.
fn span(said: &[Value], id: u64) -> (usize, usize) {
    let is_text = |message: &&Value| message["id"] == id && message["response"] == "piece";
    let mut places = said.iter().enumerate().filter(|(_, message)| is_text(message));
    let first = places.next().expect("some text").0;
    (first, places.next_back().map_or(first, |(place, _)| place))
}

/// The pieces of this kind, put together.
fn pieces(said: &[Value], kind: &str) -> String {
    said.iter()
        .filter_map(|message| message["piece"][kind].as_str())
        .collect()
}

fn end(said: &[Value]) -> &Value {
    said.iter()
        .find(|message| message["response"] == "finished")
        .unwrap_or_else(|| panic!("it ended well: {said:?}"))
}

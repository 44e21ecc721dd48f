//! The memory of a Hearth that serves, and of its model's process, stays level: over thousands of short requests in a row,
//! and behind floods of long ones.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use hearth_testhub::tiny_gguf::Tiny;
use serde_json::{Value, json};

use crate::hearth::Hearth;
use crate::serve::serving;

/// Requests in a row, and how many of them it takes until all that is kept between them is there.
const COUNT: usize = 10_000;
const WARM_UP: usize = 2_000;

/// Requests on one connection.
const ON_ONE: usize = 100;

/// Most bytes by which server or worker may grow after that: half a KiB for each request.
const MOST_GROWTH: u64 = 4 << 20;

/// A connection that stays open.
struct Connection(BufReader<TcpStream>);

impl Connection {
    fn open(address: &str) -> Self {
        let stream = TcpStream::connect(address).expect("it listens");
        stream.set_nodelay(true).expect("an option");
        Self(BufReader::new(stream))
    }

    /// The body of the answer, whose status is 200.
    fn ask(&mut self, path: &str, body: Option<&Value>) -> String {
        let (method, body) = match body {
            Some(body) => ("POST", body.to_string()),
            None => ("GET", String::new()),
        };
        let length = body.len();
        let request =
            format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: {length}\r\n\r\n{body}");
        self.0.get_mut().write_all(request.as_bytes()).expect("sent");
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert!(self.0.read_line(&mut head).expect("a line") > 0, "{head}");
        }
        assert!(head.starts_with("HTTP/1.1 200"), "{path}: {head}");
        let head = head.to_lowercase();
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "));
        let mut body = vec![0; length.expect("a length").parse().expect("a number")];
        self.0.read_exact(&mut body).expect("a body");
        String::from_utf8(body).expect("text")
    }
}

/// Bytes of main memory that a process takes.
fn resident(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("it is there");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB"));
    kilobytes
        .and_then(|number| number.parse::<u64>().ok())
        .expect("a number")
        << 10
}

#[test]
fn thousands_of_short_requests_leave_the_memory_level() {
    let hearth = Hearth::new();
    let models = hearth.folder().join("home/models");
    std::fs::create_dir_all(&models).expect("a folder");
    Tiny::default().write(&models.join("tiny.gguf"));
    let (running, address) = serving(&hearth, &[]);
    let load = json!({"model": "tiny"});
    let loaded = Connection::open(&address).ask("/api/v1/models/load", Some(&load));
    let loaded: Value = serde_json::from_str(&loaded).expect("JSON");
    let worker = loaded["process"]
        .as_u64()
        .and_then(|number| u32::try_from(number).ok());
    let processes = [running.child.id(), worker.expect("a process")];

    let text = json!({"content": "Once upon a time", "model": "tiny"});
    let chat = json!({"model": "tiny", "max_tokens": 1, "messages": [{"role": "user", "content": "Hi"}]});
    let mut warm = processes.map(resident);
    let mut connection = Connection::open(&address);
    for number in 0..COUNT {
        if number == WARM_UP {
            warm = processes.map(resident);
        }
        if number % ON_ONE == 0 {
            connection = Connection::open(&address);
        }
        let answer = match number % 4 {
            0 => connection.ask("/health", None),
            1 => connection.ask("/v1/models", None),
            2 => connection.ask("/tokenize", Some(&text)),
            _ => connection.ask("/v1/chat/completions", Some(&chat)),
        };
        assert!(answer.starts_with('{'), "{answer}");
    }
    for (warm, now) in warm.into_iter().zip(processes.map(resident)) {
        assert!(
            now < warm + MOST_GROWTH,
            "from {warm} to {now} bytes after {COUNT} requests"
        );
    }
    running.finish_by_kill();
}

/// Long texts of a flood, which become tokens at once, and their bytes.
#[cfg(target_env = "gnu")]
const FLOOD: usize = 8;
#[cfg(target_env = "gnu")]
const LONG: usize = 512 << 10;

/// Most bytes that a server keeps of floods.
#[cfg(target_env = "gnu")]
const MOST_KEPT: u64 = 128 << 20;

/// How often it is looked whether the memory is back, which is given a little after the answers: far more than it takes.
#[cfg(target_env = "gnu")]
const LOOKS: usize = 100_000;

/// It once kept hundreds of megabytes for good.
#[cfg(target_env = "gnu")]
#[test]
fn what_floods_of_long_texts_took_is_given_back() {
    let hearth = Hearth::new();
    let models = hearth.folder().join("home/models");
    std::fs::create_dir_all(&models).expect("a folder");
    Tiny::default().write(&models.join("tiny.gguf"));
    let (running, address) = serving(&hearth, &[]);
    let server = running.child.id();
    let ask = |text: &str| {
        let asked = json!({"content": text, "model": "tiny"});
        Connection::open(&address).ask("/tokenize", Some(&asked))
    };
    ask("Once upon a time");
    let before = resident(server);
    // A character that is in no token is a token for each of its bytes.
    let long = "\u{12000}".repeat(LONG / 4);
    let mut connection = Connection::open(&address);
    for flood in 1..=2 {
        std::thread::scope(|scope| {
            for _ in 0..FLOOD {
                scope.spawn(|| assert!(ask(&long).len() > LONG));
            }
        });
        let is_back = (0..LOOKS).any(|_| {
            connection.ask("/health", None);
            resident(server) < before + MOST_KEPT
        });
        let now = resident(server);
        assert!(is_back, "from {before} to {now} bytes after flood {flood}");
    }
    running.finish_by_kill();
}

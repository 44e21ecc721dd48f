//! A backend whose local server runs, and a client so plain that it can leave at any byte.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use hearth_protocol::server::{ServerConfig, ServerEvent, ServerStatus};
use serde_json::Value;

use crate::app::{App, eventually};

/// No answer takes this long unless something is broken.
const LIMIT: Duration = Duration::from_secs(120);

/// A server.
pub(crate) struct Served {
    pub(crate) app: App,
    pub(crate) address: SocketAddr,
}

/// The head of an answer and what is left of the connection.
pub(crate) struct Response {
    pub(crate) status: u16,
    /// Names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    reader: BufReader<TcpStream>,
}

impl Served {
    /// The server of this backend, at a free port.
    pub(crate) fn new(app: App) -> Self {
        Self::with(app, ServerConfig::default())
    }

    /// The server of this backend with these settings, at a free port.
    pub(crate) fn with(app: App, config: ServerConfig) -> Self {
        let config = ServerConfig { port: 0, ..config };
        match app.client.start_server(config).wait().expect("it starts") {
            ServerStatus::Running { address, .. } => Self { app, address },
            status => panic!("{status:?}"),
        }
    }

    /// A server whose library holds a tiny model, `tiny`, that is not loaded yet.
    pub(crate) fn tiny() -> Self {
        let served = Self::new(App::real());
        served.add("tiny.gguf", &served.app.tiny());
        served
    }

    /// A server whose library holds SmolLM2.
    pub(crate) fn smollm() -> Self {
        let served = Self::new(App::real());
        served.add("smollm2.gguf", &crate::smollm::model());
        served
    }

    /// Puts a file into the library under this name.
    pub(crate) fn add(&self, name: &str, file: &std::path::Path) {
        let folder = self.app.config.home.join("models");
        std::fs::create_dir_all(&folder).expect("a folder");
        let place = folder.join(name);
        if std::fs::hard_link(file, &place).is_err() {
            std::fs::copy(file, &place).expect("a copy");
        }
        let files = self.app.client.list_files().wait().expect("the files");
        assert!(files.iter().any(|file| file.path == place), "{files:?}");
        // The server hears of it from the library, soon after that has looked.
        let name = place.file_stem().and_then(|name| name.to_str()).expect("a name");
        eventually("the server lists the model", || {
            let (_, models) = self.get("/v1/models");
            let models = models["data"].as_array().cloned().unwrap_or_default();
            models.iter().any(|model| model["id"] == name)
        });
    }

    /// Sends a request and gives the head of its answer.
    pub(crate) fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Response {
        let mut head = format!("{method} {path} HTTP/1.1\r\n");
        if headers.iter().all(|(name, _)| *name != "host") {
            head.push_str(&format!("host: {}\r\n", self.address));
        }
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str(&format!("content-length: {}\r\n\r\n", body.len()));
        let mut stream = self.connect();
        stream.write_all(head.as_bytes()).expect("the head is sent");
        stream.write_all(body).expect("the body is sent");
        Response::read(stream)
    }

    /// Asks it under another name.
    pub(crate) fn send_as(&self, host: &str, method: &str, path: &str) -> Response {
        self.send(method, path, &[("host", host)], b"")
    }

    /// A connection on which nothing has been sent.
    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("it listens");
        stream.set_read_timeout(Some(LIMIT)).expect("a limit");
        stream
    }

    /// The whole answer to a question.
    pub(crate) fn get(&self, path: &str) -> (u16, Value) {
        self.send("GET", path, &[], b"").json()
    }

    /// The whole answer to a request with a body.
    pub(crate) fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        self.begin(path, body).json()
    }

    /// The head of the answer to a request with a body; the rest comes.
    pub(crate) fn begin(&self, path: &str, body: &Value) -> Response {
        let headers = [("content-type", "application/json")];
        self.send("POST", path, &headers, body.to_string().as_bytes())
    }

    /// Waits until no request is being answered any more.
    pub(crate) fn until_quiet(&self) {
        let events = self.app.client.watch_server();
        loop {
            let event = events.next_timeout(LIMIT).expect("news in time").expect("news");
            if let ServerEvent::Status(ServerStatus::Running { in_flight: 0, .. }) = event {
                return;
            }
        }
    }

    /// All lines of the log so far.
    pub(crate) fn log(&self) -> Vec<String> {
        let events = self.app.client.watch_server();
        loop {
            match events.next_timeout(LIMIT).expect("news in time").expect("news") {
                ServerEvent::Lines { lines, .. } => return lines.into_iter().map(|line| line.text).collect(),
                ServerEvent::Status(_) | ServerEvent::Keys(_) => (),
                ServerEvent::Closed(error) => panic!("{error}"),
            }
        }
    }
}

impl Response {
    pub(crate) fn read(stream: TcpStream) -> Self {
        Self::try_read(stream).expect("an answer")
    }

    /// The answer on a connection; an error where it was closed without one, or cut in the middle of what was sent.
    pub(crate) fn try_read(stream: TcpStream) -> Result<Self, ErrorKind> {
        let mut reader = BufReader::new(stream);
        let mut line = || {
            let mut line = String::new();
            match reader.read_line(&mut line) {
                Ok(0) => Err(ErrorKind::UnexpectedEof),
                Ok(_) => Ok(line.trim_end().to_owned()),
                Err(error) => Err(error.kind()),
            }
        };
        let status = line()?;
        let status = status.split(' ').nth(1).and_then(|status| status.parse().ok());
        let mut headers = Vec::new();
        loop {
            let header = line()?;
            let Some((name, value)) = header.split_once(':') else {
                break;
            };
            headers.push((name.to_lowercase(), value.trim().to_owned()));
        }
        Ok(Self {
            status: status.expect("a status"),
            headers,
            reader,
        })
    }

    /// A header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The next piece of a chunked body; `None` at its end.
    pub(crate) fn chunk(&mut self) -> Option<String> {
        let mut size = String::new();
        self.reader.read_line(&mut size).expect("the size of a chunk");
        let size = usize::from_str_radix(size.trim(), 16).expect("a size");
        let mut chunk = vec![0; size + 2];
        self.reader.read_exact(&mut chunk).expect("a chunk");
        chunk.truncate(size);
        (size > 0).then(|| String::from_utf8(chunk).expect("text"))
    }

    /// The whole body.
    pub(crate) fn text(mut self) -> String {
        if self.header("transfer-encoding") == Some("chunked") {
            return std::iter::from_fn(|| self.chunk()).collect();
        }
        let length = self
            .header("content-length")
            .map_or(0, |length| length.parse().expect("a length"));
        let mut body = vec![0; length];
        self.reader.read_exact(&mut body).expect("a body");
        String::from_utf8(body).expect("text")
    }

    /// Status and JSON; null where there is none.
    pub(crate) fn json(self) -> (u16, Value) {
        let status = self.status;
        (status, serde_json::from_str(&self.text()).unwrap_or(Value::Null))
    }

    /// The data of each frame of a stream of events, comments left out.
    pub(crate) fn frames(self) -> Vec<String> {
        let text = self.text();
        let frames = text.split_terminator("\n\n");
        let data = frames.flat_map(|frame| frame.lines().filter_map(|line| line.strip_prefix("data: ")));
        data.map(str::to_owned).collect()
    }
}

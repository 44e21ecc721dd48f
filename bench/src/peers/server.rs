//! llama-server: started with a model, asked over HTTP, ended when it is dropped.

use std::fs::File;
use std::io::BufRead;
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use serde_json::{Value, json};

use super::http::{self, Body, Sent};

/// How long a model may take to load.
const START_LIMIT: Duration = Duration::from_secs(120);

/// How often the server is asked whether it is ready.
const READY_PAUSE: Duration = Duration::from_millis(50);

/// How often it is asked whether it is idle; it answers between two of its steps only.
const IDLE_PAUSE: Duration = Duration::from_millis(2);

/// A running llama-server.
pub(crate) struct Server {
    process: Child,
    port: u16,
}

/// One message of a chat.
#[derive(Debug, Clone)]
pub(crate) struct Message {
    /// `system`, `user` or `assistant`.
    pub(crate) role: &'static str,
    pub(crate) text: String,
}

/// What it is asked: greedy, exactly so many tokens.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request<'a> {
    pub(crate) messages: &'a [Message],
    pub(crate) tokens: u32,
}

/// An answer that is being made. Dropping it closes the connection, which is how a client of it stops.
pub(crate) struct Stream {
    state: State,
    sent_at: Instant,
    pieces: Vec<Instant>,
    text: String,
    timings: Value,
}

/// How far an answer has come. The head comes with the first token.
enum State {
    Sent(Sent),
    Open(Body),
    Ended,
}

/// An answer that has ended.
pub(crate) struct Reply {
    pub(crate) sent_at: Instant,
    /// When each piece of text came.
    pub(crate) pieces: Vec<Instant>,
    pub(crate) ended_at: Instant,
    pub(crate) text: String,
    /// Tokens that it wrote.
    pub(crate) tokens: u32,
}

impl Message {
    pub(crate) fn new(role: &'static str, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { role, text }
    }
}

impl Server {
    /// Starts it and waits until it answers.
    ///
    /// # Errors
    /// Where it does not.
    pub(super) fn start(
        program: &Path,
        model: &Path,
        log: &Path,
        arguments: &[&str],
    ) -> anyhow::Result<Self> {
        // The port is free now, and nobody else looks for one here.
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
        let log = File::create(log)?;
        let process = Command::new(program)
            .arg("-m")
            .arg(model)
            .args(["--host", "127.0.0.1", "--port", &port.to_string(), "--no-ui"])
            .args(["-t", &num_cpus::get_physical().to_string()])
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()
            .context("llama-server does not start")?;
        let mut server = Self { process, port };
        let began = Instant::now();
        while http::get(port, "/health").is_err() {
            if let Some(status) = server.process.try_wait()? {
                bail!("llama-server ended: {status}; its log says why");
            }
            ensure!(
                began.elapsed() < START_LIMIT,
                "llama-server does not become ready"
            );
            sleep(READY_PAUSE);
        }
        Ok(server)
    }

    /// Sends a chat; the stream gives the answer.
    ///
    /// # Errors
    /// Where there is no connection.
    pub(crate) fn send(&self, request: Request<'_>) -> anyhow::Result<Stream> {
        let messages: Vec<_> = request
            .messages
            .iter()
            .map(|message| json!({"role": message.role, "content": message.text}))
            .collect();
        let body = json!({
            "messages": messages, "stream": true, "max_tokens": request.tokens, "temperature": 0,
            "ignore_eos": true, "cache_prompt": true,
        });
        let sent_at = Instant::now();
        let sent = Sent::new(self.port, "/v1/chat/completions", Some(&body.to_string()))?;
        Ok(Stream {
            state: State::Sent(sent),
            sent_at,
            pieces: Vec::new(),
            text: String::new(),
            timings: Value::Null,
        })
    }

    /// Sends a chat and waits for all of the answer.
    ///
    /// # Errors
    /// Where it breaks off or is shorter than was asked for.
    pub(crate) fn ask(&self, request: Request<'_>) -> anyhow::Result<Reply> {
        let reply = self.send(request)?.finish()?;
        ensure!(
            reply.tokens == request.tokens,
            "llama-server's answer ended after {} tokens",
            reply.tokens
        );
        Ok(reply)
    }

    /// Waits until no request is being worked on.
    ///
    /// # Errors
    /// Where it does not tell.
    pub(crate) fn wait_until_idle(&self) -> anyhow::Result<()> {
        loop {
            let slots: Vec<Value> = serde_json::from_reader(http::get(self.port, "/slots")?)?;
            if slots.iter().all(|slot| slot["is_processing"] == json!(false)) {
                return Ok(());
            }
            sleep(IDLE_PAUSE);
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It holds nothing that would be lost. One that has ended already is only reaped.
        if let Err(error) = self.process.kill().and_then(|()| self.process.wait()) {
            eprintln!("llama-server did not end: {error}");
        }
    }
}

impl Stream {
    /// Waits until so many pieces of the answer have come.
    ///
    /// # Errors
    /// Where it ends before.
    pub(crate) fn wait_for_pieces(&mut self, count: usize) -> anyhow::Result<()> {
        while self.pieces.len() < count {
            ensure!(self.step()?, "llama-server's answer ended too early");
        }
        Ok(())
    }

    /// Waits for the end.
    ///
    /// # Errors
    /// Where it breaks off.
    pub(crate) fn finish(mut self) -> anyhow::Result<Reply> {
        while self.step()? {}
        let tokens = self.timings["predicted_n"].as_u64();
        let tokens = tokens.context("llama-server did not tell how many tokens it wrote")?;
        Ok(Reply {
            sent_at: self.sent_at,
            pieces: self.pieces,
            ended_at: Instant::now(),
            text: self.text,
            tokens: u32::try_from(tokens)?,
        })
    }

    /// Listens until the end or until `enough` is set, and gives when each piece came. Leaving stops the answer.
    ///
    /// # Errors
    /// Where it breaks off.
    pub(crate) fn listen_until(mut self, enough: &AtomicBool) -> anyhow::Result<Vec<Instant>> {
        while !enough.load(Ordering::Acquire) && self.step()? {}
        Ok(self.pieces)
    }

    /// Reads one line of the stream; `false` at the end.
    fn step(&mut self) -> anyhow::Result<bool> {
        let mut body = match std::mem::replace(&mut self.state, State::Ended) {
            State::Sent(sent) => sent.body()?,
            State::Open(body) => body,
            State::Ended => return Ok(false),
        };
        let mut line = String::new();
        if body.read_line(&mut line)? == 0 {
            return Ok(false);
        }
        self.state = State::Open(body);
        let Some(data) = line.trim_end().strip_prefix("data: ") else {
            // An empty line between two events, or a comment that keeps the connection open.
            return Ok(true);
        };
        if data == "[DONE]" {
            self.state = State::Ended;
            return Ok(false);
        }
        let event: Value = serde_json::from_str(data).with_context(|| format!("no event: {data}"))?;
        if !event["error"].is_null() {
            bail!("llama-server broke off: {}", event["error"]);
        }
        if event["timings"].is_object() {
            self.timings = event["timings"].clone();
        }
        if let Some(text) = event["choices"][0]["delta"]["content"].as_str()
            && !text.is_empty()
        {
            self.pieces.push(Instant::now());
            self.text.push_str(text);
        }
        Ok(true)
    }
}

impl Reply {
    /// From sending to the first text.
    ///
    /// # Errors
    /// Where there was no text.
    pub(crate) fn first_token(&self) -> anyhow::Result<Duration> {
        let first = self.pieces.first().context("llama-server's answer has no text")?;
        Ok(first.duration_since(self.sent_at))
    }
}

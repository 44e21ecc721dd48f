//! A client of OpenAI's chat interface: the same for llama-server and for Hearth's own server.

use std::io::BufRead;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail, ensure};
use serde_json::{Value, json};

use super::http::{Body, Sent};

/// A server on this machine that speaks OpenAI's interface.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Client {
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

/// An answer that comes whole at its end. Dropping it closes the connection.
pub(crate) struct Whole {
    _sent: Sent,
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

impl Client {
    /// The server at this port.
    pub(crate) fn new(port: u16) -> Self {
        Self { port }
    }

    /// Sends a chat; the stream gives the answer.
    ///
    /// # Errors
    /// Where there is no connection.
    pub(crate) fn send(&self, request: Request<'_>) -> anyhow::Result<Stream> {
        let sent_at = Instant::now();
        let sent = self.post(request, true)?;
        Ok(Stream {
            state: State::Sent(sent),
            sent_at,
            pieces: Vec::new(),
            text: String::new(),
            timings: Value::Null,
        })
    }

    /// Sends a chat whose answer is to come whole.
    ///
    /// # Errors
    /// Where there is no connection.
    pub(crate) fn send_whole(&self, request: Request<'_>) -> anyhow::Result<Whole> {
        let _sent = self.post(request, false)?;
        Ok(Whole { _sent })
    }

    fn post(&self, request: Request<'_>, stream: bool) -> anyhow::Result<Sent> {
        let messages: Vec<_> = request
            .messages
            .iter()
            .map(|message| json!({"role": message.role, "content": message.text}))
            .collect();
        let body = json!({
            "messages": messages, "stream": stream, "max_tokens": request.tokens, "temperature": 0,
            "ignore_eos": true, "cache_prompt": true,
        });
        Sent::new(self.port, "/v1/chat/completions", Some(&body.to_string()))
    }

    /// Sends a chat and waits for all of the answer.
    ///
    /// # Errors
    /// Where it breaks off or is shorter than was asked for.
    pub(crate) fn ask(&self, request: Request<'_>) -> anyhow::Result<Reply> {
        let reply = self.send(request)?.finish()?;
        ensure!(
            reply.tokens == request.tokens,
            "the answer ended after {} tokens",
            reply.tokens
        );
        Ok(reply)
    }

    /// Sends all of these at once, each from a thread of its own, and waits for the answers, each of so many tokens.
    ///
    /// # Errors
    /// Where one breaks off or is shorter.
    pub(crate) fn ask_all(&self, prompts: Vec<String>, tokens: u32) -> anyhow::Result<Vec<Reply>> {
        std::thread::scope(|scope| {
            let threads: Vec<_> = prompts
                .into_iter()
                .map(|text| {
                    scope.spawn(move || {
                        self.ask(Request {
                            messages: &[Message::new("user", text)],
                            tokens,
                        })
                    })
                })
                .collect();
            threads
                .into_iter()
                .map(|thread| thread.join().map_err(|_| anyhow!("a client panicked")).flatten())
                .collect()
        })
    }
}

impl Stream {
    /// Waits until so many pieces of the answer have come.
    ///
    /// # Errors
    /// Where it ends before.
    pub(crate) fn wait_for_pieces(&mut self, count: usize) -> anyhow::Result<()> {
        while self.pieces.len() < count {
            ensure!(self.step()?, "the answer ended too early");
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
        let tokens = tokens.context("the server did not tell how many tokens it wrote")?;
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
            bail!("the server broke off: {}", event["error"]);
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
        let first = self.pieces.first().context("the answer has no text")?;
        Ok(first.duration_since(self.sent_at))
    }
}

//! A request from its first byte to the last of its answer: counted while it lasts, one line in the log at its end.

mod sent;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use axum::http::{Method, StatusCode};
use hearth_protocol::Error;
use hearth_protocol::generate::TurnStats;
use hearth_protocol::server::LogLevel;

use super::limits::Room;
use super::site::Site;
use crate::given_back::give_back_soon;

pub(super) use sent::Sent;

/// Most characters of a path that are written to the log.
const LONGEST_PATH: usize = 200;

/// How much of a body is written to the log.
const LOGGED: usize = 32 << 10;

/// A request that is being answered. With its last clone it is over.
#[derive(Clone)]
pub(super) struct Ticket(Arc<Inner>);

struct Inner {
    site: Site,
    method: Method,
    /// Without its query, which may hold a key.
    path: String,
    began: Instant,
    notes: Mutex<Notes>,
}

/// What is known of the answer.
#[derive(Default)]
struct Notes {
    status: Option<StatusCode>,
    model: Option<String>,
    tokens: Option<(u32, u32)>,
    failure: Option<String>,
    /// Whether the whole answer has been handed over.
    is_whole: bool,
    /// The memory that the body takes.
    room: Option<Room>,
    /// Whether it took much, and its handler still has the bytes.
    has_large: bool,
}

impl Ticket {
    /// A request has come.
    pub(super) fn new(site: &Site, method: Method, path: &str) -> Self {
        site.began();
        let path = path.chars().take(LONGEST_PATH).collect();
        Self(Arc::new(Inner {
            site: site.clone(),
            method,
            path,
            began: Instant::now(),
            notes: Mutex::default(),
        }))
    }

    /// The body takes this memory, until the request is over or [taken](Self::taken).
    pub(super) fn hold(&self, room: Room) {
        self.note(|notes| notes.room = Some(room));
    }

    /// What the body says is with the model: its memory is free for others.
    pub(super) fn taken(&self) {
        self.note(|notes| notes.has_large |= notes.room.take().is_some_and(|room| room.is_large()));
    }

    /// Takes so many bytes out of the memory that the body has, for what is kept of it beyond that.
    pub(super) fn keep_back(&self, bytes: usize) -> Option<Room> {
        let mut notes = self.0.notes.lock().unwrap_or_else(PoisonError::into_inner);
        notes.room.as_mut()?.split(bytes)
    }

    /// The status of the answer.
    pub(super) fn status(&self, status: StatusCode) {
        self.note(|notes| notes.status = Some(status));
    }

    /// The model that answers.
    pub(super) fn model(&self, model: &str) {
        self.note(|notes| notes.model = Some(model.to_owned()));
    }

    /// A model has answered.
    pub(super) fn answered(&self, stats: &TurnStats) {
        self.note(|notes| {
            let (prompt, generated) = notes.tokens.unwrap_or_default();
            notes.tokens = Some((
                prompt.saturating_add(stats.prompt_tokens),
                generated.saturating_add(stats.generated_tokens),
            ));
        });
    }

    /// It broke off.
    pub(super) fn failed(&self, error: &Error) {
        self.refused(error.to_string());
    }

    /// It is not carried out.
    pub(super) fn refused(&self, reason: String) {
        self.note(|notes| notes.failure = Some(reason));
    }

    /// The last byte of the answer has been handed over.
    pub(super) fn whole(&self) {
        self.note(|notes| notes.is_whole = true);
    }

    /// Writes what was asked to the log, where the settings say so.
    pub(super) fn log_prompt(&self, body: &[u8]) {
        self.log_words("asks", body);
    }

    /// Writes what was answered to the log, where the settings say so.
    pub(super) fn log_answer(&self, body: &[u8]) {
        self.log_words("answers", body);
    }

    fn log_words(&self, verb: &str, body: &[u8]) {
        let Inner { site, path, .. } = &*self.0;
        if site.config().log_prompts && !body.is_empty() {
            let text = String::from_utf8_lossy(body.get(..LOGGED).unwrap_or(body));
            site.log()
                .write(LogLevel::Info, &format!("{path} {verb}: {text}"));
        }
    }

    fn note(&self, change: impl FnOnce(&mut Notes)) {
        change(&mut self.0.notes.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        let notes = std::mem::take(self.notes.get_mut().unwrap_or_else(PoisonError::into_inner));
        let level = match notes.status {
            Some(status) if status.is_server_error() => LogLevel::Error,
            Some(status) if status.is_client_error() => LogLevel::Warning,
            _ if notes.failure.is_some() => LogLevel::Error,
            _ => LogLevel::Request,
        };
        self.site.log().write(level, &self.line(&notes));
        self.site.ended();
        if notes.has_large {
            give_back_soon();
        }
    }
}

impl Inner {
    /// The request's line, such as `POST /v1/chat/completions 200 in 1.20 s, tiny, 12 tokens read, 5 written`.
    fn line(&self, notes: &Notes) -> String {
        let status = match notes.status {
            Some(status) => status.as_u16().to_string(),
            None => "left".to_owned(),
        };
        let seconds = self.began.elapsed().as_secs_f64();
        let mut line = format!("{} {} {status} in {seconds:.2} s", self.method, self.path);
        if let Some(model) = &notes.model {
            line.push_str(&format!(", {model}"));
        }
        if let Some((prompt, generated)) = notes.tokens {
            line.push_str(&format!(", {prompt} tokens read, {generated} written"));
        }
        if let Some(failure) = &notes.failure {
            line.push_str(&format!(": {failure}"));
        } else if !notes.is_whole {
            line.push_str(": the listener left, cancelled");
        }
        line
    }
}

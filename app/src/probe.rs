//! The probe: tells tests over a local socket what the window shows, so that they find elements by name and
//! never sleep. Only built with the feature `probe`, and only where `HEARTH_PROBE` names a socket.
//!
//! One request a line, one answer a line, both JSON:
//! - `{"list": true}`: every named element with its place in the window, in pixels, and its text;
//! - `{"controls": true}`: every control that is drawn, with the name it has in that list, or none;
//! - `{"state": true}`: what the state says;
//! - `{"page": "settings"}`: goes to a page as its button does;
//! - `{"frames": true}`: what the frames since the last such question cost;
//! - `{"wait_change": revision}`: answers once the window has changed since, or after a few seconds.
//!
//! Every answer holds the `revision` it is of.

mod answers;
mod frames;

use std::cell::RefCell;
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use makepad_widgets::{Cx, SignalToUI, WidgetRef};
use serde_json::{Value, json};

use crate::msg::Msg;
use crate::pacer::Alarm;
use crate::state::AppState;

use frames::Frames;

/// Names the socket.
const VARIABLE: &str = "HEARTH_PROBE";
/// Names a script for the worker that plays one.
pub(crate) const SCRIPT: &str = "HEARTH_PROBE_SCRIPT";
/// Longest wait for a change; a caller asks again.
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// What a test asks the window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Question {
    /// Every named element.
    List,
    /// Every control that is drawn.
    Controls,
    /// What the state says.
    State,
    /// Go to a page.
    Page(String),
    /// What the frames cost.
    Frames,
}

/// A question that waits for its answer.
#[derive(Debug)]
pub(crate) struct Request {
    /// What is asked.
    pub(crate) question: Question,
    answer: Sender<Value>,
}

/// The window's end of the probe.
#[derive(Debug)]
pub(crate) struct Probe {
    requests: Receiver<Request>,
    revision: Arc<Revision>,
    frames: RefCell<Frames>,
}

/// How often the window has changed.
#[derive(Debug, Default)]
struct Revision {
    number: Mutex<u64>,
    changed: Condvar,
}

impl Probe {
    /// Listens, if the environment names a socket. `alarm` ends the rest of the window's thread.
    pub(crate) fn from_environment(alarm: Alarm) -> Option<Self> {
        let path = std::env::var_os(VARIABLE)?;
        // An earlier start may have left its socket. Where there is none, binding tells what is wrong.
        std::fs::remove_file(&path).unwrap_or_default();
        let listener = UnixListener::bind(&path)
            .inspect_err(|error| tracing::error!(?path, %error, "the probe does not open"))
            .ok()?;
        let (sender, requests) = unbounded();
        let revision = Arc::new(Revision::default());
        let talk = Arc::new(Talk {
            requests: sender,
            revision: Arc::clone(&revision),
            alarm,
        });
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let talk = Arc::clone(&talk);
                thread::spawn(move || {
                    if let Err(error) = talk.serve(&stream) {
                        tracing::debug!(%error, "the probe's caller left");
                    }
                });
            }
        });
        Some(Self {
            requests,
            revision,
            frames: RefCell::default(),
        })
    }

    /// Counts what an event cost the window's thread.
    pub(crate) fn note_cost(&self, cost: Duration) {
        self.frames.borrow_mut().note(cost);
    }

    /// Notes that the window shows something else.
    pub(crate) fn note_change(&self, state: &AppState) {
        self.frames.borrow_mut().end(state.open().entries.len());
        *self.revision.lock() += 1;
        self.revision.changed.notify_all();
    }

    /// The next question that waits.
    pub(crate) fn next(&self) -> Option<Request> {
        self.requests.try_recv().ok()
    }

    /// Answers a question from what the window shows at this scale; gives the message it asks for, if it asks for one.
    pub(crate) fn answer(
        &self,
        cx: &mut Cx,
        ui: &WidgetRef,
        state: &AppState,
        scale: f64,
        request: &Request,
    ) -> Option<Msg> {
        let (mut answer, message) = match &request.question {
            Question::List => (json!({"list": answers::elements(cx, ui, state, scale)}), None),
            Question::Controls => {
                let controls = answers::controls(cx, ui, state, scale);
                (json!({"controls": controls}), None)
            }
            Question::State => (answers::state(state), None),
            Question::Frames => (self.frames.borrow_mut().take(), None),
            Question::Page(name) => match answers::page(name) {
                Some(page) => (json!({}), Some(Msg::ShowPage(page))),
                None => (json!({"error": format!("there is no page {name}")}), None),
            },
        };
        answer["revision"] = json!(*self.revision.lock());
        // A caller that left wants no answer.
        request.answer.try_send(answer).unwrap_or_default();
        message
    }
}

impl Revision {
    fn lock(&self) -> MutexGuard<'_, u64> {
        self.number.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for another number than `since`.
    fn wait(&self, since: u64) -> u64 {
        let (number, _) = self
            .changed
            .wait_timeout_while(self.lock(), LONGEST_WAIT, |number| *number == since)
            .unwrap_or_else(PoisonError::into_inner);
        *number
    }
}

/// What each caller's thread needs.
#[derive(Debug)]
struct Talk {
    requests: Sender<Request>,
    revision: Arc<Revision>,
    alarm: Alarm,
}

impl Talk {
    fn serve(&self, stream: &UnixStream) -> io::Result<()> {
        let mut writer = stream;
        for line in BufReader::new(stream).lines() {
            writeln!(writer, "{}", self.answer(&line?))?;
        }
        Ok(())
    }

    fn answer(&self, line: &str) -> Value {
        let request: Value = match serde_json::from_str(line) {
            Ok(request) => request,
            Err(error) => return json!({"error": error.to_string()}),
        };
        if let Some(since) = request["wait_change"].as_u64() {
            return json!({"revision": self.revision.wait(since)});
        }
        let asks_for = |name: &str| request[name] == true;
        let question = match request["page"].as_str() {
            Some(page) => Question::Page(page.to_owned()),
            None if asks_for("list") => Question::List,
            None if asks_for("controls") => Question::Controls,
            None if asks_for("state") => Question::State,
            None if asks_for("frames") => Question::Frames,
            None => return json!({"error": "ask for list, controls, state, page, frames or wait_change"}),
        };
        let (answer, answered) = bounded(1);
        if self.requests.send(Request { question, answer }).is_err() {
            return json!({"error": "the window is gone"});
        }
        SignalToUI::set_ui_signal();
        self.alarm.ring();
        answered
            .recv()
            .unwrap_or_else(|_| json!({"error": "the window is gone"}))
    }
}

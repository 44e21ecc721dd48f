//! Asks a short-lived worker what can compute, and what a load would take.

use std::path::Path;
use std::time::Duration;

use hearth_protocol::engine::{Device, LoadOptions, MemoryEstimate};
use hearth_protocol::{Error, Result};
use tokio::sync::oneshot;

use super::settle::text_of;
use super::{Message, Pool, answer, died};
use crate::engine::ipc::{Request, Response};
use crate::engine::tell;
use crate::engine::worker_handle::{Worker, WorkerEvent};

/// How long a worker may look for devices or reckon; a driver that hangs must not hang the question.
const DEVICES_LIMIT: Duration = Duration::from_secs(30);

/// A worker that looks for devices or reckons a load.
pub(super) struct Looker {
    pub(super) worker: Worker,
    /// `None` once answered.
    question: Option<Question>,
}

/// What a looker was asked, with who asked.
enum Question {
    Devices(oneshot::Sender<Result<Vec<Device>>>),
    Estimate(oneshot::Sender<Result<MemoryEstimate>>),
}

impl Pool {
    pub(super) fn look_for_devices(&mut self, done: oneshot::Sender<Result<Vec<Device>>>) {
        self.look(Request::Devices, Question::Devices(done));
    }

    /// Reckons what a load would take.
    pub(super) fn estimate(
        &mut self,
        path: &Path,
        options: Box<LoadOptions>,
        done: oneshot::Sender<Result<MemoryEstimate>>,
    ) {
        match options.validate().and_then(|()| text_of(path)) {
            Ok(path) => self.look(Request::Estimate { path, options }, Question::Estimate(done)),
            Err(error) => answer(done, Err(error)),
        }
    }

    /// Asks a short-lived worker something.
    fn look(&mut self, request: Request, question: Question) {
        if !self.closing.is_empty() {
            return question.fail(Error::BackendGone);
        }
        let number = self.next_number();
        match self.start_worker(number) {
            Ok(worker) => {
                worker.ask(request);
                let question = Some(question);
                self.lookers.insert(number, Looker { worker, question });
                let sender = self.sender.clone();
                tokio::spawn(async move {
                    tokio::time::sleep(DEVICES_LIMIT).await;
                    tell(&sender, Message::DevicesOverdue { worker: number });
                });
            }
            Err(error) => question.fail(error),
        }
    }

    /// Takes what such a worker says.
    pub(super) fn hear_looker(&mut self, worker: u64, event: WorkerEvent) {
        let Some(looker) = self.lookers.get_mut(&worker) else {
            return;
        };
        match event {
            WorkerEvent::Said(response) => {
                match (looker.question.take(), response) {
                    (Some(Question::Devices(done)), Response::Devices { devices }) => {
                        answer(done, Ok(devices))
                    }
                    (Some(Question::Estimate(done)), Response::Estimated { estimate }) => {
                        answer(done, Ok(estimate));
                    }
                    (Some(question), Response::LoadFailed { error }) => question.fail(error),
                    (question, response) => {
                        tracing::warn!(?response, "a worker spoke out of turn");
                        looker.question = question;
                        return;
                    }
                }
                looker.worker.leave();
            }
            WorkerEvent::Ended { cause, log } => {
                if let Some(question) = looker.question.take() {
                    let during = match &question {
                        Question::Devices(_) => "looking for devices",
                        Question::Estimate(_) => "reckoning what the model takes",
                    };
                    question.fail(died(during, cause, log));
                }
                self.lookers.remove(&worker);
            }
        }
    }
}

impl Question {
    fn fail(self, error: Error) {
        match self {
            Self::Devices(done) => answer(done, Err(error)),
            Self::Estimate(done) => answer(done, Err(error)),
        }
    }
}

//! Looks for what can compute, in a short-lived worker of its own.

use std::time::Duration;

use hearth_protocol::engine::Device;
use hearth_protocol::{Error, Result};
use tokio::sync::oneshot;

use super::{Message, Pool, answer, died};
use crate::engine::ipc::{Request, Response};
use crate::engine::tell;
use crate::engine::worker_handle::{Worker, WorkerEvent};

/// How long a worker may look for devices; a driver that hangs must not hang the question.
const DEVICES_LIMIT: Duration = Duration::from_secs(30);

/// A worker that looks for devices.
pub(super) struct Looker {
    pub(super) worker: Worker,
    /// `None` once answered.
    done: Option<oneshot::Sender<Result<Vec<Device>>>>,
}

impl Pool {
    pub(super) fn look_for_devices(&mut self, done: oneshot::Sender<Result<Vec<Device>>>) {
        if !self.closing.is_empty() {
            return answer(done, Err(Error::BackendGone));
        }
        let number = self.next_number();
        match self.start_worker(number) {
            Ok(worker) => {
                worker.ask(Request::Devices);
                let done = Some(done);
                self.lookers.insert(number, Looker { worker, done });
                let sender = self.sender.clone();
                tokio::spawn(async move {
                    tokio::time::sleep(DEVICES_LIMIT).await;
                    tell(&sender, Message::DevicesOverdue { worker: number });
                });
            }
            Err(error) => answer(done, Err(error)),
        }
    }

    /// Takes what such a worker says.
    pub(super) fn hear_looker(&mut self, worker: u64, event: WorkerEvent) {
        let Some(looker) = self.lookers.get_mut(&worker) else {
            return;
        };
        match event {
            WorkerEvent::Said(Response::Devices { devices }) => {
                if let Some(done) = looker.done.take() {
                    answer(done, Ok(devices));
                }
                looker.worker.leave();
            }
            WorkerEvent::Said(response) => tracing::warn!(?response, "a worker spoke out of turn"),
            WorkerEvent::Ended { cause, log } => {
                if let Some(done) = looker.done.take() {
                    answer(done, Err(died("looking for devices", cause, log)));
                }
                self.lookers.remove(&worker);
            }
        }
    }
}

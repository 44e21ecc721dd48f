//! What the pool does when a worker says something or ends.

use hearth_protocol::LoadedId;

use super::slot::{Loading, Slot};
use super::wish::Wish;
use super::{Pool, Question, answer, died};
use crate::engine::ipc::{LoadedInfo, Response};
use crate::engine::worker_handle::WorkerEvent;

impl Pool {
    pub(super) fn hear(&mut self, worker: u64, event: WorkerEvent) {
        if self.lookers.contains_key(&worker) {
            return self.hear_looker(worker, event);
        }
        if self.slot.worker() != Some(worker) {
            return tracing::debug!(worker, ?event, "a worker that nobody waits for spoke");
        }
        match event {
            WorkerEvent::Said(response) => self.hear_response(response),
            WorkerEvent::Ended { cause, log } => self.hear_end(cause, log),
        }
    }

    fn hear_response(&mut self, response: Response) {
        match (std::mem::take(&mut self.slot), response) {
            (Slot::Loading(mut loading), Response::LoadProgress { share }) => {
                loading.progress(share);
                self.slot = Slot::Loading(loading);
            }
            (Slot::Loading(loading), Response::Loaded(info)) => self.hold(loading, info),
            (Slot::Loading(loading), Response::LoadFailed { error }) => {
                self.slot = Slot::Ending(loading.fail(error));
            }
            (Slot::Ready(mut ready), response) => {
                let end = ready.hear(response);
                self.slot = Slot::Ready(ready);
                if let Some(end) = end {
                    // The state first, then the news: whoever hears of the end finds the model idle.
                    self.begin_next_job();
                    end.tell();
                }
            }
            (Slot::Ending(mut ending), response) => {
                ending.hear(response);
                self.slot = Slot::Ending(ending);
            }
            (slot, response) => {
                tracing::warn!(?response, "a worker spoke out of turn");
                self.slot = slot;
            }
        }
    }

    /// The model is in memory: tells those who wanted it there, and begins the first job.
    fn hold(&mut self, loading: Loading, info: LoadedInfo) {
        self.models_loaded += 1;
        let (ready, loads) = loading.loaded(LoadedId(self.models_loaded), info);
        let model = ready.model.clone();
        self.slot = Slot::Ready(ready);
        self.publish();
        for wish in loads {
            wish.loaded(model.clone());
        }
        self.begin_next_job();
    }

    fn hear_end(&mut self, cause: String, log: Vec<String>) {
        match std::mem::take(&mut self.slot) {
            Slot::Empty => (),
            Slot::Loading(loading) => {
                let error = died("loading the model", cause, log);
                for wish in loading.wishes {
                    wish.fail(error.clone());
                }
            }
            Slot::Ready(ready) => {
                tracing::warn!(cause, model = ready.file.name, "a worker ended by itself");
                self.publish();
                if let Some(running) = ready.running {
                    running.fail(cause, log);
                }
                // Those that only waited are not to blame: they get a fresh worker.
                self.waiting.extend(ready.queue.into_iter().map(Wish::Job));
            }
            Slot::Ending(ending) => ending.ended(log),
        }
        for wish in std::mem::take(&mut self.waiting) {
            self.accept(wish);
        }
    }

    fn hear_looker(&mut self, worker: u64, event: WorkerEvent) {
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

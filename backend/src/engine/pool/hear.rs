//! What the pool does when a worker says something or ends.

use hearth_protocol::LoadedId;

use super::slot::Slot;
use super::wish::Wish;
use super::{Pool, answer, died};
use crate::engine::ipc::Response;
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
        match (&mut self.slot, response) {
            (Slot::Loading(loading), Response::LoadProgress { share }) => loading.progress(share),
            (Slot::Loading(_), Response::Loaded(info)) => {
                self.models_loaded += 1;
                let id = LoadedId(self.models_loaded);
                let mut loads = Vec::new();
                self.slot = match std::mem::replace(&mut self.slot, Slot::Empty) {
                    Slot::Loading(loading) => {
                        let (ready, wishes) = loading.loaded(id, info);
                        loads = wishes;
                        Slot::Ready(ready)
                    }
                    slot => slot,
                };
                self.publish();
                if let Slot::Ready(ready) = &self.slot {
                    for wish in loads {
                        wish.loaded(ready.model.clone());
                    }
                }
                self.begin_next_job();
            }
            (Slot::Loading(_), Response::LoadFailed { error }) => {
                self.slot = match std::mem::replace(&mut self.slot, Slot::Empty) {
                    Slot::Loading(loading) => Slot::Ending(loading.fail(error)),
                    slot => slot,
                };
            }
            (Slot::Ready(ready), response) => {
                if let Some(end) = ready.hear(response) {
                    // The state first, then the news: whoever hears of the end finds the model idle.
                    self.begin_next_job();
                    end.tell();
                }
            }
            (Slot::Ending(ending), response) => ending.hear(response),
            (_, response) => tracing::warn!(?response, "a worker spoke out of turn"),
        }
    }

    fn hear_end(&mut self, cause: String, log: Vec<String>) {
        match std::mem::replace(&mut self.slot, Slot::Empty) {
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
        while let Some(wish) = self.waiting.pop_front() {
            if matches!(self.slot, Slot::Ending(_)) {
                self.waiting.push_front(wish);
                break;
            }
            self.accept(wish);
        }
    }

    fn hear_looker(&mut self, worker: u64, event: WorkerEvent) {
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

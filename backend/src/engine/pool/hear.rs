//! What the pool does when a worker says something or ends.

use hearth_protocol::LoadedId;

use super::slot::{Loading, Slot};
use super::wish::Wish;
use super::{Pool, died};
use crate::engine::ipc::{LoadedInfo, Response};
use crate::engine::worker_handle::WorkerEvent;

impl Pool {
    pub(super) fn hear(&mut self, worker: u64, event: WorkerEvent) {
        if self.lookers.contains_key(&worker) {
            return self.hear_looker(worker, event);
        }
        let Some(slot) = self.slots.remove(&worker) else {
            return tracing::debug!(worker, ?event, "a worker that nobody waits for spoke");
        };
        match event {
            WorkerEvent::Said(response) => self.hear_response(worker, slot, response),
            WorkerEvent::Ended { cause, log } => self.hear_end(slot, cause, log),
        }
    }

    fn hear_response(&mut self, worker: u64, slot: Slot, response: Response) {
        let mut end = None;
        let slot = match (slot, response) {
            (Slot::Loading(mut loading), Response::LoadProgress { share }) => {
                loading.progress(share);
                Slot::Loading(loading)
            }
            (Slot::Loading(loading), Response::Loaded(info)) => return self.hold(worker, loading, info),
            (Slot::Loading(loading), Response::LoadFailed { error }) => Slot::Ending(loading.fail(error)),
            (Slot::Ready(mut ready), response) => {
                end = ready.hear(response, self.setup.clock.now());
                Slot::Ready(ready)
            }
            (Slot::Ending(mut ending), response) => {
                ending.hear(response);
                Slot::Ending(ending)
            }
            (slot, response) => {
                tracing::warn!(?response, "a worker spoke out of turn");
                slot
            }
        };
        self.slots.insert(worker, slot);
        if let Some(end) = end {
            self.end_job(end);
        }
    }

    /// The model is in memory: tells those who wanted it there, and begins the jobs.
    fn hold(&mut self, worker: u64, loading: Loading, info: LoadedInfo) {
        self.models_loaded += 1;
        let now = self.setup.clock.now();
        let (mut ready, loads, jobs) = loading.loaded(LoadedId(self.models_loaded), info, now);
        let model = ready.as_it_is(self.limits.idle_unload);
        for wish in jobs {
            ready.begin(wish, now);
        }
        self.slots.insert(worker, Slot::Ready(ready));
        // The state first, then the news.
        self.publish();
        for wish in loads {
            wish.loaded(model.clone());
        }
        self.settle();
    }

    /// A worker's process is gone.
    fn hear_end(&mut self, slot: Slot, cause: String, log: Vec<String>) {
        let mut again = Vec::new();
        match slot {
            Slot::Planned(_) => (),
            Slot::Loading(loading) => {
                for wish in loading.wishes {
                    match wish {
                        Wish::Load(_) => wish.fail(died("loading the model", cause.clone(), log.clone())),
                        Wish::Job(wish) => {
                            let (reason, keep, options) = (wish.reason, wish.keep, wish.options.clone());
                            again.extend(wish.for_another_worker(reason, keep, &options, &cause, &log));
                        }
                    }
                }
            }
            Slot::Ready(ready) => {
                self.publish();
                again = ready.died(cause, &log);
            }
            Slot::Ending(ending) => ending.ended(&log),
        }
        for wish in again {
            self.accept(Wish::Job(wish));
        }
        self.settle();
    }
}

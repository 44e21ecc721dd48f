//! What the pool does when something is asked of it.

use hearth_protocol::engine::KeepLoaded;
use hearth_protocol::generate::{StopReason, TurnStats};
use hearth_protocol::{ChatId, Error, FileId, LoadedId, RequestId, Result};
use tokio::sync::oneshot;

use super::slot::{JobEnd, Slot};
use super::wish::{JobWish, Wish};
use super::{Pool, QUEUE_LENGTH, answer, busy};
use crate::engine::Work;
use crate::engine::job::JobSink;
use crate::engine::question::Question;
use crate::engine::worker::kv_folder::remove_chat;

impl Pool {
    pub(super) fn accept(&mut self, wish: Wish) {
        if !self.closing.is_empty() {
            return wish.fail(Error::BackendGone);
        }
        if self.cancelled_early.iter().any(|request| wish.is_load(*request)) {
            return wish.fail(Error::Cancelled);
        }
        if let Err(error) = wish.options().validate() {
            return wish.fail(error);
        }
        let path = &wish.file().path;
        let place = self.slots.iter_mut().find(|(_, slot)| slot.holds(path));
        let now = self.setup.clock.now();
        match place {
            None | Some((_, Slot::Ending(_))) => self.plan_load(wish),
            Some((_, Slot::Planned(planned))) if wish.is_served_by(&planned.file, &planned.options) => {
                planned.join(wish);
                // One that is forced no longer waits for memory.
                self.settle();
            }
            Some((_, Slot::Loading(loading))) if wish.is_served_by(&loading.file, &loading.options) => {
                loading.join(wish);
            }
            Some((_, Slot::Planned(_) | Slot::Loading(_))) => {
                let name = &wish.file().name;
                let reason = format!("{name} is being loaded in another way; wait for it or cancel it");
                wish.fail(busy(reason));
            }
            Some((_, Slot::Ready(ready))) if wish.is_served_by(&ready.file, &ready.options) => match wish {
                Wish::Load(wish) => {
                    ready.wanted_by_hand(wish.keep, now);
                    let model = ready.as_it_is(self.limits.idle_unload);
                    self.publish();
                    wish.loaded(model);
                }
                Wish::Job(wish) => {
                    ready.begin(wish, now);
                    self.publish();
                }
            },
            Some((_, Slot::Ready(ready))) if ready.is_busy() => {
                let name = &ready.file.name;
                let reason = format!("{name} is at work; stop it or wait for its end");
                wish.fail(busy(reason));
            }
            Some((number, Slot::Ready(_))) => {
                let number = *number;
                self.end_model(number, StopReason::ModelEjected);
                self.plan_load(wish);
            }
        }
    }

    /// Asks a model that is in memory.
    pub(super) fn ask(&mut self, id: u64, model: LoadedId, question: Box<Question>, events: JobSink) {
        let now = self.setup.clock.now();
        let ready = self.slots.values_mut().find_map(|slot| match slot {
            Slot::Ready(ready) if ready.model.id == model && !ready.is_hung() => Some(ready),
            _ => None,
        });
        let Some(ready) = ready else {
            return events.fail(not_loaded(model));
        };
        let wish = JobWish {
            id,
            file: ready.file.clone(),
            options: ready.options.clone(),
            work: Work::Tell(question),
            keep: KeepLoaded::Default,
            events,
            reason: ready.reason,
            // Another worker would know nothing of what this one is asked.
            retried: true,
        };
        ready.begin(wish, now);
        self.publish();
    }

    /// Notes a cancel whose load is not here: it is over, or its file is still being looked for.
    pub(super) fn expect_cancelled(&mut self, request: RequestId) {
        self.cancelled_early.push_back(request);
        if self.cancelled_early.len() > QUEUE_LENGTH {
            self.cancelled_early.pop_front();
        }
    }

    /// Takes back what was asked for and has not begun. A load that nobody wants any more ends.
    pub(super) fn withdraw(&mut self, which: impl Fn(&Wish) -> bool) -> Option<Wish> {
        let (number, wish) = self.slots.iter_mut().find_map(|(number, slot)| {
            let wishes = slot.wishes()?;
            let place = wishes.iter().position(&which)?;
            Some((*number, wishes.remove(place)))
        })?;
        if let Some(slot) = self.slots.remove(&number) {
            match slot {
                Slot::Planned(planned) if planned.wishes.is_empty() => (),
                Slot::Loading(loading) if loading.wishes.is_empty() => {
                    self.slots.insert(number, Slot::Ending(loading.abandon()));
                }
                slot => drop(self.slots.insert(number, slot)),
            }
        }
        self.settle();
        Some(wish)
    }

    pub(super) fn stop(&mut self, job: u64) {
        if let Some(Wish::Job(wish)) = self.withdraw(|wish| wish.is_job(job)) {
            return wish.events.finish(StopReason::UserStopped, TurnStats::default());
        }
        let now = self.setup.clock.now();
        let end = self.slots.values_mut().find_map(|slot| match slot {
            Slot::Ready(ready) => ready.stop(job, now),
            _ => None,
        });
        if let Some(end) = end {
            self.end_job(end);
        }
    }

    /// Tells a job's end. The state comes first: whoever hears of it finds the model idle.
    pub(super) fn end_job(&mut self, end: JobEnd) {
        self.publish();
        end.tell();
        self.settle();
    }

    /// Workers forget the chat, and its files go, whatever model made them.
    pub(super) fn forget(&mut self, chat: ChatId) {
        for slot in self.slots.values() {
            if let Slot::Ready(ready) = slot {
                ready.forget(chat);
            }
        }
        if let Some(folder) = self.setup.kv_folder.clone() {
            tokio::task::spawn_blocking(move || {
                if let Err(error) = remove_chat(&folder, chat.0) {
                    tracing::warn!(%error, %chat, "the KV states of a deleted chat are not removed");
                }
            });
        }
    }

    pub(super) fn eject(&mut self, model: LoadedId, done: oneshot::Sender<Result<()>>) {
        let is_it = |slot: &Slot| match slot {
            Slot::Ready(ready) => ready.model.id == model,
            Slot::Ending(ending) => ending.is_of(model),
            Slot::Planned(_) | Slot::Loading(_) => false,
        };
        let number = self
            .slots
            .iter()
            .find_map(|(number, slot)| is_it(slot).then_some(*number));
        if let Some(number) = number {
            self.end_model(number, StopReason::ModelEjected);
            if let Some(Slot::Ending(ending)) = self.slots.get_mut(&number) {
                return ending.ejected_for.push(done);
            }
        }
        answer(done, Err(not_loaded(model)));
    }

    /// Takes the model of a file out of memory, or ends its load.
    pub(super) fn eject_file(&mut self, file: &FileId, done: oneshot::Sender<Result<()>>) {
        let is_it = |slot: &Slot| slot.in_use().is_some_and(|in_use| in_use.file == *file);
        let number = self
            .slots
            .iter()
            .find_map(|(number, slot)| is_it(slot).then_some(*number));
        let Some((number, mut slot)) = number.and_then(|number| Some((number, self.slots.remove(&number)?)))
        else {
            return answer(done, Err(not_loaded(file)));
        };
        for wish in slot.wishes().into_iter().flat_map(std::mem::take) {
            wish.eject();
        }
        let mut ending = match slot {
            Slot::Planned(_) => {
                answer(done, Ok(()));
                return self.settle();
            }
            Slot::Loading(loading) => loading.abandon(),
            Slot::Ready(ready) => ready.end(StopReason::ModelEjected),
            Slot::Ending(ending) => ending,
        };
        ending.ejected_for.push(done);
        self.slots.insert(number, Slot::Ending(ending));
        self.publish();
        self.settle();
    }

    /// Lets a loaded model's worker end; what it writes and what waits for it ends with `reason`.
    pub(super) fn end_model(&mut self, number: u64, reason: StopReason) {
        if let Some(slot) = self.slots.remove(&number) {
            let slot = match slot {
                Slot::Ready(ready) => Slot::Ending(ready.end(reason)),
                slot => slot,
            };
            self.slots.insert(number, slot);
        }
        self.publish();
    }

    pub(super) fn shut_down(&mut self, done: oneshot::Sender<()>) {
        self.closing.push(done);
        for looker in self.lookers.values_mut() {
            looker.worker.kill();
        }
        for (number, mut slot) in std::mem::take(&mut self.slots) {
            for wish in slot.wishes().into_iter().flat_map(std::mem::take) {
                wish.end_with_backend();
            }
            let ending = match slot {
                Slot::Planned(_) => continue,
                Slot::Loading(loading) => loading.abandon(),
                Slot::Ready(ready) => ready.end(StopReason::UserStopped),
                Slot::Ending(ending) => ending,
            };
            self.slots.insert(number, Slot::Ending(ending));
        }
        self.publish();
        self.watchers.clear();
    }
}

fn not_loaded(model: impl std::fmt::Display) -> Error {
    Error::NotFound {
        what: "loaded model".into(),
        name: model.to_string(),
        known: Vec::new(),
    }
}

//! What the pool does when something is asked of it.

use std::path::Path;

use hearth_protocol::engine::{Device, LoadOptions, MemoryEstimate};
use hearth_protocol::generate::{StopReason, TurnStats};
use hearth_protocol::{Error, LoadedId, RequestId, Result};
use tokio::sync::oneshot;

use super::options::refuse_unsupported;
use super::slot::{Loading, Slot};
use super::wish::{JobWish, Wish};
use super::{DEVICES_LIMIT, Looker, Message, Pool, QUEUE_LENGTH, Question, answer, busy};
use crate::engine::ipc::Request;
use crate::engine::tell;
use crate::engine::worker_handle::Worker;

impl Pool {
    pub(super) fn accept(&mut self, wish: Wish) {
        if !self.closing.is_empty() {
            return wish.fail(Error::BackendGone);
        }
        if self.cancelled_early.iter().any(|request| wish.is_load(*request)) {
            return wish.fail(Error::Cancelled);
        }
        if let Err(error) = refuse_unsupported(wish.options()) {
            return wish.fail(error);
        }
        match &mut self.slot {
            Slot::Empty => self.begin_loading(wish),
            Slot::Loading(loading) if wish.is_served_by(&loading.file, &loading.options) => {
                loading.join(wish)
            }
            Slot::Loading(loading) => {
                let reason = format!("{} is being loaded; wait for it or cancel it", loading.file.name);
                wish.fail(busy(reason));
            }
            Slot::Ready(ready) if wish.is_served_by(&ready.file, &ready.options) => match wish {
                Wish::Load(wish) => wish.loaded(ready.model.clone()),
                Wish::Job(wish) => self.queue(wish),
            },
            Slot::Ready(ready) if ready.running.is_some() => {
                let reason = format!(
                    "{} is writing an answer; stop it or wait for its end",
                    ready.file.name
                );
                wish.fail(busy(reason));
            }
            Slot::Ready(_) => {
                self.wait(wish);
                self.end_model(StopReason::ModelEjected);
            }
            Slot::Ending(_) => self.wait(wish),
        }
    }

    /// Notes a cancel whose load is not here: it is over, or its file is still being looked for.
    pub(super) fn expect_cancelled(&mut self, request: RequestId) {
        self.cancelled_early.push_back(request);
        if self.cancelled_early.len() > QUEUE_LENGTH {
            self.cancelled_early.pop_front();
        }
    }

    /// Keeps a wish until the worker that ends has ended.
    fn wait(&mut self, wish: Wish) {
        if self.waiting.len() >= QUEUE_LENGTH {
            wish.fail(busy("too many requests wait for it; try again later".into()));
        } else {
            self.waiting.push_back(wish);
        }
    }

    fn begin_loading(&mut self, wish: Wish) {
        let (file, options) = (wish.file().clone(), wish.options().clone());
        let path = match text_of(&file.path) {
            Ok(path) => path,
            Err(error) => return wish.fail(error),
        };
        let (number, worker) = match self.start_worker() {
            Ok(started) => started,
            Err(error) => return wish.fail(error),
        };
        worker.ask(Request::Load {
            path,
            options: Box::new(options.clone()),
        });
        let mut loading = Loading::new(number, worker, file, options);
        loading.join(wish);
        self.slot = Slot::Loading(loading);
    }

    fn start_worker(&mut self) -> Result<(u64, Worker)> {
        self.workers_started += 1;
        let number = self.workers_started;
        let sender = self.sender.clone();
        let worker = Worker::start(&self.command, move |event| {
            tell(
                &sender,
                Message::Worker {
                    worker: number,
                    event,
                },
            );
        })?;
        Ok((number, worker))
    }

    /// Lets a job of the loaded model wait its turn, which may be now.
    fn queue(&mut self, wish: JobWish) {
        if let Slot::Ready(ready) = &mut self.slot {
            if ready.queue.len() >= QUEUE_LENGTH {
                return wish
                    .events
                    .fail(busy("too many answers wait for it; try again later".into()));
            }
            ready.queue.push_back(wish);
            self.begin_next_job();
        }
    }

    /// Begins the first job that waits, if none runs. The state comes first, then the news.
    pub(super) fn begin_next_job(&mut self) {
        let begun = match &mut self.slot {
            Slot::Ready(ready) => ready.begin_next_job(),
            _ => false,
        };
        self.publish();
        if begun && let Slot::Ready(ready) = &self.slot {
            ready.tell_begun();
        }
    }

    /// Takes back what was asked for and has not begun. A load that nobody wants any more ends.
    pub(super) fn withdraw(&mut self, which: impl Fn(&Wish) -> bool) -> Option<Wish> {
        if let Some(place) = self.waiting.iter().position(&which) {
            return self.waiting.remove(place);
        }
        match std::mem::take(&mut self.slot) {
            Slot::Loading(mut loading) => {
                let place = loading.wishes.iter().position(which);
                let wish = place.map(|place| loading.wishes.remove(place));
                self.slot = if loading.wishes.is_empty() {
                    Slot::Ending(loading.abandon())
                } else {
                    Slot::Loading(loading)
                };
                wish
            }
            slot => {
                self.slot = slot;
                None
            }
        }
    }

    pub(super) fn stop(&mut self, job: u64) {
        if let Some(Wish::Job(wish)) = self.withdraw(|wish| wish.is_job(job)) {
            return wish.events.finish(StopReason::UserStopped, TurnStats::default());
        }
        if let Slot::Ready(ready) = &mut self.slot {
            ready.stop(job);
        }
    }

    pub(super) fn eject(&mut self, model: LoadedId, done: oneshot::Sender<Result<()>>) {
        match &mut self.slot {
            Slot::Ready(ready) if ready.model.id == model => {
                self.end_model(StopReason::ModelEjected);
                if let Slot::Ending(ending) = &mut self.slot {
                    ending.ejected_for.push(done);
                }
            }
            Slot::Ending(ending) if ending.model == Some(model) => ending.ejected_for.push(done),
            _ => answer(
                done,
                Err(Error::NotFound {
                    what: "loaded model".into(),
                    name: model.to_string(),
                    known: Vec::new(),
                }),
            ),
        }
    }

    /// Lets the loaded model's worker end; what it writes and what waits for it ends with `reason`.
    pub(super) fn end_model(&mut self, reason: StopReason) {
        self.slot = match std::mem::take(&mut self.slot) {
            Slot::Ready(ready) => Slot::Ending(ready.end(reason)),
            slot => slot,
        };
        self.publish();
    }

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
        match refuse_unsupported(&options).and_then(|()| text_of(path)) {
            Ok(path) => self.look(Request::Estimate { path, options }, Question::Estimate(done)),
            Err(error) => answer(done, Err(error)),
        }
    }

    /// Asks a short-lived worker something.
    fn look(&mut self, request: Request, question: Question) {
        if !self.closing.is_empty() {
            return question.fail(Error::BackendGone);
        }
        match self.start_worker() {
            Ok((number, worker)) => {
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

    pub(super) fn shut_down(&mut self, done: oneshot::Sender<()>) {
        self.closing.push(done);
        for wish in self.waiting.drain(..) {
            wish.end_with_backend();
        }
        for looker in self.lookers.values_mut() {
            looker.worker.kill();
        }
        self.slot = match std::mem::take(&mut self.slot) {
            Slot::Loading(mut loading) => {
                for wish in loading.wishes.drain(..) {
                    wish.end_with_backend();
                }
                Slot::Ending(loading.abandon())
            }
            Slot::Ready(ready) => Slot::Ending(ready.end(StopReason::UserStopped)),
            slot => slot,
        };
        self.publish();
        self.watchers.clear();
    }
}

impl Question {
    pub(super) fn fail(self, error: Error) {
        match self {
            Self::Devices(done) => answer(done, Err(error)),
            Self::Estimate(done) => answer(done, Err(error)),
        }
    }
}

/// A path as llama.cpp takes it.
fn text_of(path: &Path) -> Result<String> {
    path.to_str()
        .map(str::to_owned)
        .ok_or_else(|| Error::BadModelFile {
            file: path.display().to_string(),
            reason: "its path is not Unicode text; rename or move it".into(),
        })
}

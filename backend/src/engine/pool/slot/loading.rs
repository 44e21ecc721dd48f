//! A model on its way into memory.

use hearth_protocol::engine::{Activity, KeepLoaded, LoadOptions, LoadedModel};
use hearth_protocol::library::LibraryFile;
use hearth_protocol::{Error, LoadedId};
use tokio::time::Instant;

use super::{Ending, Planned, Ready, Size, join};
use crate::engine::ipc::LoadedInfo;
use crate::engine::pool::wish::{JobWish, LoadReason, LoadWish, Wish};
use crate::engine::worker_handle::Worker;

/// A model on its way into memory.
pub(in crate::engine::pool) struct Loading {
    worker: Worker,
    pub(in crate::engine::pool) file: LibraryFile,
    pub(in crate::engine::pool) options: LoadOptions,
    /// Bytes it will take; `None` where unknown.
    pub(in crate::engine::pool) need: Option<u64>,
    share: f32,
    /// Those who wait for it; never empty.
    pub(in crate::engine::pool) wishes: Vec<Wish>,
}

impl Loading {
    pub(in crate::engine::pool) fn new(planned: Planned, worker: Worker) -> Self {
        Self {
            worker,
            file: planned.file,
            options: planned.options,
            need: match planned.size {
                Size::Asked => None,
                Size::Estimated(need) => need,
            },
            share: 0.0,
            wishes: planned.wishes,
        }
    }

    /// The process of its worker.
    pub(in crate::engine::pool) fn process(&self) -> u32 {
        self.worker.process()
    }

    pub(in crate::engine::pool) fn join(&mut self, wish: Wish) {
        join(&mut self.wishes, wish, &self.file, self.share);
    }

    pub(in crate::engine::pool) fn progress(&mut self, share: f32) {
        self.share = self.share.max(share.clamp(0.0, 1.0));
        for wish in &mut self.wishes {
            wish.progress(self.share);
        }
    }

    /// It is in memory; those who wanted it there are to be told, and then the jobs begin.
    pub(in crate::engine::pool) fn loaded(
        self,
        id: LoadedId,
        info: LoadedInfo,
        now: Instant,
    ) -> (Ready, Vec<LoadWish>, Vec<JobWish>) {
        let reason = self.wishes.iter().map(Wish::reason).max();
        let keep = self
            .wishes
            .iter()
            .fold(KeepLoaded::Default, |keep, wish| wish.keep(keep));
        let model = LoadedModel {
            id,
            file: self.file.id.clone(),
            name: self.file.name.clone(),
            quantisation: self.file.quantisation.clone(),
            size: self.file.size,
            context_length: info.context_length,
            has_chat_template: info.has_chat_template,
            gpu_layers: info.gpu_layers,
            slots: info.slots,
            threads: info.threads,
            process: self.worker.process(),
            activity: Activity::Idle,
            time_to_live: None,
            notices: info.notices,
        };
        let mut ready = Ready::new(self.worker, self.file, self.options, model, now);
        ready.need = self.need;
        ready.reason = reason.unwrap_or(LoadReason::Request);
        ready.keep = keep;
        let (mut loads, mut jobs) = (Vec::new(), Vec::new());
        for wish in self.wishes {
            match wish {
                Wish::Load(wish) => loads.push(wish),
                Wish::Job(mut wish) => {
                    // It is heeded, in the order in which all of them came.
                    wish.keep = KeepLoaded::Default;
                    jobs.push(wish);
                }
            }
        }
        (ready, loads, jobs)
    }

    /// Nobody wants it any more: there is nothing in the worker to be kept.
    pub(in crate::engine::pool) fn abandon(mut self) -> Ending {
        self.worker.kill();
        Ending::new(self.worker, self.file, self.need)
    }

    /// The worker could not load it.
    pub(in crate::engine::pool) fn fail(mut self, error: Error) -> Ending {
        self.worker.leave();
        Ending::new(self.worker, self.file, self.need).for_failed_load(error, self.wishes)
    }
}

//! A worker that ends.

use hearth_protocol::engine::LoadedModel;
use hearth_protocol::generate::{StopReason, TurnStats};
use hearth_protocol::library::LibraryFile;
use hearth_protocol::{Error, LoadedId, Result};
use tokio::sync::oneshot;

use super::ready::{Jobs, hear_job};
use crate::engine::ipc::Response;
use crate::engine::pool::answer;
use crate::engine::pool::wish::Wish;
use crate::engine::worker_handle::Worker;

/// A worker that ends.
pub(in crate::engine::pool) struct Ending {
    /// Held so that the worker is not dropped, which would kill it before it could say how far it came.
    _worker: Worker,
    pub(in crate::engine::pool) file: LibraryFile,
    /// Bytes that come free with its end; `None` where unknown.
    pub(in crate::engine::pool) need: Option<u64>,
    /// The model it held, the jobs it was busy with, and what these shall end with.
    cut_off: Option<(LoadedModel, Jobs, StopReason)>,
    /// Why the load failed, and who is told so once the log is whole.
    failed: Option<(Error, Vec<Wish>)>,
    /// Who waits for the memory to be free.
    pub(in crate::engine::pool) ejected_for: Vec<oneshot::Sender<Result<()>>>,
}

impl Ending {
    pub(super) fn new(worker: Worker, file: LibraryFile, need: Option<u64>) -> Self {
        Self {
            _worker: worker,
            file,
            need,
            cut_off: None,
            failed: None,
            ejected_for: Vec::new(),
        }
    }

    pub(super) fn of_model(self, model: LoadedModel, jobs: Jobs, reason: StopReason) -> Self {
        Self {
            cut_off: Some((model, jobs, reason)),
            ..self
        }
    }

    pub(super) fn for_failed_load(self, error: Error, wishes: Vec<Wish>) -> Self {
        Self {
            failed: Some((error, wishes)),
            ..self
        }
    }

    /// Whether it held this model.
    pub(in crate::engine::pool) fn is_of(&self, id: LoadedId) -> bool {
        self.cut_off.as_ref().is_some_and(|(model, ..)| model.id == id)
    }

    /// Takes the last words of a job that is cut off.
    pub(in crate::engine::pool) fn hear(&mut self, response: Response) {
        if let Some((model, jobs, reason)) = &mut self.cut_off
            && let Some(end) = hear_job(jobs, response, model)
        {
            end.cut_off(reason).tell();
        }
    }

    /// The process is gone and its memory free.
    pub(in crate::engine::pool) fn ended(self, log: &[String]) {
        if let Some((_, jobs, reason)) = self.cut_off {
            for running in jobs.into_values() {
                running.into_events().finish(reason.clone(), TurnStats::default());
            }
        }
        if let Some((error, wishes)) = self.failed {
            let error = match error {
                Error::LoadFailed { reason, .. } => Error::LoadFailed {
                    reason,
                    log: log.to_vec(),
                },
                error => error,
            };
            for wish in wishes {
                wish.fail(error.clone());
            }
        }
        for done in self.ejected_for {
            answer(done, Ok(()));
        }
    }
}

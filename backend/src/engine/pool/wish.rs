//! What is asked of the pool: a model in memory, or an answer or vectors from it.

use hearth_protocol::engine::{KeepLoaded, LoadEvent, LoadOptions, LoadedModel};
use hearth_protocol::generate::{StopReason, TurnStats};
use hearth_protocol::library::LibraryFile;
use hearth_protocol::{Error, EventSink, RequestId};

use super::died;
use crate::engine::job::JobSink;
use crate::engine::{JobEvent, Work};

/// Why a model is in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LoadReason {
    /// An answer or vectors were asked for. It goes when nobody asks any more.
    Request,
    /// Someone loaded it. It stays.
    Hand,
}

/// Where something waits. Each kind has places of its own, so that none keeps another out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Queue {
    /// Answers in chats: a person waits.
    Chats,
    /// Answers and vectors for programs.
    Programs,
    /// What is answered between two steps.
    Questions,
    /// Loads that were asked for by themselves.
    Loads,
}

/// Something that needs a model in memory.
pub(super) enum Wish {
    Load(LoadWish),
    Job(JobWish),
}

/// Someone who wants a model in memory.
pub(super) struct LoadWish {
    pub(super) file: LibraryFile,
    pub(super) options: LoadOptions,
    /// Neither refused nor kept waiting for want of memory.
    pub(super) force: bool,
    pub(super) keep: KeepLoaded,
    pub(super) events: EventSink<LoadEvent>,
}

/// Someone who wants an answer, or vectors, or to be told something.
pub(super) struct JobWish {
    pub(super) id: u64,
    pub(super) file: LibraryFile,
    pub(super) options: LoadOptions,
    pub(super) work: Work,
    pub(super) keep: KeepLoaded,
    pub(super) events: JobSink,
    /// Why the model is loaded where it is not in memory.
    pub(super) reason: LoadReason,
    /// A worker died while this waited for it.
    pub(super) retried: bool,
}

impl Wish {
    pub(super) fn file(&self) -> &LibraryFile {
        match self {
            Self::Load(wish) => &wish.file,
            Self::Job(wish) => &wish.file,
        }
    }

    pub(super) fn options(&self) -> &LoadOptions {
        match self {
            Self::Load(wish) => &wish.options,
            Self::Job(wish) => &wish.options,
        }
    }

    pub(super) fn queue(&self) -> Queue {
        match self {
            Self::Load(_) => Queue::Loads,
            Self::Job(wish) => wish.queue(),
        }
    }

    pub(super) fn reason(&self) -> LoadReason {
        match self {
            Self::Load(_) => LoadReason::Hand,
            Self::Job(wish) => wish.reason,
        }
    }

    /// How long the model stays, where it stays as `before` until this came. Who loads it by hand and says nothing else
    /// wants it for good.
    pub(super) fn keep(&self, before: KeepLoaded) -> KeepLoaded {
        match self {
            Self::Load(wish) => wish.keep,
            Self::Job(wish) if wish.keep == KeepLoaded::Default => before,
            Self::Job(wish) => wish.keep,
        }
    }

    pub(super) fn is_forced(&self) -> bool {
        matches!(self, Self::Load(wish) if wish.force)
    }

    pub(super) fn is_load(&self, request: RequestId) -> bool {
        matches!(self, Self::Load(wish) if wish.events.request() == request)
    }

    pub(super) fn is_job(&self, job: u64) -> bool {
        matches!(self, Self::Job(wish) if wish.id == job)
    }

    /// Whether this file, loaded this way, is what is wanted. A job takes the file however it is loaded.
    pub(super) fn is_served_by(&self, file: &LibraryFile, options: &LoadOptions) -> bool {
        self.file().path == file.path
            && match self {
                Self::Load(wish) => wish.options == *options,
                Self::Job(_) => true,
            }
    }

    /// It is being loaded: this one has just joined, at this share.
    pub(super) fn begun(&mut self, file: &LibraryFile, share: f32) {
        if let Self::Load(wish) = self {
            wish.send(LoadEvent::Started {
                name: file.name.clone(),
                size: file.size,
            });
        }
        self.progress(share);
    }

    pub(super) fn progress(&mut self, share: f32) {
        match self {
            Self::Load(wish) => wish.send(LoadEvent::Progress(share)),
            Self::Job(wish) => wish.events.send(JobEvent::Loading(share)),
        }
    }

    pub(super) fn fail(self, error: Error) {
        match self {
            Self::Load(wish) => wish.events.refuse(error),
            Self::Job(wish) => wish.events.fail(error),
        }
    }

    /// The model is taken away before it came to this.
    pub(super) fn eject(self) {
        match self {
            Self::Load(wish) => {
                let model = wish.file.name;
                wish.events.refuse(Error::ModelEjected { model });
            }
            Self::Job(wish) => wish.events.finish(StopReason::ModelEjected, TurnStats::default()),
        }
    }

    /// The backend ends before it came to this.
    pub(super) fn end_with_backend(self) {
        match self {
            Self::Load(wish) => wish.events.refuse(Error::BackendGone),
            Self::Job(wish) => wish.events.finish(StopReason::UserStopped, TurnStats::default()),
        }
    }
}

impl LoadWish {
    pub(super) fn loaded(mut self, model: LoadedModel) {
        self.send(LoadEvent::Loaded(model));
    }

    fn send(&mut self, event: LoadEvent) {
        // Nobody listening any more is told by the sink's own hook, which cancels the load.
        if self.events.send(event).is_err() {
            tracing::debug!("a load's listener has left");
        }
    }
}

impl JobWish {
    pub(super) fn queue(&self) -> Queue {
        match &self.work {
            Work::Answer(job) if job.chat.is_some() => Queue::Chats,
            Work::Answer(_) | Work::Embed(_) => Queue::Programs,
            Work::Tell(_) => Queue::Questions,
        }
    }

    /// The same wish for another worker, where the one that should have begun it died: a second time it fails.
    pub(super) fn for_another_worker(
        self,
        reason: LoadReason,
        keep: KeepLoaded,
        options: &LoadOptions,
        cause: &str,
        log: &[String],
    ) -> Option<Self> {
        if self.retried {
            let during = match self.work {
                Work::Answer(_) => "preparing the answer",
                Work::Embed(_) => "preparing to embed",
                Work::Tell(_) => "answering a question",
            };
            self.events.fail(died(during, cause.to_owned(), log.to_vec()));
            return None;
        }
        Some(Self {
            options: options.clone(),
            reason,
            keep,
            retried: true,
            ..self
        })
    }
}

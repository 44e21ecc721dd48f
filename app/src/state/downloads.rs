//! Downloads as the window shows them: each with where it stands, in the order of the panel, and what is free on the disk.
//!
//! The backend tells each change of one download. As long as that leaves it among its like, nothing but its own entry
//! changes here. What changes all this is `update::downloads`; what the panel says of it is in `view`.

mod menus;
pub(crate) mod view;

use std::collections::BTreeMap;
use std::path::PathBuf;

use hearth_protocol::download::{Download, DownloadEvent, DownloadRequest, DownloadState, QueuePlace};
use hearth_protocol::library::LibraryFile;
use hearth_protocol::{ByteSize, DownloadId, Error, FileId, ModelId, UnixMillis};

use crate::msg::Msg;
use crate::msg::downloads::Turn;

/// Least time between two questions for what is free, in milliseconds.
const ROOM_EVERY_MS: i64 = 3_000;

/// All downloads.
#[derive(Debug, Default)]
pub(crate) struct Downloads {
    /// Whether the panel is open.
    pub(crate) is_open: bool,
    /// In the order in which they come to their turn.
    list: Vec<Download>,
    /// Places in `list` in the order of the panel.
    shown: Vec<usize>,
    /// Those that were asked for and are not in the list yet.
    starting: Vec<DownloadRequest>,
    /// Why no more news come.
    closed: Option<Error>,
    /// What is free on the disk, and when that was asked last.
    free: Option<ByteSize>,
    free_asked: Option<UnixMillis>,
    /// What is done with a file once the library lists it.
    awaited: Option<(FileId, Use)>,
}

/// The like of a download, in the order of the panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Group {
    /// It runs, waits for its turn or is compared.
    Active,
    /// The person paused it.
    Paused,
    /// It failed, or something keeps it from going on.
    Hindered,
    /// It is in the library.
    Done,
}

/// What is done with the file of a download that is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    /// It answers in a new chat.
    Chat,
    /// It is shown in the file manager.
    Folder,
}

/// What an event meant.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Taken {
    /// One got further, and stays where it is in the panel.
    Progress,
    /// The list is another one.
    Changed,
    /// The same, and this one is done.
    Done(Download),
    /// The same, and this one failed.
    Failed(Download),
}

/// Whether the panel stays open for a message that keys mean: one of the window as a whole, or of the panel itself.
pub(crate) fn stays_open_for(msg: &Msg) -> bool {
    matches!(
        msg,
        Msg::Escape | Msg::Downloads(_) | Msg::TogglePalette | Msg::StepPane { .. } | Msg::Settings(_)
    )
}

/// The like of a download.
pub(crate) fn group_of(download: &Download) -> Group {
    match download.state {
        DownloadState::Queued | DownloadState::Running { .. } | DownloadState::Verifying => Group::Active,
        DownloadState::Paused { reason: None } => Group::Paused,
        DownloadState::Paused { reason: Some(_) } | DownloadState::Failed { .. } => Group::Hindered,
        DownloadState::Done { .. } => Group::Done,
    }
}

/// The share that is on the disk, 0.0 to 1.0; `None` until the whole is known.
pub(crate) fn share_of(download: &Download) -> Option<f32> {
    let total = download.total?.0;
    let share = if total == 0 {
        1.0
    } else {
        download.done.0 as f64 / total as f64
    };
    Some(share.clamp(0.0, 1.0) as f32)
}

/// Whether taking one away loses what took time to come, which is asked about first.
pub(crate) fn loses_by_removal(download: &Download) -> bool {
    group_of(download) != Group::Done && download.done.0 > 0
}

/// Why one does not go on, where something keeps it.
pub(crate) fn hindrance_of(download: &Download) -> Option<&Error> {
    match &download.state {
        DownloadState::Paused { reason } => reason.as_ref(),
        DownloadState::Failed { error } => Some(error),
        _ => None,
    }
}

/// The file that can be loaded of one that is done.
pub(crate) fn file_of(download: &Download) -> Option<&FileId> {
    match &download.state {
        DownloadState::Done { file, .. } => file.as_ref(),
        _ => None,
    }
}

impl Downloads {
    /// All of them, in the order of the panel: those that are active, paused, hindered and done, each by their turn.
    pub(crate) fn shown(&self) -> impl ExactSizeIterator<Item = &Download> {
        self.shown.iter().map(|at| &self.list[*at])
    }

    /// The one in this row of the panel.
    pub(crate) fn row(&self, row: usize) -> Option<&Download> {
        self.list.get(*self.shown.get(row)?)
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// The one of this name.
    pub(crate) fn get(&self, id: DownloadId) -> Option<&Download> {
        self.list.iter().find(|download| download.id == id)
    }

    /// The one of a file of a repository. Of a file in several parts each stands for all.
    pub(crate) fn of_file(&self, model: &ModelId, file: &str) -> Option<&Download> {
        let is_it = |download: &&Download| is_of_file(&download.request, model, file);
        // A newer one of the same file, as of another revision, counts.
        self.list.iter().rev().find(is_it)
    }

    /// How many are active.
    pub(crate) fn active(&self) -> usize {
        self.list
            .iter()
            .filter(|it| group_of(it) == Group::Active)
            .count()
    }

    /// Whether one is of this like.
    pub(crate) fn has(&self, group: Group) -> bool {
        self.list.iter().any(|it| group_of(it) == group)
    }

    /// Bytes a second of all that run.
    pub(crate) fn speed(&self) -> f64 {
        let speed = |download: &Download| match download.state {
            DownloadState::Running { bytes_per_second, .. } => bytes_per_second,
            _ => 0.0,
        };
        self.list.iter().map(speed).sum()
    }

    /// What is free on the disk that downloads go to, where that is known.
    pub(crate) fn free(&self) -> Option<ByteSize> {
        self.free
    }

    /// Why no more news come.
    pub(crate) fn closed(&self) -> Option<&Error> {
        self.closed.as_ref()
    }

    /// The names of those of one like.
    pub(super) fn ids(&self, is_meant: impl Fn(&Download) -> bool) -> Vec<DownloadId> {
        let meant = self.shown().filter(|download| is_meant(download));
        meant.map(|download| download.id).collect()
    }

    /// The place in the queue that gives one this turn among its like; `None` where it has it.
    pub(super) fn place(&self, id: DownloadId, turn: Turn) -> Option<QueuePlace> {
        let group = group_of(self.get(id)?);
        let like = self.ids(|download| group_of(download) == group);
        let at = like.iter().position(|other| *other == id)?;
        let last = like.len() - 1;
        match turn {
            Turn::First => (at > 0).then(|| QueuePlace::Before(like[0])),
            Turn::Earlier => at.checked_sub(1).map(|before| QueuePlace::Before(like[before])),
            Turn::Later if at + 2 <= last => Some(QueuePlace::Before(like[at + 2])),
            Turn::Later | Turn::Last => (at < last).then_some(QueuePlace::Last),
        }
    }

    /// Forgets all, before the list comes again.
    pub(super) fn forget(&mut self) {
        self.closed = None;
        self.list.clear();
        self.sort();
    }

    /// Notes that a file was asked for; whether it was not before.
    pub(super) fn begin_start(&mut self, request: &DownloadRequest) -> bool {
        let is_new = !self.starting.contains(request);
        if is_new {
            self.starting.push(request.clone());
        }
        is_new
    }

    /// The download has begun, or has not.
    pub(super) fn end_start(&mut self, request: &DownloadRequest) {
        self.starting.retain(|asked| asked != request);
    }

    /// Takes an event.
    pub(super) fn take(&mut self, event: DownloadEvent) -> Taken {
        match event {
            DownloadEvent::Changed(download) => return self.put(download),
            DownloadEvent::Removed(id) => self.list.retain(|download| download.id != id),
            DownloadEvent::Order(order) => {
                let turns: BTreeMap<_, _> = (0_usize..).zip(order).map(|(turn, id)| (id, turn)).collect();
                self.list
                    .sort_by_key(|download| turns.get(&download.id).copied().unwrap_or(usize::MAX));
            }
            DownloadEvent::Closed(error) => {
                self.closed = Some(error);
                self.list.clear();
            }
        }
        self.sort();
        Taken::Changed
    }

    fn put(&mut self, download: Download) -> Taken {
        self.closed = None;
        let group = group_of(&download);
        let Some(known) = self.list.iter_mut().find(|known| known.id == download.id) else {
            self.list.push(download);
            self.sort();
            return Taken::Changed;
        };
        let before = group_of(known);
        let has_failed = |it: &Download| matches!(it.state, DownloadState::Failed { .. });
        let failed_before = has_failed(known);
        *known = download.clone();
        if before == group {
            return Taken::Progress;
        }
        self.sort();
        match group {
            Group::Done => Taken::Done(download),
            Group::Hindered if has_failed(&download) && !failed_before => Taken::Failed(download),
            _ => Taken::Changed,
        }
    }

    /// Puts all into the order of the panel. Sorting keeps the turns of those that are alike.
    fn sort(&mut self) {
        self.shown = (0..self.list.len()).collect();
        self.shown.sort_by_key(|at| group_of(&self.list[*at]));
    }

    /// Takes what is free.
    pub(super) fn note_free(&mut self, free: Option<ByteSize>) {
        self.free = free;
    }

    /// Whether it is time to ask for what is free; notes that it is asked.
    pub(super) fn ask_free(&mut self, now: UnixMillis) -> bool {
        let is_due = self
            .free_asked
            .is_none_or(|asked| now.0.saturating_sub(asked.0) >= ROOM_EVERY_MS);
        if is_due {
            self.free_asked = Some(now);
        }
        is_due
    }

    /// Does something with a file once the library lists it.
    pub(super) fn await_file(&mut self, file: FileId, then: Use) {
        self.awaited = Some((file, then));
    }

    /// What was awaited, once.
    pub(super) fn take_awaited(&mut self) -> Option<(FileId, Use)> {
        self.awaited.take()
    }
}

/// Whether a request is of a file of a repository.
fn is_of_file(request: &DownloadRequest, model: &ModelId, file: &str) -> bool {
    let is_it = |asked: &String| whole_of(asked) == whole_of(file);
    request.model == *model && request.file.as_ref().is_some_and(is_it)
}

/// A file's name without its number among the parts of a set: `a-00001-of-00003.gguf` is of `a`, and so is `a.gguf`.
pub(crate) fn whole_of(file: &str) -> &str {
    let stem = file.strip_suffix(".gguf").unwrap_or(file);
    let is_number = |text: &str| text.len() == 5 && text.bytes().all(|byte| byte.is_ascii_digit());
    let parts = stem.rsplit_once("-of-").and_then(|(rest, count)| {
        let (whole, number) = rest.rsplit_once('-')?;
        (is_number(count) && is_number(number)).then_some(whole)
    });
    parts.unwrap_or(stem)
}

/// Where the file of a download lies, as the library says.
pub(super) fn path_in(files: Option<&Vec<LibraryFile>>, id: &FileId) -> Option<PathBuf> {
    let file = files?.iter().find(|file| file.id == *id)?;
    Some(file.path.clone())
}

//! One download of the list: its side file, what runs of it, and what is shown of it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use hearth_protocol::download::{Download, DownloadState};
use hearth_protocol::{ByteSize, DownloadId};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::meter::Meter;
use super::progress::Progress;
use super::side_file::{Intent, SideFile};

/// A download of the list.
pub(super) struct Entry {
    pub(super) id: DownloadId,
    pub(super) side: Arc<SideFile>,
    pub(super) running: Option<Running>,
    /// Whether it is left for a later start: it is of an earlier one, and only those that are asked for run in this.
    pub(super) is_held: bool,
    /// Bytes that were shown: less is never shown.
    shown: u64,
    /// When it was last told of.
    told_at: Option<Instant>,
}

/// What runs of a download.
pub(super) struct Running {
    /// The how-manieth run of the queue it is.
    pub(super) number: u64,
    pub(super) stop: watch::Sender<bool>,
    pub(super) task: JoinHandle<()>,
    pub(super) progress: Arc<Progress>,
    pub(super) meter: Meter,
}

impl Entry {
    /// A download that does not run.
    pub(super) fn new(side: Arc<SideFile>) -> Self {
        Self {
            id: side.read(|record| record.id),
            side,
            running: None,
            is_held: false,
            shown: 0,
            told_at: None,
        }
    }

    /// What is shown of it.
    pub(super) fn show(&mut self) -> Download {
        let (request, intent, (noted, total)) = self
            .side
            .read(|record| (record.request.clone(), record.intent.clone(), record.progress()));
        let running = self.running.as_ref();
        let done = running
            .and_then(|running| running.progress.done())
            .unwrap_or(noted);
        self.shown = self.shown.max(done).min(total.unwrap_or(u64::MAX));
        let state = match (running, intent) {
            (Some(running), _) if running.progress.is_verifying() => DownloadState::Verifying,
            (Some(running), _) => DownloadState::Running {
                bytes_per_second: running.meter.speed(),
                seconds_left: total.and_then(|total| running.meter.seconds_left(total.saturating_sub(done))),
                trouble: running.progress.trouble(),
            },
            (None, Intent::Go) => DownloadState::Queued,
            (None, Intent::Wait(reason)) => DownloadState::Paused { reason },
            (None, Intent::Fail(error)) => DownloadState::Failed { error },
            (None, Intent::Rest { verified, file }) => DownloadState::Done { verified, file },
        };
        Download {
            id: self.id,
            request,
            state,
            done: ByteSize(self.shown),
            total: total.map(ByteSize),
        }
    }

    /// Shows from nothing again: what came was wrong and is gone.
    pub(super) fn show_anew(&mut self) {
        self.shown = 0;
    }

    /// Whether news of a running download are due; notes that they are told then.
    pub(super) fn is_due(&mut self, now: Instant, rest: Duration) -> bool {
        let is_due = self
            .told_at
            .is_none_or(|at| now.saturating_duration_since(at) >= rest);
        if is_due {
            self.told_at = Some(now);
        }
        is_due
    }

    /// Measures the speed.
    pub(super) fn measure(&mut self, now: Instant) {
        if let Some(running) = &mut self.running {
            running.meter.note(now, running.progress.received());
        }
    }

    /// Stops what runs and waits until it has ended.
    pub(super) async fn halt(&mut self) {
        let Some(running) = self.running.take() else {
            return;
        };
        running.stop.send_replace(true);
        if let Err(error) = running.task.await {
            tracing::error!(%error, "a download broke off");
        }
    }
}

#[cfg(test)]
mod tests {
    use hearth_protocol::download::DownloadRequest;
    use hearth_protocol::settings::DownloadPlace;

    use super::super::side_file::Record;
    use super::*;

    #[test]
    fn news_of_one_download_keep_their_distance() {
        let folder = tempfile::tempdir().expect("a folder");
        let request = DownloadRequest {
            model: "o/n".into(),
            file: None,
            revision: None,
        };
        let record = Record::new(DownloadId(1), 1, request, DownloadPlace::Folder);
        let mut entry = Entry::new(SideFile::create(folder.path(), record).expect("written"));
        let start = Instant::now();
        let rest = Duration::from_millis(100);
        let told: Vec<u64> = (0..1000)
            .filter(|millisecond| entry.is_due(start + Duration::from_millis(*millisecond), rest))
            .collect();
        assert_eq!(told, [0, 100, 200, 300, 400, 500, 600, 700, 800, 900]);
    }
}

//! What runs of the list: which is started when, what is told of it, how it ends.

use std::sync::Arc;
use std::time::Instant;

use hearth_protocol::download::DownloadEvent;
use hearth_protocol::{DownloadId, Error};
use tokio::sync::watch;

use super::{Ended, Queue, intend};
use crate::download::entry::Running;
use crate::download::meter::Meter;
use crate::download::progress::Progress;
use crate::download::run::{End, Job, run};
use crate::download::side_file::Intent;

impl Queue {
    /// Starts those that wait, in their order, while fewer run than may.
    pub(super) fn start_waiting(&mut self) {
        let most = self.settings.downloads_at_once as usize;
        let mut running = self
            .entries
            .iter()
            .filter(|entry| entry.running.is_some())
            .count();
        for at in 0..self.entries.len() {
            let entry = &self.entries[at];
            let may_run = entry.running.is_none() && !entry.is_held;
            let waits = may_run && entry.side.read(|record| record.intent == Intent::Go);
            if running >= most {
                return;
            }
            if waits {
                running += 1;
                let id = entry.id;
                self.entries[at].running = Some(self.launch(at));
                self.tell(id);
            }
        }
    }

    fn launch(&mut self, at: usize) -> Running {
        self.runs += 1;
        let number = self.runs;
        let entry = &self.entries[at];
        let (id, news) = (entry.id, self.news.clone());
        let progress = Arc::new(Progress::default());
        let job = Job {
            hub: self.hub.clone(),
            places: self.places.clone(),
            side: Arc::clone(&entry.side),
            progress: Arc::clone(&progress),
            limiter: self.limiter.clone(),
            surroundings: Arc::clone(&self.surroundings),
            room: self.room.clone(),
        };
        let (stop, stopped) = watch::channel(false);
        let task = tokio::spawn(async move {
            let end = run(&job, stopped).await;
            if news.send(Ended(id, number, end)).is_err() {
                tracing::debug!("the queue of downloads has ended");
            }
        });
        Running {
            number,
            stop,
            task,
            progress,
            meter: Meter::default(),
        }
    }

    /// Notes how a run ended; one that was stopped here is noted by who stopped it.
    pub(super) async fn ended(&mut self, id: DownloadId, number: u64, end: End) {
        let intent = match end {
            End::Stopped => return,
            End::Done { verified, file } => Intent::Rest { verified, file },
            End::Paused(reason) => Intent::Wait(Some(reason)),
            End::Failed(error) => Intent::Fail(error),
        };
        let Ok(entry) = self.entry(id) else { return };
        if entry
            .running
            .as_ref()
            .is_none_or(|running| running.number != number)
        {
            return;
        }
        entry.halt().await;
        if matches!(intent, Intent::Fail(Error::WrongHash { .. })) {
            entry.show_anew();
        }
        if let Err(error) = intend(entry, intent).await {
            tracing::error!(%id, %error, "how a download ended cannot be noted");
        }
        self.tell(id);
    }

    /// Tells how those stand that run, where news are due.
    pub(super) fn tell_running(&mut self) {
        let now = Instant::now();
        for at in 0..self.entries.len() {
            let entry = &mut self.entries[at];
            entry.measure(now);
            if entry.running.is_some() && entry.is_due(now, self.surroundings.news) {
                let event = DownloadEvent::Changed(entry.show());
                self.tell_all(&event);
            }
        }
    }

    /// Stops all that runs and waits for its end.
    pub(super) async fn halt_all(&mut self) {
        for entry in &self.entries {
            if let Some(running) = &entry.running {
                running.stop.send_replace(true);
            }
        }
        for entry in &mut self.entries {
            entry.halt().await;
        }
    }
}

//! What runs of the list: which is started when and goes on when, what is told of it, how it ends.

use std::sync::Arc;
use std::time::Instant;

use hearth_protocol::download::DownloadEvent;
use hearth_protocol::{DownloadId, Error};
use tokio::sync::watch;

use super::{Ended, Queue, intend};
use crate::download::entry::{Entry, Running};
use crate::download::meter::Meter;
use crate::download::progress::Progress;
use crate::download::run::{End, Job, run};
use crate::download::side_file::{Intent, SideFile};
use crate::files::blocking;

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

    /// Opens the list at the start, where one is left of an earlier one; nobody has to ask for what was to go on.
    pub(super) async fn go_on(&mut self) {
        let folder = self.folder.clone();
        let opened = match blocking(move || SideFile::any(&folder)).await {
            Ok(true) => self.open().await,
            none => none.map(drop),
        };
        if let Err(error) = opened {
            // The first command is answered with the reason, or opens it.
            tracing::info!(%error, "downloads of earlier starts do not go on yet");
        }
    }

    /// Lets those go on for which there is room again.
    pub(super) async fn look_for_room(&mut self) {
        let waits = |side: &&Arc<SideFile>| {
            side.read(|record| matches!(record.intent, Intent::Wait(Some(Error::DiskFull { .. }))))
        };
        let sides = self.entries.iter().map(|entry| &entry.side);
        let mut sides: Vec<_> = sides.filter(waits).map(Arc::clone).collect();
        if sides.is_empty() {
            return;
        }
        let room = self.room.clone();
        let looked = blocking(move || {
            sides.retain(|side| room.has_room_for(side));
            Ok(sides)
        });
        match looked.await {
            Ok(sides) => {
                let has_room = |side: &Arc<SideFile>, _: &Error| sides.iter().any(|it| Arc::ptr_eq(it, side));
                self.go_on_after(has_room).await;
            }
            Err(error) => tracing::error!(%error, "the room on the disk is not known"),
        }
    }

    /// Lets those go on that wait for a reason that is over.
    pub(super) async fn go_on_after(&mut self, is_over: impl Fn(&Arc<SideFile>, &Error) -> bool) {
        let waits = |entry: &&Entry| match entry.side.read(|record| record.intent.clone()) {
            Intent::Wait(Some(reason)) => !entry.is_held && is_over(&entry.side, &reason),
            _ => false,
        };
        let waiting = self.entries.iter().filter(waits);
        for id in waiting.map(|entry| entry.id).collect::<Vec<_>>() {
            if let Err(error) = self.resume(id).await {
                tracing::warn!(%id, %error, "a download does not go on");
            }
        }
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

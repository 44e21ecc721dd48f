//! The list of downloads: which run, which wait, in which order. One task owns it.

mod runs;

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use hearth_protocol::command::DownloadCommand;
use hearth_protocol::download::{Download, DownloadEvent, DownloadRequest, QueuePlace};
use hearth_protocol::settings::Settings;
use hearth_protocol::{Command, DownloadId, Error, EventSink, Result};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Interval, MissedTickBehavior, interval};

use super::Surroundings;
use super::entry::Entry;
use super::limiter::Limiter;
use super::place::Places;
use super::request;
use super::room::Room;
use super::run::End;
use super::side_file::{Intent, Record, SideFile};
use crate::config::Config;
use crate::files::{blocking, file_error};
use crate::hub::Hub;
use crate::net::Net;

/// What the queue is asked.
pub(super) enum Asked {
    /// By a client.
    Command(DownloadCommand),
    /// The settings changed.
    Settings(Box<Settings>),
    /// To end.
    ShutDown(oneshot::Sender<()>),
}

/// A run that ended, and the how-manieth of the queue it was: one that was stopped may have ended by itself before.
struct Ended(DownloadId, u64, End);

/// The list and what works on it.
pub(super) struct Queue {
    folder: PathBuf,
    places: Places,
    hub: Hub,
    net: Net,
    surroundings: Arc<Surroundings>,
    room: Room,
    settings: Settings,
    /// Whether downloads of earlier starts wait until they are asked for.
    only_asked: bool,
    limiter: Limiter,
    /// The downloads in their order; empty until the list is opened.
    entries: Vec<Entry>,
    /// Whether the settings of the start have come.
    has_settings: bool,
    /// Held while the downloads are this process's.
    lock: Option<File>,
    listeners: Vec<EventSink<DownloadEvent>>,
    /// Runs so far.
    runs: u64,
    news: mpsc::UnboundedSender<Ended>,
    told: mpsc::UnboundedReceiver<Ended>,
}

impl Queue {
    pub(super) fn new(config: &Config, hub: Hub, net: Net, surroundings: Surroundings) -> Self {
        let (news, told) = mpsc::unbounded_channel();
        let (places, surroundings) = (Places::new(config), Arc::new(surroundings));
        Self {
            folder: config.downloads(),
            room: Room::new(places.clone(), Arc::clone(&surroundings)),
            places,
            hub,
            net,
            surroundings,
            settings: Settings::default(),
            only_asked: config.hub.only_asked_downloads,
            limiter: Limiter::default(),
            entries: Vec::new(),
            has_settings: false,
            lock: None,
            listeners: Vec::new(),
            runs: 0,
            news,
            told,
        }
    }

    /// Works until it is told to end, or nobody can ask any more.
    pub(super) async fn work(mut self, mut asking: mpsc::UnboundedReceiver<Asked>) {
        let mut news_due = ticks(self.surroundings.news);
        let mut room_due = ticks(self.surroundings.room);
        loop {
            let is_running = self.entries.iter().any(|entry| entry.running.is_some());
            tokio::select! {
                asked = asking.recv() => match asked {
                    Some(Asked::Command(command)) => self.command(command).await,
                    Some(Asked::Settings(settings)) => self.heed(*settings).await,
                    Some(Asked::ShutDown(done)) => {
                        self.halt_all().await;
                        // Whoever hears that this has ended may begin at once.
                        self.lock = None;
                        if done.send(()).is_err() {
                            tracing::debug!("nobody waits for the end of the downloads");
                        }
                        return;
                    }
                    None => return self.halt_all().await,
                },
                Some(Ended(id, number, end)) = self.told.recv() => self.ended(id, number, end).await,
                _ = news_due.tick(), if is_running => self.tell_running(),
                _ = room_due.tick(), if !self.entries.is_empty() => self.look_for_room().await,
            }
            self.listeners.retain(|listener| !listener.is_abandoned());
            self.start_waiting();
        }
    }

    async fn command(&mut self, command: DownloadCommand) {
        if let Err(error) = self.open().await {
            return Command::Download(command).refuse(error);
        }
        match command {
            DownloadCommand::Start { request, reply } => reply.send(self.start(request).await),
            DownloadCommand::Pause { download, reply } => reply.send(self.pause(download).await),
            DownloadCommand::Resume { download, reply } | DownloadCommand::Retry { download, reply } => {
                reply.send(self.resume(download).await);
            }
            DownloadCommand::Cancel { download, reply } => reply.send(self.cancel(download).await),
            DownloadCommand::Move { download, to, reply } => reply.send(self.reorder(download, to).await),
            DownloadCommand::List { reply } => reply.send(Ok(self.list())),
            DownloadCommand::Subscribe { events } => self.subscribe(events),
        }
    }

    /// Reads the side files, once, and takes the downloads for this process.
    async fn open(&mut self) -> Result<()> {
        if self.lock.is_some() {
            return Ok(());
        }
        let folder = self.folder.clone();
        let (lock, files) = blocking(move || {
            std::fs::create_dir_all(&folder).map_err(|error| file_error(&folder, &error))?;
            let path = folder.join("lock");
            let lock = File::create(&path).map_err(|error| file_error(&path, &error))?;
            may_work(&path, lock.try_lock())?;
            Ok((lock, SideFile::read_all(&folder)?))
        })
        .await?;
        self.lock = Some(lock);
        self.entries = files.into_iter().map(Entry::new).collect();
        for entry in &mut self.entries {
            entry.is_held = self.only_asked;
        }
        Ok(())
    }

    async fn start(&mut self, request: DownloadRequest) -> Result<DownloadId> {
        request::check(&request)?;
        let same = |entry: &Entry| entry.side.read(|record| record.answers(&request));
        if let Some(known) = self
            .entries
            .iter()
            .find(|entry| same(entry))
            .map(|entry| entry.id)
        {
            let is_done = |record: &Record| matches!(record.intent, Intent::Rest { .. });
            if !self.entry(known)?.side.read(is_done) {
                self.resume(known).await?;
                return Ok(known);
            }
            // The file may have changed or gone since.
            self.cancel(known).await?;
        }
        let id = self.next_id();
        let positions = self
            .entries
            .iter()
            .map(|entry| entry.side.read(|record| record.position));
        let position = positions.max().unwrap_or(0) + 1;
        let place = self.places.choose(self.settings.download_place);
        let folder = self.folder.clone();
        let record = Record::new(id, position, request, place);
        let side = blocking(move || SideFile::create(&folder, record)).await?;
        self.entries.push(Entry::new(side));
        self.tell(id);
        Ok(id)
    }

    /// The time, so that no id comes twice, whatever was removed; and above all others, whatever the clock does.
    fn next_id(&self) -> DownloadId {
        let ids = self.entries.iter().map(|entry| entry.id.0);
        let now = jiff::Timestamp::now().as_millisecond();
        DownloadId(ids.max().map_or(now, |last| now.max(last + 1)))
    }

    async fn pause(&mut self, id: DownloadId) -> Result<()> {
        let entry = self.entry(id)?;
        entry.halt().await;
        if entry.side.read(|record| record.intent == Intent::Go) {
            let noted = intend(entry, Intent::Wait(None)).await;
            self.tell(id);
            noted?;
        }
        Ok(())
    }

    async fn resume(&mut self, id: DownloadId) -> Result<()> {
        let entry = self.entry(id)?;
        entry.is_held = false;
        match entry.side.read(|record| record.intent.clone()) {
            Intent::Go | Intent::Rest { .. } => return Ok(()),
            Intent::Fail(_) | Intent::Wait(_) => (),
        }
        intend(entry, Intent::Go).await?;
        self.tell(id);
        Ok(())
    }

    async fn cancel(&mut self, id: DownloadId) -> Result<()> {
        let Some(at) = self.entries.iter().position(|entry| entry.id == id) else {
            return Ok(());
        };
        self.entries[at].halt().await;
        let (side, places) = (Arc::clone(&self.entries[at].side), self.places.clone());
        let others = self.entries.iter().filter(|entry| entry.id != id);
        let others: Vec<_> = others.map(|entry| entry.side.read(Record::clone)).collect();
        blocking(move || {
            let needed = others.iter().flat_map(|record| places.paths(record)).collect();
            places.remove(&side.read(Record::clone), &needed)?;
            side.remove()
        })
        .await?;
        self.entries.remove(at);
        self.tell_all(&DownloadEvent::Removed(id));
        Ok(())
    }

    async fn reorder(&mut self, id: DownloadId, to: QueuePlace) -> Result<()> {
        let find = |entries: &[Entry], id| {
            entries
                .iter()
                .position(|entry| entry.id == id)
                .ok_or_else(|| unknown(id))
        };
        let from = find(&self.entries, id)?;
        if let QueuePlace::Before(other) = to {
            find(&self.entries, other)?;
        }
        let entry = self.entries.remove(from);
        let at = match to {
            QueuePlace::First => 0,
            QueuePlace::Before(other) if other == id => from,
            QueuePlace::Before(other) => find(&self.entries, other)?,
            QueuePlace::Last => self.entries.len(),
        };
        self.entries.insert(at, entry);
        let sides: Vec<_> = self.entries.iter().map(|entry| Arc::clone(&entry.side)).collect();
        let number = move || {
            let mut numbered = (1..).zip(sides);
            numbered.try_for_each(|(position, side)| side.update(|record| record.position = position))
        };
        blocking(number).await?;
        let order = self.entries.iter().map(|entry| entry.id).collect();
        self.tell_all(&DownloadEvent::Order(order));
        Ok(())
    }

    fn list(&mut self) -> Vec<Download> {
        self.entries.iter_mut().map(Entry::show).collect()
    }

    fn subscribe(&mut self, mut events: EventSink<DownloadEvent>) {
        let all_sent = self
            .list()
            .into_iter()
            .all(|download| events.send(DownloadEvent::Changed(download)).is_ok());
        if all_sent {
            self.listeners.push(events);
        }
    }

    async fn heed(&mut self, settings: Settings) {
        self.limiter
            .set(settings.download_speed_limit.map(|limit| limit.0));
        self.settings = settings;
        if !std::mem::replace(&mut self.has_settings, true) && !self.only_asked {
            self.go_on().await;
        }
        if !self.net.is_offline() {
            let is_over = |_: &Arc<SideFile>, reason: &Error| matches!(reason, Error::Offline { .. });
            self.go_on_after(is_over).await;
        }
    }

    /// Tells how a download stands now.
    fn tell(&mut self, id: DownloadId) {
        if let Ok(entry) = self.entry(id) {
            entry.is_due(Instant::now(), std::time::Duration::ZERO);
            let event = DownloadEvent::Changed(entry.show());
            self.tell_all(&event);
        }
    }

    fn tell_all(&mut self, event: &DownloadEvent) {
        self.listeners
            .retain_mut(|listener| listener.send(event.clone()).is_ok());
    }

    fn entry(&mut self, id: DownloadId) -> Result<&mut Entry> {
        self.entries
            .iter_mut()
            .find(|entry| entry.id == id)
            .ok_or_else(|| unknown(id))
    }
}

fn ticks(period: std::time::Duration) -> Interval {
    let mut ticks = interval(period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}

async fn intend(entry: &Entry, intent: Intent) -> Result<()> {
    let side = Arc::clone(&entry.side);
    blocking(move || side.intend(intent)).await
}

/// Whether the list is this process's, by what the system says to the wish to lock it.
///
/// # Errors
/// [`Error::Busy`] where another process works on it.
pub(super) fn may_work(path: &Path, locked: std::result::Result<(), TryLockError>) -> Result<()> {
    match locked {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(Error::Busy {
            what: "The list of downloads".into(),
            reason: "another Hearth works on it; use that one, or close it".into(),
        }),
        Err(TryLockError::Error(error)) => {
            tracing::debug!(path = %path.display(), %error, "the disk knows no locks");
            Ok(())
        }
    }
}

fn unknown(id: DownloadId) -> Error {
    Error::NotFound {
        what: "download".into(),
        name: id.to_string(),
        known: Vec::new(),
    }
}

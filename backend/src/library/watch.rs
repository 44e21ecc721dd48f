//! Tells listeners all files, now and after each change on the disk or in the settings.
//!
//! One task serves all of them. It begins with the first and ends with the last, so that nothing is watched for nobody.
//! Whatever the system tells only says that it is time to look: the look is the same as everybody's.

mod folders;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hearth_protocol::library::{LibraryEvent, LibraryFile};
use hearth_protocol::{EventSink, Result};
use tokio::runtime::Handle;
use tokio::sync::{Notify, mpsc};
use tokio::time::{Instant, sleep_until};

use super::Library;
use super::found::Found;
use crate::files::blocking;
use folders::{Folders, News};

/// How many times as long as a look took the watch rests before it looks unasked.
const REST: u32 = 20;

/// Who listens. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(super) struct Watching {
    task: Arc<Mutex<Option<mpsc::UnboundedSender<EventSink<LibraryEvent>>>>>,
    pace: Pace,
}

/// How long things take.
#[derive(Debug, Clone, Copy)]
struct Pace {
    /// Without news before it is time to look: what copies a folder makes many.
    quiet: Duration,
    /// Until a look even where news never ends, as while a file grows.
    longest: Duration,
    /// Until a look without news: not all network drives tell any.
    unasked: Duration,
    /// The same where the system does not watch all folders.
    deaf: Duration,
    /// Whether the system is asked to watch at all; tests do without.
    asks: bool,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            quiet: Duration::from_millis(150),
            longest: Duration::from_secs(1),
            unasked: Duration::from_secs(60),
            deaf: Duration::from_secs(5),
            asks: true,
        }
    }
}

impl Library {
    /// Tells the listener all files, now and after each change, until it leaves. Must be called within the runtime.
    pub(crate) fn watch(&self, events: EventSink<LibraryEvent>) {
        let mut task = self.watching.task.lock().unwrap_or_else(PoisonError::into_inner);
        let refused = match task.as_ref() {
            Some(joins) => joins.send(events),
            None => Err(mpsc::error::SendError(events)),
        };
        // There is no task yet, or it has just ended.
        let Err(mpsc::error::SendError(events)) = refused else {
            return;
        };
        let (joins, joining) = mpsc::unbounded_channel();
        let watch = Watch {
            library: self.clone(),
            joining,
            listeners: Vec::new(),
            told: Vec::new(),
            folders: None,
            outside: HashSet::new(),
            news: Arc::default(),
            left: Arc::default(),
        };
        tokio::spawn(watch.run(events));
        *task = Some(joins);
    }
}

/// The task.
struct Watch {
    library: Library,
    joining: mpsc::UnboundedReceiver<EventSink<LibraryEvent>>,
    listeners: Vec<EventSink<LibraryEvent>>,
    /// What they know.
    told: Vec<LibraryFile>,
    folders: Option<Folders>,
    /// Folders in which files lie that links lead to.
    outside: HashSet<PathBuf>,
    news: Arc<News>,
    /// Tells that a listener has left.
    left: Arc<Notify>,
}

impl Watch {
    async fn run(mut self, first: EventSink<LibraryEvent>) {
        let pace = self.library.watching.pace;
        let mut choices = self.library.choices.subscribe();
        let mut unasked = self.join(first).await;
        // When the first of the news came that have not been looked into, and when it is time to.
        let mut news: Option<(Instant, Instant)> = None;
        while self.has_listeners() {
            let time = news.map_or(unasked, |(_, time)| time.min(unasked));
            let heard = Arc::clone(&self.news);
            tokio::select! {
                Some(events) = self.joining.recv() => unasked = self.join(events).await,
                () = self.left.notified() => (),
                () = heard.heard() => {
                    let now = Instant::now();
                    let (first, _) = news.unwrap_or((now, now));
                    news = Some((first, (now + pace.quiet).min(first + pace.longest)));
                }
                Ok(()) = choices.changed() => unasked = self.look_and_log().await,
                () = sleep_until(time) => {
                    let folder_came = self.news.folder_came();
                    unasked = self.look_and_log().await;
                    let now = Instant::now();
                    news = folder_came.then(|| (now, now + pace.longest));
                }
            }
        }
    }

    /// Whether somebody listens. Where nobody does, who comes from now on gets a task of its own.
    fn has_listeners(&mut self) -> bool {
        self.listeners.retain(|events| !events.is_abandoned());
        if !self.listeners.is_empty() {
            return true;
        }
        self.joining.close();
        while let Ok(events) = self.joining.try_recv() {
            self.library.watch(events);
        }
        false
    }

    /// Tells a new listener all files. Gives the time of the next look without news.
    async fn join(&mut self, mut events: EventSink<LibraryEvent>) -> Instant {
        let next = match self.look().await {
            Ok(next) => next,
            Err(error) => {
                events.refuse(error);
                return Instant::now() + self.library.watching.pace.unasked;
            }
        };
        let left = Arc::clone(&self.left);
        events.on_abandoned(move || left.notify_one());
        if events.send(LibraryEvent::Files(self.told.clone())).is_ok() {
            self.listeners.push(events);
        }
        next
    }

    async fn look_and_log(&mut self) -> Instant {
        self.look().await.unwrap_or_else(|error| {
            tracing::error!(%error, "the library could not be looked through");
            Instant::now() + self.library.watching.pace.unasked
        })
    }

    /// Looks through the library and tells the listeners where it has changed. Gives the time of the next look without
    /// news.
    async fn look(&mut self) -> Result<Instant> {
        let pace = self.library.watching.pace;
        let (library, runtime, news) = (self.library.clone(), Handle::current(), Arc::clone(&self.news));
        let (folders, outside) = (self.folders.take(), std::mem::take(&mut self.outside));
        let began = Instant::now();
        let looked = blocking(move || {
            let mut folders = folders.unwrap_or_else(|| Folders::new(news, pace.asks));
            // Before the look, so that nothing passes between them.
            folders.watch(&library.roots(), &outside);
            let found = library.look(&runtime);
            let outside = outside_folders(&found);
            // What has changed there since is not heard of; another look will see it.
            if folders.watch(&library.roots(), &outside) {
                folders.look_again();
            }
            Ok((folders, outside, found.files()))
        });
        let (folders, outside, files) = looked.await?;
        let rest = if folders.is_deaf() {
            pace.deaf
        } else {
            pace.unasked
        };
        self.folders = Some(folders);
        self.outside = outside;
        if files != self.told {
            self.told = files;
            let told = &self.told;
            self.listeners
                .retain_mut(|events| events.send(LibraryEvent::Files(told.clone())).is_ok());
        }
        let now = Instant::now();
        Ok(now + rest.max((now - began) * REST))
    }
}

/// The folders of all files that a look found, as the disk calls them: links may lead far away from all roots.
fn outside_folders(found: &Found) -> HashSet<PathBuf> {
    let files = found.models.iter().flat_map(|model| &model.files);
    let real = files.map(|path| match path.is_symlink() {
        true => path.canonicalize().unwrap_or_else(|_| path.clone()),
        false => path.clone(),
    });
    let folders: HashSet<PathBuf> = real
        .filter_map(|path| path.parent().map(Path::to_owned))
        .collect();
    folders
        .into_iter()
        .filter_map(|folder| folder.canonicalize().ok())
        .collect()
}

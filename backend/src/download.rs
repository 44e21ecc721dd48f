//! Downloads: from the hub to the disk, over every fault in between.
//!
//! `queue` is one task that owns the list; each download that runs is a task of its own (`run`), which fetches one file
//! after the other (`transfer`) into a thread that writes (`disk`). What lasts stands in side files (`side_file`).
//! `room` lets in what fits on the disk. `plan`, `ranges`, `answer`, `tries`,
//! `meter`, `choose` and `request` are pure.

mod answer;
mod choose;
pub(crate) mod claims;
mod disk;
mod entry;
mod hasher;
mod limiter;
mod meter;
mod partial;
pub(crate) mod place;
mod plan;
mod progress;
mod queue;
mod ranges;
pub(crate) mod request;
mod room;
mod run;
mod side_file;
#[cfg(test)]
mod tests;
mod there;
mod transfer;
mod tries;

use std::path::Path;
use std::time::Duration;

use hearth_protocol::command::DownloadCommand;
use hearth_protocol::settings::Settings;
use hearth_protocol::{Command, Error, Result};
use tokio::sync::{mpsc, oneshot};

use crate::config::Config;
use crate::files;
use crate::hub::Hub;
use crate::net::Net;
use queue::{Asked, Queue};

/// How long a disk may take to write what waits, when all ends.
const END_TIMEOUT: Duration = Duration::from_secs(10);

/// Asks the queue. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Downloads(mpsc::UnboundedSender<Asked>);

/// What downloads find around them: how patient they are, and how much room the disk has.
pub(crate) struct Surroundings {
    /// How long nothing may come before a part is tried again.
    stall: Duration,
    /// Rest after the first try that brought nothing; it doubles with each.
    first_rest: Duration,
    /// Longest rest.
    longest_rest: Duration,
    /// Between two news of one download.
    news: Duration,
    /// Between two looks whether a full disk has room again.
    room: Duration,
    /// The free space of the disk that a path is on.
    free_space: Box<FreeSpace>,
}

type FreeSpace = dyn Fn(&Path) -> Result<u64> + Send + Sync;

impl Default for Surroundings {
    fn default() -> Self {
        Self {
            stall: Duration::from_secs(30),
            first_rest: Duration::from_secs(1),
            longest_rest: Duration::from_secs(60),
            news: Duration::from_millis(100),
            room: Duration::from_secs(10),
            free_space: Box::new(files::free_space),
        }
    }
}

impl Surroundings {
    /// How long to rest after so many tries in a row that brought nothing, 1 or more. `jitter` from 0.0 to 1.0 spreads
    /// it, so that many downloads do not come back at once.
    fn rest(&self, tries: u32, jitter: f64) -> Duration {
        let doubled = self
            .first_rest
            .saturating_mul(2_u32.saturating_pow(tries.saturating_sub(1)));
        doubled
            .min(self.longest_rest)
            .mul_f64(0.5 + jitter.clamp(0.0, 1.0) / 2.0)
    }
}

impl Downloads {
    /// The downloads of the configuration. Nothing is read, and none goes on, before the first settings or command.
    pub(crate) fn new(config: &Config, hub: Hub, net: Net, surroundings: Surroundings) -> Self {
        let (asked, asking) = mpsc::unbounded_channel();
        let queue = Queue::new(config, hub, net, surroundings);
        tokio::spawn(queue.work(asking));
        Self(asked)
    }

    /// Carries out a command.
    pub(crate) fn carry_out(&self, command: DownloadCommand) {
        if let Err(mpsc::error::SendError(Asked::Command(command))) = self.0.send(Asked::Command(command)) {
            Command::Download(command).refuse(Error::BackendGone);
        }
    }

    /// Takes what the settings say from now on. What runs goes on as it began, but for the speed limit and offline mode.
    pub(crate) fn heed(&self, settings: &Settings) {
        self.tell(Asked::Settings(Box::new(settings.clone())));
    }

    /// Stops what runs; it goes on at the next start.
    pub(crate) async fn shut_down(&self) {
        let (done, ended) = oneshot::channel();
        self.tell(Asked::ShutDown(done));
        // An error within means that the queue has ended already.
        if tokio::time::timeout(END_TIMEOUT, ended).await.is_err() {
            tracing::warn!("the disk does not answer; what downloads wrote last is fetched again");
        }
    }

    fn tell(&self, asked: Asked) {
        if self.0.send(asked).is_err() {
            tracing::debug!("the downloads have ended");
        }
    }
}

//! The serving side: whoever connects asks this backend, a bounded number at a time.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use hearth_protocol::wire::{self, Serving};
use hearth_protocol::{Client, Error};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::runtime::Runtime;
use tokio::sync::{Notify, mpsc, watch};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::timeout;

use super::lines::Lines;
use super::{Door, HELLO_TIMEOUT, LAST_WORDS_TIMEOUT};

/// Most who are connected at once.
const MOST_CONNECTIONS: usize = 64;

/// Most bytes of a line that asks; the longest hold pictures.
const MOST_LINE: usize = 64 << 20;

/// Most news that wait for one who does not read them.
const MOST_NEWS: usize = 1 << 16;

/// How long it rests where the system can give no connection, as when too many files are open.
const REST: Duration = Duration::from_millis(100);

/// The door for other processes, and all who came in.
pub(crate) struct Local {
    phase: watch::Sender<Phase>,
    task: JoinHandle<()>,
}

/// How far the end has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    Open,
    /// Nobody comes in any more.
    Closed,
    /// Whoever is in hears the last news.
    Ended,
}

/// Why there is no door.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shut {
    /// Another backend on these data has one.
    Taken,
    /// It cannot be opened here.
    Impossible,
}

impl Local {
    /// Opens the door to a backend.
    ///
    /// # Errors
    /// Why there is none; the log says it too.
    pub(crate) fn open(runtime: &Runtime, home: &Path, client: Client) -> Result<Self, Shut> {
        let _context = runtime.enter();
        let door = match Door::open(home) {
            Ok(Some(door)) => door,
            Ok(None) => {
                tracing::info!("another Hearth listens for the commands of this data folder");
                return Err(Shut::Taken);
            }
            Err(error) => {
                tracing::warn!(%error, "no other process can ask this Hearth");
                return Err(Shut::Impossible);
            }
        };
        let (phase, phases) = watch::channel(Phase::Open);
        let task = runtime.spawn(keep_door(door, client, phases));
        Ok(Self { phase, task })
    }

    /// Closes the door; whoever came in stays.
    pub(crate) fn close(&self) {
        self.phase.send_replace(Phase::Closed);
    }

    /// Tells all who came in what there is to tell, and parts from them.
    pub(crate) async fn finish(self) {
        self.phase.send_replace(Phase::Ended);
        if timeout(LAST_WORDS_TIMEOUT, self.task).await.is_err() {
            tracing::warn!("somebody connected does not read");
        }
    }
}

async fn keep_door(mut door: Door, client: Client, mut phases: watch::Receiver<Phase>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            caller = door.next() => match caller {
                Ok(caller) if connections.len() < MOST_CONNECTIONS => {
                    connections.spawn(converse(caller, client.clone(), phases.clone()));
                }
                Ok(caller) => drop(connections.spawn(turn_away(caller))),
                Err(error) => {
                    tracing::warn!(%error, "a connection did not come about");
                    tokio::time::sleep(REST).await;
                }
            },
            Some(_) = connections.join_next() => (),
            () = reached(&mut phases, Phase::Closed) => break,
        }
    }
    drop(door);
    while connections.join_next().await.is_some() {}
}

/// Waits until the end has come so far, or nobody is left to tell it.
async fn reached(phases: &mut watch::Receiver<Phase>, wanted: Phase) {
    phases.wait_for(|phase| *phase >= wanted).await.ok();
}

async fn turn_away(caller: impl AsyncRead + AsyncWrite) {
    let mut lines = Lines::new(caller, MOST_LINE);
    // What a caller has said and nobody has read would take our last words with it when the socket closes.
    if timeout(HELLO_TIMEOUT, lines.next()).await.is_err() {
        tracing::debug!("a caller that is turned away says nothing");
    }
    let error = Error::Busy {
        what: "the Hearth that runs".into(),
        reason: "too many programs ask it".into(),
    };
    part(&mut lines, error).await;
}

/// Says why nothing more comes.
async fn part(lines: &mut Lines<impl AsyncRead + AsyncWrite>, error: Error) {
    lines.push(&wire::bad(error));
    end(lines).await;
}

/// Writes what waits to be written. One who does not read it has gone, or misses it.
async fn end(lines: &mut Lines<impl AsyncRead + AsyncWrite>) {
    match timeout(LAST_WORDS_TIMEOUT, lines.flush()).await {
        Ok(Ok(())) => (),
        outcome => tracing::debug!(?outcome, "last lines were not read"),
    }
}

/// Serves one who came in, until they leave.
async fn converse(caller: impl AsyncRead + AsyncWrite, client: Client, mut phases: watch::Receiver<Phase>) {
    let mut lines = Lines::new(caller, MOST_LINE);
    lines.push(&wire::hello());
    match timeout(HELLO_TIMEOUT, lines.next()).await {
        Ok(Ok(Some(hello))) => {
            if let Err(error) = wire::heed_hello(&hello) {
                return part(&mut lines, error).await;
            }
        }
        Ok(Err(error)) => return part_from_odd(&mut lines, &error).await,
        Ok(Ok(None)) | Err(_) => return,
    }
    let (tell, mut news) = mpsc::channel(MOST_NEWS);
    let too_slow = Arc::new(Notify::new());
    let mut serving = Serving::new(client, {
        let too_slow = Arc::clone(&too_slow);
        move |call| {
            if tell.try_send(call).is_err() {
                too_slow.notify_one();
            }
        }
    });
    loop {
        tokio::select! {
            line = lines.next() => match line {
                Ok(Some(line)) => match serving.hear(&line) {
                    Ok(refusal) => refusal.iter().for_each(|line| lines.push(line)),
                    Err(error) => return part(&mut lines, error).await,
                },
                Ok(None) => return,
                Err(error) => return part_from_odd(&mut lines, &error).await,
            },
            Some(call) = news.recv(), if !lines.is_full() => {
                serving.news(call).iter().for_each(|line| lines.push(line));
            }
            () = too_slow.notified() => {
                return tracing::warn!("one who asked does not read the answers, and is left");
            }
            () = reached(&mut phases, Phase::Ended) => break,
        }
    }
    while let Ok(call) = news.try_recv() {
        serving.news(call).iter().for_each(|line| lines.push(line));
    }
    end(&mut lines).await;
}

/// Parts from one whose line cannot be read, or who has gone.
async fn part_from_odd(lines: &mut Lines<impl AsyncRead + AsyncWrite>, error: &io::Error) {
    if error.kind() == io::ErrorKind::InvalidData {
        let problem = format!("what was said to it cannot be read: {error}");
        part(lines, Error::OtherHearth { problem }).await;
    }
}

//! The asking side: a client whose commands go to the Hearth that runs on the same data.

use std::io;
use std::path::Path;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded, select};
use hearth_protocol::wire::{self, Asking};
use hearth_protocol::{Client, Command, Error, Result};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::runtime::Runtime;
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::lines::Lines;
use super::{HELLO_TIMEOUT, LAST_WORDS_TIMEOUT, knock};
use crate::config::Config;
use crate::dispatcher::Shutdown;
use crate::files::file_error;

/// Most bytes of a line that answers; the longest hold the vectors of many texts.
const MOST_LINE: usize = 1 << 30;

/// Connects to the Hearth that runs on these data, where one does and listens. The client's commands go there; once it
/// has ended, they are answered with [`Error::BackendGone`]. The shutdown ends the connection, not that Hearth.
///
/// # Errors
/// [`Error::OtherHearth`] where it does not answer or is of another version; [`Error::File`] where it is another
/// person's.
pub fn connect(config: &Config) -> Result<Option<(Client, Shutdown)>> {
    let (client, commands) = Client::new();
    let (stop, stopped) = bounded(0);
    let (greeted, greeting) = bounded(1);
    let home = config.home.clone();
    let thread = std::thread::Builder::new().name("hearth-asking".into());
    let thread = thread
        .spawn(move || relay(&home, &commands, &stopped, &greeted))
        .map_err(Error::internal)?;
    // Once it is greeted, or the thread has ended.
    let is_there = greeting.recv().unwrap_or(Ok(false))?;
    Ok(is_there.then(|| (client, Shutdown::new(stop, thread))))
}

/// Carries commands until all is over.
fn relay(home: &Path, commands: &Receiver<Command>, stopped: &Receiver<()>, greeted: &Sender<Result<bool>>) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .thread_name("hearth-asking")
        .enable_all()
        .build();
    // Whoever waits for the greeting waits for one only.
    let tell = |greeting| drop(greeted.try_send(greeting));
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => return tell(Err(Error::internal(error))),
    };
    match runtime.block_on(greet(home)) {
        Ok(Some(lines)) => {
            tell(Ok(true));
            carry(&runtime, lines, commands, stopped);
        }
        Ok(None) => tell(Ok(false)),
        Err(error) => tell(Err(error)),
    }
    runtime.shutdown_background();
}

/// A stream to the Hearth that runs, after both have said hello.
async fn greet(home: &Path) -> Result<Option<Lines<impl AsyncRead + AsyncWrite + Send + 'static>>> {
    let stream = match knock(home).await {
        Ok(Some(stream)) => stream,
        Ok(None) => return Ok(None),
        Err(error) => return Err(file_error(home, &error)),
    };
    let mut lines = Lines::new(stream, MOST_LINE);
    lines.push(&wire::hello());
    match timeout(HELLO_TIMEOUT, lines.next()).await {
        Ok(Ok(Some(hello))) => wire::heed_hello(&hello).map(|()| Some(lines)),
        // It is just ending.
        Ok(Ok(None)) => Ok(None),
        Ok(Err(error)) if error.kind() != io::ErrorKind::InvalidData => Ok(None),
        Ok(Err(error)) => Err(Error::OtherHearth {
            problem: format!("what it says cannot be read: {error}"),
        }),
        Err(_) => Err(Error::OtherHearth {
            problem: "it does not answer; wait until it does, or end it".into(),
        }),
    }
}

fn carry(
    runtime: &Runtime,
    lines: Lines<impl AsyncRead + AsyncWrite + Send + 'static>,
    commands: &Receiver<Command>,
    stopped: &Receiver<()>,
) {
    let (hand_on, handed) = mpsc::unbounded_channel();
    let talk = runtime.spawn(talk(lines, handed));
    // A command that finds nobody to take it is answered by being dropped.
    let hand = |command| drop(hand_on.send(command));
    loop {
        select! {
            recv(commands) -> command => match command {
                Ok(command) => hand(command),
                Err(_) => break,
            },
            // Nothing is ever sent: the channel closes when it is time to stop.
            recv(stopped) -> _ => break,
        }
    }
    commands.try_iter().take(commands.len()).for_each(hand);
    drop(hand_on);
    let limit = LAST_WORDS_TIMEOUT + Duration::from_secs(1);
    if runtime.block_on(async { timeout(limit, talk).await }).is_err() {
        tracing::warn!("the Hearth that runs did not take the last commands");
    }
}

/// Writes commands and reads answers until nobody asks any more or the other side has ended.
async fn talk(mut lines: Lines<impl AsyncRead + AsyncWrite>, mut commands: mpsc::UnboundedReceiver<Command>) {
    let (leave, mut left) = mpsc::unbounded_channel();
    // Who leaves after the end tells nobody.
    let mut asking = Asking::new(move |call| {
        leave.send(call).ok();
    });
    loop {
        tokio::select! {
            line = lines.next() => match line {
                Ok(Some(line)) => {
                    if let Err(error) = asking.hear(&line) {
                        return tracing::error!("{error}");
                    }
                }
                Ok(None) => return,
                Err(error) => return tracing::debug!(%error, "the Hearth that runs has gone"),
            },
            command = commands.recv() => match command {
                Some(command) => asking.ask(command).iter().for_each(|line| lines.push(line)),
                None => break,
            },
            Some(call) = left.recv() => asking.leave(call).iter().for_each(|line| lines.push(line)),
        }
    }
    match timeout(LAST_WORDS_TIMEOUT, lines.flush()).await {
        Ok(Ok(())) => (),
        outcome => tracing::debug!(?outcome, "the last lines did not arrive"),
    }
}

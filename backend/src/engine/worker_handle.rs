//! One worker process as the backend sees it: started, asked, listened to, ended and reaped.
//!
//! What it says and how it ended go to one closure, in order; `Ended` is always the last and means that the
//! process is gone and its memory is free.

mod log;

use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use hearth_protocol::{Error, Result};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep_until, timeout};

use super::ipc::{self, Request, Response};
use crate::config::WorkerCommand;
use log::Log;

/// How long a worker may take to leave by itself before it is killed.
const GRACE: Duration = Duration::from_secs(2);

/// Where llama.cpp reads that it shall not start a debugger on itself when an assertion fails: gdb takes seconds and
/// writes into the worker's answers.
const NO_BACKTRACE: &str = "GGML_NO_BACKTRACE";

/// Settings of OpenMP that would give a worker fewer threads than it asks for, on which its spinning depends. So would
/// `OMP_DYNAMIC`.
const OMP_LIMITS: [&str; 2] = ["OMP_THREAD_LIMIT", "OMP_MAX_ACTIVE_LEVELS"];

/// How much of a line that is no message is shown.
const SHOWN_OF_A_STRAY_LINE: usize = 80;

/// What comes from a worker.
#[derive(Debug)]
pub(super) enum WorkerEvent {
    /// It said something.
    Said(Response),
    /// It has ended and is reaped.
    Ended {
        /// How, such as `it was killed by signal 9`.
        cause: String,
        /// The last lines of its log, oldest first.
        log: Vec<String>,
    },
}

/// A running worker. Dropping it kills the process.
#[derive(Debug)]
pub(super) struct Worker {
    process: u32,
    /// `None` once its input is closed.
    requests: Option<mpsc::UnboundedSender<Request>>,
    orders: watch::Sender<Order>,
}

/// What a worker's task shall do with the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    Run,
    Leave,
    Die,
}

impl Worker {
    /// Starts the process; `tell` hears all that comes from it. Must be called within the runtime.
    ///
    /// # Errors
    /// `File` where the program cannot be started.
    pub(super) fn start(
        command: &WorkerCommand,
        tell: impl Fn(WorkerEvent) + Send + Sync + 'static,
    ) -> Result<Self> {
        let refused = |reason: String| Error::File {
            path: command.program.display().to_string(),
            reason,
        };
        let mut child = spawn(command).map_err(|error| refused(format!("it did not start: {error}")))?;
        let (Some(process), Some(stdin), Some(stdout), Some(stderr)) = (
            child.id(),
            child.stdin.take(),
            child.stdout.take(),
            child.stderr.take(),
        ) else {
            return Err(refused("it started without its pipes".into()));
        };
        tracing::debug!(process, "worker started");

        let (requests, asked) = mpsc::unbounded_channel();
        let (orders, ordered) = watch::channel(Order::Run);
        let log = Log::default();
        let logging = tokio::spawn(log.clone().keep(stderr, process));
        tokio::spawn(write(stdin, asked));
        tokio::spawn(async move {
            let cause = attend(child, stdout, ordered, &tell).await;
            // The log ends with the process; only a stray heir of its pipe could hold it open longer.
            if timeout(GRACE, logging).await.is_err() {
                tracing::warn!(process, "the worker's log did not end with it");
            }
            tracing::debug!(process, cause, "worker ended");
            let log = log.lines();
            tell(WorkerEvent::Ended { cause, log });
        });
        Ok(Self {
            process,
            requests: Some(requests),
            orders,
        })
    }

    /// Its process.
    pub(super) fn process(&self) -> u32 {
        self.process
    }

    /// Asks it something. One that has ended does not answer; its `Ended` comes instead.
    pub(super) fn ask(&self, request: Request) {
        let sent = self.requests.as_ref().map(|requests| requests.send(request));
        if !matches!(sent, Some(Ok(()))) {
            tracing::debug!(process = self.process, "the worker takes no more requests");
        }
    }

    /// Closes its input, so that it stops what it does, says how far it came and ends; kills it if it does not.
    pub(super) fn leave(&mut self) {
        self.requests = None;
        self.order(Order::Leave);
    }

    /// Kills it at once.
    pub(super) fn kill(&mut self) {
        self.order(Order::Die);
    }

    fn order(&self, order: Order) {
        self.orders.send_if_modified(|now| {
            // A worker that is to die is not asked to leave any more.
            let harder = matches!((*now, order), (Order::Run, _) | (Order::Leave, Order::Die));
            if harder {
                *now = order;
            }
            harder
        });
    }
}

fn spawn(command: &WorkerCommand) -> std::io::Result<Child> {
    let mut process = Command::new(&command.program);
    process
        .args(&command.arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    process.env(NO_BACKTRACE, "1").env("OMP_DYNAMIC", "false");
    for limit in OMP_LIMITS {
        process.env_remove(limit);
    }
    // A Ctrl-C in the terminal is for the program that the person started, not for its workers.
    #[cfg(unix)]
    process.process_group(0);
    #[cfg(windows)]
    process.creation_flags(CREATE_NO_WINDOW);
    process.spawn()
}

/// Keeps Windows from opening a console for the worker (`processthreadsapi.h`).
#[cfg(windows)]
const CREATE_NO_WINDOW: u32 = 0x0800_0000;

/// Writes requests until there are no more, then closes the worker's input.
async fn write(mut stdin: ChildStdin, mut requests: mpsc::UnboundedReceiver<Request>) {
    while let Some(request) = requests.recv().await {
        let written = match ipc::encode(&request) {
            Ok(line) => stdin.write_all(line.as_bytes()).await,
            Err(error) => Err(std::io::Error::other(error)),
        };
        if let Err(error) = written {
            // The worker is gone or goes: with its input closed it ends in any case, and that is told.
            tracing::debug!(%error, "a request did not reach the worker");
            break;
        }
    }
}

/// Listens until the worker ends or must end, reaps it, and gives the cause in words.
async fn attend(
    mut child: Child,
    stdout: ChildStdout,
    mut orders: watch::Receiver<Order>,
    tell: &(impl Fn(WorkerEvent) + Sync),
) -> String {
    let status = match listen(stdout, &mut orders, tell).await {
        Silence::Closed => match timeout(GRACE, child.wait()).await {
            Ok(status) => status,
            Err(_) => kill(&mut child).await,
        },
        Silence::Ordered => kill(&mut child).await,
        Silence::Stray(line) => {
            return match kill(&mut child).await {
                Ok(_) => format!("it sent a line that is no message: {line}"),
                Err(error) => unreaped(&error),
            };
        }
    };
    match status {
        Ok(status) => describe(status),
        Err(error) => unreaped(&error),
    }
}

/// Kills and reaps; one that has ended already is only reaped.
async fn kill(child: &mut Child) -> std::io::Result<ExitStatus> {
    child.start_kill()?;
    child.wait().await
}

/// Why there is no more to hear from a worker.
enum Silence {
    /// It closed its output, as every ending process does.
    Closed,
    /// It was to end and did not in time, or was to be killed.
    Ordered,
    /// It sent something that is no message.
    Stray(String),
}

async fn listen(
    stdout: ChildStdout,
    orders: &mut watch::Receiver<Order>,
    tell: &(impl Fn(WorkerEvent) + Sync),
) -> Silence {
    let mut lines = BufReader::new(stdout).lines();
    let mut last_moment = None;
    loop {
        let overdue = async move {
            match last_moment {
                Some(moment) => sleep_until(moment).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            line = lines.next_line() => match line {
                Ok(Some(line)) => match ipc::decode(&line) {
                    Ok(response) => tell(WorkerEvent::Said(response)),
                    Err(_) => return Silence::Stray(line.chars().take(SHOWN_OF_A_STRAY_LINE).collect()),
                },
                Ok(None) => return Silence::Closed,
                Err(error) => return Silence::Stray(error.to_string()),
            },
            ordered = orders.changed() => match (ordered, *orders.borrow()) {
                (Ok(()), Order::Run) => (),
                (Ok(()), Order::Leave) => last_moment = Some(Instant::now() + GRACE),
                // An error means that its handle was dropped.
                (Ok(()), Order::Die) | (Err(_), _) => return Silence::Ordered,
            },
            () = overdue => return Silence::Ordered,
        }
    }
}

/// How a process ended, as the end of the sentence `The engine stopped while …`.
fn describe(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("it was killed by signal {signal}");
    }
    match status.code() {
        Some(code) => format!("it ended with code {code}"),
        None => "it ended".into(),
    }
}

fn unreaped(error: &std::io::Error) -> String {
    format!("the system did not say how it ended: {error}")
}

#[cfg(test)]
#[cfg(unix)]
mod tests;

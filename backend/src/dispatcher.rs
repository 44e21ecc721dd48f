//! Starts the backend and routes each command to its service. It only routes: one `match`, one line an arm.

mod chats;
mod heeding;
mod hub;
mod keeping;
mod lane;
mod models;
mod stored;

use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded, select};
use hearth_protocol::command::{LibraryCommand, SettingsCommand};
use hearth_protocol::{Client, Command, Error, Reply, Result};
use tokio::runtime::Runtime;
use tokio::sync::Notify;

use crate::config::Config;
use crate::download::{Downloads, Surroundings};
use crate::engine::Engine;
use crate::files::make_private_folder;
use crate::finder::Finder;
use crate::hub::Hub;
use crate::library::Library;
use crate::local::{Local, Shut};
use crate::net::Net;
use crate::relocate;
use crate::server::LocalServer;
use crate::window::WindowBell;
use crate::wipe;
use heeding::Heeding;
use stored::Stored;

/// Threads of the services' runtime. They wait for disk, pipes and sockets; what computes is elsewhere.
const RUNTIME_THREADS: usize = 2;

/// How long the last changes may take when all ends.
const END_TIMEOUT: Duration = Duration::from_secs(10);

/// Starts the backend on threads of its own and returns at once.
///
/// What cannot be opened (a database of a newer version, a folder without permission) does not end it: the
/// commands that need it answer with the reason.
pub fn start(config: Config) -> (Client, Shutdown) {
    let (client, shutdown, _) = start_with(config, Stays::No);
    (client, shutdown)
}

/// The same, for a Hearth that others ask: processes of the same person can [`connect`](crate::connect) to it. `None` where
/// another one on the same data listens already, which is the one to ask.
pub fn start_listening(config: Config) -> Option<(Client, Shutdown)> {
    let (client, shutdown, taken) = start_with(config, Stays::AndListens);
    // Where it does not even begin, every command is answered with that.
    match taken.recv() {
        Ok(true) => None,
        Ok(false) | Err(_) => Some((client, shutdown)),
    }
}

/// The same, for a Hearth that stays, whether or not another one on the same data listens. The local server starts where the
/// settings say that it starts with Hearth.
pub fn start_serving(config: Config) -> (Client, Shutdown) {
    let (client, shutdown, _) = start_with(config, Stays::AndServes);
    (client, shutdown)
}

/// Whether a backend is there for others than the one who started it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stays {
    No,
    AndListens,
    AndServes,
}

/// The last one tells whether another Hearth listens in its place.
fn start_with(config: Config, stays: Stays) -> (Client, Shutdown, Receiver<bool>) {
    let (client, commands) = Client::new();
    let (stop, stopped) = bounded(0);
    let (tell_taken, taken) = bounded(1);
    let thread = std::thread::Builder::new().name("hearth-dispatcher".into());
    let asking = client.clone();
    let thread = thread.spawn(move || dispatch(&config, asking, &commands, &stopped, stays, &tell_taken));
    let thread = thread
        .inspect_err(|error| tracing::error!(%error, "the backend's thread did not start"))
        .ok();
    let shutdown = Shutdown {
        stop: Some(stop),
        thread,
    };
    (client, shutdown, taken)
}

/// Ends the backend when told to or dropped: what was asked before is still begun, changes are stored, answers end as
/// stopped and are stored, workers end, the database is closed.
#[derive(Debug)]
pub struct Shutdown {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Shutdown {
    /// Ends what runs on this thread by closing this channel.
    pub(crate) fn new(stop: Sender<()>, thread: JoinHandle<()>) -> Self {
        Self {
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// Ends the backend and waits until it has ended.
    pub fn shut_down(self) {}
}

impl Drop for Shutdown {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the backend's thread panicked");
        }
    }
}

/// `client` is for those services that ask others through the protocol, and for other processes where it `stays`.
fn dispatch(
    config: &Config,
    client: Client,
    commands: &Receiver<Command>,
    stopped: &Receiver<()>,
    stays: Stays,
    tell_taken: &Sender<bool>,
) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(RUNTIME_THREADS)
        .thread_name("hearth-service")
        .enable_all()
        .build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        // Dropping the receiver answers every command that the backend is gone.
        Err(error) => return tracing::error!(%error, "the backend's runtime did not start"),
    };
    // What an earlier end came too early for.
    wipe::carry_out(config);
    let (home, held) = relocate::enter(&config.home);
    let config = &Config {
        home,
        ..config.clone()
    };
    let services = runtime.block_on(Services::open(config, client.clone()));
    if stays == Stays::AndServes {
        runtime.spawn(services.serve_if_wanted());
    }
    let local = (stays != Stays::No).then(|| Local::open(&runtime, &config.home, client));
    if tell_taken.send(matches!(local, Some(Err(Shut::Taken)))).is_err() {
        tracing::trace!("nobody wants to know who listens");
    }
    let local = local.and_then(std::result::Result::ok);
    loop {
        select! {
            recv(commands) -> command => match command {
                Ok(command) => services.route(&runtime, command),
                Err(_) => break,
            },
            // Nothing is ever sent: the channel closes when it is time to stop.
            recv(stopped) -> _ => break,
        }
    }
    local.iter().for_each(Local::close);
    // What was asked before the end is not lost, whichever of the two channels was looked at first.
    for command in commands.try_iter().take(commands.len()) {
        services.route(&runtime, command);
    }
    runtime.block_on(services.shut_down());
    if let Some(local) = local {
        runtime.block_on(local.finish());
    }
    drop(held);
    wipe::carry_out(config);
    relocate::carry_out(&config.home);
    end(runtime);
}

/// Ends what still runs: reads, whose answers say that the backend is gone. A thread that reads from a disk which
/// does not answer is not waited for.
fn end(runtime: Runtime) {
    runtime.shutdown_background();
}

/// What answers commands.
struct Services {
    /// The data folder.
    home: PathBuf,
    /// What settings reach.
    heeding: Heeding,
    library: Library,
    finder: Finder,
    server: LocalServer,
    window: WindowBell,
    /// What lives in the database, or why there is none.
    stored: Result<Stored>,
}

impl Services {
    async fn open(config: &Config, client: Client) -> Self {
        if let Err(error) = make_private_folder(&config.home) {
            // The database says what is in the way to whoever asks.
            tracing::debug!(%error, "the data folder cannot be made");
        }
        let net = Net::new(config.hub.offline);
        let library = Library::new(config, net.clone());
        let engine = Engine::new(config.worker.clone(), config.kv_states());
        let hub = Hub::new(config, net.clone());
        let downloads = Downloads::new(config, hub.clone(), net.clone(), Surroundings::default());
        let heeding = Heeding {
            net,
            engine,
            hub,
            downloads,
            library: library.clone(),
        };
        let stored = Stored::open(config, &heeding, &library).await;
        if let Err(error) = &stored {
            // Every command that needs it is answered with the reason.
            tracing::warn!(%error, "the database is not open");
        }
        let store = stored.as_ref().map(|stored| stored.store.clone());
        let server =
            LocalServer::new(client, store.map_err(Clone::clone), config.logs(), config.slots()).await;
        let remembered = stored.as_ref().ok();
        let remembered = remembered.map(|stored: &Stored| (stored.store.clone(), stored.settings.clone()));
        let finder = Finder::new(library.clone(), heeding.engine.clone(), remembered);
        Self {
            home: config.home.clone(),
            heeding,
            library,
            finder,
            server,
            window: WindowBell::default(),
            stored,
        }
    }

    /// Starts the local server where the settings say that it starts with Hearth.
    fn serve_if_wanted(&self) -> impl Future<Output = ()> + Send + 'static {
        let (server, stored) = (self.server.clone(), self.stored.clone());
        async move {
            let Ok(stored) = stored else {
                return;
            };
            let config = stored.settings.read().await.server;
            if config.start_with_hearth {
                server.start_with_hearth(config).await;
            }
        }
    }

    async fn shut_down(self) {
        let Heeding {
            engine, downloads, ..
        } = self.heeding;
        tokio::join!(
            downloads.shut_down(),
            self.library.end_changes(),
            self.server.shut_down()
        );
        let Ok(stored) = self.stored else {
            return engine.shut_down().await;
        };
        stored.changes.finish(END_TIMEOUT).await;
        // Turns are told first, so that they end as stopped. The engine does not wait for their ends, since a worker
        // that hangs only ends when it is killed.
        tokio::join!(biased; stored.chats.shut_down(), engine.shut_down());
        stored.store.close().await;
    }

    fn route(&self, runtime: &Runtime, command: Command) {
        match command {
            Command::Library(command) => self.library(runtime, command),
            Command::Engine(command) => self.engine(runtime, command),
            Command::Chat(command) => match self.stored.clone() {
                Ok(stored) => stored.chat(runtime, command),
                Err(error) => Command::Chat(command).refuse(error),
            },
            Command::Preset(command) => match self.stored.clone() {
                Ok(stored) => stored.preset(runtime, command),
                Err(error) => Command::Preset(command).refuse(error),
            },
            Command::Settings(SettingsCommand::DeleteAll { reply }) => {
                let (home, hub) = (self.home.clone(), self.heeding.hub.clone());
                answer(runtime, reply, hub::delete_all(home, hub));
            }
            Command::Settings(SettingsCommand::MoveData { to, reply }) => {
                answer(runtime, reply, relocate::want(self.home.clone(), to));
            }
            Command::Settings(command) => match self.stored.clone() {
                Ok(stored) => stored.settings(runtime, &self.heeding, &self.server, command),
                Err(error) => Command::Settings(command).refuse(error),
            },
            Command::Catalogue(command) => match self.stored.clone() {
                Ok(stored) => stored.catalogue(runtime, command),
                Err(error) => Command::Catalogue(command).refuse(error),
            },
            Command::Download(command) => self.heeding.downloads.carry_out(command),
            Command::Hub(command) => self.hub(runtime, command),
            Command::Server(command) => self.server.carry_out(command),
            Command::Window(command) => self.window.carry_out(command),
        }
    }

    fn library(&self, runtime: &Runtime, command: LibraryCommand) {
        let library = self.library.clone();
        match command {
            LibraryCommand::List { reply } => answer(runtime, reply, async move { library.list().await }),
            LibraryCommand::Find { model, reply } => {
                answer(runtime, reply, async move { library.matches(&model).await })
            }
            LibraryCommand::Scan { events } => drop(runtime.spawn(async move { library.scan(events).await })),
            LibraryCommand::Watch { events } => drop(runtime.spawn(async move { library.watch(events) })),
            LibraryCommand::Inspect { file, reply } => {
                answer(runtime, reply, async move { library.inspect(file).await })
            }
            LibraryCommand::DiskUse { reply } => answer(runtime, reply, async move {
                let leftovers = library.leftovers().await?;
                library.disk_use(&leftovers).await
            }),
            command => self.change_library(runtime, command),
        }
    }
}

/// Runs `work` on the runtime and sends its outcome.
fn answer<T: Send + 'static>(
    runtime: &Runtime,
    reply: Reply<T>,
    work: impl Future<Output = Result<T>> + Send + 'static,
) {
    runtime.spawn(async move { reply.send(work.await) });
}

/// Runs work that changes nothing and sends its outcome; where nobody waits for that any more, the work stops.
fn tell<T: Send + 'static>(
    runtime: &Runtime,
    reply: Reply<T>,
    work: impl Future<Output = Result<T>> + Send + 'static,
) {
    let left = Arc::new(Notify::new());
    let leave = Arc::clone(&left);
    reply.on_abandoned(move || leave.notify_one());
    runtime.spawn(async move {
        tokio::select! {
            outcome = work => reply.send(outcome),
            () = left.notified() => tracing::debug!("nobody waits for an answer any more"),
        }
    });
}

/// Answers a command whose feature is not built.
fn refuse(command: Command) {
    let error = Error::not_yet(command.name());
    command.refuse(error);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_that_does_not_answer_does_not_hold_the_end() {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .build()
            .expect("a runtime");
        let (reads, reading) = bounded::<()>(0);
        let (answers, answering) = bounded(0);
        runtime.spawn_blocking(move || {
            reads.send(()).expect("the test listens");
            answers.send(()).is_err()
        });
        reading.recv().expect("it reads");
        end(runtime);
        // Only now the disk answers.
        answering.recv().expect("the reading thread is still there");
    }
}

//! A hub for tests: the Hugging Face Hub's API and its file host as far as Hearth speaks to them, on two ports of
//! this machine, with every fault that a server or a network shows.
//!
//! Shapes follow the public clients: `huggingface_hub` (`hf_api.py`, `file_download.py`) and `huggingface.js`
//! (`packages/hub`). Nothing here is part of an installed Hearth.
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a helper of tests fails as they do"
)]

mod api;
mod fault;
mod files;
mod held;
mod pace;
mod query;
mod repo;
mod search;
mod state;
pub mod tiny_gguf;

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::JoinHandle;

use axum::Router;
use tokio::sync::{oneshot, watch};

pub use fault::{Fault, Place};
pub use repo::{File, Gate, Repo, sha256, some_bytes};
pub use state::Seen;
use state::{Host, State};

/// How a hub serves.
#[derive(Debug, Clone, Copy, Default)]
pub struct Serving {
    /// Port of its API; 0 takes a free one.
    pub port: u16,
    /// Bytes a second that each connection of the file host gives; `None` gives them as fast as it goes.
    pub connection_speed: Option<u32>,
    /// Whether files are sent without counting their bytes or holding them back, so that the hub takes little of the
    /// machine that something is measured on. [`TestHub::sent`] and [`TestHub::allow`] know nothing then.
    pub uncounted: bool,
}

/// A running hub. Ends when it is dropped.
pub struct TestHub {
    state: Arc<State>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl TestHub {
    /// Starts one without repositories on two free ports.
    pub fn start() -> Self {
        Self::start_with(Serving::default())
    }

    /// Starts one that serves in this way.
    pub fn start_with(how: Serving) -> Self {
        let (hub, files) = (bind(how.port), bind(0));
        let state = Arc::new(State::new(address(&hub), address(&files), how.uncounted));
        let (stop, stopped) = oneshot::channel();
        let serving = Arc::clone(&state);
        // A thread and a runtime of its own, so that tests with and without one can use it.
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(2)
                .enable_all()
                .build()
                .expect("a runtime");
            runtime.spawn(serve(hub, Host::Hub, None, Arc::clone(&serving)));
            runtime.spawn(serve(files, Host::Files, how.connection_speed, serving));
            // Nothing is sent: the sender is dropped when it is time to end.
            runtime.block_on(async { stopped.await.unwrap_or_default() });
            runtime.shutdown_background();
        });
        Self {
            state,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// The address that `HF_ENDPOINT` names.
    pub fn url(&self) -> String {
        format!("http://{}", self.state.hub)
    }

    /// Adds a repository, or replaces the one of this name.
    pub fn add(&self, repo: Repo) {
        self.state.lock().repos.insert(repo.name.clone(), repo);
    }

    /// Makes a token known, with the repositories behind a gate that it may read.
    pub fn add_token(&self, token: &str, account: &str, granted: &[&str]) {
        let granted = granted.iter().map(ToString::to_string).collect();
        let mut world = self.state.lock();
        world
            .tokens
            .insert(token.to_owned(), (account.to_owned(), granted));
    }

    /// Plays a fault for the next `times` requests to `place` whose path holds `path`; `None` for all of them.
    pub fn fault(&self, place: Place, path: &str, times: Option<usize>, fault: Fault) {
        self.state.lock().faults.push(fault::Rule {
            place,
            path: path.to_owned(),
            times,
            fault,
        });
    }

    /// Ends all faults.
    pub fn mend(&self) {
        self.state.lock().faults.clear();
    }

    /// Makes every signed address given out so far worthless.
    pub fn expire_addresses(&self) {
        self.state.lock().first_valid_signature += 1;
    }

    /// How many entries a page of a list has; 1,000 without it.
    pub fn set_page_length(&self, length: usize) {
        self.state.lock().page_length = length;
    }

    /// Lets the file host send this many bytes in all, then hold still until more are allowed; `None` lifts the limit.
    pub fn allow(&self, bytes: Option<u64>) {
        self.state.budget.send_replace(bytes.unwrap_or(u64::MAX));
    }

    /// Bytes of files that were sent so far, to whatever end.
    pub fn sent(&self) -> u64 {
        *self.state.sent.borrow()
    }

    /// Blocks until this many bytes of files were sent in all.
    pub fn wait_until_sent(&self, bytes: u64) {
        wait_for(&self.state.sent, move |sent| *sent >= bytes);
    }

    /// Blocks until no body of a file is being sent: whoever asked has all of it, or has gone, and this hub knows.
    pub fn wait_until_quiet(&self) {
        wait_for(&self.state.sending, |sending| *sending == 0);
    }

    /// Blocks until this many requests are held by [`Fault::Hold`].
    pub fn wait_until_held(&self, requests: usize) {
        wait_for(&self.state.held, move |held| held.now >= requests);
    }

    /// Blocks until those who asked have gone away from this many held requests, in all.
    pub fn wait_until_left(&self, requests: usize) {
        wait_for(&self.state.held, move |held| held.left >= requests);
    }

    /// Answers all requests that are held.
    pub fn release(&self) {
        self.state.released.send_replace(());
    }

    /// All requests so far, oldest first.
    pub fn seen(&self) -> Vec<Seen> {
        self.state.lock().seen.clone()
    }

    /// Forgets the requests so far.
    pub fn clear_seen(&self) {
        self.state.lock().seen.clear();
    }

    /// The requests for bodies of files so far, oldest first.
    pub fn file_requests(&self) -> Vec<Seen> {
        let mut seen = self.seen();
        seen.retain(|seen| seen.on_file_host);
        seen
    }
}

impl Drop for TestHub {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the hub's thread");
        }
    }
}

/// Blocks until a value is as it shall be.
fn wait_for<T: Send + Sync + 'static>(
    value: &watch::Sender<T>,
    mut is_so: impl FnMut(&T) -> bool + Send + 'static,
) {
    let mut value = value.subscribe();
    // A thread of its own, since a runtime may drive the one of the test.
    let waiting = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .expect("a runtime");
        let waiting = async { value.wait_for(|value| is_so(value)).await.is_ok() };
        assert!(runtime.block_on(waiting), "the hub ended");
    });
    waiting.join().expect("it becomes so");
}

fn bind(port: u16) -> TcpListener {
    let listener = TcpListener::bind(("127.0.0.1", port)).expect("a port");
    listener.set_nonblocking(true).expect("a listener");
    listener
}

fn address(listener: &TcpListener) -> SocketAddr {
    listener.local_addr().expect("an address")
}

async fn serve(listener: TcpListener, host: Host, bytes_per_second: Option<u32>, state: Arc<State>) {
    let router = match host {
        Host::Hub => Router::new().fallback(api::answer),
        Host::Files => Router::new().fallback(files::answer),
    };
    let listener = pace::PacedListener {
        listener: tokio::net::TcpListener::from_std(listener).expect("a listener"),
        bytes_per_second,
    };
    axum::serve(listener, router.with_state(state))
        .await
        .expect("serving goes on");
}

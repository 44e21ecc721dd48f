//! The system wants the program to end, as at the end of a session: the backend ends as by the window's own button, so
//! that the last words of an answer are stored.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the program shall end.
#[derive(Debug, Default)]
pub(crate) struct Ending(Arc<AtomicBool>);

impl Ending {
    /// Takes the system's wish from now on, and calls `wake` when it comes. Where there are no signals, the system
    /// closes windows itself.
    pub(crate) fn listen(wake: impl Fn() + Send + 'static) -> Self {
        let ending = Self::default();
        #[cfg(unix)]
        if let Err(error) = listen_for_signals(Arc::clone(&ending.0), wake) {
            tracing::warn!(%error, "the system ends the program at once");
        }
        #[cfg(not(unix))]
        drop(wake);
        ending
    }

    /// Ends the program with the next event, as if the system wanted it.
    pub(crate) fn want(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Whether it has come.
    pub(crate) fn is_wanted(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// Ends the process, after the backend has ended. Makepad's own way out goes on to draw: on X11 on a connection that it
/// has just closed, where it may stand still for ever.
#[expect(
    clippy::disallowed_methods,
    reason = "the backend has ended, and nothing else of the window outlives it"
)]
pub(crate) fn leave() -> ! {
    std::process::exit(0)
}

#[cfg(unix)]
fn listen_for_signals(wanted: Arc<AtomicBool>, wake: impl Fn() + Send + 'static) -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    // The last is only kept from killing: a file that grows too large is an error of that file.
    let mut signals = signal_hook::iterator::Signals::new([SIGTERM, SIGHUP, SIGINT, SIGXFSZ])?;
    let work = move || {
        for signal in signals.forever().filter(|signal| *signal != SIGXFSZ) {
            tracing::info!(signal, "the system ends the program");
            wanted.store(true, Ordering::Release);
            wake();
        }
    };
    std::thread::Builder::new()
        .name("hearth-signals".into())
        .spawn(work)
        .map(drop)
}

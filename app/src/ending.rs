//! The system wants the program to end, as at the end of a session: the backend ends as by the window's own button, so
//! that the last words of an answer are stored.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the program shall end.
#[derive(Debug, Default)]
pub(crate) struct Ending {
    wanted: Arc<AtomicBool>,
    again: AtomicBool,
}

impl Ending {
    /// Takes the system's wish from now on, and calls `wake` when it comes. Where there are no signals, the system
    /// closes windows itself.
    pub(crate) fn listen(wake: impl Fn() + Send + 'static) -> Self {
        let ending = Self::default();
        #[cfg(unix)]
        if let Err(error) = listen_for_signals(Arc::clone(&ending.wanted), wake) {
            tracing::warn!(%error, "the system ends the program at once");
        }
        #[cfg(not(unix))]
        drop(wake);
        ending
    }

    /// Ends the program with the next event, as if the system wanted it.
    pub(crate) fn want(&self) {
        self.wanted.store(true, Ordering::Release);
    }

    /// The same, and the program starts again.
    pub(crate) fn want_again(&self) {
        self.again.store(true, Ordering::Release);
        self.want();
    }

    /// Whether it has come.
    pub(crate) fn is_wanted(&self) -> bool {
        self.wanted.load(Ordering::Acquire)
    }

    /// Whether the program starts again.
    pub(crate) fn is_again(&self) -> bool {
        self.again.load(Ordering::Acquire)
    }
}

/// Starts the program once more, with the arguments it had.
fn open_again() {
    let started = std::env::current_exe().and_then(|program| {
        std::process::Command::new(program)
            .args(std::env::args_os().skip(1))
            .spawn()
    });
    if let Err(error) = started {
        tracing::warn!(%error, "Hearth does not open again by itself");
    }
}

/// Ends the process, after the backend has ended, and starts it `again` where that is wanted. Makepad's own way out goes on
/// to draw: on X11 on a connection that it has just closed, where it may stand still for ever.
#[expect(
    clippy::disallowed_methods,
    reason = "the backend has ended, and nothing else of the window outlives it"
)]
pub(crate) fn leave(again: bool) -> ! {
    if again {
        open_again();
    }
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

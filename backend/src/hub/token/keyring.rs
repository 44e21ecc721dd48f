//! The system's keyring, as far as it holds one token.
//!
//! It is slow, may ask the person to unlock it, and may never answer; nothing that needs no token waits for it longer
//! than [`PATIENCE`], and that once.

use std::sync::Arc;
use std::time::Duration;

use hearth_protocol::{Error, Result, Secret};
use keyring::v1::Entry;
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

/// How the entry is called.
const SERVICE: &str = "Hearth";
const ACCOUNT: &str = "hugging-face-token";

/// How long its answer is waited for: as long as it takes to type a password.
const PATIENCE: Duration = Duration::from_secs(30);

/// The keyring. Cheap to clone; all clones share what it said.
#[derive(Debug, Clone)]
pub(super) struct Keyring {
    state: Arc<watch::Sender<State>>,
    pub(super) patience: Duration,
}

/// What is known of the entry.
#[derive(Debug)]
enum State {
    Unasked,
    /// It was asked.
    Waiting,
    /// Nobody waits for its answer any more.
    Late,
    /// What it holds. A keyring that cannot be read counts as empty.
    Known(Option<Secret>),
}

impl Default for Keyring {
    fn default() -> Self {
        Self {
            state: Arc::new(watch::Sender::new(State::Unasked)),
            patience: PATIENCE,
        }
    }
}

impl Keyring {
    /// The token it holds; it is asked the first time only. An answer that comes too late serves those who ask then.
    pub(super) async fn get(&self) -> Option<Secret> {
        let mut state = self.state.subscribe();
        if self.pass(|state| matches!(state, State::Unasked), State::Waiting) {
            let keyring = self.clone();
            spawn_blocking(move || {
                let found = State::Known(get());
                // What was kept or forgotten meanwhile is newer.
                keyring.pass(|state| matches!(state, State::Waiting | State::Late), found);
            });
        }
        let answer = state.wait_for(|state| !matches!(state, State::Waiting));
        if let Ok(answer) = timeout(self.patience, answer).await {
            // The sender lives as long as this does.
            return match &*answer.ok()? {
                State::Known(token) => token.clone(),
                State::Unasked | State::Waiting | State::Late => None,
            };
        }
        tracing::warn!("the keyring does not answer; it goes on without the token");
        self.pass(|state| matches!(state, State::Waiting), State::Late);
        None
    }

    /// Puts the token in; whether that went well.
    pub(super) async fn set(&self, token: Secret) -> bool {
        let kept = token.clone();
        let outcome = self.wait(spawn_blocking(move || entry()?.set_password(token.expose())));
        let outcome = outcome.await;
        if outcome.is_ok() {
            self.state.send_replace(State::Known(Some(kept)));
        }
        outcome
            .inspect_err(|reason| tracing::info!(reason, "no keyring takes the token; it goes to a file"))
            .is_ok()
    }

    /// Takes the token out.
    ///
    /// # Errors
    /// [`Error::Busy`] where there is a keyring that does not let it go.
    pub(super) async fn delete(&self) -> Result<()> {
        let deleting = spawn_blocking(|| match entry().and_then(|entry| entry.delete_credential()) {
            Err(keyring::v1::Error::NoEntry | keyring::v1::Error::NoDefaultStore) => Ok(()),
            other => other,
        });
        self.wait(deleting).await.map_err(|reason| Error::Busy {
            what: "The system's keyring".into(),
            reason: format!("it still holds the token ({reason}); unlock it, then try again"),
        })?;
        self.state.send_replace(State::Known(None));
        Ok(())
    }

    /// Goes from one state to another, unless it is in none of those by now; whether it went.
    fn pass(&self, from: impl Fn(&State) -> bool, to: State) -> bool {
        self.state.send_if_modified(|state| {
            let goes = from(state);
            if goes {
                *state = to;
            }
            goes
        })
    }

    /// Waits for the keyring, but not for ever.
    async fn wait(
        &self,
        work: tokio::task::JoinHandle<keyring::v1::Result<()>>,
    ) -> std::result::Result<(), String> {
        match timeout(self.patience, work).await {
            Ok(Ok(outcome)) => outcome.map_err(|error| error.to_string()),
            Ok(Err(error)) => Err(error.to_string()),
            Err(_) => Err("it does not answer".into()),
        }
    }
}

fn entry() -> keyring::v1::Result<Entry> {
    Entry::new(SERVICE, ACCOUNT)
}

fn get() -> Option<Secret> {
    match entry().and_then(|entry| entry.get_password()) {
        Ok(token) => Some(Secret::new(&token)),
        Err(keyring::v1::Error::NoEntry) => None,
        Err(error) => {
            tracing::info!(%error, "no keyring can be read");
            None
        }
    }
}

//! The pool's time: the system's, or in tests one that is set by hand.

use tokio::time::{Instant, sleep_until};

/// A clock. Clones show the same time.
#[derive(Clone)]
pub(super) enum Clock {
    /// The system's.
    System,
    /// One that a test moves on.
    #[cfg(test)]
    ByHand(tokio::sync::watch::Receiver<Instant>),
}

impl Clock {
    pub(super) fn now(&self) -> Instant {
        match self {
            Self::System => Instant::now(),
            #[cfg(test)]
            Self::ByHand(now) => *now.borrow(),
        }
    }

    /// Waits until this moment has come, for ever where there is none.
    pub(super) async fn until(&self, moment: Option<Instant>) {
        let Some(moment) = moment else {
            return std::future::pending().await;
        };
        match self {
            Self::System => sleep_until(moment).await,
            #[cfg(test)]
            Self::ByHand(now) => {
                // An error means that the test is over.
                let waited = now.clone().wait_for(|now| *now >= moment).await.is_ok();
                if !waited {
                    std::future::pending::<()>().await;
                }
            }
        }
    }
}

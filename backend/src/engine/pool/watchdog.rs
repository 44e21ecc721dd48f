//! What comes with time: idle models go, and workers that hang are killed.

use std::time::Duration;

use hearth_protocol::generate::StopReason;
use tokio::time::Instant;

use super::Pool;
use super::slot::Slot;

/// How long a worker may be silent while it works. It says something about once a second, so this is no matter of speed.
pub(super) const HANG_LIMIT: Duration = Duration::from_secs(30);

impl Pool {
    /// When something comes due, if nothing else happens before.
    pub(super) fn next_due(&self) -> Option<Instant> {
        self.slots
            .values()
            .filter_map(|slot| match slot {
                Slot::Ready(ready) => ready.due(self.limits.idle_unload),
                _ => None,
            })
            .map(|(moment, _)| moment)
            .min()
    }

    /// Does what is due.
    pub(super) fn do_what_is_due(&mut self) {
        let now = self.setup.clock.now();
        let mut overdue = Vec::new();
        for (number, slot) in &mut self.slots {
            let Slot::Ready(ready) = slot else {
                continue;
            };
            match ready.due(self.limits.idle_unload) {
                Some((moment, Due::Unload)) if moment <= now => overdue.push(*number),
                Some((moment, Due::Kill)) if moment <= now => ready.kill_hung(),
                _ => (),
            }
        }
        for number in overdue {
            tracing::info!(number, "a model that did nothing leaves memory");
            self.end_model(number, StopReason::ModelEjected);
        }
    }
}

/// What comes due for a model in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Due {
    /// It did nothing for too long.
    Unload,
    /// It works and was silent for too long.
    Kill,
}

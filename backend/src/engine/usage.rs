//! What Hearth and its workers take of this computer, measured while somebody listens.

use std::time::Duration;

use hearth_protocol::engine::{Usage, UsageEvent};
use hearth_protocol::{ByteSize, EventSink};
use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System};
use tokio::sync::oneshot;

use super::Engine;
use super::memory::Memory;
use crate::files::blocking;

/// Between two measurements.
const INTERVAL: Duration = Duration::from_secs(1);

impl Engine {
    /// Tells a listener what Hearth takes, at once and then about once a second, until it leaves.
    pub(crate) async fn watch_usage(&self, mut events: EventSink<UsageEvent>) {
        let (left, has_left) = oneshot::channel::<()>();
        events.on_abandoned(move || drop(left));
        let told = async {
            let mut meter = Meter::default();
            // Where the engine has ended, dropping the events says so.
            while let Ok(workers) = self.processes().await {
                let measured = blocking(move || {
                    let usage = meter.measure(&workers);
                    Ok((meter, usage))
                });
                let Ok((back, usage)) = measured.await else {
                    return;
                };
                meter = back;
                if events.send(UsageEvent::Usage(usage)).is_err() {
                    return;
                }
                tokio::time::sleep(INTERVAL).await;
            }
        };
        tokio::select! {
            () = told => (),
            // Nothing is ever sent: the channel closes when the listener leaves.
            _ = has_left => (),
        }
    }
}

/// What is kept between two measurements, for shares of the processors.
struct Meter {
    system: System,
    is_first: bool,
}

impl Default for Meter {
    fn default() -> Self {
        Self {
            system: System::new(),
            is_first: true,
        }
    }
}

impl Meter {
    /// Measures this process and those of workers; one that has just ended takes nothing.
    fn measure(&mut self, workers: &[u32]) -> Usage {
        let processes: Vec<Pid> = [std::process::id()]
            .iter()
            .chain(workers)
            .map(|process| Pid::from_u32(*process))
            .collect();
        let what = ProcessRefreshKind::nothing().with_cpu().with_memory();
        self.system
            .refresh_processes_specifics(ProcessesToUpdate::Some(&processes), true, what);
        let ours = || {
            processes
                .iter()
                .filter_map(|process| self.system.process(*process))
        };
        let processors = self.system.cpus().len().max(1);
        let of_all = ours().map(sysinfo::Process::cpu_usage).sum::<f32>() / processors as f32;
        let is_first = std::mem::replace(&mut self.is_first, false);
        let ours = processes
            .iter()
            .filter_map(|process| self.system.process(*process));
        let memory = Memory::now();
        Usage {
            cpu_percent: (!is_first).then_some(of_all.clamp(0.0, 100.0)),
            memory: ByteSize(ours.map(sysinfo::Process::memory).sum()),
            memory_free: memory.free.map(ByteSize),
            memory_total: memory.total.map(ByteSize),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_takes_memory_and_processors_are_told_from_the_second_time_on() {
        let mut meter = Meter::default();
        let first = meter.measure(&[]);
        assert!(first.memory > ByteSize(1 << 20), "{first:?}");
        assert_eq!(first.cpu_percent, None);
        assert!(first.memory_total >= first.memory_free, "{first:?}");
        // A process that is not there is no fault.
        let second = meter.measure(&[u32::MAX - 1]);
        assert!(
            second.cpu_percent.is_some_and(|cpu| (0.0..=100.0).contains(&cpu)),
            "{second:?}"
        );
    }
}

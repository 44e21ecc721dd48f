//! The memory of this computer, or of the container that Hearth runs in.

use hearth_protocol::ByteSize;
use hearth_protocol::settings::MemoryGuard;
use sysinfo::{CGroupLimits, ProcessRefreshKind, ProcessesToUpdate, System};

use super::plan::Budget;

/// Main memory. `None` is unknown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Memory {
    /// All there is, in bytes.
    pub(super) total: Option<u64>,
    /// What can be had now without swapping, in bytes.
    pub(super) free: Option<u64>,
}

impl Memory {
    /// The memory now. Reads a few small files of the kernel, or asks the system; never a disk.
    pub(super) fn now() -> Self {
        let mut system = System::new();
        system.refresh_memory();
        let computer = Self {
            total: known(system.total_memory()),
            free: known(system.available_memory()),
        };
        computer
            .within(system.cgroup_limits())
            .within(own_limits(&mut system))
    }

    /// What a container's limits leave of it. Files that the kernel keeps for the container are given up when memory is
    /// short, so only what its processes hold themselves is taken.
    fn within(self, container: Option<CGroupLimits>) -> Self {
        let Some((container, total)) =
            container.and_then(|container| Some((container.rss, known(container.total_memory)?)))
        else {
            return self;
        };
        let free = total.saturating_sub(container);
        Self {
            total: Some(self.total.map_or(total, |own| own.min(total))),
            free: Some(self.free.map_or(free, |own| own.min(free))),
        }
    }

    /// What models may take of it.
    pub(super) fn budget(self, guard: MemoryGuard) -> Budget {
        Budget {
            limit: guard.limit(self.total.map(ByteSize)).map(|limit| limit.0),
            free: self.free.filter(|_| guard.heeds_free_memory()),
        }
    }
}

/// The limits of the control group this process is in, which need not be the outermost one.
fn own_limits(system: &mut System) -> Option<CGroupLimits> {
    let process = sysinfo::get_current_pid().ok()?;
    system.refresh_processes_specifics(
        ProcessesToUpdate::Some(&[process]),
        false,
        ProcessRefreshKind::nothing(),
    );
    system.process(process)?.cgroup_limits()
}

/// A system without an answer says 0.
fn known(bytes: u64) -> Option<u64> {
    Some(bytes).filter(|bytes| *bytes > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_computer_has_memory_and_no_more_is_free_than_there_is() {
        let memory = Memory::now();
        let (Some(total), Some(free)) = (memory.total, memory.free) else {
            panic!("{memory:?}");
        };
        assert!(total > 100_000_000 && free <= total, "{memory:?}");
    }

    #[test]
    fn a_container_makes_it_less_and_never_more() {
        let container = |total_memory, rss| {
            Some(CGroupLimits {
                total_memory,
                rss,
                ..CGroupLimits::default()
            })
        };
        let computer = Memory {
            total: Some(100),
            free: Some(60),
        };
        let cases = [
            (computer, None, (Some(100), Some(60))),
            (computer, container(0, 0), (Some(100), Some(60))),
            (computer, container(50, 10), (Some(50), Some(40))),
            (computer, container(50, 60), (Some(50), Some(0))),
            (computer, container(u64::MAX, 10), (Some(100), Some(60))),
            (Memory::default(), container(50, 10), (Some(50), Some(40))),
            (Memory::default(), None, (None, None)),
        ];
        for (memory, container, (total, free)) in cases {
            assert_eq!(memory.within(container), Memory { total, free });
        }
    }

    #[test]
    fn a_guard_of_a_number_and_none_do_not_heed_what_is_free() {
        let memory = Memory {
            total: Some(8_000_000_000),
            free: Some(1),
        };
        let budget = |limit, free| Budget { limit, free };
        let cases = [
            (MemoryGuard::Off, budget(None, None)),
            (MemoryGuard::Balanced, budget(Some(6_800_000_000), Some(1))),
            (MemoryGuard::Gigabytes(3), budget(Some(3_000_000_000), None)),
        ];
        for (guard, expected) in cases {
            assert_eq!(memory.budget(guard), expected);
        }
    }
}

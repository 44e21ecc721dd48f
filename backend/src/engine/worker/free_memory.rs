//! How much main memory is free. ggml takes all of it for free on Unix, so this asks the system.

use std::path::{Path, PathBuf};

/// Bytes of main memory that a model can take now; `None` where the system does not say.
pub(super) fn free_memory() -> Option<u64> {
    let available = available(&std::fs::read_to_string("/proc/meminfo").ok()?)?;
    Some(match group_room() {
        Some(room) => available.min(room),
        None => available,
    })
}

/// What Linux reckons can be taken without swapping: `MemAvailable` of `/proc/meminfo`, in bytes.
fn available(meminfo: &str) -> Option<u64> {
    let line = meminfo
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

/// What the process's control group may still take: the smallest room of it and all that it lies in. `None` where
/// nothing limits it.
fn group_room() -> Option<u64> {
    let groups = std::fs::read_to_string("/proc/self/cgroup").ok()?;
    let group = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let root = Path::new("/sys/fs/cgroup");
    let group: PathBuf = root.join(group);
    group
        .ancestors()
        .take_while(|folder| folder.starts_with(root))
        .filter_map(|folder| {
            let read = |name: &str| std::fs::read_to_string(folder.join(name)).ok();
            room(
                &read("memory.max")?,
                &read("memory.current")?,
                &read("memory.stat")?,
            )
        })
        .min()
}

/// The room of one control group (version 2): its limit less what it holds, where pages of files that can be dropped
/// count as free. `None` where it has no limit.
fn room(limit: &str, current: &str, stat: &str) -> Option<u64> {
    let limit: u64 = limit.trim().parse().ok()?;
    let current: u64 = current.trim().parse().ok()?;
    let droppable = stat
        .lines()
        .find_map(|line| line.strip_prefix("inactive_file "))
        .and_then(|bytes| bytes.trim().parse().ok())
        .unwrap_or(0);
    Some(limit.saturating_sub(current.saturating_sub(droppable)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_available_is_read_in_bytes() {
        let text = "MemTotal:       24683212 kB\nMemFree:        1000 kB\nMemAvailable:   2000 kB\n";
        assert_eq!(available(text), Some(2_048_000));
        assert_eq!(available("MemTotal: 1 kB\n"), None);
        assert_eq!(available("MemAvailable: many kB\n"), None);
    }

    #[test]
    fn a_group_has_room_for_what_its_limit_leaves() {
        let stat = "anon 10\ninactive_file 300\n";
        assert_eq!(room("1000\n", "800\n", stat), Some(500));
        assert_eq!(room("1000", "100", stat), Some(1000));
        assert_eq!(room("500", "800", "anon 10"), Some(0));
        assert_eq!(room("max\n", "800\n", stat), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_machine_has_free_memory() {
        assert!(free_memory().is_some_and(|bytes| bytes > 1 << 20));
    }
}

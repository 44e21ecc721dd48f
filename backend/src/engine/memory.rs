//! Main memory of this computer, or of the container that Hearth runs in.
//!
//! What the system can give is bounded by the control group of the process and by every group around it, whose limits
//! hold for all that is in them together. Only Linux has control groups; what else the system says comes from sysinfo.

use std::path::Path;

use sysinfo::System;

/// Where control groups are mounted.
const MOUNT: &str = "/sys/fs/cgroup";

/// The groups that the process is in, one line for each hierarchy (`cgroups(7)`).
const MEMBERSHIPS: &str = "/proc/self/cgroup";

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
        let memberships = std::fs::read_to_string(MEMBERSHIPS).unwrap_or_default();
        computer.within(groups(&memberships, Path::new(MOUNT)))
    }

    /// What limits leave of it.
    fn within(self, limits: impl IntoIterator<Item = Limit>) -> Self {
        let least = |bytes: Option<u64>, other: u64| Some(bytes.map_or(other, |bytes| bytes.min(other)));
        limits.into_iter().fold(self, |memory, limit| Self {
            total: least(memory.total, limit.total),
            free: least(memory.free, limit.room),
        })
    }
}

/// The files of one version of control groups. A kernel counts memory in one of them.
struct Version {
    /// Folder below [`MOUNT`].
    folder: &'static str,
    limit: &'static str,
    usage: &'static str,
    /// Key in `memory.stat` of pages of files that can be dropped.
    droppable: &'static str,
}

const V1: Version = Version {
    folder: "memory",
    limit: "memory.limit_in_bytes",
    usage: "memory.usage_in_bytes",
    droppable: "total_inactive_file",
};

const V2: Version = Version {
    folder: "",
    limit: "memory.max",
    usage: "memory.current",
    droppable: "inactive_file",
};

/// The limit of one control group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Limit {
    /// Bytes that it may take.
    total: u64,
    /// Bytes that it may take beside what it holds.
    room: u64,
}

/// The limits of the groups that are named, and of those around them.
fn groups(memberships: &str, mount: &Path) -> Vec<Limit> {
    let mut limits = Vec::new();
    for line in memberships.lines() {
        // Such as `0::/user.slice` and `4:memory:/docker`.
        let mut fields = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (fields.next(), fields.next()) else {
            continue;
        };
        let version = match controllers {
            "" => &V2,
            controllers if controllers.split(',').any(|name| name == "memory") => &V1,
            _ => continue,
        };
        let root = mount.join(version.folder);
        // Within a container the path may be the one outside of it, which is not there; the root then is the container's.
        let group = root.join(path.trim_start_matches('/'));
        let folders = group.ancestors().take_while(|folder| folder.starts_with(&root));
        limits.extend(folders.filter_map(|folder| version.limit(folder)));
    }
    limits
}

impl Version {
    /// The limit of a group; `None` where it has none.
    fn limit(&self, group: &Path) -> Option<Limit> {
        let read = |name: &str| std::fs::read_to_string(group.join(name)).ok();
        let number = |name: &str| read(name)?.trim().parse::<u64>().ok();
        let (total, usage) = (number(self.limit)?, number(self.usage)?);
        let statistics = read("memory.stat").unwrap_or_default();
        let droppable = statistics
            .lines()
            .filter_map(|line| line.split_once(' '))
            .find(|(key, _)| *key == self.droppable)
            .and_then(|(_, bytes)| bytes.trim().parse().ok())
            .unwrap_or(0);
        Some(Limit {
            total,
            room: total.saturating_sub(usage.saturating_sub(droppable)),
        })
    }
}

/// A system without an answer says 0.
fn known(bytes: u64) -> Option<u64> {
    Some(bytes).filter(|bytes| *bytes > 0)
}

#[cfg(test)]
mod tests;

//! A disk of a few megabytes for tests of full and read-only disks.

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

/// A disk in memory, mounted on a folder of its own until it is dropped.
pub(crate) struct TinyDisk {
    folder: TempDir,
}

impl TinyDisk {
    /// Mounts one. `None`, with a word about it, where this may not be done: it takes Linux and the rights of root.
    pub(crate) fn mount(bytes: u64) -> Option<Self> {
        let folder = tempfile::tempdir().expect("a folder");
        let mut mount = Command::new("mount");
        mount
            .args(["-t", "tmpfs", "-o", &format!("size={bytes}"), "none"])
            .arg(folder.path());
        if mount.output().is_ok_and(|output| output.status.success()) {
            return Some(Self { folder });
        }
        println!("left out: no disk can be mounted here");
        None
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Lets nobody write to it any more.
    pub(crate) fn make_read_only(&self) {
        let mut remount = Command::new("mount");
        remount.args(["-o", "remount,ro"]).arg(self.path());
        assert!(remount.status().expect("mount runs").success());
    }

    /// Fills it up with a file, and gives that.
    pub(crate) fn fill(&self) -> std::path::PathBuf {
        let path = self.path().join("filler");
        let mut file = std::fs::File::create(&path).expect("a file");
        // The last write takes what is left, down to the byte.
        for size in [1 << 20, 4096, 1] {
            while std::io::Write::write_all(&mut file, &vec![1; size]).is_ok() {}
        }
        path
    }
}

impl Drop for TinyDisk {
    fn drop(&mut self) {
        // Lazily, since a test that failed may still have files open.
        let unmounted = Command::new("umount").arg("-l").arg(self.path()).status();
        assert!(unmounted.is_ok_and(|status| status.success()), "unmounted");
    }
}

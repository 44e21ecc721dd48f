//! Disks that are full, or become so. Case 26 of the public reports.

use super::*;
use crate::files::SPARE_ROOM;
use crate::tiny_disk::TinyDisk;

#[tokio::test(flavor = "multi_thread")]
async fn two_downloads_are_not_promised_the_same_room() {
    let setup = Setup::new();
    setup
        .hub
        .add(Repo::new("o/second").with("m.gguf", some_bytes(2, SIZE)));
    setup.hub.allow(Some(0));
    // Each fits, and both do not.
    let free = SPARE_ROOM + 10_000_000;
    setup.free.store(free, Ordering::SeqCst);
    let first = setup.start("o/n", None);
    setup.until(first, |download| download.total.is_some());
    let second = setup.start("o/second", None);
    let expected = Error::DiskFull {
        folder: setup.cached("o/second").display().to_string(),
        needs: ByteSize(SPARE_ROOM + 2 * SIZE as u64),
        has: ByteSize(free),
    };
    assert_eq!(setup.paused(second), expected);
    // What the first has left room for goes on by itself, whether that ends well or not.
    setup.client.cancel_download(first).wait().expect("cancelled");
    setup.hub.allow(None);
    setup.done_by_itself(second);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_fills_up_in_the_middle_pauses_and_goes_on_when_there_is_room() {
    let Some(disk) = TinyDisk::mount(100 << 20) else {
        return;
    };
    // The side files lie on it too, so that they cannot be written either.
    let setup = Setup::with(|config| {
        config.home = disk.path().join("home");
        config.hub_cache = Some(disk.path().join("cache"));
    });
    setup.free.store(ASK_THE_DISK, Ordering::SeqCst);
    setup.hub.allow(Some(2_000_000));
    let id = setup.start("o/n", None);
    setup.until(id, |download| download.done.0 > 1_500_000);
    let filler = disk.fill();
    setup.hub.allow(None);
    let Error::DiskFull { needs, has, .. } = setup.paused(id) else {
        panic!("another reason");
    };
    assert!(has < needs && needs.0 > SPARE_ROOM, "{has} {needs}");
    std::fs::remove_file(filler).expect("removed");
    let done = setup.done_by_itself(id);
    assert_eq!(done.done.0, SIZE as u64);
    setup.check_file();
}

/// Case 30 of the public reports: what cannot get its name is told, and nothing is called done.
#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_cannot_be_written_is_told() {
    let Some(disk) = TinyDisk::mount(8 << 20) else {
        return;
    };
    let setup = Setup::with(|config| config.hub_cache = Some(disk.path().join("cache")));
    setup.hub.allow(Some(0));
    let id = setup.start("o/n", None);
    setup.pause_after(id, 1_000_000);
    disk.make_read_only();
    setup.hub.allow(None);
    setup.client.resume_download(id).wait().expect("it tries");
    let error = setup.failed(id);
    assert!(
        matches!(&error, Error::File { reason, .. } if reason.contains("Read-only")),
        "{error}"
    );
}

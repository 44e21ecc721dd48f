//! Files that go while a download of them or of others runs.

use super::*;

/// The parts of `o/split`.
const PARTS: [&str; 2] = ["a-00001-of-00002.gguf", "a-00002-of-00002.gguf"];

/// Bytes of each part.
const PART: usize = 1_500_000;

/// A hub with `o/split`, and a download of it whose first part has come and whose second comes.
fn halfway() -> (Setup, DownloadId) {
    let setup = Setup::new();
    let bodies = PARTS.iter().zip([3, 4]);
    setup
        .hub
        .add(bodies.fold(Repo::new("o/split"), |repo, (name, seed)| {
            repo.with(name, some_bytes(seed, PART))
        }));
    setup.hub.allow(Some(2_000_000));
    let id = setup.start("o/split", None);
    setup.until(id, |download| download.done.0 > PART as u64);
    (setup, id)
}

/// The bytes of the first part in the cache.
fn first_blob(setup: &Setup) -> PathBuf {
    let hash = hearth_testhub::sha256(&some_bytes(3, PART));
    setup.cached("o/split").join("blobs").join(hash)
}

fn check_parts(setup: &Setup) {
    let folder = setup.cached("o/split");
    let commit = std::fs::read_to_string(folder.join("refs").join("main")).expect("the branch");
    for (name, seed) in PARTS.iter().zip([3, 4]) {
        let path = folder.join("snapshots").join(&commit).join(name);
        let bytes = std::fs::read(path).expect("a part");
        assert!(bytes == some_bytes(seed, PART), "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_part_that_goes_while_the_next_one_comes_is_fetched_again() {
    let (setup, id) = halfway();
    std::fs::remove_file(first_blob(&setup)).expect("removed");
    setup.hub.allow(None);
    setup.done(id);
    check_parts(&setup);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_goes_is_made_again_and_its_bytes_do_not_come_again() {
    let (setup, id) = halfway();
    std::fs::remove_dir_all(setup.cached("o/split").join("snapshots")).expect("removed");
    setup.hub.allow(None);
    setup.done(id);
    check_parts(&setup);
    assert_eq!(setup.hub.sent(), 2 * PART as u64);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancel_leaves_what_another_download_needs() {
    let (setup, first) = halfway();
    let second = setup.start("o/split", Some(PARTS[0]));
    let waits = |download: &Download| matches!(&download.state, DownloadState::Running { trouble: Some(trouble), .. } if trouble.contains("another download"));
    setup.until(second, waits);
    setup.client.cancel_download(first).wait().expect("cancelled");
    assert!(first_blob(&setup).exists());
    setup.hub.allow(None);
    setup.done(second);
    check_parts(&setup);
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_cancel_leaves_bytes_that_another_name_leads_to() {
    let (setup, id) = halfway();
    let other = setup.cached("o/split").join("snapshots").join("other");
    std::fs::create_dir_all(&other).expect("made");
    std::os::unix::fs::symlink(first_blob(&setup), other.join("b.gguf")).expect("linked");
    setup.client.cancel_download(id).wait().expect("cancelled");
    let bytes = std::fs::read(other.join("b.gguf")).expect("the bytes");
    assert!(bytes == some_bytes(3, PART));
    assert_eq!(
        files_below(&setup.cached("o/split")).len(),
        2,
        "the blob and its other name"
    );
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_removed_while_it_is_written_is_not_called_done() {
    let setup = Setup::new();
    setup.hub.allow(Some(1_000_000));
    let id = setup.start("o/n", None);
    setup.hub.wait_until_sent(900_000);
    setup.until(id, |download| download.done.0 > 0);
    let blobs = setup.cached("o/n").join("blobs");
    let partial = files_below(&blobs).pop().expect("a partial file");
    std::fs::remove_file(blobs.join(partial)).expect("removed");
    setup.hub.allow(None);
    let error = setup.failed(id);
    assert!(error.to_string().contains("was removed"), "{error}");
    setup.client.retry_download(id).wait().expect("goes on");
    setup.done(id);
    setup.check_file();
}

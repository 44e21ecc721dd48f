//! The list: pausing, going on, cancelling, order, and what is left of it after an end.

use hearth_protocol::download::QueuePlace;
use hearth_protocol::{ErrorKind, Waker};
use hearth_testhub::{Fault, Place};

use super::queue::may_work;
use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn a_pause_keeps_the_bytes_and_going_on_fetches_none_of_them_again() {
    let setup = Setup::new();
    setup.hub.allow(Some(0));
    let id = setup.start("o/n", None);
    setup.pause_after(id, 3_000_000);
    let paused = setup.settled(id);
    assert_eq!(paused.state, DownloadState::Paused { reason: None });
    let told = setup.told(id);
    assert_eq!(
        told.iter().map(|range| range.end - range.start).sum::<u64>(),
        paused.done.0
    );
    let partial = setup.cached("o/n").join("blobs");
    let partial = partial.join(files_below(&partial).pop().expect("a partial file"));
    let content = std::fs::read(partial).expect("the partial file");
    let whole = some_bytes(1, SIZE);
    for range in &told {
        let range = range.start as usize..range.end as usize;
        assert!(
            content[range.clone()] == whole[range.clone()],
            "{range:?} is told of and not there"
        );
    }

    let asked = setup.hub.file_requests().len();
    setup.hub.allow(None);
    setup.client.resume_download(id).wait().expect("goes on");
    setup.done(id);
    setup.check_file();
    setup.check_not_asked_again(&told, asked);
}

#[tokio::test(flavor = "multi_thread")]
async fn after_an_end_each_download_is_there_as_it_was() {
    let mut setup = Setup::new();
    setup
        .hub
        .add(Repo::new("o/paused").with("m.gguf", some_bytes(2, SIZE)));
    setup.hub.add(Repo::new("o/gone").with("m.gguf", "x"));
    setup.hub.allow(Some(0));
    let paused = setup.start("o/paused", None);
    setup.pause_after(paused, 2_000_000);
    let before = setup.settled(paused);
    let failed = setup.start("o/gone", Some("missing.gguf"));
    let error = setup.failed(failed);
    let running = setup.start("o/n", None);
    setup.hub.allow(Some(4_000_000));
    setup.hub.wait_until_sent(3_900_000);

    setup.restart().await;
    let list = setup.client.list_downloads().wait().expect("the list");
    assert_eq!(
        list.iter().map(|download| download.id).collect::<Vec<_>>(),
        [paused, failed, running]
    );
    assert_eq!(list[0], before);
    assert_eq!(list[1].state, DownloadState::Failed { error });
    setup.hub.allow(None);
    setup.done(running);
    setup.check_file();
}

#[tokio::test(flavor = "multi_thread")]
async fn after_an_end_what_was_running_goes_on_and_nobody_has_to_ask() {
    let mut setup = Setup::new();
    setup.hub.allow(Some(2_000_000));
    let id = setup.start("o/n", None);
    setup.hub.wait_until_sent(1_900_000);
    setup.downloads.shut_down().await;
    setup.hub.allow(None);
    let asked = setup.hub.file_requests().len();
    setup.restart().await;
    setup.heed(|_| ());
    // No command comes before all is sent; what was sent and not told of comes again.
    setup.hub.wait_until_sent(SIZE as u64);
    setup.done(id);
    setup.check_file();
    assert!(setup.hub.file_requests().len() > asked);
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_open_no_list_where_there_is_none() {
    let setup = Setup::new();
    setup.heed(|_| ());
    // It ends after it has heeded.
    setup.downloads.shut_down().await;
    assert!(!setup.config.downloads().exists());
}

#[test]
fn only_another_process_makes_the_list_busy() {
    use std::fs::TryLockError;
    use std::io::ErrorKind as Kind;
    let cases = [
        (Ok(()), false),
        (Err(TryLockError::WouldBlock), true),
        (Err(TryLockError::Error(Kind::Unsupported.into())), false),
    ];
    for (locked, is_busy) in cases {
        let outcome = may_work(Path::new("lock"), locked);
        let kind = outcome.err().map(|error| error.kind());
        assert_eq!(kind, is_busy.then_some(ErrorKind::Busy));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bytes_that_are_gone_are_fetched_again() {
    for spoil in [
        |path: &Path| std::fs::remove_file(path),
        |path: &Path| std::fs::write(path, "short"),
    ] {
        let mut setup = Setup::new();
        setup.hub.allow(Some(0));
        let id = setup.start("o/n", None);
        setup.pause_after(id, 3_000_000);
        setup.downloads.shut_down().await;
        let blobs = setup.cached("o/n").join("blobs");
        spoil(&blobs.join(files_below(&blobs).pop().expect("a partial file"))).expect("spoilt");
        setup.hub.allow(None);
        setup.restart().await;
        setup.client.resume_download(id).wait().expect("goes on");
        // What a shorter file held has changed too: the hash finds it, and it is fetched anew.
        if let DownloadState::Failed { error } = setup.settled(id).state {
            assert!(matches!(error, Error::WrongHash { .. }), "{error}");
            setup.client.retry_download(id).wait().expect("goes on");
        }
        setup.done(id);
        setup.check_file();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancel_is_final_in_every_state_and_leaves_nothing() {
    let setup = Setup::new();
    let nothing = Vec::<String>::new();
    let cancel = |id| setup.client.cancel_download(id).wait().expect("cancelled");
    let check = |what: &str| {
        assert_eq!(
            files_below(setup.config.hub_cache.as_ref().expect("a cache")),
            nothing,
            "{what}"
        );
        let cache = setup.config.hub_cache.as_ref().expect("a cache");
        assert!(cache.exists() && !setup.cached("o/n").exists(), "{what}");
        assert_eq!(files_below(&setup.config.downloads()), ["lock"], "{what}");
        assert_eq!(
            setup.client.list_downloads().wait().expect("the list"),
            Vec::new(),
            "{what}"
        );
    };

    setup.hub.allow(Some(1_000_000));
    let id = setup.start("o/n", None);
    setup.hub.wait_until_sent(900_000);
    cancel(id);
    check("running");
    cancel(id);
    check("cancelled");

    setup.hub.allow(Some(setup.hub.sent()));
    let id = setup.start("o/n", None);
    setup.pause_after(id, 1_000_000);
    cancel(id);
    check("paused");

    setup.hub.allow(None);
    setup.hub.fault(Place::File, "", None, Fault::Html);
    let id = setup.start("o/n", None);
    setup.paused(id);
    cancel(id);
    check("given up");
    setup.hub.mend();

    let id = setup.start("o/n", Some("missing"));
    setup.failed(id);
    cancel(id);
    check("failed");

    setup.hub.allow(Some(setup.hub.sent()));
    setup.heed(|settings| settings.downloads_at_once = 1);
    let first = setup.start("o/n", None);
    let queued = setup.start("o/n", Some("README.md"));
    cancel(queued);
    cancel(first);
    check("queued");

    setup.hub.allow(None);
    let id = setup.start("o/n", None);
    setup.done(id);
    cancel(id);
    setup.check_file();
    assert_eq!(files_below(&setup.config.downloads()), ["lock"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn at_most_so_many_run_at_once_and_in_their_order() {
    let setup = Setup::new();
    setup.heed(|settings| settings.downloads_at_once = 1);
    setup.hub.allow(Some(0));
    let names = ["o/a", "o/b", "o/c"];
    let ids = names.map(|name| {
        setup
            .hub
            .add(Repo::new(name).with("m.gguf", some_bytes(name.len() as u64, 2_000)));
        setup.start(name, None)
    });
    setup.until(ids[0], |download| {
        matches!(download.state, DownloadState::Running { .. })
    });
    setup
        .client
        .move_download(ids[2], QueuePlace::Before(ids[1]))
        .wait()
        .expect("moved");
    let list = setup.client.list_downloads().wait().expect("the list");
    assert_eq!(
        list.iter().map(|download| download.id).collect::<Vec<_>>(),
        [ids[0], ids[2], ids[1]]
    );
    assert_eq!(list[1].state, DownloadState::Queued);
    assert_eq!(list[2].state, DownloadState::Queued);
    setup.hub.allow(None);
    for id in ids {
        setup.done(id);
    }
    let seen = setup.hub.seen();
    let models: Vec<_> = seen
        .iter()
        .filter_map(|seen| {
            names
                .into_iter()
                .find(|name| seen.path.contains(&format!("models/{name}/")))
        })
        .collect();
    assert_eq!(models, ["o/a", "o/c", "o/b"]);
    let unknown = setup
        .client
        .move_download(ids[0], QueuePlace::Before(DownloadId(99)))
        .wait();
    assert!(unknown.is_err_and(|error| error.kind() == ErrorKind::NotFound));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_file_is_one_download() {
    let setup = Setup::new();
    setup.hub.allow(Some(0));
    let first = setup.start("o/n", None);
    assert_eq!(setup.start("o/n", None), first);
    setup.client.pause_download(first).wait().expect("paused");
    setup.hub.allow(None);
    assert_eq!(setup.start("o/n", None), first, "asking again goes on");
    setup.done(first);
    setup.check_file();
}

#[tokio::test(flavor = "multi_thread")]
async fn one_file_in_two_downloads_is_written_by_one_of_them() {
    let setup = Setup::new();
    setup.hub.allow(Some(1_000_000));
    let first = setup.start("o/n", None);
    setup.hub.wait_until_sent(900_000);
    let second = setup.start("o/n", Some("q4_k_m"));
    let waits = |download: &Download| matches!(&download.state, DownloadState::Running { trouble: Some(trouble), .. } if trouble.contains("another download"));
    setup.until(second, waits);
    setup.hub.allow(None);
    setup.done(first);
    setup.done(second);
    setup.check_file();
    assert_eq!(setup.hub.sent(), SIZE as u64);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_download_goes_on_where_another_of_the_same_file_stood() {
    let setup = Setup::new();
    setup.hub.allow(Some(0));
    let first = setup.start("o/n", None);
    setup.pause_after(first, 3_000_000);
    let (told, asked) = (setup.told(first), setup.hub.file_requests().len());
    let second = setup.start("o/n", Some("q4_k_m"));
    setup.pause_after(second, 1_000_000);
    setup.check_not_asked_again(&told, asked);
    let (told, asked) = (setup.told(second), setup.hub.file_requests().len());
    setup.hub.allow(None);
    setup.client.resume_download(first).wait().expect("goes on");
    setup.done(first);
    setup.check_file();
    setup.check_not_asked_again(&told, asked);
    setup.client.resume_download(second).wait().expect("goes on");
    setup.done(second);
}

/// What the first remembered would be holes, and be found out by the hash at the end, or by nobody where there is none.
#[tokio::test(flavor = "multi_thread")]
async fn bytes_that_another_download_of_the_same_file_dropped_are_fetched_again() {
    let setup = Setup::new();
    setup.hub.allow(Some(0));
    let first = setup.start("o/n", None);
    setup.pause_after(first, 3_000_000);
    // The whole file comes for every range, so that what is there is dropped.
    setup.hub.fault(Place::File, "", None, Fault::IgnoreRange);
    let second = setup.start("o/n", Some("q4_k_m"));
    setup.until(second, |download| {
        matches!(&download.state, DownloadState::Running { trouble: Some(_), .. })
    });
    setup.client.cancel_download(second).wait().expect("cancelled");
    setup.hub.mend();
    setup.hub.allow(None);
    setup.client.resume_download(first).wait().expect("goes on");
    setup.done(first);
    setup.check_file();
}

#[tokio::test(flavor = "multi_thread")]
async fn two_processes_do_not_work_on_one_list() {
    let setup = Setup::new();
    setup.client.list_downloads().wait().expect("the list");
    let (second, _downloads) = open(&setup.config, &setup.net, &setup.free);
    let busy = second.list_downloads().wait().expect_err("the first works on it");
    assert_eq!(busy.kind(), ErrorKind::Busy);
    setup.downloads.shut_down().await;
    second
        .with_waker(Waker::none())
        .list_downloads()
        .wait()
        .expect("now it may");
}

//! What servers and networks do wrong, one after the other. Cases 19 to 30 of the public reports are among them.

use hearth_testhub::{Fault, Place, sha256};

use super::*;

/// A fault for this many requests for bytes, after which everything is right.
async fn survives(times: Option<usize>, fault: Fault) -> Setup {
    let setup = Setup::new();
    setup.hub.fault(Place::File, "", times, fault);
    let id = setup.start("o/n", None);
    setup.done(id);
    setup.check_file();
    setup
}

/// Whether a request had no range.
fn asked_for_the_whole(setup: &Setup) -> bool {
    setup.hub.file_requests().iter().any(|seen| seen.range.is_none())
}

#[test]
fn rests_double_up_to_the_longest_and_vary_by_half() {
    let surroundings = Surroundings::default();
    let cases = [
        (1, 1.0, 1.0),
        (1, 0.0, 0.5),
        (4, 1.0, 8.0),
        (4, 0.5, 6.0),
        (7, 1.0, 60.0),
        (u32::MAX, 0.0, 30.0),
    ];
    for (tries, jitter, seconds) in cases {
        let rest = surroundings.rest(tries, jitter);
        assert_eq!(rest, Duration::from_secs_f64(seconds), "{tries} {jitter}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_fault_each_byte_comes_once_over_several_connections() {
    let setup = survives(Some(1), Fault::Nothing).await;
    let requests = setup.hub.file_requests();
    assert!(requests.len() >= 4, "{requests:?}");
    let mut ranges: Vec<_> = requests.iter().map(|seen| seen.range.expect("a range")).collect();
    ranges.sort_unstable();
    let mut next = 0;
    for (start, end) in ranges {
        assert_eq!(start, next);
        next = end.expect("an end") + 1;
    }
    assert_eq!(next, SIZE as u64);
    assert!(
        requests.iter().any(|seen| seen.if_range.is_some()),
        "{requests:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_ignores_ranges_gives_the_whole_file() {
    survives(Some(1), Fault::IgnoreRange).await;
    let setup = survives(None, Fault::IgnoreRange).await;
    assert!(asked_for_the_whole(&setup));
    survives(None, Fault::Chunked).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_right_range_that_is_called_200_is_taken() {
    let setup = survives(None, Fault::OkWithContentRange).await;
    assert!(
        setup.hub.sent() == SIZE as u64,
        "{} bytes were sent",
        setup.hub.sent()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_range_with_another_start_is_not_taken() {
    survives(Some(2), Fault::OtherStart(100)).await;
    let setup = survives(None, Fault::OtherStart(100)).await;
    assert!(asked_for_the_whole(&setup));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_range_that_the_server_denies_is_asked_for_again_then_the_whole() {
    survives(Some(3), Fault::NotSatisfiable).await;
    survives(None, Fault::NotSatisfiable).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_etag_or_size_begins_anew() {
    survives(Some(1), Fault::OtherEtag).await;
    survives(Some(1), Fault::OtherTotal(5)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn machines_with_etags_of_their_own_do_not_hold_it_up_for_ever() {
    let setup = Setup::new();
    for _ in 0..50 {
        setup.hub.fault(Place::File, "", Some(2), Fault::Nothing);
        setup.hub.fault(Place::File, "", Some(1), Fault::OtherEtag);
    }
    let id = setup.start("o/n", None);
    setup.done(id);
    setup.check_file();
    assert!(
        setup.hub.sent() < 10 * SIZE as u64,
        "{} bytes were sent",
        setup.hub.sent()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_closes_early_goes_on_where_it_stood() {
    let setup = survives(Some(12), Fault::CloseAfter(200_000)).await;
    // Each that closes is one more than the four that a file of this size takes.
    assert!(setup.hub.file_requests().len() >= 12 + 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_length_that_is_a_lie_is_not_believed() {
    survives(Some(2), Fault::LongerLength(7)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_part_that_stalls_is_tried_again() {
    let setup = survives(Some(2), Fault::StallAfter(100_000)).await;
    assert!(setup.hub.file_requests().len() > 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_that_are_down_for_a_while_are_asked_again() {
    survives(Some(4), Fault::Status(500, Vec::new(), "")).await;
    survives(Some(3), Fault::Html).await;
    survives(Some(2), Fault::Status(429, vec![("retry-after", "0".into())], "")).await;
    survives(Some(2), Fault::Status(503, vec![("retry-after", "0".into())], "")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_expired_is_asked_for_again() {
    let setup = Setup::new();
    setup.hub.allow(Some(1_000_000));
    setup
        .hub
        .fault(Place::File, "", Some(4), Fault::CloseAfter(500_000));
    let id = setup.start("o/n", None);
    setup.hub.wait_until_sent(900_000);
    setup.hub.expire_addresses();
    setup.hub.allow(None);
    setup.done(id);
    setup.check_file();
    let resolved = setup
        .hub
        .seen()
        .iter()
        .filter(|seen| seen.method == "HEAD")
        .count();
    assert_eq!(resolved, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_never_goes_well_is_paused_with_the_reason_and_the_bytes_are_kept() {
    let cases = [
        (Fault::CloseAfter(0), "the connection broke"),
        (Fault::Html, "a web page came in place of the file"),
        (Fault::Status(502, Vec::new(), ""), "502"),
        (Fault::Status(403, Vec::new(), ""), "403"),
        (Fault::LongerLength(1), "bytes come where there are"),
    ];
    for (fault, words) in cases {
        let setup = Setup::new();
        setup.hub.allow(Some(0));
        let id = setup.start("o/n", None);
        setup.pause_after(id, 2_000_000);
        setup.hub.allow(None);
        setup.hub.fault(Place::File, "", None, fault.clone());
        setup.client.resume_download(id).wait().expect("it goes on");
        let reason = setup.paused(id);
        assert!(matches!(reason, Error::Transfer { .. }), "{fault:?}: {reason}");
        assert!(reason.to_string().contains(words), "{fault:?}: {reason}");
        let told = setup.told(id);
        let kept: u64 = told.iter().map(|range| range.end - range.start).sum();
        assert!(kept > 1_000_000, "{fault:?}: {kept} bytes are kept");

        setup.hub.mend();
        let asked = setup.hub.file_requests().len();
        setup.client.resume_download(id).wait().expect("it goes on");
        setup.done(id);
        setup.check_file();
        setup.check_not_asked_again(&told, asked);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_bytes_are_not_kept_and_can_be_fetched_anew() {
    let setup = Setup::new();
    setup.hub.fault(Place::File, "", Some(1), Fault::WrongByte);
    let id = setup.start("o/n", None);
    let failed = setup.settled(id);
    let error = Error::WrongHash {
        file: "m-Q4_K_M.gguf".into(),
    };
    assert_eq!(failed.state, DownloadState::Failed { error });
    assert_eq!(failed.done.0, 0);
    assert_eq!(files_below(&setup.cached("o/n")), Vec::<String>::new());
    setup.client.retry_download(id).wait().expect("it goes on");
    setup.done(id);
    setup.check_file();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hash_that_the_hub_tells_wrongly_is_told_and_keeps_nothing() {
    let setup = Setup::new();
    let mut repo = Repo::new("o/n").with("m-Q4_K_M.gguf", some_bytes(1, 1000));
    repo.tells_wrong_hashes = true;
    setup.hub.add(repo);
    let id = setup.start("o/n", None);
    assert!(matches!(setup.failed(id), Error::WrongHash { .. }));
    assert_eq!(files_below(&setup.cached("o/n")), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_hash_it_is_done_and_unverified() {
    let setup = Setup::new();
    let mut repo = Repo::new("o/n").with("m-Q4_K_M.gguf", some_bytes(1, SIZE));
    repo.tells_hashes = false;
    setup.hub.add(repo);
    let id = setup.start("o/n", None);
    let state = setup.settled(id).state;
    assert!(
        matches!(state, DownloadState::Done { verified: false, .. }),
        "{state:?}"
    );
    setup.check_file();
}

#[tokio::test(flavor = "multi_thread")]
async fn progress_never_falls() {
    let setup = Setup::new();
    setup
        .hub
        .fault(Place::File, "", Some(3), Fault::CloseAfter(300_000));
    setup.hub.fault(Place::File, "", None, Fault::IgnoreRange);
    let events = setup.client.watch_downloads();
    let id = setup.start("o/n", None);
    let mut last = 0;
    loop {
        match events.next_timeout(LIMIT) {
            Ok(Some(DownloadEvent::Changed(download))) => {
                assert!(download.done.0 >= last, "{download:?} after {last}");
                last = download.done.0;
                if matches!(download.state, DownloadState::Done { verified: true, .. }) {
                    break;
                }
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(last, SIZE as u64);
    setup.done(id);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_pauses_with_both_numbers_and_goes_on_when_there_is_room() {
    let setup = Setup::new();
    setup.free.store(1_000_000, Ordering::SeqCst);
    let id = setup.start("o/n", None);
    let reason = setup.paused(id);
    let Error::DiskFull { needs, has, .. } = &reason else {
        panic!("{reason}")
    };
    assert_eq!(has.0, 1_000_000);
    assert!(
        needs.0 > SIZE as u64 && reason.to_string().contains(&needs.to_string()),
        "{reason}"
    );
    assert_eq!(setup.hub.file_requests().len(), 0);
    setup.free.store(u64::MAX, Ordering::SeqCst);
    setup.done_by_itself(id);
    setup.check_file();
}

#[tokio::test(flavor = "multi_thread")]
async fn offline_mode_pauses_what_runs_and_going_online_goes_on() {
    let setup = Setup::new();
    setup.hub.allow(Some(1_000_000));
    let id = setup.start("o/n", None);
    setup.hub.wait_until_sent(900_000);
    setup.net.set_offline(true);
    setup.hub.allow(Some(1_500_000));
    assert!(matches!(setup.paused(id), Error::Offline { .. }));
    let asked = || setup.hub.seen().iter().filter(|seen| !seen.on_file_host).count();
    let before = asked();
    setup.client.resume_download(id).wait().expect("it tries");
    assert!(matches!(setup.paused(id), Error::Offline { .. }));
    assert_eq!(asked(), before, "nobody was asked");
    setup.hub.allow(None);
    setup.net.set_offline(false);
    setup.heed(|_| ());
    setup.done_by_itself(id);
    setup.check_file();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_hub_being_away_at_the_end_changes_nothing() {
    let setup = Setup::new();
    setup.hub.allow(Some(SIZE as u64 - 100_000));
    let id = setup.start("o/n", None);
    setup.hub.wait_until_sent(SIZE as u64 - 200_000);
    setup
        .hub
        .fault(Place::Api, "", None, Fault::Status(503, Vec::new(), ""));
    setup
        .hub
        .fault(Place::Resolve, "", None, Fault::Status(503, Vec::new(), ""));
    setup.hub.allow(None);
    setup.done(id);
    setup.check_file();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_token_does_not_go_to_the_host_of_the_files() {
    let setup = survives(Some(3), Fault::CloseAfter(100_000)).await;
    for seen in setup.hub.seen() {
        let expected = (!seen.on_file_host).then(|| format!("Bearer {TOKEN}"));
        assert_eq!(seen.authorization, expected, "{}", seen.path);
    }
    assert_eq!(
        sha256(&std::fs::read(setup.file()).expect("the file")),
        sha256(&some_bytes(1, SIZE))
    );
}

//! Where files lie in the end.

use hearth_protocol::ErrorKind;
use hearth_testhub::Gate;

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn the_cache_is_laid_out_as_other_programs_know_it() {
    let setup = Setup::new();
    let id = setup.start("o/n", Some("README.md"));
    let download = setup.settled(id);
    assert_eq!(
        download.state,
        DownloadState::Done {
            verified: false,
            file: None
        },
        "a small file has no sha256, and this one is no model"
    );
    setup.done(setup.start("o/n", None));
    let folder = setup.cached("o/n");
    let commit = std::fs::read_to_string(folder.join("refs").join("main")).expect("the branch");
    let hash = hearth_testhub::sha256(&some_bytes(1, SIZE));
    let small = &hearth_testhub::sha256(b"hello")[24..];
    let mut expected = vec![
        format!("blobs/{hash}"),
        format!("blobs/{small}"),
        "refs/main".to_owned(),
        format!("snapshots/{commit}/README.md"),
        format!("snapshots/{commit}/m-Q4_K_M.gguf"),
    ];
    expected.sort();
    assert_eq!(files_below(&folder), expected);
    #[cfg(unix)]
    assert_eq!(
        std::fs::read_link(setup.file()).expect("a link"),
        Path::new("../../blobs").join(&hash)
    );
    // Hearth's own reader of the cache finds it too.
    let hub = setup
        .net
        .hub(setup.config.hub_cache.as_ref().expect("a cache"))
        .expect("a client");
    let cache = hub.scan_cache().send().await.expect("a cache");
    assert_eq!(cache.repos[0].repo_id, "o/n");
    assert!(
        cache.repos[0].revisions[0].refs.iter().any(|name| name == "main"),
        "{cache:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_no_disk_takes_is_refused_before_a_byte_of_it_comes() {
    // The longest names that there can be, and one byte more: in the folder the beginning has a longer one.
    for (place, longest) in [(DownloadPlace::HubCache, 255), (DownloadPlace::Folder, 250)] {
        let setup = Setup::new();
        setup.heed(|settings| settings.download_place = place);
        let name = |length: usize| format!("{}.gguf", "m".repeat(length - 5));
        for length in [longest, longest + 1] {
            let repo = Repo::new(&format!("o/long-{length}"));
            setup.hub.add(repo.with(&name(length), "x"));
        }
        setup.settled(setup.start(&format!("o/long-{longest}"), None));
        let asked = setup.hub.file_requests().len();
        assert_ne!(asked, 0);
        let error = setup.failed(setup.start(&format!("o/long-{}", longest + 1), None));
        assert!(error.to_string().contains("256 long"), "{error}");
        assert_eq!(setup.hub.file_requests().len(), asked);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_the_cache_holds_is_not_fetched_again() {
    let setup = Setup::new();
    let first = setup.start("o/n", None);
    setup.done(first);
    let asked = setup.hub.file_requests().len();
    // Another program removes its links and keeps the bytes.
    std::fs::remove_dir_all(setup.cached("o/n").join("snapshots")).expect("removed");
    let second = setup.start("o/n", None);
    setup.done(second);
    assert_ne!(first, second, "a download that is done is begun anew");
    setup.check_file();
    assert_eq!(setup.hub.file_requests().len(), asked);
}

#[tokio::test(flavor = "multi_thread")]
async fn all_parts_of_a_model_are_one_download() {
    let setup = Setup::new();
    let names = ["q/a-00001-of-00002.gguf", "q/a-00002-of-00002.gguf"];
    let bodies = [some_bytes(3, 2_000_000), some_bytes(4, 1_500_000)];
    let repo = names
        .iter()
        .zip(&bodies)
        .fold(Repo::new("o/split"), |repo, (name, body)| {
            repo.with(name, body.clone())
        });
    setup.hub.add(repo);
    // Room for the first part only.
    setup.free.store(70_000_000, Ordering::SeqCst);
    let id = setup.start("o/split", Some(names[1]));
    assert!(matches!(setup.paused(id), Error::DiskFull { .. }));
    setup.free.store(80_000_000, Ordering::SeqCst);
    assert_eq!(
        setup.done_by_itself(id).total.map(|total| total.0),
        Some(3_500_000)
    );
    let folder = setup.cached("o/split");
    let commit = std::fs::read_to_string(folder.join("refs").join("main")).expect("the branch");
    for (name, body) in names.iter().zip(bodies) {
        let path = folder.join("snapshots").join(&commit).join(name);
        assert!(std::fs::read(path).expect("a part") == body, "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plain_folder_holds_publisher_repository_and_file() {
    let setup = Setup::new();
    setup.heed(|settings| settings.download_place = DownloadPlace::Folder);
    setup.done(setup.start("o/n", None));
    let path = setup.config.models().join("o").join("n").join("m-Q4_K_M.gguf");
    assert!(std::fs::read(&path).expect("the file") == some_bytes(1, SIZE));
    assert_eq!(files_below(&setup.config.models()), ["o/n/m-Q4_K_M.gguf"]);
    assert!(!setup.cached("o/n").exists());

    // The same file is taken as it is.
    let asked = setup.hub.file_requests().len();
    setup.done(setup.start("o/n", None));
    assert_eq!(setup.hub.file_requests().len(), asked);

    // Another file is not overwritten. Case 30 of the public reports.
    std::fs::write(&path, "mine").expect("written");
    let error = setup.failed(setup.start("o/n", None));
    assert!(error.to_string().contains("another file of this name"), "{error}");
    assert_eq!(std::fs::read(&path).expect("the file"), b"mine");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_publishers_with_one_file_name_do_not_meet() {
    let setup = Setup::new();
    setup.heed(|settings| settings.download_place = DownloadPlace::Folder);
    for (model, seed) in [("p1/r", 1), ("p2/r", 2)] {
        setup
            .hub
            .add(Repo::new(model).with("model.gguf", some_bytes(seed, 1000)));
        setup.done(setup.start(model, None));
    }
    for (publisher, seed) in [("p1", 1), ("p2", 2)] {
        let path = setup.config.models().join(publisher).join("r").join("model.gguf");
        assert!(std::fs::read(path).expect("the file") == some_bytes(seed, 1000));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_had_fails_with_its_own_words() {
    let setup = Setup::new();
    setup
        .hub
        .add(Repo::new("o/gated").with("m.gguf", "x").behind(Gate::Manual));
    let cases = [
        ("o/gated", None, ErrorKind::Access),
        ("o/missing", None, ErrorKind::NotFound),
        ("o/n", Some("missing.gguf"), ErrorKind::NotFound),
    ];
    for (model, file, kind) in cases {
        let error = setup.failed(setup.start(model, file));
        assert_eq!(error.kind(), kind, "{model}: {error}");
    }
    assert!(files_below(setup.config.hub_cache.as_ref().expect("a cache")).is_empty());
    let request = DownloadRequest {
        model: "none".into(),
        file: None,
        revision: None,
    };
    assert!(
        setup
            .client
            .start_download(request)
            .wait()
            .is_err_and(|error| error.kind() == ErrorKind::Invalid)
    );
}

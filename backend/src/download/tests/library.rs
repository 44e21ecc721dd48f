//! What downloads and the library know of each other.

use hearth_protocol::FileId;
use hearth_testhub::tiny_gguf::Tiny;

use super::*;

/// The file that a download says it is.
fn file_of(download: &Download) -> Option<FileId> {
    match &download.state {
        DownloadState::Done { file, .. } => file.clone(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_download_that_is_done_names_the_file_that_can_be_loaded() {
    let mut setup = Setup::new();
    setup
        .hub
        .add(Repo::new("o/tiny").with("UD/t-Q8_0.gguf", Tiny::default().bytes()));
    let cached = setup.start("o/tiny", None);
    assert_eq!(
        file_of(&setup.done(cached)),
        Some("hub/o/tiny/UD/t-Q8_0.gguf".into())
    );
    setup.heed(|settings| settings.download_place = DownloadPlace::Folder);
    let plain = setup.start("o/n", None);
    assert_eq!(
        file_of(&setup.done(plain)),
        Some("hearth/o/n/m-Q4_K_M.gguf".into())
    );
    // The library lists both by these names, and a new start still tells them.
    let listed = Library::new(&setup.config, setup.net.clone()).list().await;
    let listed: Vec<_> = listed.expect("a list").into_iter().map(|file| file.id).collect();
    setup.restart().await;
    let list = setup.client.list_downloads().wait().expect("the list");
    for download in &list {
        let file = file_of(download).expect("a file");
        assert!(listed.contains(&file), "{file} is not among {listed:?}");
    }
    assert_eq!(list.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revision_that_the_library_does_not_show_is_not_called_its_file() {
    let setup = Setup::new();
    setup.done(setup.start("o/n", None));
    let newer = Repo::new("o/n").with("m-Q4_K_M.gguf", some_bytes(9, SIZE));
    let commit = newer.commit.clone();
    setup.hub.add(newer);
    let request = DownloadRequest {
        model: "o/n".into(),
        file: None,
        revision: Some(commit),
    };
    let id = setup.client.start_download(request).wait().expect("it starts");
    assert_eq!(file_of(&setup.done(id)), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_set_only_the_part_that_is_missing_is_fetched() {
    for place in [DownloadPlace::HubCache, DownloadPlace::Folder] {
        let setup = Setup::new();
        setup.heed(|settings| settings.download_place = place);
        let names = [1, 2, 3].map(|number| format!("a-{number:05}-of-00003.gguf"));
        let bodies = [3, 4, 5].map(|seed| some_bytes(seed, 1_000_000));
        let repo = names.iter().zip(&bodies);
        setup
            .hub
            .add(repo.fold(Repo::new("o/split"), |repo, (name, body)| {
                repo.with(name, body.clone())
            }));
        let id = setup.start("o/split", None);
        setup.done(id);
        let folder = match place {
            DownloadPlace::Folder => setup.config.models().join("o").join("split"),
            DownloadPlace::HubCache => {
                let cached = setup.cached("o/split");
                let commit = std::fs::read_to_string(cached.join("refs").join("main")).expect("the branch");
                cached.join("snapshots").join(commit)
            }
        };
        let second = folder.join(&names[1]);
        std::fs::remove_file(second.canonicalize().expect("there")).expect("removed");
        let sent = setup.hub.sent();
        setup.done(setup.start("o/split", Some(&names[0])));
        assert_eq!(setup.hub.sent() - sent, 1_000_000, "{place:?}");
        for (name, body) in names.iter().zip(&bodies) {
            assert!(
                std::fs::read(folder.join(name)).expect("a part") == *body,
                "{name}"
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_has_another_name_now_is_followed() {
    let setup = Setup::new();
    let mut renamed = Repo::new("o/old").with("m.gguf", "x");
    renamed.renamed_to = Some("o/n".into());
    setup.hub.add(renamed);
    let id = setup.start("o/old", None);
    let download = setup.done(id);
    assert_eq!(download.request.model.as_str(), "o/n");
    assert_eq!(file_of(&download), Some("hub/o/n/m-Q4_K_M.gguf".into()));
    setup.check_file();
    assert!(!setup.cached("o/old").exists());
    // By either name it is the same download, begun anew since it is done.
    let asked = setup.hub.file_requests().len();
    for name in ["o/old", "o/n"] {
        setup.done(setup.start(name, None));
        assert_eq!(setup.client.list_downloads().wait().expect("the list").len(), 1);
    }
    assert_eq!(setup.hub.file_requests().len(), asked);
}

#[tokio::test(flavor = "multi_thread")]
async fn where_only_what_is_asked_for_runs_the_others_wait_for_another_start() {
    let mut setup = Setup::new();
    setup
        .hub
        .add(Repo::new("o/other").with("m.gguf", some_bytes(2, SIZE)));
    setup.hub.allow(Some(0));
    let other = setup.start("o/other", None);
    let asked = setup.start("o/n", None);
    setup.until(other, |download| download.total.is_some());
    setup.config.hub.only_asked_downloads = true;
    setup.restart().await;
    setup.hub.allow(None);
    assert_eq!(setup.start("o/n", None), asked);
    setup.done(asked);
    let list = setup.client.list_downloads().wait().expect("the list");
    let waiting = list.iter().find(|download| download.id == other).expect("listed");
    assert_eq!(waiting.state, DownloadState::Queued);
    let seen = setup.hub.file_requests();
    assert!(seen.len() < 20, "{seen:?}");
    // A start that lets all go on does.
    setup.config.hub.only_asked_downloads = false;
    setup.restart().await;
    setup.done(other);
}

mod hostile;

use hearth_protocol::hub::TokenSource;
use hearth_protocol::{Error, ErrorKind, ModelId, Secret};
use hearth_testhub::{Fault, Gate, Place, Repo, TestHub, some_bytes};

use super::search::SearchQuery;
use super::*;
use crate::config::{HubConfig, WorkerCommand};

/// A token as the hub makes them.
const TOKEN: &str = "hf_secretofthetest";

/// A hub of the tests, and Hearth's own view of it.
struct Both {
    theirs: TestHub,
    ours: Hub,
    net: Net,
    _folder: tempfile::TempDir,
}

impl Both {
    fn start(token: Option<&str>) -> Self {
        let theirs = TestHub::start();
        theirs.add_token(TOKEN, "person", &[]);
        let folder = tempfile::tempdir().expect("a folder");
        let config = Config {
            home: folder.path().to_owned(),
            worker: WorkerCommand {
                program: "none".into(),
                arguments: Vec::new(),
            },
            starter_models: folder.path().join("starter"),
            toolkit: Default::default(),
            login: None,
            hub_cache: None,
            other_programs: Vec::new(),
            hub: HubConfig {
                endpoint: Some(theirs.url()),
                token: token.map(Secret::new),
                ..HubConfig::default()
            },
        };
        let net = Net::default();
        let ours = Hub::new(&config, net.clone());
        Self {
            theirs,
            ours,
            net,
            _folder: folder,
        }
    }
}

fn model(name: &str) -> ModelId {
    name.into()
}

#[tokio::test]
async fn a_model_comes_with_sizes_and_hashes() {
    let hub = Both::start(None);
    let body = some_bytes(1, 1000);
    hub.theirs.add(
        Repo::new("o/n")
            .with("a-Q4_0.gguf", body.clone())
            .with("README.md", "hello"),
    );
    let info = hub.ours.model(&model("o/n"), "main").await.expect("the model");
    let sizes: Vec<_> = info
        .siblings
        .iter()
        .map(|file| (file.path.as_str(), file.size))
        .collect();
    assert_eq!(sizes, [("README.md", Some(5)), ("a-Q4_0.gguf", Some(1000))]);
    assert_eq!(info.siblings[1].sha256, Some(hearth_testhub::sha256(&body)));
    assert_eq!(info.sha.map(|sha| sha.len()), Some(40));
}

#[tokio::test]
async fn a_tree_is_read_page_by_page() {
    let hub = Both::start(None);
    let files = (0..25).fold(Repo::new("o/n"), |repo, number| {
        repo.with(&format!("f{number:02}.gguf"), "x")
    });
    hub.theirs.add(files);
    hub.theirs.set_page_length(10);
    let tree = hub.ours.tree(&model("o/n"), "main").await.expect("the tree");
    assert_eq!(tree.len(), 25);
    assert_eq!(hub.theirs.seen().len(), 3);
}

#[tokio::test]
async fn a_search_gives_its_pages() {
    let hub = Both::start(None);
    for name in ["a/gemma-one", "a/gemma-two", "b/gemma-three", "b/llama"] {
        hub.theirs.add(Repo::new(name).with("m.gguf", "x"));
    }
    let query = SearchQuery {
        words: "gemma".into(),
        sort: Some("downloads"),
        limit: 2,
        ..SearchQuery::default()
    };
    let page = hub.ours.search(&query, None).await.expect("a page");
    assert_eq!(page.models.len(), 2);
    let page = hub.ours.search(&query, page.next).await.expect("the next page");
    assert_eq!(
        page.models
            .iter()
            .map(|model| model.id.as_str())
            .collect::<Vec<_>>(),
        ["b/gemma-three"]
    );
    assert_eq!(page.next, None);
    let query = SearchQuery {
        author: Some("b".into()),
        limit: 9,
        ..SearchQuery::default()
    };
    assert_eq!(
        hub.ours.search(&query, None).await.expect("a page").models.len(),
        2
    );
}

#[tokio::test]
async fn the_token_goes_to_the_hub_and_to_no_other_host() {
    let hub = Both::start(Some(TOKEN));
    hub.theirs.add(Repo::new("o/n").with("a.gguf", some_bytes(1, 10)));
    let info = hub.ours.model(&model("o/n"), "main").await.expect("the model");
    let commit = info.sha.expect("a commit");
    let location = hub
        .ours
        .locate(&model("o/n"), &commit, "a.gguf")
        .await
        .expect("a place");
    assert_eq!(location.size, Some(10));
    let response = hub
        .ours
        .open(&location, HeaderMap::new())
        .await
        .expect("an answer");
    assert_eq!(response.bytes().await.expect("bytes").len(), 10);
    let seen = hub.theirs.seen();
    assert_eq!(seen.len(), 3);
    for seen in seen {
        let expected = (!seen.on_file_host).then(|| format!("Bearer {TOKEN}"));
        assert_eq!(seen.authorization, expected, "{}", seen.path);
    }
}

#[tokio::test]
async fn a_small_file_lies_on_the_hub_itself() {
    let hub = Both::start(None);
    hub.theirs.add(Repo::new("o/n").with("folder/config.json", "{}"));
    let location = hub
        .ours
        .locate(&model("o/n"), "main", "folder/config.json")
        .await
        .expect("a place");
    assert_eq!(location.size, Some(2));
    assert!(location.url.as_str().starts_with(&hub.theirs.url()));
}

#[tokio::test]
async fn each_way_of_having_no_access_has_its_own_error() {
    let hub = Both::start(None);
    let with_token = Both::start(Some(TOKEN));
    let wrong_token = Both::start(Some("hf_wrong"));
    for hub in [&hub, &with_token, &wrong_token] {
        hub.theirs
            .add(Repo::new("o/gated").with("a.gguf", "x").behind(Gate::Auto));
        hub.theirs
            .add(Repo::new("o/private").with("a.gguf", "x").behind(Gate::Private));
        hub.theirs.add(Repo::new("o/open").with("a.gguf", "x"));
    }
    let gated = model("o/gated");
    let locate = |hub: &Both| {
        let (hub, gated) = (hub.ours.clone(), gated.clone());
        async move { hub.locate(&gated, "main", "a.gguf").await.expect_err("refused") }
    };
    assert!(matches!(locate(&hub).await, Error::TokenNeeded { .. }));
    let page = format!("{}/o/gated", with_token.theirs.url());
    let refused = locate(&with_token).await;
    assert_eq!(
        refused,
        Error::NoAccess {
            model: "o/gated".into(),
            page: page.clone()
        }
    );
    assert!(refused.to_string().contains(&page), "{refused}");
    assert!(matches!(locate(&wrong_token).await, Error::TokenRefused { .. }));

    let private = |hub: &Both| {
        let hub = hub.ours.clone();
        async move { hub.model(&model("o/private"), "main").await.expect_err("refused") }
    };
    assert!(matches!(private(&hub).await, Error::TokenNeeded { .. }));
    assert_eq!(private(&with_token).await.kind(), ErrorKind::NotFound);

    let missing = hub
        .ours
        .locate(&model("o/open"), "main", "b.gguf")
        .await
        .expect_err("gone");
    assert!(
        matches!(&missing, Error::NotFound { what, .. } if what == "file"),
        "{missing}"
    );
    let missing = hub.ours.model(&model("o/open"), "v9").await.expect_err("gone");
    assert!(
        matches!(&missing, Error::NotFound { what, .. } if what == "revision of o/open"),
        "{missing}"
    );
}

#[tokio::test]
async fn a_renamed_model_says_its_new_name() {
    let hub = Both::start(None);
    let mut old = Repo::new("o/old").with("a.gguf", "x");
    old.renamed_to = Some("o/new".into());
    hub.theirs.add(old);
    hub.theirs.add(Repo::new("o/new").with("a.gguf", "x"));
    let error = hub
        .ours
        .model(&model("o/old"), "main")
        .await
        .expect_err("renamed");
    assert_eq!(
        error,
        Error::Renamed {
            from: "o/old".into(),
            to: "o/new".into()
        }
    );
    // What has begun under the old name goes on under it.
    assert!(hub.ours.locate(&model("o/old"), "main", "a.gguf").await.is_ok());
}

#[tokio::test]
async fn too_many_requests_are_waited_for_as_told_or_told_on() {
    let hub = Both::start(None);
    hub.theirs.add(Repo::new("o/n").with("a.gguf", "x"));
    let slow = |seconds: &str| Fault::Status(429, vec![("retry-after", seconds.to_owned())], "");
    hub.theirs.fault(Place::Api, "", Some(2), slow("0"));
    assert!(hub.ours.model(&model("o/n"), "main").await.is_ok());
    assert_eq!(hub.theirs.seen().len(), 3);
    hub.theirs.fault(Place::Api, "", None, slow("77"));
    let error = hub.ours.model(&model("o/n"), "main").await.expect_err("told on");
    assert_eq!(error, Error::TooManyRequests { seconds: 77 });
    assert_eq!(hub.theirs.seen().len(), 4);
}

#[tokio::test]
async fn a_hub_that_is_down_is_asked_three_times() {
    let hub = Both::start(None);
    hub.theirs
        .fault(Place::Api, "", None, Fault::Status(503, Vec::new(), "<html>"));
    let error = hub.ours.model(&model("o/n"), "main").await.expect_err("down");
    assert_eq!(
        error.to_string(),
        "The hub cannot be reached: it answers 503 Service Unavailable. It is tried again when you ask again."
    );
    assert_eq!(hub.theirs.seen().len(), 3);
    hub.theirs.mend();
    hub.theirs.fault(Place::Api, "", None, Fault::Html);
    let error = hub.ours.model(&model("o/n"), "main").await.expect_err("a page");
    assert!(error.to_string().contains("something else than a hub"), "{error}");
}

#[tokio::test]
async fn a_token_is_kept_once_the_hub_knows_it() {
    let hub = Both::start(None);
    assert_eq!(hub.ours.who_am_i().await, Err(Error::NotSignedIn));
    let refused = hub.ours.set_token(Secret::new("hf_wrong")).await;
    assert!(matches!(refused, Err(Error::TokenRefused { .. })), "{refused:?}");
    assert_eq!(hub.ours.status().await.expect("a status").token, None);
    let account = hub.ours.set_token(Secret::new(TOKEN)).await.expect("kept");
    assert_eq!(account.name, "person");
    assert_eq!(
        hub.ours.status().await.expect("a status").token,
        Some(TokenSource::File)
    );
    assert_eq!(hub.ours.who_am_i().await.expect("the account"), account);
    hub.ours.forget_token().await.expect("forgotten");
    assert_eq!(hub.ours.who_am_i().await, Err(Error::NotSignedIn));
}

#[tokio::test]
async fn offline_mode_asks_nobody_even_over_an_open_connection() {
    let hub = Both::start(None);
    hub.theirs.add(Repo::new("o/n").with("a.gguf", "x"));
    let location = hub
        .ours
        .locate(&model("o/n"), "main", "a.gguf")
        .await
        .expect("a place");
    let asked = hub.theirs.seen().len();
    hub.net.set_offline(true);
    let error = hub.ours.model(&model("o/n"), "main").await.expect_err("offline");
    assert_eq!(error.kind(), ErrorKind::Offline);
    assert_eq!(
        hub.ours.open(&location, HeaderMap::new()).await.err(),
        Some(HttpError::Offline)
    );
    assert_eq!(hub.theirs.seen().len(), asked);
    hub.net.set_offline(false);
    assert!(hub.ours.model(&model("o/n"), "main").await.is_ok());
}

#[tokio::test]
async fn a_mirror_of_the_settings_is_asked_unless_the_environment_names_one() {
    let hub = Both::start(None);
    let mirror = Both::start(None);
    for hub in [&hub, &mirror] {
        hub.theirs.add(Repo::new("o/n").with("a.gguf", "x"));
    }
    let settings = Settings {
        hub_endpoint: Some(format!("{}/", mirror.theirs.url())),
        ..Settings::default()
    };
    hub.ours.heed(&settings);
    assert!(hub.ours.model(&model("o/n"), "main").await.is_ok());
    assert_eq!((hub.theirs.seen().len(), mirror.theirs.seen().len()), (1, 0));
    let mut ours = hub.ours.clone();
    ours.fixed_endpoint = None;
    assert!(ours.model(&model("o/n"), "main").await.is_ok());
    assert_eq!((hub.theirs.seen().len(), mirror.theirs.seen().len()), (1, 1));
}

#[tokio::test]
async fn a_proxy_of_the_settings_is_asked_instead_of_the_hub() {
    // The test's hub stands for the proxy: it sees the request for a host that is not there.
    let hub = Both::start(None);
    hub.theirs.add(Repo::new("o/n").with("a.gguf", "x"));
    let mut ours = hub.ours.clone();
    ours.fixed_endpoint = Some("http://hub.invalid".into());
    hub.net.set_proxy(Some(&hub.theirs.url()));
    assert!(ours.model(&model("o/n"), "main").await.is_ok());
    assert!(
        hub.theirs.seen()[0]
            .path
            .starts_with("http://hub.invalid/api/models/o/n")
    );
}

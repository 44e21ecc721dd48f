//! Deletes of each kind of file. Cases 2 and 15 of the public reports.

#[cfg(unix)]
mod links;

use std::fs;

use hearth_protocol::FileId;

use super::super::tests::fixture::{COMMIT, Fixture, OTHER_COMMIT, REPO, tiny_gguf, tiny_part};
use super::super::tests::ollama_store::{CONFIG, blob, digest, manifest_of, manifest_path};
use super::*;
use crate::tiny_disk::TinyDisk;

async fn delete(fixture: &Fixture, file: &str, confirmed: Option<Source>) -> Result<bool> {
    let request = DeleteRequest {
        file: file.into(),
        confirmed,
    };
    fixture.library.delete(&request, &[]).await
}

fn in_use(file: &str) -> InUse {
    InUse {
        file: FileId::from(file),
        is_loading: false,
    }
}

#[tokio::test]
async fn all_parts_go_and_the_folders_that_are_empty_then() {
    let fixture = Fixture::new();
    for part in [0, 1, 2] {
        let name = format!("models/p/r/m-{:05}-of-00003.gguf", part + 1);
        fixture.write(&name, &tiny_part(part, 3));
    }
    fixture.write("models/p/other/n.gguf", &tiny_gguf());
    assert_eq!(
        delete(&fixture, "hearth/p/r/m-00001-of-00003.gguf", None).await,
        Ok(true)
    );
    assert_eq!(fixture.everything("models"), ["p", "p/other", "p/other/n.gguf"]);
    assert_eq!(delete(&fixture, "hearth/p/other/n.gguf", None).await, Ok(true));
    // Hearth's own folder stays.
    assert_eq!(fixture.everything("models"), Vec::<String>::new());
    assert!(fixture.path("models").exists());
    let again = delete(&fixture, "hearth/p/other/n.gguf", None).await;
    assert!(matches!(again, Err(Error::NotFound { .. })), "{again:?}");
}

#[tokio::test]
async fn what_is_left_of_a_broken_set_goes_too() {
    let fixture = Fixture::new();
    fixture.write("models/m-00002-of-00003.gguf", &tiny_part(1, 3));
    fixture.write("models/m-00003-of-00003.gguf", b"<html>");
    fixture.write("models/broken.gguf", b"<html>");
    for id in ["hearth/m-00002-of-00003.gguf", "hearth/broken.gguf"] {
        assert_eq!(delete(&fixture, id, None).await, Ok(true), "{id}");
    }
    assert_eq!(fixture.everything("models"), Vec::<String>::new());
}

#[tokio::test]
async fn a_model_in_memory_is_to_be_ejected_first() {
    let fixture = Fixture::new();
    let path = fixture.write("models/m.gguf", &tiny_gguf());
    let same = fixture.path("second-name.gguf");
    #[cfg(unix)]
    std::os::unix::fs::symlink(&path, &same).expect("a link");
    let by_path = path.display().to_string();
    let names = ["hearth/m.gguf", by_path.as_str()];
    let linked = same.display().to_string();
    for name in names.into_iter().chain(cfg!(unix).then_some(linked.as_str())) {
        let request = DeleteRequest {
            file: "hearth/m.gguf".into(),
            confirmed: None,
        };
        let refused = fixture.library.delete(&request, &[in_use(name)]).await;
        assert!(
            matches!(&refused, Err(error @ Error::Busy { .. }) if error.to_string().contains("eject it first")),
            "{name}: {refused:?}"
        );
        let on_its_way = InUse {
            is_loading: true,
            ..in_use(name)
        };
        let refused = fixture.library.delete(&request, &[on_its_way]).await;
        assert!(
            matches!(&refused, Err(error @ Error::Busy { .. }) if error.to_string().contains("being loaded")),
            "{name}: {refused:?}"
        );
        assert!(path.exists());
    }
    let request = DeleteRequest {
        file: "hearth/m.gguf".into(),
        confirmed: None,
    };
    let others = [in_use("starter/x.gguf"), in_use("/nowhere/m.gguf")];
    assert_eq!(fixture.library.delete(&request, &others).await, Ok(true));
}

#[cfg(unix)]
#[tokio::test]
async fn of_a_link_only_the_link_goes() {
    let fixture = Fixture::new();
    let target = fixture.write("elsewhere/m.gguf", &tiny_gguf());
    let link = fixture.write("models/imported/m/x", b"").with_file_name("m.gguf");
    fs::remove_file(link.with_file_name("x")).expect("removed");
    std::os::unix::fs::symlink(&target, &link).expect("a link");
    assert_eq!(delete(&fixture, "hearth/imported/m/m.gguf", None).await, Ok(true));
    assert!(target.exists());
    assert_eq!(fixture.everything("models"), Vec::<String>::new());
    assert_eq!(fixture.everything("elsewhere"), ["m.gguf"]);
}

#[tokio::test]
async fn another_programs_file_is_deleted_only_where_that_program_is_named() {
    let fixture = Fixture::new();
    fixture.write("starter/s.gguf", &tiny_gguf());
    let cached = fixture.write(&format!("{REPO}/snapshots/{COMMIT}/m.gguf"), &tiny_gguf());
    let cases = [
        (
            "hub/owner/name/m.gguf",
            "the Hugging Face cache",
            Source::HuggingFace,
        ),
        ("starter/s.gguf", "Hearth's starter models", Source::Starter),
    ];
    for (id, owner, source) in cases {
        for confirmed in [None, Some(Source::Hearth), Some(Source::Ollama)] {
            let refused = delete(&fixture, id, confirmed).await;
            assert!(
                matches!(&refused, Err(Error::Unconfirmed { owner: named, .. }) if named == owner),
                "{refused:?}"
            );
        }
        assert_eq!(
            fixture.ids().await.iter().filter(|listed| *listed == id).count(),
            1
        );
        assert_eq!(delete(&fixture, id, Some(source)).await, Ok(true));
    }
    assert!(!cached.exists());
    // The folder that is not Hearth's stays, empty or not.
    assert!(fixture.path("starter").exists());
}

/// A cache as `huggingface_hub` makes it: names lead to blobs.
#[cfg(unix)]
fn link(fixture: &Fixture, commit: &str, name: &str, blob: &str) -> PathBuf {
    let path = fixture.path(&format!("{REPO}/snapshots/{commit}/{name}"));
    fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    std::os::unix::fs::symlink(format!("../../blobs/{blob}"), &path).expect("a link");
    path
}

#[cfg(unix)]
#[tokio::test]
async fn a_name_in_the_cache_takes_its_bytes_along_only_where_no_other_leads_there() {
    let fixture = Fixture::new();
    let blob = fixture.write(&format!("{REPO}/blobs/aaaa"), &tiny_gguf());
    fixture.write(&format!("{REPO}/refs/main"), COMMIT.as_bytes());
    fixture.write(&format!("{REPO}/refs/old"), OTHER_COMMIT.as_bytes());
    let [first, second] = [COMMIT, OTHER_COMMIT].map(|commit| link(&fixture, commit, "m.gguf", "aaaa"));
    let id = "hub/owner/name/m.gguf";
    // Another revision has it too: it is listed from there on.
    assert_eq!(delete(&fixture, id, Some(Source::HuggingFace)).await, Ok(false));
    assert!(!first.is_symlink() && second.exists() && blob.exists());
    assert_eq!(fixture.everything(&format!("{REPO}/refs")), ["old"]);
    assert_eq!(fixture.ids().await, [id]);
    assert_eq!(delete(&fixture, id, Some(Source::HuggingFace)).await, Ok(true));
    assert!(fixture.path("hub").exists());
    assert_eq!(fixture.everything("hub"), Vec::<String>::new());
}

#[cfg(unix)]
#[tokio::test]
async fn bytes_in_the_cache_that_a_link_elsewhere_needs_stay_and_so_does_the_rest() {
    let fixture = Fixture::new();
    let blob = fixture.write(&format!("{REPO}/blobs/aaaa"), &tiny_gguf());
    fixture.write(&format!("{REPO}/blobs/bbbb"), b"hello");
    link(&fixture, COMMIT, "m.gguf", "aaaa");
    let readme = link(&fixture, COMMIT, "README.md", "bbbb");
    let imported = fixture.write("models/x", b"").with_file_name("mine.gguf");
    let elsewhere = fixture.write("folder/x", b"").with_file_name("theirs.gguf");
    for link in [&imported, &elsewhere] {
        std::os::unix::fs::symlink(&blob, link).expect("a link");
    }
    fixture.choose(&["folder"], &[]);
    // Hearth's own name is listed for all of them; with it only the link goes.
    assert_eq!(fixture.ids().await, ["hearth/mine.gguf"]);
    assert_eq!(delete(&fixture, "hearth/mine.gguf", None).await, Ok(true));
    assert_eq!(fixture.ids().await, ["hub/owner/name/m.gguf"]);
    assert!(!imported.is_symlink() && elsewhere.exists());
    let hub = delete(&fixture, "hub/owner/name/m.gguf", Some(Source::HuggingFace));
    assert_eq!(hub.await, Ok(true));
    assert!(blob.exists() && elsewhere.exists() && readme.exists());
    assert_eq!(fs::read(&readme).expect("read"), b"hello");
}

#[tokio::test]
async fn in_a_cache_without_links_both_names_go() {
    let fixture = Fixture::new();
    let blob = fixture.write(&format!("{REPO}/blobs/aaaa"), &tiny_gguf());
    let name = fixture
        .write(&format!("{REPO}/snapshots/{COMMIT}/x"), b"")
        .with_file_name("m.gguf");
    fs::remove_file(name.with_file_name("x")).expect("removed");
    fs::hard_link(&blob, &name).expect("a second name");
    assert_eq!(
        delete(&fixture, "hub/owner/name/m.gguf", Some(Source::HuggingFace)).await,
        Ok(true)
    );
    assert_eq!(fixture.everything("hub"), Vec::<String>::new());
}

#[tokio::test]
async fn where_the_disk_cannot_be_written_the_error_is_told_and_the_file_stays_listed() {
    let Some(disk) = TinyDisk::mount(8 << 20) else {
        return;
    };
    let fixture = Fixture::new();
    let cache = disk.path().join("hub/models--owner--name");
    let name = cache.join("snapshots").join(COMMIT).join("m.gguf");
    for folder in [
        &disk.path().join("starter"),
        &disk.path().join("models"),
        &cache.join("blobs"),
        &name.with_file_name(""),
    ] {
        fs::create_dir_all(folder).expect("made");
    }
    fs::write(disk.path().join("models/m.gguf"), tiny_gguf()).expect("written");
    fs::write(disk.path().join("starter/s.gguf"), tiny_gguf()).expect("written");
    fs::write(cache.join("blobs/aaaa"), tiny_gguf()).expect("written");
    crate::files::symlink("../../blobs/aaaa".as_ref(), &name).expect("a link");
    disk.make_read_only();
    let mut config = fixture.config.clone();
    config.home = disk.path().to_owned();
    config.starter_models = disk.path().join("starter");
    config.hub_cache = Some(disk.path().join("hub"));
    let library = Library::new(&config, crate::net::Net::default());
    for (id, confirmed, words) in [
        ("hearth/m.gguf", None, "Read-only"),
        ("hub/owner/name/m.gguf", Some(Source::HuggingFace), "Read-only"),
        ("starter/s.gguf", Some(Source::Starter), "it came with Hearth"),
    ] {
        let request = DeleteRequest {
            file: id.into(),
            confirmed,
        };
        let error = library.delete(&request, &[]).await.expect_err("it stays");
        assert!(
            matches!(&error, Error::File { reason, .. } if reason.contains(words)),
            "{error}"
        );
        let listed = library.list().await.expect("a list");
        let state = listed
            .iter()
            .find(|file| file.id.as_str() == id)
            .map(|file| &file.state);
        assert_eq!(state, Some(&hearth_protocol::library::FileState::Ready), "{id}");
    }
}

#[test]
fn a_file_that_is_held_for_a_moment_is_tried_again() {
    let held = || io::Error::from(io::ErrorKind::PermissionDenied);
    let may_pass = |error: &io::Error| error.kind() == io::ErrorKind::PermissionDenied;
    let outcome = |failures: u32, may_pass: &dyn Fn(&io::Error) -> bool| {
        let mut tries = 0;
        let attempt = || {
            tries += 1;
            if tries > failures { Ok(()) } else { Err(held()) }
        };
        let outcome = try_again(attempt, may_pass, Duration::ZERO);
        (outcome.is_ok(), tries)
    };
    assert_eq!(outcome(0, &may_pass), (true, 1));
    assert_eq!(outcome(3, &may_pass), (true, 4));
    assert_eq!(outcome(100, &may_pass), (false, TRIES));
    assert_eq!(outcome(100, &|_| false), (false, 1));
}

#[tokio::test]
async fn a_part_of_a_model_that_is_still_fetched_stays() {
    let fixture = Fixture::new();
    let name = "m-00001-of-00002.gguf";
    let part = fixture.write(&format!("models/owner/name/{name}"), &tiny_part(0, 2));
    let digest = "a".repeat(64);
    let side_file = |intent: &str| {
        let text = format!(
            r#"{{"version":1,"id":1,"request":{{"model":"owner/name","file":null,"revision":null}},"position":1,
            "intent":{intent},"place":"folder","set":{{"commit":"{COMMIT}","files":[{{"path":"{name}","size":100,
            "blob":"{digest}","sha256":"{digest}","have":[],"hashed":null,"etag":null,"stage":"fetching"}}]}}}}"#
        );
        fixture.write("downloads/1.json", text.as_bytes());
    };
    let id = format!("hearth/owner/name/{name}");
    for intent in ["\"go\"", "{\"wait\":null}"] {
        side_file(intent);
        let refused = delete(&fixture, &id, None).await;
        assert!(
            matches!(&refused, Err(error @ Error::Busy { .. }) if error.to_string().contains("a download needs it")),
            "{refused:?}"
        );
        assert!(part.exists());
    }
    side_file("{\"rest\":{\"verified\":true}}");
    assert_eq!(delete(&fixture, &id, None).await, Ok(true));
}

/// Writes the manifest of a name.
fn put(fixture: &Fixture, name: &str, blobs: &[u8]) -> PathBuf {
    fixture.write(&manifest_path(name), &manifest_of(blobs))
}

#[test]
fn of_a_model_of_ollamas_what_no_other_needs_goes() {
    use super::super::ollama::OllamaStore;

    let fixture = Fixture::new();
    let [model, shared, config, foreign] =
        [1, 2, CONFIG, 7].map(|number| fixture.write(&blob(number), &[number]));
    let gone = [put(&fixture, "a/latest", &[1, 2]), put(&fixture, "a/8b", &[1])];
    let kept = put(&fixture, "b/latest", &[2]);
    let read = || OllamaStore::read(&fixture.path("ollama"));
    assert!(read().holds(&model));
    // Another name of the same model keeps its file.
    read().remove(&gone[0]).expect("removed");
    assert!(!gone[0].exists() && gone[1].exists() && model.exists());
    read().remove(&gone[1]).expect("removed");
    assert!(!gone[1].exists() && !model.exists());
    assert!(shared.exists() && config.exists() && kept.exists() && foreign.exists());
    // Of a store that cannot be understood nothing is removed.
    let secret = fixture.write("secret", b"mine");
    let hostile = serde_json::json!({ "layers": [
        { "mediaType": "application/vnd.ollama.image.model", "digest": digest(2) },
        { "mediaType": "application/vnd.ollama.image.license", "digest": secret },
    ] });
    for text in ["<html>".to_owned(), hostile.to_string()] {
        fixture.write(&manifest_path("c/latest"), text.as_bytes());
        let refused = read().remove(&kept);
        assert!(matches!(&refused, Err(Error::File { .. })), "{refused:?}");
        assert!(shared.exists() && kept.exists() && secret.exists());
    }
}

/// As of `mario`, made from `llama3`: deleting one name once deleted all.
#[tokio::test]
async fn of_two_names_of_a_model_of_ollamas_one_goes_and_the_other_is_listed() {
    let fixture = Fixture::new();
    let model = fixture.write(&blob(1), &tiny_gguf());
    let [first, second] = ["llama3/latest", "mario/latest"].map(|name| put(&fixture, name, &[1]));
    let ollama = Some(Source::Ollama);
    assert_eq!(fixture.ids().await, ["ollama/llama3:latest"]);
    assert_eq!(delete(&fixture, "ollama/llama3:latest", ollama).await, Ok(true));
    assert!(!first.exists() && second.exists() && model.exists());
    assert_eq!(fixture.ids().await, ["ollama/mario:latest"]);
    assert_eq!(delete(&fixture, "ollama/mario:latest", ollama).await, Ok(true));
    assert!(!second.exists() && !model.exists());
}

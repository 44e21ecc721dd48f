//! Folders with whole, damaged and odd files.

pub(super) mod fixture;
mod inspecting;
mod links;
pub(super) mod ollama_store;
mod on_disk;
mod programs;
mod sets;

use std::fs;

use super::*;
use fixture::{COMMIT, Fixture, OTHER_COMMIT, REPO, tiny_gguf, tiny_gguf_with, tiny_part, tiny_projector};

#[tokio::test]
async fn files_are_found_at_every_depth_and_the_starter_comes_first() {
    let fixture = Fixture::new();
    for path in [
        "models/b.gguf",
        "models/one/a.GGUF",
        "models/one/two/c.gguf",
        "models/x.gguf.part",
        "models/.gguf",
        "models/notes.txt",
        "starter/z-Q4_1.gguf",
        "models/模型 é Ω/山 月 123's #%20.gguf",
    ] {
        fixture.write(path, &tiny_gguf());
    }
    assert_eq!(
        fixture.ids().await,
        [
            "starter/z-Q4_1.gguf",
            "hearth/one/a.GGUF",
            "hearth/b.gguf",
            "hearth/one/two/c.gguf",
            "hearth/模型 é Ω/山 月 123's #%20.gguf"
        ]
    );
}

#[tokio::test]
async fn one_name_from_two_publishers_is_two_files() {
    let fixture = Fixture::new();
    fixture.write("models/p1/r/model.gguf", &tiny_gguf());
    fixture.write("models/p2/r/model.gguf", &tiny_gguf());
    assert_eq!(
        fixture.ids().await,
        ["hearth/p1/r/model.gguf", "hearth/p2/r/model.gguf"]
    );
    let second = ModelRef::File("hearth/p2/r/model.gguf".into());
    let file = fixture.library.resolve(&second).await.expect("second");
    assert!(file.path.ends_with("p2/r/model.gguf"));
}

#[cfg(unix)]
#[tokio::test]
async fn a_dangling_link_and_a_loop_hide_nothing() {
    use std::os::unix::fs::symlink;

    let fixture = Fixture::new();
    let good = fixture.write("models/good.gguf", &tiny_gguf());
    let models = good.parent().expect("models").to_owned();
    symlink(models.join("nowhere.gguf"), models.join("dangling.gguf")).expect("link");
    symlink(&models, models.join("loop")).expect("link");
    assert_eq!(fixture.ids().await, ["hearth/good.gguf"]);
    assert_eq!(
        fixture.skipped().await,
        [models.join("dangling.gguf"), models.join("loop")]
    );
}

#[tokio::test]
async fn damaged_files_are_listed_with_the_reason_and_not_given_out() {
    let fixture = Fixture::new();
    let whole = tiny_gguf();
    fixture.write("models/half.gguf", &whole[..whole.len() - 1]);
    fixture.write("models/page.gguf", b"<html></html>");
    for file in fixture.library.list().await.expect("list") {
        assert!(matches!(file.state, FileState::Damaged { .. }), "{file:?}");
    }
    let error = fixture
        .library
        .resolve(&ModelRef::Name("half".into()))
        .await
        .expect_err("damaged");
    assert!(
        matches!(&error, Error::BadModelFile { reason, .. } if reason.contains("it ends after")),
        "{error}"
    );
}

#[tokio::test]
async fn a_model_is_found_by_any_of_its_names() {
    let fixture = Fixture::new();
    fixture.write("starter/SmolLM2-135M-Instruct-Q4_1.gguf", &tiny_gguf());
    for name in [
        "SmolLM2-135M-Instruct-Q4_1",
        "smollm2-135m-instruct-q4_1.gguf",
        "smollm2 135m instruct",
        "starter/SmolLM2-135M-Instruct-Q4_1.gguf",
    ] {
        assert!(
            fixture
                .library
                .resolve(&ModelRef::Name(name.into()))
                .await
                .is_ok(),
            "{name}"
        );
    }
    let error = fixture
        .library
        .resolve(&ModelRef::Name("nope".into()))
        .await
        .expect_err("unknown");
    assert_eq!(
        error.to_string(),
        "There is no model “nope”. There is: SmolLM2-135M-Instruct-Q4_1."
    );
}

#[tokio::test]
async fn a_path_is_taken_as_it_is() {
    let fixture = Fixture::new();
    let path = fixture.write("elsewhere/m.gguf", &tiny_gguf());
    let file = fixture
        .library
        .resolve(&ModelRef::Path(path.clone()))
        .await
        .expect("path");
    assert_eq!((file.path, file.context_length), (path, Some(64)));
    let missing = fixture.folder.path().join("missing.gguf");
    let error = fixture
        .library
        .resolve(&ModelRef::Path(missing))
        .await
        .expect_err("missing");
    assert!(matches!(error, Error::NotFound { .. }), "{error}");
    let folder = fixture
        .library
        .resolve(&ModelRef::Path(fixture.folder.path().to_owned()))
        .await
        .expect_err("folder");
    assert!(
        matches!(&folder, Error::BadModelFile { reason, .. } if reason.contains("folder")),
        "{folder}"
    );
}

#[tokio::test]
async fn the_hugging_face_cache_is_part_of_the_library() {
    let fixture = Fixture::new();
    let repo = "hub/models--owner--name-GGUF";
    fixture.write(&format!("{repo}/snapshots/{COMMIT}/m-Q8_0.gguf"), &tiny_gguf());
    fixture.write(&format!("{repo}/snapshots/{COMMIT}/README.md"), b"x");
    fixture.write(&format!("{repo}/refs/main"), COMMIT.as_bytes());
    assert_eq!(fixture.ids().await, ["hub/owner/name-GGUF/m-Q8_0.gguf"]);
}

#[tokio::test]
async fn data_sets_and_spaces_of_the_cache_are_no_models() {
    let fixture = Fixture::new();
    for kind in ["datasets", "models", "spaces"] {
        let path = format!("hub/{kind}--owner--name/snapshots/{COMMIT}/m.gguf");
        fixture.write(&path, &tiny_gguf());
    }
    let files = fixture.list().await;
    assert_eq!(files.len(), 1, "{files:?}");
    assert!(files[0].path.starts_with(fixture.path(REPO)));
}

/// Two revisions once gave two rows of one id.
#[tokio::test]
async fn of_a_file_with_two_revisions_the_one_of_the_main_branch_is_listed() {
    let fixture = Fixture::new();
    let repo = "hub/models--owner--name-GGUF";
    let path = fixture.write(&format!("{repo}/snapshots/{COMMIT}/m-Q8_0.gguf"), &tiny_gguf());
    fixture.write(&format!("{repo}/snapshots/{OTHER_COMMIT}/m-Q8_0.gguf"), b"<html>");
    fixture.write(&format!("{repo}/refs/main"), COMMIT.as_bytes());
    let files = fixture.library.list().await.expect("list");
    let found: Vec<_> = files.iter().map(|file| (file.id.as_str(), &file.path)).collect();
    assert_eq!(found, [("hub/owner/name-GGUF/m-Q8_0.gguf", &path)]);
}

#[tokio::test]
async fn folders_that_lie_too_deep_are_named() {
    let fixture = Fixture::new();
    let deepest = format!("models/{}", "d/".repeat(11));
    fixture.write(&format!("{deepest}reached.gguf"), &tiny_gguf());
    fixture.write(&format!("{deepest}d/passed-over.gguf"), &tiny_gguf());
    assert_eq!(fixture.library.list().await.expect("list").len(), 1);
    assert_eq!(
        fixture.skipped().await,
        [fixture.folder.path().join(format!("{deepest}d"))]
    );
}

/// The memory of headers must not hide what has changed.
#[tokio::test]
async fn a_list_shows_files_as_they_are_now() {
    let fixture = Fixture::new();
    let path = fixture.write("models/m.gguf", &tiny_gguf());
    let state = async || {
        let files = fixture.library.list().await.expect("list");
        files
            .into_iter()
            .map(|file| file.state == FileState::Ready)
            .collect::<Vec<_>>()
    };
    assert_eq!(state().await, [true]);
    assert_eq!(state().await, [true]);
    fs::write(&path, &tiny_gguf()[..100]).expect("cut it off");
    assert_eq!(state().await, [false]);
    fs::write(&path, tiny_gguf()).expect("mend it");
    assert_eq!(state().await, [true]);
    fs::remove_file(&path).expect("delete it");
    assert_eq!(state().await, Vec::<bool>::new());
}

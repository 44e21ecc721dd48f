//! What is found and what goes. Case 26 of the public reports.

use std::fs::{self, FileTimes};
use std::time::{Duration, SystemTime};

use super::super::tests::fixture::{COMMIT, Fixture, REPO, tiny_gguf};
use super::super::tests::ollama_store::{blob, manifest_of, manifest_path};
use super::*;

/// Makes a file look as if nobody had written to it for so long.
fn age(path: &Path, age: Duration) {
    let file = File::options().write(true).open(path).expect("open");
    let then = FileTimes::new().set_modified(SystemTime::now() - age);
    file.set_times(then).expect("set");
}

const DAYS: Duration = Duration::from_secs(2 * 24 * 60 * 60);

/// The leftovers, with their paths below the test's folder.
async fn found(fixture: &Fixture) -> Vec<(String, LeftoverKind, Source)> {
    let leftovers = fixture.library.leftovers().await.expect("leftovers");
    let mut found: Vec<_> = leftovers
        .iter()
        .map(|leftover| {
            let below = leftover.path.strip_prefix(fixture.folder.path()).expect("below");
            (below.display().to_string(), leftover.kind, leftover.source)
        })
        .collect();
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

fn found_as(path: &str, kind: LeftoverKind, source: Source) -> (String, LeftoverKind, Source) {
    (path.to_owned(), kind, source)
}

#[tokio::test]
async fn a_library_without_leftovers_has_none() {
    let fixture = Fixture::new();
    assert_eq!(found(&fixture).await, []);
    fixture.write("models/m.gguf", &tiny_gguf());
    fixture.write(&format!("{REPO}/snapshots/{COMMIT}/m.gguf"), &tiny_gguf());
    // A copy of it, as is made where there are no links.
    fixture.write(&format!("{REPO}/blobs/aaaa"), &tiny_gguf());
    assert_eq!(found(&fixture).await, []);
}

#[cfg(unix)]
#[tokio::test]
async fn each_kind_is_found_and_nothing_else() {
    let fixture = Fixture::new();
    let aged = |path: &str, bytes: &[u8]| age(&fixture.write(path, bytes), DAYS);
    // Hearth's own.
    fixture.write("models/imported/m/m.gguf.part", b"half");
    aged("models/o/n/m.gguf.part", b"half");
    fixture.write("models/o/n/browser.gguf.part", b"comes just now");
    fixture.write(&format!("{REPO}/blobs/bbbb.hearth-incomplete"), b"half");
    aged(&format!("{REPO}/.hearth-0123456789abcdef"), b"x");
    aged("downloads/7.new", b"{");
    fixture.write("downloads/8.json", b"{\"version\":1,");
    fixture.write("downloads/9.new", b"{");
    let models = fixture.path("models");
    std::os::unix::fs::symlink("nowhere", models.join("dangling.gguf")).expect("a link");
    // The cache's.
    aged(&format!("{REPO}/blobs/cccc.incomplete"), b"half");
    fixture.write(&format!("{REPO}/blobs/dddd.incomplete"), b"comes just now");
    fixture.write(&format!("{REPO}/blobs/eeee"), b"nobody's");
    let used = fixture.write(&format!("{REPO}/blobs/ffff"), b"used");
    let snapshot = fixture.write(
        &format!("{REPO}/snapshots/{COMMIT}/README.md"),
        b"a file of its own",
    );
    std::os::unix::fs::symlink(&used, snapshot.with_file_name("m.gguf")).expect("a link");
    std::os::unix::fs::symlink("../../blobs/gone", snapshot.with_file_name("gone.gguf")).expect("a link");
    // Ollama's.
    fixture.write(&manifest_path("m/latest"), &manifest_of(&[1]));
    aged(&blob(1), b"named");
    aged(&blob(2), b"nobody's");
    fixture.write(&blob(3), b"comes just now");
    aged(&(blob(4) + "-partial-0"), b"half");
    aged("ollama/blobs/notes.txt", b"somebody's");

    use LeftoverKind::{DanglingLink, Orphan, Partial};
    use Source::{Hearth, HuggingFace, Ollama};
    assert_eq!(
        found(&fixture).await,
        [
            found_as("downloads/7.new", Partial, Hearth),
            found_as("downloads/8.json", Partial, Hearth),
            found_as(&format!("{REPO}/.hearth-0123456789abcdef"), Partial, Hearth),
            found_as(&format!("{REPO}/blobs/bbbb.hearth-incomplete"), Partial, Hearth),
            found_as(&format!("{REPO}/blobs/cccc.incomplete"), Partial, HuggingFace),
            found_as(&format!("{REPO}/blobs/eeee"), Orphan, HuggingFace),
            found_as(
                &format!("{REPO}/snapshots/{COMMIT}/gone.gguf"),
                DanglingLink,
                HuggingFace
            ),
            found_as("models/dangling.gguf", DanglingLink, Hearth),
            found_as("models/imported/m/m.gguf.part", Partial, Hearth),
            found_as("models/o/n/m.gguf.part", Partial, Hearth),
            found_as(&blob(2), Orphan, Ollama),
            found_as(&(blob(4) + "-partial-0"), Partial, Ollama),
        ]
    );
    let sizes = fixture.library.leftovers().await.expect("leftovers");
    assert!(sizes.is_sorted_by(|a, b| a.size >= b.size), "{sizes:?}");
}

#[tokio::test]
async fn only_what_is_a_leftover_and_may_go_is_removed() {
    let fixture = Fixture::new();
    let partial = fixture.write("models/imported/m/m.gguf.part", b"12345");
    let orphan = fixture.write(&format!("{REPO}/blobs/eeee"), b"1234567");
    let model = fixture.write("models/m.gguf", &tiny_gguf());
    let outside = fixture.write("elsewhere/x.part", b"x");
    let all = vec![partial.clone(), orphan.clone(), model.clone(), outside.clone()];
    let cleaned = fixture
        .library
        .clean(all.clone(), Vec::new())
        .await
        .expect("cleaned");
    assert_eq!((cleaned.removed, cleaned.freed), (1, ByteSize(5)));
    let kept: Vec<_> = cleaned
        .kept
        .iter()
        .map(|(path, reason)| (path, reason.as_str()))
        .collect();
    assert_eq!(
        kept,
        [
            (
                &orphan,
                "it belongs to the Hugging Face cache; confirm that it may be deleted all the same"
            ),
            (&model, "it is not a leftover any more"),
            (&outside, "it is not a leftover any more"),
        ]
    );
    assert!(!partial.exists() && orphan.exists() && model.exists() && outside.exists());
    assert!(!fixture.path("models/imported").exists(), "the empty folders go");

    let confirmed = vec![Source::HuggingFace];
    let cleaned = fixture.library.clean(all, confirmed).await.expect("cleaned");
    assert_eq!(
        (cleaned.removed, cleaned.freed, cleaned.kept.len()),
        (1, ByteSize(7), 3)
    );
    assert!(!fixture.path(REPO).exists() && fixture.path("hub").exists());
}

#[tokio::test]
async fn what_some_process_writes_to_is_no_leftover() {
    let fixture = Fixture::new();
    let paths = [
        fixture.write("models/imported/m/m.gguf.part", b"12345"),
        fixture.write(&format!("{REPO}/blobs/bbbb.hearth-incomplete"), b"half"),
    ];
    let locks = paths.each_ref().map(|path| File::open(path).expect("open"));
    for file in &locks {
        file.lock().expect("locked");
    }
    assert_eq!(found(&fixture).await, []);
    drop(locks);
    assert_eq!(found(&fixture).await.len(), 2);
}

/// A side file of a download of `m.gguf`, which has begun.
fn side_file(version: u32, intent: &str) -> String {
    let digest = "a".repeat(64);
    format!(
        r#"{{"version":{version},"id":1,"request":{{"model":"owner/name","file":null,"revision":null}},"position":1,
        "intent":{intent},"place":"hub_cache","set":{{"commit":"{COMMIT}","files":[{{"path":"m.gguf","size":100,
        "blob":"{digest}","sha256":"{digest}","have":[],"hashed":null,"etag":null,"stage":"fetching"}}]}}}}"#
    )
}

#[tokio::test]
async fn what_a_download_of_the_list_needs_is_no_leftover() {
    let fixture = Fixture::new();
    let digest = "a".repeat(64);
    fixture.write(&format!("{REPO}/blobs/{digest}.hearth-incomplete"), b"half");
    fixture.write(&format!("{REPO}/blobs/{digest}"), b"has no name yet");
    for intent in [
        "\"go\"",
        "{\"wait\":null}",
        "{\"fail\":{\"error\":\"cancelled\"}}",
    ] {
        fixture.write("downloads/1.json", side_file(1, intent).as_bytes());
        assert_eq!(found(&fixture).await, [], "{intent}");
    }
    // One of a newer Hearth could need anything.
    fixture.write("downloads/1.json", b"{\"version\":99}");
    assert_eq!(found(&fixture).await, []);
    // Once it is done it needs nothing more.
    fixture.write(
        "downloads/1.json",
        side_file(1, "{\"rest\":{\"verified\":true}}").as_bytes(),
    );
    assert_eq!(found(&fixture).await.len(), 2);
    fs::remove_file(fixture.path("downloads/1.json")).expect("removed");
    assert_eq!(found(&fixture).await.len(), 2);
}

#[tokio::test]
async fn where_not_every_name_can_be_seen_nothing_is_without_one() {
    let fixture = Fixture::new();
    let manifest = fixture.write(&manifest_path("m/latest"), b"<html>");
    let blob = fixture.write(&blob(1), b"whose?");
    age(&blob, DAYS);
    assert_eq!(found(&fixture).await, []);
    fs::remove_file(&manifest).expect("removed");
    assert_eq!(found(&fixture).await.len(), 1);
    fs::remove_dir_all(fixture.path("ollama/manifests")).expect("removed");
    assert_eq!(found(&fixture).await, [], "a store without manifests is none");
}

/// A download is as long as its file from the start, and takes what has come.
#[cfg(unix)]
#[tokio::test]
async fn a_leftover_is_as_large_as_what_it_takes() {
    let fixture = Fixture::new();
    let path = fixture.write(&format!("{REPO}/blobs/bbbb.hearth-incomplete"), &[1; 10_000]);
    let file = File::options().write(true).open(&path).expect("open");
    file.set_len(1 << 30).expect("longer");
    let size = fixture.library.leftovers().await.expect("leftovers")[0].size;
    assert!(size.0 >= 10_000 && size.0 < 1 << 20, "{size}");
}

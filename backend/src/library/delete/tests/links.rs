//! Deletes where links lead to files, or through their names, or to folders of others.

use std::os::unix::fs::symlink;

use super::*;

/// A folder that is linked into Hearth's once made another program's files Hearth's own.
#[tokio::test]
async fn what_lies_behind_a_link_to_a_folder_is_not_hearths_own() {
    let fixture = Fixture::new();
    let theirs = fixture.write("lm-studio/p/r/m.gguf", &tiny_gguf());
    let mine = fixture.write("disk/q/r/n.gguf", &tiny_gguf());
    fixture.write("models/own.gguf", &tiny_gguf());
    let models = fixture.path("models");
    symlink(fixture.path("lm-studio"), models.join("lms")).expect("a link");
    symlink(fixture.path("lm-studio/p"), models.join("p")).expect("a link");
    symlink(fixture.path("disk/q"), models.join("q")).expect("a link");
    let linked = models.join("q/r/n.gguf").display().to_string();
    let ids = ["lm-studio/p/r/m.gguf", &linked, "hearth/own.gguf"];
    assert_eq!(fixture.ids().await, ids);
    for (id, source, path) in [
        (ids[0], Source::LmStudio, &theirs),
        (ids[1], Source::Folder, &mine),
    ] {
        let refused = delete(&fixture, id, None).await;
        assert!(matches!(&refused, Err(Error::Unconfirmed { .. })), "{refused:?}");
        assert!(path.exists());
        assert_eq!(delete(&fixture, id, Some(source)).await, Ok(true));
        assert!(!path.exists() && path.parent().is_some_and(Path::exists));
    }
    // The whole folder may lie elsewhere.
    fs::remove_dir_all(&models).expect("removed");
    fixture.write("large/p/r/own.gguf", &tiny_gguf());
    symlink(fixture.path("large"), &models).expect("a link");
    assert_eq!(delete(&fixture, "hearth/p/r/own.gguf", None).await, Ok(true));
    assert_eq!(fixture.everything("large"), Vec::<String>::new());
}

/// The bytes that `rm` kept for a link were once an orphan to `clean`.
#[tokio::test]
async fn bytes_that_a_link_elsewhere_needs_are_no_leftover_either() {
    let fixture = Fixture::new();
    let blob = fixture.write(&format!("{REPO}/blobs/aaaa"), &tiny_gguf());
    link(&fixture, COMMIT, "m.gguf", "aaaa");
    // Of a program that is left out, which needs its link all the same.
    let theirs = fixture
        .write("lm-studio/p/r/x", b"")
        .with_file_name("theirs.gguf");
    symlink(&blob, &theirs).expect("a link");
    let hub = delete(&fixture, "hub/owner/name/m.gguf", Some(Source::HuggingFace));
    assert_eq!(hub.await, Ok(true));
    for ignored in [&[][..], &[Source::LmStudio]] {
        fixture.choose(&[], ignored);
        assert_eq!(fixture.library.leftovers().await, Ok(Vec::new()), "{ignored:?}");
        let cleaned = fixture
            .library
            .clean(vec![blob.clone()], vec![Source::HuggingFace]);
        assert_eq!(cleaned.await.expect("cleaned").removed, 0);
        assert!(theirs.exists());
    }
    // With the link gone they are.
    fs::remove_file(&theirs).expect("removed");
    let leftovers = fixture.library.leftovers().await.expect("leftovers");
    assert_eq!(leftovers.len(), 1, "{leftovers:?}");
}

#[tokio::test]
async fn a_name_that_a_link_leads_through_stays_and_the_link_is_named() {
    let fixture = Fixture::new();
    fixture.choose(&["folder"], &[]);
    fixture.write(&format!("{REPO}/blobs/aaaa"), &tiny_gguf());
    let cached = link(&fixture, COMMIT, "m.gguf", "aaaa");
    let own = fixture.write("models/p/r/n.gguf", &[tiny_gguf(), vec![0; 32]].concat());
    fixture.write("folder/x", b"");
    // Not only by one hop, and by a folder that is a link.
    let snapshots = fixture.path("elsewhere");
    symlink(cached.parent().expect("a folder"), &snapshots).expect("a link");
    let through = fixture.path("second-link");
    symlink(snapshots.join("m.gguf"), &through).expect("a link");
    let cases = [
        (
            "hub/owner/name/m.gguf",
            Some(Source::HuggingFace),
            &through,
            &cached,
        ),
        ("hearth/p/r/n.gguf", None, &own, &own),
    ];
    for (id, confirmed, target, kept) in cases {
        let theirs = fixture.path("folder/theirs.gguf");
        symlink(target, &theirs).expect("a link");
        let refused = delete(&fixture, id, confirmed).await;
        let words = format!("the link {} leads to it", theirs.display());
        assert!(
            matches!(&refused, Err(error @ Error::Busy { .. }) if error.to_string().contains(&words)),
            "{refused:?}"
        );
        assert!(kept.exists() && theirs.exists());
        fs::remove_file(&theirs).expect("removed");
        assert_eq!(delete(&fixture, id, confirmed).await, Ok(true), "{id}");
    }
}

//! Imports of each kind, whole and broken off. Cases 2 and 4 of the public reports.

mod broken;
mod disks;

use std::fs;

use hearth_protocol::engine::ModelRef;
use hearth_protocol::{Events, RequestId, Waker};

use super::super::tests::fixture::{Fixture, tiny_gguf, tiny_part};
use super::*;

const MODES: [ImportMode; 4] = [
    ImportMode::Copy,
    ImportMode::Move,
    ImportMode::HardLink,
    ImportMode::SymbolicLink,
];

/// A usable file of this length, of which all but the beginning are holes.
fn large(path: &Path, length: u64) {
    fs::write(path, tiny_gguf()).expect("written");
    let file = fs::File::options().write(true).open(path).expect("open");
    file.set_len(length).expect("longer");
}

/// Imports a file and gives how it ended.
async fn import(library: &Library, path: &Path, how: ImportMode) -> Result<LibraryFile> {
    let (sink, events): (_, Events<ImportEvent>) = EventSink::new(RequestId(1), Waker::none());
    let path = path.to_owned();
    library.import(ImportRequest { path, how }, sink).await;
    let mut last = None;
    while let Some(event) = events.next() {
        if let ImportEvent::Progress(done, total) = &event {
            assert!(done <= total, "{done} of {total}");
        }
        last = Some(event);
    }
    match last.expect("an end") {
        ImportEvent::Finished(file) => Ok(file),
        ImportEvent::Failed(error) => Err(error),
        ImportEvent::Progress(..) => panic!("no end"),
    }
}

#[tokio::test]
async fn a_file_comes_into_a_folder_of_its_own_in_each_way() {
    for how in MODES {
        let fixture = Fixture::new();
        let source = fixture.write("elsewhere/m-Q4_0.gguf", &tiny_gguf());
        let file = import(&fixture.library, &source, how).await.expect("imported");
        assert_eq!(file.id.as_str(), "hearth/imported/m-Q4_0/m-Q4_0.gguf", "{how:?}");
        assert_eq!(file.state, FileState::Ready);
        assert_eq!(source.exists(), how != ImportMode::Move, "{how:?}");
        assert_eq!(fs::read(&file.path).expect("there"), tiny_gguf());
        assert_eq!(file.path.is_symlink(), how == ImportMode::SymbolicLink);
        assert_eq!(
            Bytes::of(&file.path) == Bytes::of(&source),
            matches!(how, ImportMode::HardLink | ImportMode::SymbolicLink)
        );
        // It is found by its name, and nothing but it lies there.
        let by_name = ModelRef::Name("m-Q4_0".into());
        assert_eq!(
            fixture.library.resolve(&by_name).await.expect("found").path,
            file.path
        );
        let there = ["imported", "imported/m-Q4_0", "imported/m-Q4_0/m-Q4_0.gguf"];
        assert_eq!(fixture.everything("models"), there, "{how:?}");
    }
}

#[tokio::test]
async fn two_files_of_one_name_are_two_entries() {
    let fixture = Fixture::new();
    let library = &fixture.library;
    let mut second = tiny_gguf();
    *second.last_mut().expect("bytes") = 7;
    let sources = [
        fixture.write("p1/r/model.gguf", &tiny_gguf()),
        fixture.write("p2/r/model.gguf", &second),
    ];
    for source in &sources {
        import(library, source, ImportMode::Copy).await.expect("imported");
    }
    assert_eq!(
        fixture.ids().await,
        [
            "hearth/imported/model-2/model.gguf",
            "hearth/imported/model/model.gguf"
        ]
    );
    // The second is deleted, and only that.
    let request = hearth_protocol::library::DeleteRequest {
        file: "hearth/imported/model-2/model.gguf".into(),
        confirmed: None,
    };
    assert_eq!(library.delete(&request, &[]).await, Ok(true));
    assert_eq!(fixture.ids().await, ["hearth/imported/model/model.gguf"]);
    let first = fixture.path("models/imported/model/model.gguf");
    assert_eq!(fs::read(first).expect("there"), tiny_gguf());
    assert_eq!(fs::read(&sources[1]).expect("there"), second);
}

#[tokio::test]
async fn any_part_stands_for_all_of_a_model() {
    for how in MODES {
        let fixture = Fixture::new();
        let parts = [0, 1, 2].map(|part| {
            let name = format!("elsewhere/m-{:05}-of-00003.gguf", part + 1);
            fixture.write(&name, &tiny_part(part, 3))
        });
        fixture.write("elsewhere/other.gguf", &tiny_gguf());
        let file = import(&fixture.library, &parts[1], how).await.expect("imported");
        assert_eq!(file.id.as_str(), "hearth/imported/m/m-00001-of-00003.gguf");
        assert_eq!(
            (file.state, file.size.0),
            (FileState::Ready, 3 * tiny_part(0, 3).len() as u64)
        );
        assert!(
            parts
                .iter()
                .all(|part| part.exists() != (how == ImportMode::Move)),
            "{how:?}"
        );
        assert!(fixture.path("elsewhere/other.gguf").exists());
    }
}

#[tokio::test]
async fn odd_names_come_in_and_are_found() {
    let names = [
        "模型 é Ω/山 月 123 World.gguf",
        "Кириллица/Кириллица.GGUF",
        "a\u{3000}b/c\u{3000}d.gguf",
        "it's #1 %20/it's #1 %20.gguf",
    ];
    for how in MODES {
        let fixture = Fixture::new();
        for (at, name) in names.iter().enumerate() {
            let source = fixture.write(&format!("elsewhere/{name}"), &tiny_gguf());
            let file = import(&fixture.library, &source, how).await.expect("imported");
            assert_eq!(file.state, FileState::Ready, "{name}");
            let found = fixture.library.resolve(&ModelRef::File(file.id.clone())).await;
            assert_eq!(found.expect("found").path, file.path, "{name}");
            assert_eq!(fixture.library.list().await.expect("listed").len(), at + 1);
        }
    }
}

#[cfg(unix)]
#[tokio::test]
async fn names_that_are_no_text_or_very_long_become_usable_ones() {
    use std::os::unix::ffi::OsStrExt;

    let fixture = Fixture::new();
    let folder = fixture.write("elsewhere/x", b"").with_file_name("");
    let long = format!("{}.gguf", "ü".repeat(125));
    for name in [&b"bad\xff.gguf"[..], long.as_bytes()] {
        let source = folder.join(std::ffi::OsStr::from_bytes(name));
        fs::write(&source, tiny_gguf()).expect("written");
        let file = import(&fixture.library, &source, ImportMode::Copy)
            .await
            .expect("imported");
        assert!(
            file.path.to_str().is_some() && file.state == FileState::Ready,
            "{file:?}"
        );
    }
}

#[tokio::test]
async fn what_cannot_be_taken_is_refused_with_the_reason_before_anything_is_written() {
    let fixture = Fixture::new();
    let library = &fixture.library;
    let whole = tiny_gguf();
    fixture.write("elsewhere/half.gguf", &whole[..whole.len() - 1]);
    fixture.write("elsewhere/page.gguf", b"<html></html>");
    fixture.write("elsewhere/m-00001-of-00002.gguf", &tiny_part(0, 2));
    fs::create_dir_all(fixture.path("elsewhere/folder.gguf")).expect("a folder");
    let cases = [
        ("half.gguf", "it ends after"),
        ("page.gguf", "web page"),
        ("m-00001-of-00002.gguf", "part 2 of 2 is missing"),
        ("folder.gguf", "folder"),
        ("none.gguf", "There is no file"),
    ];
    for how in MODES {
        for (name, words) in cases {
            let path = fixture.path("elsewhere").join(name);
            let error = import(library, &path, how).await.expect_err("refused");
            assert!(error.to_string().contains(words), "{name}: {error}");
        }
        assert_eq!(fixture.everything("models"), Vec::<String>::new());
    }
}

#[cfg(unix)]
#[tokio::test]
async fn a_pipe_and_a_link_to_nothing_are_refused_and_hold_nobody_up() {
    let fixture = Fixture::new();
    let pipe = fixture.write("elsewhere/x", b"").with_file_name("pipe.gguf");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo runs").success());
    let dangling = pipe.with_file_name("dangling.gguf");
    std::os::unix::fs::symlink("nowhere", &dangling).expect("a link");
    for (path, words) in [
        (&pipe, "not a regular file"),
        (&dangling, "a link to a file that is not there"),
    ] {
        let error = import(&fixture.library, path, ImportMode::Copy)
            .await
            .expect_err("refused");
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[tokio::test]
async fn what_the_library_has_by_whatever_name_is_not_taken_again() {
    let fixture = Fixture::new();
    let library = &fixture.library;
    let listed = fixture.write("models/m.gguf", &tiny_gguf());
    let second = fixture.path("second.gguf");
    fs::hard_link(&listed, &second).expect("a second name");
    for path in [&listed, &second] {
        for how in MODES {
            let error = import(library, path, how).await.expect_err("refused");
            assert!(
                error
                    .to_string()
                    .contains("is in the library already, as hearth/m.gguf"),
                "{error}"
            );
        }
    }
    // So does what was imported, and what it was imported from where both are the same bytes.
    let source = fixture.write("elsewhere/n.gguf", &tiny_gguf());
    import(library, &source, ImportMode::SymbolicLink)
        .await
        .expect("imported");
    let error = import(library, &source, ImportMode::Copy)
        .await
        .expect_err("refused");
    assert!(error.to_string().contains("hearth/imported/n/n.gguf"), "{error}");
}

#[cfg(unix)]
#[tokio::test]
async fn of_a_link_the_file_behind_it_is_taken_and_a_move_is_refused() {
    let fixture = Fixture::new();
    let source = fixture.write("elsewhere/blobs/0123", &tiny_gguf());
    let link = fixture.path("elsewhere/m-Q8_0.gguf");
    std::os::unix::fs::symlink("blobs/0123", &link).expect("a link");
    let error = import(&fixture.library, &link, ImportMode::Move)
        .await
        .expect_err("refused");
    assert!(error.to_string().contains("is a link to"), "{error}");
    for how in [ImportMode::HardLink, ImportMode::Copy] {
        let fixture = Fixture::new();
        let file = import(&fixture.library, &link, how).await.expect("imported");
        assert!(
            file.path.ends_with("m-Q8_0.gguf") && !file.path.is_symlink(),
            "{file:?}"
        );
        assert_eq!(
            Bytes::of(&file.path) == Bytes::of(&source),
            how == ImportMode::HardLink
        );
    }
}

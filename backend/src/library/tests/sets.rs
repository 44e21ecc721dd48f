//! Models in several files.

use super::*;

/// Case 9 of the public reports.
#[tokio::test]
async fn a_model_in_several_files_is_one_row() {
    let fixture = Fixture::new();
    for part in [2, 0, 1] {
        let name = format!("models/m-{:05}-of-00003.gguf", part + 1);
        fixture.write(&name, &tiny_part(part, 3));
    }
    fixture.write("models/m-00001-of-00001.gguf", &tiny_part(0, 1));
    fixture.write("models/best-of-breed.gguf", &tiny_gguf());
    // So called and whole: the name alone makes no part.
    fixture.write("models/whole-00002-of-00002.gguf", &tiny_gguf());
    let files = fixture.library.list().await.expect("list");
    let rows: Vec<_> = files
        .iter()
        .map(|file| (file.id.as_str(), file.name.as_str()))
        .collect();
    assert_eq!(
        rows,
        [
            ("hearth/best-of-breed.gguf", "best of breed"),
            ("hearth/m-00001-of-00001.gguf", "m"),
            ("hearth/m-00001-of-00003.gguf", "m"),
            ("hearth/whole-00002-of-00002.gguf", "whole"),
        ]
    );
    assert!(
        files.iter().all(|file| file.state == FileState::Ready),
        "{files:#?}"
    );
    assert_eq!(files[2].size.0, 3 * tiny_part(0, 3).len() as u64);
    assert_eq!(files[2].parameters, Some(3 * 8));
    assert_eq!(fixture.skipped().await, Vec::<PathBuf>::new());

    // Whichever part is named by its path, the first is what is loaded.
    let models = fixture.folder.path().join("models");
    let third = ModelRef::Path(models.join("m-00003-of-00003.gguf"));
    let file = fixture.library.resolve(&third).await.expect("the set");
    assert_eq!(file.path, models.join("m-00001-of-00003.gguf"));
}

#[tokio::test]
async fn what_a_set_of_files_lacks_is_said() {
    let check = async |files: &[(u16, Vec<u8>)], expected: &[(&str, &str)]| {
        let fixture = Fixture::new();
        for (number, bytes) in files {
            fixture.write(&format!("models/m-{number:05}-of-00003.gguf"), bytes);
        }
        let files = fixture.library.list().await.expect("list");
        let problems: Vec<_> = files
            .iter()
            .map(|file| match &file.state {
                FileState::Damaged { reason } => (file.id.as_str(), reason.as_str()),
                FileState::Ready => (file.id.as_str(), "nothing"),
            })
            .collect();
        assert_eq!(problems, expected);
    };
    let part = |number: u16| (number, tiny_part(number - 1, 3));
    let (first, second) = ("hearth/m-00001-of-00003.gguf", "hearth/m-00002-of-00003.gguf");
    check(
        &[part(1), part(3)],
        &[(first, "it is incomplete: part 2 of 3 is missing")],
    )
    .await;
    check(
        &[part(2), part(3)],
        &[(second, "it is incomplete: part 1 of 3 is missing")],
    )
    .await;
    check(
        &[part(1)],
        &[(
            first,
            "it is incomplete: 2 of 3 parts are missing, part 2 is the first of them",
        )],
    )
    .await;
    check(
        &[part(1), part(2), (3, b"<html>".to_vec())],
        &[(
            first,
            "part 3 of 3: it is a web page and not a model; download it again",
        )],
    )
    .await;
    check(
        &[part(1), (2, tiny_part(2, 3)), part(3)],
        &[
            (first, "part 2 of 3 is of another model"),
            (
                second,
                "it is part 3 of 3 of a model, and its name does not end in -00003-of-00003.gguf; rename it",
            ),
        ],
    )
    .await;
}

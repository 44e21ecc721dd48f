//! What a person writes of a model, as it is stored.

use hearth_protocol::Error;
use hearth_protocol::catalogue::ModelEdits;
use hearth_protocol::library::FileNotes;

use super::super::checked;
use super::Both;

#[test]
fn edits_are_trimmed_and_their_tags_are_there_once() {
    let edits = ModelEdits {
        display_name: Some("  ".into()),
        notes: " as they are ".into(),
        tags: ["work", " ", "Work", " own one "].map(str::to_owned).to_vec(),
        favourite: true,
        hidden: false,
    };
    let checked = checked(edits.clone()).expect("they are fine");
    assert_eq!(checked.display_name, None);
    assert_eq!(checked.tags, ["work", "own one"]);
    assert_eq!((checked.notes, checked.favourite), (edits.notes, true));
}

#[test]
fn edits_that_no_person_writes_are_refused_by_name() {
    let cases = [
        (
            ModelEdits {
                display_name: Some("x".repeat(201)),
                ..ModelEdits::default()
            },
            "display_name",
        ),
        (
            ModelEdits {
                notes: "x".repeat(100_001),
                ..ModelEdits::default()
            },
            "notes",
        ),
        (
            ModelEdits {
                tags: (0..51).map(|tag| tag.to_string()).collect(),
                ..ModelEdits::default()
            },
            "tags",
        ),
    ];
    for (edits, expected) in cases {
        assert!(matches!(checked(edits), Err(Error::Invalid { field, .. }) if field == expected));
    }
}

#[tokio::test]
async fn notes_of_a_file_are_those_of_its_model_and_else_its_own() {
    let both = Both::start().await;
    let models = both.folder.path().join("home/models");
    let known = "hearth/Qwen/Qwen3-0.6B-GGUF/known.gguf";
    std::fs::create_dir_all(models.join("Qwen/Qwen3-0.6B-GGUF")).expect("folders");
    for file in ["Qwen/Qwen3-0.6B-GGUF/known.gguf", "own.gguf"] {
        std::fs::write(models.join(file), "no model at all").expect("a file");
    }
    let notes = FileNotes {
        notes: "Quick".into(),
        tags: vec!["work".into(), "Work".into()],
        favourite: true,
    };
    let stored = FileNotes {
        tags: vec!["work".into()],
        ..notes.clone()
    };
    for file in [known, "hearth/own.gguf"] {
        let written = both.catalogue.write_file_notes(&file.into(), notes.clone()).await;
        assert_eq!(written, Ok(stored.clone()), "{file}");
    }
    let records = both.catalogue.file_records().await.expect("records");
    let told: Vec<_> = records.iter().map(|it| (it.file.as_str(), &it.notes)).collect();
    assert!(told.contains(&(known, &stored)), "{told:?}");
    assert!(told.contains(&("hearth/own.gguf", &stored)), "{told:?}");
    // What is written of the model shows wherever the model does.
    let model = both
        .catalogue
        .known_model(&"Qwen/Qwen3-0.6B-GGUF".into())
        .await
        .expect("the store");
    assert!(model.is_some_and(|model| model.edits.favourite && model.model.favourite));

    // A file that is gone is forgotten; its model is not.
    for file in [known, "hearth/own.gguf"] {
        both.catalogue
            .forget_file_notes(&file.into())
            .await
            .expect("forget");
    }
    let records = both.catalogue.file_records().await.expect("records");
    let is_noted = |file: &str| {
        let record = records.iter().find(|record| record.file.as_str() == file);
        record.is_some_and(|record| record.notes.favourite)
    };
    assert!(is_noted(known) && !is_noted("hearth/own.gguf"), "{records:?}");
    let unknown = both
        .catalogue
        .write_file_notes(&"hearth/none.gguf".into(), notes)
        .await;
    assert!(matches!(unknown, Err(Error::NotFound { .. })), "{unknown:?}");
}

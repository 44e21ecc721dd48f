//! What a person writes of a model, as it is stored.

use hearth_protocol::Error;
use hearth_protocol::catalogue::ModelEdits;

use super::super::checked;

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

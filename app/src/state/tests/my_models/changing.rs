//! What is changed of models: deleting with its question, names and notes, previews.

use expect_test::expect;
use hearth_protocol::library::Inspection;

use super::*;
use crate::state::my_models::details::Part;

fn deleted(file: &str, result: hearth_protocol::Result<FileDeleted>) -> Msg {
    tell(MyModelsNews::Deleted {
        file: id(file),
        result,
    })
}

/// What was asked of the backend, without what is read again after a change.
fn asked(desk: &mut Desk) -> String {
    let wants = desk.wants();
    let lines = wants.lines().filter(|line| !line.contains("(Read"));
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_question_says_what_goes_and_whose_it_is() {
    let cases: [(&[&str], Option<LoadedModel>, &str); 5] = [
        (
            &[QWEN],
            None,
            "confirm Delete qwen? This removes one model from Hearth's folder. Names and load settings go with it; \
             chats stay. This cannot be undone. [Delete 2.50_GB]",
        ),
        (
            &[GEMMA],
            None,
            "One model belongs to LM Studio, which lacks it then too.",
        ),
        (&[SMOL], None, "comes back when Hearth is installed again"),
        (&[QWEN], Some(loaded(4, QWEN)), "It leaves memory first."),
        (
            &[QWEN, GEMMA],
            None,
            "Delete 2 models? This removes one model from Hearth's folder. One model belongs to LM Studio",
        ),
    ];
    for (files, in_memory, words) in cases {
        let mut desk = desk();
        desk.all(in_memory.map(|model| engine([model])));
        for file in files {
            let how = Pick::Toggle;
            desk.all([act(MyModelsMsg::Select { file: id(file), how })]);
        }
        desk.all([act(MyModelsMsg::AskDeleteSelected)]);
        let told = desk.told();
        assert!(told.contains(words), "{told}");
        // Whoever says no deletes nothing.
        desk.log.clear();
        desk.all([Msg::Escape, Msg::TakeConfirmed]);
        assert_eq!(asked(&mut desk), "");
    }
}

#[test]
fn another_program_s_file_goes_with_its_name_and_ours_without() {
    for (file, confirmed) in [(QWEN, None), (GEMMA, Some(Source::LmStudio))] {
        let mut desk = desk();
        desk.all([act(MyModelsMsg::AskDelete(id(file))), Msg::TakeConfirmed]);
        let request = DeleteRequest {
            file: id(file),
            confirmed,
        };
        let expected = format!("{:?}", BackendEffect::MyModels(MyModelsEffect::Delete(request)));
        assert!(asked(&mut desk).contains(&expected), "{file}");
    }
}

#[test]
fn several_are_told_once_and_what_stays_says_why() {
    let mut desk = desk();
    desk.all([
        act(MyModelsMsg::SelectAll),
        act(MyModelsMsg::AskDeleteSelected),
        Msg::TakeConfirmed,
    ]);
    desk.all([
        deleted(SMOL, Ok(FileDeleted::default())),
        deleted(QWEN, Err(busy())),
        deleted("hearth/broken.gguf", Ok(FileDeleted::default())),
    ]);
    assert_eq!(desk.table(), "qwen* gemma*");
    assert!(!desk.told().contains("were deleted"), "not all are done");
    desk.all([deleted(GEMMA, Ok(FileDeleted::default()))]);
    let told = desk.told();
    assert!(
        told.contains("toast Done 3 models were deleted: 8.35_GB"),
        "{told}"
    );
    assert!(told.contains("toast Failed qwen was not deleted"), "{told}");
    // An answer that comes twice tells nothing again.
    desk.all([deleted(GEMMA, Ok(FileDeleted::default()))]);
    assert_eq!(desk.table(), "qwen*");
}

#[test]
fn what_is_in_memory_leaves_it_before_it_is_deleted() {
    let left = |result| {
        tell(MyModelsNews::Ejected {
            file: id(QWEN),
            result,
        })
    };
    let gone = Error::NotFound {
        what: "model".into(),
        name: "qwen".into(),
        known: Vec::new(),
    };
    for (result, goes_on) in [(Ok(()), true), (Err(gone), true), (Err(busy()), false)] {
        let mut desk = desk();
        desk.all([
            engine([loaded(4, QWEN)]),
            act(MyModelsMsg::AskDelete(id(QWEN))),
            Msg::TakeConfirmed,
        ]);
        let wants = asked(&mut desk);
        assert!(wants.contains("Eject") && !wants.contains("Delete"), "{wants}");
        desk.all([left(result.clone())]);
        assert_eq!(asked(&mut desk).contains("Delete"), goes_on, "{result:?}");
        assert_eq!(desk.told().contains("qwen was not deleted"), !goes_on);
    }
}

fn inspected(file: &str) -> Msg {
    tell(MyModelsNews::Inspected {
        file: id(file),
        result: Ok(Box::new(Inspection {
            file: library().swap_remove(1),
            metadata: vec![("general.name".into(), "Qwen ".repeat(100))],
            chat_template: Some("{{ messages }}".into()),
            tensors: Vec::new(),
        })),
    })
}

/// A desk whose panel shows the second model.
fn with_details() -> Desk {
    let mut desk = desk();
    desk.all([act(MyModelsMsg::Inspect(id(QWEN)))]);
    assert!(desk.wants().contains("Inspect"));
    desk.all([inspected(QWEN)]);
    desk
}

#[test]
fn a_name_and_notes_are_stored_once_the_person_is_done_with_them() {
    let mut desk = with_details();
    desk.all([act(MyModelsMsg::NameChanged("My Qwen".into()))]);
    assert_eq!(desk.wants(), "");
    desk.all([act(MyModelsMsg::CommitName)]);
    expect![[r#"
        -> MyModels(Rename { file: FileId("hearth/qwen.gguf"), name: Some("My Qwen") })
    "#]]
    .assert_eq(&desk.wants());
    let renamed = LibraryFile {
        name: "My Qwen".into(),
        ..library().swap_remove(1)
    };
    desk.all([tell(MyModelsNews::Renamed(Ok(renamed)))]);
    assert!(desk.table().contains("My Qwen"));

    // Nothing typed changes nothing; a blank name takes the file's own again.
    desk.all([act(MyModelsMsg::CommitName), act(MyModelsMsg::CommitNotes)]);
    assert_eq!(desk.wants(), "");
    desk.all([
        act(MyModelsMsg::NameChanged(" ".into())),
        act(MyModelsMsg::CommitName),
    ]);
    assert!(desk.wants().contains("name: None"));

    desk.all([
        act(MyModelsMsg::TagsChanged("work,  quick ,".into())),
        act(MyModelsMsg::NotesChanged("Good at sums".into())),
        Msg::Escape,
    ]);
    let wants = desk.wants();
    assert!(
        wants.contains(r#"notes: "Good at sums", tags: ["work", "quick"], favourite: true"#),
        "{wants}"
    );
    assert!(desk.state.my_models.details.is_none(), "Escape closes the panel");
    assert!(wants.contains("FocusModel"), "the row has the keyboard again");
}

#[test]
fn a_favourite_shows_at_once_and_is_as_it_was_where_it_is_refused() {
    let mut desk = with_details();
    let favour = |favourite| {
        act(MyModelsMsg::SetFavourite {
            file: id(QWEN),
            favourite,
        })
    };
    desk.all([favour(false)]);
    assert!(!desk.state.my_models.notes(&id(QWEN)).favourite);
    assert!(desk.wants().contains("favourite: false"));
    desk.all([tell(MyModelsNews::NotesWritten {
        file: id(QWEN),
        result: Err(trouble()),
    })]);
    assert!(
        desk.wants().contains("ReadRecords"),
        "what is stored is read again"
    );
    let details = desk.state.my_models.details.as_ref().expect("the panel");
    assert!(details.fault.is_some());
}

/// Two writes at once could come to rest in the wrong order, and records read meanwhile may lack both.
#[test]
fn what_is_written_shortly_after_another_is_not_lost() {
    let mut desk = with_details();
    let before = desk.state.my_models.notes(&id(QWEN)).favourite;
    desk.all([
        act(MyModelsMsg::TagsChanged("small".into())),
        act(MyModelsMsg::CommitNotes),
        act(MyModelsMsg::SetFavourite {
            file: id(QWEN),
            favourite: !before,
        }),
    ]);
    let wants = desk.wants();
    assert_eq!(wants.matches("WriteNotes").count(), 1, "{wants}");
    let wanted = desk.state.my_models.notes(&id(QWEN));
    let first = FileNotes {
        favourite: before,
        ..wanted.clone()
    };
    let written = |notes: &FileNotes| {
        tell(MyModelsNews::NotesWritten {
            file: id(QWEN),
            result: Ok(notes.clone()),
        })
    };
    desk.all([written(&first)]);
    assert!(desk.wants().contains("WriteNotes"), "the next one follows");
    assert_eq!(desk.state.my_models.notes(&id(QWEN)), wanted);
    desk.all([tell(MyModelsNews::Records(Ok(Vec::new())))]);
    assert!(desk.wants().contains("ReadRecords"), "they are read anew");
    assert_eq!(desk.state.my_models.notes(&id(QWEN)), wanted);
    desk.all([written(&wanted)]);
    assert_eq!(desk.wants(), "");
    assert_eq!(desk.state.my_models.notes(&id(QWEN)), wanted);
}

#[test]
fn a_long_value_is_cut_in_its_row_and_whole_to_select() {
    use crate::state::my_models::details::shown_value;

    let cases = [
        ("short", "short", true),
        ("two\nlines", "two lines", true),
        ("", "", true),
    ];
    for (value, shown, is_all) in cases {
        assert_eq!(shown_value(value), (shown.to_owned(), is_all));
    }
    let (shown, is_all) = shown_value(&"ä".repeat(5_000));
    assert_eq!((shown.chars().count(), is_all), (201, false));

    let mut desk = with_details();
    desk.all([
        act(MyModelsMsg::ShowPart(Part::Metadata)),
        act(MyModelsMsg::OpenValue(0)),
    ]);
    assert!(desk.told().contains("text to select, general.name: \"Qwen Qwen"));
    desk.all([Msg::Escape]);
    assert!(desk.state.my_models.details.is_some(), "the panel is still there");
}

#[test]
fn the_preview_is_asked_of_a_model_in_memory_and_else_on_demand() {
    let preview = |desk: &Desk| {
        let details = desk.state.my_models.details.as_ref().expect("the panel");
        desk.state.preview_view(details)
    };
    let mut desk = with_details();
    desk.all([act(MyModelsMsg::ShowPart(Part::Template))]);
    assert_eq!(desk.wants(), "");
    let view = preview(&desk);
    assert!(
        view.can_ask && view.words.contains("must be in memory"),
        "{view:?}"
    );
    desk.all([act(MyModelsMsg::Preview)]);
    assert!(desk.wants().contains("Preview") && preview(&desk).words.contains("loaded first"));

    let mut desk = with_details();
    desk.all([
        engine([loaded(4, QWEN)]),
        act(MyModelsMsg::ShowPart(Part::Template)),
    ]);
    let wants = desk.wants();
    assert!(
        wants.contains("role: System") && wants.contains("capital of Italy"),
        "{wants}"
    );
    let written = |run: u64, text: &str| {
        tell(MyModelsNews::Previewed {
            run: Run(run),
            result: Ok(text.to_owned()),
        })
    };
    // What was typed meanwhile is asked for, and the older answer no longer counts.
    desk.all([act(MyModelsMsg::SampleMessageChanged("And of France?".into()))]);
    assert!(desk.wants().contains("And of France?"));
    desk.all([written(1, "old")]);
    assert_eq!(preview(&desk).text, "");
    desk.all([written(2, "<user>And of France?")]);
    assert_eq!(preview(&desk).text, "<user>And of France?");
}

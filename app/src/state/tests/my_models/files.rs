//! Files that come and go: imports with their form, and leftovers with their dialog.

use expect_test::expect;
use hearth_protocol::library::{Cleaned, Leftover, LeftoverKind};

use super::*;

#[test]
fn an_import_asks_which_and_how_goes_on_and_is_told() {
    let mut desk = desk();
    desk.all([act(MyModelsMsg::AskImport)]);
    expect![[r#"
        -> FocusOverlay
        -> PickPath { title: "Import a model", write_to: None }
    "#]]
    .assert_eq(&desk.wants());
    desk.all([act(MyModelsMsg::Import)]);
    assert!(desk.told().contains("fault:"), "no path");
    desk.all([
        act(MyModelsMsg::ImportPathChanged("~/new.gguf".into())),
        act(MyModelsMsg::SetImportMode(ImportMode::Move)),
        act(MyModelsMsg::Import),
    ]);
    let wants = desk.wants();
    assert!(
        wants.contains("/home/ada/new.gguf") && wants.contains("how: Move"),
        "{wants}"
    );
    assert!(desk.state.overlay.is_none());
    let run = desk.state.my_models.imports[0].run;
    let event = |event| tell(MyModelsNews::Import { run, event });
    desk.all([event(ImportEvent::Progress(
        ByteSize(1_000_000_000),
        ByteSize(4_000_000_000),
    ))]);
    let view = desk.state.import_views().remove(0);
    assert_eq!(view.sizes.replace('\u{a0}', " "), "1.00 of 4.00 GB");
    assert_eq!((view.title.as_str(), view.share), ("Importing new.gguf", 0.25));
    let new = file("hearth/imported/new/new.gguf", Source::Hearth);
    desk.all([event(ImportEvent::Finished(new))]);
    assert!(desk.state.import_views().is_empty());
    assert!(desk.table().contains("new"));
    assert!(desk.told().contains("toast Done new was imported"));
}

#[test]
fn an_import_that_fails_shows_its_form_again_and_one_that_is_cancelled_ends() {
    let begun = || {
        let mut desk = desk();
        desk.all([
            act(MyModelsMsg::AskImport),
            Msg::PathPicked(Some("/tmp/new.gguf".into())),
            act(MyModelsMsg::SetImportMode(ImportMode::HardLink)),
            act(MyModelsMsg::Import),
        ]);
        let run = desk.state.my_models.imports[0].run;
        let fails = tell(MyModelsNews::Import {
            run,
            event: ImportEvent::Failed(trouble()),
        });
        desk.wants();
        (desk, run, fails)
    };
    let (mut desk, _, fails) = begun();
    desk.all([fails]);
    let told = desk.told();
    assert!(
        told.contains("import \"/tmp/new.gguf\" HardLink fault: "),
        "{told}"
    );

    // Where something else is open, a toast says it.
    let (mut desk, _, fails) = begun();
    desk.all([Msg::TogglePalette, fails]);
    assert!(desk.told().contains("toast Failed new.gguf was not imported"));

    let (mut desk, run, fails) = begun();
    desk.all([act(MyModelsMsg::CancelImport(run))]);
    assert!(desk.wants().contains("CancelImport"));
    desk.all([fails]);
    assert!(desk.state.overlay.is_none() && desk.state.import_views().is_empty());
}

fn leftover(name: &str, size: u64, source: Source) -> Leftover {
    Leftover {
        path: PathBuf::from("/home/ada").join(name),
        size: ByteSize(size),
        kind: LeftoverKind::Partial,
        source,
        modified_at: UnixMillis(NOW),
    }
}

#[test]
fn leftovers_are_listed_ticked_and_removed() {
    let mut desk = desk();
    desk.all([act(MyModelsMsg::AskCleanUp)]);
    assert!(desk.told().contains("clean up: Looking"));
    desk.all([tell(MyModelsNews::Leftovers(Ok(vec![
        leftover("a.part", 2_000_000_000, Source::Hearth),
        leftover("b.incomplete", 1_000_000_000, Source::HuggingFace),
    ])))]);
    let told = desk.told();
    // What is another's waits for the person.
    for line in [
        "[x] ~/a.part Part of a download or an import · Hearth 2.00_GB",
        "[ ] ~/b.incomplete Part of a download or an import · Hugging Face cache 1.00_GB",
        "[Remove 1, 2.00_GB]",
    ] {
        assert!(told.contains(line), "{told}");
    }
    desk.all([act(MyModelsMsg::TickLeftover(1)), act(MyModelsMsg::CleanUp)]);
    expect![[r#"
        -> MyModels(Clean { paths: ["/home/ada/a.part", "/home/ada/b.incomplete"], confirmed: [HuggingFace] })
    "#]]
    .assert_eq(&desk.wants());
    // Twice is once.
    desk.all([act(MyModelsMsg::CleanUp)]);
    assert_eq!(desk.wants(), "");
    desk.all([tell(MyModelsNews::Cleaned(Ok(Cleaned {
        removed: 1,
        freed: ByteSize(2_000_000_000),
        kept: vec![("/home/ada/b.incomplete".into(), "it is written to".into())],
    })))]);
    let told = desk.told();
    assert!(desk.state.overlay.is_none());
    assert!(
        told.contains("toast Done 2.00_GB are free again: One file was removed."),
        "{told}"
    );
    assert!(
        told.contains("toast Failed One file stays: ~/b.incomplete: it is written to"),
        "{told}"
    );
}

#[test]
fn a_clean_machine_has_nothing_to_remove() {
    let mut desk = desk();
    desk.all([
        act(MyModelsMsg::AskCleanUp),
        tell(MyModelsNews::Leftovers(Ok(Vec::new()))),
        act(MyModelsMsg::CleanUp),
    ]);
    let told = desk.told();
    assert!(
        told.contains("clean up: Nothing lies about. All files are in use. []"),
        "{told}"
    );
    assert!(!told.contains("Clean {"), "{told}");
    assert!(matches!(desk.state.overlay, Some(Overlay::CleanUp(_))));
}

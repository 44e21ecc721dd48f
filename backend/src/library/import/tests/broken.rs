//! Imports that break off, and sources that change meanwhile.

use super::*;

/// Brings a file of ten pieces in, or two parts of five, and does something before the piece that is told.
fn bring_and(
    how: ImportMode,
    mut at_piece: impl FnMut(&Fixture, usize) -> Result<()>,
) -> (Fixture, Result<PathBuf>) {
    let fixture = Fixture::new();
    let source = fixture.write("elsewhere/m.gguf", b"");
    large(&source, 40 << 20);
    let mut piece = 0;
    let request = ImportRequest { path: source, how };
    let outcome = bring(&fixture.path("models"), &[], &request, &mut |done, total| {
        assert_eq!(total, 40 << 20);
        assert!(done <= total);
        piece += 1;
        at_piece(&fixture, piece)
    });
    (fixture, outcome)
}

#[test]
fn an_import_that_is_dropped_at_any_piece_leaves_nothing() {
    for how in MODES {
        let (_, whole) = bring_and(how, |_, _| Ok(()));
        whole.expect("imported");
        for last in 1..13 {
            let mut pieces = 0;
            let (fixture, outcome) = bring_and(how, |_, piece| {
                pieces = piece;
                if piece == last {
                    Err(Error::Cancelled)
                } else {
                    Ok(())
                }
            });
            if pieces < last {
                // There were fewer pieces than that.
                outcome.expect("imported");
                continue;
            }
            let source = fixture.path("elsewhere/m.gguf");
            // What was moved by its name has moved in one step, which no cancel undoes.
            if how == ImportMode::Move && outcome.is_ok() {
                assert!(!source.exists());
                continue;
            }
            assert_eq!(outcome, Err(Error::Cancelled), "{how:?} at {last}");
            assert_eq!(
                fixture.everything("models"),
                Vec::<String>::new(),
                "{how:?} at {last}"
            );
            assert_eq!(source.metadata().expect("whole").len(), 40 << 20);
        }
    }
}

#[tokio::test]
async fn a_listener_that_leaves_ends_it() {
    let fixture = Fixture::new();
    let source = fixture.write("elsewhere/m.gguf", &tiny_gguf());
    let (sink, events) = EventSink::new(RequestId(1), Waker::none());
    drop(events);
    let request = ImportRequest {
        path: source,
        how: ImportMode::Copy,
    };
    fixture.library.import(request, sink).await;
    assert_eq!(fixture.everything("models"), Vec::<String>::new());
}

#[tokio::test]
async fn the_end_of_the_backend_ends_it() {
    let fixture = Fixture::new();
    fixture.library.end_changes().await;
    let source = fixture.write("elsewhere/m.gguf", &tiny_gguf());
    let ended = import(&fixture.library, &source, ImportMode::Copy).await;
    assert_eq!(ended, Err(Error::Cancelled));
    assert_eq!(fixture.everything("models"), Vec::<String>::new());
}

#[test]
fn a_source_that_is_cut_off_meanwhile_is_not_taken_for_whole() {
    let (fixture, outcome) = bring_and(ImportMode::Copy, |fixture, piece| {
        if piece == 3 {
            large(&fixture.path("elsewhere/m.gguf"), 20 << 20);
        }
        Ok(())
    });
    let error = outcome.expect_err("it changed");
    assert!(
        error.to_string().contains("it changed while it was copied"),
        "{error}"
    );
    assert_eq!(fixture.everything("models"), Vec::<String>::new());
}

#[cfg(unix)]
#[test]
fn a_source_that_is_deleted_meanwhile_still_comes_in_whole() {
    let (fixture, outcome) = bring_and(ImportMode::Copy, |fixture, piece| {
        if piece == 3 {
            fs::remove_file(fixture.path("elsewhere/m.gguf")).expect("removed");
        }
        Ok(())
    });
    let path = outcome.expect("imported");
    assert_eq!(path.metadata().expect("there").len(), 40 << 20);
    assert!(!fixture.path("elsewhere/m.gguf").exists());
}

#[cfg(unix)]
#[test]
fn a_source_that_may_only_be_read_is_copied_and_the_copy_can_be_deleted() {
    use std::os::unix::fs::PermissionsExt;

    let fixture = Fixture::new();
    let source = fixture.write("elsewhere/m.gguf", &tiny_gguf());
    fs::set_permissions(&source, fs::Permissions::from_mode(0o444)).expect("set");
    let request = ImportRequest {
        path: source,
        how: ImportMode::Copy,
    };
    let path = bring(&fixture.path("models"), &[], &request, &mut |_, _| Ok(())).expect("imported");
    assert!(!path.metadata().expect("there").permissions().readonly());
}

//! Models in folders with odd names, and workers whose folder for temporary files has one or is not there.

use hearth_protocol::engine::ModelRef;

use crate::app::{App, context, greedy};
use crate::tiny_gguf::Tiny;

/// Cases 4 and 7 of the public reports.
#[test]
fn a_model_loads_from_a_folder_of_any_name() {
    let app = App::real();
    let long = ["long"; 50].join("/");
    let names = [
        "模型 é Ω",
        "山 月 123 World",
        "Кириллица",
        "wide\u{3000}space",
        "it's #1 %20 \"quoted\" \\ back",
        "new\nline",
        &long,
    ];
    for name in names {
        let below = format!("home/models/{name}/модель 1.gguf");
        let path = app.path(&below);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        Tiny::default().write(&path);
        let model = app.load(&path, context(256)).expect(name);
        assert_eq!(
            app.ask(&path, None, "x", greedy(3)).stats().generated_tokens,
            3,
            "{name}"
        );
        assert_eq!(app.client.eject(model.id).wait(), Ok(()));

        let listed = app.client.list_files().wait().expect("the list");
        if name == long {
            // Deeper than folders are looked into.
            assert!(listed.iter().all(|file| file.path != path));
        } else {
            let file = listed.into_iter().find(|file| file.path == path).expect(name);
            let load = app.client.load(hearth_protocol::engine::LoadRequest {
                model: ModelRef::File(file.id),
                options: Some(context(256)),
                force: false,
                keep: hearth_protocol::engine::KeepLoaded::Default,
            });
            assert!(crate::app::outcome_of_load(&load).is_ok(), "{name}");
        }
    }
}

/// Case 6 of the public reports.
#[test]
fn no_folder_for_temporary_files_is_needed() {
    let folder = tempfile::tempdir().expect("a folder");
    let odd = folder.path().join("山\u{3000}月");
    std::fs::create_dir(&odd).expect("made");
    for temporary in [odd, folder.path().join("missing")] {
        let names = ["TMPDIR", "TMP", "TEMP"];
        let app = App::with_environment(&names.map(|name| (name, temporary.as_path())));
        assert_eq!(
            app.ask(&app.tiny(), None, "x", greedy(3))
                .stats()
                .generated_tokens,
            3
        );
    }
}

/// Chats are nobody else's business on a machine that several people use.
#[test]
fn nobody_else_can_look_into_the_data_folder() {
    use std::os::unix::fs::PermissionsExt;

    let app = App::real();
    assert_eq!(app.client.list_chats().wait(), Ok(Vec::new()));
    let mode = app
        .config
        .home
        .metadata()
        .expect("it is there")
        .permissions()
        .mode();
    assert_eq!(mode & 0o077, 0, "{mode:o}");
}

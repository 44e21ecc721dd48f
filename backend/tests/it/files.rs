//! Model files from their import to their end, with real workers. Cases 4 and 15 of the public reports.

use std::path::Path;

use hearth_protocol::engine::{KeepLoaded, LoadOptions, LoadRequest, ModelRef};
use hearth_protocol::library::{
    DeleteRequest, FileDeleted, ImportEvent, ImportMode, ImportRequest, LibraryFile,
};
use hearth_protocol::settings::Theme;
use hearth_protocol::{Error, FileId};

use crate::app::{App, context, greedy, next, outcome_of_load};
use crate::tiny_gguf::Tiny;

fn import(app: &App, path: &Path, how: ImportMode) -> LibraryFile {
    let path = path.to_owned();
    let events = app.client.import_file(ImportRequest { path, how });
    loop {
        match next(&events).expect("an import has a last event") {
            ImportEvent::Finished(file) => return file,
            ImportEvent::Progress(..) => (),
            ImportEvent::Failed(error) => panic!("{error}"),
        }
    }
}

fn delete(app: &App, file: &FileId) -> Result<FileDeleted, Error> {
    let request = DeleteRequest {
        file: file.clone(),
        confirmed: None,
    };
    app.client.delete_file(request).wait()
}

fn names(app: &App) -> Vec<String> {
    let files = app.client.list_files().wait().expect("the list");
    files.into_iter().map(|file| file.name).collect()
}

#[test]
fn a_model_of_whatever_name_is_imported_loaded_and_deleted() {
    let app = App::real();
    let folders = [
        "模型 é Ω",
        "山 月 123 World",
        "Кириллица",
        "a\u{3000}b",
        "it's #1 %20",
    ];
    let long = "long ".repeat(40);
    let modes = [
        ImportMode::Copy,
        ImportMode::Move,
        ImportMode::HardLink,
        ImportMode::SymbolicLink,
    ];
    for (folder, how) in folders
        .into_iter()
        .chain([long.as_str()])
        .zip(modes.into_iter().cycle())
    {
        std::fs::create_dir_all(app.path(folder)).expect("a folder");
        let path = app.tiny_as(&format!("{folder}/{folder}.gguf"), &Tiny::default());
        let file = import(&app, &path, how);
        let loaded = app.client.load(LoadRequest {
            model: ModelRef::File(file.id.clone()),
            options: Some(context(64)),
            force: false,
            keep: KeepLoaded::Default,
        });
        let loaded = outcome_of_load(&loaded).expect("it loads");
        assert_eq!(
            app.ask(&file.path, None, "hi", greedy(3))
                .stats()
                .generated_tokens,
            3,
            "{folder}"
        );
        // Not while it is in memory, under whichever name.
        let refused = delete(&app, &file.id).expect_err("it is in memory");
        assert!(refused.to_string().contains("eject it first"), "{refused}");
        for model in app.loaded() {
            app.client.eject(model.id).wait().expect("ejected");
        }
        assert_eq!(loaded.file, file.id);
        delete(&app, &file.id).expect("deleted");
        assert_eq!(path.exists(), how != ImportMode::Move, "{folder}");
        assert_eq!(names(&app), Vec::<String>::new());
    }
}

#[test]
fn what_is_remembered_of_a_file_outlives_the_backend_and_ends_with_the_file() {
    let mut app = App::real();
    let file = import(&app, &app.tiny(), ImportMode::Copy);
    let own = file.name.clone();
    app.ask(&file.path, None, "hi", greedy(2));
    let renamed = app
        .client
        .rename_file(file.id.clone(), Some("  My pet ".into()))
        .wait();
    assert_eq!(renamed.expect("renamed").name, "My pet");
    assert_eq!(names(&app), ["My pet"], "at once");
    let options = LoadOptions {
        threads: Some(1),
        ..LoadOptions::default()
    };
    let remembered = app
        .client
        .write_load_options(file.id.clone(), Some(options.clone()));
    remembered.wait().expect("remembered");

    app.shut_down();
    app.start_again();
    assert_eq!(names(&app), ["My pet"]);
    let by_name = app.client.load(LoadRequest {
        model: ModelRef::Name("my pet".into()),
        options: None,
        force: false,
        keep: KeepLoaded::Default,
    });
    let loaded = outcome_of_load(&by_name).expect("it loads");
    assert_eq!((loaded.name.as_str(), loaded.threads), ("My pet", 1));
    app.client.eject(loaded.id).wait().expect("ejected");
    assert_eq!(
        app.client.read_load_options(file.id.clone()).wait(),
        Ok(Some(options))
    );

    delete(&app, &file.id).expect("deleted");
    assert_eq!(app.client.read_load_options(file.id.clone()).wait(), Ok(None));
    assert_eq!(
        app.client.list_chats().wait().expect("the chats").len(),
        1,
        "chats stay"
    );
    // The next of this name is another.
    let next = import(&app, &app.tiny(), ImportMode::Copy);
    assert_eq!((next.id, next.name), (file.id, own));
}

#[test]
fn a_default_model_that_is_deleted_is_the_default_no_more() {
    let app = App::real();
    let [file, other] = [0, 1].map(|_| import(&app, &app.tiny(), ImportMode::Copy));
    let mut settings = app.client.read_settings().wait().expect("settings");
    settings.default_model = Some(file.id.clone());
    settings.theme = Theme::Light;
    app.client
        .write_settings(settings.clone())
        .wait()
        .expect("written");
    assert_eq!(delete(&app, &other.id), Ok(FileDeleted { was_default: false }));
    assert_eq!(delete(&app, &file.id), Ok(FileDeleted { was_default: true }));
    settings.default_model = None;
    assert_eq!(app.client.read_settings().wait(), Ok(settings));
}

#[test]
fn of_several_names_that_are_asked_for_at_once_the_last_stays() {
    let app = App::real();
    let file = import(&app, &app.tiny(), ImportMode::Copy);
    for _ in 0..5 {
        let asked: Vec<_> = (0..20)
            .map(|number| {
                app.client
                    .rename_file(file.id.clone(), Some(format!("name {number}")))
            })
            .collect();
        let answers: Vec<_> = asked
            .into_iter()
            .map(|answer| answer.wait().expect("renamed").name)
            .collect();
        assert_eq!(
            answers,
            (0..20).map(|number| format!("name {number}")).collect::<Vec<_>>()
        );
        assert_eq!(names(&app), ["name 19"]);
    }
}

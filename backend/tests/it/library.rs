//! The library through `Client`: watched, inspected, and its models loaded where other programs keep them.

use std::fs;

use hearth_backend::ProgramFolder;
use hearth_protocol::Events;
use hearth_protocol::engine::{LoadRequest, ModelRef};
use hearth_protocol::library::{LibraryEvent, LibraryFile, Source};
use hearth_protocol::settings::Settings;

use crate::app::{App, context, next, outcome_of_load};
use crate::tiny_gguf::Tiny;

/// The next list that is told.
fn next_list(events: &Events<LibraryEvent>) -> Vec<LibraryFile> {
    match next(events) {
        Some(LibraryEvent::Files(files)) => files,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_folder_that_is_added_is_in_the_library_at_once_and_is_watched() {
    let app = App::real();
    let events = app.client.watch_library();
    assert_eq!(next_list(&events), []);
    let folder = app.path("模型 é Ω");
    fs::create_dir_all(&folder).expect("a folder");
    let settings = Settings {
        model_folders: vec![folder.clone()],
        ..Settings::default()
    };
    let path = folder.join("山 月 #1 100%.gguf");
    let aside = app.tiny();
    fs::rename(&aside, &path).expect("renamed");
    app.client.write_settings(settings).wait().expect("stored");
    let files = next_list(&events);
    assert_eq!(files.len(), 1, "{files:#?}");
    let file = &files[0];
    assert_eq!((&file.path, file.source), (&path, Source::Folder));

    let inspection = app
        .client
        .inspect_file(file.id.clone())
        .wait()
        .expect("inspected");
    assert_eq!(&inspection.file, file);
    let used = app.client.disk_use().wait().expect("added up");
    assert_eq!(used.total, file.size);
    let load = app.client.load(LoadRequest {
        model: ModelRef::File(file.id.clone()),
        options: Some(context(64)),
        force: false,
    });
    assert!(outcome_of_load(&load).is_ok());

    fs::rename(&path, &aside).expect("renamed");
    assert_eq!(next_list(&events), []);
}

/// Its file is no `.gguf` by name.
#[test]
fn a_model_of_ollama_is_loaded_where_it_lies() {
    let mut app = App::real();
    app.shut_down();
    let store = app.path("ollama");
    let manifests = store.join("manifests/registry.ollama.ai/library/tiny");
    let blobs = store.join("blobs");
    for folder in [&manifests, &blobs] {
        fs::create_dir_all(folder).expect("a folder");
    }
    let hex = "0123456789abcdef".repeat(4);
    Tiny::default().write(&blobs.join(format!("sha256-{hex}")));
    let layer = format!(r#"{{"mediaType":"application/vnd.ollama.image.model","digest":"sha256:{hex}"}}"#);
    fs::write(manifests.join("1m"), format!(r#"{{"layers":[{layer}]}}"#)).expect("written");
    app.config.other_programs = vec![ProgramFolder {
        program: Source::Ollama,
        folder: store,
    }];
    app.start_again();
    let load = app.client.load(LoadRequest {
        model: ModelRef::Name("tiny:1m".into()),
        options: Some(context(64)),
        force: false,
    });
    let loaded = outcome_of_load(&load).expect("it loads");
    assert_eq!(
        (loaded.name.as_str(), loaded.file.as_str()),
        ("tiny:1m", "ollama/tiny:1m")
    );
}

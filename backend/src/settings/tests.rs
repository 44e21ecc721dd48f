//! The settings on a real database.

use hearth_protocol::generate::SamplingParams;
use hearth_protocol::library::{FileState, Source};
use hearth_protocol::settings::Theme;
use hearth_protocol::{ByteSize, FileId, UnixMillis};

use super::*;

async fn service(folder: &tempfile::TempDir) -> SettingsService {
    let store = Store::open(&folder.path().join("hearth.db")).await.expect("open");
    SettingsService::new(store)
}

#[tokio::test]
async fn settings_outlive_a_restart() {
    let folder = tempfile::tempdir().expect("folder");
    let settings = Settings {
        theme: Theme::Light,
        default_model: Some(FileId::from("starter/a.gguf")),
        sampling: SamplingParams {
            logit_bias: vec![(7, f32::MIN)],
            ..SamplingParams::greedy()
        },
        ..Settings::default()
    };
    let first = service(&folder).await;
    assert_eq!(first.read().await, Settings::default());
    assert_eq!(first.write(settings.clone()).await, Ok(settings.clone()));
    first.store.close().await;
    assert_eq!(service(&folder).await.read().await, settings);
}

#[tokio::test]
async fn an_invalid_setting_changes_nothing() {
    let folder = tempfile::tempdir().expect("folder");
    let service = service(&folder).await;
    let mut settings = Settings {
        offline: true,
        ..Settings::default()
    };
    settings.sampling.top_p = 2.0;
    assert!(matches!(service.write(settings).await, Err(Error::Invalid { field, .. }) if field == "top_p"));
    assert_eq!(service.read().await, Settings::default());
}

#[tokio::test]
async fn the_system_starts_the_server_at_login_where_the_settings_say_so() {
    let folder = tempfile::tempdir().expect("folder");
    let login = LoginEntry {
        file: folder.path().join("autostart/hearth-server.desktop"),
        program: "/usr/bin/hearth-cli".into(),
        variables: Vec::new(),
    };
    let file = login.file.clone();
    let service = service(&folder).await.with_login(Some(login));
    let wanted = |serve_at_login| Settings {
        serve_at_login,
        ..Settings::default()
    };
    for (on, is_there) in [(false, false), (true, true), (true, true), (false, false)] {
        assert_eq!(service.write(wanted(on)).await, Ok(wanted(on)));
        assert_eq!(file.exists(), is_there);
    }
    // Where it cannot be, nothing is stored.
    std::fs::remove_dir(folder.path().join("autostart")).expect("removed");
    std::fs::write(folder.path().join("autostart"), "").expect("written");
    let refused = service.write(wanted(true)).await;
    assert!(matches!(refused, Err(Error::File { .. })), "{refused:?}");
    assert_eq!(service.read().await, wanted(false));
}

#[tokio::test]
async fn a_forbidden_token_can_be_stored() {
    let folder = tempfile::tempdir().expect("folder");
    let service = service(&folder).await;
    let mut settings = Settings::default();
    settings.sampling.logit_bias = vec![(1, f32::NEG_INFINITY)];
    let written = service.write(settings).await.expect("write");
    assert_eq!(written.sampling.logit_bias, [(1, f32::MIN)]);
    assert_eq!(service.read().await, written);
}

#[tokio::test]
async fn load_options_are_remembered_per_model() {
    let folder = tempfile::tempdir().expect("folder");
    let service = service(&folder).await;
    let (one, two) = (FileId::from("starter/a.gguf"), FileId::from("/models/b.gguf"));
    let options = LoadOptions {
        threads: Some(3),
        ..LoadOptions::default()
    };
    let settings = Settings {
        load: LoadOptions {
            threads: Some(2),
            ..LoadOptions::default()
        },
        ..Settings::default()
    };
    service.write(settings.clone()).await.expect("write");
    assert_eq!(service.read_load_options(&one).await, None);
    assert_eq!(service.load_options_for(&one).await, settings.load);

    assert_eq!(service.write_load_options(&one, Some(&options)).await, Ok(()));
    assert_eq!(service.read_load_options(&one).await, Some(options.clone()));
    assert_eq!(service.load_options_for(&one).await, options);
    assert_eq!(service.load_options_for(&two).await, settings.load);
    assert_eq!(service.read().await, settings, "the settings stay what they are");

    let impossible = LoadOptions {
        threads: Some(0),
        ..LoadOptions::default()
    };
    let refused = service.write_load_options(&one, Some(&impossible)).await;
    assert!(
        matches!(&refused, Err(Error::Invalid { field, .. }) if field == "threads"),
        "{refused:?}"
    );
    assert_eq!(service.load_options_for(&one).await, options);

    assert_eq!(service.write_load_options(&one, None).await, Ok(()));
    assert_eq!(service.load_options_for(&one).await, settings.load);
    let stored = service.store.read_setting(&load_options_key(&one)).await;
    assert_eq!(stored, Ok(None), "nothing of it is left");
}

fn file(size: u64, has_chat_template: bool) -> LibraryFile {
    LibraryFile {
        id: "folder/x.gguf".into(),
        name: "x".into(),
        model: None,
        path: "/x.gguf".into(),
        size: ByteSize(size),
        source: Source::Folder,
        architecture: None,
        quantisation: Some("Q4_1".into()),
        parameters: None,
        context_length: None,
        has_chat_template,
        state: FileState::Ready,
        modified_at: UnixMillis(0),
    }
}

#[tokio::test]
async fn a_file_without_a_chat_template_gets_the_catalogue_s() {
    let folder = tempfile::tempdir().expect("folder");
    let service = service(&folder).await;
    crate::catalogue::put_shipped_models(&service.store)
        .await
        .expect("put");
    let loaded = async |file: &LibraryFile, asked| {
        let options = service.load_options(file, asked).await;
        (options.chat_template, options.reverse_prompts)
    };
    // The starter by its exact size.
    let (starter, none) = (98_362_432, (None, Vec::new()));
    let chatml = (Some("chatml".to_owned()), vec!["<|im_end|>".to_owned()]);
    assert_eq!(loaded(&file(starter, false), None).await, chatml);
    assert_eq!(loaded(&file(starter, true), None).await, none);
    assert_eq!(loaded(&file(starter + 1, false), None).await, none);

    let elsewhere = LibraryFile {
        model: Some("huggingfacetb/SmolLM2-360M-Instruct-GGUF".into()),
        ..file(7, false)
    };
    assert_eq!(loaded(&elsewhere, None).await, chatml);
    let own = LoadOptions {
        chat_template: Some("gemma".into()),
        ..LoadOptions::default()
    };
    let kept = (Some("gemma".to_owned()), Vec::new());
    assert_eq!(loaded(&elsewhere, Some(own)).await, kept);
}

/// A window once wrote over what a command had changed meanwhile, since it had read the settings before.
#[tokio::test(flavor = "multi_thread")]
async fn who_watches_hears_of_each_change() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(&folder.path().join("hearth.db"))
        .await
        .expect("a database");
    let settings = SettingsService::new(store);
    let (sink, events) = EventSink::new(hearth_protocol::RequestId(1), hearth_protocol::Waker::none());
    let watching = settings.clone();
    let watch = tokio::spawn(async move { watching.watch(sink).await });
    let next = move || match events.next().expect("news") {
        SettingsEvent::Settings(settings) => (events, settings.offline),
        SettingsEvent::Closed(error) => panic!("{error}"),
    };
    let (events, offline) = tokio::task::spawn_blocking(next).await.expect("heard");
    assert!(!offline);
    let changed = Settings {
        offline: true,
        ..Settings::default()
    };
    settings.write(changed).await.expect("stored");
    let heard = tokio::task::spawn_blocking(move || (events.next(), events));
    let (event, events) = heard.await.expect("heard");
    assert!(matches!(event, Some(SettingsEvent::Settings(settings)) if settings.offline));
    drop(events);
    watch.await.expect("it ends with its listener");
}

#[test]
fn damaged_load_options_are_none() {
    for stored in ["", "null", "5", r#"{"threads":0}"#, r#"{"threads":"many"}"#] {
        assert_eq!(parse_load_options(stored), None, "{stored}");
    }
    let from_another_version = parse_load_options(r#"{"threads":2,"of_a_newer_hearth":1}"#);
    assert_eq!(from_another_version.and_then(|options| options.threads), Some(2));
}

#[test]
fn a_damaged_field_costs_only_itself() {
    let light = Settings {
        theme: Theme::Light,
        ..Settings::default()
    };
    let offline = Settings {
        offline: true,
        ..Settings::default()
    };
    let cases = [
        ("", Settings::default()),
        ("null", Settings::default()),
        ("[]", Settings::default()),
        (r#"{"theme":"light""#, Settings::default()),
        (r#"{"theme":"light"}"#, light.clone()),
        (r#"{"theme":"sepia","offline":true}"#, offline.clone()),
        (r#"{"offline":true,"sampling":{"top_p":7}}"#, offline.clone()),
        (r#"{"load":null,"offline":true,"default_model":5}"#, offline),
        (r#"{"from_a_newer_hearth":[1],"theme":"light"}"#, light),
    ];
    for (stored, expected) in cases {
        assert_eq!(parse(stored), expected, "{stored}");
    }
}

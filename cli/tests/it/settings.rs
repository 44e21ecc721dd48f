//! `hearth-cli settings`.

use crate::hearth::{Finished, Hearth};

#[test]
fn a_setting_is_changed_kept_and_taken_back() {
    let hearth = Hearth::new();
    let all = hearth.run(&["settings"]).expect_code(0);
    assert!(all.stdout.contains("offline = false\n"), "{all:?}");
    assert!(all.stdout.contains("load.threads = none\n"), "{all:?}");

    let one = |arguments: &[&str]| hearth.run(arguments).expect_code(0).stdout;
    assert_eq!(one(&["settings", "offline", "true"]), "true\n");
    assert_eq!(one(&["settings", "offline"]), "true\n");
    assert_eq!(
        one(&["settings", "hub_endpoint", "http://hub.example"]),
        "http://hub.example\n"
    );
    assert_eq!(one(&["settings", "load.threads", "1"]), "1\n");
    let lines = hearth.run(&["settings", "load", "--json"]).expect_code(0).lines();
    assert_eq!(lines[0]["threads"], 1);
    assert_eq!(one(&["settings", "load.threads", "--reset"]), "none\n");
    assert_eq!(one(&["settings", "hub_endpoint", "null"]), "none\n");
    // The switch acts on the next command.
    let offline = hearth.run(&["pull", "o/n"]).expect_code(1);
    assert!(offline.stderr.contains("offline mode is on"), "{offline:?}");
}

#[test]
fn a_setting_that_is_none_or_cannot_be_so_changes_nothing() {
    let hearth = Hearth::new();
    let unknown = hearth.run(&["settings", "colour", "red"]).expect_code(3);
    assert!(unknown.stderr.contains("theme"), "{unknown:?}");
    for (key, value) in [
        ("theme", "sepia"),
        ("offline", "maybe"),
        ("downloads_at_once", "99"),
        ("load.threads", "0"),
    ] {
        let before = hearth.run(&["settings", key]).expect_code(0).stdout;
        let refused = hearth.run(&["settings", key, value]).expect_code(2);
        assert!(!refused.stderr.is_empty());
        assert_eq!(hearth.run(&["settings", key]).expect_code(0).stdout, before);
    }
}

#[cfg(unix)]
#[test]
fn a_variable_that_is_no_text_is_refused_and_a_path_that_is_none_is_taken() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let hearth = Hearth::new();
    let odd = OsStr::from_bytes(b"odd-\xff");
    for name in ["HF_TOKEN", "HF_ENDPOINT", "HF_HUB_OFFLINE"] {
        let output = hearth.command(&["settings"]).env(name, odd).output();
        let end = Finished::new(&output.expect("starts")).expect_code(2);
        assert!(end.stderr.starts_with(name), "{end:?}");
    }
    let folder = hearth.folder().join(odd);
    let model = folder.join("hub/models--o--n/snapshots").join("0".repeat(40));
    std::fs::create_dir_all(&model).expect("folders");
    std::fs::write(model.join("m.gguf"), "<html>").expect("a file");
    let output = hearth.command(&["ls"]).env("HF_HOME", folder).output();
    let end = Finished::new(&output.expect("starts")).expect_code(0);
    assert!(end.stdout.contains("o/n/m.gguf"), "{end:?}");
}

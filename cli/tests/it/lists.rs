//! `ls`, `ps`, and what is typed wrongly.

use serde_json::{Value, json};

use crate::hearth::{Hearth, STARTER};

#[test]
fn wrong_usage_ends_with_2() {
    let hearth = Hearth::new();
    let cases: [&[&str]; 10] = [
        &[],
        &["bake"],
        &["run"],
        &["run", STARTER, "hi", "--temp", "warm"],
        &["run", STARTER, "hi", "--temp", "9"],
        &["run", STARTER, " "],
        &["import", "m.gguf", "--move", "--symlink"],
        &["rename", STARTER],
        &["rename", STARTER, "x", "--reset"],
        &["rename", STARTER, " "],
    ];
    for arguments in cases {
        let end = hearth.run(arguments).expect_code(2);
        assert!(
            !end.stderr.is_empty() && end.stdout.is_empty(),
            "{arguments:?}: {end:#?}"
        );
    }
}

#[test]
fn ls_lists_the_starter_model_for_people_and_for_scripts() {
    let hearth = Hearth::new();
    let end = hearth.run(&["ls"]).expect_code(0);
    assert!(
        end.stdout.contains(STARTER) && end.stdout.contains("98.4 MB"),
        "{end:#?}"
    );

    let end = hearth.run(&["ls", "--json"]).expect_code(0);
    let files: Vec<Value> = serde_json::from_str(&end.stdout).expect("an array");
    let starter = files
        .iter()
        .find(|file| file["source"] == "starter")
        .expect("the starter model");
    assert_eq!(starter["size"], 98_362_432);
    assert_eq!(starter["state"], json!({ "state": "ready" }));
}

#[test]
fn ls_names_what_is_wrong_with_a_damaged_file() {
    let hearth = Hearth::new();
    let models = hearth.folder().join("home/models");
    std::fs::create_dir_all(&models).expect("a folder");
    std::fs::write(models.join("broken.gguf"), "<html>").expect("a file");
    let end = hearth.run(&["ls"]).expect_code(0);
    let line = end
        .stdout
        .lines()
        .find(|line| line.contains("broken"))
        .expect("a line");
    assert!(line.contains("damaged: "), "{line}");
}

#[cfg(unix)]
#[test]
fn a_name_that_is_no_text_does_not_spoil_the_list() {
    use std::os::unix::ffi::OsStrExt;

    let hearth = Hearth::new();
    let models = hearth.folder().join("home/models");
    std::fs::create_dir_all(&models).expect("a folder");
    let name = std::ffi::OsStr::from_bytes(b"bad\xff.gguf");
    std::fs::write(models.join(name), "<html>").expect("a file");
    let end = hearth.run(&["ls", "--json"]).expect_code(0);
    let files: Vec<Value> = serde_json::from_str(&end.stdout).expect("an array");
    assert!(
        files.iter().any(|file| file["path"]
            .as_str()
            .is_some_and(|path| path.ends_with("bad\u{fffd}.gguf"))),
        "{files:#?}"
    );
    hearth.run(&["ls"]).expect_code(0);
}

#[test]
fn what_lies_where_a_model_was_named_is_told() {
    let hearth = Hearth::new();
    std::fs::create_dir(hearth.folder().join("folder.gguf")).expect("a folder");
    let end = hearth.run(&["run", "folder.gguf", "hi"]).expect_code(4);
    assert!(end.stderr.contains("folder"), "{end:#?}");
}

/// The backend cannot start where no file can be opened; nothing that was asked of it may wait for ever.
#[cfg(unix)]
#[test]
fn a_backend_that_cannot_start_is_told() {
    let hearth = Hearth::new();
    let program = env!("CARGO_BIN_EXE_hearth-cli");
    for _ in 0..10 {
        let command = hearth.command(&[]);
        let output = std::process::Command::new("sh")
            .args(["-c", "ulimit -n 8; exec \"$0\" run \"$1\" hi", program, STARTER])
            .current_dir(hearth.folder())
            .envs(
                command
                    .get_envs()
                    .filter_map(|(name, value)| Some((name, value?))),
            )
            .stdin(std::process::Stdio::null())
            .output();
        let end = crate::hearth::Finished::new(&output.expect("sh runs")).expect_code(1);
        assert!(end.stderr.contains("backend has stopped"), "{end:#?}");
    }
}

#[test]
fn ps_says_that_nothing_is_loaded() {
    let hearth = Hearth::new();
    let end = hearth.run(&["ps"]).expect_code(0);
    assert!(end.stderr.contains("No model is in memory"), "{end:#?}");
    let end = hearth.run(&["ps", "--json"]).expect_code(0);
    assert_eq!(end.lines(), [json!([])]);
}

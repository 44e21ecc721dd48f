//! `ls`, `ps`, and what is typed wrongly.

use serde_json::{Value, json};

use crate::hearth::{Hearth, STARTER};

#[test]
fn wrong_usage_ends_with_2() {
    let hearth = Hearth::new();
    let cases: [&[&str]; 6] = [
        &[],
        &["bake"],
        &["run"],
        &["run", STARTER, "hi", "--temp", "warm"],
        &["run", STARTER, "hi", "--temp", "9"],
        &["run", STARTER, " "],
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

#[test]
fn ps_says_that_nothing_is_loaded() {
    let hearth = Hearth::new();
    let end = hearth.run(&["ps"]).expect_code(0);
    assert!(end.stderr.contains("no model in memory"), "{end:#?}");
    let end = hearth.run(&["ps", "--json"]).expect_code(0);
    assert_eq!(end.lines(), [json!([])]);
}

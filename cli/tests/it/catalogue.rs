//! `search` and `show`.

use serde_json::{Value, json};

use crate::hearth::Hearth;

#[test]
fn search_lists_the_starter_first_and_finds_by_beginnings_of_words() {
    let hearth = Hearth::new();
    let end = hearth.run(&["search"]).expect_code(0);
    let first = end.stdout.lines().nth(1).expect("a row");
    assert!(
        first.starts_with("HuggingFaceTB/SmolLM2-135M-Instruct"),
        "{first}"
    );

    let end = hearth.run(&["search", "smollm2", "135"]).expect_code(0);
    assert_eq!(end.stdout.lines().count(), 2, "{end:#?}");
    assert!(
        end.stdout.contains("135M") && end.stdout.contains("98.4 MB"),
        "{end:#?}"
    );

    let end = hearth.run(&["search", "no such model at all"]).expect_code(0);
    assert!(
        end.stdout.is_empty() && end.stderr.contains("No model"),
        "{end:#?}"
    );
}

#[test]
fn search_filters_and_prints_json() {
    let hearth = Hearth::new();
    let end = hearth.run(&["search", "--max-params", "0.2", "--sort", "params", "--json"]);
    let models = end.expect_code(0).lines().remove(0);
    let models = models.as_array().expect("an array");
    assert!(
        models
            .iter()
            .any(|model| model["id"] == "HuggingFaceTB/SmolLM2-135M-Instruct")
    );
    assert!(models.iter().all(|model| {
        model["parameters"]
            .as_u64()
            .is_some_and(|count| count <= 200_000_000)
    }));
    for wrong in [
        ["search", "--can", "fly"],
        ["search", "--page", "0"],
        ["search", "--min-params", "many"],
    ] {
        hearth.run(&wrong).expect_code(2);
    }
}

#[test]
fn show_tells_what_a_model_is_and_which_file_to_take() {
    let hearth = Hearth::new();
    let by_words = hearth.run(&["show", "smollm2 135m"]).expect_code(0);
    let by_id = hearth
        .run(&["show", "HuggingFaceTB/SmolLM2-135M-Instruct"])
        .expect_code(0);
    assert_eq!(by_words.stdout, by_id.stdout);
    for expected in [
        "Hugging Face",
        "Apache-2.0",
        "8\u{a0}192 tokens",
        "98.4 MB",
        "Recommended: SmolLM2-135M-Instruct.Q4_1.gguf",
    ] {
        assert!(by_id.stdout.contains(expected), "{expected}: {by_id:#?}");
    }
    let details = hearth
        .run(&["show", "smollm2 135m", "--json"])
        .expect_code(0)
        .lines()
        .remove(0);
    let file = &details["files"][0];
    assert_eq!(file["size"], 98_362_432);
    assert_ne!(file["recommended"], Value::Null);
    // The starter is on the disk, so what its context takes is read from its header.
    assert_eq!(file["estimate"]["is_rough"], false);
    assert_eq!(details["fit_context_length"], json!(8192));

    let end = hearth.run(&["show", "smollm2 135m", "--ctx", "0"]).expect_code(2);
    assert!(end.stderr.contains("context_length"), "{end:#?}");
    let end = hearth.run(&["show", "nobody/nothing"]).expect_code(3);
    assert!(end.stderr.contains("There is no model"), "{end:#?}");
}

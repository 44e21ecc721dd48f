//! `search` and `show`, without a hub and with one of the tests.

use hearth_testhub::tiny_gguf::Tiny;
use hearth_testhub::{Fault, Gate, Place, Repo};
use serde_json::{Value, json};

use crate::hearth::{AtHub, Finished, Hearth};

/// A hub with two owls, of which the gated one is liked more.
fn with_owls() -> AtHub {
    let mut free = Repo::new("zq/owl-GGUF").with("owl-Q4_K_M.gguf", Tiny::default().bytes());
    free.about = json!({ "downloads": 20, "likes": 1, "tags": ["license:mit"] });
    let mut gated = Repo::new("zq/owl-gated")
        .with("m.gguf", "GGUF")
        .behind(Gate::Auto);
    gated.about = json!({ "downloads": 10, "likes": 9 });
    AtHub::new([free, gated])
}

/// The ids that a search prints.
fn found(end: &Finished) -> Vec<&str> {
    let rows = end.stdout.lines().skip(1);
    rows.filter_map(|row| row.split_whitespace().next()).collect()
}

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
    let end = hearth.run(&["show", "nobody nothing"]).expect_code(3);
    assert!(end.stderr.contains("There is no model"), "{end:#?}");
    let end = hearth.run(&["show", "nobody/nothing"]).expect_code(1);
    assert!(end.stderr.contains("needs the network"), "{end:#?}");
}

#[test]
fn search_finds_the_hubs_models_in_each_order() {
    let setup = with_owls();
    let cases = [
        (&["search", "owl"][..], vec!["zq/owl-GGUF", "zq/owl-gated"]),
        (
            &["search", "owl", "--sort", "likes"],
            vec!["zq/owl-gated", "zq/owl-GGUF"],
        ),
        (&["search", "owl", "--gated", "yes"], vec!["zq/owl-gated"]),
        (&["search", "owl", "--gated", "no"], vec!["zq/owl-GGUF"]),
        (&["search", "owl", "--licence", "MIT"], vec!["zq/owl-GGUF"]),
    ];
    for (arguments, expected) in cases {
        let end = setup.run(arguments).expect_code(0);
        assert_eq!(found(&end), expected, "{arguments:?}");
        assert_eq!(end.stderr, "", "{arguments:?}");
    }
    for sort in ["downloads", "trending", "updated", "created", "newest"] {
        let end = setup.run(&["search", "owl", "--sort", sort]).expect_code(0);
        assert_eq!(found(&end).len(), 2, "{sort}");
    }
    let asked = setup.hub.seen().len();
    let local = setup.run(&["search", "owl", "--local"]).expect_code(0);
    assert_eq!((found(&local).len(), setup.hub.seen().len()), (2, asked));
}

#[test]
fn search_without_the_hub_prints_what_is_known_and_says_how_old_it_is() {
    let setup = with_owls();
    let first = setup.run(&["search", "owl"]).expect_code(0);
    let offline = setup.hearth.run(&["search", "owl"]).expect_code(0);
    assert_eq!(found(&offline).len(), 2);
    // The answer was another hub's; what it told of is known all the same.
    assert!(offline.stderr.contains("less than a minute ago"), "{offline:?}");
    let mut command = setup.hearth.command(&["search", "owl", "--offline"]);
    command.env("HF_ENDPOINT", setup.hub.url());
    let offline = Finished::new(&command.output().expect("starts")).expect_code(0);
    assert_eq!(offline.stdout, first.stdout);
    assert!(
        offline
            .stderr
            .contains("what the hub said less than a minute ago"),
        "{offline:?}"
    );

    setup.hub.fault(
        Place::Api,
        "",
        None,
        Fault::Status(429, vec![("retry-after", "77".into())], ""),
    );
    let refused = setup.run(&["search", "smollm2"]).expect_code(0);
    assert_eq!(found(&refused).len(), 3);
    assert_eq!(refused.stderr.lines().count(), 1, "{refused:?}");
    assert!(refused.stderr.contains("wait for 77 s"), "{refused:?}");
}

#[test]
fn show_tells_of_any_model_of_the_hub_with_its_exact_fit() {
    let setup = with_owls();
    let end = setup.run(&["show", "zq/owl-GGUF", "--json"]).expect_code(0);
    let details = end.lines().remove(0);
    assert_eq!(details["files"][0]["estimate"]["is_rough"], false);
    assert_eq!(details["model"]["licence"], "MIT");
    let by_link = setup.run(&["show", "zq/owl-GGUF"]).expect_code(0);
    assert!(
        by_link.stdout.contains("Recommended: owl-Q4_K_M.gguf"),
        "{by_link:?}"
    );
    let gated = setup.run(&["show", "zq/owl-gated"]).expect_code(0);
    assert!(gated.stderr.contains("Hugging Face token"), "{gated:?}");
    let missing = setup.run(&["show", "zq/none"]).expect_code(1);
    assert!(
        missing
            .stderr
            .contains("cannot be had without a Hugging Face token"),
        "{missing:?}"
    );
    // Offline it is as it was, with its age.
    let offline = setup.hearth.run(&["show", "zq/owl-GGUF"]).expect_code(0);
    assert_eq!(offline.stdout, by_link.stdout);
    assert!(offline.stderr.contains("less than a minute ago"), "{offline:?}");
}

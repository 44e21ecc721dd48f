//! A model of the hub that is not here: `hearth-cli run` gets it and chats with it.

use hearth_testhub::Repo;
use hearth_testhub::tiny_gguf::Tiny;

use crate::hearth::{AtHub, Finished};

const ASK: [&str; 4] = ["hello", "--max-tokens", "4", "--json"];

/// A hub with `o/n` in two quantisations.
fn with_two_files() -> AtHub {
    let other = Tiny {
        seed: 2,
        ..Tiny::default()
    };
    AtHub::new([Repo::new("o/n")
        .with("m-Q4_K_M.gguf", Tiny::default().bytes())
        .with("m-Q8_0.gguf", other.bytes())])
}

/// Asks a model.
fn ask(setup: &AtHub, arguments: &[&str]) -> Finished {
    setup.run(&[&["run"], arguments, &ASK].concat())
}

#[test]
fn one_command_leads_from_the_hub_to_an_answer() {
    let setup = with_two_files();
    let refused = ask(&setup, &["o/n"]).expect_code(3);
    assert!(
        refused.stderr.contains("With --download it comes from the hub"),
        "{refused:?}"
    );
    assert_eq!(setup.hub.file_requests().len(), 0);

    let answered = ask(&setup, &["o/n", "--download"]).expect_code(0).lines();
    let kind = |line: &serde_json::Value| line["event"].as_str().map(str::to_owned);
    assert_eq!(
        answered.last().and_then(kind).as_deref(),
        Some("finished"),
        "{answered:?}"
    );

    // Now it is here, and no host is asked for it.
    setup.hub.clear_seen();
    ask(&setup, &["o/n"]).expect_code(0);
    ask(&setup, &["o/n:q4_k_m", "--offline"]).expect_code(0);
    assert_eq!(setup.hub.seen(), []);
    ask(&setup, &["o/n:Q8_0"]).expect_code(3);
    ask(&setup, &["o/n:Q8_0", "--download"]).expect_code(0);
}

#[test]
fn what_cannot_be_had_says_why() {
    let setup = with_two_files();
    let missing = ask(&setup, &["o/none", "--download"]).expect_code(1);
    assert!(missing.stderr.contains("o/none"), "{missing:?}");
    let offline = ask(&setup, &["o/n", "--download", "--offline"]).expect_code(1);
    assert!(offline.stderr.contains("offline mode is on"), "{offline:?}");
    // Who was not asked for more than what is here is told why it could not be more.
    let offline = ask(&setup, &["o/n", "--offline"]).expect_code(3);
    assert!(offline.stderr.contains("offline mode is on"), "{offline:?}");
    setup.hub.add(Repo::new("o/text").with("README.md", "hello"));
    ask(&setup, &["o/text", "--download"]).expect_code(3);
    ask(&setup, &["o/text:README.md", "--download"]).expect_code(4);
    // A name without an owner is no name of the hub.
    ask(&setup, &["none", "--download"]).expect_code(3);
}

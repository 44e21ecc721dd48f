//! A model of the hub that is not here: `hearth-cli run` gets it and chats with it.

use hearth_testhub::tiny_gguf::Tiny;
use hearth_testhub::{Repo, TestHub};

use crate::hearth::{Finished, Hearth};

const ASK: [&str; 4] = ["hello", "--max-tokens", "4", "--json"];

struct Setup {
    hub: TestHub,
    hearth: Hearth,
}

impl Setup {
    fn new() -> Self {
        let hub = TestHub::start();
        hub.add(
            Repo::new("o/n")
                .with("m-Q4_K_M.gguf", Tiny::default().bytes())
                .with(
                    "m-Q8_0.gguf",
                    Tiny {
                        seed: 2,
                        ..Tiny::default()
                    }
                    .bytes(),
                ),
        );
        Self {
            hub,
            hearth: Hearth::new(),
        }
    }

    fn run(&self, arguments: &[&str]) -> Finished {
        let words: Vec<&str> = ["run"]
            .into_iter()
            .chain(arguments.iter().copied())
            .chain(ASK)
            .collect();
        self.hearth.run_at(&self.hub, &words)
    }
}

#[test]
fn one_command_leads_from_the_hub_to_an_answer() {
    let setup = Setup::new();
    let refused = setup.run(&["o/n"]).expect_code(3);
    assert!(
        refused.stderr.contains("With --download it comes from the hub"),
        "{refused:?}"
    );
    assert_eq!(setup.hub.file_requests().len(), 0);

    let answered = setup.run(&["o/n", "--download"]).expect_code(0).lines();
    let kind = |line: &serde_json::Value| line["event"].as_str().map(str::to_owned);
    assert_eq!(
        answered.last().and_then(kind).as_deref(),
        Some("finished"),
        "{answered:?}"
    );

    // Now it is here, and no host is asked for it.
    setup.hub.clear_seen();
    setup.run(&["o/n"]).expect_code(0);
    setup.run(&["o/n:q4_k_m", "--offline"]).expect_code(0);
    assert_eq!(setup.hub.seen(), []);
    setup.run(&["o/n:Q8_0"]).expect_code(3);
    setup.run(&["o/n:Q8_0", "--download"]).expect_code(0);
}

#[test]
fn what_cannot_be_had_says_why() {
    let setup = Setup::new();
    let missing = setup.run(&["o/none", "--download"]).expect_code(1);
    assert!(missing.stderr.contains("o/none"), "{missing:?}");
    let offline = setup.run(&["o/n", "--download", "--offline"]).expect_code(1);
    assert!(offline.stderr.contains("offline mode is on"), "{offline:?}");
    setup.hub.add(Repo::new("o/text").with("README.md", "hello"));
    setup.run(&["o/text", "--download"]).expect_code(3);
    setup.run(&["o/text:README.md", "--download"]).expect_code(4);
    // A name without an owner is no name of the hub.
    setup.run(&["none", "--download"]).expect_code(3);
}

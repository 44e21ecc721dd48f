//! `hearth-cli login`, `logout` and `whoami` at a hub of the tests.

use std::io::Write;
use std::process::Stdio;

use hearth_testhub::{Fault, Gate, Place, Repo};

use crate::hearth::{AtHub, Finished};

const TOKEN: &str = "hf_abcdefgh";

/// A hub that knows the token, with a model that asks for one.
fn with_gate() -> AtHub {
    let setup = AtHub::new([Repo::new("o/gated").with("README.md", "hello").behind(Gate::Auto)]);
    setup.hub.add_token(TOKEN, "person", &["o/gated"]);
    setup
}

/// Signs in with this on standard input.
fn login(setup: &AtHub, input: &str) -> Finished {
    let mut command = setup.command(&["login"]);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("starts");
    let mut stdin = child.stdin.take().expect("piped");
    stdin.write_all(input.as_bytes()).expect("it reads");
    drop(stdin);
    Finished::new(&child.wait_with_output().expect("ends"))
}

#[test]
fn a_token_is_kept_until_it_is_forgotten() {
    let setup = with_gate();
    setup.run(&["pull", "o/gated:README.md"]).expect_code(1);
    setup.run(&["whoami"]).expect_code(1);

    let signed_in = login(&setup, &format!("{TOKEN}\n")).expect_code(0);
    assert!(signed_in.stdout.contains("as person"), "{signed_in:?}");
    assert!(!signed_in.stdout.contains(TOKEN) && !signed_in.stderr.contains(TOKEN));
    let who = setup.run(&["whoami"]).expect_code(0);
    assert!(
        who.stdout.starts_with("person") && who.stdout.contains("only you may read"),
        "{who:?}"
    );
    let account = setup.run(&["whoami", "--json"]).expect_code(0).lines();
    assert_eq!(account[0]["name"], "person");
    setup.run(&["pull", "o/gated:README.md"]).expect_code(0);

    let signed_out = setup.run(&["logout"]).expect_code(0);
    assert!(signed_out.stdout.contains("forgotten"), "{signed_out:?}");
    let who = setup.run(&["whoami"]).expect_code(1);
    assert!(who.stderr.contains("Add a token"), "{who:?}");
    setup.run(&["logout"]).expect_code(0);
}

#[test]
fn a_token_that_the_hub_refuses_is_not_kept() {
    let setup = with_gate();
    let refused = login(&setup, "hf_wrong").expect_code(1);
    assert!(refused.stderr.contains("does not accept"), "{refused:?}");
    login(&setup, "\n").expect_code(2);
    setup
        .hub
        .fault(Place::Api, "whoami", None, Fault::Status(503, vec![], ""));
    login(&setup, TOKEN).expect_code(1);
    setup.hub.mend();
    setup.run(&["whoami"]).expect_code(1);
    assert!(!setup.hearth.folder().join("home/hub-token").exists());
}

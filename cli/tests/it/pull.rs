//! `hearth-cli pull` from a hub of the tests: to the end, interrupted, killed, refused.

use std::path::PathBuf;
use std::process::Command;

use hearth_testhub::{Fault, Gate, Place, Repo, sha256, some_bytes};
use serde_json::Value;

use crate::hearth::{AtHub, Finished, Running};

const FILE: &str = "m-Q4_K_M.gguf";

/// A hub with `o/n` that holds one file of this many bytes.
fn with_file(size: usize) -> AtHub {
    AtHub::new([Repo::new("o/n").with(FILE, some_bytes(1, size))])
}

/// The model's folder in the cache.
fn cached(setup: &AtHub) -> PathBuf {
    setup.hearth.folder().join("hub").join("hub").join("models--o--n")
}

/// The bytes of the file as other programs find them.
fn downloaded(setup: &AtHub) -> Vec<u8> {
    let cached = cached(setup);
    let commit = std::fs::read_to_string(cached.join("refs").join("main")).expect("the branch");
    std::fs::read(cached.join("snapshots").join(commit).join(FILE)).expect("the file")
}

/// The ranges that the side file of the one download tells of; none where there is none yet.
fn told(setup: &AtHub) -> Vec<(usize, usize)> {
    let folder = setup.hearth.folder().join("home").join("downloads");
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths = entries.map(|entry| entry.path());
    let Some(path) = paths.find(|path| path.extension().is_some_and(|ending| ending == "json")) else {
        return Vec::new();
    };
    let text = std::fs::read(path).expect("the side file");
    let record: Value = serde_json::from_slice(&text).expect("a side file is whole at every moment");
    let pairs = record["set"]["files"][0]["have"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let number = |value: &Value| value.as_u64().expect("a number") as usize;
    pairs
        .iter()
        .map(|pair| (number(&pair[0]), number(&pair[1])))
        .collect()
}

#[test]
fn a_file_is_pulled_and_listed() {
    let setup = with_file(3_000_000);
    let finished = setup.run(&["pull", "o/n"]).expect_code(0);
    assert!(
        finished.stdout.contains("3.00 MB. `hearth-cli ls` lists it."),
        "{finished:?}"
    );
    // The hub of this test has noise under that name.
    assert!(
        finished
            .stderr
            .contains("cannot be loaded: it is not a GGUF file"),
        "{finished:?}"
    );
    assert!(downloaded(&setup) == some_bytes(1, 3_000_000));
    let listed = setup.run(&["ls"]).expect_code(0);
    assert!(listed.stdout.contains("hub/o/n/m-Q4_K_M.gguf"), "{listed:?}");

    let lines = setup
        .run(&["pull", "o/n:q4_k_m", "--json"])
        .expect_code(0)
        .lines();
    let last = lines.last().expect("a line");
    assert_eq!(last["event"], "finished");
    assert_eq!(last["download"]["state"]["verified"], true, "{last}");
}

#[test]
fn a_link_to_a_page_is_pulled_shown_and_run() {
    let setup = with_file(1000);
    let page = format!("{}/o/n/blob/main/{FILE}", setup.hub.url());
    setup.run(&["pull", &page]).expect_code(0);
    assert!(downloaded(&setup) == some_bytes(1, 1000));
    for (command, link, code) in [
        ("show", page.as_str(), 0),
        ("show", "https://huggingface.co/o/n/tree/main", 0),
        ("pull", "hf.co/o/n:Q4_K_M", 0),
        // Noise, and found where it is.
        ("run", "https://huggingface.co/o/n", 4),
        ("pull", "https://huggingface.co/docs/hub", 2),
    ] {
        let words = [command, link, "hi"];
        let words = if command == "run" { &words[..] } else { &words[..2] };
        setup.run(words).expect_code(code);
    }
}

#[test]
fn a_model_with_a_new_name_is_followed_and_the_name_told() {
    let setup = with_file(1000);
    let mut renamed = Repo::new("o/old").with(FILE, "x");
    renamed.renamed_to = Some("o/n".into());
    setup.hub.add(renamed);
    let finished = setup.run(&["pull", "o/old"]).expect_code(0);
    assert!(
        finished.stderr.contains("o/old is called o/n now"),
        "{finished:?}"
    );
    assert!(downloaded(&setup) == some_bytes(1, 1000));
}

#[test]
fn only_the_model_that_is_pulled_comes() {
    let setup = with_file(2_000_000);
    setup
        .hub
        .add(Repo::new("o/other").with(FILE, some_bytes(2, 2_000_000)));
    setup.hub.allow(Some(500_000));
    let mut first = Running::start(&mut setup.command(&["pull", "o/other", "--json"]));
    first.wait_until("bytes", |seen| done(seen) > 200_000);
    // Killed, it would go on at the next start.
    first.child.kill().expect("kill -9");
    first.finish();
    setup.hub.allow(None);
    let before = setup.hub.file_requests().len();
    setup.run(&["pull", "o/n"]).expect_code(0);
    let asked = setup.hub.file_requests().split_off(before);
    let of_other = asked.iter().filter(|seen| seen.path.contains("other"));
    assert_eq!(of_other.count(), 0, "{asked:?}");
    assert_eq!(
        asked
            .iter()
            .filter_map(|seen| seen.range)
            .map(|range| range.1.expect("an end") + 1 - range.0)
            .sum::<u64>(),
        2_000_000
    );
    setup.run(&["pull", "o/other"]).expect_code(0);
}

#[test]
fn a_refusal_says_what_to_do() {
    let setup = with_file(10);
    setup
        .hub
        .add(Repo::new("o/gated").with(FILE, "x").behind(Gate::Auto));
    let refused = setup.run(&["pull", "o/gated"]).expect_code(1);
    assert!(refused.stderr.contains("Add a token"), "{refused:?}");
    let lines = setup
        .run(&["pull", "o/n:missing.gguf", "--json"])
        .expect_code(3)
        .lines();
    let last = lines.last().expect("a line");
    assert_eq!(last["error"]["error"], "not_found", "{last}");
    assert_eq!(last["error"]["known"][0], FILE, "{last}");
    setup.run(&["pull", "none"]).expect_code(2);
}

#[test]
fn offline_opens_no_connection() {
    let setup = with_file(10);
    let offline = setup.run(&["pull", "o/n", "--offline"]).expect_code(1);
    assert!(offline.stderr.contains("offline mode is on"), "{offline:?}");
    let mut command = setup.command(&["--offline", "pull", "o/n"]);
    command.env("HTTP_PROXY", setup.hub.url());
    Finished::new(&command.output().expect("starts")).expect_code(1);
    let mut command = setup.command(&["pull", "o/n"]);
    command.env("HF_HUB_OFFLINE", "1");
    Finished::new(&command.output().expect("starts")).expect_code(1);
    assert_eq!(setup.hub.seen(), []);
}

#[test]
fn a_proxy_of_the_environment_is_asked_instead_of_the_hub() {
    let setup = with_file(10);
    setup.hub.add(Repo::new("o/small").with("README.md", "hello"));
    let mut command = setup.command(&["pull", "o/small:README.md"]);
    command
        .env("HF_ENDPOINT", "http://hub.invalid")
        .env("HTTP_PROXY", setup.hub.url())
        .env("http_proxy", setup.hub.url());
    Finished::new(&command.output().expect("starts")).expect_code(0);
    let seen = setup.hub.seen();
    assert!(
        seen.iter()
            .all(|seen| seen.path.starts_with("http://hub.invalid/")),
        "{seen:?}"
    );
}

#[test]
fn the_token_is_in_no_log_and_no_file() {
    let setup = with_file(1000);
    let token = "hf_neverseenanywhere";
    setup.hub.add_token(token, "person", &["o/gated"]);
    setup.hub.add(
        Repo::new("o/gated")
            .with(FILE, some_bytes(2, 1000))
            .behind(Gate::Auto),
    );
    setup
        .hub
        .fault(Place::Api, "", Some(1), Fault::Status(503, Vec::new(), ""));
    let mut command = setup.command(&["pull", "o/gated"]);
    command.env("HF_TOKEN", token).env("HEARTH_LOG", "trace");
    let finished = Finished::new(&command.output().expect("starts")).expect_code(0);
    assert!(
        finished.stderr.lines().count() > 20,
        "nothing is logged: {finished:?}"
    );
    assert!(!finished.stderr.contains(token) && !finished.stdout.contains(token));
    // Whoever has a signed address needs no token.
    assert!(!finished.stderr.contains("signature="), "{finished:?}");
    assert!(setup.hub.seen().iter().any(|seen| seen.authorization.is_some()));
    assert!(
        setup
            .hub
            .file_requests()
            .iter()
            .all(|seen| seen.authorization.is_none())
    );
    let found = Command::new("grep")
        .args(["-r", token])
        .arg(setup.hearth.folder())
        .output()
        .expect("grep");
    assert!(
        found.stdout.is_empty(),
        "{}",
        String::from_utf8_lossy(&found.stdout)
    );
}

#[test]
#[cfg(unix)]
fn ctrl_c_pauses_and_the_same_command_goes_on() {
    const SIZE: usize = 8_000_000;
    let setup = with_file(SIZE);
    setup.hub.allow(Some(5_000_000));
    let mut running = Running::start(&mut setup.command(&["pull", "o/n:m-Q4_K_M.gguf", "--json"]));
    running.wait_until("the bytes", |seen| done(seen) + 16_384 > 5_000_000);
    let interrupt = Command::new("sh")
        .args(["-c", &format!("kill -s INT {}", running.child.id())])
        .status();
    assert!(interrupt.expect("kill runs").success());
    let lines = running.finish().expect_code(130).lines();
    let last = lines.last().expect("a line");
    assert_eq!(last["event"], "paused", "{last}");
    let told = told(&setup);
    let kept: usize = told.iter().map(|(start, end)| end - start).sum();
    assert_eq!(last["download"]["done"], kept, "{last}");
    assert!(kept + 16_384 > 5_000_000, "{kept}");

    let asked = setup.hub.file_requests().len();
    setup.hub.allow(None);
    setup.run(&["pull", "o/n:m-Q4_K_M.gguf"]).expect_code(0);
    assert!(downloaded(&setup) == some_bytes(1, SIZE));
    for seen in setup.hub.file_requests().split_off(asked) {
        let (start, end) = seen.range.expect("a range");
        let overlaps =
            |range: &(usize, usize)| start < range.1 as u64 && range.0 as u64 <= end.expect("an end");
        assert!(
            !told.iter().any(overlaps),
            "{start} to {end:?} was there: {told:?}"
        );
    }
}

/// What was begun and is not wanted any more can be seen and given up.
#[test]
fn a_download_that_was_begun_is_listed_and_cancelled() {
    let setup = with_file(1000);
    setup.hub.allow(Some(0));
    let refused = setup.run(&["pull", "o/n", "--revision", "nope"]).expect_code(3);
    assert!(refused.stderr.contains("nope"), "{refused:?}");
    let listed = setup.run(&["downloads", "--json"]).expect_code(0).lines();
    let entry = &listed[0][0];
    assert_eq!(entry["state"]["state"], "failed", "{entry}");
    let id = entry["id"].to_string();
    let shown = setup.run(&["downloads"]).expect_code(0);
    assert!(
        shown.stdout.contains("o/n") && shown.stdout.contains("failed: "),
        "{shown:?}"
    );
    setup.run(&["downloads", "cancel", "99"]).expect_code(3);
    setup.run(&["downloads", "cancel", &id]).expect_code(0);
    assert_eq!(setup.run(&["downloads", "--json"]).expect_code(0).stdout, "[]\n");
}

/// The bytes that the last whole line of JSON tells of.
fn done(output: &str) -> u64 {
    let lines = output.lines().rev();
    let last = lines
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .next();
    last.and_then(|line| line["download"]["done"].as_u64())
        .unwrap_or(0)
}

/// Kills at moments that are drawn among the bytes of the file, each while bytes come.
#[test]
#[cfg(unix)]
fn fifty_kills_lose_no_more_than_a_tail_each() {
    const SIZE: usize = 200_000_000;
    const KILLS: u64 = 50;
    /// What a kill may cost: 2 MiB that were not yet told of, and what was between the hub and the disk.
    const TAIL: u64 = 3_000_000;
    /// A part of a file whose speed is not known yet.
    const PART: u64 = 4 << 20;
    /// What is between the hub and the news of what came.
    const ASTRAY: u64 = 300_000;
    let content = some_bytes(1, SIZE);
    let setup = with_file(SIZE);
    // With its file named nothing but the file is asked for, so that all that is sent is of the download.
    let named = format!("o/n:{FILE}");
    let mut draw = fastrand::Rng::with_seed(7);
    let mut before = 0;
    for kill in 0..KILLS {
        let step = draw.u64(3_300_000..3_900_000);
        // What it would send to one that was killed came to nobody.
        setup.hub.wait_until_quiet();
        setup.hub.allow(Some(setup.hub.sent() + step));
        let mut running = Running::start(&mut setup.command(&["pull", &named, "--json"]));
        running.wait_until("the bytes", |seen| done(seen) + ASTRAY >= before + step);
        // Bytes come again, so that the kill finds them in every stage of their way.
        setup.hub.allow(Some(setup.hub.sent() + draw.u64(0..1_000_000)));
        running.child.kill().expect("kill -9");
        let finished = running.finish();
        assert_eq!(
            finished.code, None,
            "kill {kill}: it ended by itself: {finished:?}"
        );

        let blobs = std::fs::read_dir(cached(&setup).join("blobs")).expect("the folder");
        let partial = blobs.flatten().next().expect("the partial file").path();
        let partial = std::fs::read(partial).expect("the partial file");
        let told = told(&setup);
        for (start, end) in told.iter().copied() {
            assert!(
                partial[start..end] == content[start..end],
                "kill {kill}: {start} to {end} is told of and not there"
            );
        }
        let kept = told.iter().map(|(start, end)| (end - start) as u64).sum();
        assert!(
            kept + TAIL >= before + step,
            "kill {kill}: of {step} bytes that came only {kept} less {before} are kept"
        );
        before = kept;
    }
    setup.hub.allow(None);
    setup.run(&["pull", "o/n"]).expect_code(0);
    assert_eq!(sha256(&downloaded(&setup)), sha256(&content));
    let twice = setup.hub.sent() - SIZE as u64;
    println!("{twice} bytes were sent twice in {KILLS} kills");
    assert!(
        twice <= KILLS * PART,
        "{twice} bytes were sent twice in {KILLS} kills"
    );
}

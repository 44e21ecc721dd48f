//! `kill -9` in the middle of an answer: nothing that was sent is lost, and hardly anything of the answer.

use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::hearth::{Hearth, Running, STARTER};

/// How often it is killed, each time a little later in its answer.
const ROUNDS: usize = 20;
/// Further pieces of the answer that each round lets pass.
const STEP: usize = 8;
/// Words are stored about a second after they came; this is that, with room for a machine that is busy.
const STORED_WITHIN: Duration = Duration::from_secs(3);

/// Asks SQLite itself, through Python, which Hearth's build needs anyway.
const LOOK: &str = "
import json, sqlite3, sys
database = sqlite3.connect(sys.argv[1])
print(json.dumps({
    'integrity': database.execute('pragma integrity_check').fetchall(),
    'messages': database.execute('select role, text from messages order by id desc limit 2').fetchall(),
}))";

#[test]
fn twenty_kills_in_mid_answer_lose_nothing_but_the_last_words() {
    let hearth = Hearth::new();
    for round in 1..=ROUNDS {
        let prompt = format!("Write a long story about lighthouse number {round}.");
        let arguments = ["run", STARTER, &prompt, "--json", "--temp", "0", "--threads", "1"];
        let mut running = Running::start(&mut hearth.command(&arguments));
        let mut came = Vec::new();
        for count in 1..=round * STEP {
            running.wait_until("more of the answer", |seen| {
                seen.matches("\"delta\"").count() >= count || seen.contains("\"finished\"")
            });
            came.push((Instant::now(), answer(running.seen()).len()));
        }
        running.child.kill().expect("kill -9");
        let killed = Instant::now();
        let printed = answer(&running.finish().stdout);

        let database = hearth.folder().join("home").join("hearth.db");
        let seen = Command::new("python3")
            .args(["-c", LOOK])
            .arg(&database)
            .output()
            .expect("python3");
        let seen: Value = serde_json::from_slice(&seen.stdout).expect("JSON");
        assert_eq!(seen["integrity"][0][0], "ok", "round {round}: {seen}");
        assert_eq!(seen["messages"][1][0], "user", "round {round}: {seen}");
        assert_eq!(seen["messages"][1][1], prompt, "the prompt is there");
        let stored = seen["messages"][0][1].as_str().expect("the answer's row");
        assert!(
            printed.starts_with(stored),
            "round {round}: {stored:?} is no beginning of {printed:?}"
        );
        let old = came
            .iter()
            .rev()
            .find(|(when, _)| killed.duration_since(*when) >= STORED_WITHIN);
        let safe = old.map_or(0, |(_, length)| *length);
        assert!(
            stored.len() >= safe,
            "round {round}: {} bytes are stored, {safe} should be",
            stored.len()
        );
    }
}

/// The answer's text in lines of JSON, of which the kill may have cut the last.
fn answer(output: &str) -> String {
    let events = output.lines().map_while(|line| serde_json::from_str(line).ok());
    let deltas = events.filter(|event: &Value| event["event"] == "delta");
    deltas
        .filter_map(|event| event["text"].as_str().map(str::to_owned))
        .collect()
}

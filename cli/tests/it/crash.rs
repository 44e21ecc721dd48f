//! `kill -9` in the middle of an answer: nothing that was sent is lost, and hardly anything of the answer.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::hearth::{Hearth, STARTER};

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
        let mut child = hearth
            .command(&arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("starts");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        let (mut printed, mut pieces) = (String::new(), Vec::new());
        let mut killed = None;
        for line in output.lines() {
            // The last line may be cut by the kill.
            let Ok(event) = serde_json::from_str::<Value>(&line.expect("UTF-8")) else {
                break;
            };
            if event["event"] == "delta" {
                printed.push_str(event["text"].as_str().expect("text"));
                pieces.push((Instant::now(), printed.len()));
            }
            if killed.is_none() && (pieces.len() >= round * STEP || event["event"] == "finished") {
                child.kill().expect("kill -9");
                killed = Some(Instant::now());
            }
        }
        child.wait().expect("ends");
        let killed = killed.expect("killed in mid-answer");

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
        let old = pieces
            .iter()
            .rev()
            .find(|(came, _)| killed.duration_since(*came) >= STORED_WITHIN);
        let safe = old.map_or(0, |(_, length)| *length);
        assert!(
            stored.len() >= safe,
            "round {round}: {} bytes are stored, {safe} should be",
            stored.len()
        );
    }
}

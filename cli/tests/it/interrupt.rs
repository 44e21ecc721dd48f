//! Ctrl-C in the middle of an answer, and the system's wish that the program ends.
#![cfg(unix)]

use std::os::unix::process::CommandExt;
use std::process::Command;

use crate::hearth::{Hearth, Running, STARTER};

/// A greedy answer that goes on for long.
const LONG: [&str; 8] = [
    "run",
    STARTER,
    "Write a long story about a lighthouse.",
    "--json",
    "--temp",
    "0",
    "--threads",
    "1",
];

/// Starts an answer in a process group of its own and waits for its first words.
fn answering(hearth: &Hearth) -> Running {
    let mut running = Running::start(hearth.command(&LONG).process_group(0));
    running.wait_until("the answer", |seen| seen.matches("\"delta\"").count() >= 5);
    running
}

/// What a terminal does on Ctrl-C: it signals every process of the group, workers too.
fn press_ctrl_c(running: &Running) {
    let group = format!("-{}", running.child.id());
    let status = Command::new("sh")
        .args(["-c", &format!("kill -s INT -- {group}")])
        .status();
    assert!(status.expect("kill runs").success());
}

#[test]
fn ctrl_c_stops_the_answer_and_keeps_its_text() {
    let hearth = Hearth::new();
    let running = answering(&hearth);
    press_ctrl_c(&running);
    let lines = running.finish().expect_code(130).lines();
    let (last, before) = lines.split_last().expect("events");
    assert_eq!(last["event"], "finished", "{last}");
    assert_eq!(last["answer"]["stop"]["reason"], "user_stopped");
    let deltas: String = before.iter().filter_map(|line| line["text"].as_str()).collect();
    assert_eq!(last["answer"]["text"], deltas);
}

#[test]
fn an_end_by_the_system_keeps_the_text_too() {
    for signal in ["TERM", "HUP"] {
        let hearth = Hearth::new();
        let running = answering(&hearth);
        let process = running.child.id().to_string();
        let status = Command::new("sh")
            .args(["-c", &format!("kill -s {signal} {process}")])
            .status();
        assert!(status.expect("kill runs").success());
        let lines = running.finish().expect_code(130).lines();
        let last = lines.last().expect("events");
        assert_eq!(
            last["answer"]["stop"]["reason"], "user_stopped",
            "{signal}: {last}"
        );
    }
}

#[test]
fn a_second_ctrl_c_leaves() {
    let hearth = Hearth::new();
    let running = answering(&hearth);
    press_ctrl_c(&running);
    press_ctrl_c(&running);
    let lines = running.finish().expect_code(130).lines();
    let last = &lines.last().expect("events")["event"];
    assert!(last == "finished" || last == "failed", "{last}");
}

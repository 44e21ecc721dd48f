//! The chat in a terminal, which util-linux's `script` provides.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::hearth::{Hearth, Running, STARTER};

/// Opens a terminal chat and waits for its prompt.
fn chat(hearth: &Hearth) -> Running {
    let program = hearth.command(&[]);
    let mut command = Command::new("script");
    command
        .args(["--quiet", "--return", "--flush", "--command"])
        .arg(format!(
            "'{}' run {STARTER} --temp 0 --threads 1 --max-tokens 8",
            env!("CARGO_BIN_EXE_hearth-cli")
        ))
        .arg("/dev/null")
        .current_dir(hearth.folder())
        .env("TERM", "xterm")
        .envs(
            program
                .get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        )
        .stdin(Stdio::piped());
    let mut running = Running::start(&mut command);
    running.wait_until("the prompt", |seen| seen.contains("> ") && is_listening(seen));
    running.forget();
    running
}

/// Whether the line that is edited has been drawn: before that, keys go to the terminal itself.
fn is_listening(seen: &str) -> bool {
    seen.ends_with("\u{1b}[?2026l")
}

fn press(running: &mut Running, keys: &str) {
    let input = running.child.stdin.as_mut().expect("piped");
    input.write_all(keys.as_bytes()).expect("written");
}

#[test]
fn a_chat_answers_turn_by_turn_and_ends_with_ctrl_d() {
    let hearth = Hearth::new();
    let mut chat = chat(&hearth);
    for question in ["What is the capital of Germany?", "And of Italy?"] {
        press(&mut chat, &format!("{question}\r"));
        chat.wait_until("the stats line", |seen| {
            seen.contains("stop: ") && is_listening(seen)
        });
        chat.forget();
    }
    press(&mut chat, "\u{4}");
    chat.finish().expect_code(0);
    let history = std::fs::read_to_string(hearth.folder().join("home/cli-history.txt")).expect("a history");
    assert!(history.contains("And of Italy?"), "{history}");
}

#[test]
fn ctrl_c_twice_at_the_prompt_leaves() {
    let hearth = Hearth::new();
    let mut chat = chat(&hearth);
    press(&mut chat, "\u{3}");
    chat.wait_until("the hint", |seen| {
        seen.contains("Ctrl-C again leaves.") && is_listening(seen)
    });
    press(&mut chat, "\u{3}");
    chat.finish().expect_code(0);
}

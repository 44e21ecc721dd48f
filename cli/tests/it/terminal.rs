//! The chat in a terminal.

use crate::hearth::{Hearth, Running, STARTER};

/// Opens a terminal chat and waits for its prompt.
fn chat(hearth: &Hearth) -> Running {
    let arguments = format!("run {STARTER} --temp 0 --threads 1 --max-tokens 8");
    let mut running = Running::start(&mut hearth.command_in_terminal(&arguments));
    running.wait_until("the prompt", |seen| seen.contains("> ") && is_listening(seen));
    running.forget();
    running
}

/// Whether the line that is edited has been drawn: before that, keys go to the terminal itself.
fn is_listening(seen: &str) -> bool {
    seen.ends_with("\u{1b}[?2026l")
}

#[test]
fn a_chat_answers_turn_by_turn_and_ends_with_ctrl_d() {
    let hearth = Hearth::new();
    let mut chat = chat(&hearth);
    for question in ["What is the capital of Germany?", "And of Italy?"] {
        chat.press(&format!("{question}\r"));
        chat.wait_until("the stats line", |seen| {
            seen.contains("stop: ") && is_listening(seen)
        });
        chat.forget();
    }
    chat.press("\u{4}");
    chat.finish().expect_code(0);
    let history = std::fs::read_to_string(hearth.folder().join("home/cli-history.txt")).expect("a history");
    assert!(history.contains("And of Italy?"), "{history}");
}

#[test]
fn ctrl_c_twice_at_the_prompt_leaves() {
    let hearth = Hearth::new();
    let mut chat = chat(&hearth);
    chat.press("\u{3}");
    chat.wait_until("the hint", |seen| {
        seen.contains("Ctrl-C again leaves.") && is_listening(seen)
    });
    chat.press("\u{3}");
    chat.finish().expect_code(0);
}

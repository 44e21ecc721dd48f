//! Questions and their answers, and the models that cannot answer.

use std::io::Write;
use std::process::Stdio;

use crate::hearth::{Finished, Hearth, Running, STARTER};

/// Short and the same each time, without contending for the cores with the tests beside it.
const GREEDY: [&str; 6] = ["--temp", "0", "--max-tokens", "24", "--threads", "1"];

const QUESTION: &str = "What is the capital of Germany?";

fn ask<'a>(more: &[&'a str]) -> Vec<&'a str> {
    ["run", STARTER, QUESTION]
        .iter()
        .chain(&GREEDY)
        .chain(more)
        .copied()
        .collect()
}

#[test]
fn a_question_is_answered_on_standard_output_alone() {
    let hearth = Hearth::new();
    let first = hearth.run(&ask(&[])).expect_code(0);
    assert!(first.stdout.contains("Berlin"), "{first:#?}");
    assert!(
        first.stdout.ends_with('\n') && first.stderr.is_empty(),
        "{first:#?}"
    );
    let second = hearth.run(&ask(&["--stats"])).expect_code(0);
    assert_eq!(first.stdout, second.stdout);
    assert!(second.stderr.contains("tok/s"), "{second:#?}");
}

#[test]
fn json_gives_the_events_and_the_answer_last() {
    let hearth = Hearth::new();
    let lines = hearth.run(&ask(&["--json"])).expect_code(0).lines();
    let (last, before) = lines.split_last().expect("events");
    assert_eq!(last["event"], "finished");
    let deltas: String = before
        .iter()
        .filter(|line| line["event"] == "delta")
        .filter_map(|line| line["text"].as_str())
        .collect();
    assert_eq!(last["answer"]["text"], deltas);
    assert!(deltas.contains("Berlin"), "{deltas}");
    assert!(
        last["answer"]["stats"]["generated_tokens"].as_u64() > Some(0),
        "{last}"
    );
    assert_eq!(last["answer"]["stop"]["reason"], "end_of_text");
    for event in ["loaded", "started"] {
        assert!(
            before.iter().any(|line| line["event"] == event),
            "{event} is missing"
        );
    }
}

#[test]
fn a_prompt_comes_from_standard_input_too() {
    let hearth = Hearth::new();
    let typed = hearth.run(&ask(&[])).expect_code(0);
    let arguments: Vec<_> = ["run", STARTER].iter().chain(&GREEDY).copied().collect();
    let mut command = hearth.command(&arguments);
    let mut running = Running::start(command.stdin(Stdio::piped()));
    let mut input = running.child.stdin.take().expect("piped");
    writeln!(input, "{QUESTION}").expect("written");
    drop(input);
    assert_eq!(running.finish().expect_code(0).stdout, typed.stdout);
}

#[test]
fn a_reader_that_has_enough_is_no_failure() {
    let hearth = Hearth::new();
    let mut command = hearth.command(&ask(&[]));
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    drop(child.stdout.take());
    let end = Finished::new(&child.wait_with_output().expect("ends")).expect_code(0);
    assert_eq!(end.stderr, "");
}

#[test]
fn an_unknown_model_ends_with_3_and_names_what_there_is() {
    let end = Hearth::new().run(&["run", "nope", "hi"]).expect_code(3);
    assert!(
        end.stderr.contains("nope") && end.stderr.contains(STARTER),
        "{end:#?}"
    );
    assert_eq!(end.stdout, "");
}

#[test]
fn a_path_that_is_not_there_ends_with_3() {
    let end = Hearth::new().run(&["run", "./nope.gguf", "hi"]).expect_code(3);
    assert!(end.stderr.contains("nope.gguf"), "{end:#?}");
}

#[test]
fn a_file_that_is_no_model_ends_with_4() {
    let hearth = Hearth::new();
    let cases: [(&str, &[u8]); 3] = [
        ("page.gguf", b"<html></html>"),
        ("empty.gguf", b""),
        ("cut.gguf", b"GGUF\x03\0\0\0"),
    ];
    for (name, bytes) in cases {
        std::fs::write(hearth.folder().join(name), bytes).expect("a file");
        let end = hearth.run(&["run", name, "hi"]).expect_code(4);
        assert!(end.stderr.contains(name), "{end:#?}");
        let end = hearth.run(&["run", name, "hi", "--json"]).expect_code(4);
        assert_eq!(end.lines().last().expect("an event")["event"], "failed");
    }
}

#[test]
fn whatever_fails_for_a_script_says_so_once_in_its_last_line() {
    let hearth = Hearth::new();
    std::fs::write(hearth.folder().join("page.gguf"), "<html>").expect("a file");
    let cases: [(&[&str], i32); 9] = [
        (&["run", "nope", "hi"], 3),
        (&["run", "page.gguf", "hi"], 4),
        (&["run", STARTER, " "], 2),
        (&["run", STARTER, "hi", "--temp", "9"], 2),
        (&["embed", "nope", "hi"], 3),
        (&["inspect", "nope"], 3),
        (&["import", "nope.gguf"], 3),
        (&["settings", "nope"], 3),
        (&["pull", "o/n"], 1),
    ];
    for (arguments, code) in cases {
        let end = hearth.run(&[arguments, &["--json"]].concat()).expect_code(code);
        let lines = end.lines();
        let failed = |line: &&serde_json::Value| line["event"] == "failed";
        assert_eq!(lines.iter().filter(failed).count(), 1, "{end:#?}");
        let last = lines.last().expect("a line");
        let message = last["message"].as_str().expect("words");
        assert!(failed(&last) && end.stderr.contains(message), "{end:#?}");
    }
}

#[test]
fn a_prompt_longer_than_the_context_is_refused_with_both_numbers() {
    let long = "word ".repeat(200);
    let end = Hearth::new()
        .run(&["run", STARTER, &long, "--ctx", "64"])
        .expect_code(2);
    assert!(end.stderr.contains("64"), "{end:#?}");
}

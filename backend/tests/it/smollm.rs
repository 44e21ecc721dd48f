//! The real worker with a real model, SmolLM2 135M: recorded answers and the cache of the second turn.

use std::path::PathBuf;

use hearth_protocol::engine::LoadOptions;
use hearth_protocol::generate::StopReason;

use crate::app::{App, greedy};

/// Names the folder with the models of the tests.
const MODELS_VARIABLE: &str = "HEARTH_TEST_MODELS";
const FILE: &str = "SmolLM2-135M-Instruct-Q4_1.gguf";

/// The model's place.
pub(crate) fn model() -> PathBuf {
    let folder = std::env::var_os(MODELS_VARIABLE).map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../target/models")),
        PathBuf::from,
    );
    let path = folder.join(FILE);
    assert!(
        path.exists(),
        "{} is not there: ./x test fetches it, or {MODELS_VARIABLE} names a folder that has it",
        path.display()
    );
    path
}

/// Recorded with llama.cpp b11434. Questions whose answer is so likely that no processor rounds it away.
pub(crate) const RECORDED: [(&str, &str); 2] = [
    (
        "What is the capital of Germany?",
        "The capital of Germany is Berlin.",
    ),
    ("How many days are in a week?", "A week is approximately 7 days."),
];

#[test]
fn greedy_answers_are_the_recorded_ones() {
    let app = App::real();
    let path = model();
    app.load(&path, LoadOptions::default()).expect("it loads");
    for (question, recorded) in RECORDED {
        let answer = app.ask(&path, None, question, greedy(40));
        assert_eq!(answer.text(), recorded);
        assert_eq!(answer.stop(), &StopReason::EndOfText);
        assert_eq!(answer.stats().context_length, 8192);
    }
}

#[test]
fn a_second_turn_uses_the_cache_and_answers_as_without_it() {
    let app = App::real();
    let path = model();
    app.load(&path, LoadOptions::default()).expect("it loads");
    let first = app.ask(&path, None, "What is the capital of Germany?", greedy(40));
    let second = app.ask(&path, Some(first.chat), "Name the capital of Italy.", greedy(40));
    let stats = second.stats();
    // Question and answer stand in the cache; only the answer's end is written by the template anew.
    let read = first.stats().prompt_tokens + first.stats().generated_tokens;
    assert_eq!(stats.cached_tokens, read, "{stats:?}");

    let model = app.loaded().remove(0);
    assert_eq!(app.client.eject(model.id).wait(), Ok(()));
    app.load(&path, LoadOptions::default()).expect("it loads");
    let again = app.ask_again(&path, &second, greedy(40));
    assert_eq!(again.stats().cached_tokens, 0);
    assert_eq!(again.stats().prompt_tokens, stats.prompt_tokens);
    assert_eq!(again.text(), second.text());
}

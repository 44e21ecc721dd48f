//! The real worker with a real model, SmolLM2 135M: recorded answers and the cache of the second turn.

use std::path::PathBuf;

use hearth_protocol::engine::LoadOptions;
use hearth_protocol::generate::StopReason;

use crate::app::{App, greedy};

/// Names the folder with the models of the tests.
const MODELS_VARIABLE: &str = "HEARTH_TEST_MODELS";
const FILE: &str = "SmolLM2-135M-Instruct-Q4_1.gguf";

/// The model's place.
pub fn model() -> PathBuf {
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

#[test]
fn a_greedy_answer_is_the_recorded_one() {
    let app = App::real();
    let path = model();
    app.load(&path, LoadOptions::default()).expect("it loads");
    let answer = app.ask(&path, None, "What is the capital of France?", greedy(40));
    assert_eq!(answer.text(), "The capital of France is Paris.");
    assert_eq!(answer.stop(), &StopReason::EndOfText);
    assert_eq!(answer.stats().context_length, 8192);
}

#[test]
fn a_second_turn_uses_the_cache_and_answers_as_without_it() {
    let app = App::real();
    let path = model();
    app.load(&path, LoadOptions::default()).expect("it loads");
    let first = app.ask(&path, None, "What is the capital of France?", greedy(40));
    let second = app.ask(&path, Some(first.chat), "And of Italy?", greedy(40));
    let stats = second.stats();
    assert!(stats.cached_tokens >= first.stats().prompt_tokens, "{stats:?}");

    let model = app.loaded().remove(0);
    assert_eq!(app.client.eject(model.id).wait(), Ok(()));
    app.load(&path, LoadOptions::default()).expect("it loads");
    let again = app.ask_again(&path, &second, greedy(40));
    assert_eq!(again.stats().cached_tokens, 0);
    assert_eq!(again.stats().prompt_tokens, stats.prompt_tokens);
    assert_eq!(again.text(), second.text());
}

//! Grammars of requests: what they match, and what is refused before anything runs.

mod forms;
mod refused;
mod tools;

use super::*;
use crate::engine::worker::parse::Family;

/// A style of a family that does not think.
fn style(family: Family) -> Style {
    Style {
        family,
        thoughts: None,
    }
}

fn grammar(options: &AnswerOptions, style: Style) -> GrammarState {
    let grammar = Grammar::demanded(options, &style, "").expect("a good request");
    grammar.expect("a demand").start().expect("a start")
}

/// Whether a text is what a grammar demands, from beginning to end.
fn matches(options: &AnswerOptions, style: Style, text: &str) -> bool {
    let mut state = grammar(options, style);
    state.accept(text.as_bytes()) && state.is_whole()
}

fn with(format: Format) -> AnswerOptions {
    AnswerOptions {
        format,
        ..AnswerOptions::default()
    }
}

/// Why a request is refused, and the field that is named.
fn refusal(options: &AnswerOptions) -> (String, String) {
    match Grammar::demanded(options, &style(Family::Hermes), "") {
        Err(Error::Invalid { field, problem }) => (field, problem),
        other => panic!("{options:?}: {other:?}"),
    }
}

/// Writes what a grammar allows, one random letter after the other, and ends where it may; after so many letters by
/// a short way.
fn write(state: &mut GrammarState, mut random: u64, longest: usize) -> String {
    let mut text = Vec::new();
    let mut next = || {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize
    };
    while text.len() < longest && !state.is_over() && !(state.is_whole() && next() % 3 == 0) {
        let letters: Vec<u8> = (0..=255).filter(|letter| state.fits(&[*letter])).collect();
        let letter = letters[next() % letters.len()];
        assert!(state.accept(&[letter]));
        text.push(letter);
    }
    let rest = state.matcher.some_end();
    assert!(rest.is_empty() || state.accept(&rest));
    assert!(state.is_whole());
    text.extend(rest);
    String::from_utf8(text).expect("UTF-8")
}

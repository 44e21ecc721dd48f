use std::path::Path;

use hearth_testhub::tiny_gguf::{Bytes, CONTROL, NORMAL, UNKNOWN, file};
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::model::params::LlamaModelParams;
use proptest::prelude::*;

use super::*;
use crate::engine::worker::backends::Backends;
use crate::engine::worker::template::collection;

/// A vocabulary, read without its weights.
fn read(path: &Path) -> LlamaModel {
    let params = LlamaModelParams::default().with_vocab_only(true);
    LlamaModel::load_from_file(Backends::shared().proof(), path, &params)
        .unwrap_or_else(|error| panic!("{}: {error}; ./x models brings it", path.display()))
}

/// The vocabulary of a real model, SentencePiece's.
fn model() -> LlamaModel {
    read(&collection::models().join("gemma-3-270m-Q4_K_M.gguf"))
}

/// A vocabulary of SentencePiece's with these names, by which llama.cpp knows which of its tokens swallow white space, and
/// with a blank before every text.
fn named(name: &str, kind: &str) -> LlamaModel {
    const USER_DEFINED: i32 = 4;
    const BYTE: i32 = 6;
    let bytes = (0..=255_u8).map(|byte| (format!("<0x{byte:02X}>"), BYTE));
    let tokens = [
        ("<unk>", UNKNOWN),
        ("<s>", CONTROL),
        ("</s>", CONTROL),
        ("<|endoftext|>", CONTROL),
        ("<mask>", CONTROL),
        ("<|user|>", CONTROL),
        ("\n\n", USER_DEFINED),
        ("ab", USER_DEFINED),
        ("bcd", USER_DEFINED),
        ("\u{2581}", NORMAL),
        ("a", NORMAL),
        ("b", NORMAL),
        ("\u{2581}a", NORMAL),
        ("\n", NORMAL),
    ];
    let tokens = tokens.map(|(text, kind)| (text.to_owned(), kind));
    let tokens: Vec<_> = tokens.into_iter().chain(bytes).collect();
    let metadata = vec![
        ("general.architecture", Bytes::string("llama")),
        ("general.name", Bytes::string(name)),
        ("tokenizer.ggml.model", Bytes::string("llama")),
        ("tokenizer.ggml.pre", Bytes::string(kind)),
        (
            "tokenizer.ggml.tokens",
            Bytes::strings(tokens.iter().map(|(text, _)| text.as_str())),
        ),
        (
            "tokenizer.ggml.token_type",
            Bytes::numbers(tokens.iter().map(|(_, kind)| *kind)),
        ),
        ("tokenizer.ggml.unknown_token_id", Bytes::number(0)),
        ("tokenizer.ggml.bos_token_id", Bytes::number(1)),
        ("tokenizer.ggml.eos_token_id", Bytes::number(2)),
        ("tokenizer.ggml.add_eos_token", Bytes::switch(true)),
    ];
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("named.gguf");
    std::fs::write(&path, file(metadata, &[])).expect("written");
    read(&path)
}

/// What tokens begin and end with, what is no token, and what is one as a whole.
const PARTS: [&str; 14] = [
    "\u{10fffd}",
    "\u{e123}",
    "\u{1}",
    "\n",
    "\t",
    " ",
    "  ",
    "the end",
    "é",
    "字",
    "<start_of_turn>",
    "<eos>",
    "<h1>",
    "[multimodal]",
];

#[test]
fn a_text_has_the_same_tokens_in_pieces() {
    let model = model();
    let vocabulary = model.vocab();
    let cuts = [false, true].map(|parse_special| Cuts::new(&vocabulary, &PARTS.concat(), parse_special));
    assert!(cuts[0].outside.contains(&'\u{10fffd}'));
    let texts = proptest::collection::vec(proptest::sample::select(&PARTS[..]), 1..40);
    let cases = (texts, 1..30_usize, any::<(bool, bool)>());
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let checked = runner.run(&cases, |(parts, piece, (add_special, parse_special))| {
        let text = parts.concat();
        let cuts = &cuts[usize::from(parse_special)];
        let whole = vocabulary.tokenize(text.as_bytes(), add_special, parse_special);
        let mut pieces = in_pieces(&vocabulary, &text, cuts, piece, parse_special);
        if add_special {
            surround(&vocabulary, &mut pieces);
        }
        prop_assert_eq!(pieces, whole, "{:?} in pieces of {}", text, piece);
        Ok(())
    });
    checked.expect("the same tokens");
}

#[test]
fn a_text_is_cut_behind_what_stands_in_no_token() {
    let cuts = Cuts {
        outside: HashSet::from(['\u{10fffd}']),
        swallowing: Vec::new(),
    };
    let text = "ab\u{10fffd}cd\u{10fffd}\u{10fffd}";
    for (begin, piece, end) in [(0, 1, 6), (0, 6, 6), (0, 7, 12), (2, 100, 16), (2, 1, 6)] {
        assert_eq!(cuts.behind(text, begin, piece), end, "{begin} {piece}");
    }
}

#[test]
fn white_space_that_a_token_swallows_is_never_cut() {
    let cuts = Cuts {
        outside: HashSet::from(['\n', '\u{12000}']),
        swallowing: vec!["<e>".to_owned()],
    };
    let cases = [
        ("a\n\nb", 2),
        ("a\n<e>\n\u{12000}", 10),
        ("<e>\n\nb", 6),
        ("<e>b\nc", 5),
    ];
    for (text, end) in cases {
        assert_eq!(cuts.behind(text, 0, 1), end, "{text:?}");
    }
}

/// A text of very many control tokens once took minutes, since llama.cpp walks through all of them for each.
#[test]
fn a_text_has_the_same_tokens_cut_behind_those_that_are_read_as_a_whole() {
    const PARTS: [&str; 18] = [
        "<s>",
        "</s>",
        "<|user|>",
        "<mask>",
        "<|im_start|>",
        "<|im_end|>",
        "<start_of_turn>",
        "<h1>",
        "<",
        "[multimodal]",
        "ab",
        "bcd",
        " ",
        "\n",
        "\n\n\n",
        "\t",
        "the end",
        "é",
    ];
    let smollm = read(&collection::models().join("SmolLM2-135M-Instruct-Q4_1.gguf"));
    let models = [
        ("SentencePiece", model(), false),
        ("BPE", smollm, false),
        ("swallows behind", named("phi-3", "default"), true),
        ("swallows before", named("tiny", "jina-v2-de"), true),
    ];
    for (name, model, swallows) in models {
        let vocabulary = model.vocab();
        let wholes = [false, true].map(|parse_special| parts::wholes(&vocabulary, parse_special));
        let is_swallowing = |whole: &parts::Whole| whole.strips_before || whole.strips_after;
        assert_eq!(wholes[1].iter().any(is_swallowing), swallows, "{name}");
        let texts = proptest::collection::vec(proptest::sample::select(&PARTS[..]), 1..40);
        let cases = (texts, 1..5_usize, 1..40_usize, any::<(bool, bool)>());
        let mut runner = proptest::test_runner::TestRunner::deterministic();
        let cut = std::cell::Cell::new(0);
        let checked = runner.run(&cases, |(parts, count, bytes, (add_special, parse_special))| {
            let text = parts.concat();
            let whole = vocabulary.tokenize(text.as_bytes(), add_special, parse_special);
            let wholes = wholes[usize::from(parse_special)].clone();
            let ends = parts::ends(&text, wholes, (count, bytes));
            cut.set(cut.get() + ends.len() - 1);
            let mut reading = Reading {
                cuts: Cuts::new(&vocabulary, &text, parse_special),
                ends: ends.clone(),
                ..Reading::new(&vocabulary, &text, add_special, parse_special)
            };
            while !reading.step(&vocabulary, &text) {}
            let read = reading.into_tokens();
            prop_assert_eq!(
                read,
                whole,
                "{}: {:?} in parts that end at {:?}",
                name,
                text,
                ends
            );
            Ok(())
        });
        checked.expect("the same tokens");
        assert!(cut.get() > 100, "{name}: {} cuts", cut.get());
    }
}

#[test]
fn a_long_text_is_read_part_by_part() {
    let model = named("tiny", "default");
    let vocabulary = model.vocab();
    let text = "<s>a".repeat(2 * PIECE);
    let mut reading = Reading::new(&vocabulary, &text, true, true);
    let steps = (1..).find(|_| reading.step(&vocabulary, &text)).expect("an end");
    assert_eq!(steps, (2 * PIECE).div_ceil(parts::TOKENS));
    assert!(reading.step(&vocabulary, &text), "it is read");
    // The blank before a text and its letter are one token; `<s>` and `</s>` stand around the whole.
    assert_eq!(reading.into_tokens().len(), 2 + 2 * 2 * PIECE);
}

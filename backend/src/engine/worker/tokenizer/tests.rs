use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::model::params::LlamaModelParams;
use proptest::prelude::*;

use super::*;
use crate::engine::worker::backends::Backends;
use crate::engine::worker::template::collection;

/// The vocabulary of a real model, SentencePiece's, read without its weights.
fn model() -> LlamaModel {
    let path = collection::models().join("gemma-3-270m-Q4_K_M.gguf");
    let params = LlamaModelParams::default().with_vocab_only(true);
    LlamaModel::load_from_file(Backends::shared().proof(), &path, &params)
        .unwrap_or_else(|error| panic!("{}: {error}; ./x models brings it", path.display()))
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
        let pieces = in_pieces(&vocabulary, &text, cuts, piece, (add_special, parse_special));
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

//! Models that only embed: a BERT, whose tokens look in both directions.

use std::path::PathBuf;

use hearth_protocol::embed::{EmbedInput, EmbedOptions, Pooling, TooLong};
use hearth_protocol::engine::LoadOptions;
use hearth_protocol::{Error, ErrorKind};

use super::{assert_same, cosine, embed, length, raw, texts, vectors};
use crate::app::{App, greedy};
use crate::tiny_bert::{CLS, CONTEXT, MEAN, RANK, WIDTH, write};

/// `[CLS]` and `[SEP]`, which the tokenizer puts around each text.
const START: u32 = 2;
const END: u32 = 3;

fn encoder(app: &App, pooling: Option<u32>) -> PathBuf {
    let path = app.path("encoder.gguf");
    write(&path, pooling);
    path
}

#[test]
fn it_loads_and_embeds_and_says_that_it_does_not_chat() {
    let app = App::real();
    let path = encoder(&app, Some(MEAN));
    let model = app.load(&path, LoadOptions::default()).expect("it loads");
    assert_eq!(model.context_length, CONTEXT);
    let made = embed(
        &app,
        &path,
        texts(&["hello", "hello you"]),
        EmbedOptions::default(),
    )
    .expect("vectors");
    assert_eq!(made.tokens, [7, 10], "letters, and a token at both ends");
    for vector in &made.vectors {
        assert_eq!(vector.len(), WIDTH);
        assert!((length(vector) - 1.0).abs() < 1e-5);
    }
    let answer = app.ask(&path, None, "hello", greedy(3));
    let error = answer.error.expect("it is refused");
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert_eq!(error.to_string(), "encoder makes embeddings; it does not chat.");
    // It goes on.
    let again = vectors(&app, &path, texts(&["hello"]), EmbedOptions::default());
    assert_same(&again[0], &made.vectors[0]);
    assert_eq!(app.loaded()[0].process, model.process);
}

#[test]
fn its_file_says_how_it_pools() {
    let unsaid = EmbedOptions {
        pooling: None,
        ..raw(Pooling::Mean)
    };
    for (says, means) in [
        (None, Pooling::Mean),
        (Some(MEAN), Pooling::Mean),
        (Some(CLS), Pooling::Cls),
    ] {
        let app = App::real();
        let path = encoder(&app, says);
        let by_file = vectors(&app, &path, texts(&["hello"]), unsaid);
        for pooling in [Pooling::Mean, Pooling::Cls, Pooling::Last] {
            let by_hand = vectors(&app, &path, texts(&["hello"]), raw(pooling));
            let is_it = cosine(&by_file[0], &by_hand[0]) > 0.9999;
            assert_eq!(is_it, pooling == means, "{says:?} {pooling:?}");
        }
    }
}

#[test]
fn a_reranker_is_refused_with_the_reason() {
    let app = App::real();
    let path = encoder(&app, Some(RANK));
    let refused = embed(&app, &path, texts(&["hello"]), raw(Pooling::Mean)).expect_err("refused");
    assert!(matches!(refused, Error::ModelCannot { .. }), "{refused:?}");
    assert!(refused.to_string().contains("is a reranker"), "{refused}");
}

#[test]
fn short_texts_share_a_batch_and_do_not_see_each_other() {
    let app = App::real();
    let path = encoder(&app, Some(MEAN));
    let words = [
        "a",
        "sea",
        "lighthouse",
        "the lamp turns",
        "night after night after night",
    ];
    // More than fit one batch.
    let many: Vec<_> = words.iter().cycle().take(40).copied().collect();
    let together = vectors(&app, &path, texts(&many), raw(Pooling::Mean));
    for (place, text) in many.iter().enumerate() {
        let alone = vectors(&app, &path, texts(&[text]), raw(Pooling::Mean));
        assert_same(&alone[0], &together[place]);
    }
    assert!(cosine(&together[0], &together[1]) < 0.999, "they differ");
}

#[test]
fn a_text_is_refused_or_cut_where_the_model_ends() {
    let app = App::real();
    let path = encoder(&app, Some(MEAN));
    let long = "a".repeat(200);
    let refused = embed(&app, &path, texts(&[&long]), EmbedOptions::default());
    assert_eq!(
        refused,
        Err(Error::TextTooLong {
            place: 1,
            tokens: 202,
            most: CONTEXT
        })
    );
    let cut = EmbedOptions {
        too_long: TooLong::Cut,
        ..raw(Pooling::Mean)
    };
    let made = embed(&app, &path, texts(&[&long]), cut).expect("a vector");
    assert_eq!(made.tokens, [CONTEXT]);
    // The token at the end of each text stays: first letter of a word, then letters within it.
    let mut tokens = vec![START, 5];
    tokens.resize(CONTEXT as usize - 1, 6);
    tokens.push(END);
    let by_hand = vectors(&app, &path, vec![EmbedInput::Tokens(tokens)], raw(Pooling::Mean));
    assert_same(&by_hand[0], &made.vectors[0]);
}

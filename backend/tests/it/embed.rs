//! Embeddings through the client: with the real model, the tiny one and a tiny encoder.

mod encoder;
mod ending;

use std::path::Path;

use hearth_protocol::chat::ChatEvent;
use hearth_protocol::embed::{
    EmbedEvent, EmbedInput, EmbedOptions, EmbedRequest, Embeddings, Pooling, TooLong,
};
use hearth_protocol::engine::{KeepLoaded, LoadOptions, ModelRef};
use hearth_protocol::generate::SamplingParams;
use hearth_protocol::{Error, Events, LoadedId};

use crate::app::{App, context, next};
use crate::smollm;

/// Starts to embed.
fn begin(app: &App, path: &Path, inputs: Vec<EmbedInput>, options: EmbedOptions) -> Events<EmbedEvent> {
    app.client.embed(EmbedRequest {
        model: ModelRef::Path(path.to_owned()),
        inputs,
        options,
        keep: KeepLoaded::default(),
    })
}

/// Waits for the end.
fn outcome(events: &Events<EmbedEvent>) -> Result<Embeddings, Error> {
    loop {
        match next(events).expect("a last event") {
            EmbedEvent::Finished(embeddings) => return Ok(embeddings),
            EmbedEvent::Failed(error) => return Err(error),
            EmbedEvent::Loading(_) | EmbedEvent::Progress { .. } => (),
        }
    }
}

fn embed(
    app: &App,
    path: &Path,
    inputs: Vec<EmbedInput>,
    options: EmbedOptions,
) -> Result<Embeddings, Error> {
    outcome(&begin(app, path, inputs, options))
}

/// The vectors of texts that can be embedded.
fn vectors(app: &App, path: &Path, inputs: Vec<EmbedInput>, options: EmbedOptions) -> Vec<Vec<f32>> {
    embed(app, path, inputs, options).expect("vectors").vectors
}

fn texts(texts: &[&str]) -> Vec<EmbedInput> {
    texts
        .iter()
        .map(|text| EmbedInput::Text((*text).to_owned()))
        .collect()
}

/// Pooled like this and left as long as it is.
fn raw(pooling: Pooling) -> EmbedOptions {
    EmbedOptions {
        pooling: Some(pooling),
        normalise: false,
        ..EmbedOptions::default()
    }
}

fn dot(one: &[f32], other: &[f32]) -> f64 {
    assert_eq!(one.len(), other.len());
    one.iter()
        .zip(other)
        .map(|(a, b)| f64::from(*a) * f64::from(*b))
        .sum()
}

fn length(vector: &[f32]) -> f64 {
    dot(vector, vector).sqrt()
}

fn cosine(one: &[f32], other: &[f32]) -> f64 {
    dot(one, other) / length(one) / length(other)
}

/// As good as the same: rounding differs with the size of a batch.
#[track_caller]
fn assert_same(one: &[f32], other: &[f32]) {
    let cosine = cosine(one, other);
    assert!(cosine > 0.9999, "{cosine}");
    let lengths = length(one) / length(other);
    assert!((lengths - 1.0).abs() < 0.01, "{lengths}");
}

/// Load options with batches of so many tokens.
fn batches(tokens: u32) -> LoadOptions {
    LoadOptions {
        batch_size: tokens,
        micro_batch_size: tokens,
        ..context(1024)
    }
}

#[test]
fn vectors_have_length_one_and_as_many_numbers_as_were_asked_for() {
    let app = App::real();
    let path = smollm::model();
    let sentences = texts(&["The sea is calm today.", "A", "Où est la gare ?"]);
    let all = embed(&app, &path, sentences.clone(), EmbedOptions::default()).expect("vectors");
    assert_eq!(all.tokens.len(), 3);
    assert_eq!(all.tokens[1], 1, "this model adds no token to a text");
    for vector in &all.vectors {
        assert_eq!(vector.len(), 576);
        assert!((length(vector) - 1.0).abs() < 1e-5, "{}", length(vector));
    }
    let short = EmbedOptions {
        dimensions: Some(64),
        ..EmbedOptions::default()
    };
    for (short, whole) in vectors(&app, &path, sentences, short).iter().zip(&all.vectors) {
        assert_eq!(short.len(), 64);
        assert!((length(short) - 1.0).abs() < 1e-5);
        assert!(cosine(short, &whole[..64]) > 0.9999, "the first of its numbers");
    }
    let more = EmbedOptions {
        dimensions: Some(577),
        ..EmbedOptions::default()
    };
    let refused = embed(&app, &path, texts(&["a"]), more).expect_err("more than there are");
    assert_eq!(refused.to_string(), "dimensions must be from 1 to 576.");
}

#[test]
fn what_means_alike_lies_closer() {
    let app = App::real();
    let sentences = texts(&[
        "The cat is sleeping on the sofa.",
        "A kitten naps on the couch.",
        "The central bank raised its interest rates.",
        "Borrowing money has become more expensive this year.",
    ]);
    let mean = EmbedOptions {
        pooling: Some(Pooling::Mean),
        ..EmbedOptions::default()
    };
    let vectors = vectors(&app, &smollm::model(), sentences, mean);
    let near = |one: usize, other: usize| cosine(&vectors[one], &vectors[other]);
    for (one, other) in [(0, 1), (2, 3)] {
        for stranger in (0..4).filter(|place| *place != one && *place != other) {
            let (alike, unlike) = (near(one, other), near(one, stranger));
            assert!(alike > unlike, "{one} {other} {stranger}: {alike} {unlike}");
        }
    }
}

#[test]
fn a_text_longer_than_the_micro_batch_has_the_vector_it_has_in_one() {
    let app = App::real();
    let real = (
        smollm::model(),
        "A lighthouse stands on a rock in the sea. ".repeat(30),
    );
    let tiny = (app.tiny(), "A lighthouse stands. ".repeat(15));
    // The real model's single tokens feel more of the rounding, which differs with the batch.
    for ((path, long), poolings) in [
        (real, &[Pooling::Mean][..]),
        (tiny, &[Pooling::Mean, Pooling::Cls, Pooling::Last]),
    ] {
        let [small, large] = [24, 512].map(|tokens| {
            app.load(&path, batches(tokens)).expect("it loads");
            let made = poolings.iter().map(|pooling| {
                let made = embed(&app, &path, texts(&[&long]), raw(*pooling)).expect("a vector");
                assert!((250..337).contains(&made.tokens[0]), "{:?}", made.tokens);
                made.vectors[0].clone()
            });
            made.collect::<Vec<_>>()
        });
        small
            .iter()
            .zip(&large)
            .for_each(|(small, large)| assert_same(small, large));
    }
}

/// A token of a causal model does not know those behind it, so that the last vector of each beginning is that of its token.
#[test]
fn each_pooling_is_made_of_the_vectors_of_the_tokens() {
    let app = App::real();
    let path = app.tiny();
    let tokens = [1, 75, 80, 90, 101, 77];
    let beginnings = (1..=tokens.len()).map(|count| EmbedInput::Tokens(tokens[..count].to_vec()));
    let each = vectors(&app, &path, beginnings.collect(), raw(Pooling::Last));
    let of_all = |pooling| {
        vectors(
            &app,
            &path,
            vec![EmbedInput::Tokens(tokens.to_vec())],
            raw(pooling),
        )
        .remove(0)
    };

    let mean: Vec<f32> = (0..each[0].len())
        .map(|number| each.iter().map(|vector| vector[number]).sum::<f32>() / each.len() as f32)
        .collect();
    assert_same(&of_all(Pooling::Mean), &mean);
    assert_same(&of_all(Pooling::Cls), &each[0]);
    assert_same(&of_all(Pooling::Last), &each[5]);
    assert!(
        cosine(&mean, &each[5]) < 0.99 && cosine(&each[0], &each[5]) < 0.99,
        "they differ"
    );
    // Of one token, all kinds are the same.
    let one = |pooling| vectors(&app, &path, vec![EmbedInput::Tokens(vec![75])], raw(pooling)).remove(0);
    assert_eq!(one(Pooling::Cls), one(Pooling::Last));
    assert_eq!(one(Pooling::Cls), one(Pooling::Mean));
    // The file says nothing of pooling.
    let unsaid = EmbedOptions {
        pooling: None,
        ..raw(Pooling::Mean)
    };
    let unsaid = vectors(&app, &path, vec![EmbedInput::Tokens(tokens.to_vec())], unsaid);
    assert_eq!(unsaid[0], of_all(Pooling::Mean));
}

#[test]
fn many_texts_at_once_have_the_vectors_that_they_have_alone_in_their_order() {
    let app = App::real();
    let path = app.tiny();
    app.load(&path, batches(48)).expect("it loads");
    // Some share a batch, some fill several.
    let many: Vec<_> = (0..30)
        .map(|place| EmbedInput::Text(format!("{place} {}", "text ".repeat(place * 7 % 23))))
        .collect();
    let together = embed(&app, &path, many.clone(), EmbedOptions::default()).expect("vectors");
    for (place, input) in many.into_iter().enumerate() {
        let alone = embed(&app, &path, vec![input], EmbedOptions::default()).expect("a vector");
        assert_eq!(alone.tokens[0], together.tokens[place]);
        assert_same(&alone.vectors[0], &together.vectors[place]);
        let nearest = (0..30).max_by(|one, other| {
            let near = |place: usize| dot(&alone.vectors[0], &together.vectors[place]);
            near(*one).total_cmp(&near(*other))
        });
        assert_eq!(nearest, Some(place));
    }
}

#[test]
fn an_answer_beside_it_stays_the_same() {
    let app = App::real();
    let path = app.tiny();
    // Guesses are checked several at once, as many as the time allows, and sums of another order round otherwise.
    let options = LoadOptions {
        ngram_speculation: false,
        ..context(8192)
    };
    app.load(&path, options).expect("the model loads");
    let alone = app.ask(&path, None, "a long answer", crate::app::greedy(400));
    let beside = app.send(&path, None, "a long answer", SamplingParams::greedy());
    let seen = beside.until(|event| matches!(event, ChatEvent::Delta(_)));
    let many: Vec<_> = (0..20)
        .map(|place| EmbedInput::Text(format!("{place} ").repeat(60)))
        .collect();
    let made = embed(&app, &path, many, EmbedOptions::default()).expect("vectors");
    assert_eq!(made.vectors.len(), 20);
    // It is stopped only now, so that all of it happened while the answer was written.
    assert_eq!(app.client.stop(beside.0.request()).wait(), Ok(()));
    let beside = beside.finish_after(seen);
    let common = beside.text().len().min(alone.text().len());
    assert!(common > 0);
    assert_eq!(beside.text()[..common], alone.text()[..common]);
}

#[test]
fn requests_at_once_load_the_model_once() {
    let app = App::real();
    let path = app.tiny();
    let begun: Vec<_> = (0..6)
        .map(|_| begin(&app, &path, texts(&["once"]), EmbedOptions::default()))
        .collect();
    for events in &begun {
        assert_eq!(outcome(events).map(|made| made.vectors.len()), Ok(1));
    }
    // Ids are counted: one load has been made.
    assert_eq!(
        app.loaded().iter().map(|model| model.id).collect::<Vec<_>>(),
        [LoadedId(1)]
    );
}

#[test]
fn what_cannot_be_embedded_is_refused_in_words() {
    let app = App::real();
    let path = app.tiny();
    app.load_with_context(&path, 64);
    let long = "x".repeat(100);
    let cases = [
        (vec![], "input holds no text; give at least one."),
        (texts(&["a", ""]), "input 2 is empty."),
        (
            texts(&["a", &long]),
            "Text 2 has 101 tokens and the model reads 64 at most. Shorten it, or let it be cut.",
        ),
        (
            vec![EmbedInput::Tokens(vec![5, 262])],
            "input 1 holds 262, which is no token of this model.",
        ),
    ];
    for (inputs, words) in cases {
        let refused = embed(&app, &path, inputs, EmbedOptions::default()).expect_err(words);
        assert_eq!(refused.to_string(), words);
    }
    let cut = EmbedOptions {
        too_long: TooLong::Cut,
        ..EmbedOptions::default()
    };
    let made = embed(&app, &path, texts(&["a", &long, &long[..63]]), cut).expect("vectors");
    assert_eq!(made.tokens, [2, 64, 64]);
    assert_same(&made.vectors[1], &made.vectors[2]);
}

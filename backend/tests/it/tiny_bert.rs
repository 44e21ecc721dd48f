//! Writes a tiny BERT encoder with random weights from a fixed seed and a WordPiece vocabulary of single letters.

use std::path::Path;

use crate::tiny_gguf::{Bytes, CONTROL, NORMAL, Random, Tensor, UNKNOWN, file};

/// Numbers in its vectors.
pub(crate) const WIDTH: usize = 32;
/// Tokens it reads at most.
pub(crate) const CONTEXT: u32 = 96;

const HEADS: u32 = 4;
const FEED_FORWARD: usize = 64;
const LAYERS: usize = 2;

/// `llama_pooling_type` of `llama.h`.
pub(crate) const MEAN: u32 = 1;
pub(crate) const CLS: u32 = 2;
pub(crate) const RANK: u32 = 4;

/// Writes a file that says this of its pooling. `None` says nothing of its direction either, as old files do.
pub(crate) fn write(path: &Path, pooling: Option<u32>) {
    let vocabulary = vocabulary();
    let bytes = file(metadata(pooling, &vocabulary), &tensors(vocabulary.len()));
    std::fs::write(path, bytes).expect("the model is written");
}

/// Text and type of each token. WordPiece in GGUF marks the beginning of a word.
fn vocabulary() -> Vec<(String, i32)> {
    let mut tokens: Vec<_> = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
        .into_iter()
        .map(|text| (text.to_owned(), if text == "[UNK]" { UNKNOWN } else { CONTROL }))
        .collect();
    for letter in 'a'..='z' {
        tokens.push((format!("\u{2581}{letter}"), NORMAL));
        tokens.push((letter.to_string(), NORMAL));
    }
    tokens
}

fn metadata(pooling: Option<u32>, vocabulary: &[(String, i32)]) -> Vec<(&'static str, Bytes)> {
    let mut metadata = vec![
        ("general.architecture", Bytes::string("bert")),
        ("general.name", Bytes::string("Tiny encoder")),
        ("bert.context_length", Bytes::number(CONTEXT)),
        ("bert.embedding_length", Bytes::number(WIDTH as u32)),
        ("bert.block_count", Bytes::number(LAYERS as u32)),
        ("bert.feed_forward_length", Bytes::number(FEED_FORWARD as u32)),
        ("bert.attention.head_count", Bytes::number(HEADS)),
        ("bert.attention.layer_norm_epsilon", Bytes::float(1e-12)),
        ("tokenizer.ggml.model", Bytes::string("bert")),
        ("tokenizer.ggml.token_type_count", Bytes::number(2)),
        ("tokenizer.ggml.tokens", {
            let texts = vocabulary.iter().map(|(text, _)| text.as_str());
            Bytes::strings(texts)
        }),
        ("tokenizer.ggml.token_type", {
            Bytes::numbers(vocabulary.iter().map(|(_, kind)| *kind))
        }),
        ("tokenizer.ggml.padding_token_id", Bytes::number(0)),
        ("tokenizer.ggml.unknown_token_id", Bytes::number(1)),
        ("tokenizer.ggml.bos_token_id", Bytes::number(2)),
        ("tokenizer.ggml.cls_token_id", Bytes::number(2)),
        ("tokenizer.ggml.seperator_token_id", Bytes::number(3)),
        ("tokenizer.ggml.mask_token_id", Bytes::number(4)),
    ];
    if let Some(pooling) = pooling {
        metadata.push(("bert.attention.causal", Bytes::switch(false)));
        metadata.push(("bert.pooling_type", Bytes::number(pooling)));
    }
    metadata
}

fn tensors(vocabulary: usize) -> Vec<Tensor> {
    let mut random = Random(3);
    let mut tensors = vec![
        Tensor::random("token_embd.weight", &[WIDTH, vocabulary], 1.0, &mut random),
        Tensor::random("token_types.weight", &[WIDTH, 2], 0.1, &mut random),
        Tensor::random(
            "position_embd.weight",
            &[WIDTH, CONTEXT as usize],
            0.3,
            &mut random,
        ),
    ];
    let norm = |tensors: &mut Vec<Tensor>, name: &str, random: &mut Random| {
        tensors.push(Tensor::ones(&format!("{name}.weight"), WIDTH));
        tensors.push(Tensor::random(&format!("{name}.bias"), &[WIDTH], 0.1, random));
    };
    norm(&mut tensors, "token_embd_norm", &mut random);
    let width = 1.5 / (WIDTH as f32).sqrt();
    for layer in 0..LAYERS {
        for (name, shape) in [
            ("attn_q", [WIDTH, WIDTH]),
            ("attn_k", [WIDTH, WIDTH]),
            ("attn_v", [WIDTH, WIDTH]),
            ("attn_output", [WIDTH, WIDTH]),
            ("ffn_up", [WIDTH, FEED_FORWARD]),
            ("ffn_down", [FEED_FORWARD, WIDTH]),
        ] {
            let name = format!("blk.{layer}.{name}.weight");
            tensors.push(Tensor::random(&name, &shape, width, &mut random));
        }
        norm(
            &mut tensors,
            &format!("blk.{layer}.attn_output_norm"),
            &mut random,
        );
        norm(
            &mut tensors,
            &format!("blk.{layer}.layer_output_norm"),
            &mut random,
        );
    }
    tensors
}

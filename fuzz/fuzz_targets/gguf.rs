//! Any bytes as a model file: the header's reader and what is reckoned from it neither panic, nor overflow, nor take
//! more memory than some times the bytes there are.
//!
//! The reader is compiled from its own source, without the rest of the backend.

#![no_main]

mod allocator;

/// The modules as they lie in the backend, whose paths they need.
#[path = "../../backend/src/library"]
#[allow(
    dead_code,
    unreachable_pub,
    reason = "only what reads bytes is called; the backend uses the rest"
)]
mod library {
    pub mod estimate;
    pub mod gguf;
}

use hearth_protocol::engine::{FlashAttention, KvType, LoadOptions};
use libfuzzer_sys::fuzz_target;
use library::estimate::{Facts, quick_estimate};
use library::gguf::{Details, Gguf};
// Named by the reader only.
use serde as _;
use thiserror as _;

#[global_allocator]
static ALLOCATOR: allocator::Counting = allocator::Counting;

/// Bytes held at once per byte of the file. The costliest are values of two bytes behind keys of one, each 64 bytes in
/// a list that doubles when it grows, and control characters that an error spells out.
const PER_BYTE: usize = 32;
/// The same where all of a header is asked for: the first values of arrays and the tensors are kept, and shown as texts.
const PER_BYTE_INSPECTED: usize = 96;
/// Bytes that may be held for the smallest file.
const CONSTANT: usize = 16 << 10;
/// A length that nothing in the file exceeds by accident: 1 TiB.
const LONG: u64 = 1 << 40;

fuzz_target!(|bytes: &[u8]| {
    // As it is, and as the beginning of a file so long that every length in it may be true.
    for length in [bytes.len() as u64, LONG] {
        let held = allocator::peak_of(|| read(bytes, length));
        let limit = PER_BYTE * bytes.len() + CONSTANT;
        assert!(held <= limit, "{held} bytes held for a file of {}", bytes.len());
        let held = allocator::peak_of(|| inspect(bytes, length));
        let limit = PER_BYTE_INSPECTED * bytes.len() + CONSTANT;
        assert!(
            held <= limit,
            "{held} bytes held to inspect a file of {}",
            bytes.len()
        );
    }
});

/// As a person is shown it, who is told as much as anybody.
fn inspect(bytes: &[u8], length: u64) {
    let (short, long) = (Gguf::read(bytes, length), Details::read(bytes, length));
    let Ok(details) = long else { return };
    let short = short.expect("what is read in full is read in short");
    assert_eq!(
        (short.tensors, short.parameters, short.metadata.len()),
        (
            details.tensors.len() as u64,
            details.header.parameters,
            details.header.metadata.len()
        )
    );
    drop(details.shown().collect::<Vec<_>>());
    drop(
        details
            .tensors
            .iter()
            .map(|tensor| tensor.kind())
            .collect::<Vec<_>>(),
    );
}

fn read(bytes: &[u8], length: u64) {
    let gguf = match Gguf::read(bytes, length) {
        Ok(gguf) => gguf,
        Err(error) => return drop(error.to_string()),
    };
    let facts = Facts::new(&gguf, Some(length));
    let largest = LoadOptions {
        flash_attention: FlashAttention::Off,
        kv_type_k: KvType::F32,
        kv_type_v: KvType::F32,
        ..LoadOptions::default()
    };
    for options in [LoadOptions::default(), largest] {
        for room in [None, Some(length)] {
            quick_estimate(&facts, &options, room).at_least();
        }
    }
}

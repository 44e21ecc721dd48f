//! Writes a LoRA adapter for the tiny model, with weights from a fixed seed.

use std::path::Path;

/// Width of the tiny model and of its feed-forward layers.
const EMBEDDING: usize = 64;
const FEED_FORWARD: usize = 192;
const RANK: usize = 4;
/// ggml's tensor type for 32-bit floats.
const F32: u32 = 0;

/// Writes an adapter that changes the last feed-forward matrix of each of the four layers.
pub(crate) fn write(path: &Path, seed: u32) {
    write_for(path, seed, "llama", EMBEDDING);
}

/// The same for an architecture and a width of their own.
pub(crate) fn write_for(path: &Path, seed: u32, architecture: &str, embedding: usize) {
    let mut file = b"GGUF".to_vec();
    let tensors: Vec<(String, [usize; 2])> = (0..4)
        .flat_map(|layer| {
            let name = format!("blk.{layer}.ffn_down.weight");
            [
                (format!("{name}.lora_a"), [FEED_FORWARD, RANK]),
                (format!("{name}.lora_b"), [RANK, embedding]),
            ]
        })
        .collect();
    number(&mut file, 3_u32);
    long(&mut file, tensors.len());
    long(&mut file, 4);
    for (key, value) in [
        ("general.type", "adapter"),
        ("general.architecture", architecture),
        ("adapter.type", "lora"),
    ] {
        text(&mut file, key);
        number(&mut file, 8_u32);
        text(&mut file, value);
    }
    text(&mut file, "adapter.lora.alpha");
    number(&mut file, 6_u32);
    file.extend(8.0_f32.to_le_bytes());
    let mut offset = 0;
    for (name, shape) in &tensors {
        text(&mut file, name);
        number(&mut file, 2_u32);
        shape.iter().for_each(|length| long(&mut file, *length));
        number(&mut file, F32);
        long(&mut file, offset);
        offset += shape[0] * shape[1] * 4;
    }
    file.resize(file.len().next_multiple_of(32), 0);
    let mut state = seed;
    for (_, shape) in &tensors {
        for _ in 0..shape[0] * shape[1] {
            // Numerical Recipes' generator; its high bits as a number from -1 to 1.
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let value = (state >> 8) as f32 / (1 << 23) as f32 - 1.0;
            file.extend((value * 0.5).to_le_bytes());
        }
    }
    std::fs::write(path, file).expect("the adapter is written");
}

fn number(file: &mut Vec<u8>, number: u32) {
    file.extend(number.to_le_bytes());
}

fn long(file: &mut Vec<u8>, number: usize) {
    file.extend((number as u64).to_le_bytes());
}

fn text(file: &mut Vec<u8>, text: &str) {
    long(file, text.len());
    file.extend(text.as_bytes());
}

//! How many bytes a tensor takes.

use std::io::Read;

use super::cursor::Cursor;
use super::{GgufError, MAX_KEY_LENGTH};

/// Most dimensions of a tensor (`GGML_MAX_DIMS`).
const MAX_DIMENSIONS: u32 = 4;

/// Weights per block and bytes per block, by ggml's type number (`ggml.h`, `ggml-common.h`).
const BLOCKS: [(u32, u64, u64); 35] = [
    (0, 1, 4),      // F32
    (1, 1, 2),      // F16
    (2, 32, 18),    // Q4_0
    (3, 32, 20),    // Q4_1
    (6, 32, 22),    // Q5_0
    (7, 32, 24),    // Q5_1
    (8, 32, 34),    // Q8_0
    (9, 32, 36),    // Q8_1
    (10, 256, 84),  // Q2_K
    (11, 256, 110), // Q3_K
    (12, 256, 144), // Q4_K
    (13, 256, 176), // Q5_K
    (14, 256, 210), // Q6_K
    (15, 256, 292), // Q8_K
    (16, 256, 66),  // IQ2_XXS
    (17, 256, 74),  // IQ2_XS
    (18, 256, 98),  // IQ3_XXS
    (19, 256, 50),  // IQ1_S
    (20, 32, 18),   // IQ4_NL
    (21, 256, 110), // IQ3_S
    (22, 256, 82),  // IQ2_S
    (23, 256, 136), // IQ4_XS
    (24, 1, 1),     // I8
    (25, 1, 2),     // I16
    (26, 1, 4),     // I32
    (27, 1, 8),     // I64
    (28, 1, 8),     // F64
    (29, 256, 56),  // IQ1_M
    (30, 1, 2),     // BF16
    (34, 256, 54),  // TQ1_0
    (35, 256, 66),  // TQ2_0
    (39, 32, 17),   // MXFP4
    (40, 64, 36),   // NVFP4
    (41, 128, 18),  // Q1_0
    (42, 64, 18),   // Q2_0
];

/// What one entry of the tensor list says.
pub(super) struct Extent {
    /// Weights.
    pub(super) elements: u64,
    /// Where its bytes end, counted from the beginning of the data.
    pub(super) end: u64,
}

/// Reads one entry of the tensor list.
pub(super) fn read_extent(cursor: &mut Cursor<impl Read>, alignment: u64) -> Result<Extent, GgufError> {
    let name = cursor.text(MAX_KEY_LENGTH)?;
    let damaged = |what: &str| GgufError::Damaged(format!("tensor {name:?} {what}"));
    let dimensions = cursor.u32()?;
    if dimensions > MAX_DIMENSIONS {
        return Err(damaged("has too many dimensions"));
    }
    let mut elements: u64 = 1;
    let mut row = 1;
    for axis in 0..dimensions {
        let size = cursor.u64()?;
        if size == 0 {
            return Err(damaged("has a dimension of 0"));
        }
        if axis == 0 {
            row = size;
        }
        elements = elements
            .checked_mul(size)
            .ok_or_else(|| damaged("is too large"))?;
    }
    let kind = cursor.u32()?;
    let offset = cursor.u64()?;
    if offset % alignment != 0 {
        return Err(damaged("is not aligned"));
    }
    // A type that came after this table: llama.cpp knows whether it can read it, the length stays unchecked.
    let Some((_, per_block, block_bytes)) = BLOCKS.into_iter().find(|(number, ..)| *number == kind) else {
        return Ok(Extent {
            elements,
            end: offset,
        });
    };
    if row % per_block != 0 {
        return Err(damaged("does not fill its blocks"));
    }
    let bytes = (elements / per_block)
        .checked_mul(block_bytes)
        .ok_or_else(|| damaged("is too large"))?;
    let end = offset.checked_add(bytes).ok_or_else(|| damaged("is too large"))?;
    Ok(Extent { elements, end })
}

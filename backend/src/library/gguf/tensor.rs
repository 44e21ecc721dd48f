//! One entry of the tensor list: how its weights are stored, and how many bytes it takes.

use std::io::Read;

use super::cursor::Cursor;
use super::{GgufError, MAX_KEY_LENGTH};

/// Most dimensions of a tensor (`GGML_MAX_DIMS`).
const MAX_DIMENSIONS: usize = 4;

/// How weights are stored, by ggml's type number (`ggml.h`, `ggml-common.h`): its name, weights per block, bytes per block.
const KINDS: [(u32, &str, u64, u64); 35] = [
    (0, "F32", 1, 4),
    (1, "F16", 1, 2),
    (2, "Q4_0", 32, 18),
    (3, "Q4_1", 32, 20),
    (6, "Q5_0", 32, 22),
    (7, "Q5_1", 32, 24),
    (8, "Q8_0", 32, 34),
    (9, "Q8_1", 32, 36),
    (10, "Q2_K", 256, 84),
    (11, "Q3_K", 256, 110),
    (12, "Q4_K", 256, 144),
    (13, "Q5_K", 256, 176),
    (14, "Q6_K", 256, 210),
    (15, "Q8_K", 256, 292),
    (16, "IQ2_XXS", 256, 66),
    (17, "IQ2_XS", 256, 74),
    (18, "IQ3_XXS", 256, 98),
    (19, "IQ1_S", 256, 50),
    (20, "IQ4_NL", 32, 18),
    (21, "IQ3_S", 256, 110),
    (22, "IQ2_S", 256, 82),
    (23, "IQ4_XS", 256, 136),
    (24, "I8", 1, 1),
    (25, "I16", 1, 2),
    (26, "I32", 1, 4),
    (27, "I64", 1, 8),
    (28, "F64", 1, 8),
    (29, "IQ1_M", 256, 56),
    (30, "BF16", 1, 2),
    (34, "TQ1_0", 256, 54),
    (35, "TQ2_0", 256, 66),
    (39, "MXFP4", 32, 17),
    (40, "NVFP4", 64, 36),
    (41, "Q1_0", 128, 18),
    (42, "Q2_0", 64, 18),
];

/// What one entry of the tensor list says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tensor {
    /// Its name.
    pub(crate) name: String,
    sizes: [u64; MAX_DIMENSIONS],
    dimensions: usize,
    kind: u32,
    /// Weights.
    pub(crate) elements: u64,
    /// Its bytes; `None` where the kind is not known.
    pub(crate) size: Option<u64>,
    /// Where its bytes end, counted from the beginning of the data.
    pub(super) end: u64,
}

impl Tensor {
    /// Reads one entry of the tensor list.
    pub(super) fn read(cursor: &mut Cursor<impl Read>, alignment: u64) -> Result<Self, GgufError> {
        let name = cursor.text(MAX_KEY_LENGTH)?;
        let damaged = |what: &str| GgufError::Damaged(format!("tensor {name:?} {what}"));
        let dimensions = usize::try_from(cursor.u32()?)
            .ok()
            .filter(|dimensions| *dimensions <= MAX_DIMENSIONS)
            .ok_or_else(|| damaged("has too many dimensions"))?;
        let mut sizes = [1; MAX_DIMENSIONS];
        let mut elements: u64 = 1;
        for size in &mut sizes[..dimensions] {
            *size = cursor.u64()?;
            if *size == 0 {
                return Err(damaged("has a dimension of 0"));
            }
            elements = elements
                .checked_mul(*size)
                .ok_or_else(|| damaged("is too large"))?;
        }
        let kind = cursor.u32()?;
        let offset = cursor.u64()?;
        if offset % alignment != 0 {
            return Err(damaged("is not aligned"));
        }
        // A type that came after this table: llama.cpp knows whether it can read it, the length stays unchecked.
        let size = match KINDS.into_iter().find(|(number, ..)| *number == kind) {
            None => None,
            Some((_, _, per_block, _)) if sizes[0] % per_block != 0 => {
                return Err(damaged("does not fill its blocks"));
            }
            Some((_, _, per_block, block_bytes)) => Some(
                (elements / per_block)
                    .checked_mul(block_bytes)
                    .ok_or_else(|| damaged("is too large"))?,
            ),
        };
        let end = offset
            .checked_add(size.unwrap_or(0))
            .ok_or_else(|| damaged("is too large"))?;
        Ok(Self {
            name,
            sizes,
            dimensions,
            kind,
            elements,
            size,
            end,
        })
    }

    /// Its size along each dimension, the fastest first.
    pub(crate) fn shape(&self) -> &[u64] {
        &self.sizes[..self.dimensions]
    }

    /// How its weights are stored: ggml's name, else its number.
    pub(crate) fn kind(&self) -> String {
        KINDS
            .into_iter()
            .find(|(number, ..)| *number == self.kind)
            .map_or_else(|| self.kind.to_string(), |(_, name, ..)| name.to_owned())
    }
}

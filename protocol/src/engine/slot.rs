//! The places in which a loaded model computes, and what can be done with what they know.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::ByteSize;

/// One of the places in which a loaded model computes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlotState {
    /// Its number, from 0.
    pub slot: u32,
    /// Whether it makes an answer.
    pub at_work: bool,
    /// Tokens of the answer's prompt; of the last one where it does nothing.
    pub prompt_tokens: u32,
    /// Tokens of it that stand in the KV cache, the answer's own included.
    pub cached_tokens: u32,
    /// Tokens of the answer so far.
    pub generated_tokens: u32,
}

/// What is done with what a slot knows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SlotAction {
    /// Write it to a file.
    Save(PathBuf),
    /// Read it from a file, in the place of what it knows.
    Restore(PathBuf),
    /// Forget it.
    Erase,
}

/// What was done with what a slot knows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SlotDone {
    /// Tokens that were written, read or forgotten.
    pub tokens: u32,
    /// Size of the file; 0 without one.
    pub bytes: ByteSize,
    /// How long it took, in milliseconds.
    pub milliseconds: f64,
}

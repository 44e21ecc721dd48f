//! `GET /slots` and `POST /slots/{id}`: the places in which a model computes.

use serde::{Deserialize, Serialize};

/// One of the places in which a model computes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Slot {
    /// Its number.
    pub id: u32,
    /// Tokens it can hold.
    pub n_ctx: u32,
    /// Whether tokens are guessed ahead.
    pub speculative: bool,
    /// Whether it makes an answer.
    pub is_processing: bool,
    /// Tokens of the prompt.
    pub n_prompt_tokens: u32,
    /// Of these, tokens that stand in the cache.
    pub n_prompt_tokens_cache: u32,
    /// Where the answer stands; one entry.
    pub next_token: [NextToken; 1],
}

/// Where an answer stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct NextToken {
    /// Whether more comes.
    pub has_next_token: bool,
    /// Tokens that may still come; -1 where there is no limit or it is not told.
    pub n_remain: i64,
    /// Tokens so far.
    pub n_decoded: u32,
}

/// What shall be done with what a slot knows: the query of the address.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct SlotQuery {
    /// What.
    pub action: SlotVerb,
    /// The model's name; none takes the one that is loaded.
    #[serde(default)]
    pub model: Option<String>,
}

/// What can be done with what a slot knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SlotVerb {
    /// Write it to a file.
    Save,
    /// Read it from a file.
    Restore,
    /// Forget it.
    Erase,
}

/// The body of a save and a restore.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct SlotFile {
    /// The file's name; its folder is the server's.
    pub filename: String,
}

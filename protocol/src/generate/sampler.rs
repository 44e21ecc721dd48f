//! The samplers by name.

use serde::{Deserialize, Serialize};

/// A sampler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sampler {
    /// The penalties for repetition.
    Penalties,
    /// DRY.
    Dry,
    /// Top-n-sigma.
    TopNSigma,
    /// Top-k.
    TopK,
    /// Typical-p.
    TypicalP,
    /// Top-p.
    TopP,
    /// Min-p.
    MinP,
    /// XTC.
    Xtc,
    /// Infill.
    Infill,
    /// The temperature.
    Temperature,
}

impl Sampler {
    /// All of them in llama-server's order.
    pub const ALL: [Self; 10] = [
        Self::Penalties,
        Self::Dry,
        Self::TopNSigma,
        Self::TopK,
        Self::TypicalP,
        Self::TopP,
        Self::MinP,
        Self::Xtc,
        Self::Infill,
        Self::Temperature,
    ];
}

//! How an answer is made, why it ended and what it cost.

mod sampler;

use serde::{Deserialize, Serialize};

use crate::{Error, Result};

pub use sampler::Sampler;

/// Most texts that end an answer, and the longest one in bytes: each is looked for in every piece of the answer.
const MOST_STOPS: usize = 64;
const LONGEST_STOP: usize = 4 << 10;

/// Most tokens with a bias: every token of a script that a large vocabulary holds can be forbidden.
const MOST_BIASES: usize = 1 << 16;

/// Most texts that a repetition does not cross: each is looked for in every token of the vocabulary.
const MOST_BREAKERS: usize = 64;

/// Most likeliest tokens among which is chosen as in a gap: each of them is held against each.
const MOST_FOR_INFILL: u32 = 256;

/// How the next token is chosen. `None` and the defaults leave a sampler out.
///
/// Logit bias comes first and the draw last; between them the order is llama-server's ([`Sampler::ALL`]) unless
/// [`Self::order`] says another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SamplingParams {
    /// 0 takes the likeliest token each time (greedy); 0.0 to 2.0 is usual, 5.0 the most.
    pub temperature: f32,
    /// Half-width of the range in which the temperature follows the entropy; 0 is off.
    pub dynamic_temperature_range: f32,
    /// How the entropy maps to that range.
    pub dynamic_temperature_exponent: f32,
    /// Keep the k likeliest tokens; 0 keeps all.
    pub top_k: u32,
    /// Keep the smallest set whose probability reaches this, 0.0 to 1.0; 1 keeps all.
    pub top_p: f32,
    /// Keep tokens at least this probable relative to the likeliest, 0.0 to 1.0; 0 keeps all.
    pub min_p: f32,
    /// Locally typical sampling, 0.0 to 1.0; 1 is off.
    pub typical_p: f32,
    /// Keep tokens within n standard deviations of the highest logit; `None` is off.
    pub top_n_sigma: Option<f32>,
    /// Leave out the likeliest tokens now and then; `None` is off.
    pub xtc: Option<Xtc>,
    /// Choose as in a gap of a text: of tokens that begin alike one is taken for all, and the text ends where its end is
    /// likely (llama.cpp `llama_sampler_init_infill`).
    pub infill: bool,
    /// Penalise repeated sequences; `None` is off.
    pub dry: Option<Dry>,
    /// Mirostat replaces every truncation; `None` is off.
    pub mirostat: Option<Mirostat>,
    /// Divides the logit of repeated tokens; above 0.0, 2.0 is strong, 10.0 the most; 1 is off.
    pub repeat_penalty: f32,
    /// How many of the last tokens the penalties look at; 0 switches the penalties off.
    pub repeat_last_n: u32,
    /// Added once for a token that occurred, -2.0 to 2.0; 0 is off.
    pub presence_penalty: f32,
    /// Added per occurrence, -2.0 to 2.0; 0 is off.
    pub frequency_penalty: f32,
    /// Added to the logit of a token, by token id; negative infinity forbids it.
    pub logit_bias: Vec<(i32, f32)>,
    /// The order of the samplers; those that it leaves out keep theirs behind it. Empty is llama-server's order. Mirostat
    /// knows none.
    pub order: Vec<Sampler>,
    /// Fixes the draw; `None` takes a fresh seed for each answer.
    pub seed: Option<u32>,
    /// Most tokens to generate; `None` goes on to the end of the text or of the context.
    pub max_tokens: Option<u32>,
    /// Texts that end the answer. They do not appear in it.
    pub stop: Vec<String>,
}

/// XTC sampling (llama.cpp `llama_sampler_init_xtc`).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Xtc {
    /// Chance to apply it at a token, 0.0 to 1.0.
    pub probability: f32,
    /// Tokens above this probability are candidates to leave out, 0.0 to 0.5.
    pub threshold: f32,
}

/// DRY repetition penalty (llama.cpp `llama_sampler_init_dry`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Dry {
    /// Strength; 0.8 is usual.
    pub multiplier: f32,
    /// Growth with the length of the repetition; 1.75 is usual.
    pub base: f32,
    /// Repetitions up to this many tokens are free.
    pub allowed_length: u32,
    /// How many of the last tokens are searched; `None` searches the whole context.
    pub last_n: Option<u32>,
    /// Texts that a repetition does not cross.
    pub sequence_breakers: Vec<String>,
}

/// Mirostat keeps the surprise of the text level.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Mirostat {
    /// Which of the two.
    pub version: MirostatVersion,
    /// Target surprise in nats; 5.0 is usual.
    pub tau: f32,
    /// Learning rate; 0.1 is usual.
    pub eta: f32,
}

/// The two published forms of Mirostat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MirostatVersion {
    /// The first form, which estimates the Zipf exponent.
    V1,
    /// The simpler second form.
    V2,
}

impl Default for SamplingParams {
    /// llama.cpp's defaults (`common_params_sampling`): temperature 0.8, top-k 40, top-p 0.95, min-p 0.05.
    fn default() -> Self {
        Self {
            temperature: 0.8,
            dynamic_temperature_range: 0.0,
            dynamic_temperature_exponent: 1.0,
            top_k: 40,
            top_p: 0.95,
            min_p: 0.05,
            typical_p: 1.0,
            top_n_sigma: None,
            xtc: None,
            infill: false,
            dry: None,
            mirostat: None,
            repeat_penalty: 1.0,
            repeat_last_n: 64,
            presence_penalty: 0.0,
            frequency_penalty: 0.0,
            logit_bias: Vec::new(),
            order: Vec::new(),
            seed: None,
            max_tokens: None,
            stop: Vec::new(),
        }
    }
}

impl SamplingParams {
    /// The likeliest token each time; the same prompt gives the same text.
    pub fn greedy() -> Self {
        Self {
            temperature: 0.0,
            ..Self::default()
        }
    }

    /// Where a sampler comes, from 0.
    pub fn place(&self, sampler: Sampler) -> usize {
        let listed = self.order.iter().position(|known| *known == sampler);
        let usual = Sampler::ALL.iter().position(|known| *known == sampler);
        listed.unwrap_or(self.order.len() + usual.unwrap_or_default())
    }

    fn is_before(&self, one: Sampler, other: Sampler) -> bool {
        self.place(one) < self.place(other)
    }

    /// Checks every field against its range.
    ///
    /// # Errors
    /// [`Error::Invalid`] names the first field that is out of range.
    pub fn validate(&self) -> Result<()> {
        in_range("temperature", self.temperature, 0.0, 5.0)?;
        in_range(
            "dynamic_temperature_range",
            self.dynamic_temperature_range,
            0.0,
            5.0,
        )?;
        in_range(
            "dynamic_temperature_exponent",
            self.dynamic_temperature_exponent,
            0.0,
            10.0,
        )?;
        in_range("top_p", self.top_p, 0.0, 1.0)?;
        in_range("min_p", self.min_p, 0.0, 1.0)?;
        in_range("typical_p", self.typical_p, 0.0, 1.0)?;
        if !(f32::MIN_POSITIVE..=10.0).contains(&self.repeat_penalty) {
            let problem = format!("is {} and must be above 0 and at most 10", self.repeat_penalty);
            return Err(Error::invalid("repeat_penalty", problem));
        }
        in_range("presence_penalty", self.presence_penalty, -2.0, 2.0)?;
        in_range("frequency_penalty", self.frequency_penalty, -2.0, 2.0)?;
        if let Some(sigma) = self.top_n_sigma {
            in_range("top_n_sigma", sigma, 0.0, 100.0)?;
        }
        if self.infill && !(1..=MOST_FOR_INFILL).contains(&self.top_k) {
            let problem = format!(
                "is {} and must be from 1 to {MOST_FOR_INFILL} where infill is asked",
                self.top_k
            );
            return Err(Error::invalid("top_k", problem));
        }
        if self.infill && !self.is_before(Sampler::TopK, Sampler::Infill) {
            let problem = "must have top_k before infill, which holds each token that is left against each";
            return Err(Error::invalid("order", problem));
        }
        if let Some(xtc) = self.xtc {
            in_range("xtc.probability", xtc.probability, 0.0, 1.0)?;
            in_range("xtc.threshold", xtc.threshold, 0.0, 1.0)?;
        }
        if let Some(dry) = &self.dry {
            in_range("dry.multiplier", dry.multiplier, 0.0, 100.0)?;
            in_range("dry.base", dry.base, 1.0, 100.0)?;
            at_most(
                "dry.sequence_breakers",
                dry.sequence_breakers.len(),
                MOST_BREAKERS,
            )?;
        }
        if let Some(mirostat) = self.mirostat {
            in_range("mirostat.tau", mirostat.tau, 0.0, 100.0)?;
            in_range("mirostat.eta", mirostat.eta, 0.0, 1.0)?;
        }
        if self.max_tokens == Some(0) {
            return Err(Error::invalid("max_tokens", "must be 1 or more"));
        }
        if self.stop.iter().any(String::is_empty) {
            return Err(Error::invalid("stop", "must not hold an empty text"));
        }
        at_most("stop", self.stop.len(), MOST_STOPS)?;
        if self.stop.iter().any(|text| text.len() > LONGEST_STOP) {
            let problem = format!("must not hold a text of more than {LONGEST_STOP} bytes");
            return Err(Error::invalid("stop", problem));
        }
        at_most("logit_bias", self.logit_bias.len(), MOST_BIASES)?;
        if self.logit_bias.iter().any(|(_, bias)| bias.is_nan()) {
            return Err(Error::invalid("logit_bias", "must not hold NaN"));
        }
        Ok(())
    }
}

/// Refuses NaN too, since no comparison with it holds.
fn in_range(field: &str, value: f32, low: f32, high: f32) -> Result<()> {
    if (low..=high).contains(&value) {
        Ok(())
    } else {
        Err(Error::invalid(
            field,
            format!("is {value} and must be from {low} to {high}"),
        ))
    }
}

/// Refuses lists that are too long.
pub(crate) fn at_most(field: &str, count: usize, most: usize) -> Result<()> {
    if count <= most {
        Ok(())
    } else {
        let problem = format!("holds {count} entries, and {most} are the most");
        Err(Error::invalid(field, problem))
    }
}

/// Why an answer ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum StopReason {
    /// The model ended its text.
    EndOfText,
    /// One of the stop strings came; it is not part of the text.
    StopString {
        /// The one that came.
        text: String,
    },
    /// The limit of tokens to generate was reached.
    TokenLimit,
    /// The context is full.
    ContextFull,
    /// The model calls tools and waits for their results.
    ToolCalls,
    /// The person pressed Stop, or the listener left.
    UserStopped,
    /// The model was ejected.
    ModelEjected,
    /// It broke off.
    Failed {
        /// What happened, in words.
        message: String,
    },
}

impl std::fmt::Display for StopReason {
    /// The words of the stats line.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::EndOfText => "end of text",
            Self::StopString { .. } => "stop string",
            Self::TokenLimit => "length limit",
            Self::ContextFull => "context full",
            Self::ToolCalls => "tool call",
            Self::UserStopped => "stopped by you",
            Self::ModelEjected => "model ejected",
            Self::Failed { .. } => "failed",
        })
    }
}

/// What one answer cost. Counted in the worker, exact.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TurnStats {
    /// Tokens of the whole prompt, template included.
    pub prompt_tokens: u32,
    /// Of these, tokens that stood in the KV cache already and were not read again.
    pub cached_tokens: u32,
    /// Tokens generated, the end-of-text token not counted.
    pub generated_tokens: u32,
    /// Of these, tokens of the model's thinking.
    pub reasoning_tokens: u32,
    /// Tokens that were guessed ahead, and of these the ones that were right.
    pub guessed_tokens: (u32, u32),
    /// Messages of the chat that did not fit the context and were left out of the prompt.
    pub messages_left_out: u32,
    /// From the request to the first token, in milliseconds.
    pub time_to_first_token_ms: f64,
    /// Speed of reading the tokens that were not cached; 0 when there were none.
    pub prompt_tokens_per_second: f64,
    /// Speed of generating after the first token; 0 below two tokens.
    pub generated_tokens_per_second: f64,
    /// Tokens that stand in the context after the answer.
    pub context_used: u32,
    /// Tokens the context holds.
    pub context_length: u32,
    /// From the request to the end, in milliseconds.
    pub wall_time_ms: f64,
}

impl TurnStats {
    /// What the answer left in the context.
    pub fn context(&self) -> ContextUse {
        ContextUse {
            used: self.context_used,
            length: self.context_length,
            messages_left_out: self.messages_left_out,
        }
    }
}

/// What stands in a model's context, and what does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextUse {
    /// Tokens that stand in it.
    pub used: u32,
    /// Tokens it holds.
    pub length: u32,
    /// Messages of the chat that did not fit: the model does not know them any more.
    pub messages_left_out: u32,
}

#[cfg(test)]
mod tests;

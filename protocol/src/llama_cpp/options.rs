//! Fields that llama.cpp's server takes in every request for an answer, and other local servers with it: beside
//! OpenAI's and Anthropic's too.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::openai::Stop;

/// What a client sends beside the fields of a standard. Unknown fields are ignored.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct LocalOptions {
    /// Keep the k likeliest tokens; 0 and less keeps all.
    pub top_k: Option<i64>,
    /// 0.0 to 1.0.
    pub min_p: Option<f32>,
    /// 0.0 to 1.0; 1 is off.
    #[serde(alias = "typ_p")]
    pub typical_p: Option<f32>,
    /// Standard deviations; 0 and less is off.
    pub top_n_sigma: Option<f32>,
    /// XTC: chance and threshold.
    pub xtc_probability: Option<f32>,
    /// See above.
    pub xtc_threshold: Option<f32>,
    /// Half-width of the range of the temperature.
    pub dynatemp_range: Option<f32>,
    /// How entropy maps to it.
    pub dynatemp_exponent: Option<f32>,
    /// 1 is off.
    #[serde(alias = "repetition_penalty")]
    pub repeat_penalty: Option<f32>,
    /// How many of the last tokens penalties look at; -1 is the whole context.
    pub repeat_last_n: Option<i64>,
    /// DRY: strength; 0 is off.
    pub dry_multiplier: Option<f32>,
    /// DRY: growth.
    pub dry_base: Option<f32>,
    /// DRY: length that is free.
    pub dry_allowed_length: Option<i64>,
    /// DRY: how many of the last tokens are searched; -1 is the whole context.
    pub dry_penalty_last_n: Option<i64>,
    /// DRY: texts that a repetition does not cross.
    pub dry_sequence_breakers: Option<Vec<String>>,
    /// 0 is off, 1 and 2 are the versions.
    pub mirostat: Option<u32>,
    /// Target surprise.
    pub mirostat_tau: Option<f32>,
    /// Learning rate.
    pub mirostat_eta: Option<f32>,
    /// Forbid end-of-text tokens.
    pub ignore_eos: Option<bool>,
    /// A grammar in GBNF; empty is none.
    pub grammar: Option<String>,
    /// A schema that the text must fit.
    pub json_schema: Option<Value>,
    /// Use what the cache knows of the prompt.
    pub cache_prompt: Option<bool>,
    /// The slot to compute in; -1 is any.
    pub id_slot: Option<i64>,
    /// In a stream: tell how much of the prompt is read.
    pub return_progress: Option<bool>,
    /// In a stream: tell the speed with each piece.
    pub timings_per_token: Option<bool>,
    /// Values for the chat template.
    pub chat_template_kwargs: Option<Map<String, Value>>,
    /// Which samplers choose a token.
    pub samplers: Option<Samplers>,
    /// Most tokens to write, where the interface's own field says nothing; -1 sets no limit.
    pub n_predict: Option<i64>,
    /// Most tokens to think with; -1 sets no limit, and 0 thinks not at all.
    pub thinking_budget_tokens: Option<i64>,
    /// Seconds the model stays in memory afterwards; LM Studio's field.
    pub ttl: Option<u32>,
    /// The same in Ollama's words: seconds, or a text such as `5m`; less than 0 is for good.
    pub keep_alive: Option<Value>,

    // What Hearth knows of and cannot honour: asked for, it is refused by name.
    /// Where thinking stands in the answer.
    pub reasoning_format: Option<String>,
    /// Whether calls of tools are found in the text.
    pub parse_tool_calls: Option<bool>,
    /// A grammar that holds from a word on.
    pub grammar_lazy: Option<bool>,
    /// Probabilities after the samplers instead of before.
    pub post_sampling_probs: Option<bool>,
    /// Tokens that every sampler leaves.
    pub min_keep: Option<i64>,
    /// Tokens of the prompt that stay when the context is full.
    pub n_keep: Option<i64>,
    /// Tokens that go when the context is full.
    pub n_discard: Option<i64>,
    /// Adaptive-p sampling.
    pub adaptive_target: Option<f32>,
    /// Adapters for this request alone.
    pub lora: Option<Vec<Value>>,
}

/// How tokens are drawn, in the words of OpenAI's chats. Interfaces that have none of these of their own take them beside
/// their fields.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct DrawOptions {
    /// -2.0 to 2.0.
    pub presence_penalty: Option<f32>,
    /// -2.0 to 2.0.
    pub frequency_penalty: Option<f32>,
    /// Fixes the draw.
    pub seed: Option<i64>,
    /// Texts that end the answer.
    pub stop: Option<Stop>,
    /// Added to logits, by token id as text.
    pub logit_bias: Option<Value>,
}

/// Which samplers choose a token, in the order in which they are asked.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(
    untagged,
    expecting = "expected a list of samplers' names, or a text of their letters"
)]
pub enum Samplers {
    /// A letter for each.
    Letters(String),
    /// Their names.
    Names(Vec<String>),
}

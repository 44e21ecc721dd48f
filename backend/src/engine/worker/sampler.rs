//! A chain of llama.cpp's samplers, which chooses one token after the other.

use std::ffi::CString;
use std::ptr::NonNull;

use hearth_protocol::generate::MirostatVersion;
use hearth_protocol::{Error, Result};
use llama_cpp_2::token::LlamaToken;
use llama_cpp_sys_2 as sys;

use super::context::Context;
use super::model::Model;
use super::sampling_plan::Step;

/// Truncating samplers leave at least this many tokens over llama.cpp's own minimum of one.
const MIN_KEEP: usize = 0;

/// How many tokens the first form of Mirostat looks at to estimate the exponent (llama-server's value).
const MIROSTAT_ESTIMATE: i32 = 100;

/// `LLAMA_DEFAULT_SEED` of `llama.h`, which lets llama.cpp take a seed of its own.
const ANY_SEED: u32 = 0xFFFF_FFFF;

/// The chain. It remembers what was chosen, for the penalties.
pub(super) struct Sampler(NonNull<sys::llama_sampler>);

impl Sampler {
    /// Builds the chain that `plan` lists.
    ///
    /// # Errors
    /// `Invalid` where a text cannot be handed to llama.cpp.
    pub(super) fn new(model: &Model, plan: &[Step], seed: u32) -> Result<Self> {
        // SAFETY: the functions have no conditions; a chain is never null.
        let chain = unsafe { sys::llama_sampler_chain_init(sys::llama_sampler_chain_default_params()) };
        let chain = NonNull::new(chain).ok_or_else(|| Error::internal("llama.cpp made no sampler"))?;
        let sampler = Self(chain);
        for step in plan {
            let link = link(model, step, seed)?;
            // SAFETY: chain and link are valid, and from here on the chain owns the link.
            unsafe { sys::llama_sampler_chain_add(sampler.0.as_ptr(), link.as_ptr()) };
        }
        Ok(sampler)
    }

    /// Tells the chain tokens that stand in the text already, such as the prompt's.
    pub(super) fn accept(&mut self, tokens: &[LlamaToken]) {
        for token in tokens {
            // SAFETY: the chain is valid and used by this thread only.
            unsafe { sys::llama_sampler_accept(self.0.as_ptr(), token.0) };
        }
    }

    /// Chooses a token by a row of the logits of the context's last batch, and remembers it.
    pub(super) fn choose(&mut self, context: &mut Context<'_>, row: i32) -> LlamaToken {
        // SAFETY: chain and context are valid and used by this thread only; the batch asked for the logits of this
        // row.
        LlamaToken(unsafe { sys::llama_sampler_sample(self.0.as_ptr(), context.as_raw(), row) })
    }
}

impl Drop for Sampler {
    fn drop(&mut self) {
        // SAFETY: the chain is freed only here, with all its links.
        unsafe { sys::llama_sampler_free(self.0.as_ptr()) };
    }
}

/// One sampler of llama.cpp's, owned by whoever gets it.
fn link(model: &Model, step: &Step, seed: u32) -> Result<NonNull<sys::llama_sampler>> {
    let vocabulary_size = model.vocabulary().n_tokens();
    let link = match step {
        Step::LogitBias(bias) => {
            let bias: Vec<_> = bias
                .iter()
                .map(|(token, bias)| sys::llama_logit_bias {
                    token: *token,
                    bias: *bias,
                })
                .collect();
            let count = i32::try_from(bias.len()).unwrap_or(i32::MAX);
            // SAFETY: the pointer leads to `count` values, which llama.cpp copies.
            unsafe { sys::llama_sampler_init_logit_bias(vocabulary_size, count, bias.as_ptr()) }
        }
        Step::Dry {
            multiplier,
            base,
            allowed_length,
            last_n,
            breakers,
        } => {
            let breakers = breakers.iter().map(|text| CString::new(text.as_str()));
            let breakers: Vec<CString> = breakers
                .collect::<std::result::Result<_, _>>()
                .map_err(|_| Error::invalid("dry.sequence_breakers", "must not hold a zero character"))?;
            let mut pointers: Vec<_> = breakers.iter().map(|text| text.as_ptr()).collect();
            // SAFETY: the vocabulary is valid; the pointers lead to texts that end with a zero byte and live until
            // the end of this block; llama.cpp copies what it needs.
            unsafe {
                sys::llama_sampler_init_dry(
                    model.vocabulary_as_raw(),
                    *multiplier,
                    *base,
                    *allowed_length,
                    *last_n,
                    pointers.as_mut_ptr(),
                    pointers.len(),
                )
            }
        }
        // SAFETY: none of these takes a pointer; they have no conditions.
        step => unsafe {
            match *step {
                Step::Penalties {
                    last_n,
                    repeat,
                    frequency,
                    presence,
                } => sys::llama_sampler_init_penalties(vocabulary_size, last_n, repeat, frequency, presence),
                Step::TopNSigma(sigma) => sys::llama_sampler_init_top_n_sigma(sigma),
                Step::TopK(k) => sys::llama_sampler_init_top_k(k),
                Step::TypicalP(p) => sys::llama_sampler_init_typical(p, MIN_KEEP),
                Step::TopP(p) => sys::llama_sampler_init_top_p(p, MIN_KEEP),
                Step::MinP(p) => sys::llama_sampler_init_min_p(p, MIN_KEEP),
                Step::Xtc {
                    probability,
                    threshold,
                } => sys::llama_sampler_init_xtc(probability, threshold, MIN_KEEP, seed),
                Step::Temperature {
                    temperature,
                    range,
                    exponent,
                } => sys::llama_sampler_init_temp_ext(temperature, range, exponent),
                Step::Mirostat {
                    version: MirostatVersion::V1,
                    tau,
                    eta,
                } => sys::llama_sampler_init_mirostat(vocabulary_size, seed, tau, eta, MIROSTAT_ESTIMATE),
                Step::Mirostat {
                    version: MirostatVersion::V2,
                    tau,
                    eta,
                } => sys::llama_sampler_init_mirostat_v2(seed, tau, eta),
                Step::Draw => sys::llama_sampler_init_dist(seed),
                Step::Greedy | Step::LogitBias(_) | Step::Dry { .. } => sys::llama_sampler_init_greedy(),
            }
        },
    };
    NonNull::new(link).ok_or_else(|| Error::internal(format!("llama.cpp made no sampler for {step:?}")))
}

/// A seed that gives the same text each time: llama.cpp's sign for "any" is moved to the number below it.
pub(super) fn fixed(seed: u32) -> u32 {
    seed.min(ANY_SEED - 1)
}

/// A fresh seed.
pub(super) fn fresh() -> u32 {
    use std::hash::{BuildHasher, Hasher, RandomState};
    // The standard library seeds its hashers from the system's randomness.
    fixed(RandomState::new().build_hasher().finish() as u32)
}

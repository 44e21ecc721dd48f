//! Chooses one token after the other: llama.cpp's chain of samplers, and the grammar that the answer must keep to.
//!
//! The chain chooses first, and the grammar looks at the one token that was chosen. Only where that one breaks it
//! are all tokens looked at, and the chain chooses again among those that are left.

mod candidates;
mod logprobs;
mod pieces;

use std::collections::VecDeque;
use std::ffi::CString;
use std::ptr::NonNull;
use std::sync::Arc;

use hearth_protocol::generate::MirostatVersion;
use hearth_protocol::{Error, Result};
use llama_cpp_2::token::LlamaToken;
use llama_cpp_sys_2 as sys;

use self::candidates::{Need, candidate};
use super::context::Context;
use super::grammar::{Grammar, GrammarState};
use super::model::Model;
use super::sampling_plan::Step;

pub(super) use self::logprobs::logprobs;
pub(super) use self::pieces::Pieces;

/// Truncating samplers leave at least this many tokens over llama.cpp's own minimum of one.
const MIN_KEEP: usize = 0;

/// How many tokens the first form of Mirostat looks at to estimate the exponent (llama-server's value).
const MIROSTAT_ESTIMATE: i32 = 100;

/// `LLAMA_DEFAULT_SEED` of `llama.h`, which lets llama.cpp take a seed of its own.
const ANY_SEED: u32 = 0xFFFF_FFFF;

/// Chooses the tokens of one answer. It remembers what was chosen, for the penalties and the grammar.
pub(super) struct Sampler {
    chain: Chain,
    need: Need,
    /// The last tokens, as many as can be penalised.
    recent: VecDeque<i32>,
    grammar: Enforcement,
    /// The candidates of one choice; its memory is used again for the next.
    list: Vec<sys::llama_token_data>,
}

/// llama.cpp's chain of samplers.
struct Chain(NonNull<sys::llama_sampler>);

/// Where the answer is with regard to its grammar.
enum Enforcement {
    /// There is none.
    Free,
    /// It holds later.
    Waiting(Grammar, Arc<Pieces>),
    Holds {
        state: Box<GrammarState>,
        pieces: Arc<Pieces>,
        /// The control tokens that the grammar names, sorted.
        named: Vec<i32>,
    },
}

impl Sampler {
    /// Builds the chain that `plan` lists.
    ///
    /// # Errors
    /// `Invalid` where a text cannot be handed to llama.cpp.
    pub(super) fn new(model: &Model, plan: &[Step], seed: u32) -> Result<Self> {
        Self::build(
            model.vocabulary().n_tokens(),
            model.vocabulary_as_raw(),
            plan,
            seed,
        )
    }

    fn build(
        vocabulary_size: i32,
        vocabulary: *const sys::llama_vocab,
        plan: &[Step],
        seed: u32,
    ) -> Result<Self> {
        // SAFETY: the functions have no conditions; a chain is never null.
        let chain = unsafe { sys::llama_sampler_chain_init(sys::llama_sampler_chain_default_params()) };
        let chain = NonNull::new(chain).ok_or_else(|| Error::internal("llama.cpp made no sampler"))?;
        let chain = Chain(chain);
        for step in plan {
            let link = link(vocabulary_size, vocabulary, step, seed)?;
            // SAFETY: chain and link are valid, and from here on the chain owns the link.
            unsafe { sys::llama_sampler_chain_add(chain.0.as_ptr(), link.as_ptr()) };
        }
        Ok(Self {
            chain,
            need: Need::of(plan),
            recent: VecDeque::new(),
            grammar: Enforcement::Free,
            list: Vec::new(),
        })
    }

    /// Gives the answer a grammar, which holds from `enforce` on. `pieces` are the model's.
    pub(super) fn set_grammar(&mut self, grammar: Grammar, pieces: Arc<Pieces>) {
        self.grammar = Enforcement::Waiting(grammar, pieces);
    }

    /// The grammar holds from now on; `begun` is what the model wrote of it already. Gives `false` where that breaks
    /// it, so that nothing is enforced.
    pub(super) fn enforce(&mut self, begun: &str) -> bool {
        let Enforcement::Waiting(grammar, pieces) = std::mem::replace(&mut self.grammar, Enforcement::Free)
        else {
            return false;
        };
        let Some(mut state) = grammar.start() else {
            return false;
        };
        if !begun.is_empty() && !state.accept(begun.as_bytes()) {
            return false;
        }
        let named = pieces.named(&state);
        let state = Box::new(state);
        self.grammar = Enforcement::Holds { state, pieces, named };
        true
    }

    /// Tells the chain tokens that stand in the text already, such as the prompt's.
    pub(super) fn accept(&mut self, tokens: &[LlamaToken]) {
        for token in tokens {
            // SAFETY: the chain is valid and used by this thread only.
            unsafe { sys::llama_sampler_accept(self.chain.0.as_ptr(), token.0) };
            self.remember(token.0);
        }
    }

    /// Chooses a token by a row of the logits of the context's last batch, and remembers it. Where no token keeps to
    /// the grammar, the answer ends.
    pub(super) fn choose(&mut self, context: &mut Context<'_>, row: i32) -> LlamaToken {
        self.choose_by(logits(context, row))
    }

    fn choose_by(&mut self, logits: &[f32]) -> LlamaToken {
        let mut list = std::mem::take(&mut self.list);
        let sorted = self.need.list(logits, self.recent.iter().copied(), &mut list);
        let mut token = self.chain.pick(&mut list, sorted);
        if let Enforcement::Holds { state, pieces, named } = &mut self.grammar {
            if !token.is_some_and(|token| pieces.fits(token, state, named)) {
                list.clear();
                let tokens = (0..).zip(logits.iter().copied());
                list.extend(
                    tokens
                        .filter(|(token, _)| pieces.fits(*token, state, named))
                        .map(|(token, logit)| candidate(token, logit)),
                );
                token = self.chain.pick(&mut list, false).or(pieces.end());
            }
            if let Some(token) = token
                && !(pieces.is_end(token) && state.is_whole())
                && !state.accept(pieces.text(token))
            {
                self.grammar = Enforcement::Free;
            }
        }
        self.list = list;
        // Without a single number among the logits there is nothing to choose by.
        let token = LlamaToken(token.unwrap_or_default());
        self.accept(&[token]);
        token
    }

    fn remember(&mut self, token: i32) {
        let most = self.need.penalised();
        if most == 0 {
            return;
        }
        while self.recent.len() >= most {
            self.recent.pop_front();
        }
        self.recent.push_back(token);
    }
}

impl Chain {
    /// Lets the chain choose among candidates; `None` where there are none.
    fn pick(&mut self, list: &mut [sys::llama_token_data], sorted: bool) -> Option<i32> {
        if list.is_empty() {
            return None;
        }
        let mut candidates = sys::llama_token_data_array {
            data: list.as_mut_ptr(),
            size: list.len(),
            selected: -1,
            sorted,
        };
        // SAFETY: the chain is valid and used by this thread only; the array leads to as many candidates as it says,
        // and samplers only ever make it shorter.
        unsafe { sys::llama_sampler_apply(self.0.as_ptr(), &raw mut candidates) };
        let selected = usize::try_from(candidates.selected).ok();
        let selected = selected.filter(|place| *place < candidates.size);
        // A chain that chose nothing had nothing but impossible candidates; the first is as good as any.
        list.get(selected.unwrap_or_default())
            .map(|candidate| candidate.id)
    }
}

impl Drop for Chain {
    fn drop(&mut self) {
        // SAFETY: the chain is freed only here, with all its links.
        unsafe { sys::llama_sampler_free(self.0.as_ptr()) };
    }
}

/// A row of the logits of the context's last batch; none where the batch did not ask for it.
pub(super) fn logits<'context>(context: &'context mut Context<'_>, row: i32) -> &'context [f32] {
    // SAFETY: the context is valid; llama.cpp gives a row of as many numbers as the vocabulary has tokens, or null.
    // Nothing is computed with the context while it is borrowed.
    unsafe {
        let logits = sys::llama_get_logits_ith(context.as_raw(), row);
        let vocabulary = sys::llama_model_get_vocab(sys::llama_get_model(context.as_raw()));
        let count = usize::try_from(sys::llama_vocab_n_tokens(vocabulary)).unwrap_or_default();
        match logits.is_null() {
            true => &[],
            false => std::slice::from_raw_parts(logits, count),
        }
    }
}

/// One sampler of llama.cpp's, owned by whoever gets it.
fn link(
    vocabulary_size: i32,
    vocabulary: *const sys::llama_vocab,
    step: &Step,
    seed: u32,
) -> Result<NonNull<sys::llama_sampler>> {
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
                    vocabulary,
                    *multiplier,
                    *base,
                    *allowed_length,
                    *last_n,
                    pointers.as_mut_ptr(),
                    pointers.len(),
                )
            }
        }
        // SAFETY: the vocabulary is valid and outlives every answer.
        Step::Infill => unsafe { sys::llama_sampler_init_infill(vocabulary) },
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
                Step::Greedy | Step::LogitBias(_) | Step::Dry { .. } | Step::Infill => {
                    sys::llama_sampler_init_greedy()
                }
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

#[cfg(test)]
mod tests;

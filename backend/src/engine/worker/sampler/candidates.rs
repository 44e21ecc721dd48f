//! Which tokens a sampler chain is given. A chain that begins by keeping the likeliest few needs no more than
//! these: with 262,144 tokens, listing and sorting all of them would take longer than all else in sampling.

use llama_cpp_sys_2 as sys;

use super::super::sampling_plan::Step;

/// More tokens with changed logits than this, and all tokens are listed.
const MOST_CHANGED: usize = 1024;

/// More candidates than one in this many tokens, and all are listed.
const WORTHWHILE: usize = 4;

/// Logits that are looked at together.
const BLOCK: usize = 256;

/// Lanes of a block's maximum, as wide as the widest registers.
const LANES: usize = 16;

/// What a chain needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Need {
    /// Every token.
    All,
    /// The likeliest, and with them the tokens whose logits the chain changes.
    Likeliest {
        count: usize,
        /// Tokens with a bias.
        biased: Vec<i32>,
        /// How many of the last tokens are penalised.
        penalised: usize,
    },
}

impl Need {
    /// What a chain of these steps needs.
    pub(super) fn of(plan: &[Step]) -> Self {
        let mut biased = Vec::new();
        let mut penalised = 0;
        for step in plan {
            let count = match step {
                Step::LogitBias(bias) if bias.len() <= MOST_CHANGED => {
                    biased = bias.iter().map(|(token, _)| *token).collect();
                    continue;
                }
                Step::Penalties { last_n, .. } if *last_n <= MOST_CHANGED as i32 => {
                    penalised = usize::try_from(*last_n).unwrap_or_default();
                    continue;
                }
                Step::TopK(count) => usize::try_from(*count).unwrap_or_default(),
                Step::Greedy => 1,
                _ => 0,
            };
            return match count {
                0 => Self::All,
                count => Self::Likeliest {
                    count,
                    biased,
                    penalised,
                },
            };
        }
        Self::All
    }

    /// How many of the last tokens have to be known.
    pub(super) fn penalised(&self) -> usize {
        match self {
            Self::All => 0,
            Self::Likeliest { penalised, .. } => *penalised,
        }
    }

    /// Lists the tokens that are needed, `recent` being the last ones; gives whether they are sorted.
    pub(super) fn list(
        &self,
        logits: &[f32],
        recent: impl Iterator<Item = i32>,
        list: &mut Vec<sys::llama_token_data>,
    ) -> bool {
        list.clear();
        let Self::Likeliest { count, biased, .. } = self else {
            all(logits, list);
            return false;
        };
        let mut changed: Vec<i32> = recent.chain(biased.iter().copied()).collect();
        changed.sort_unstable();
        changed.dedup();
        changed.retain(|&token| usize::try_from(token).is_ok_and(|token| token < logits.len()));
        // Each changed token may have hidden one that counts now.
        let wanted = count + changed.len();
        if wanted > logits.len() / WORTHWHILE {
            all(logits, list);
            return false;
        }
        let mut likeliest = likeliest(logits, wanted);
        if likeliest.is_empty() {
            all(logits, list);
            return false;
        }
        let sorted = changed.is_empty();
        likeliest.retain(|(token, _)| changed.binary_search(token).is_err());
        list.extend(likeliest.iter().map(|&(token, logit)| candidate(token, logit)));
        list.extend(
            changed
                .iter()
                .map(|&token| candidate(token, logits[token as usize])),
        );
        sorted
    }
}

/// The `count` tokens with the highest logits, the highest first; of equal ones, that with the lower number. Tokens
/// of no probability, and what is no number, are left out.
pub(super) fn likeliest(logits: &[f32], count: usize) -> Vec<(i32, f32)> {
    let order = |a: &(i32, f32), b: &(i32, f32)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
    let mut kept: Vec<(i32, f32)> = Vec::with_capacity(2 * count + BLOCK);
    if count == 0 {
        return kept;
    }
    let mut threshold = f32::NEG_INFINITY;
    let mut first = 0;
    for block in logits.chunks(BLOCK) {
        if maximum(block) > threshold {
            let tokens = (first..).zip(block.iter().copied());
            kept.extend(tokens.filter(|(_, logit)| *logit > threshold));
            if kept.len() > 2 * count {
                kept.select_nth_unstable_by(count - 1, order);
                kept.truncate(count);
                threshold = kept[count - 1].1;
            }
        }
        first += block.len() as i32;
    }
    kept.sort_unstable_by(order);
    kept.truncate(count);
    kept
}

/// The highest of some logits.
pub(super) fn maximum(logits: &[f32]) -> f32 {
    let higher = |a: f32, b: f32| if b > a { b } else { a };
    let mut lanes = [f32::NEG_INFINITY; LANES];
    let (whole, rest) = logits.as_chunks::<LANES>();
    for part in whole {
        for (lane, logit) in lanes.iter_mut().zip(part) {
            *lane = higher(*lane, *logit);
        }
    }
    lanes
        .iter()
        .chain(rest)
        .fold(f32::NEG_INFINITY, |a, b| higher(a, *b))
}

fn all(logits: &[f32], list: &mut Vec<sys::llama_token_data>) {
    list.extend((0..).zip(logits).map(|(token, logit)| candidate(token, *logit)));
}

pub(super) fn candidate(token: i32, logit: f32) -> sys::llama_token_data {
    sys::llama_token_data {
        id: token,
        logit,
        p: 0.0,
    }
}

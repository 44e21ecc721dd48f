//! What the next step computes: pure.
//!
//! Whoever writes goes first with one token each, so that no answer stands still while somebody's long prompt is
//! read. What is left of the step is for prompts, in the order they came: little while anyone writes, all of it
//! otherwise.

/// Tokens of a step in which someone writes: few enough that the step stays short, enough that reading is not much slower
/// than by itself. llama.cpp's attention on processors works on 64 tokens at a time (`GGML_FA_TILE_Q`), and on fewer in a
/// slower way.
pub(super) const SHARED_STEP: usize = 64;

/// What one answer waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Need {
    /// Tokens that are not computed yet; 1 or more.
    pub(super) tokens: usize,
    /// Whether it writes already: then it needs one token, which is the last that it chose.
    pub(super) writes: bool,
}

/// How many tokens of each answer the next step computes; `most` in all, which is more than there are answers.
pub(super) fn plan(needs: &[Need], most: usize) -> Vec<usize> {
    let writers = needs.iter().filter(|need| need.writes).count();
    let most = if writers > 0 { most.min(SHARED_STEP) } else { most };
    let mut left = most.saturating_sub(writers);
    let share = |need: &Need| {
        if need.writes {
            return 1;
        }
        if left == 0 {
            return 0;
        }
        let count = if writers > 0 {
            need.tokens.min(left)
        } else {
            // In equal pieces: a few tokens that are left over for a step of their own cost nearly as much as many.
            need.tokens.div_ceil(need.tokens.div_ceil(left))
        };
        left -= count;
        count
    };
    needs.iter().map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const WRITES: Need = Need {
        tokens: 1,
        writes: true,
    };

    fn reads(tokens: usize) -> Need {
        Need {
            tokens,
            writes: false,
        }
    }

    #[test]
    fn prompts_take_what_writers_leave() {
        let cases: [(&[Need], &[usize]); 9] = [
            (&[], &[]),
            (&[WRITES, WRITES], &[1, 1]),
            (&[reads(10)], &[10]),
            (&[reads(2000)], &[500]),
            (&[reads(530)], &[265]),
            (&[reads(500), reads(500)], &[500, 12]),
            (&[reads(512), reads(500)], &[512, 0]),
            (&[reads(2000), WRITES], &[SHARED_STEP - 1, 1]),
            (&[reads(60), WRITES, reads(20)], &[60, 1, SHARED_STEP - 61]),
        ];
        for (needs, expected) in cases {
            assert_eq!(plan(needs, 512), expected, "{needs:?}");
        }
    }

    #[test]
    fn a_small_step_is_for_writers_first() {
        assert_eq!(plan(&[reads(100), WRITES, WRITES], 8), [6, 1, 1]);
    }
}

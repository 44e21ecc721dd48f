//! What the next step computes: pure.
//!
//! Whoever writes goes first with one token each, so that no answer stands still while somebody's long prompt is
//! read. What is left of the step is for prompts: little while anyone writes, all of it otherwise. Half of it is for the
//! prompts of chats and half for those of programs, and among these it goes in the order they came.

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
    /// Whether it belongs to a chat, and not to a program.
    pub(super) chat: bool,
}

/// How many tokens of each answer the next step computes; `most` in all, which is more than there are answers.
pub(super) fn plan(needs: &[Need], most: usize) -> Vec<usize> {
    let writers = needs.iter().filter(|need| need.writes).count();
    let is_shared = writers > 0;
    let most = if is_shared { most.min(SHARED_STEP) } else { most };
    let mut left = Left::new(needs, most.saturating_sub(writers));
    let share = |need: &Need| {
        if need.writes {
            return 1;
        }
        let left = left.of(need.chat);
        if *left == 0 {
            return 0;
        }
        let count = if is_shared {
            need.tokens.min(*left)
        } else {
            // In equal pieces: a few tokens that are left over for a step of their own cost nearly as much as many.
            need.tokens.div_ceil(need.tokens.div_ceil(*left))
        };
        *left -= count;
        count
    };
    needs.iter().map(share).collect()
}

/// What is left of a step for prompts.
struct Left {
    chats: usize,
    programs: usize,
}

impl Left {
    /// Half for each kind, and what one does not need for the other.
    fn new(needs: &[Need], left: usize) -> Self {
        let wanted = |chat| -> usize {
            let prompts = needs.iter().filter(|need| !need.writes && need.chat == chat);
            prompts.map(|need| need.tokens).sum()
        };
        let spared = left.saturating_sub(wanted(false));
        let chats = wanted(true).min(spared.max(left.div_ceil(2)));
        Self {
            chats,
            programs: left - chats,
        }
    }

    fn of(&mut self, chat: bool) -> &mut usize {
        if chat { &mut self.chats } else { &mut self.programs }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WRITES: Need = Need {
        tokens: 1,
        writes: true,
        chat: false,
    };

    fn reads(tokens: usize) -> Need {
        Need {
            tokens,
            writes: false,
            chat: false,
        }
    }

    fn of_chat(tokens: usize) -> Need {
        Need {
            chat: true,
            ..reads(tokens)
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

    #[test]
    fn chats_and_programs_share_what_is_read() {
        let cases: [(&[Need], &[usize]); 5] = [
            (&[reads(512), of_chat(512)], &[256, 256]),
            (&[reads(512), reads(512), of_chat(2000)], &[256, 0, 250]),
            (&[reads(500), of_chat(12)], &[500, 12]),
            (&[reads(12), of_chat(512)], &[12, 256]),
            (&[WRITES, reads(2000), of_chat(2000)], &[1, 31, 32]),
        ];
        for (needs, expected) in cases {
            assert_eq!(plan(needs, 512), expected, "{needs:?}");
        }
    }
}

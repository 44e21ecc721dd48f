//! Guessing tokens ahead from what stands in the text already (n-gram lookup).
//!
//! Where the last few tokens stood before, what came after them then may come again: code that is edited, text that
//! is quoted, names. The model checks all guessed tokens in one step, which costs less than as many steps; how much less
//! is measured (`pace`). Guesses that do not pay make it pause, longer each time, so that prose that does not repeat
//! itself pays next to nothing.
//! (The idea: "prompt lookup decoding", Apoorv Saxena 2023.)

use std::collections::HashMap;

use llama_cpp_2::token::LlamaToken;

/// Tokens that must have stood together before.
const MATCH: usize = 3;

/// Fewest and most tokens that are guessed at once.
const SHORTEST: usize = 2;
const LONGEST: usize = 12;

/// Tokens of pause after guesses that did not pay; doubled each time up to the longest.
const PAUSE: usize = 8;
const LONGEST_PAUSE: usize = 256;

/// How much of what earlier guesses won or lost still counts.
const MEMORY: f64 = 0.8;

/// Guesses for one answer.
#[derive(Debug)]
pub(super) struct Speculation {
    /// Where the tokens after each group of `MATCH` stand, of its last occurrence.
    after: HashMap<[LlamaToken; MATCH], usize>,
    /// Tokens of the text that are in the map.
    indexed: usize,
    /// Tokens to guess at once.
    length: usize,
    /// Tokens to let pass before the next guess.
    pause: usize,
    next_pause: usize,
    /// Tokens won by the last guesses, less what they cost.
    won: f64,
    guessed: u32,
    right: u32,
}

impl Default for Speculation {
    fn default() -> Self {
        Self {
            after: HashMap::new(),
            indexed: 0,
            length: SHORTEST,
            pause: 0,
            next_pause: PAUSE,
            won: 0.0,
            guessed: 0,
            right: 0,
        }
    }
}

impl Speculation {
    /// What may follow the text, at most `most` tokens; often nothing. The text must begin with that of the last call.
    pub(super) fn guess(&mut self, text: &[LlamaToken], most: usize) -> Vec<LlamaToken> {
        if self.pause > 0 {
            self.pause -= 1;
            return Vec::new();
        }
        let Some(last) = text.len().checked_sub(MATCH) else {
            return Vec::new();
        };
        let found = self.after.get(&key(&text[last..])).copied();
        self.index(text);
        let Some(from) = found else {
            return Vec::new();
        };
        let length = self.length.min(most);
        text[from..].iter().take(length).copied().collect()
    }

    /// Hears how many of the guessed tokens were right, and what each of them costs, in tokens.
    pub(super) fn hear(&mut self, guessed: usize, right: usize, price: f64) {
        self.guessed += guessed as u32;
        self.right += right as u32;
        self.won = self.won * MEMORY + right as f64 - price * guessed as f64;
        if right == 0 || self.won < 0.0 {
            self.length = SHORTEST;
            self.won = 0.0;
            self.pause = self.next_pause;
            self.next_pause = (self.next_pause * 2).min(LONGEST_PAUSE);
        } else if right == guessed {
            if self.length == LONGEST {
                self.next_pause = PAUSE;
            }
            self.length = (self.length * 2).min(LONGEST);
        } else {
            self.length = (right + 1).clamp(SHORTEST, LONGEST);
        }
    }

    /// Tokens guessed so far, and how many of them were right.
    pub(super) fn score(&self) -> (u32, u32) {
        (self.guessed, self.right)
    }

    /// Notes the groups that end before the last token: the last one has nothing after it yet.
    fn index(&mut self, text: &[LlamaToken]) {
        let first = self.indexed.max(MATCH);
        for end in first..text.len() {
            self.after.insert(key(&text[end - MATCH..end]), end);
        }
        self.indexed = text.len();
    }
}

fn key(tokens: &[LlamaToken]) -> [LlamaToken; MATCH] {
    std::array::from_fn(|place| tokens[place])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<LlamaToken> {
        text.bytes().map(|byte| LlamaToken(i32::from(byte))).collect()
    }

    fn guess(speculation: &mut Speculation, text: &str) -> String {
        let guessed = speculation.guess(&tokens(text), LONGEST);
        guessed.iter().map(|token| token.0 as u8 as char).collect()
    }

    #[test]
    fn what_came_after_the_same_words_is_guessed() {
        let mut speculation = Speculation::default();
        assert_eq!(guess(&mut speculation, "let total = 1; let"), "");
        assert_eq!(guess(&mut speculation, "let total = 1; let t"), "ot");
    }

    #[test]
    fn the_last_occurrence_counts() {
        let mut speculation = Speculation::default();
        assert_eq!(guess(&mut speculation, "abcX.. abcY.. "), "");
        assert_eq!(guess(&mut speculation, "abcX.. abcY.. abc"), "Y.");
    }

    #[test]
    fn right_guesses_grow_and_wrong_ones_pause() {
        let mut speculation = Speculation::default();
        let text = "0123456789abcdefghijklmno 0123";
        speculation.guess(&tokens(&text[..26]), LONGEST);
        for length in [2, 4, 8, 12, 12] {
            assert_eq!(guess(&mut speculation, text).len(), length);
            speculation.hear(length, length, 0.0);
        }
        speculation.hear(12, 5, 0.0);
        assert_eq!(guess(&mut speculation, text).len(), 6);
        for pause in [8, 16, 32] {
            speculation.hear(2, 0, 0.0);
            for _ in 0..pause {
                assert_eq!(guess(&mut speculation, text), "");
            }
            assert_eq!(guess(&mut speculation, text).len(), SHORTEST);
        }
    }

    #[test]
    fn guesses_that_cost_more_than_they_win_pause_longer_each_time() {
        let mut speculation = Speculation::default();
        let text = "0123456789abcdefghijklmno 0123";
        speculation.guess(&tokens(&text[..26]), LONGEST);
        for pause in [8, 16, 32] {
            // All right, and worth it; then a longer one of which half is right, at nine tenths a token.
            assert_eq!(guess(&mut speculation, text).len(), 2);
            speculation.hear(2, 2, 0.9);
            assert_eq!(guess(&mut speculation, text).len(), 4);
            speculation.hear(4, 2, 0.9);
            for _ in 0..pause {
                assert_eq!(guess(&mut speculation, text), "");
            }
        }
        // Where a guess costs little, the same are welcome.
        speculation.hear(2, 2, 0.2);
        speculation.hear(4, 2, 0.2);
        assert_eq!(guess(&mut speculation, text).len(), 3);
    }

    #[test]
    fn never_more_than_allowed() {
        let mut speculation = Speculation::default();
        speculation.guess(&tokens("abcdefgh "), 0);
        assert_eq!(speculation.guess(&tokens("abcdefgh abc"), 1).len(), 1);
        assert_eq!(speculation.guess(&tokens("ab"), 9).len(), 0);
    }

    #[test]
    fn the_score_adds_up() {
        let mut speculation = Speculation::default();
        speculation.hear(4, 4, 0.5);
        speculation.hear(8, 1, 0.5);
        assert_eq!(speculation.score(), (12, 5));
    }
}

//! Guessing tokens ahead from what stands in the text already (n-gram lookup).
//!
//! Where the last few tokens stood before, what came after them then may come again: code that is edited, text that
//! is quoted, names. The model checks all guessed tokens in one step, which costs little more than one token. Guesses
//! that fail make it pause, longer each time, so that prose that does not repeat itself pays next to nothing.
//! (The idea: "prompt lookup decoding", Apoorv Saxena 2023.)

use std::collections::HashMap;

use llama_cpp_2::token::LlamaToken;

/// Tokens that must have stood together before.
const MATCH: usize = 3;

/// Fewest and most tokens that are guessed at once.
const SHORTEST: usize = 2;
const LONGEST: usize = 12;

/// Tokens of pause after a guess of which nothing was right; doubled each time up to the longest.
const PAUSE: usize = 8;
const LONGEST_PAUSE: usize = 256;

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

    /// Hears how many of the guessed tokens were right.
    pub(super) fn hear(&mut self, guessed: usize, right: usize) {
        self.guessed += guessed as u32;
        self.right += right as u32;
        if right == guessed {
            self.length = (self.length * 2).min(LONGEST);
            self.next_pause = PAUSE;
        } else if right == 0 {
            self.length = SHORTEST;
            self.pause = self.next_pause;
            self.next_pause = (self.next_pause * 2).min(LONGEST_PAUSE);
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
            speculation.hear(length, length);
        }
        speculation.hear(12, 5);
        assert_eq!(guess(&mut speculation, text).len(), 6);
        for pause in [8, 16, 32] {
            speculation.hear(2, 0);
            for _ in 0..pause {
                assert_eq!(guess(&mut speculation, text), "");
            }
            assert_eq!(guess(&mut speculation, text).len(), SHORTEST);
        }
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
        speculation.hear(4, 4);
        speculation.hear(8, 1);
        assert_eq!(speculation.score(), (12, 5));
    }
}

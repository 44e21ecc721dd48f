//! Guessing tokens ahead from what stands in the text already (n-gram lookup).
//!
//! Where the last few tokens stood before, what came after them then may come again: code that is edited, text that
//! is quoted, names. The model checks all guessed tokens in one step, which costs less than as many steps; how much less
//! is measured (`pace`). At first a guess is only held against what the model then writes, which costs nothing. Once
//! enough of them would have been right to pay, they are computed; and no more, once they do not.
//! (The idea: "prompt lookup decoding", Apoorv Saxena 2023.)

use std::collections::HashMap;

use llama_cpp_2::token::LlamaToken;

/// Tokens that must have stood together before.
const MATCH: usize = 3;

/// Fewest and most tokens that are guessed at once.
const SHORTEST: usize = 2;
const LONGEST: usize = 12;

/// How much one guess counts in the share of right ones.
const WEIGHT: f64 = 0.25;

/// Share of right guesses from which on they are computed, however cheap they are.
const LEAST_TRUST: f64 = 0.6;

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
    /// What was guessed and not computed, to come at this place of the text.
    expected: Option<(usize, LlamaToken)>,
    /// Share of the last guesses that were right, 0.0 to 1.0.
    trust: f64,
    /// Tokens won by the last guesses that were computed, less what they cost.
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
            expected: None,
            trust: 0.0,
            won: 0.0,
            guessed: 0,
            right: 0,
        }
    }
}

impl Speculation {
    /// What may follow the text, to be computed, at most `most` tokens, each of which costs so many; often nothing. The
    /// text must begin with that of the last call.
    pub(super) fn guess(&mut self, text: &[LlamaToken], most: usize, price: f64) -> Vec<LlamaToken> {
        if let Some((place, token)) = self.expected.take()
            && let Some(came) = text.get(place)
        {
            self.see(if *came == token { 1.0 } else { 0.0 });
        }
        let Some(last) = text.len().checked_sub(MATCH) else {
            return Vec::new();
        };
        let found = self.after.get(&key(&text[last..])).copied();
        self.index(text);
        let Some(from) = found else {
            return Vec::new();
        };
        let next = text.get(from).map(|token| (text.len(), *token));
        if most == 0 || self.trust < LEAST_TRUST.max(price) {
            self.expected = next;
            return Vec::new();
        }
        let length = self.length.min(most);
        text[from..].iter().take(length).copied().collect()
    }

    /// Hears how many of the guessed tokens were right, and what each of them cost, in tokens.
    pub(super) fn hear(&mut self, guessed: usize, right: usize, price: f64) {
        self.guessed += guessed as u32;
        self.right += right as u32;
        self.see(right as f64 / guessed.max(1) as f64);
        self.won = self.won * MEMORY + right as f64 - price * guessed as f64;
        if right == 0 || self.won < 0.0 {
            self.length = SHORTEST;
            self.won = 0.0;
            self.trust = 0.0;
        } else if right == guessed {
            self.length = (self.length * 2).min(LONGEST);
        } else {
            self.length = (right + 1).clamp(SHORTEST, LONGEST);
        }
    }

    fn see(&mut self, right: f64) {
        self.trust += WEIGHT * (right - self.trust);
    }

    /// Tokens computed ahead so far, and how many of them were right.
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

    /// Lets a text be written token by token, from the first `read` on, which were read; gives what was guessed then.
    fn write(speculation: &mut Speculation, text: &str, read: usize, price: f64) -> String {
        let text = tokens(text);
        let mut guessed = Vec::new();
        for end in read..=text.len() {
            guessed = speculation.guess(&text[..end], LONGEST, price);
        }
        guessed.iter().map(|token| token.0 as u8 as char).collect()
    }

    /// One that has seen enough to be trusted.
    fn trusting() -> Speculation {
        Speculation {
            trust: 1.0,
            ..Speculation::default()
        }
    }

    #[test]
    fn what_came_after_the_same_words_is_guessed() {
        let mut speculation = trusting();
        assert_eq!(write(&mut speculation, "let total = 1; let", 18, 0.0), "");
        assert_eq!(write(&mut speculation, "let total = 1; let t", 20, 0.0), "ot");
    }

    #[test]
    fn the_last_occurrence_counts() {
        let mut speculation = trusting();
        assert_eq!(write(&mut speculation, "abcX.. abcY.. ", 14, 0.0), "");
        assert_eq!(write(&mut speculation, "abcX.. abcY.. abc", 17, 0.0), "Y.");
    }

    #[test]
    fn nothing_is_computed_before_guesses_would_have_been_right() {
        let read = "one two three four five six seven. ";
        for (repeated, price, expected) in [
            ("one t", 0.0, ""),
            ("one two t", 0.0, "hr"),
            ("one two t", 0.85, ""),
            ("one two three fo", 0.85, "ur"),
            // Three letters agree now and then, and are followed by something else.
            ("one xtwo xsix x", 0.0, ""),
        ] {
            let text = format!("{read}{repeated}");
            let mut speculation = Speculation::default();
            assert_eq!(
                write(&mut speculation, &text, read.len(), price),
                expected,
                "{repeated}"
            );
            assert_eq!(speculation.score(), (0, 0));
        }
    }

    #[test]
    fn right_guesses_grow_and_wrong_ones_end_them() {
        let mut speculation = trusting();
        let text = tokens("0123456789abcdefghijklmno 0123");
        speculation.guess(&text[..26], LONGEST, 0.0);
        for length in [2, 4, 8, 12, 12] {
            assert_eq!(speculation.guess(&text, LONGEST, 0.0).len(), length);
            speculation.hear(length, length, 0.0);
        }
        speculation.hear(12, 10, 0.0);
        assert_eq!(speculation.guess(&text, LONGEST, 0.0).len(), 11);
        speculation.hear(11, 0, 0.0);
        assert_eq!(speculation.guess(&text, LONGEST, 0.0).len(), 0);
    }

    #[test]
    fn guesses_that_cost_more_than_they_win_end_them() {
        let mut speculation = trusting();
        speculation.hear(2, 2, 0.9);
        speculation.hear(4, 2, 0.9);
        assert_eq!(speculation.trust, 0.0);
        // Where a guess costs little, the same are welcome.
        let mut speculation = trusting();
        speculation.hear(2, 2, 0.2);
        speculation.hear(4, 2, 0.2);
        assert!(speculation.trust > LEAST_TRUST);
    }

    #[test]
    fn never_more_than_allowed() {
        let mut speculation = trusting();
        speculation.guess(&tokens("abcdefgh "), 0, 0.0);
        assert_eq!(speculation.guess(&tokens("abcdefgh abc"), 1, 0.0).len(), 1);
        assert_eq!(speculation.guess(&tokens("ab"), 9, 0.0).len(), 0);
    }

    #[test]
    fn the_score_adds_up() {
        let mut speculation = Speculation::default();
        speculation.hear(4, 4, 0.5);
        speculation.hear(8, 1, 0.5);
        assert_eq!(speculation.score(), (12, 5));
    }
}

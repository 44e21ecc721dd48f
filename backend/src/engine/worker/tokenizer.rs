//! Texts to tokens, in a time that grows with the text and not with its square.
//!
//! For SentencePiece's vocabularies llama.cpp writes each character that is no token as its bytes, and makes room for
//! exactly those bytes, so that all tokens before them are moved (`resegment` of `llama-vocab.cpp`): a mebibyte of such
//! characters takes minutes, while nobody else is answered. Behind a character that stands in no token at all nothing
//! reaches over to what follows, so a long text is cut there and read in pieces, which gives the same tokens. Any
//! vocabulary's control tokens are such places too ([`parts`]).

mod parts;

use std::collections::HashSet;

use llama_cpp_2::token::LlamaToken;
use llama_cpp_2::token_type::LlamaTokenAttr;
use llama_cpp_2::vocab::{LlamaVocab, VocabType};

use super::model::text_of;

/// A text of so many bytes is read at once within milliseconds.
const PIECE: usize = 8 << 10;

/// The tokens of a text, as llama.cpp gives them.
pub(super) fn tokenize(
    vocabulary: &LlamaVocab<'_>,
    text: &str,
    add_special: bool,
    parse_special: bool,
) -> Vec<LlamaToken> {
    let mut reading = Reading::new(vocabulary, text, add_special, parse_special);
    while !reading.step(vocabulary, text) {}
    reading.tokens
}

/// A text on its way to tokens, a bounded part of it at a time.
pub(super) struct Reading {
    add_special: bool,
    parse_special: bool,
    cuts: Cuts,
    /// The ends of its parts, and which of them comes next.
    ends: Vec<usize>,
    next: usize,
    tokens: Vec<LlamaToken>,
}

impl Reading {
    /// Nothing of it is read yet.
    pub(super) fn new(
        vocabulary: &LlamaVocab<'_>,
        text: &str,
        add_special: bool,
        parse_special: bool,
    ) -> Self {
        let (cuts, ends) = if text.len() <= PIECE {
            (Cuts::default(), vec![text.len()])
        } else {
            let wholes = parts::wholes(vocabulary, parse_special);
            (
                Cuts::new(vocabulary, text, parse_special),
                parts::ends(text, wholes, (parts::TOKENS, parts::BYTES)),
            )
        };
        Self {
            add_special,
            parse_special,
            cuts,
            ends,
            next: 0,
            tokens: Vec::new(),
        }
    }

    /// Reads the next part of its text; whether that was the last.
    pub(super) fn step(&mut self, vocabulary: &LlamaVocab<'_>, text: &str) -> bool {
        let begin = self.next.checked_sub(1).map_or(0, |last| self.ends[last]);
        let Some(end) = self.ends.get(self.next) else {
            return true;
        };
        if self.ends.len() == 1 && self.cuts.outside.is_empty() {
            self.tokens = vocabulary.tokenize(text.as_bytes(), self.add_special, self.parse_special);
            self.next = 1;
            return true;
        }
        let part = text.get(begin..*end).unwrap_or_default();
        let read = in_pieces(vocabulary, part, &self.cuts, PIECE, self.parse_special);
        self.tokens.extend(read);
        self.next += 1;
        let is_done = self.next == self.ends.len();
        if is_done && self.add_special {
            surround(vocabulary, &mut self.tokens);
        }
        is_done
    }

    /// The tokens of what is read.
    pub(super) fn into_tokens(self) -> Vec<LlamaToken> {
        self.tokens
    }
}

/// Adds what every text begins and ends with.
fn surround(vocabulary: &LlamaVocab<'_>, tokens: &mut Vec<LlamaToken>) {
    let mut first = vocabulary.tokenize(b"", true, false);
    // WordPiece has both, whatever the file says of them.
    let has_first = first.len() > 1 || vocabulary.should_add_bos();
    let last = first.split_off(usize::from(has_first).min(first.len()));
    tokens.splice(..0, first);
    tokens.extend(last);
}

/// The tokens of a text that is cut where it can be, into pieces of about this many bytes.
fn in_pieces(
    vocabulary: &LlamaVocab<'_>,
    text: &str,
    cuts: &Cuts,
    piece: usize,
    parse_special: bool,
) -> Vec<LlamaToken> {
    let mut tokens = Vec::new();
    let (mut begin, mut done) = (0, 0);
    // What the next piece begins with, and how many tokens it takes: the character behind which it was cut. A piece that
    // begins a text could be given a blank.
    let mut lead = 0;
    loop {
        let end = cuts.behind(text, done, piece);
        let read = vocabulary.tokenize(
            text.get(begin..end).unwrap_or_default().as_bytes(),
            false,
            parse_special,
        );
        tokens.extend(read.into_iter().skip(lead));
        let last = text.get(..end).and_then(|text| text.chars().next_back());
        let Some(last) = last.filter(|_| end < text.len()) else {
            break;
        };
        (begin, done) = (end - last.len_utf8(), end);
        lead = vocabulary
            .tokenize(last.to_string().as_bytes(), false, false)
            .len();
    }
    tokens
}

/// Where a text can be cut behind a character; of SentencePiece's vocabularies alone.
#[derive(Default)]
struct Cuts {
    /// Characters of the text that stand in no token of the vocabulary.
    outside: HashSet<char>,
    /// Texts of the tokens that swallow white space beside them.
    swallowing: Vec<String>,
}

impl Cuts {
    fn new(vocabulary: &LlamaVocab<'_>, text: &str, parse_special: bool) -> Self {
        let mut swallowing = Vec::new();
        if vocabulary.vocab_type() != VocabType::SPM {
            return Self::default();
        }
        let mut outside: HashSet<char> = text.chars().collect();
        // Stands in tokens as another character.
        outside.remove(&' ');
        // Most texts hold nothing else than what is a token by itself: then there is no need to look at all tokens, of
        // which some vocabularies have hundreds of thousands.
        outside.retain(|character| !is_token(vocabulary, *character));
        if outside.is_empty() {
            return Self { outside, swallowing };
        }
        for token in vocabulary.tokens() {
            let Some(text) = text_of(vocabulary, token) else {
                continue;
            };
            for character in text.chars() {
                outside.remove(&character);
            }
            let attributes = vocabulary.attr(token);
            let is_read = parse_special || attributes.contains(LlamaTokenAttr::UserDefined);
            let swallows = attributes.intersects(LlamaTokenAttr::LStrip | LlamaTokenAttr::RStrip);
            if swallows && is_read && !text.is_empty() {
                swallowing.push(text);
            }
        }
        Self { outside, swallowing }
    }

    /// The end of a piece that begins here: behind the first character where the text can be cut once it has this many
    /// bytes, else the end of the text.
    fn behind(&self, text: &str, begin: usize, piece: usize) -> usize {
        let wanted = begin + piece;
        let rest = text.get(begin..).unwrap_or_default();
        let cut = rest.char_indices().find_map(|(place, character)| {
            let end = begin + place + character.len_utf8();
            let is_cut = end >= wanted && self.outside.contains(&character);
            (is_cut && self.keeps(text, end, character)).then_some(end)
        });
        cut.unwrap_or(text.len())
    }

    /// Whether the character before this place stays, and what is behind it too: no token beside it swallows white space.
    fn keeps(&self, text: &str, end: usize, character: char) -> bool {
        if self.swallowing.is_empty() || !is_space(character) {
            return true;
        }
        let (before, behind) = text.split_at(end);
        let (before, behind) = (
            before.trim_end_matches(is_space),
            behind.trim_start_matches(is_space),
        );
        !self
            .swallowing
            .iter()
            .any(|token| before.ends_with(token) || behind.starts_with(token))
    }
}

/// Whether a character is written without its bytes, and so stands in a token.
fn is_token(vocabulary: &LlamaVocab<'_>, character: char) -> bool {
    let tokens = vocabulary.tokenize(character.to_string().as_bytes(), false, false);
    let missing = LlamaTokenAttr::Byte | LlamaTokenAttr::Unknown;
    !tokens
        .into_iter()
        .any(|token| vocabulary.attr(token).intersects(missing))
}

/// C's `isspace` in the C locale.
pub(super) fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t'..='\r')
}

#[cfg(test)]
mod tests;

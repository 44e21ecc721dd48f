//! Texts to tokens, in a time that grows with the text and not with its square.
//!
//! For SentencePiece's vocabularies llama.cpp writes each character that is no token as its bytes, and makes room for
//! exactly those bytes, so that all tokens before them are moved (`resegment` of `llama-vocab.cpp`): a mebibyte of such
//! characters takes minutes, while nobody else is answered. Behind a character that stands in no token at all nothing
//! reaches over to what follows, so a long text is cut there and read in pieces, which gives the same tokens.

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
    let whole = || vocabulary.tokenize(text.as_bytes(), add_special, parse_special);
    if text.len() <= PIECE || vocabulary.vocab_type() != VocabType::SPM {
        return whole();
    }
    let cuts = Cuts::new(vocabulary, text, parse_special);
    if cuts.outside.is_empty() {
        return whole();
    }
    in_pieces(vocabulary, text, &cuts, PIECE, (add_special, parse_special))
}

/// The tokens of a text that is cut where it can be, into pieces of about this many bytes.
fn in_pieces(
    vocabulary: &LlamaVocab<'_>,
    text: &str,
    cuts: &Cuts,
    piece: usize,
    (add_special, parse_special): (bool, bool),
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
    if add_special {
        let mut ends = vocabulary.tokenize(b"", true, false);
        let behind = ends.split_off(usize::from(vocabulary.should_add_bos()).min(ends.len()));
        tokens.splice(..0, ends);
        tokens.extend(behind);
    }
    tokens
}

/// Where a text can be cut.
struct Cuts {
    /// Characters of the text that stand in no token of the vocabulary.
    outside: HashSet<char>,
    /// Texts of the tokens that swallow white space beside them.
    swallowing: Vec<String>,
}

impl Cuts {
    fn new(vocabulary: &LlamaVocab<'_>, text: &str, parse_special: bool) -> Self {
        let mut outside: HashSet<char> = text.chars().collect();
        // Stands in tokens as another character.
        outside.remove(&' ');
        let mut swallowing = Vec::new();
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

/// C's `isspace` in the C locale.
pub(super) fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t'..='\r')
}

#[cfg(test)]
mod tests;

//! The texts of a vocabulary's tokens, to check them against a grammar.

use llama_cpp_2::token_type::LlamaTokenAttr;

use super::super::grammar::GrammarState;
use super::super::model::Model;

/// What a token is to a grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    /// It stands for itself where the grammar names it, and for nothing else.
    Control,
    /// It ends the answer.
    End,
}

/// The texts of all tokens. Made once for each model.
#[derive(Debug)]
pub(in super::super) struct Pieces {
    bytes: Vec<u8>,
    /// Where each token's text ends in `bytes`.
    ends: Vec<u32>,
    kinds: Vec<Kind>,
}

impl Pieces {
    /// Asks llama.cpp for the text of each token.
    pub(in super::super) fn new(model: &Model) -> Self {
        let vocabulary = model.vocabulary();
        Self::of(vocabulary.tokens().map(|token| {
            let kind = match vocabulary.attr(token) {
                _ if vocabulary.is_eog(token) => Kind::End,
                attributes if attributes.intersects(LlamaTokenAttr::Control | LlamaTokenAttr::Unknown) => {
                    Kind::Control
                }
                _ => Kind::Text,
            };
            (kind, vocabulary.token_to_piece(token, true, None))
        }))
    }

    fn of(tokens: impl Iterator<Item = (Kind, Vec<u8>)>) -> Self {
        let mut pieces = Self {
            bytes: Vec::new(),
            ends: Vec::new(),
            kinds: Vec::new(),
        };
        for (kind, text) in tokens {
            pieces.bytes.extend(text);
            pieces.ends.push(pieces.bytes.len() as u32);
            pieces.kinds.push(kind);
        }
        pieces
    }

    /// Whether a token can come next. `named` are the control tokens that the grammar names, sorted.
    pub(super) fn fits(&self, token: i32, state: &mut GrammarState, named: &[i32]) -> bool {
        match self.kind(token) {
            Some(Kind::Text) => state.fits(self.text(token)),
            Some(Kind::Control) => named.binary_search(&token).is_ok() && state.fits(self.text(token)),
            Some(Kind::End) => {
                state.is_whole() || named.binary_search(&token).is_ok() && state.fits(self.text(token))
            }
            None => false,
        }
    }

    /// The control tokens that a grammar names, sorted.
    pub(super) fn named(&self, state: &GrammarState) -> Vec<i32> {
        let named = |token: &i32| {
            self.kind(*token) != Some(Kind::Text)
                && std::str::from_utf8(self.text(*token)).is_ok_and(|text| state.names(text))
        };
        (0..self.kinds.len() as i32).filter(named).collect()
    }

    /// A token that ends answers.
    pub(super) fn end(&self) -> Option<i32> {
        let end = self.kinds.iter().position(|kind| *kind == Kind::End);
        end.map(|token| token as i32)
    }

    pub(super) fn is_end(&self, token: i32) -> bool {
        self.kind(token) == Some(Kind::End)
    }

    pub(super) fn text(&self, token: i32) -> &[u8] {
        let end = |token: i32| usize::try_from(token).map_or(0, |token| self.ends[token] as usize);
        &self.bytes[end(token - 1)..end(token)]
    }

    fn kind(&self, token: i32) -> Option<Kind> {
        self.kinds.get(usize::try_from(token).ok()?).copied()
    }

    /// A vocabulary of these texts and an end.
    #[cfg(test)]
    pub(super) fn of_texts(texts: &[&str]) -> Self {
        let texts = texts.iter().map(|text| (Kind::Text, text.as_bytes().to_vec()));
        Self::of(texts.chain(std::iter::once((Kind::End, b"<end>".to_vec()))))
    }
}

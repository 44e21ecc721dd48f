//! `POST /tokenize` and `POST /detokenize`: between texts and what a model reads.

use serde::{Deserialize, Serialize};

/// What a client sends to `/tokenize`. Unknown fields are ignored.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct TokenizeRequest {
    /// The model's name; none takes the one that is loaded.
    #[serde(default)]
    pub model: Option<String>,
    /// The text.
    pub content: String,
    /// Add the tokens with which the model's texts begin and end.
    #[serde(default)]
    pub add_special: bool,
    /// Read what looks like a control token as one.
    #[serde(default = "yes")]
    pub parse_special: bool,
    /// Tell the tokens' texts too.
    #[serde(default)]
    pub with_pieces: bool,
}

fn yes() -> bool {
    true
}

/// A text's tokens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TokenizeResponse {
    /// In their order.
    pub tokens: Vec<Token>,
}

/// A token in one of its two forms.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Token {
    /// Its id.
    Id(u32),
    /// With its text.
    Piece {
        /// Its id.
        id: u32,
        /// Its text.
        piece: Piece,
    },
}

/// A token's text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Piece {
    /// Whole characters.
    Text(String),
    /// Parts of one.
    Bytes(Vec<u8>),
}

impl From<Vec<u8>> for Piece {
    fn from(bytes: Vec<u8>) -> Self {
        String::from_utf8(bytes).map_or_else(|error| Self::Bytes(error.into_bytes()), Self::Text)
    }
}

/// What a client sends to `/detokenize`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct DetokenizeRequest {
    /// The model's name; none takes the one that is loaded.
    #[serde(default)]
    pub model: Option<String>,
    /// The tokens' ids.
    pub tokens: Vec<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_character_is_told_as_bytes() {
        let tokens = [(198, vec![195]), (5, b"Hi".to_vec())].map(|(id, bytes)| Token::Piece {
            id,
            piece: bytes.into(),
        });
        let response = TokenizeResponse {
            tokens: tokens.into_iter().chain([Token::Id(7)]).collect(),
        };
        assert_eq!(
            serde_json::to_string(&response).expect("serialise"),
            r#"{"tokens":[{"id":198,"piece":[195]},{"id":5,"piece":"Hi"},7]}"#
        );
    }

    #[test]
    fn control_tokens_are_read_unless_it_is_said_otherwise() {
        let request: TokenizeRequest = serde_json::from_str(r#"{"content":"a"}"#).expect("parse");
        assert!(request.parse_special && !request.add_special && !request.with_pieces);
    }
}

//! `POST /v1/embeddings`: text in, vectors out.

use serde::{Deserialize, Serialize};

use super::completion::Prompt;

/// What a client sends. Unknown fields are ignored.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct EmbeddingRequest {
    /// The model's id.
    #[serde(default)]
    pub model: Option<String>,
    /// Text, texts, or token ids.
    pub input: Prompt,
    /// `float` or `base64`; OpenAI's Python client asks for `base64`.
    #[serde(default)]
    pub encoding_format: Option<EncodingFormat>,
    /// Shorten the vectors to this many numbers.
    #[serde(default)]
    pub dimensions: Option<u32>,
    /// How vectors are scaled: -1 not at all, 2 to length 1 (L2); llama-server's field.
    #[serde(default)]
    pub embd_normalize: Option<i64>,
}

/// How vectors are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EncodingFormat {
    /// A JSON list of numbers.
    Float,
    /// Little-endian 32-bit floats in base64.
    Base64,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EmbeddingResponse {
    /// Always `list`.
    pub object: String,
    /// One vector per input, in order.
    pub data: Vec<Embedding>,
    /// The model's id.
    pub model: String,
    /// Tokens counted.
    pub usage: EmbeddingUsage,
}

/// One vector.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Embedding {
    /// Always `embedding`.
    pub object: String,
    /// Which input, from 0.
    pub index: u32,
    /// The vector.
    pub embedding: Vector,
}

/// A vector in one of its two forms.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Vector {
    /// Numbers.
    Float(Vec<f32>),
    /// Base64 of little-endian 32-bit floats.
    Base64(String),
}

/// Tokens counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct EmbeddingUsage {
    /// Tokens of the inputs.
    pub prompt_tokens: u32,
    /// The same.
    pub total_tokens: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_python_client_is_understood() {
        let request: EmbeddingRequest =
            serde_json::from_str(r#"{"input":["a"],"model":"m","encoding_format":"base64"}"#).expect("parse");
        assert_eq!(request.encoding_format, Some(EncodingFormat::Base64));
        assert_eq!(request.input, Prompt::Texts(vec!["a".into()]));
    }

    #[test]
    fn both_vector_forms_are_plain_json() {
        assert_eq!(
            serde_json::to_string(&Vector::Float(vec![0.5])).expect("serialise"),
            "[0.5]"
        );
        assert_eq!(
            serde_json::to_string(&Vector::Base64("AAAAPw==".into())).expect("serialise"),
            r#""AAAAPw==""#
        );
    }
}

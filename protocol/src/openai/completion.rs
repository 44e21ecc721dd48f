//! `POST /v1/completions`: plain text in, plain text out.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{FinishReason, Stop, StreamOptions, Usage};

/// What a client sends. Unknown fields are ignored.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct CompletionRequest {
    /// The model's id.
    #[serde(default)]
    pub model: Option<String>,
    /// Text, texts, or token ids.
    pub prompt: Prompt,
    /// Most tokens to generate; OpenAI's default is 16.
    #[serde(default)]
    pub max_tokens: Option<i64>,
    /// 0.0 to 2.0.
    #[serde(default)]
    pub temperature: Option<f32>,
    /// 0.0 to 1.0.
    #[serde(default)]
    pub top_p: Option<f32>,
    /// Choices to make.
    #[serde(default)]
    pub n: Option<u32>,
    /// Whether to stream.
    #[serde(default)]
    pub stream: Option<bool>,
    /// Options of the stream.
    #[serde(default)]
    pub stream_options: Option<StreamOptions>,
    /// Texts that end the answer.
    #[serde(default)]
    pub stop: Option<Stop>,
    /// Fixes the draw.
    #[serde(default)]
    pub seed: Option<i64>,
    /// -2.0 to 2.0.
    #[serde(default)]
    pub presence_penalty: Option<f32>,
    /// -2.0 to 2.0.
    #[serde(default)]
    pub frequency_penalty: Option<f32>,
    /// Send the prompt back before the answer.
    #[serde(default)]
    pub echo: Option<bool>,
    /// Text after the gap, for filling in the middle.
    #[serde(default)]
    pub suffix: Option<String>,
    /// Added to logits, by token id as text.
    #[serde(default)]
    pub logit_bias: Option<Value>,
    /// Likeliest tokens to tell at each place, 0 to 5.
    #[serde(default)]
    pub logprobs: Option<u32>,
    /// Choices to make of which the best are sent.
    #[serde(default)]
    pub best_of: Option<u32>,
}

/// A prompt in one of its four forms.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(
    untagged,
    expecting = "expected a text, a list of texts, a list of token ids, or a list of lists of token ids"
)]
pub enum Prompt {
    /// One text.
    Text(String),
    /// Several texts.
    Texts(Vec<String>),
    /// One prompt as token ids.
    Tokens(Vec<u32>),
    /// Several prompts as token ids.
    TokenLists(Vec<Vec<u32>>),
}

/// The answer, and each chunk of a stream.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CompletionResponse {
    /// The answer's id, the same for all chunks.
    pub id: String,
    /// Always `text_completion`.
    pub object: String,
    /// Seconds since 1970, the same for all chunks.
    pub created: i64,
    /// The model's id.
    pub model: String,
    /// The choices.
    pub choices: Vec<CompletionChoice>,
    /// Tokens counted. In a stream only where usage was asked for: in the usage chunk, null in the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Option<Usage>>,
    /// Names the engine's build.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system_fingerprint: Option<String>,
}

/// One choice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CompletionChoice {
    /// Text, or more of it.
    pub text: String,
    /// Which choice, from 0.
    pub index: u32,
    /// Probabilities, where asked for.
    pub logprobs: Option<CompletionLogprobs>,
    /// Why it ended; null while it goes on.
    pub finish_reason: Option<FinishReason>,
}

/// Natural logarithms of probabilities, one entry per token.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CompletionLogprobs {
    /// The tokens' texts.
    pub tokens: Vec<String>,
    /// Their logprobs.
    pub token_logprobs: Vec<f32>,
    /// The likeliest tokens at each place with their logprobs, the chosen one among them.
    pub top_logprobs: Vec<BTreeMap<String, f32>>,
    /// Where each token begins in the text, in characters.
    pub text_offset: Vec<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_comes_in_four_forms() {
        let cases = [
            (r#""hi""#, Prompt::Text("hi".into())),
            (r#"["a","b"]"#, Prompt::Texts(vec!["a".into(), "b".into()])),
            ("[1,2]", Prompt::Tokens(vec![1, 2])),
            ("[[1],[2,3]]", Prompt::TokenLists(vec![vec![1], vec![2, 3]])),
        ];
        for (json, prompt) in cases {
            let body = format!(r#"{{"model":"m","prompt":{json},"best_of":1}}"#);
            let request: CompletionRequest = serde_json::from_str(&body).expect(json);
            assert_eq!(request.prompt, prompt);
        }
    }

    #[test]
    fn an_answer_has_the_shape_of_the_specification() {
        let response = CompletionResponse {
            id: "cmpl-1".into(),
            object: "text_completion".into(),
            created: 1,
            model: "m".into(),
            choices: vec![CompletionChoice {
                text: "hi".into(),
                index: 0,
                logprobs: None,
                finish_reason: Some(FinishReason::Length),
            }],
            usage: None,
            system_fingerprint: None,
        };
        assert_eq!(
            serde_json::to_string(&response).expect("serialise"),
            r#"{"id":"cmpl-1","object":"text_completion","created":1,"model":"m","choices":[{"text":"hi","index":0,"logprobs":null,"finish_reason":"length"}]}"#
        );
    }
}

//! `POST /completion` and `POST /infill`: a prompt in, what the model writes out. What both share with other interfaces
//! stands in [`super::options`].

use serde::Deserialize;
use serde_json::Value;

use crate::openai::Stop;

/// What a client sends to `/completion`. Unknown fields are ignored.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct CompletionRequest {
    /// What the model goes on with.
    pub prompt: Prompt,
}

/// What a client sends to `/infill`. Unknown fields are ignored.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct InfillRequest {
    /// The text before the gap.
    pub input_prefix: String,
    /// The text behind it.
    pub input_suffix: String,
    /// Other files of the same work.
    #[serde(default, deserialize_with = "crate::nullable::deserialize")]
    pub input_extra: Vec<InfillExtra>,
    /// What already stands at the beginning of the gap.
    #[serde(default, deserialize_with = "crate::nullable::deserialize")]
    pub prompt: String,
}

/// Another file of the same work.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct InfillExtra {
    /// Its name.
    #[serde(default)]
    pub filename: Option<String>,
    /// Its text.
    pub text: String,
}

/// A prompt in one of its forms, or several prompts.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Prompt {
    /// A token.
    Token(u32),
    /// Text; what looks like a control token is one.
    Text(String),
    /// Where a token is among them, the pieces of one prompt; else several prompts. Before what has fields, which a list
    /// of their values would be too.
    List(Vec<Prompt>),
    /// Text with pictures or sounds.
    Media(MediaPrompt),
}

/// Text with pictures or sounds.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct MediaPrompt {
    /// The text.
    pub prompt_string: String,
    /// Pictures and sounds in base64.
    #[serde(default)]
    pub multimodal_data: Option<Value>,
}

/// The fields of both that no other interface has, and those that it calls otherwise.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct CompletionOptions {
    /// The model's name; none takes the one that is loaded.
    pub model: Option<String>,
    /// Most tokens to write; -1 sets no limit, and 0 only reads the prompt.
    pub n_predict: Option<i64>,
    /// OpenAI's word for the same.
    pub max_tokens: Option<i64>,
    /// 0 and less is greedy.
    pub temperature: Option<f32>,
    /// 0.0 to 1.0.
    pub top_p: Option<f32>,
    /// -2.0 to 2.0.
    pub presence_penalty: Option<f32>,
    /// -2.0 to 2.0.
    pub frequency_penalty: Option<f32>,
    /// Fixes the draw; -1 takes a fresh one.
    pub seed: Option<i64>,
    /// Texts that end the answer.
    pub stop: Option<Stop>,
    /// By token id, or by text, which counts for each of its tokens.
    pub logit_bias: Option<Value>,
    /// Tell the probability of each token and of this many likeliest ones.
    pub n_probs: Option<u32>,
    /// Tell tokens as ids too.
    pub return_tokens: Option<bool>,
    /// Whether to stream.
    pub stream: Option<bool>,
    /// Answers to each prompt.
    pub n_cmpl: Option<u32>,
    /// OpenAI's word for the same.
    pub n: Option<u32>,
    /// Fields of the answer; those within others by paths such as `generation_settings/n_predict`. Empty tells all.
    pub response_fields: Option<Vec<String>>,
    /// Milliseconds from the first token after which the answer ends, once it has a line break; 0 and less is off.
    pub t_max_predict_ms: Option<i64>,
    /// Blanks with which each new line must begin; the answer ends before one with fewer.
    pub n_indent: Option<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_comes_in_each_of_its_forms() {
        let text = |text: &str| Prompt::Text(text.into());
        let media = MediaPrompt {
            prompt_string: "a".into(),
            multimodal_data: None,
        };
        let cases = [
            (r#""a""#, text("a")),
            (r#"["a"]"#, Prompt::List(vec![text("a")])),
            ("[1,2]", Prompt::List(vec![Prompt::Token(1), Prompt::Token(2)])),
            (r#"[1,"a"]"#, Prompt::List(vec![Prompt::Token(1), text("a")])),
            (
                r#"[[1],"a",{"prompt_string":"a"}]"#,
                Prompt::List(vec![
                    Prompt::List(vec![Prompt::Token(1)]),
                    text("a"),
                    Prompt::Media(media),
                ]),
            ),
        ];
        for (json, prompt) in cases {
            let request: CompletionRequest =
                serde_json::from_str(&format!(r#"{{"prompt":{json}}}"#)).expect(json);
            assert_eq!(request.prompt, prompt);
        }
        for json in [
            "{}",
            r#"{"prompt":true}"#,
            r#"{"prompt":[1.5]}"#,
            r#"{"prompt":[-1]}"#,
        ] {
            assert!(serde_json::from_str::<CompletionRequest>(json).is_err(), "{json}");
        }
    }

    #[test]
    fn another_file_has_a_text() {
        for (json, is_right) in [
            (r#"{"filename":"a.h","text":"x"}"#, true),
            (r#"{"text":"x"}"#, true),
            (r#"{"filename":"a.h"}"#, false),
            (r#"{"filename":123,"text":"x"}"#, false),
            (r#"{"filename":"a.h","text":4}"#, false),
        ] {
            assert_eq!(
                serde_json::from_str::<InfillExtra>(json).is_ok(),
                is_right,
                "{json}"
            );
        }
    }
}

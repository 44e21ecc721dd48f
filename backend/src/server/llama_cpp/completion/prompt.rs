//! Prompts, from llama.cpp's shape to what a model is given.

use hearth_protocol::llama_cpp::completion::{InfillRequest, MediaPrompt, Prompt as Wire};
use hearth_protocol::prompt::{Infill, InfillFile, Prompt, PromptPart};
use serde_json::Value;

use crate::server::refusal::Refusal;

/// The prompts of a request, and whether they came as a list, so that the answers are one too.
///
/// # Errors
/// Where there is none, or one that no model here can read.
pub(in crate::server::llama_cpp) fn prompts(wire: Wire) -> Result<(Vec<Prompt>, bool), Refusal> {
    match wire {
        Wire::List(pieces) if pieces.is_empty() => {
            Err(Refusal::field("prompt", "holds nothing to go on with"))
        }
        Wire::List(pieces) if !is_one(&pieces) => {
            let prompts: Result<_, _> = pieces.into_iter().map(one).collect();
            Ok((prompts?, true))
        }
        wire => Ok((vec![one(wire)?], false)),
    }
}

/// Whether a list is one prompt: a bare token is part of one.
fn is_one(pieces: &[Wire]) -> bool {
    pieces.iter().any(|piece| matches!(piece, Wire::Token(_)))
}

fn one(wire: Wire) -> Result<Prompt, Refusal> {
    let pieces = match wire {
        Wire::List(pieces) => pieces,
        piece => vec![piece],
    };
    let mut parts: Vec<PromptPart> = Vec::new();
    for piece in pieces {
        match (piece, parts.last_mut()) {
            (Wire::Token(token), Some(PromptPart::Tokens(tokens))) => tokens.push(token),
            (Wire::Token(token), _) => parts.push(PromptPart::Tokens(vec![token])),
            (Wire::Text(text), _) => parts.push(PromptPart::Text(text)),
            (Wire::Media(media), _) => parts.push(PromptPart::Text(text_only(media)?)),
            (Wire::List(_), _) => {
                return Err(Refusal::field(
                    "prompt",
                    "holds a list within a prompt; a prompt is text and tokens",
                ));
            }
        }
    }
    Ok(Prompt::Text(parts))
}

/// The text of a prompt before a model has read it; `None` where it is none.
pub(super) fn as_sent(prompt: &Prompt) -> Option<String> {
    let Prompt::Text(parts) = prompt else {
        return None;
    };
    let texts = parts.iter().map(|part| match part {
        PromptPart::Text(text) => Some(text.as_str()),
        PromptPart::Tokens(_) => None,
    });
    texts.collect()
}

/// # Errors
/// Where there is more than text.
fn text_only(media: MediaPrompt) -> Result<String, Refusal> {
    match media.multimodal_data {
        None | Some(Value::Null) => Ok(media.prompt_string),
        Some(Value::Array(data)) if data.is_empty() => Ok(media.prompt_string),
        Some(_) => Err(Refusal::unsupported(
            "multimodal_data",
            "cannot be read here; send pictures in a chat to a model that sees",
        )),
    }
}

/// A gap to fill.
pub(super) fn infill(wire: InfillRequest) -> Prompt {
    let files = wire.input_extra.into_iter().map(|file| InfillFile {
        name: file.filename.unwrap_or_else(|| "tmp".to_owned()),
        text: file.text,
    });
    Prompt::Infill(Infill {
        before: wire.input_prefix,
        after: wire.input_suffix,
        begun: wire.prompt,
        files: files.collect(),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(json: Value) -> Result<(Vec<Prompt>, bool), Refusal> {
        prompts(serde_json::from_value(json).expect("a prompt"))
    }

    #[test]
    fn a_list_is_one_prompt_or_several() {
        let text = |text: &str| PromptPart::Text(text.into());
        let tokens = |tokens: &[u32]| PromptPart::Tokens(tokens.to_vec());
        let one = |parts: Vec<PromptPart>| (vec![Prompt::Text(parts)], false);
        let cases = [
            (json!("a"), one(vec![text("a")])),
            (json!([1, 2]), one(vec![tokens(&[1, 2])])),
            (
                json!([1, 2, "a", 3]),
                one(vec![tokens(&[1, 2]), text("a"), tokens(&[3])]),
            ),
            (json!({"prompt_string": "a"}), one(vec![text("a")])),
            (
                json!([[1], "a", {"prompt_string": "b"}]),
                (
                    vec![
                        Prompt::Text(vec![tokens(&[1])]),
                        Prompt::Text(vec![text("a")]),
                        Prompt::Text(vec![text("b")]),
                    ],
                    true,
                ),
            ),
            (json!(["a"]), (vec![Prompt::Text(vec![text("a")])], true)),
        ];
        for (json, expected) in cases {
            assert_eq!(read(json.clone()).ok(), Some(expected), "{json}");
        }
    }

    #[test]
    fn a_prompt_of_text_can_be_told_as_it_was_sent() {
        let sent = |parts: Vec<PromptPart>| as_sent(&Prompt::Text(parts));
        let text = |text: &str| PromptPart::Text(text.into());
        assert_eq!(sent(vec![text("a"), text("b")]).as_deref(), Some("ab"));
        assert_eq!(sent(vec![text("a"), PromptPart::Tokens(vec![1])]), None);
        assert_eq!(as_sent(&Prompt::Infill(Infill::default())), None);
    }

    #[test]
    fn what_is_no_prompt_is_refused_by_name() {
        let param = |json: Value| read(json).expect_err("refused").param;
        assert_eq!(param(json!([])).as_deref(), Some("prompt"));
        assert_eq!(param(json!([1, [2]])).as_deref(), Some("prompt"));
        let media = json!({"prompt_string": "a", "multimodal_data": ["aGk="]});
        assert_eq!(param(media).as_deref(), Some("multimodal_data"));
    }
}

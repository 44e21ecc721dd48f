//! From a request to what the engine is asked: each prompt once for each choice.

use hearth_protocol::Client;
use hearth_protocol::answer::AnswerOptions;
use hearth_protocol::completion::CompletionRequest;
use hearth_protocol::engine::ModelRef;
use hearth_protocol::generate::SamplingParams;
use hearth_protocol::llama_cpp::options::LocalOptions;
use hearth_protocol::openai::completion::{CompletionRequest as Wire, Prompt as WirePrompt};
use hearth_protocol::prompt::{Infill, Prompt, PromptPart};

use super::super::sampling::{Fields, sampling};
use crate::server::choices;
use crate::server::listening::answer;
use crate::server::options;
use crate::server::refusal::Refusal;
use crate::server::site::Site;

/// OpenAI's limit where a request sets none.
const MAX_TOKENS: i64 = 16;

/// Most likeliest tokens told at each place (OpenAI's limit).
const MOST_LOGPROBS: u32 = 5;

/// What the engine is asked.
pub(super) struct Plan {
    /// All choices of the first prompt, then all of the second, and so on.
    pub(super) requests: Vec<CompletionRequest>,
    /// Choices of each prompt.
    pub(super) per_prompt: usize,
    prompts: Vec<PromptPart>,
    model: Option<ModelRef>,
}

/// Refuses what cannot be, by name.
///
/// # Errors
/// Names the first such field.
pub(super) fn check(wire: &Wire) -> Result<(), Refusal> {
    if wire.best_of.is_some_and(|best| best > 1) {
        let reason = "may only be 1: the best of several is not chosen here; use n and choose yourself";
        return Err(Refusal::unsupported("best_of", reason));
    }
    if let Some(count) = wire.logprobs.filter(|count| *count > MOST_LOGPROBS) {
        let problem = format!("is {count} and must be from 0 to {MOST_LOGPROBS}");
        return Err(Refusal::field("logprobs", problem));
    }
    if wire.echo == Some(true) && wire.logprobs.is_some() {
        let reason = "cannot be asked for together with echo: how likely a prompt was is not told here";
        return Err(Refusal::unsupported("logprobs", reason));
    }
    Ok(())
}

/// What the engine is asked.
///
/// # Errors
/// Names the field that is wrong.
pub(super) fn plan(
    site: &Site,
    wire: Wire,
    local: LocalOptions,
    settings: SamplingParams,
    length: usize,
) -> Result<Plan, Refusal> {
    let fields = Fields {
        temperature: wire.temperature,
        top_p: wire.top_p,
        presence_penalty: wire.presence_penalty,
        frequency_penalty: wire.frequency_penalty,
        seed: wire.seed,
        max_tokens: Some(wire.max_tokens.or(local.n_predict).unwrap_or(MAX_TOKENS)),
        stop: wire.stop.as_ref(),
        logit_bias: wire.logit_bias.as_ref(),
    };
    let sampling = sampling(settings, &fields)?;
    let model = site.names().meant(wire.model.as_deref());
    let prompts = prompts(wire.prompt)?;
    let count = wire.n.unwrap_or(1);
    choices::check("n", count, prompts.len(), length)?;
    let mut request = CompletionRequest {
        sampling,
        answer: AnswerOptions {
            logprobs: wire.logprobs,
            ..AnswerOptions::default()
        },
        ..CompletionRequest::new(model.clone(), Prompt::Text(Vec::new()))
    };
    options::apply(local, &mut request)?;
    let suffix = wire.suffix.filter(|suffix| !suffix.is_empty());
    let mut requests = Vec::new();
    for prompt in &prompts {
        request.prompt = with_suffix(prompt.clone(), suffix.as_deref())?.into();
        request.validate()?;
        requests.extend(choices::copies(&request, count));
    }
    Ok(Plan {
        requests,
        per_prompt: count as usize,
        prompts,
        model,
    })
}

impl Plan {
    /// The prompts as text.
    ///
    /// # Errors
    /// Where token ids are not the model's.
    pub(super) async fn echo(&self, client: &Client) -> Result<Vec<String>, Refusal> {
        let mut texts = Vec::with_capacity(self.prompts.len());
        for prompt in &self.prompts {
            texts.push(match prompt {
                PromptPart::Text(text) => text.clone(),
                PromptPart::Tokens(tokens) => {
                    let (model, tokens) = (self.model.clone(), tokens.clone());
                    answer(client, |client| client.detokenize(model, tokens)).await?
                }
            });
        }
        Ok(texts)
    }
}

/// The prompts of a request, at least one.
fn prompts(prompt: WirePrompt) -> Result<Vec<PromptPart>, Refusal> {
    let prompts: Vec<_> = match prompt {
        WirePrompt::Text(text) => vec![PromptPart::Text(text)],
        WirePrompt::Texts(texts) => texts.into_iter().map(PromptPart::Text).collect(),
        WirePrompt::Tokens(tokens) => vec![PromptPart::Tokens(tokens)],
        WirePrompt::TokenLists(lists) => lists.into_iter().map(PromptPart::Tokens).collect(),
    };
    if prompts.is_empty() {
        return Err(Refusal::field("prompt", "holds no text; give at least one"));
    }
    Ok(prompts)
}

fn with_suffix(prompt: PromptPart, suffix: Option<&str>) -> Result<Prompt, Refusal> {
    Ok(match (suffix, prompt) {
        (None, prompt) => Prompt::Text(vec![prompt]),
        (Some(suffix), PromptPart::Text(before)) => Prompt::Infill(Infill {
            before,
            after: suffix.to_owned(),
            ..Infill::default()
        }),
        (Some(_), PromptPart::Tokens(_)) => {
            let problem = "needs a prompt of text: a gap between token ids is not filled";
            return Err(Refusal::field("suffix", problem));
        }
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn wire(fields: &Value) -> Wire {
        serde_json::from_value(fields.clone()).expect("a request")
    }

    #[test]
    fn what_cannot_be_honoured_is_named() {
        let cases = [
            (json!({"prompt": "a", "best_of": 1}), None),
            (json!({"prompt": "a", "best_of": 2}), Some("best_of")),
            (json!({"prompt": "a", "logprobs": 5, "echo": false}), None),
            (json!({"prompt": "a", "logprobs": 6}), Some("logprobs")),
            (
                json!({"prompt": "a", "logprobs": 0, "echo": true}),
                Some("logprobs"),
            ),
        ];
        for (fields, named) in cases {
            let refused = check(&wire(&fields)).err().and_then(|refusal| refusal.param);
            assert_eq!(refused.as_deref(), named, "{fields}");
        }
    }

    #[test]
    fn prompts_come_in_four_forms_and_a_gap_in_one() {
        let text = |text: &str| PromptPart::Text(text.into());
        let cases = [
            (json!("a"), Some(vec![text("a")])),
            (json!(["a", ""]), Some(vec![text("a"), text("")])),
            (json!([1, 2]), Some(vec![PromptPart::Tokens(vec![1, 2])])),
            (
                json!([[1], [2]]),
                Some(vec![PromptPart::Tokens(vec![1]), PromptPart::Tokens(vec![2])]),
            ),
            (json!([]), None),
        ];
        for (prompt, parts) in cases {
            let wire = wire(&json!({"prompt": prompt}));
            assert_eq!(prompts(wire.prompt).ok(), parts, "{prompt}");
        }
        let gap = with_suffix(text("a"), Some("b")).expect("a gap");
        assert!(matches!(gap, Prompt::Infill(gap) if gap.before == "a" && gap.after == "b"));
        let refused = with_suffix(PromptPart::Tokens(vec![1]), Some("b")).expect_err("no text");
        assert_eq!(refused.param.as_deref(), Some("suffix"));
    }
}

//! From a request of llama.cpp's interface to what the engine is asked.

use hearth_protocol::answer::MOST_LOGPROBS;
use hearth_protocol::completion::CompletionRequest;
use hearth_protocol::llama_cpp::completion::CompletionOptions;
use hearth_protocol::llama_cpp::options::LocalOptions;
use hearth_protocol::prompt::Prompt;

use super::limits::Limits;
use super::settings::FRESH_SEED;
use crate::server::choices;
use crate::server::openai::sampling::{Fields, sampling};
use crate::server::options;
use crate::server::refusal::Refusal;
use crate::server::site::Site;

/// Refuses what a stream cannot do: what it has told cannot be taken back.
///
/// # Errors
/// Names the field.
pub(super) fn check(options: &CompletionOptions) -> Result<(), Refusal> {
    let cases = [
        (
            options.t_max_predict_ms.is_some_and(|limit| limit > 0),
            "t_max_predict_ms",
        ),
        (options.n_indent.is_some_and(|count| count > 0), "n_indent"),
    ];
    match cases.into_iter().find(|(is_asked, _)| *is_asked) {
        Some((_, field)) if options.stream == Some(true) => {
            Err(Refusal::unsupported(field, "goes without a stream only"))
        }
        _ => Ok(()),
    }
}

/// How many answers each of so many prompts gets, for a body of this length.
///
/// # Errors
/// Where it is none, or more than there may be.
pub(super) fn choices(options: &CompletionOptions, prompts: usize, body: usize) -> Result<u32, Refusal> {
    choices::check("n_cmpl", options.n_cmpl.or(options.n).unwrap_or(1), prompts, body)
}

/// What the engine is asked, but for its prompt and its biases.
///
/// # Errors
/// Names the field that is wrong.
pub(super) async fn completion(
    site: &Site,
    wire: &CompletionOptions,
    local: LocalOptions,
) -> Result<CompletionRequest, Refusal> {
    let settings = site.settings().await;
    let fields = Fields {
        temperature: wire.temperature.map(|temperature| temperature.max(0.0)),
        top_p: wire.top_p,
        presence_penalty: wire.presence_penalty,
        frequency_penalty: wire.frequency_penalty,
        // The sign of a fresh one, as it is told in answers.
        seed: wire.seed.filter(|seed| *seed != i64::from(FRESH_SEED)),
        max_tokens: wire.n_predict.or(wire.max_tokens),
        stop: wire.stop.as_ref(),
        logit_bias: None,
    };
    let sampling = sampling(settings.sampling.clone(), &fields)?;
    let model = match wire.model.as_deref() {
        Some(name) => {
            site.names_read().await;
            site.names().meant(Some(name))
        }
        None => None,
    };
    let mut request = CompletionRequest {
        sampling,
        ..CompletionRequest::new(model, Prompt::Text(Vec::new()))
    };
    options::apply(local, &mut request)?;
    request.answer.logprobs = logprobs(wire)?;
    Ok(request)
}

/// Tokens are told as ids in every stream, and those come with their logprobs.
fn logprobs(wire: &CompletionOptions) -> Result<Option<u32>, Refusal> {
    match wire.n_probs.unwrap_or(0) {
        0 if wire.return_tokens == Some(true) || wire.stream == Some(true) => Ok(Some(0)),
        // An answer that ends early is counted by them.
        0 if Limits::of(wire).is_some() => Ok(Some(0)),
        0 => Ok(None),
        count if count <= MOST_LOGPROBS => Ok(Some(count)),
        count => {
            let problem = format!("is {count} and must be from 0 to {MOST_LOGPROBS}");
            Err(Refusal::field("n_probs", problem))
        }
    }
}

/// The request once for each answer to each prompt; the answers to one prompt have draws of their own.
pub(super) fn for_prompts(
    request: &CompletionRequest,
    prompts: &[Prompt],
    choices: u32,
) -> Vec<CompletionRequest> {
    let of = |prompt: &Prompt| {
        let request = CompletionRequest {
            prompt: prompt.clone().into(),
            ..request.clone()
        };
        choices::copies(&request, choices).collect::<Vec<_>>()
    };
    prompts.iter().flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn what_a_stream_cannot_do_is_refused_by_name() {
        let param = |fields: Value| {
            let options = serde_json::from_value(fields).expect("fields");
            check(&options).err().and_then(|refusal| refusal.param)
        };
        for field in ["t_max_predict_ms", "n_indent"] {
            assert_eq!(param(json!({field: 4, "stream": true})).as_deref(), Some(field));
            assert_eq!(param(json!({field: 4})), None);
            assert_eq!(param(json!({field: 0, "stream": true})), None);
        }
    }

    #[test]
    fn tokens_come_with_their_logprobs() {
        let logprobs = |json: Value| logprobs(&serde_json::from_value(json).expect("fields")).ok();
        assert_eq!(logprobs(json!({})), Some(None));
        assert_eq!(logprobs(json!({"stream": true})), Some(Some(0)));
        assert_eq!(logprobs(json!({"return_tokens": true})), Some(Some(0)));
        assert_eq!(logprobs(json!({"n_indent": 1})), Some(Some(0)));
        assert_eq!(logprobs(json!({"n_probs": 20})), Some(Some(20)));
        assert_eq!(logprobs(json!({"n_probs": 21})), None);
    }

    #[test]
    fn each_answer_to_a_prompt_has_a_draw_of_its_own() {
        let prompts = [Prompt::Text(Vec::new()), Prompt::chat(Vec::new())];
        let mut request = CompletionRequest::new(None, Prompt::Text(Vec::new()));
        request.sampling.seed = Some(u32::MAX);
        let seeds: Vec<_> = for_prompts(&request, &prompts, 2)
            .iter()
            .map(|request| request.sampling.seed)
            .collect();
        assert_eq!(seeds, [Some(u32::MAX), Some(0), Some(u32::MAX), Some(0)]);
    }
}

//! From a request of OpenAI's chat interface to what the engine is asked.

use hearth_protocol::answer::{AnswerOptions, Format};
use hearth_protocol::completion::CompletionRequest;
use hearth_protocol::generate::SamplingParams;
use hearth_protocol::llama_cpp::options::LocalOptions;
use hearth_protocol::openai::chat::{Beyond, ChatCompletionRequest, ChatMessage, ResponseFormat};
use hearth_protocol::prompt::Prompt;
use serde_json::json;

use super::super::sampling::{Fields, sampling};
use super::super::{messages, tools};
use crate::server::options;
use crate::server::refusal::Refusal;
use crate::server::site::Site;

/// How many tokens a model may think at each effort; the largest set no limit.
const EFFORTS: [(&str, Option<u32>); 5] = [
    ("minimal", Some(256)),
    ("low", Some(1_024)),
    ("medium", Some(4_096)),
    ("high", None),
    ("xhigh", None),
];

/// Refuses what Hearth cannot do, by name.
///
/// # Errors
/// Names the first such field.
pub(super) fn refuse_beyond(beyond: &Beyond) -> Result<(), Refusal> {
    let kinds = beyond.modalities.iter().flatten();
    let cases = [
        (
            beyond.audio.is_some() || kinds.clone().any(|kind| kind == "audio"),
            "audio",
            "is not there: models here write text",
        ),
        (
            kinds.clone().any(|kind| kind != "text" && kind != "audio"),
            "modalities",
            "may only be text: models here write nothing else",
        ),
        (
            beyond
                .functions
                .as_ref()
                .is_some_and(|functions| *functions != json!([])),
            "functions",
            "is the older form and not there; use tools",
        ),
        (
            beyond.function_call.as_ref().is_some_and(|call| call != "none"),
            "function_call",
            "is the older form and not there; use tool_choice",
        ),
        (
            beyond.web_search_options.is_some(),
            "web_search_options",
            "is not there: this server opens no connection",
        ),
        (
            beyond.store == Some(true),
            "store",
            "is not there for chats; use /v1/responses, which keeps answers on this machine",
        ),
        (
            beyond
                .verbosity
                .as_deref()
                .is_some_and(|verbosity| verbosity != "medium"),
            "verbosity",
            "is not there: no model here knows it; say it in the messages",
        ),
    ];
    match cases.into_iter().find(|(is_asked, ..)| *is_asked) {
        Some((_, field, reason)) => Err(Refusal::unsupported(field, reason)),
        None => Ok(()),
    }
}

/// What the engine is asked.
///
/// # Errors
/// Names the field that is wrong.
pub(in crate::server) fn completion(
    site: &Site,
    wire: ChatCompletionRequest,
    local: LocalOptions,
    settings: SamplingParams,
) -> Result<CompletionRequest, Refusal> {
    let fields = Fields {
        temperature: wire.temperature,
        top_p: wire.top_p,
        presence_penalty: wire.presence_penalty,
        frequency_penalty: wire.frequency_penalty,
        seed: wire.seed,
        max_tokens: wire.max_completion_tokens.or(wire.max_tokens).or(local.n_predict),
        stop: wire.stop.as_ref(),
        logit_bias: wire.logit_bias.as_ref(),
    };
    let sampling = sampling(settings, &fields)?;
    let model = site.names().meant(wire.model.as_deref());
    let answer = answer(&wire)?;
    let go_on = goes_on(&wire)?;
    let (tools, tool_choice) = tools::tools(wire.tools.unwrap_or_default(), wire.tool_choice)?;
    let messages = messages::prompt(wire.messages)?;
    let mut request = CompletionRequest {
        sampling,
        answer: AnswerOptions {
            tools,
            tool_choice,
            ..answer
        },
        ..CompletionRequest::new(model, Prompt::Chat { messages, go_on })
    };
    options::apply(local, &mut request)?;
    request.validate()?;
    Ok(request)
}

/// Whether the last message is gone on with: an answer that stands last has been begun for the model, unless it is said
/// otherwise.
///
/// # Errors
/// Where no answer stands last, or where nothing shall be answered at all.
fn goes_on(wire: &ChatCompletionRequest) -> Result<bool, Refusal> {
    const GO_ON: &str = "continue_final_message";
    const ANSWER: &str = "add_generation_prompt";
    let is_answer = matches!(
        wire.messages.last(),
        Some(ChatMessage::Assistant { tool_calls: None, .. })
    );
    let goes_on = wire.continue_final_message.unwrap_or(is_answer);
    match wire.add_generation_prompt {
        _ if goes_on && !is_answer => Err(Refusal::field(
            GO_ON,
            "needs an answer of the model as the last message",
        )),
        Some(true) if wire.continue_final_message == Some(true) => {
            Err(Refusal::field(GO_ON, format!("and {ANSWER} cannot both be true")))
        }
        Some(false) if !goes_on => Err(Refusal::unsupported(
            ANSWER,
            "is true here unless an answer is gone on with: the text is that to which an answer is written",
        )),
        _ => Ok(goes_on),
    }
}

/// What the answer shall be like, but for its tools.
fn answer(wire: &ChatCompletionRequest) -> Result<AnswerOptions, Refusal> {
    let mut answer = AnswerOptions {
        one_tool_only: wire.parallel_tool_calls == Some(false),
        format: format(wire.response_format.as_ref()),
        logprobs: logprobs(wire)?,
        ..AnswerOptions::default()
    };
    if let Some(effort) = &wire.reasoning_effort {
        reason("reasoning_effort", effort, &mut answer)?;
    }
    Ok(answer)
}

/// How much a model thinks: switched off and on where it can be, with a limit, and told to templates that know efforts.
///
/// # Errors
/// Where there is no such effort.
pub(in crate::server) fn reason(
    field: &str,
    effort: &str,
    answer: &mut AnswerOptions,
) -> Result<(), Refusal> {
    if effort == "none" {
        answer.reasoning.enabled = Some(false);
        return Ok(());
    }
    let known = EFFORTS.iter().find(|(name, _)| *name == effort);
    let Some((name, budget)) = known else {
        let names: Vec<_> = EFFORTS.iter().map(|(name, _)| *name).collect();
        let problem = format!("is {effort:?} and must be none, {}", names.join(", "));
        return Err(Refusal::field(field, problem));
    };
    answer.reasoning.enabled = Some(true);
    answer.reasoning.budget = *budget;
    answer
        .template_arguments
        .insert("reasoning_effort".into(), (*name).into());
    Ok(())
}

/// The form of the text.
pub(in crate::server) fn format(format: Option<&ResponseFormat>) -> Format {
    match format {
        None | Some(ResponseFormat::Text) => Format::Text,
        Some(ResponseFormat::JsonObject { schema: None }) => Format::JsonObject,
        Some(ResponseFormat::JsonObject { schema: Some(schema) }) => Format::JsonSchema(schema.clone()),
        Some(ResponseFormat::JsonSchema { json_schema }) => match &json_schema.schema {
            Some(schema) => Format::JsonSchema(schema.clone()),
            None => Format::JsonObject,
        },
    }
}

fn logprobs(wire: &ChatCompletionRequest) -> Result<Option<u32>, Refusal> {
    match (wire.logprobs, wire.top_logprobs) {
        (Some(true), top) => Ok(Some(top.unwrap_or(0))),
        (_, None | Some(0)) => Ok(None),
        (_, Some(_)) => Err(Refusal::field("top_logprobs", "needs logprobs to be true")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn an_answer_that_stands_last_is_gone_on_with_unless_it_is_said_otherwise() {
        const GO_ON: &str = "continue_final_message";
        const ANSWER: &str = "add_generation_prompt";
        let question = json!({"role": "user", "content": "Hi"});
        let begun = json!({"role": "assistant", "content": "He"});
        let calls = json!({"role": "assistant", "tool_calls": [
            {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]});
        let without = json!({"role": "assistant", "content": "He", "tool_calls": []});
        // All that openai-python and LiteLLM write out of an answer.
        let whole = json!({"role": "assistant", "content": "He", "tool_calls": null, "function_call": null,
            "refusal": null, "audio": null, "annotations": [], "reasoning_content": null,
            "provider_specific_fields": null});
        let cases = [
            (&question, json!({}), Ok(false)),
            (&begun, json!({}), Ok(true)),
            (&calls, json!({}), Ok(false)),
            (&without, json!({}), Ok(true)),
            (&whole, json!({}), Ok(true)),
            (&begun, json!({GO_ON: true, ANSWER: false}), Ok(true)),
            (&begun, json!({GO_ON: false}), Ok(false)),
            (&begun, json!({ANSWER: true}), Ok(true)),
            (&begun, json!({ANSWER: false}), Ok(true)),
            (&question, json!({ANSWER: true}), Ok(false)),
            (&question, json!({ANSWER: false}), Err(ANSWER)),
            (&begun, json!({GO_ON: false, ANSWER: false}), Err(ANSWER)),
            (&begun, json!({GO_ON: true, ANSWER: true}), Err(GO_ON)),
            (&question, json!({GO_ON: true}), Err(GO_ON)),
            (&calls, json!({GO_ON: true}), Err(GO_ON)),
        ];
        for (last, options, expected) in cases {
            let mut request = options.clone();
            request["messages"] = json!([last]);
            let request = serde_json::from_value(request).expect("a request");
            let found = goes_on(&request).map_err(|refusal| refusal.param.unwrap_or_default());
            assert_eq!(found, expected.map_err(str::to_owned), "{last} {options}");
        }
    }

    fn refused(fields: &Value) -> Option<String> {
        let beyond = serde_json::from_value(fields.clone()).expect("fields");
        refuse_beyond(&beyond).err().and_then(|refusal| refusal.param)
    }

    /// OpenAI's description 2.3.0 of a request: what is not here is honoured.
    #[test]
    fn what_cannot_be_honoured_is_named_and_what_changes_nothing_passes() {
        let cases = [
            (json!({"audio": {"voice": "x"}}), Some("audio")),
            (json!({"modalities": ["text", "audio"]}), Some("audio")),
            (json!({"modalities": ["text", "image"]}), Some("modalities")),
            (json!({"functions": [{"name": "f"}]}), Some("functions")),
            (json!({"function_call": "auto"}), Some("function_call")),
            (
                json!({"functions": [], "function_call": "none", "modalities": []}),
                None,
            ),
            (json!({"web_search_options": {}}), Some("web_search_options")),
            (json!({"store": true}), Some("store")),
            (json!({"verbosity": "low"}), Some("verbosity")),
            (
                json!({"audio": null, "modalities": ["text"], "functions": null, "function_call": null,
                    "web_search_options": null, "store": false, "verbosity": "medium"}),
                None,
            ),
            (
                json!({"metadata": {"a": "b"}, "user": "x", "safety_identifier": "x", "prompt_cache_key": "x",
                    "prompt_cache_retention": "24h", "service_tier": "flex",
                    "prediction": {"type": "content", "content": "x"}}),
                None,
            ),
        ];
        for (fields, named) in cases {
            assert_eq!(refused(&fields).as_deref(), named, "{fields}");
        }
    }

    #[test]
    fn logprobs_are_told_as_many_as_are_asked_for() {
        let told = |fields: Value| {
            let mut wire = json!({"messages": []});
            for (name, value) in fields.as_object().expect("fields") {
                wire[name] = value.clone();
            }
            logprobs(&serde_json::from_value(wire).expect("a request")).map_err(|refusal| refusal.param)
        };
        assert_eq!(told(json!({})), Ok(None));
        assert_eq!(told(json!({"logprobs": true})), Ok(Some(0)));
        assert_eq!(told(json!({"logprobs": true, "top_logprobs": 3})), Ok(Some(3)));
        assert_eq!(told(json!({"logprobs": false, "top_logprobs": 0})), Ok(None));
        assert_eq!(told(json!({"top_logprobs": 3})), Err(Some("top_logprobs".into())));
    }
}

//! What fields are called on the wire. Errors of the engine speak of Hearth's own names; a client is told the one that it
//! wrote.

use std::collections::HashMap;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde::de::IgnoredAny;

use super::refusal::Refusal;

/// A field by Hearth's name, and what it may be called on the wire, the usual name first.
type Row = (&'static str, &'static [&'static str]);

/// The names of an interface where they are not Hearth's.
pub(super) struct FieldNames(&'static [Row]);

/// What llama.cpp's fields are called in every interface.
const LOCAL: &[Row] = &[
    ("dynamic_temperature_range", &["dynatemp_range"]),
    ("dynamic_temperature_exponent", &["dynatemp_exponent"]),
    ("typical_p", &["typical_p", "typ_p"]),
    ("repeat_penalty", &["repeat_penalty", "repetition_penalty"]),
    ("xtc.probability", &["xtc_probability"]),
    ("xtc.threshold", &["xtc_threshold"]),
    ("dry.multiplier", &["dry_multiplier"]),
    ("dry.base", &["dry_base"]),
    ("dry.sequence_breakers", &["dry_sequence_breakers"]),
    ("mirostat.tau", &["mirostat_tau"]),
    ("mirostat.eta", &["mirostat_eta"]),
    ("slot", &["id_slot"]),
    ("template_arguments", &["chat_template_kwargs"]),
];

pub(super) const CHAT: FieldNames = FieldNames(&[
    (
        "max_tokens",
        &["max_completion_tokens", "max_tokens", "n_predict"],
    ),
    ("response_format", &["response_format", "json_schema", "grammar"]),
    ("content", &["messages"]),
]);

pub(super) const COMPLETIONS: FieldNames = FieldNames(&[
    ("max_tokens", &["max_tokens", "n_predict"]),
    ("top_logprobs", &["logprobs"]),
    ("response_format", &["json_schema", "grammar"]),
    ("the gap", &["suffix"]),
]);

pub(super) const EMBEDDINGS: FieldNames = FieldNames(&[]);

pub(super) const RESPONSES: FieldNames = FieldNames(&[
    ("max_tokens", &["max_output_tokens", "n_predict"]),
    ("response_format", &["text.format", "json_schema", "grammar"]),
    ("messages", &["input"]),
    ("content", &["input"]),
]);

pub(super) const MESSAGES: FieldNames = FieldNames(&[
    ("stop", &["stop_sequences", "stop"]),
    (
        "response_format",
        &["output_config.format", "output_format", "json_schema", "grammar"],
    ),
    ("content", &["messages"]),
]);

pub(super) const NATIVE: FieldNames = FieldNames(&[
    ("max_tokens", &["n_predict", "max_tokens"]),
    ("top_logprobs", &["n_probs"]),
    ("response_format", &["json_schema", "grammar"]),
    ("the gap", &["input_prefix"]),
    ("content", &["logit_bias"]),
]);

pub(super) const NATIVE_EMBEDDINGS: FieldNames = FieldNames(&[("input", &["content", "input"])]);

impl FieldNames {
    /// Names the field of a refusal as the body of the request does.
    fn put_into(&self, refusal: &mut Refusal, body: &[u8]) {
        let Some(own) = &refusal.param else {
            return;
        };
        let Some(wire) = self.wire(own, body) else {
            return;
        };
        if let Some(problem) = refusal.message.strip_prefix(own.as_str()) {
            refusal.message = format!("{wire}{problem}");
        }
        refusal.param = Some(wire);
    }

    /// What a field is called on the wire; `None` where it has the same name there.
    fn wire(&self, own: &str, body: &[u8]) -> Option<String> {
        // One of several texts to embed is named by its number.
        let numbered = own.split_once(' ').and_then(|(own, number)| {
            let place = number.parse::<usize>().ok()?.checked_sub(1)?;
            Some((own, format!("[{place}]")))
        });
        let (own, place) = numbered.unwrap_or((own, String::new()));
        let row = self.0.iter().chain(LOCAL).find(|(known, _)| *known == own);
        let names = row.map_or(&[][..], |(_, names)| *names);
        let name = match names {
            [] if place.is_empty() => return None,
            [] => own,
            [only] => only,
            [usual, ..] => {
                let written: HashMap<String, IgnoredAny> = serde_json::from_slice(body).unwrap_or_default();
                let is_written = |name: &&&str| {
                    let first = name.split('.').next().unwrap_or(name);
                    written.contains_key(first)
                };
                names.iter().find(is_written).unwrap_or(usual)
            }
        };
        Some(format!("{name}{place}"))
    }
}

/// Lets a request through, and names the field of a refusal as the client did.
pub(super) async fn put_right(names: &'static FieldNames, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    // The guard has read it whole.
    let body: Bytes = match axum::body::to_bytes(body, usize::MAX).await {
        Ok(body) => body,
        Err(error) => {
            let message = format!("The body could not be read: {error}.");
            return Refusal::new(StatusCode::BAD_REQUEST, message).into_response();
        }
    };
    let request = Request::from_parts(parts, Body::from(body.clone()));
    let mut response = next.run(request).await;
    if let Some(refusal) = response.extensions_mut().get_mut::<Refusal>() {
        names.put_into(refusal, &body);
    }
    response
}

#[cfg(test)]
mod tests {
    use hearth_protocol::completion::CompletionRequest;
    use hearth_protocol::llama_cpp::options::LocalOptions;
    use hearth_protocol::prompt::Prompt;
    use serde_json::{Value, json};

    use super::*;
    use crate::server::options;

    /// What a client of each interface is told of these fields.
    fn told(names: &FieldNames, fields: &Value) -> Option<String> {
        let local: LocalOptions = serde_json::from_value(fields.clone()).expect("options");
        let mut request = CompletionRequest::new(None, Prompt::Text(Vec::new()));
        let checked = options::apply(local, &mut request).and_then(|()| Ok(request.validate()?));
        let mut refusal = checked.err()?;
        names.put_into(&mut refusal, fields.to_string().as_bytes());
        let param = refusal.param?;
        assert!(refusal.message.starts_with(&param), "{}", refusal.message);
        Some(param)
    }

    /// The engine's own names of these were told to clients that had never heard of them.
    #[test]
    fn every_sampling_field_is_refused_by_the_name_that_was_written() {
        let wrong = [
            json!({"top_k": 400, "samplers": ["top_k", "infill"]}),
            json!({"min_p": 2}),
            json!({"typical_p": 2}),
            json!({"typ_p": 2}),
            json!({"top_n_sigma": 101}),
            json!({"xtc_probability": 2}),
            json!({"xtc_threshold": 2, "xtc_probability": 0.5}),
            json!({"dynatemp_range": 9}),
            json!({"dynatemp_exponent": 11}),
            json!({"repeat_penalty": 0}),
            json!({"repetition_penalty": 0}),
            json!({"dry_multiplier": 101}),
            json!({"dry_base": 0.5, "dry_multiplier": 1}),
            json!({"dry_sequence_breakers": vec!["x"; 65], "dry_multiplier": 1}),
            json!({"mirostat": 3}),
            json!({"mirostat_tau": 101, "mirostat": 2}),
            json!({"mirostat_eta": 2, "mirostat": 2}),
            json!({"id_slot": -2}),
            json!({"samplers": ["x"]}),
            json!({"grammar": "root ::= \"a\"", "json_schema": {}}),
            json!({"keep_alive": "soon"}),
        ];
        for names in [&CHAT, &COMPLETIONS, &RESPONSES, &MESSAGES, &NATIVE] {
            for fields in &wrong {
                let told = told(names, fields).expect("a refusal");
                let written = fields.as_object().expect("fields");
                assert!(written.contains_key(&told), "{told} for {fields}");
                // The field itself, and not one that stands beside it to switch it on.
                let beside = ["xtc_probability", "dry_multiplier", "mirostat"];
                assert!(
                    written.len() == 1 || !beside.contains(&told.as_str()),
                    "{told} for {fields}"
                );
            }
        }
    }

    #[test]
    fn what_interfaces_call_otherwise_is_called_so() {
        let cases = [
            (&CHAT, "max_tokens", json!({}), "max_completion_tokens"),
            (&CHAT, "max_tokens", json!({"max_tokens": 1}), "max_tokens"),
            (&CHAT, "top_logprobs", json!({}), "top_logprobs"),
            (&CHAT, "response_format", json!({"grammar": "x"}), "grammar"),
            (&CHAT, "slot", json!({}), "id_slot"),
            (&CHAT, "template_arguments", json!({}), "chat_template_kwargs"),
            (&COMPLETIONS, "top_logprobs", json!({}), "logprobs"),
            (&COMPLETIONS, "the gap", json!({}), "suffix"),
            (&COMPLETIONS, "prompt", json!({}), "prompt"),
            (&EMBEDDINGS, "input 2", json!({}), "input[1]"),
            (&EMBEDDINGS, "dimensions", json!({}), "dimensions"),
            (&RESPONSES, "max_tokens", json!({}), "max_output_tokens"),
            (&RESPONSES, "messages", json!({}), "input"),
            (&RESPONSES, "response_format", json!({"text": {}}), "text.format"),
            (&MESSAGES, "stop", json!({}), "stop_sequences"),
            (
                &MESSAGES,
                "response_format",
                json!({"output_format": {}}),
                "output_format",
            ),
            (&NATIVE, "max_tokens", json!({}), "n_predict"),
            (&NATIVE, "top_logprobs", json!({}), "n_probs"),
            (&NATIVE, "the gap", json!({}), "input_prefix"),
            (
                &NATIVE_EMBEDDINGS,
                "input 1",
                json!({"content": ""}),
                "content[0]",
            ),
            (&NATIVE_EMBEDDINGS, "input 1", json!({"input": ""}), "input[0]"),
        ];
        for (names, own, body, wire) in cases {
            let mut refusal = Refusal::field(own, "is wrong");
            names.put_into(&mut refusal, body.to_string().as_bytes());
            assert_eq!(
                (refusal.param.as_deref(), refusal.message),
                (Some(wire), format!("{wire} is wrong.")),
                "{own} in {body}"
            );
        }
    }
}

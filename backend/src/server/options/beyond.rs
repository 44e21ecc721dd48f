//! What llama.cpp's server knows and Hearth cannot do: asked for, it is refused by name.

use hearth_protocol::llama_cpp::options::LocalOptions;

use crate::server::refusal::Refusal;

/// The forms of thinking's place in an answer that are Hearth's: beside the text.
const REASONING_FORMATS: [&str; 3] = ["auto", "deepseek", ""];

/// Refuses what cannot be honoured, by name. What is said and changes nothing passes.
///
/// # Errors
/// Names the first such field.
pub(super) fn refuse(options: &LocalOptions, is_chat: bool) -> Result<(), Refusal> {
    let is_set = |count: Option<i64>| count.is_some_and(|count| count > 0);
    let reasoning = options.reasoning_format.as_deref();
    let cases = [
        (
            options.post_sampling_probs == Some(true),
            "post_sampling_probs",
            "is not there: probabilities are those before any sampler",
        ),
        (
            is_set(options.min_keep),
            "min_keep",
            "is not there: samplers may leave one token",
        ),
        (
            options.n_keep.is_some_and(|count| count != 0),
            "n_keep",
            "is not there: a full context ends the answer",
        ),
        (
            is_set(options.n_discard),
            "n_discard",
            "is not there: a full context ends the answer",
        ),
        (
            options.adaptive_target.is_some_and(|target| target >= 0.0),
            "adaptive_target",
            "is not there: this sampler is not built in",
        ),
        (
            options.lora.as_ref().is_some_and(|adapters| !adapters.is_empty()),
            "lora",
            "cannot differ between requests; load the model with its adapters",
        ),
        (
            options.grammar_lazy == Some(true),
            "grammar_lazy",
            "is not there: a grammar holds from the first token on",
        ),
        (
            options.parse_tool_calls == Some(false),
            "parse_tool_calls",
            "is always true here; leave the tools out to have text alone",
        ),
        (
            reasoning.is_some_and(|format| !REASONING_FORMATS.contains(&format)),
            "reasoning_format",
            "is always auto here: thinking stands beside the text",
        ),
        (
            !is_chat
                && options
                    .chat_template_kwargs
                    .as_ref()
                    .is_some_and(|arguments| !arguments.is_empty()),
            "chat_template_kwargs",
            "goes with messages only: no template writes this prompt",
        ),
    ];
    match cases.into_iter().find(|(is_asked, ..)| *is_asked) {
        Some((_, field, reason)) => Err(Refusal::unsupported(field, reason)),
        None => Ok(()),
    }
}

/// Refuses to tell how far an answer is, where a format's stream has no place for it.
///
/// # Errors
/// Names the field.
pub(in crate::server) fn refuse_telling(options: &LocalOptions) -> Result<(), Refusal> {
    let reason = "is not there in this format; use /v1/chat/completions";
    for (is_asked, field) in [
        (options.return_progress, "return_progress"),
        (options.timings_per_token, "timings_per_token"),
    ] {
        if is_asked == Some(true) {
            return Err(Refusal::unsupported(field, reason));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn param(fields: &Value, is_chat: bool) -> Option<String> {
        let options = serde_json::from_value(fields.clone()).expect("fields");
        let refused = refuse(&options, is_chat).and_then(|()| refuse_telling(&options));
        refused.err().and_then(|refusal| refusal.param)
    }

    #[test]
    fn what_cannot_be_honoured_is_refused_by_name() {
        let cases = [
            json!({"post_sampling_probs": true}),
            json!({"min_keep": 1}),
            json!({"n_keep": -1}),
            json!({"n_discard": 3}),
            json!({"adaptive_target": 0.5}),
            json!({"lora": [{"id": 0, "scale": 1}]}),
            json!({"grammar_lazy": true}),
            json!({"parse_tool_calls": false}),
            json!({"reasoning_format": "none"}),
            json!({"return_progress": true}),
            json!({"timings_per_token": true}),
        ];
        for fields in cases {
            let name = fields
                .as_object()
                .and_then(|fields| fields.keys().next().cloned());
            assert_eq!(param(&fields, false), name);
            assert_eq!(param(&fields, true), name);
        }
        let of_templates = json!({"chat_template_kwargs": {"x": 1}});
        assert_eq!(
            (param(&of_templates, true), param(&of_templates, false).as_deref()),
            (None, Some("chat_template_kwargs"))
        );
    }

    #[test]
    fn what_changes_nothing_passes() {
        let fields = json!({
            "post_sampling_probs": false, "min_keep": 0, "n_keep": 0, "n_discard": 0, "adaptive_target": -1.0,
            "adaptive_decay": 0.9, "lora": [], "grammar_lazy": false, "parse_tool_calls": true,
            "reasoning_format": "auto", "return_progress": false, "timings_per_token": false,
            "chat_template_kwargs": {}, "t_max_prompt_ms": 500, "n_cache_reuse": 256,
            "speculative.n_max": 4, "backend_sampling": true, "verbose": true,
        });
        assert_eq!((param(&fields, false), param(&fields, true)), (None, None));
    }
}

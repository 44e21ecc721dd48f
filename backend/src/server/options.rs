//! What local servers take in every request for an answer, beside the fields of a standard.

mod beyond;
pub(super) mod samplers;
pub(super) mod sampling;

pub(super) use beyond::refuse_telling;

use hearth_protocol::answer::{AnswerOptions, Format};
use hearth_protocol::completion::CompletionRequest;
use hearth_protocol::engine::KeepLoaded;
use hearth_protocol::llama_cpp::options::{DrawOptions, LocalOptions};
use hearth_protocol::prompt::Prompt;
use serde_json::Value;

use super::body::parse;
use super::refusal::Refusal;

/// What a request says beside the fields of an interface that tells little of how tokens are drawn.
#[derive(Debug, Default)]
pub(super) struct Asked {
    pub(super) local: LocalOptions,
    pub(super) draw: DrawOptions,
}

impl Asked {
    /// What a body says.
    ///
    /// # Errors
    /// Names the field that is wrong.
    pub(super) fn of(body: &[u8]) -> Result<Self, Refusal> {
        Ok(Self {
            local: parse(body)?,
            draw: parse(body)?,
        })
    }
}

/// Puts the options into a request.
///
/// # Errors
/// Names the field that cannot be what it is.
pub(super) fn apply(options: LocalOptions, request: &mut CompletionRequest) -> Result<(), Refusal> {
    beyond::refuse(&options, matches!(*request.prompt, Prompt::Chat { .. }))?;
    request.keep = keep(options.ttl, options.keep_alive.as_ref())?;
    request.ignore_end = options.ignore_eos.unwrap_or(false);
    request.slot = slot(options.id_slot)?;
    sampling::apply(&options, &mut request.sampling)?;
    answer(options, &mut request.answer)
}

/// The slot that is meant; -1 is any.
fn slot(slot: Option<i64>) -> Result<Option<u32>, Refusal> {
    match slot {
        None | Some(-1) => Ok(None),
        Some(slot) => {
            let number = u32::try_from(slot).map_err(|_| {
                Refusal::field(
                    "id_slot",
                    format!("is {slot} and must be a slot's number, or -1 for any"),
                )
            })?;
            Ok(Some(number))
        }
    }
}

fn answer(options: LocalOptions, answer: &mut AnswerOptions) -> Result<(), Refusal> {
    let grammar = options.grammar.filter(|grammar| !grammar.trim().is_empty());
    let form = match (grammar, options.json_schema) {
        (Some(_), Some(_)) => {
            return Err(Refusal::field(
                "grammar",
                "and json_schema each demand a form; leave one out",
            ));
        }
        (Some(grammar), None) => Some(("grammar", Format::Gbnf(grammar))),
        (None, Some(schema)) => Some(("json_schema", Format::JsonSchema(schema))),
        (None, None) => None,
    };
    if let Some((field, form)) = form {
        if answer.format != Format::Text {
            return Err(Refusal::field(
                field,
                "and response_format each demand a form; leave one out",
            ));
        }
        answer.format = form;
    }
    if options.cache_prompt == Some(false) {
        answer.deterministic = true;
    }
    if let Some(budget) = options.thinking_budget_tokens {
        answer.reasoning.budget = u32::try_from(budget).ok().filter(|budget| *budget > 0);
        if budget == 0 {
            answer.reasoning.enabled = Some(false);
        }
    }
    if let Some(mut arguments) = options.chat_template_kwargs {
        // Templates know it by several names; the engine sets them all.
        if let Some(thinks) = arguments.remove("enable_thinking") {
            let thinks = thinks.as_bool().ok_or_else(|| {
                Refusal::field("chat_template_kwargs.enable_thinking", "must be true or false")
            })?;
            answer.reasoning.enabled = Some(thinks);
        }
        answer.template_arguments.extend(arguments);
    }
    Ok(())
}

/// How long the model stays, by the two fields that say it.
pub(super) fn keep(ttl: Option<u32>, keep_alive: Option<&Value>) -> Result<KeepLoaded, Refusal> {
    match (ttl, keep_alive) {
        (Some(seconds), _) => Ok(KeepLoaded::Seconds(seconds)),
        (None, None) => Ok(KeepLoaded::Default),
        (None, Some(keep)) => {
            stay(keep).ok_or_else(|| Refusal::field("keep_alive", "must be seconds, or a time such as 5m"))
        }
    }
}

/// How long seconds or a time such as `5m` are; less than 0 is for good.
pub(super) fn stay(keep: &Value) -> Option<KeepLoaded> {
    let seconds = match keep {
        Value::Number(seconds) => seconds.as_f64(),
        Value::String(text) => duration(text),
        _ => None,
    };
    let seconds = seconds.filter(|seconds| seconds.is_finite())?;
    Some(match seconds < 0.0 {
        true => KeepLoaded::Always,
        // Part of a second is more than none, after which the model would leave at once.
        false => KeepLoaded::Seconds(seconds.ceil() as u32),
    })
}

/// Seconds in a text such as `90`, `5m` or `1h30m`.
fn duration(text: &str) -> Option<f64> {
    let text = text.trim();
    if text.is_empty() || text == "-" {
        return None;
    }
    if let Ok(seconds) = text.parse() {
        return Some(seconds);
    }
    let (sign, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text),
    };
    let mut seconds = 0.0;
    while !rest.is_empty() {
        let digits = rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.')?;
        let (number, behind) = rest.split_at(digits);
        let end = behind
            .find(|letter: char| letter.is_ascii_digit())
            .unwrap_or(behind.len());
        let (unit, behind) = behind.split_at(end);
        let scale = match unit {
            "ms" => 0.001,
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3600.0,
            _ => return None,
        };
        seconds += number.parse::<f64>().ok()? * scale;
        rest = behind;
    }
    Some(sign * seconds)
}

#[cfg(test)]
mod tests {
    use hearth_protocol::prompt::Prompt;
    use serde_json::json;

    use super::*;

    fn applied(json: Value) -> Result<CompletionRequest, Refusal> {
        let options: LocalOptions = serde_json::from_value(json).expect("options");
        let mut request = CompletionRequest::new(None, Prompt::Text(Vec::new()));
        apply(options, &mut request).map(|()| request)
    }

    #[test]
    fn a_slot_is_a_number_or_any() {
        let slot = |slot: i64| applied(json!({"id_slot": slot})).map(|request| request.slot);
        assert_eq!((slot(-1), slot(3)), (Ok(None), Ok(Some(3))));
        for wrong in [-2, 1 << 32] {
            let refused = slot(wrong).expect_err("no slot");
            assert_eq!(refused.param.as_deref(), Some("id_slot"));
        }
    }

    #[test]
    fn thinking_has_the_limit_that_is_said() {
        for (budget, enabled, expected) in [(-1, None, None), (0, Some(false), None), (64, None, Some(64))] {
            let request = applied(json!({"thinking_budget_tokens": budget})).expect("applied");
            let reasoning = request.answer.reasoning;
            assert_eq!(
                (reasoning.enabled, reasoning.budget),
                (enabled, expected),
                "{budget}"
            );
        }
    }

    #[test]
    fn an_empty_grammar_is_none() {
        let request = applied(json!({"grammar": ""})).expect("applied");
        assert_eq!(request.answer, AnswerOptions::default());
    }

    #[test]
    fn a_model_stays_as_long_as_is_said() {
        let cases = [
            (json!({}), Some(KeepLoaded::Default)),
            (json!({"ttl": 60}), Some(KeepLoaded::Seconds(60))),
            (json!({"keep_alive": "1h30m"}), Some(KeepLoaded::Seconds(5400))),
            (json!({"keep_alive": "-1m"}), Some(KeepLoaded::Always)),
            (json!({"keep_alive": -1}), Some(KeepLoaded::Always)),
            (json!({"keep_alive": 0}), Some(KeepLoaded::Seconds(0))),
            (json!({"keep_alive": "0s"}), Some(KeepLoaded::Seconds(0))),
            (json!({"keep_alive": 0.25}), Some(KeepLoaded::Seconds(1))),
            (json!({"keep_alive": "1500ms"}), Some(KeepLoaded::Seconds(2))),
            (json!({"keep_alive": 1e12}), Some(KeepLoaded::Seconds(u32::MAX))),
            (json!({"keep_alive": ""}), None),
            (json!({"keep_alive": " "}), None),
            (json!({"keep_alive": "-"}), None),
            (json!({"keep_alive": "nan"}), None),
            (json!({"keep_alive": "inf"}), None),
            (json!({"keep_alive": "-inf"}), None),
            (json!({"keep_alive": "1e999"}), None),
            (json!({"keep_alive": "soon"}), None),
            (json!({"keep_alive": {}}), None),
        ];
        for (json, keep) in cases {
            let applied = applied(json.clone());
            assert_eq!(applied.map(|request| request.keep).ok(), keep, "{json}");
        }
    }

    #[test]
    fn two_forms_of_one_text_are_refused() {
        let refused = applied(json!({"grammar": "root ::= \"a\"", "json_schema": {}})).expect_err("two");
        assert_eq!(refused.param.as_deref(), Some("grammar"));
    }
}

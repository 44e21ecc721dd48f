//! The whole answer to a prompt, and what of it is told.

use hearth_protocol::answer::{Logprobs, TokenChance};
use hearth_protocol::generate::StopReason;
use hearth_protocol::llama_cpp::completion::CompletionOptions;
use hearth_protocol::llama_cpp::options::LocalOptions;
use serde_json::{Map, Value, json};

use super::limits::Limits;
use crate::server::llama_cpp::timings;
use crate::server::openai::logprobs::{finite, text};
use crate::server::run::Whole;

/// What is told of answers, and what is known of them before they begin.
#[derive(Debug, Clone, Default)]
pub(super) struct Asked {
    /// Whether the answers are a list, even one of one.
    pub(super) is_list: bool,
    pub(super) stream: bool,
    pub(super) n_probs: u32,
    pub(super) return_tokens: bool,
    pub(super) timings_per_token: bool,
    pub(super) progress: bool,
    /// What ends an answer before the model does.
    pub(super) limits: Option<Limits>,
    /// Paths of the fields that are told; empty tells all.
    pub(super) fields: Vec<String>,
    pub(super) model: String,
    pub(super) slot: Option<u32>,
    pub(super) settings: Value,
    /// The prompts as the model reads them, one for each answer.
    pub(super) prompts: Vec<Option<String>>,
}

impl Asked {
    pub(super) fn new(options: &CompletionOptions, local: &LocalOptions, is_list: bool) -> Self {
        Self {
            is_list,
            stream: options.stream.unwrap_or(false),
            n_probs: options.n_probs.unwrap_or(0),
            return_tokens: options.return_tokens.unwrap_or(false),
            timings_per_token: local.timings_per_token.unwrap_or(false),
            progress: local.return_progress.unwrap_or(false),
            limits: Limits::of(options),
            fields: options.response_fields.clone().unwrap_or_default(),
            ..Self::default()
        }
    }

    /// Whether this field of the answer is told.
    pub(super) fn shows(&self, field: &str) -> bool {
        self.fields.is_empty()
            || self
                .fields
                .iter()
                .any(|path| path.split('/').next() == Some(field))
    }

    /// The number of the slot, as it is told; -1 where any was right.
    pub(super) fn slot(&self) -> i64 {
        self.slot.map_or(-1, i64::from)
    }

    /// A whole answer.
    pub(super) fn answer(&self, index: usize, answer: &Whole) -> Value {
        let mut json = self.end(index, answer);
        if let Value::Object(fields) = &mut json {
            fields.insert("content".into(), answer.text.as_str().into());
            if self.return_tokens {
                fields.insert("tokens".into(), tokens(&answer.logprobs));
            }
            if self.n_probs > 0 {
                let probabilities = probabilities(&answer.logprobs);
                fields.insert("completion_probabilities".into(), probabilities);
            }
        }
        self.choose(json)
    }

    /// The end of an answer, without what has been told piece by piece.
    pub(super) fn end(&self, index: usize, answer: &Whole) -> Value {
        let (stop_type, stopping_word) = stop(answer.stop.as_ref());
        let stats = &answer.stats;
        let is_full = matches!(answer.stop, Some(StopReason::ContextFull));
        json!({
            "index": index,
            "content": "",
            "tokens": [],
            "id_slot": self.slot(),
            "stop": true,
            "model": self.model,
            "tokens_predicted": stats.generated_tokens,
            "tokens_evaluated": stats.prompt_tokens,
            "generation_settings": self.settings,
            "prompt": self.prompts.get(index),
            "has_new_line": answer.text.contains('\n'),
            "truncated": is_full || stats.messages_left_out > 0,
            "stop_type": stop_type,
            "stopping_word": stopping_word,
            "tokens_cached": stats.context_used,
            "timings": timings::of(stats),
        })
    }

    /// The fields that are told. Those within others stand beside the rest, by their paths.
    pub(super) fn choose(&self, json: Value) -> Value {
        if self.fields.is_empty() {
            return json;
        }
        let found = self.fields.iter().filter_map(|path| {
            let value = path.split('/').try_fold(&json, |value, key| value.get(key))?;
            Some((path.clone(), value.clone()))
        });
        Value::Object(found.collect::<Map<_, _>>())
    }
}

/// Why an answer ended: llama.cpp's name of the kind, and the text that ended it.
fn stop(stop: Option<&StopReason>) -> (&'static str, &str) {
    match stop {
        Some(StopReason::EndOfText) => ("eos", ""),
        Some(StopReason::TokenLimit | StopReason::ContextFull) => ("limit", ""),
        Some(StopReason::StopString { text }) => ("word", text),
        _ => ("none", ""),
    }
}

/// The ids of tokens.
pub(super) fn tokens(tokens: &[Logprobs]) -> Value {
    tokens.iter().map(|token| token.chosen.token).collect()
}

/// How likely tokens were.
pub(super) fn probabilities(tokens: &[Logprobs]) -> Value {
    let of = |token: &Logprobs| {
        let mut json = chance(&token.chosen);
        json["top_logprobs"] = token.top.iter().map(chance).collect();
        json
    };
    tokens.iter().map(of).collect()
}

fn chance(chance: &TokenChance) -> Value {
    json!({
        "id": chance.token,
        "token": text(chance),
        "bytes": chance.bytes,
        "logprob": finite(chance.logprob),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(json: Value) -> Asked {
        let options = serde_json::from_value(json.clone()).expect("fields");
        let local = serde_json::from_value(json).expect("fields");
        Asked {
            settings: json!({"n_predict": 4}),
            prompts: vec![Some("<s> Hi".into())],
            ..Asked::new(&options, &local, false)
        }
    }

    fn answer() -> Whole {
        Whole {
            text: "a\n".into(),
            stop: Some(StopReason::StopString { text: "END".into() }),
            ..Whole::default()
        }
    }

    #[test]
    fn a_whole_answer_has_every_field() {
        let json = asked(json!({})).answer(0, &answer());
        assert_eq!(
            (&json["content"], &json["prompt"]),
            (&json!("a\n"), &json!("<s> Hi"))
        );
        assert_eq!(
            (&json["stop_type"], &json["stopping_word"]),
            (&json!("word"), &json!("END"))
        );
        assert_eq!(
            (&json["has_new_line"], &json["truncated"]),
            (&json!(true), &json!(false))
        );
        assert_eq!((&json["tokens"], &json["id_slot"]), (&json!([]), &json!(-1)));
        assert!(json.get("completion_probabilities").is_none());
    }

    #[test]
    fn only_the_fields_that_are_asked_for_are_told() {
        let asked =
            asked(json!({"response_fields": ["content", "generation_settings/n_predict", "nothing/here"]}));
        let expected = json!({"content": "a\n", "generation_settings/n_predict": 4});
        assert_eq!(asked.answer(0, &answer()), expected);
        assert!(asked.shows("generation_settings") && !asked.shows("prompt"));
    }

    #[test]
    fn tokens_and_probabilities_are_told_where_they_are_asked_for() {
        let chance = |token, logprob| TokenChance {
            token,
            bytes: vec![104, 105],
            logprob,
        };
        let answer = Whole {
            logprobs: vec![Logprobs {
                chosen: chance(5, -0.5),
                top: vec![chance(7, f32::NEG_INFINITY)],
            }],
            ..Whole::default()
        };
        let json = asked(json!({"n_probs": 1, "return_tokens": true})).answer(0, &answer);
        assert_eq!(json["tokens"], json!([5]));
        let token = &json["completion_probabilities"][0];
        assert_eq!(
            (&token["id"], &token["token"], &token["logprob"]),
            (&json!(5), &json!("hi"), &json!(-0.5))
        );
        assert_eq!(
            token["top_logprobs"][0]["logprob"].as_f64(),
            Some(f64::from(f32::MIN))
        );
    }
}

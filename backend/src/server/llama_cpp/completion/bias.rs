//! `logit_bias` with texts in the place of token ids: each of a text's tokens is biased.

use hearth_protocol::completion::CompletionRequest;
use hearth_protocol::prompt::{TokenizeInput, TokenizeRequest};
use serde_json::Value;

use crate::server::listening::answer;
use crate::server::openai::sampling::logit_bias;
use crate::server::refusal::Refusal;
use crate::server::site::Site;

/// Most texts with a bias: the model is asked for the tokens of each.
const MOST_TEXTS: usize = 256;

/// The biases of a request, by token id; those of the settings where it has none.
///
/// # Errors
/// Where it is no bias, or the model cannot be asked for its tokens.
pub(super) async fn resolve(
    site: &Site,
    request: &CompletionRequest,
    bias: Option<&Value>,
) -> Result<Vec<(i32, f32)>, Refusal> {
    let Some(bias) = bias else {
        return Ok(request.sampling.logit_bias.clone());
    };
    let (texts, ids) = split(bias);
    check(texts.len())?;
    let mut resolved = logit_bias(&ids)?;
    for (text, bias) in texts {
        let tokenize = TokenizeRequest {
            model: request.model.clone(),
            input: TokenizeInput::Text {
                text,
                add_special: false,
                parse_special: true,
            },
        };
        let tokenized = answer(site.client(), |client| client.tokenize(tokenize)).await?;
        for token in tokenized.tokens {
            let pair = Value::from(vec![token.id.into(), bias.clone()]);
            resolved.extend(logit_bias(&Value::Array(vec![pair]))?);
        }
    }
    Ok(resolved)
}

/// # Errors
/// Where there are too many texts.
fn check(texts: usize) -> Result<(), Refusal> {
    if texts <= MOST_TEXTS {
        return Ok(());
    }
    let problem = format!("holds {texts} texts, and {MOST_TEXTS} are the most; give token ids instead");
    Err(Refusal::field("logit_bias", problem))
}

/// Texts with their biases, and what has ids.
fn split(bias: &Value) -> (Vec<(String, Value)>, Value) {
    let is_id = |key: &str| key.parse::<i32>().is_ok();
    match bias {
        Value::Object(entries) => {
            let (ids, texts): (Vec<_>, Vec<_>) = entries
                .iter()
                .map(|(key, bias)| (key.clone(), bias.clone()))
                .partition(|(key, _)| is_id(key));
            (texts, Value::Object(ids.into_iter().collect()))
        }
        Value::Array(entries) => {
            let (mut texts, mut ids) = (Vec::new(), Vec::new());
            for entry in entries {
                match entry.as_array().map(Vec::as_slice) {
                    Some([Value::String(text), bias]) => texts.push((text.clone(), bias.clone())),
                    _ => ids.push(entry.clone()),
                }
            }
            (texts, Value::Array(ids))
        }
        other => (Vec::new(), other.clone()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn texts_have_an_end() {
        assert_eq!(check(MOST_TEXTS), Ok(()));
        let refused = check(MOST_TEXTS + 1).expect_err("too many");
        assert_eq!(refused.param.as_deref(), Some("logit_bias"));
    }

    #[test]
    fn texts_are_told_apart_from_ids() {
        let text = |text: &str| vec![(text.to_owned(), json!(-1))];
        let cases = [
            (json!({"15": -1, " the ": -1}), text(" the "), json!({"15": -1})),
            (json!([[15, -1], ["the", -1]]), text("the"), json!([[15, -1]])),
            (json!([["15", -1]]), text("15"), json!([])),
            (json!([3]), vec![], json!([3])),
            (json!(null), vec![], json!(null)),
        ];
        for (bias, texts, ids) in cases {
            assert_eq!(split(&bias), (texts, ids), "{bias}");
        }
    }
}

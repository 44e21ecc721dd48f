//! `GET /metrics`: what has been done since Hearth began, as Prometheus reads it (text format 0.0.4).

use std::fmt::Write;
use std::time::UNIX_EPOCH;

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};

use crate::server::listening::answer;
use crate::server::metrics::Counted;
use crate::server::refusal::Refusal;
use crate::server::site::Site;

/// The text format, by its version.
const FORMAT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// When the counters began, in seconds since 1970; llama.cpp's header.
const BEGAN: &str = "process-start-time-unix";

/// Tells the counters.
pub(super) async fn metrics(State(site): State<Site>) -> Result<Response, Refusal> {
    let loaded = answer(site.client(), |client| client.list_loaded()).await?;
    let text = text(&site.metrics().counted(), loaded.len());
    let mut response = text.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(FORMAT));
    let began = site.metrics().began_at();
    let began = began.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    headers.insert(BEGAN, HeaderValue::from(began));
    Ok(response)
}

/// The counters as text: llama.cpp's names for what it has too, ours for the rest.
fn text(counted: &Counted, loaded: usize) -> String {
    let speed = |tokens: u64, seconds: f64| {
        if seconds > 0.0 {
            tokens as f64 / seconds
        } else {
            0.0
        }
    };
    let (drafted, accepted) = counted.guessed_tokens;
    // This very request is none that is worked on.
    let at_work = counted.in_flight.saturating_sub(1);
    let rows: [(&str, &str, &str, f64); 15] = [
        (
            "llamacpp:prompt_tokens_total",
            "counter",
            "Prompt tokens read.",
            counted.prompt_tokens as f64,
        ),
        (
            "llamacpp:prompt_tokens_cached_total",
            "counter",
            "Prompt tokens that stood in the cache.",
            counted.cached_tokens as f64,
        ),
        (
            "llamacpp:prompt_seconds_total",
            "counter",
            "Seconds of reading prompts.",
            counted.prompt_seconds,
        ),
        (
            "llamacpp:tokens_predicted_total",
            "counter",
            "Tokens written.",
            counted.generated_tokens as f64,
        ),
        (
            "llamacpp:tokens_predicted_seconds_total",
            "counter",
            "Seconds of writing.",
            counted.generation_seconds,
        ),
        (
            "llamacpp:n_tokens_max",
            "counter",
            "Most tokens that stood in a context.",
            f64::from(counted.most_tokens),
        ),
        (
            "llamacpp:spec_decode_num_draft_tokens_total",
            "counter",
            "Tokens guessed ahead.",
            drafted as f64,
        ),
        (
            "llamacpp:spec_decode_num_accepted_tokens_total",
            "counter",
            "Tokens guessed ahead that were right.",
            accepted as f64,
        ),
        (
            "llamacpp:prompt_tokens_seconds",
            "gauge",
            "Prompt tokens read a second, over all answers.",
            speed(counted.prompt_tokens, counted.prompt_seconds),
        ),
        (
            "llamacpp:predicted_tokens_seconds",
            "gauge",
            "Tokens written a second, over all answers.",
            speed(counted.generated_tokens, counted.generation_seconds),
        ),
        (
            "llamacpp:requests_processing",
            "gauge",
            "Requests being answered.",
            f64::from(at_work),
        ),
        (
            "llamacpp:requests_deferred",
            "gauge",
            "Answers that wait for their model.",
            f64::from(counted.waiting),
        ),
        (
            "hearth_requests_total",
            "counter",
            "Requests that came, refused ones too.",
            counted.requests as f64,
        ),
        (
            "hearth_answers_total",
            "counter",
            "Answers of models that ended well.",
            counted.answers as f64,
        ),
        (
            "hearth_models_loaded",
            "gauge",
            "Models in memory.",
            loaded as f64,
        ),
    ];
    let mut text = String::new();
    for (name, kind, help, value) in rows {
        // Writing to a text does not fail.
        let written = write!(
            text,
            "# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}\n"
        );
        debug_assert!(written.is_ok());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_has_its_help_and_its_kind() {
        let counted = Counted {
            in_flight: 1,
            generated_tokens: 10,
            generation_seconds: 2.5,
            ..Counted::default()
        };
        let text = text(&counted, 1);
        assert!(text.contains(
            "# TYPE llamacpp:tokens_predicted_total counter\nllamacpp:tokens_predicted_total 10\n"
        ));
        assert!(text.contains("\nllamacpp:predicted_tokens_seconds 4\n"), "{text}");
        assert!(text.contains("\nllamacpp:requests_processing 0\n"), "{text}");
        for value in text.lines().filter(|line| !line.starts_with('#')) {
            let (name, number) = value.split_once(' ').expect("a name and a number");
            assert!(number.parse::<f64>().is_ok_and(f64::is_finite), "{value}");
            assert!(text.contains(&format!("# HELP {name} ")), "{value}");
        }
    }
}

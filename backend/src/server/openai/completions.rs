//! `POST /v1/completions`: texts that are gone on with.

mod frames;
mod logprobs;
mod request;

use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use hearth_protocol::llama_cpp::options::LocalOptions;
use hearth_protocol::openai::completion::{CompletionChoice, CompletionRequest, CompletionResponse};
use hearth_protocol::openai::{FinishReason, Usage};

use super::beside::{Beside, Telling};
use super::{fingerprint, finish_reason, new_id, seconds_now, usage};
use crate::server::body::{parse, taken_apart};
use crate::server::format::ok;
use crate::server::llama_cpp::timings;
use crate::server::refusal::Refusal;
use crate::server::run::{Run, Whole};
use crate::server::site::Site;
use crate::server::sse;
use crate::server::ticket::Ticket;
use frames::{CompletionFrames, Shown};
use logprobs::Offsets;

/// What every answer and every chunk is.
const OBJECT: &str = "text_completion";

/// Goes on with one text or several, whole or as a stream.
pub(super) async fn create(
    State(site): State<Site>,
    Extension(ticket): Extension<Ticket>,
    body: Bytes,
) -> Result<Response, Refusal> {
    let (wire, local): (CompletionRequest, LocalOptions) =
        taken_apart(&body, |body| Ok((parse(body)?, parse(body)?))).await?;
    request::check(&wire)?;
    let streams = wire.stream.unwrap_or(false);
    let shows_usage = wire.stream_options.unwrap_or_default().include_usage;
    let echoes = wire.echo.unwrap_or(false);
    let telling = Telling::of(&local);
    let settings = site.settings().await;
    let plan = request::plan(&site, wire, local, settings.sampling.clone(), body.len())?;
    let echo = if echoes {
        plan.echo(site.client()).await?
    } else {
        Vec::new()
    };
    let per_prompt = plan.per_prompt;
    let (run, _) = Run::begin(&site, &ticket, plan.requests).await?;
    let model = run.model().to_owned();
    if streams {
        let shown = Shown {
            usage: shows_usage,
            telling,
            per_prompt,
            echo,
        };
        let choices = run.choices();
        return Ok(sse::stream(run, CompletionFrames::new(model, choices, shown)));
    }
    Ok(ok(&whole(model, run.collect().await?, per_prompt, &echo)))
}

/// The whole answer, with llama.cpp's `timings` beside it.
fn whole(
    model: String,
    answers: Vec<Whole>,
    per_prompt: usize,
    echo: &[String],
) -> Beside<CompletionResponse> {
    let stats: Vec<_> = answers.iter().map(|answer| answer.stats).collect();
    let usage = stats
        .chunks(per_prompt)
        .map(usage)
        .reduce(together)
        .unwrap_or_default();
    let timings = stats.last().map(timings::of);
    let choice = |(place, answer): (usize, Whole)| {
        let before = echo.get(place / per_prompt).map_or("", String::as_str);
        CompletionChoice {
            text: format!("{before}{}", answer.text),
            index: u32::try_from(place).unwrap_or(u32::MAX),
            logprobs: Offsets::default().wire(&answer.logprobs),
            finish_reason: Some(answer.stop.as_ref().map_or(FinishReason::Stop, finish_reason)),
        }
    };
    let answer = CompletionResponse {
        id: new_id("cmpl-"),
        object: OBJECT.into(),
        created: seconds_now(),
        model,
        choices: answers.into_iter().enumerate().map(choice).collect(),
        usage: Some(Some(usage)),
        system_fingerprint: Some(fingerprint()),
    };
    Beside::new(answer, timings)
}

/// What two prompts cost with their answers.
fn together(one: Usage, other: Usage) -> Usage {
    let mut sum = Usage {
        completion_tokens: one.completion_tokens + other.completion_tokens,
        prompt_tokens: one.prompt_tokens + other.prompt_tokens,
        total_tokens: one.total_tokens + other.total_tokens,
        ..one
    };
    if let (Some(sum), Some(other)) = (&mut sum.prompt_tokens_details, other.prompt_tokens_details) {
        sum.cached_tokens += other.cached_tokens;
    }
    if let (Some(sum), Some(other)) = (
        &mut sum.completion_tokens_details,
        other.completion_tokens_details,
    ) {
        sum.reasoning_tokens += other.reasoning_tokens;
    }
    sum
}

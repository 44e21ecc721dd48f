//! `POST /v1/chat/completions`.

mod frames;
pub(in crate::server) mod request;

use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use hearth_protocol::llama_cpp::options::LocalOptions;
use hearth_protocol::openai::chat::{
    AssistantMessage, Beyond, ChatChoice, ChatCompletion, ChatCompletionRequest,
};

use super::beside::{Beside, Telling};
use super::{fingerprint, finish_reason, logprobs, new_id, seconds_now, tools, usage};
use crate::server::body::{parse, taken_apart};
use crate::server::choices;
use crate::server::format::ok;
use crate::server::llama_cpp::timings;
use crate::server::refusal::Refusal;
use crate::server::run::{Run, Whole};
use crate::server::site::Site;
use crate::server::sse;
use crate::server::ticket::Ticket;
use frames::ChatFrames;

pub(in crate::server) use request::reason;

/// The role of every answer.
pub(super) const ASSISTANT: &str = "assistant";

/// Answers a chat, whole or as a stream.
pub(in crate::server) async fn create(
    State(site): State<Site>,
    Extension(ticket): Extension<Ticket>,
    body: Bytes,
) -> Result<Response, Refusal> {
    let (wire, beyond, local): (ChatCompletionRequest, Beyond, LocalOptions) =
        taken_apart(&body, |body| Ok((parse(body)?, parse(body)?, parse(body)?))).await?;
    request::refuse_beyond(&beyond)?;
    let choices = choices::check("n", wire.n.unwrap_or(1), 1, body.len())?;
    let streams = wire.stream.unwrap_or(false);
    let options = wire.stream_options.unwrap_or_default();
    let shown = frames::Shown {
        usage: options.include_usage,
        telling: Telling::of(&local),
    };
    let request = request::completion(&site, wire, local, site.settings().await.sampling.clone())?;
    let requests = choices::copies(&request, choices).collect();
    let (run, _) = Run::begin(&site, &ticket, requests).await?;
    let model = run.model().to_owned();
    if streams {
        return Ok(sse::stream(run, ChatFrames::new(model, choices, shown)));
    }
    Ok(ok(&whole(model, run.collect().await?)))
}

/// The whole answer, with llama.cpp's `timings` beside it.
fn whole(model: String, answers: Vec<Whole>) -> Beside<ChatCompletion> {
    let usage = usage(answers.iter().map(|answer| &answer.stats));
    let timings = answers.last().map(|answer| timings::of(&answer.stats));
    let choices = answers.into_iter().enumerate().map(choice).collect();
    let answer = ChatCompletion {
        id: new_id("chatcmpl-"),
        object: "chat.completion".into(),
        created: seconds_now(),
        model,
        choices,
        usage,
        system_fingerprint: Some(fingerprint()),
    };
    Beside::new(answer, timings)
}

fn choice((index, answer): (usize, Whole)) -> ChatChoice {
    let stop = answer.stop.as_ref();
    let calls: Vec<_> = answer.tool_calls.into_iter().map(tools::call).collect();
    let is_silent = answer.text.is_empty() && !calls.is_empty();
    ChatChoice {
        index: u32::try_from(index).unwrap_or(u32::MAX),
        finish_reason: stop.map_or(hearth_protocol::openai::FinishReason::Stop, finish_reason),
        logprobs: logprobs::wire(&answer.logprobs),
        message: AssistantMessage {
            role: ASSISTANT.into(),
            content: (!is_silent).then_some(answer.text),
            refusal: None,
            reasoning_content: Some(answer.reasoning).filter(|text| !text.is_empty()),
            tool_calls: Some(calls).filter(|calls| !calls.is_empty()),
        },
    }
}

//! `POST /v1/responses`, and the answers that it keeps on this machine for later requests to go on from.

mod answering;
mod frames;
mod items;
mod kept;
mod request;

pub(super) use kept::{delete, input_items, one};

use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use hearth_protocol::completion::CompletionEvent;
use hearth_protocol::openai::responses::request::{Beyond, CreateResponse};

use crate::server::body::{parse, taken_apart};
use crate::server::format::ok;
use crate::server::llama_cpp::template::count_tokens;
use crate::server::options::Asked;
use crate::server::refusal::Refusal;
use crate::server::run::Run;
use crate::server::site::Site;
use crate::server::sse;
use crate::server::ticket::Ticket;
use answering::Answering;
use frames::ResponseFrames;
use kept::Keeping;

/// Answers, whole or as a stream.
pub(in crate::server) async fn create(
    State(site): State<Site>,
    Extension(ticket): Extension<Ticket>,
    body: Bytes,
) -> Result<Response, Refusal> {
    let (wire, asked, beyond): (CreateResponse, Asked, Beyond) =
        taken_apart(&body, |body| Ok((parse(body)?, Asked::of(body)?, parse(body)?))).await?;
    request::refuse_beyond(&beyond, &wire)?;
    let mut keeping = Keeping::of(&site, &ticket, &wire, &body).await?;
    let before = kept::before(&site, &wire).await?;
    let streams = wire.stream.unwrap_or(false);
    let settings = site.settings().await;
    let request = request::completion(&site, &wire, asked, settings.sampling.clone(), before)?;
    let begun = request::response(wire, &request, keeping.is_some());
    let (mut run, _) = Run::begin(&site, &ticket, vec![request]).await?;
    let mut answering = Answering::new(begun, run.model());
    if streams {
        return Ok(sse::stream(run, ResponseFrames::new(answering, keeping)));
    }
    let mut told = Vec::new();
    while let Some((_, event)) = run.next().await {
        match event {
            CompletionEvent::Failed(error) => return Err(error.into()),
            event => answering.take(event, &mut told),
        }
        told.clear();
    }
    if let Some(keeping) = keeping.take()
        && !keeping.keep(answering.response()).await
    {
        answering.not_kept();
    }
    Ok(ok(answering.response()))
}

/// `POST /v1/responses/input_tokens`: how many tokens the answer would go on from.
pub(in crate::server) async fn count(State(site): State<Site>, body: Bytes) -> Result<Response, Refusal> {
    let (wire, asked): (CreateResponse, Asked) =
        taken_apart(&body, |body| Ok((parse(body)?, Asked::of(body)?))).await?;
    request::refuse_beyond(&parse::<Beyond>(&body)?, &wire)?;
    let before = kept::before(&site, &wire).await?;
    let settings = site.settings().await;
    let request = request::completion(&site, &wire, asked, settings.sampling.clone(), before)?;
    count_tokens(&site, request).await
}

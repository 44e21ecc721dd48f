//! `POST /v1/messages`.

use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use hearth_protocol::anthropic::request::{Beyond, Conversation, Generation};
use hearth_protocol::completion::CompletionEvent;

use super::frames::MessageFrames;
use super::writing::Writing;
use super::{request, request_id, with_request_id};
use crate::server::body::{parse, taken_apart};
use crate::server::format::ok;
use crate::server::options::Asked;
use crate::server::refusal::Refusal;
use crate::server::run::Run;
use crate::server::site::Site;
use crate::server::sse;
use crate::server::ticket::Ticket;

/// Answers a chat, whole or as a stream.
pub(super) async fn create(
    State(site): State<Site>,
    Extension(ticket): Extension<Ticket>,
    body: Bytes,
) -> Result<Response, Refusal> {
    let (chat, mut generation, asked, beyond): (Conversation, Generation, Asked, Beyond) =
        taken_apart(&body, |body| {
            Ok((parse(body)?, parse(body)?, Asked::of(body)?, parse(body)?))
        })
        .await?;
    request::refuse_beyond(&beyond)?;
    let streams = generation.stream.unwrap_or(false);
    generation.stop_sequences = request::stops(&generation, &asked.draw);
    let stops = generation.stop_sequences.clone().unwrap_or_default();
    let settings = site.settings().await;
    let request = request::completion(&site, chat, generation, asked, settings.sampling.clone())?;
    let (mut run, _) = Run::begin(&site, &ticket, vec![request]).await?;
    let mut writing = Writing::new(run.model(), stops);
    let id = request_id();
    if streams {
        return Ok(with_request_id(
            sse::stream(run, MessageFrames::new(writing)),
            &id,
        ));
    }
    let mut told = Vec::new();
    while let Some((_, event)) = run.next().await {
        match event {
            CompletionEvent::Failed(error) => return Err(error.into()),
            event => writing.take(event, &mut told),
        }
        told.clear();
    }
    Ok(with_request_id(ok(&writing.message()), &id))
}

//! `POST /v1/messages/count_tokens`: how many tokens a chat has, as an answer to it would begin.

use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use hearth_protocol::anthropic::answer::TokenCount;
use hearth_protocol::anthropic::request::Conversation;
use hearth_protocol::prompt::{TokenizeInput, TokenizeRequest};

use super::{request, request_id, with_request_id};
use crate::server::body::{parse, taken_apart};
use crate::server::format::ok;
use crate::server::listening::answer;
use crate::server::refusal::Refusal;
use crate::server::site::Site;

/// Counts the tokens of a chat.
pub(super) async fn create(State(site): State<Site>, body: Bytes) -> Result<Response, Refusal> {
    let chat: Conversation = taken_apart(&body, parse).await?;
    let model = site.names().meant(chat.model.as_deref());
    let options = request::answer(&chat)?;
    let prompt = request::prompt(chat)?;
    prompt.validate()?;
    options.validate()?;
    let request = TokenizeRequest {
        model,
        input: TokenizeInput::Prompt {
            prompt,
            answer: Box::new(options),
        },
    };
    let tokenized = answer(site.client(), |client| client.tokenize(request)).await?;
    let count = TokenCount {
        input_tokens: u32::try_from(tokenized.tokens.len()).unwrap_or(u32::MAX),
    };
    Ok(with_request_id(ok(&count), &request_id()))
}

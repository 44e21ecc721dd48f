//! `POST /apply-template`: a chat as its model's template writes it. And how many tokens that is.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use hearth_protocol::completion::CompletionRequest;
use hearth_protocol::llama_cpp::options::LocalOptions;
use hearth_protocol::openai::chat::ChatCompletionRequest;
use hearth_protocol::prompt::{TokenizeInput, TokenizeRequest, Tokenized};
use serde_json::json;

use crate::server::body::{parse, taken_apart};
use crate::server::format::ok;
use crate::server::listening::answer;
use crate::server::openai::chat::request::completion;
use crate::server::refusal::Refusal;
use crate::server::site::Site;

/// Writes a chat as a text.
pub(super) async fn apply(State(site): State<Site>, body: Bytes) -> Result<Response, Refusal> {
    let request = request(&site, &body).await?;
    let tokenized = tokens(&site, request).await?;
    Ok(ok(&json!({"prompt": tokenized.text})))
}

/// Counts the tokens of a chat.
pub(super) async fn count(State(site): State<Site>, body: Bytes) -> Result<Response, Refusal> {
    let request = request(&site, &body).await?;
    count_tokens(&site, request).await
}

/// How many tokens an answer would go on from, in OpenAI's shape.
///
/// # Errors
/// What is wrong with the prompt; those of the load.
pub(in crate::server) async fn count_tokens(
    site: &Site,
    request: CompletionRequest,
) -> Result<Response, Refusal> {
    let tokenized = tokens(site, request).await?;
    Ok(ok(
        &json!({"object": "response.input_tokens", "input_tokens": tokenized.tokens.len()}),
    ))
}

async fn request(site: &Site, body: &Bytes) -> Result<CompletionRequest, Refusal> {
    let (wire, local): (ChatCompletionRequest, LocalOptions) =
        taken_apart(body, |body| Ok((parse(body)?, parse(body)?))).await?;
    let settings = site.settings().await;
    completion(site, wire, local, settings.sampling.clone())
}

async fn tokens(site: &Site, request: CompletionRequest) -> Result<Tokenized, Refusal> {
    let request = TokenizeRequest {
        model: request.model,
        input: TokenizeInput::Prompt {
            prompt: Arc::unwrap_or_clone(request.prompt),
            answer: Box::new(request.answer),
        },
    };
    Ok(answer(site.client(), |client| client.tokenize(request)).await?)
}

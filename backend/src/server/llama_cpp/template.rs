//! `POST /apply-template`: a chat as its model's template writes it. And how many tokens that is.

use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use hearth_protocol::llama_cpp::options::LocalOptions;
use hearth_protocol::openai::chat::ChatCompletionRequest;
use hearth_protocol::prompt::{TokenizeInput, TokenizeRequest, Tokenized};
use serde_json::json;

use crate::server::body::parse;
use crate::server::format::ok;
use crate::server::listening::answer;
use crate::server::openai::chat::request;
use crate::server::refusal::Refusal;
use crate::server::site::Site;

/// Writes a chat as a text.
pub(super) async fn apply(State(site): State<Site>, body: Bytes) -> Result<Response, Refusal> {
    let tokenized = tokens(&site, &body).await?;
    Ok(ok(&json!({"prompt": tokenized.text})))
}

/// Counts the tokens of a chat.
pub(super) async fn count(State(site): State<Site>, body: Bytes) -> Result<Response, Refusal> {
    let tokenized = tokens(&site, &body).await?;
    Ok(ok(
        &json!({"object": "response.input_tokens", "input_tokens": tokenized.tokens.len()}),
    ))
}

async fn tokens(site: &Site, body: &[u8]) -> Result<Tokenized, Refusal> {
    let wire: ChatCompletionRequest = parse(body)?;
    let local: LocalOptions = parse(body)?;
    let settings = site.settings().await;
    let request = request::completion(site, wire, local, settings.sampling.clone())?;
    let request = TokenizeRequest {
        model: request.model,
        input: TokenizeInput::Prompt {
            prompt: request.prompt,
            answer: Box::new(request.answer),
        },
    };
    Ok(answer(site.client(), |client| client.tokenize(request)).await?)
}

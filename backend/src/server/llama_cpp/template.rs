//! `POST /apply-template`: a chat as its model's template writes it. And how many tokens that is.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use hearth_protocol::llama_cpp::options::LocalOptions;
use hearth_protocol::llama_cpp::token::TemplateOptions;
use hearth_protocol::openai::chat::ChatCompletionRequest;
use hearth_protocol::prompt::{TokenizeInput, TokenizeRequest, Tokenized};
use serde_json::json;

use crate::server::body::{parse, taken_apart};
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

async fn tokens(site: &Site, body: &Bytes) -> Result<Tokenized, Refusal> {
    let (wire, local, template): (ChatCompletionRequest, LocalOptions, TemplateOptions) =
        taken_apart(body, |body| Ok((parse(body)?, parse(body)?, parse(body)?))).await?;
    if template.add_generation_prompt == Some(false) {
        return Err(Refusal::unsupported(
            "add_generation_prompt",
            "is always true here: the text is that to which an answer is written",
        ));
    }
    let settings = site.settings().await;
    let request = request::completion(site, wire, local, settings.sampling.clone())?;
    let request = TokenizeRequest {
        model: request.model,
        input: TokenizeInput::Prompt {
            prompt: Arc::unwrap_or_clone(request.prompt),
            answer: Box::new(request.answer),
        },
    };
    Ok(answer(site.client(), |client| client.tokenize(request)).await?)
}

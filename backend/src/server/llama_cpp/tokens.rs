//! `POST /tokenize` and `POST /detokenize`.

use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use hearth_protocol::engine::ModelRef;
use hearth_protocol::llama_cpp::token::{
    DetokenizeRequest, Token, TokenizeRequest as Wire, TokenizeResponse,
};
use hearth_protocol::prompt::{TokenizeInput, TokenizeRequest};
use serde_json::json;

use crate::server::body::{parse, taken_apart};
use crate::server::format::ok;
use crate::server::listening::answer;
use crate::server::refusal::Refusal;
use crate::server::site::Site;

/// Turns a text into tokens.
pub(super) async fn tokenize(State(site): State<Site>, body: Bytes) -> Result<Response, Refusal> {
    let wire: Wire = taken_apart(&body, parse).await?;
    let request = TokenizeRequest {
        model: meant(&site, wire.model.as_deref()).await,
        input: TokenizeInput::Text {
            text: wire.content,
            add_special: wire.add_special,
            parse_special: wire.parse_special,
        },
    };
    let tokenized = answer(site.client(), |client| client.tokenize(request)).await?;
    let tokens = tokenized.tokens.into_iter().map(|token| match wire.with_pieces {
        false => Token::Id(token.id),
        true => Token::Piece {
            id: token.id,
            piece: token.bytes.into(),
        },
    });
    Ok(ok(&TokenizeResponse {
        tokens: tokens.collect(),
    }))
}

/// Turns tokens into a text.
pub(super) async fn detokenize(State(site): State<Site>, body: Bytes) -> Result<Response, Refusal> {
    let wire: DetokenizeRequest = taken_apart(&body, parse).await?;
    let model = meant(&site, wire.model.as_deref()).await;
    let text = answer(site.client(), |client| client.detokenize(model, wire.tokens)).await?;
    Ok(ok(&json!({"content": text})))
}

/// The model of a name; `None` is the one that would answer.
async fn meant(site: &Site, name: Option<&str>) -> Option<ModelRef> {
    match name {
        None => None,
        Some(name) => site.names_read().await.meant(Some(name)),
    }
}

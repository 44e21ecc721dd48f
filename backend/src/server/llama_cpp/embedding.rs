//! `POST /embedding` and `POST /embeddings`: texts as vectors, in llama.cpp's own shape.

use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use hearth_protocol::embed::{EmbedInput, EmbedOptions, EmbedRequest};
use hearth_protocol::engine::ModelRef;
use hearth_protocol::llama_cpp::embedding::{Embedding, EmbeddingRequest};
use hearth_protocol::llama_cpp::options::LocalOptions;
use hearth_protocol::prompt::{Prompt, PromptPart};

use super::completion::prompt::prompts;
use crate::server::body::{parse, taken_apart};
use crate::server::current::current;
use crate::server::format::ok;
use crate::server::openai::embeddings::{check_count, embed, normalises};
use crate::server::options;
use crate::server::refusal::Refusal;
use crate::server::site::Site;

/// Turns texts into vectors.
pub(super) async fn create(State(site): State<Site>, body: Bytes) -> Result<Response, Refusal> {
    let (wire, local): (EmbeddingRequest, LocalOptions) =
        taken_apart(&body, |body| Ok((parse(body)?, parse(body)?))).await?;
    let (inputs, _) = prompts(wire.content)?;
    check_count("input", inputs.len())?;
    let inputs: Result<Vec<_>, _> = inputs.into_iter().map(input).collect();
    let normalise = normalises(wire.embd_normalize)?;
    let model = current(&site, wire.model.as_deref()).await?;
    let request = EmbedRequest {
        model: model.loaded.map_or_else(
            || {
                model
                    .file
                    .map_or(ModelRef::Name(model.name), |file| ModelRef::File(file.id))
            },
            |loaded| ModelRef::File(loaded.file),
        ),
        inputs: inputs?,
        options: EmbedOptions {
            normalise,
            ..EmbedOptions::default()
        },
        keep: options::keep(local.ttl, local.keep_alive.as_ref())?,
    };
    request.validate()?;
    let vectors = embed(&site, request).await?.vectors.into_iter().zip(0..);
    let wire: Vec<_> = vectors
        .map(|(vector, index)| Embedding {
            index,
            embedding: [vector],
        })
        .collect();
    Ok(ok(&wire))
}

/// A prompt as a text to embed: text, or tokens.
fn input(prompt: Prompt) -> Result<EmbedInput, Refusal> {
    let odd = || {
        Refusal::field(
            "content",
            "must be texts or lists of token ids, and no mixture of both",
        )
    };
    let Prompt::Text(parts) = prompt else {
        return Err(odd());
    };
    match <[PromptPart; 1]>::try_from(parts) {
        Ok([PromptPart::Text(text)]) => Ok(EmbedInput::Text(text)),
        Ok([PromptPart::Tokens(tokens)]) => Ok(EmbedInput::Tokens(tokens)),
        Err(_) => Err(odd()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_to_embed_is_text_or_tokens() {
        let text = PromptPart::Text("a".into());
        let tokens = PromptPart::Tokens(vec![1]);
        let read = |parts: Vec<PromptPart>| input(Prompt::Text(parts)).map_err(|refusal| refusal.param);
        assert_eq!(read(vec![text.clone()]), Ok(EmbedInput::Text("a".into())));
        assert_eq!(read(vec![tokens.clone()]), Ok(EmbedInput::Tokens(vec![1])));
        assert_eq!(read(vec![text, tokens]), Err(Some("content".into())));
        assert_eq!(read(Vec::new()), Err(Some("content".into())));
    }
}

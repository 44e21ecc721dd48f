//! `POST /v1/embeddings`: texts become vectors.

use std::time::Instant;

use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hearth_protocol::Error;
use hearth_protocol::embed::{EmbedEvent, EmbedInput, EmbedOptions, EmbedRequest, Embeddings};
use hearth_protocol::engine::ModelRef;
use hearth_protocol::llama_cpp::options::LocalOptions;
use hearth_protocol::openai::completion::Prompt;
use hearth_protocol::openai::embedding::{
    Embedding, EmbeddingRequest, EmbeddingResponse, EmbeddingUsage, EncodingFormat, Vector,
};
use hearth_protocol::prompt::{TokenizeInput, TokenizeRequest};

use crate::server::body::{parse, taken_apart};
use crate::server::format::ok;
use crate::server::listening::{Listening, answer};
use crate::server::options;
use crate::server::refusal::Refusal;
use crate::server::site::Site;
use crate::server::ticket::Ticket;

/// Most texts of a request (OpenAI's limit): each is a computation, and whoever asks waits for all of them.
const MOST_INPUTS: usize = 2_048;

/// Turns texts into vectors.
pub(super) async fn create(
    State(site): State<Site>,
    Extension(ticket): Extension<Ticket>,
    body: Bytes,
) -> Result<Response, Refusal> {
    let (wire, local): (EmbeddingRequest, LocalOptions) =
        taken_apart(&body, |body| Ok((parse(body)?, parse(body)?))).await?;
    let inputs = inputs(wire.input)?;
    let (model, name) = model(&site, wire.model.as_deref()).await?;
    ticket.model(&name);
    let request = EmbedRequest {
        model,
        inputs,
        options: EmbedOptions {
            dimensions: wire.dimensions,
            normalise: normalises(wire.embd_normalize)?,
            ..EmbedOptions::default()
        },
        keep: options::keep(local.ttl, local.keep_alive.as_ref())?,
    };
    request.validate()?;
    let embeddings = embed(&site, request).await?;
    let encoding = wire.encoding_format.unwrap_or(EncodingFormat::Float);
    Ok(ok(&response(name, embeddings, encoding)))
}

/// llama.cpp's numbers of the ways to scale a vector that are here.
const NOT_AT_ALL: i64 = -1;
const TO_LENGTH_ONE: i64 = 2;

/// Whether vectors are scaled to length 1.
///
/// # Errors
/// Where they shall be scaled in another way.
pub(in crate::server) fn normalises(number: Option<i64>) -> Result<bool, Refusal> {
    match number.unwrap_or(TO_LENGTH_ONE) {
        TO_LENGTH_ONE => Ok(true),
        NOT_AT_ALL => Ok(false),
        _ => {
            let reason = "may be 2 (length 1) or -1 (as they are) here";
            Err(Refusal::unsupported("embd_normalize", reason))
        }
    }
}

/// Refuses more texts than one request may bring in this field.
///
/// # Errors
/// Names the field and both numbers.
pub(in crate::server) fn check_count(field: &str, count: usize) -> Result<(), Refusal> {
    if count <= MOST_INPUTS {
        return Ok(());
    }
    let problem = format!("holds {count} texts; a request may bring {MOST_INPUTS}, so send them in several");
    Err(Refusal::field(field, problem))
}

/// The texts of a request.
///
/// # Errors
/// Names the one that is empty; `input` where there are too many.
fn inputs(input: Prompt) -> Result<Vec<EmbedInput>, Refusal> {
    let (inputs, is_list) = match input {
        Prompt::Text(text) => (vec![EmbedInput::Text(text)], false),
        Prompt::Texts(texts) => (texts.into_iter().map(EmbedInput::Text).collect(), true),
        Prompt::Tokens(tokens) => (vec![EmbedInput::Tokens(tokens)], false),
        Prompt::TokenLists(lists) => (lists.into_iter().map(EmbedInput::Tokens).collect(), true),
    };
    if inputs.is_empty() {
        return Err(Refusal::field("input", "holds no text; give at least one"));
    }
    check_count("input", inputs.len())?;
    match inputs.iter().position(EmbedInput::is_empty) {
        Some(place) if is_list => Err(Refusal::field(&format!("input[{place}]"), "is empty")),
        Some(_) => Err(Refusal::field("input", "is empty")),
        None => Ok(inputs),
    }
}

/// The model that is meant, and its name. Where none is named it is the one that would answer; the engine finds it, and
/// loads it as the embedding would.
///
/// # Errors
/// Where there is none at all, or it does not load.
async fn model(site: &Site, name: Option<&str>) -> Result<(ModelRef, String), Refusal> {
    if let Some(model) = site.names().meant(name) {
        let names = site.names();
        let known = match &model {
            ModelRef::File(id) => names.find(id.as_str()).map(|(name, _)| name.clone()),
            ModelRef::Name(_) | ModelRef::Path(_) => None,
        };
        let name = known.unwrap_or_else(|| model.to_string());
        return Ok((model, name));
    }
    let nothing = TokenizeRequest {
        model: None,
        input: TokenizeInput::Text {
            text: String::new(),
            add_special: false,
            parse_special: false,
        },
    };
    let loaded = answer(site.client(), |client| client.tokenize(nothing))
        .await?
        .model;
    let names = site.names_read().await;
    let model = match names.find(loaded.file.as_str()) {
        Some((_, file)) => ModelRef::File(file.id.clone()),
        // One that was loaded from elsewhere is named by its path.
        None => ModelRef::Path(loaded.file.as_str().into()),
    };
    Ok((model, names.of(&loaded)))
}

/// Waits for the vectors.
///
/// # Errors
/// What stands in the way.
pub(in crate::server) async fn embed(site: &Site, request: EmbedRequest) -> Result<Embeddings, Refusal> {
    let mut run = Listening::begin(site.client(), |client| client.embed(request));
    let mut began = Instant::now();
    loop {
        let event = tokio::select! {
            event = run.next() => event,
            () = site.cut_off() => return Err(Error::ServerStopped.into()),
        };
        match event {
            Some(EmbedEvent::Finished(embeddings)) => {
                let tokens = embeddings.tokens.iter().map(|tokens| u64::from(*tokens)).sum();
                site.metrics().embedded(tokens, began.elapsed());
                return Ok(embeddings);
            }
            Some(EmbedEvent::Failed(error)) => return Err(error.into()),
            Some(EmbedEvent::Loading(_)) => began = Instant::now(),
            Some(EmbedEvent::Progress { .. }) => (),
            None => return Err(Error::BackendGone.into()),
        }
    }
}

fn response(model: String, embeddings: Embeddings, encoding: EncodingFormat) -> EmbeddingResponse {
    let tokens = embeddings
        .tokens
        .iter()
        .fold(0_u32, |sum, tokens| sum.saturating_add(*tokens));
    let data = (0_u32..)
        .zip(embeddings.vectors)
        .map(|(index, vector)| Embedding {
            object: "embedding".into(),
            index,
            embedding: encode(vector, encoding),
        });
    EmbeddingResponse {
        object: "list".into(),
        data: data.collect(),
        model,
        usage: EmbeddingUsage {
            prompt_tokens: tokens,
            total_tokens: tokens,
        },
    }
}

fn encode(vector: Vec<f32>, encoding: EncodingFormat) -> Vector {
    match encoding {
        EncodingFormat::Float => Vector::Float(vector),
        EncodingFormat::Base64 => {
            let bytes: Vec<u8> = vector.into_iter().flat_map(f32::to_le_bytes).collect();
            Vector::Base64(STANDARD.encode(bytes))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Case 54 of the public reports: an empty list or text ended other servers.
    #[test]
    fn an_empty_input_is_named() {
        let cases = [
            (json!("a"), None),
            (json!(["a", "b"]), None),
            (json!([1, 2]), None),
            (json!([[1], [2, 3]]), None),
            (json!(""), Some("input")),
            (json!(" \n"), Some("input")),
            (json!([]), Some("input")),
            (json!([""]), Some("input[0]")),
            (json!(["a", "", "b"]), Some("input[1]")),
            (json!([[1], []]), Some("input[1]")),
        ];
        for (input, named) in cases {
            let prompt = serde_json::from_value(input.clone()).expect("a prompt");
            let refused = inputs(prompt).err().and_then(|refusal| refusal.param);
            assert_eq!(refused.as_deref(), named, "{input}");
        }
    }

    /// A million texts were at work for more than five minutes.
    #[test]
    fn a_request_brings_no_more_texts_than_openai_takes() {
        let texts = |count: usize| inputs(Prompt::Texts(vec!["a".to_owned(); count]));
        assert_eq!(texts(MOST_INPUTS).expect("as many").len(), MOST_INPUTS);
        let refused = texts(MOST_INPUTS + 1).expect_err("one more");
        assert_eq!(refused.param.as_deref(), Some("input"));
        assert!(
            refused.message.contains("holds 2049 texts") && refused.message.contains("may bring 2048"),
            "{}",
            refused.message
        );
        // The tokens of one text are none of them.
        assert!(inputs(Prompt::Tokens(vec![1; MOST_INPUTS + 1])).is_ok());
    }

    #[test]
    fn vectors_are_scaled_as_is_said() {
        let named = |number| normalises(number).map_err(|refusal| refusal.param);
        assert_eq!(
            (named(None), named(Some(2)), named(Some(-1))),
            (Ok(true), Ok(true), Ok(false))
        );
        assert_eq!(named(Some(0)), Err(Some("embd_normalize".into())));
    }

    #[test]
    fn vectors_keep_their_order_and_are_written_in_both_forms() {
        let embeddings = || Embeddings {
            vectors: vec![vec![0.5, -2.0], vec![1.0, 0.0]],
            tokens: vec![3, 4],
        };
        let float = response("m".into(), embeddings(), EncodingFormat::Float);
        assert_eq!(
            serde_json::to_value(&float).expect("serialise"),
            json!({"object": "list", "model": "m", "usage": {"prompt_tokens": 7, "total_tokens": 7}, "data": [
                {"object": "embedding", "index": 0, "embedding": [0.5, -2.0]},
                {"object": "embedding", "index": 1, "embedding": [1.0, 0.0]}]})
        );
        let base64 = response("m".into(), embeddings(), EncodingFormat::Base64);
        assert_eq!(base64.data[0].embedding, Vector::Base64("AAAAPwAAAMA=".into()));
    }
}

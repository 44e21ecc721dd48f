//! `POST /completion`, `POST /completions` and `POST /infill`.

mod bias;
mod frames;
mod limits;
pub(super) mod prompt;
mod request;
pub(super) mod settings;
mod whole;

use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use hearth_protocol::Error;
use hearth_protocol::completion::CompletionRequest;
use hearth_protocol::llama_cpp::completion::{CompletionOptions, CompletionRequest as Wire, InfillRequest};
use hearth_protocol::llama_cpp::options::LocalOptions;
use hearth_protocol::prompt::{Prompt, TokenizeInput, TokenizeRequest};

use crate::server::body::{parse, taken_apart};
use crate::server::format::ok;
use crate::server::listening::answer;
use crate::server::refusal::Refusal;
use crate::server::run::Run;
use crate::server::site::Site;
use crate::server::sse;
use crate::server::ticket::Ticket;
use frames::CompletionFrames;
use whole::Asked;

/// Goes on with a text.
pub(super) async fn create(
    State(site): State<Site>,
    Extension(ticket): Extension<Ticket>,
    body: Bytes,
) -> Result<Response, Refusal> {
    let wire: Wire = taken_apart(&body, parse).await?;
    let (prompts, is_list) = prompt::prompts(wire.prompt)?;
    complete(&site, &ticket, &body, prompts, is_list).await
}

/// Fills a gap.
pub(super) async fn infill(
    State(site): State<Site>,
    Extension(ticket): Extension<Ticket>,
    body: Bytes,
) -> Result<Response, Refusal> {
    let wire: InfillRequest = taken_apart(&body, parse).await?;
    complete(&site, &ticket, &body, vec![prompt::infill(wire)], false).await
}

async fn complete(
    site: &Site,
    ticket: &Ticket,
    body: &Bytes,
    prompts: Vec<Prompt>,
    is_list: bool,
) -> Result<Response, Refusal> {
    let (options, local): (CompletionOptions, LocalOptions) =
        taken_apart(body, |body| Ok((parse(body)?, parse(body)?))).await?;
    request::check(&options)?;
    let choices = request::choices(&options, prompts.len(), body.len())?;
    let mut asked = Asked::new(&options, &local, is_list || choices > 1);
    let mut request = request::completion(site, &options, local).await?;
    request.sampling.logit_bias = bias::resolve(site, &request, options.logit_bias.as_ref()).await?;
    let requests = request::for_prompts(&request, &prompts, choices);
    for request in &requests {
        request.validate()?;
    }
    let (run, model) = Run::begin(site, ticket, requests).await?;
    asked.model = run.model().to_owned();
    asked.slot = request.slot;
    asked.settings = settings::of(&request, &asked);
    if asked.shows("prompt") {
        // While the model reads them already.
        for prompt in prompts {
            let text = text(site, &request, prompt, &model.file).await?;
            asked.prompts.extend(std::iter::repeat_n(text, choices as usize));
        }
    }
    if options.stream == Some(true) {
        return Ok(sse::stream(run, CompletionFrames::new(asked)));
    }
    let answers = limits::collect(run, &asked).await?;
    let mut answers = answers.into_iter().enumerate();
    let all: Vec<_> = answers
        .by_ref()
        .map(|(index, answer)| asked.answer(index, &answer))
        .collect();
    match all.as_slice() {
        [only] if !asked.is_list => Ok(ok(only)),
        all => Ok(ok(&all)),
    }
}

/// A prompt as the model reads it; as it was sent where too many wait for the model, which is answering it already.
async fn text(
    site: &Site,
    request: &CompletionRequest,
    prompt: Prompt,
    file: &hearth_protocol::FileId,
) -> Result<Option<String>, Refusal> {
    let sent = prompt::as_sent(&prompt);
    let request = TokenizeRequest {
        // The one that answers, should another be loaded meanwhile.
        model: request
            .model
            .clone()
            .or_else(|| site.names().meant(Some(file.as_str()))),
        input: TokenizeInput::Prompt {
            prompt,
            answer: Box::default(),
        },
    };
    match answer(site.client(), |client| client.tokenize(request)).await {
        Ok(tokenized) => Ok(Some(tokenized.text)),
        Err(Error::Busy { .. }) => Ok(sent),
        Err(error) => Err(error.into()),
    }
}

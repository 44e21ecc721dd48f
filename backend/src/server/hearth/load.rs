//! `POST /api/v1/models/load`: brings a model into memory, with news of how far it is.

use std::ops::ControlFlow;

use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use hearth_protocol::engine::{KeepLoaded, LoadEvent, LoadOptions, LoadRequest, LoadedModel, ModelRef};
use hearth_protocol::{Error, FileId};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::stream::{Writer, fail, stream};
use crate::server::body::{parse, taken_apart};
use crate::server::format::ok;
use crate::server::listening::{Listening, answer};
use crate::server::refusal::Refusal;
use crate::server::site::Site;
use crate::server::sse::Frames;
use crate::server::ticket::Ticket;

/// What a client sends.
#[derive(Deserialize)]
struct Wire {
    model: String,
    /// Load options that differ from those the model is loaded with otherwise.
    #[serde(default)]
    options: Option<Map<String, Value>>,
    /// How long it stays.
    #[serde(default)]
    keep: Option<Keep>,
    /// Load it even where memory is short.
    #[serde(default)]
    force: bool,
    /// Tell how far it is.
    #[serde(default)]
    stream: bool,
}

/// Seconds after the last answer, or a word.
#[derive(Clone, Copy, Deserialize)]
#[serde(untagged)]
enum Keep {
    Seconds(u32),
    Word(Word),
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Word {
    Default,
    Always,
}

/// A loaded model with the name by which requests call it.
#[derive(Serialize)]
struct Loaded {
    model: String,
    #[serde(flatten)]
    loaded: LoadedModel,
}

/// Brings a model into memory.
pub(super) async fn load(
    State(site): State<Site>,
    Extension(ticket): Extension<Ticket>,
    body: Bytes,
) -> Result<Response, Refusal> {
    let wire: Wire = taken_apart(&body, parse).await?;
    let names = site.names_read().await;
    let model = names
        .meant(Some(&wire.model))
        .ok_or_else(|| Refusal::field("model", "must be a model's name"))?;
    let options = match wire.options {
        None => None,
        Some(changes) => Some(options(&site, &model, changes).await?),
    };
    let request = LoadRequest {
        model,
        options,
        force: wire.force,
        keep: match wire.keep {
            None | Some(Keep::Word(Word::Default)) => KeepLoaded::Default,
            Some(Keep::Word(Word::Always)) => KeepLoaded::Always,
            Some(Keep::Seconds(seconds)) => KeepLoaded::Seconds(seconds),
        },
    };
    let mut run = Listening::begin(site.client(), |client| client.load(request));
    let mut writer = LoadFrames {
        site: site.clone(),
        ticket,
    };
    // What is wrong from the first still has a status of its own.
    let first = next(&site, &mut run).await?;
    if wire.stream {
        let mut frames = Frames::default();
        let is_over = writer.write(first, &mut frames).is_break();
        if is_over {
            let frames = axum::body::Body::from(frames.take());
            return Ok(crate::server::sse::response(frames));
        }
        return Ok(stream(&site, run, writer, frames));
    }
    let mut event = first;
    loop {
        if let LoadEvent::Loaded(loaded) = event {
            return Ok(ok(&writer.loaded(loaded)));
        }
        event = next(&site, &mut run).await?;
    }
}

async fn next(site: &Site, run: &mut Listening<LoadEvent>) -> Result<LoadEvent, Error> {
    let event = tokio::select! {
        event = run.next() => event,
        () = site.cut_off() => return Err(Error::ServerStopped),
    };
    match event {
        Some(LoadEvent::Failed(error)) => Err(error),
        Some(event) => Ok(event),
        None => Err(Error::BackendGone),
    }
}

/// How a model is loaded otherwise, with changes.
async fn options(site: &Site, model: &ModelRef, changes: Map<String, Value>) -> Result<LoadOptions, Refusal> {
    let settings = site.settings().await;
    let remembered = match file(site, model).await? {
        Some(file) => answer(site.client(), |client| client.read_load_options(file)).await?,
        None => None,
    };
    changed(&remembered.unwrap_or_else(|| settings.load.clone()), changes)
}

async fn file(site: &Site, model: &ModelRef) -> Result<Option<FileId>, Error> {
    if let ModelRef::File(file) = model {
        return Ok(Some(file.clone()));
    }
    let model = model.clone();
    let found = answer(site.client(), |client| client.find_files(model)).await?;
    Ok(found.into_iter().next().map(|file| file.id))
}

/// # Errors
/// Names the option that is none, or whose value is none of its own.
fn changed(options: &LoadOptions, changes: Map<String, Value>) -> Result<LoadOptions, Refusal> {
    let mut all = serde_json::to_value(options).map_err(Error::internal)?;
    let known = all
        .as_object_mut()
        .ok_or_else(|| Error::internal("options are an object"))?;
    for (name, value) in changes {
        let Some(place) = known.get_mut(&name) else {
            let names: Vec<_> = known.keys().map(String::as_str).collect();
            let problem = format!("is no load option; there are {}", names.join(", "));
            return Err(Refusal::field(&format!("options.{name}"), problem));
        };
        // A program elsewhere must not have files opened that it names.
        if name == "lora" && *place != value {
            let reason = "can only be chosen in Hearth itself, since it names files";
            return Err(Refusal::unsupported("options.lora", reason));
        }
        *place = value;
    }
    let text = serde_json::to_vec(&all).map_err(Error::internal)?;
    parse(&text).map_err(|refusal| Refusal {
        message: format!("options.{}", refusal.message),
        param: refusal.param.map(|param| format!("options.{param}")),
        ..refusal
    })
}

/// Makes the frames.
struct LoadFrames {
    site: Site,
    ticket: Ticket,
}

impl LoadFrames {
    fn loaded(&self, loaded: LoadedModel) -> Loaded {
        let model = self.site.names().of(&loaded);
        self.ticket.model(&model);
        Loaded { model, loaded }
    }
}

impl Writer<LoadEvent> for LoadFrames {
    fn write(&mut self, event: LoadEvent, frames: &mut Frames) -> ControlFlow<()> {
        match event {
            LoadEvent::Started { name, size } => {
                frames.event("started", &json!({"name": name, "size": size}))
            }
            LoadEvent::Progress(share) => frames.event("progress", &json!({"progress": share})),
            LoadEvent::Loaded(loaded) => {
                frames.event("loaded", &self.loaded(loaded));
                return ControlFlow::Break(());
            }
            LoadEvent::Failed(error) => {
                fail(error, Some(&self.ticket), frames);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use hearth_protocol::engine::ContextLength;

    use super::*;

    fn with(changes: Value) -> Result<LoadOptions, Refusal> {
        let base = LoadOptions {
            threads: Some(2),
            ..LoadOptions::default()
        };
        changed(&base, changes.as_object().expect("an object").clone())
    }

    #[test]
    fn only_what_is_said_differs() {
        let options = with(json!({"context_length": {"tokens": 512}, "parallel_slots": 1})).expect("options");
        assert_eq!(options.context_length, ContextLength::Tokens(512));
        assert_eq!((options.parallel_slots, options.threads), (1, Some(2)));
    }

    #[test]
    fn an_option_that_is_none_is_named() {
        let param = |changes: Value| with(changes).expect_err("refused").param;
        assert_eq!(param(json!({"n_ctx": 512})).as_deref(), Some("options.n_ctx"));
        assert_eq!(
            param(json!({"threads": "two"})).as_deref(),
            Some("options.threads")
        );
    }
}

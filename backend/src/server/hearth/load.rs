//! `POST /api/v1/models/load`: brings a model into memory, with news of how far it is.

mod options;

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
use crate::server::options::{keep, stay};
use crate::server::refusal::Refusal;
use crate::server::site::Site;
use crate::server::sse::Frames;
use crate::server::ticket::Ticket;

/// What a client sends.
#[derive(Deserialize)]
struct Wire {
    model: String,
    /// Load options that differ from those the model is loaded with otherwise. They may stand beside the model too.
    #[serde(default)]
    options: Option<Map<String, Value>>,
    /// How long it stays: seconds after the last answer, or a word. The two others are what requests for answers have.
    #[serde(default)]
    keep: Option<Value>,
    #[serde(default)]
    ttl: Option<u32>,
    #[serde(default)]
    keep_alive: Option<Value>,
    /// Load it even where memory is short.
    #[serde(default)]
    force: bool,
    /// Tell how far it is.
    #[serde(default)]
    stream: bool,
}

impl Wire {
    fn keep(&self) -> Result<KeepLoaded, Refusal> {
        match &self.keep {
            Some(Value::String(word)) if word.eq_ignore_ascii_case("default") => Ok(KeepLoaded::Default),
            Some(Value::String(word)) if word.eq_ignore_ascii_case("always") => Ok(KeepLoaded::Always),
            Some(keep) => {
                let stays = stay(keep);
                stays.ok_or_else(|| {
                    Refusal::field(
                        "keep",
                        "must be seconds, a time such as 5m, “always” or “default”",
                    )
                })
            }
            None => keep(self.ttl, self.keep_alive.as_ref()),
        }
    }
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
    let keep = wire.keep()?;
    let beside: Map<String, Value> = taken_apart(&body, parse).await?;
    let options = match wire.options {
        None if !options::has_any(&beside)? => None,
        changes => {
            let base = remembered(&site, &model).await?;
            Some(options::changed(&base, beside, changes.unwrap_or_default())?)
        }
    };
    let request = LoadRequest {
        model,
        options,
        force: wire.force,
        keep,
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

/// How a model is loaded otherwise.
async fn remembered(site: &Site, model: &ModelRef) -> Result<LoadOptions, Refusal> {
    let settings = site.settings().await;
    let remembered = match file(site, model).await? {
        Some(file) => answer(site.client(), |client| client.read_load_options(file)).await?,
        None => None,
    };
    Ok(remembered.unwrap_or_else(|| settings.load.clone()))
}

async fn file(site: &Site, model: &ModelRef) -> Result<Option<FileId>, Error> {
    if let ModelRef::File(file) = model {
        return Ok(Some(file.clone()));
    }
    let model = model.clone();
    let found = answer(site.client(), |client| client.find_files(model)).await?;
    Ok(found.into_iter().next().map(|file| file.id))
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
    use super::*;

    #[test]
    fn a_model_stays_as_long_as_is_said() {
        let cases = [
            (json!({}), Some(KeepLoaded::Default)),
            (json!({"keep": null}), Some(KeepLoaded::Default)),
            (json!({"keep": "default"}), Some(KeepLoaded::Default)),
            (json!({"keep": "always"}), Some(KeepLoaded::Always)),
            (json!({"keep": -1}), Some(KeepLoaded::Always)),
            (json!({"keep": 60}), Some(KeepLoaded::Seconds(60))),
            (json!({"keep": "5m"}), Some(KeepLoaded::Seconds(300))),
            (json!({"keep_alive": "5m"}), Some(KeepLoaded::Seconds(300))),
            (json!({"ttl": 9}), Some(KeepLoaded::Seconds(9))),
            (json!({"keep": "for ever"}), None),
            (json!({"keep": true}), None),
        ];
        for (mut written, expected) in cases {
            written["model"] = "m".into();
            let wire: Wire = serde_json::from_value(written.clone()).expect("a request");
            let keep = wire.keep();
            if let Err(refusal) = &keep {
                assert_eq!(refusal.param.as_deref(), Some("keep"));
            }
            assert_eq!(keep.ok(), expected, "{written}");
        }
    }
}

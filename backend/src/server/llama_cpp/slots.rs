//! `GET /slots` and `POST /slots/{id}`: the places in which a model computes, and what they know.

mod files;

use std::path::PathBuf;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use hearth_protocol::engine::{LoadedModel, SlotAction, SlotDone, SlotState};
use hearth_protocol::llama_cpp::slot::{NextToken, Slot, SlotFile, SlotQuery, SlotVerb};
use hearth_protocol::{ByteSize, Error, LoadedId};
use serde::Deserialize;
use serde_json::json;

use super::props::{ModelQuery, query};
use crate::files::blocking;
use crate::server::body::{parse, taken_apart};
use crate::server::current::current;
use crate::server::format::ok;
use crate::server::listening::answer;
use crate::server::part::Part;
use crate::server::refusal::Refusal;
use crate::server::site::Site;
use files::{Saving, place};

pub(in crate::server) use files::clear;

/// The query that asks for an error where no slot is free.
#[derive(Debug, Deserialize)]
struct FreeQuery {
    #[serde(default)]
    fail_on_no_slot: Option<String>,
}

/// The slots of a model; none where it is not in memory.
pub(super) async fn list(State(site): State<Site>, uri: Uri) -> Result<Response, Refusal> {
    let model: ModelQuery = query(&uri)?;
    let free: FreeQuery = query(&uri)?;
    let Some(model) = loaded(&site, model.model.as_deref()).await? else {
        return Ok(ok(&json!([])));
    };
    let slots = answer(site.client(), |client| client.slots(model.id)).await?;
    if free.fail_on_no_slot.is_some() && slots.iter().all(|slot| slot.at_work) {
        let message = "No slot is free.";
        return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, message));
    }
    let slots: Vec<_> = slots.iter().map(|slot| wire(slot, &model)).collect();
    Ok(ok(&slots))
}

fn wire(slot: &SlotState, model: &LoadedModel) -> Slot {
    Slot {
        id: slot.slot,
        n_ctx: model.context_length,
        speculative: false,
        is_processing: slot.at_work,
        n_prompt_tokens: slot.prompt_tokens,
        n_prompt_tokens_cache: slot.cached_tokens,
        next_token: [NextToken {
            has_next_token: slot.at_work,
            n_remain: -1,
            n_decoded: if slot.at_work { slot.generated_tokens } else { 0 },
        }],
    }
}

/// Keeps, brings back or forgets what a slot knows.
pub(super) async fn change(
    State(site): State<Site>,
    Part(id): Part,
    uri: Uri,
    body: Bytes,
) -> Result<Response, Refusal> {
    let asked: SlotQuery = query(&uri)?;
    let slot: u32 = id
        .parse()
        .map_err(|_| Refusal::field("id_slot", format!("is {id:?} and must be a slot's number")))?;
    let file = match asked.action {
        SlotVerb::Erase => None,
        SlotVerb::Save | SlotVerb::Restore => {
            let SlotFile { filename } = taken_apart(&body, parse).await?;
            let path = place(site.slots(), &filename)?;
            Some((filename, path))
        }
    };
    let model = loaded(&site, asked.model.as_deref()).await?.ok_or_else(|| {
        let message = "No model is in memory, so that no slot knows anything.";
        Refusal::coded(StatusCode::BAD_REQUEST, "model_not_loaded", message)
    })?;
    let (file, path) = file.unzip();
    let done = match (asked.action, path) {
        (SlotVerb::Save, Some(path)) => {
            let limit = site.settings().await.kv_store_limit;
            // Where the client leaves it goes on all the same: a file that is being written gets to its place.
            let saved = tokio::spawn(save(site.clone(), model.id, slot, path, limit)).await;
            saved.map_err(Error::internal)??
        }
        (SlotVerb::Restore, Some(path)) => restore(&site, model.id, slot, path).await?,
        _ => carry_out(&site, model.id, slot, SlotAction::Erase).await?,
    };
    let (tokens, bytes, time) = (done.tokens, done.bytes.0, done.milliseconds);
    Ok(ok(&match asked.action {
        SlotVerb::Save => json!({
            "id_slot": slot, "filename": file, "n_saved": tokens, "n_written": bytes, "timings": {"save_ms": time},
        }),
        SlotVerb::Restore => json!({
            "id_slot": slot, "filename": file, "n_restored": tokens, "n_read": bytes, "timings": {"restore_ms": time},
        }),
        SlotVerb::Erase => json!({"id_slot": slot, "n_erased": tokens}),
    }))
}

/// Saves what a slot knows.
async fn save(
    site: Site,
    model: LoadedId,
    slot: u32,
    path: PathBuf,
    limit: ByteSize,
) -> Result<SlotDone, Refusal> {
    let saving = Saving::begin(path, limit).await?;
    let action = SlotAction::Save(saving.beside().to_owned());
    let done = carry_out(&site, model, slot, action).await?;
    saving.finish().await?;
    Ok(done)
}

/// Brings back what a file holds.
///
/// # Errors
/// 404 where there is none, 400 where it is none of this model.
async fn restore(site: &Site, model: LoadedId, slot: u32, path: PathBuf) -> Result<SlotDone, Refusal> {
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let sought = path.clone();
    if !blocking(move || Ok(sought.exists())).await? {
        let message = format!("There is no saved slot {name:?}.");
        return Err(Refusal {
            param: Some("filename".into()),
            ..Refusal::coded(StatusCode::NOT_FOUND, "slot_file_not_found", message)
        });
    }
    let restored = carry_out(site, model, slot, SlotAction::Restore(path)).await;
    restored.map_err(|error| match error {
        Error::File { reason, .. } => {
            Refusal::field("filename", format!("{name:?} cannot be restored: {reason}"))
        }
        error => error.into(),
    })
}

async fn carry_out(
    site: &Site,
    model: LoadedId,
    slot: u32,
    action: SlotAction,
) -> hearth_protocol::Result<SlotDone> {
    answer(site.client(), |client| client.change_slot(model, slot, action)).await
}

/// The model in memory that is meant.
async fn loaded(site: &Site, name: Option<&str>) -> Result<Option<LoadedModel>, Refusal> {
    Ok(current(site, name).await?.loaded)
}

//! `GET /slots` and `POST /slots/{id}`: the places in which a model computes, and what they know.

use std::path::{Path as FilePath, PathBuf};

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use hearth_protocol::engine::{LoadedModel, SlotAction, SlotState};
use hearth_protocol::llama_cpp::slot::{NextToken, Slot, SlotFile, SlotQuery, SlotVerb};
use serde::Deserialize;
use serde_json::json;

use super::props::{ModelQuery, query};
use crate::files::{blocking, make_parent};
use crate::server::body::{parse, taken_apart};
use crate::server::current::current;
use crate::server::format::ok;
use crate::server::listening::answer;
use crate::server::refusal::Refusal;
use crate::server::site::Site;

/// Longest name of a file, in bytes.
const LONGEST_NAME: usize = 200;

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
    Path(id): Path<String>,
    uri: Uri,
    body: Bytes,
) -> Result<Response, Refusal> {
    let asked: SlotQuery = query(&uri)?;
    let slot: u32 = id
        .parse()
        .map_err(|_| Refusal::field("id_slot", format!("is {id:?} and must be a slot's number")))?;
    let (file, path) = match asked.action {
        SlotVerb::Erase => (None, PathBuf::new()),
        SlotVerb::Save | SlotVerb::Restore => {
            let SlotFile { filename } = taken_apart(&body, parse).await?;
            let path = place(site.slots(), &filename)?;
            (Some(filename), path)
        }
    };
    let model = loaded(&site, asked.model.as_deref()).await?.ok_or_else(|| {
        let message = "No model is in memory, so that no slot knows anything.";
        Refusal::coded(StatusCode::BAD_REQUEST, "model_not_loaded", message)
    })?;
    if asked.action == SlotVerb::Save {
        let path = path.clone();
        blocking(move || make_parent(&path)).await?;
    }
    let action = match asked.action {
        SlotVerb::Save => SlotAction::Save(path),
        SlotVerb::Restore => SlotAction::Restore(path),
        SlotVerb::Erase => SlotAction::Erase,
    };
    let done = answer(site.client(), |client| client.change_slot(model.id, slot, action)).await?;
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

/// The model in memory that is meant.
async fn loaded(site: &Site, name: Option<&str>) -> Result<Option<LoadedModel>, Refusal> {
    if name.is_none() {
        let loaded = answer(site.client(), |client| client.list_loaded()).await?;
        return Ok(loaded.into_iter().next());
    }
    let settings = site.settings().await;
    Ok(current(site, name, &settings).await?.loaded)
}

/// The file of a name, in the server's own folder and nowhere else.
///
/// # Errors
/// Where the name could lead elsewhere, or is none that every system takes.
fn place(folder: &FilePath, name: &str) -> Result<PathBuf, Refusal> {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_. ".contains(letter);
    let is_name = !name.is_empty()
        && name.len() <= LONGEST_NAME
        && name.chars().all(is_plain)
        && !name.starts_with('.')
        && !name.ends_with(['.', ' '])
        && !name.starts_with(' ');
    if !is_name {
        return Err(Refusal::field(
            "filename",
            "must be letters, digits, spaces, -, _ and points, with none of the last three kinds in front",
        ));
    }
    Ok(folder.join(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_never_lies_elsewhere() {
        let folder = FilePath::new("/slots");
        assert_eq!(place(folder, "slot1.bin").ok(), Some("/slots/slot1.bin".into()));
        for name in [
            "",
            ".",
            "..",
            "../x",
            "a/b",
            "a\\b",
            "/etc/passwd",
            "C:x",
            "a\0",
            ".hidden",
            "nul.",
            " a",
            "a\n",
        ] {
            let refused = place(folder, name).expect_err(name);
            assert_eq!(refused.param.as_deref(), Some("filename"), "{name:?}");
        }
        assert!(place(folder, &"x".repeat(LONGEST_NAME + 1)).is_err());
    }
}

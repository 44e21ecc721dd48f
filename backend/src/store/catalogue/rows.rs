//! The catalogue's rows as the protocol has them.

use std::collections::HashMap;

use hearth_protocol::catalogue::{Capability, CatalogueFile, FileRole, Fit, ModelEdits, ModelSummary};
use hearth_protocol::{ByteSize, Error, ModelId, Result, UnixMillis};
use sqlx::sqlite::SqliteConnection;

use crate::store::failure::storage;
use crate::store::lenient::{self, Lossy};

struct SummaryRow {
    id: i64,
    model: Lossy,
    name: Lossy,
    author: Lossy,
    summary: Option<Lossy>,
    licence: Option<Lossy>,
    parameters: Option<i64>,
    active_parameters: Option<i64>,
    context_length: Option<i64>,
    capabilities: i64,
    released_on: Option<Lossy>,
    download_size: Option<i64>,
    downloads: Option<i64>,
    likes: Option<i64>,
    updated_at: Option<i64>,
    fetched_at: Option<i64>,
    gated: bool,
    curated: bool,
    favourite: bool,
    hidden: bool,
}

impl From<SummaryRow> for ModelSummary {
    fn from(row: SummaryRow) -> Self {
        let number = |stored: Option<i64>| stored.and_then(|number| u64::try_from(number).ok());
        Self {
            id: ModelId(row.model.0),
            name: row.name.0,
            author: row.author.0,
            summary: row.summary.map(|text| text.0),
            parameters: number(row.parameters),
            active_parameters: number(row.active_parameters),
            context_length: row.context_length.and_then(|tokens| u32::try_from(tokens).ok()),
            capabilities: capabilities(row.capabilities),
            licence: row.licence.map(|text| text.0),
            released_on: row.released_on.map(|text| text.0),
            download_size: number(row.download_size).map(ByteSize),
            downloads: number(row.downloads),
            likes: number(row.likes),
            updated_at: row.updated_at.map(UnixMillis),
            fetched_at: row.fetched_at.map(UnixMillis),
            gated: row.gated,
            featured: row.curated,
            favourite: row.favourite,
            hidden: row.hidden,
        }
    }
}

/// The rows with these numbers, in this order.
pub(super) async fn summaries(connection: &mut SqliteConnection, ids: &[i64]) -> Result<Vec<ModelSummary>> {
    let wanted = serde_json::to_string(ids).map_err(Error::internal)?;
    let rows = sqlx::query_as!(
        SummaryRow,
        r#"select m.id as "id!: i64", m.model as "model: Lossy", m.shown_name as "name: Lossy",
            m.author as "author: Lossy", m.summary as "summary: Lossy", m.licence as "licence: Lossy",
            m.parameters, m.active_parameters, m.context_length, m.capabilities,
            m.released_on as "released_on: Lossy", m.download_size, m.downloads, m.likes, m.updated_at, m.fetched_at,
            m.gated as "gated: bool",
            m.curated as "curated: bool", m.favourite as "favourite: bool", m.hidden as "hidden: bool"
        from json_each(?) wanted
        join catalogue_models m on m.id = wanted.value"#,
        wanted
    )
    .fetch_all(connection)
    .await
    .map_err(storage)?;
    let mut found: HashMap<i64, ModelSummary> = rows.into_iter().map(|row| (row.id, row.into())).collect();
    Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
}

pub(super) async fn read_edits(connection: &mut SqliteConnection, model: &ModelId) -> Result<ModelEdits> {
    let name = model.as_str();
    let row = sqlx::query!(
        r#"select display_name as "display_name: Lossy", notes as "notes: Lossy", tags as "tags: Lossy",
            favourite as "favourite: bool", hidden as "hidden: bool"
        from catalogue_edits where model = ?"#,
        name
    )
    .fetch_optional(connection)
    .await
    .map_err(storage)?;
    Ok(row.map_or_else(ModelEdits::default, |row| ModelEdits {
        display_name: row.display_name.map(|name| name.0),
        notes: row.notes.0,
        tags: lenient::json("tags", Some(row.tags)).unwrap_or_default(),
        favourite: row.favourite,
        hidden: row.hidden,
    }))
}

pub(super) async fn files(connection: &mut SqliteConnection, model: i64) -> Result<Vec<CatalogueFile>> {
    let rows = sqlx::query!(
        r#"select repository as "repository: Lossy", revision as "revision: Lossy", name as "name: Lossy",
            role as "role: Lossy", size, sha256 as "sha256: Lossy", quantisation as "quantisation: Lossy",
            parts as "parts: Lossy", missing_parts as "missing_parts: Lossy"
        from catalogue_files where model_id = ? order by id"#,
        model
    )
    .fetch_all(connection)
    .await
    .map_err(storage)?;
    Ok(rows
        .into_iter()
        .map(|row| CatalogueFile {
            repository: ModelId(row.repository.0),
            revision: row.revision.map(|text| text.0),
            name: row.name.0,
            role: role(&row.role.0),
            size: row.size.and_then(|size| u64::try_from(size).ok()).map(ByteSize),
            sha256: row.sha256.map(|text| text.0),
            parts: lenient::json("parts", row.parts).unwrap_or_default(),
            missing_parts: lenient::json("missing_parts", row.missing_parts).unwrap_or_default(),
            quantisation: row.quantisation.map(|text| text.0),
            projector: None,
            draft: None,
            fit: Fit::Unknown,
            estimate: None,
            recommended: None,
            problem: None,
        })
        .collect())
}

pub(super) fn role_name(role: FileRole) -> &'static str {
    match role {
        FileRole::Model => "model",
        FileRole::Projector => "projector",
        FileRole::Draft => "draft",
    }
}

fn role(name: &str) -> FileRole {
    match name {
        "projector" => FileRole::Projector,
        "draft" => FileRole::Draft,
        _ => FileRole::Model,
    }
}

/// A bit for each capability, in the order of [`Capability::ALL`], which therefore only ever grows at its end.
pub(super) fn capability_bits(capabilities: &[Capability]) -> i64 {
    let bit = |(place, capability): (usize, &Capability)| {
        if capabilities.contains(capability) {
            1 << place
        } else {
            0
        }
    };
    Capability::ALL.iter().enumerate().map(bit).sum()
}

fn capabilities(bits: i64) -> Vec<Capability> {
    let has = |(place, capability): (usize, Capability)| (bits & (1 << place) != 0).then_some(capability);
    Capability::ALL.into_iter().enumerate().filter_map(has).collect()
}

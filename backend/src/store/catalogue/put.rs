//! Puts models into the catalogue and their words into its index.

use hearth_protocol::catalogue::CatalogueFile;
use hearth_protocol::{Error, Result};
use sqlx::sqlite::SqliteConnection;

use super::NewModel;
use super::rows::{capability_bits, role_name, summaries};
use crate::store::failure::storage;

/// The place of all models that did not come with Hearth: after those that did.
const UNPLACED: i64 = 1_000_000;

/// Puts one model in, with its files and the person's edits, and gives its number. The hub's figures of a model that
/// comes with Hearth stay; and so do the files of one that a list of the hub tells only the names of.
pub(super) async fn put(connection: &mut SqliteConnection, new: &NewModel) -> Result<i64> {
    let (model, card) = (
        &new.model,
        serde_json::to_string(&new.card).map_err(Error::internal)?,
    );
    let name = model.id.as_str();
    let place = new.place.map_or(UNPLACED, i64::from);
    let (curated, capabilities) = (new.place.is_some(), capability_bits(&model.capabilities));
    let languages: String = new
        .card
        .languages
        .iter()
        .map(|code| format!(" {code} "))
        .collect();
    let [parameters, active, size, downloads, likes] = [
        model.parameters,
        model.active_parameters,
        model.download_size.map(|size| size.0),
        model.downloads,
        model.likes,
    ]
    .map(|number| number.map(i64::try_from).and_then(std::result::Result::ok));
    let least_memory = new.least_memory.and_then(|bytes| i64::try_from(bytes).ok());
    let [updated_at, fetched_at, detailed_at] =
        [model.updated_at, model.fetched_at, new.detailed_at].map(|moment| moment.map(|moment| moment.0));
    let row = sqlx::query!(
        r#"insert into catalogue_models (model, place, curated, name, shown_name, author, summary, licence, parameters,
            active_parameters, context_length, capabilities, languages, released_on, download_size, least_memory,
            usual_file, downloads, likes, trending_score, updated_at, gated, card, fetched_at, detailed_at)
        values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        on conflict (model) do update set place = excluded.place, curated = excluded.curated, name = excluded.name,
            author = excluded.author, summary = excluded.summary, licence = excluded.licence,
            parameters = excluded.parameters, active_parameters = excluded.active_parameters,
            context_length = excluded.context_length, capabilities = excluded.capabilities,
            languages = excluded.languages, released_on = excluded.released_on,
            download_size = iif(excluded.curated or excluded.detailed_at is not null or detailed_at is null,
                excluded.download_size, download_size),
            least_memory = iif(excluded.curated or excluded.detailed_at is not null or detailed_at is null,
                excluded.least_memory, least_memory),
            usual_file = excluded.usual_file, downloads = coalesce(excluded.downloads, downloads),
            likes = coalesce(excluded.likes, likes),
            trending_score = coalesce(excluded.trending_score, trending_score),
            updated_at = coalesce(excluded.updated_at, updated_at), gated = excluded.gated, card = excluded.card,
            fetched_at = coalesce(excluded.fetched_at, fetched_at),
            detailed_at = iif(excluded.curated, null, coalesce(excluded.detailed_at, detailed_at))
        returning id as "id!: i64", detailed_at"#,
        name,
        place,
        curated,
        model.name,
        model.name,
        model.author,
        model.summary,
        model.licence,
        parameters,
        active,
        model.context_length,
        capabilities,
        languages,
        model.released_on,
        size,
        least_memory,
        new.usual_file,
        downloads,
        likes,
        new.trending_score,
        updated_at,
        model.gated,
        card,
        fetched_at,
        detailed_at
    )
    .fetch_one(&mut *connection)
    .await
    .map_err(storage)?;
    let knows_more = !curated && new.detailed_at.is_none() && row.detailed_at.is_some();
    if !knows_more {
        sqlx::query!("delete from catalogue_files where model_id = ?", row.id)
            .execute(&mut *connection)
            .await
            .map_err(storage)?;
        put_files(connection, row.id, &new.files).await?;
    }
    apply_edits(connection, row.id).await?;
    Ok(row.id)
}

/// Adds files to a model.
pub(super) async fn put_files(
    connection: &mut SqliteConnection,
    model: i64,
    files: &[CatalogueFile],
) -> Result<()> {
    for file in files {
        put_file(connection, model, file).await?;
    }
    Ok(())
}

async fn put_file(connection: &mut SqliteConnection, model: i64, file: &CatalogueFile) -> Result<()> {
    let repository = file.repository.as_str();
    let role = role_name(file.role);
    let size = file.size.and_then(|size| i64::try_from(size.0).ok());
    let parts = (!file.parts.is_empty()).then(|| serde_json::to_string(&file.parts));
    let parts = parts.transpose().map_err(Error::internal)?;
    let missing = (!file.missing_parts.is_empty()).then(|| serde_json::to_string(&file.missing_parts));
    let missing = missing.transpose().map_err(Error::internal)?;
    sqlx::query!(
        "insert into catalogue_files (model_id, repository, revision, name, role, size, sha256, quantisation, parts,
            missing_parts)
        values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        model,
        repository,
        file.revision,
        file.name,
        role,
        size,
        file.sha256,
        file.quantisation,
        parts,
        missing
    )
    .execute(connection)
    .await
    .map_err(storage)?;
    Ok(())
}

/// Brings a model's row and its words in the index to what the person wrote of it.
pub(super) async fn apply_edits(connection: &mut SqliteConnection, id: i64) -> Result<()> {
    sqlx::query!(
        "update catalogue_models set
            shown_name = coalesce((select display_name from catalogue_edits e where e.model = catalogue_models.model), name),
            favourite = coalesce((select favourite from catalogue_edits e where e.model = catalogue_models.model), 0),
            hidden = coalesce((select hidden from catalogue_edits e where e.model = catalogue_models.model), 0)
        where id = ?",
        id
    )
    .execute(&mut *connection)
    .await
    .map_err(storage)?;
    sqlx::query!("delete from catalogue_search where rowid = ?", id)
        .execute(&mut *connection)
        .await
        .map_err(storage)?;
    let row = summaries(connection, &[id]).await?.pop();
    let capabilities: Vec<&str> = row
        .iter()
        .flat_map(|row| row.capabilities.iter().map(|capability| capability.name()))
        .collect();
    let capabilities = capabilities.join(" ");
    // The catalogue's own name is found too where the person gave another.
    sqlx::query!(
        "insert into catalogue_search (rowid, name, author, summary, tags, repositories, quantisations)
        select m.id, coalesce(e.display_name || ' ', '') || m.name, m.author, m.summary,
            coalesce((select group_concat(value, ' ') from json_each(iif(json_valid(e.tags), e.tags, '[]'))) || ' ', '') || ?,
            m.model || ' ' || coalesce((select group_concat(value, ' ') from json_each(m.card, '$.repositories')), ''),
            (select group_concat(distinct quantisation) from catalogue_files f where f.model_id = m.id)
        from catalogue_models m left join catalogue_edits e on e.model = m.model
        where m.id = ?",
        capabilities,
        id
    )
    .execute(connection)
    .await
    .map_err(storage)?;
    Ok(())
}

//! Models that the hub told of. One that came with Hearth keeps its text and takes the figures; all others are kept as
//! they are told, within a bound, so that they are found without the hub too.

use hearth_protocol::{Error, ModelId, Result};
use sqlx::sqlite::SqliteConnection;

use super::NewModel;
use super::put::{apply_edits, put, put_files};
use crate::store::Store;
use crate::store::failure::storage;
use crate::store::lenient::Lossy;

/// Models of the hub that are kept beside those that the person wrote something of: about 100 MB.
const MOST_KEPT: u32 = 20_000;

/// Models that one transaction forgets at most, so that none is long.
const MOST_FORGOTTEN: u32 = 1_000;

/// A model that came with Hearth, by one of its repositories.
struct Own {
    id: i64,
    model: ModelId,
}

impl Store {
    /// Keeps what the hub told, and gives the names under which it is shown, each once: that of a model which came with
    /// Hearth in place of those of its repositories.
    ///
    /// # Errors
    /// [`Error::Storage`]; [`Error::NewerDatabase`] where the file may only be read.
    pub(crate) async fn keep_found(&self, models: &[NewModel]) -> Result<Vec<ModelId>> {
        let mut transaction = self.write().await?;
        let mut shown: Vec<ModelId> = Vec::new();
        for new in models {
            let name = match own(&mut transaction, &new.model.id).await? {
                Some(own) => {
                    refresh(&mut transaction, own.id, new).await?;
                    own.model
                }
                None => {
                    put(&mut transaction, new).await?;
                    new.model.id.clone()
                }
            };
            if !shown.contains(&name) {
                shown.push(name);
            }
        }
        forget_oldest(&mut transaction, MOST_KEPT).await?;
        transaction.commit().await.map_err(storage)?;
        Ok(shown)
    }
}

/// The model that came with Hearth and has this repository.
async fn own(connection: &mut SqliteConnection, repository: &ModelId) -> Result<Option<Own>> {
    let name = repository.as_str();
    let row = sqlx::query!(
        r#"select m.id as "id!: i64", m.model as "model: Lossy"
        from catalogue_repositories r join catalogue_models m on m.id = r.model_id where r.repository = ?"#,
        name
    )
    .fetch_optional(connection)
    .await
    .map_err(storage)?;
    Ok(row.map(|row| Own {
        id: row.id,
        model: ModelId(row.model.0),
    }))
}

/// Takes the figures of a repository over, and its files where they are told whole. Its text stays Hearth's.
async fn refresh(connection: &mut SqliteConnection, id: i64, new: &NewModel) -> Result<()> {
    let model = &new.model;
    let name = model.id.as_str();
    let [downloads, likes] =
        [model.downloads, model.likes].map(|number| number.and_then(|number| i64::try_from(number).ok()));
    let updated_at = model.updated_at.map(|moment| moment.0);
    sqlx::query!(
        "update catalogue_repositories set downloads = ?, likes = ?, trending_score = coalesce(?, trending_score),
            updated_at = ?, gated = ?
        where repository = ?",
        downloads,
        likes,
        new.trending_score,
        updated_at,
        model.gated,
        name
    )
    .execute(&mut *connection)
    .await
    .map_err(storage)?;
    let (fetched_at, detailed_at) = (
        model.fetched_at.map(|moment| moment.0),
        new.detailed_at.map(|moment| moment.0),
    );
    sqlx::query!(
        "update catalogue_models set fetched_at = ?, detailed_at = coalesce(?, detailed_at) where id = ?",
        fetched_at,
        detailed_at,
        id
    )
    .execute(&mut *connection)
    .await
    .map_err(storage)?;
    if new.detailed_at.is_some() && !new.files.is_empty() {
        sqlx::query!(
            "delete from catalogue_files where model_id = ? and repository = ? collate nocase",
            id,
            name
        )
        .execute(&mut *connection)
        .await
        .map_err(storage)?;
        put_files(connection, id, &new.files).await?;
        apply_edits(connection, id).await?;
    }
    refresh_figures(connection, id).await
}

/// Gives a model that came with Hearth the figures of its repositories: the greatest of each; and it is gated where all
/// of those are that the hub has told of.
pub(super) async fn refresh_figures(connection: &mut SqliteConnection, id: i64) -> Result<()> {
    sqlx::query!(
        "update catalogue_models set downloads = r.downloads, likes = r.likes, trending_score = r.trending_score,
            updated_at = r.updated_at, gated = coalesce(r.gated, catalogue_models.gated)
        from (select max(downloads) downloads, max(likes) likes, max(trending_score) trending_score,
            max(updated_at) updated_at, min(gated) gated from catalogue_repositories where model_id = ?) r
        where id = ?",
        id,
        id
    )
    .execute(connection)
    .await
    .map_err(storage)?;
    Ok(())
}

/// Forgets the models of the hub that were not told of for longest, beyond so many, but none that the person wrote
/// something of.
pub(super) async fn forget_oldest(connection: &mut SqliteConnection, keep: u32) -> Result<()> {
    let kept =
        sqlx::query_scalar!(r#"select count(*) as "count!: i64" from catalogue_models where curated = 0"#)
            .fetch_one(&mut *connection)
            .await
            .map_err(storage)?;
    if kept <= i64::from(keep) {
        return Ok(());
    }
    let ids = sqlx::query_scalar!(
        r#"select m.id as "id!: i64" from catalogue_models m
        where m.curated = 0 and not exists (select 1 from catalogue_edits e where e.model = m.model)
        order by m.fetched_at desc, m.id limit ? offset ?"#,
        MOST_FORGOTTEN,
        keep
    )
    .fetch_all(&mut *connection)
    .await
    .map_err(storage)?;
    let ids = serde_json::to_string(&ids).map_err(Error::internal)?;
    sqlx::query!(
        "delete from catalogue_search where rowid in (select value from json_each(?))",
        ids
    )
    .execute(&mut *connection)
    .await
    .map_err(storage)?;
    sqlx::query!(
        "delete from catalogue_models where id in (select value from json_each(?))",
        ids
    )
    .execute(connection)
    .await
    .map_err(storage)?;
    Ok(())
}

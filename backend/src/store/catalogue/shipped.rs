//! The models that come with Hearth, brought to another version of the catalogue.

use hearth_protocol::{Error, Result};
use sqlx::sqlite::SqliteConnection;

use super::NewModel;
use super::found::refresh_figures;
use super::put::{apply_edits, put};
use crate::store::Store;
use crate::store::failure::storage;
use crate::store::settings::put_setting;

/// The setting that holds the version of the shipped catalogue that was loaded.
const VERSION_KEY: &str = "catalogue_version";

impl Store {
    /// Puts the models that come with Hearth into the catalogue, in the place of those of another version. All or
    /// nothing; what the person wrote and what the hub counted stays. `models` is called only where the version is
    /// another.
    ///
    /// # Errors
    /// Those of `models`; [`Error::Storage`]; [`Error::NewerDatabase`] where the file may only be read.
    pub(crate) async fn load_shipped_models(
        &self,
        version: &str,
        models: impl FnOnce() -> Result<Vec<NewModel>>,
    ) -> Result<()> {
        if self.read_setting(VERSION_KEY).await?.as_deref() == Some(version) {
            return Ok(());
        }
        let models = models()?;
        let mut transaction = self.write().await?;
        remove_others(&mut transaction, &models).await?;
        let mut ids = Vec::new();
        for model in &models {
            ids.push(put(&mut transaction, model).await?);
        }
        claim_repositories(&mut transaction, &models).await?;
        for id in ids {
            apply_edits(&mut transaction, id).await?;
            refresh_figures(&mut transaction, id).await?;
        }
        put_setting(&mut transaction, VERSION_KEY, version).await?;
        transaction.commit().await.map_err(storage)
    }
}

/// Removes what came with another version and does not any more.
async fn remove_others(connection: &mut SqliteConnection, models: &[NewModel]) -> Result<()> {
    let names: Vec<_> = models.iter().map(|new| &new.model.id).collect();
    let names = serde_json::to_string(&names).map_err(Error::internal)?;
    sqlx::query!(
        "delete from catalogue_search where rowid in (
            select id from catalogue_models where curated = 1 and model not in (select value from json_each(?)))",
        names
    )
    .execute(&mut *connection)
    .await
    .map_err(storage)?;
    sqlx::query!(
        "delete from catalogue_models where curated = 1 and model not in (select value from json_each(?))",
        names
    )
    .execute(connection)
    .await
    .map_err(storage)?;
    Ok(())
}

/// Notes which repositories hold files of these models. What was known of such a repository as a model of its own goes
/// over to the model that came with Hearth.
async fn claim_repositories(connection: &mut SqliteConnection, models: &[NewModel]) -> Result<()> {
    let claims: Vec<(&str, &str)> = models
        .iter()
        .flat_map(|new| {
            let own = std::iter::once(&new.model.id).chain(&new.card.repositories);
            own.map(|repository| (repository.as_str(), new.model.id.as_str()))
        })
        .collect();
    let claims = serde_json::to_string(&claims).map_err(Error::internal)?;
    sqlx::query!(
        "delete from catalogue_repositories where repository not in (select value ->> 0 from json_each(?))",
        claims
    )
    .execute(&mut *connection)
    .await
    .map_err(storage)?;
    // A model's own name is never another's, whatever repositories it names.
    sqlx::query!(
        "insert into catalogue_repositories (repository, model_id)
        select claim.value ->> 0, m.id from json_each(?) claim join catalogue_models m on m.model = claim.value ->> 1
        where true
        on conflict (repository) do update set model_id = excluded.model_id
            where not exists (
                select 1 from catalogue_models own
                where own.model = catalogue_repositories.repository and own.id = catalogue_repositories.model_id)",
        claims
    )
    .execute(&mut *connection)
    .await
    .map_err(storage)?;
    sqlx::query!(
        "update or ignore catalogue_edits set model = (
            select m.model from catalogue_repositories r join catalogue_models m on m.id = r.model_id
            where r.repository = catalogue_edits.model)
        where model in (select repository from catalogue_repositories)"
    )
    .execute(&mut *connection)
    .await
    .map_err(storage)?;
    sqlx::query!(
        "delete from catalogue_search where rowid in (
            select id from catalogue_models
            where curated = 0 and model in (select repository from catalogue_repositories))"
    )
    .execute(&mut *connection)
    .await
    .map_err(storage)?;
    sqlx::query!(
        "delete from catalogue_models
        where curated = 0 and model in (select repository from catalogue_repositories)"
    )
    .execute(connection)
    .await
    .map_err(storage)?;
    Ok(())
}

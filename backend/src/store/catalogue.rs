//! The catalogue: models, their files, and what the person wrote of them. Searching stands in `search`.

mod candidates;
mod format;
mod found;
mod headers;
mod listings;
mod put;
mod rows;
mod search;
mod shipped;
#[cfg(test)]
mod tests;

use hearth_protocol::catalogue::{CatalogueFile, ModelCard, ModelEdits, ModelSummary};
use hearth_protocol::{Error, ModelId, Result, UnixMillis};

use super::Store;
use super::failure::storage;
use super::lenient::{self, Lossy};
use put::apply_edits;
use rows::{files, read_edits, summaries};

pub(crate) use candidates::{Candidate, Candidates};
pub(crate) use headers::Header;
pub(crate) use listings::{ListedPage, Listing, Rest};
pub(crate) use search::PAGE;

/// A model to put into the catalogue, in the place of what there was of it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NewModel {
    /// Its row. What the person decides (favourite, hidden, another name) is not taken from here.
    pub(crate) model: ModelSummary,
    /// Its place in Hearth's own order, from 0; `None` for models that did not come with Hearth.
    pub(crate) place: Option<u32>,
    /// The rest of what is known.
    pub(crate) card: ModelCard,
    /// Name of the file that is usually taken.
    pub(crate) usual_file: Option<String>,
    /// Bytes that its smallest file takes in memory, about.
    pub(crate) least_memory: Option<u64>,
    /// The hub's own figure of how much it is talked of.
    pub(crate) trending_score: Option<f64>,
    /// Its files.
    pub(crate) files: Vec<CatalogueFile>,
    /// When its files were fetched with their sizes; `None` for one of a list, which tells names only.
    pub(crate) detailed_at: Option<UnixMillis>,
}

/// Everything the catalogue holds of a model.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StoredModel {
    pub(crate) model: ModelSummary,
    pub(crate) card: ModelCard,
    pub(crate) edits: ModelEdits,
    pub(crate) usual_file: Option<String>,
    /// In the order in which they were put in; how they fit is unknown.
    pub(crate) files: Vec<CatalogueFile>,
    pub(crate) detailed_at: Option<UnixMillis>,
}

impl Store {
    /// The models that came with Hearth, in its order, without those that the person hid.
    pub(crate) async fn shipped_models(&self) -> Result<Vec<ModelSummary>> {
        let mut transaction = self.read().await?;
        let ids = sqlx::query_scalar!(
            r#"select id as "id!: i64" from catalogue_models where curated = 1 and hidden = 0 order by place"#
        )
        .fetch_all(&mut *transaction)
        .await
        .map_err(storage)?;
        summaries(&mut transaction, &ids).await
    }

    /// Everything of one model, which may be named by a repository of it.
    ///
    /// # Errors
    /// [`Error::NotFound`] where the catalogue has no such model.
    pub(crate) async fn catalogue_model(&self, model: &ModelId) -> Result<StoredModel> {
        let mut transaction = self.read().await?;
        let name = model.as_str();
        let row = sqlx::query!(
            r#"select id as "id!: i64", card as "card: Lossy", usual_file as "usual_file: Lossy", detailed_at
            from catalogue_models
            where id = coalesce((select id from catalogue_models where model = ?),
                (select model_id from catalogue_repositories where repository = ?))"#,
            name,
            name
        )
        .fetch_optional(&mut *transaction)
        .await
        .map_err(storage)?
        .ok_or_else(|| no_model(model))?;
        let summary = summaries(&mut transaction, &[row.id]).await?.pop();
        let summary = summary.ok_or_else(|| no_model(model))?;
        let edits = read_edits(&mut transaction, &summary.id).await?;
        let files = files(&mut transaction, row.id).await?;
        Ok(StoredModel {
            model: summary,
            card: lenient::json("card", Some(row.card)).unwrap_or_default(),
            edits,
            usual_file: row.usual_file.map(|name| name.0),
            files,
            detailed_at: row.detailed_at.map(UnixMillis),
        })
    }

    /// Replaces what the person wrote of a model, and gives its row as it is now.
    ///
    /// # Errors
    /// [`Error::NotFound`] where the catalogue has no such model.
    pub(crate) async fn edit_catalogue_model(
        &self,
        model: &ModelId,
        edits: &ModelEdits,
    ) -> Result<ModelSummary> {
        let mut transaction = self.write().await?;
        let name = model.as_str();
        let id = sqlx::query_scalar!(
            r#"select id as "id!: i64" from catalogue_models where model = ?"#,
            name
        )
        .fetch_optional(&mut *transaction)
        .await
        .map_err(storage)?
        .ok_or_else(|| no_model(model))?;
        let tags = serde_json::to_string(&edits.tags).map_err(Error::internal)?;
        sqlx::query!(
            "insert into catalogue_edits (model, display_name, notes, tags, favourite, hidden)
            values (?, ?, ?, ?, ?, ?)
            on conflict (model) do update set display_name = excluded.display_name, notes = excluded.notes,
                tags = excluded.tags, favourite = excluded.favourite, hidden = excluded.hidden",
            name,
            edits.display_name,
            edits.notes,
            tags,
            edits.favourite,
            edits.hidden
        )
        .execute(&mut *transaction)
        .await
        .map_err(storage)?;
        apply_edits(&mut transaction, id).await?;
        let row = summaries(&mut transaction, &[id]).await?.pop();
        transaction.commit().await.map_err(storage)?;
        row.ok_or_else(|| no_model(model))
    }
}

fn no_model(model: &ModelId) -> Error {
    Error::NotFound {
        what: "model".into(),
        name: model.to_string(),
        known: Vec::new(),
    }
}

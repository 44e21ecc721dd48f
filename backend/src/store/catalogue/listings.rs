//! What searches of the hub gave, page by page, so that pages follow each other without gaps and are there without the
//! hub too.

use hearth_protocol::{Error, ModelId, Result, UnixMillis};
use serde::{Deserialize, Serialize};

use crate::store::Store;
use crate::store::failure::storage;
use crate::store::lenient::{self, Lossy};

/// Searches that are kept: the newest.
const MOST_KEPT: u32 = 300;

/// The pages of a search that were shown, and how it goes on. A page that was shown never changes, so that none that
/// follows repeats or lacks a model.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Listing {
    /// In order, each with what the hub gave at its time.
    pub(crate) pages: Vec<ListedPage>,
    /// What the hub gave and no page has yet, in its order.
    pub(crate) waiting: Vec<ModelId>,
    /// What the hub has beyond that.
    pub(crate) rest: Rest,
    /// Why the model that the text names is not among them.
    pub(crate) named: Option<Error>,
}

/// A page that was shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ListedPage {
    pub(crate) models: Vec<ModelId>,
    /// Whether another follows.
    pub(crate) more: bool,
    /// When it was made.
    pub(crate) made_at: UnixMillis,
}

/// What the hub has that was not asked for yet.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Rest {
    /// All of it.
    #[default]
    All,
    /// What this address gives.
    At(String),
    /// Nothing.
    None,
}

impl Store {
    /// What the hub gave for a question, if it was asked it.
    pub(crate) async fn read_listing(&self, question: &str) -> Result<Option<Listing>> {
        let mut transaction = self.read().await?;
        let stored = sqlx::query_scalar!(
            r#"select listing as "listing: Lossy" from catalogue_searches where question = ?"#,
            question
        )
        .fetch_optional(&mut *transaction)
        .await
        .map_err(storage)?;
        Ok(lenient::json("listing", stored))
    }

    /// Keeps what the hub gave, in the place of what it gave before.
    pub(crate) async fn keep_listing(&self, question: &str, listing: &Listing) -> Result<()> {
        let asked_at = listing.pages.first().map_or(0, |page| page.made_at.0);
        let listing = serde_json::to_string(listing).map_err(Error::internal)?;
        let mut transaction = self.write().await?;
        sqlx::query!(
            "insert into catalogue_searches (question, asked_at, listing) values (?, ?, ?)
            on conflict (question) do update set asked_at = excluded.asked_at, listing = excluded.listing",
            question,
            asked_at,
            listing
        )
        .execute(&mut *transaction)
        .await
        .map_err(storage)?;
        sqlx::query!(
            "delete from catalogue_searches where question in (
                select question from catalogue_searches order by asked_at desc limit -1 offset ?)",
            MOST_KEPT
        )
        .execute(&mut *transaction)
        .await
        .map_err(storage)?;
        transaction.commit().await.map_err(storage)
    }
}

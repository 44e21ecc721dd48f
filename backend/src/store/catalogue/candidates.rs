//! Models that can come next in a list, with the figure that says where.

use std::collections::HashMap;

use hearth_protocol::catalogue::search::CatalogueSort;
use hearth_protocol::{Error, ModelId, Result};
use sqlx::sqlite::SqliteConnection;

use crate::store::failure::storage;
use crate::store::lenient::Lossy;

/// A model that can come next.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Candidate {
    pub(crate) model: ModelId,
    /// The figure that the list is ordered by, the greatest first; `None` comes last, and is all there is where the order
    /// is no figure of the hub's.
    pub(crate) key: Option<f64>,
}

/// Models that can come next, by where they are from; each in its order.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Candidates {
    /// Of those that this computer knows, the ones that came with Hearth and the person's favourites. Only in the best
    /// order.
    pub(crate) own: Vec<Candidate>,
    /// All that this computer knows.
    pub(crate) known: Vec<Candidate>,
    /// Those that the hub gave and no page has yet.
    pub(crate) waiting: Vec<Candidate>,
}

/// The models with these numbers, in this order.
pub(super) async fn candidates(
    connection: &mut SqliteConnection,
    ids: &[i64],
    sort: CatalogueSort,
) -> Result<Vec<Candidate>> {
    let wanted = serde_json::to_string(ids).map_err(Error::internal)?;
    let rows = sqlx::query!(
        r#"select m.id as "id!: i64", m.model as "model: Lossy", m.downloads, m.likes, m.trending_score, m.updated_at,
            unixepoch(m.released_on) as "released: i64"
        from json_each(?) wanted join catalogue_models m on m.id = wanted.value"#,
        wanted
    )
    .fetch_all(connection)
    .await
    .map_err(storage)?;
    let whole = |number: Option<i64>| number.map(|number| number as f64);
    let mut found: HashMap<i64, Candidate> = rows
        .into_iter()
        .map(|row| {
            let key = match sort {
                CatalogueSort::Downloads => whole(row.downloads),
                CatalogueSort::Likes => whole(row.likes),
                CatalogueSort::Trending => row.trending_score,
                CatalogueSort::Updated => whole(row.updated_at),
                CatalogueSort::Created => whole(row.released),
                CatalogueSort::BestMatch
                | CatalogueSort::Name
                | CatalogueSort::Parameters
                | CatalogueSort::Favourites => None,
            };
            let model = ModelId(row.model.0);
            (row.id, Candidate { model, key })
        })
        .collect();
    Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
}

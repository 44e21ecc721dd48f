//! Searching the catalogue as one types, among hundreds of thousands of models.
//!
//! The one query that is put together at run time, from literals alone: what is filtered and how it is ordered is the
//! person's choice, and each order has an index of its own.

use hearth_protocol::catalogue::search::{CataloguePage, CatalogueSort};
use hearth_protocol::catalogue::{HubPart, ModelSummary};
use hearth_protocol::{Error, ModelId, Result};
use sqlx::sqlite::SqliteConnection;
use sqlx::{QueryBuilder, Sqlite};

use super::candidates::{Candidates, candidates};
use super::rows::{capability_bits, summaries};
use crate::catalogue::query::{Asked, Wanted, Word};
use crate::store::Store;
use crate::store::failure::storage;

/// Models of a page.
pub(crate) const PAGE: u32 = 50;

/// Models from which on a word is common. bm25 gives a word the less weight the more models have it, and reads them all
/// to find that out; a common word has hardly any, so it filters and does not rank.
const COMMON: u32 = 2000;

/// Hearth's own order: its own picks first, then what is downloaded most.
const OWN_ORDER: &str = "m.place, m.downloads desc, m.id";

/// How much a word weighs in each column of the index: name, author, summary, tags, repositories, quantisations.
const RANK: &str = "bm25(catalogue_search, 10.0, 4.0, 2.0, 3.0, 3.0, 1.0)";

type Builder = QueryBuilder<Sqlite>;

/// Which of the models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Of {
    All,
    /// Those that came with Hearth, and the person's favourites.
    Own,
}

/// How many of the models.
#[derive(Debug, Clone, Copy)]
struct Slice {
    limit: u32,
    offset: u64,
}

impl Store {
    /// A page of the models that this computer knows.
    pub(crate) async fn search_catalogue(&self, asked: &Asked) -> Result<CataloguePage> {
        let mut transaction = self.read().await?;
        let page = Slice {
            limit: PAGE + 1,
            offset: u64::from(asked.query.page) * u64::from(PAGE),
        };
        let mut ids = find(&mut transaction, asked, Of::All, page).await?;
        let more = ids.len() > PAGE as usize;
        ids.truncate(PAGE as usize);
        let models = summaries(&mut transaction, &ids).await?;
        let told = models
            .iter()
            .filter(|row| !row.featured)
            .filter_map(|row| row.fetched_at);
        Ok(CataloguePage {
            cached_at: told.min_by_key(|moment| moment.0),
            models,
            more,
            hub: HubPart::NotAsked,
            named: None,
        })
    }

    /// What can be on the next page of a search that the hub was asked too: of what this computer knows the first `most`
    /// in order, and of `waiting` those that fulfil the conditions, in the order in which they are given.
    pub(crate) async fn candidates(
        &self,
        asked: &Asked,
        waiting: &[ModelId],
        most: u32,
    ) -> Result<Candidates> {
        let mut transaction = self.read().await?;
        let slice = Slice {
            limit: most,
            offset: 0,
        };
        // Only in the best order one's own come before all others.
        let own = match asked.query.sort {
            CatalogueSort::BestMatch => find(&mut transaction, asked, Of::Own, slice).await?,
            _ => Vec::new(),
        };
        let known = find(&mut transaction, asked, Of::All, slice).await?;
        let waiting = fulfilling(&mut transaction, asked, waiting).await?;
        let sort = asked.query.sort;
        Ok(Candidates {
            own: candidates(&mut transaction, &own, sort).await?,
            known: candidates(&mut transaction, &known, sort).await?,
            waiting: candidates(&mut transaction, &waiting, sort).await?,
        })
    }

    /// The rows of these models in this order. Those that are there no more are left out, and so are hidden ones unless
    /// they are wanted.
    pub(crate) async fn rows_of(&self, models: &[ModelId], with_hidden: bool) -> Result<Vec<ModelSummary>> {
        let mut transaction = self.read().await?;
        let ids = numbers(&mut transaction, models).await?;
        let mut rows = summaries(&mut transaction, &ids).await?;
        rows.retain(|row| with_hidden || !row.hidden);
        Ok(rows)
    }
}

/// The numbers of the models that were asked for, in the order that was asked for.
async fn find(connection: &mut SqliteConnection, asked: &Asked, of: Of, slice: Slice) -> Result<Vec<i64>> {
    let mut select = match (&asked.wanted, order(asked.query.sort)) {
        (Wanted::Nothing, _) => return Ok(Vec::new()),
        (Wanted::All, order) => {
            let mut select = Builder::new("select m.id from catalogue_models m where true");
            filter(&mut select, asked, of);
            select.push(" order by ").push(order.unwrap_or(OWN_ORDER));
            select
        }
        (Wanted::Words(words), Some(order)) => {
            let mut select = Builder::new(
                "select m.id from catalogue_models m where m.id in (select rowid from catalogue_search where ",
            );
            matching(&mut select, words);
            select.push(")");
            filter(&mut select, asked, of);
            select.push(" order by ").push(order);
            select
        }
        (Wanted::Words(words), None) => best_match(connection, words, asked, of).await?,
    };
    select.push(" limit ").push_bind(i64::from(slice.limit));
    select
        .push(" offset ")
        .push_bind(i64::try_from(slice.offset).unwrap_or(i64::MAX));
    let found = select.build_query_scalar().fetch_all(connection).await;
    found.map_err(storage)
}

/// Of these models those that fulfil the conditions beside the words that the hub has judged, in the same order.
async fn fulfilling(
    connection: &mut SqliteConnection,
    asked: &Asked,
    models: &[ModelId],
) -> Result<Vec<i64>> {
    let ids = numbers(connection, models).await?;
    let mut select =
        Builder::new("select m.id from catalogue_models m where m.id in (select value from json_each(");
    select.push_bind(serde_json::to_string(&ids).map_err(Error::internal)?);
    select.push("))");
    if !asked.unknown_to_hub.is_empty() {
        select.push(" and m.id in (select rowid from catalogue_search where ");
        matching(&mut select, &asked.unknown_to_hub);
        select.push(")");
    }
    filter(&mut select, asked, Of::All);
    let found = select.build_query_scalar().fetch_all(connection).await;
    let found: Vec<i64> = found.map_err(storage)?;
    Ok(ids.into_iter().filter(|id| found.contains(id)).collect())
}

/// The numbers of those of these models that are there, in this order.
async fn numbers(connection: &mut SqliteConnection, models: &[ModelId]) -> Result<Vec<i64>> {
    let names = serde_json::to_string(models).map_err(Error::internal)?;
    let found = sqlx::query_scalar!(
        r#"select m.id as "id!: i64" from json_each(?) wanted
        join catalogue_models m on m.model = wanted.value order by wanted.key"#,
        names
    )
    .fetch_all(connection)
    .await;
    found.map_err(storage)
}

/// Models with all the words, best first: by bm25 over the words that are not common. Where all are common, the first
/// models that have them, in Hearth's own order: thousands match equally well, and the next letters will choose.
async fn best_match(
    connection: &mut SqliteConnection,
    words: &[Word],
    asked: &Asked,
    of: Of,
) -> Result<Builder> {
    let mut rare = Vec::new();
    for word in words {
        if !is_common(connection, word).await? {
            rare.push(word.clone());
        }
    }
    let mut select;
    if rare.is_empty() {
        select = Builder::new(
            "select m.id from catalogue_models m where m.id in (select m.id from catalogue_search s
            join catalogue_models m on m.id = s.rowid where ",
        );
        matching(&mut select, words);
        filter(&mut select, asked, of);
        select.push(" limit ").push_bind(i64::from(COMMON));
        select.push(") order by ");
        named_first(&mut select, asked);
        select.push(OWN_ORDER);
    } else {
        select = Builder::new(
            "select m.id from catalogue_search s join catalogue_models m on m.id = s.rowid where ",
        );
        matching(&mut select, &rare);
        if rare.len() < words.len() {
            // The plus keeps SQLite from asking the index anew for each of them.
            select.push(" and +s.rowid in (select rowid from catalogue_search where ");
            matching(&mut select, words);
            select.push(")");
        }
        filter(&mut select, asked, of);
        select.push(" order by ");
        named_first(&mut select, asked);
        select.push(RANK).push(", ").push(OWN_ORDER);
    }
    Ok(select)
}

/// The very model that the text names comes before all others.
fn named_first(select: &mut Builder, asked: &Asked) {
    if let Some(model) = &asked.named {
        select
            .push("m.model = ")
            .push_bind(model.0.clone())
            .push(" desc, ");
    }
}

async fn is_common(connection: &mut SqliteConnection, word: &Word) -> Result<bool> {
    let mut select = Builder::new("select count(*) from (select 1 from catalogue_search where ");
    matching(&mut select, std::slice::from_ref(word));
    select.push(" limit ").push_bind(i64::from(COMMON)).push(")");
    let count: i64 = select
        .build_query_scalar()
        .fetch_one(connection)
        .await
        .map_err(storage)?;
    Ok(count >= i64::from(COMMON))
}

/// Has all the words.
fn matching(select: &mut Builder, words: &[Word]) {
    let phrases: Vec<String> = words.iter().map(Word::phrase).collect();
    select
        .push("catalogue_search match ")
        .push_bind(phrases.join(" "));
}

/// The conditions beside the words.
fn filter(select: &mut Builder, asked: &Asked, of: Of) {
    let query = &asked.query;
    if of == Of::Own {
        select.push(" and (m.curated = 1 or m.favourite = 1)");
    }
    let capabilities = capability_bits(&query.capabilities);
    if capabilities != 0 {
        select.push(" and m.capabilities & ").push_bind(capabilities);
        select.push(" = ").push_bind(capabilities);
    }
    if !query.licences.is_empty() {
        select.push(" and m.licence collate nocase in (");
        let mut licences = select.separated(", ");
        for licence in &query.licences {
            licences.push_bind(licence.clone());
        }
        select.push(")");
    }
    if let Some(language) = &query.language {
        let code = format!(" {} ", language.to_lowercase());
        select
            .push(" and instr(m.languages, ")
            .push_bind(code)
            .push(") > 0");
    }
    let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    if let Some(least) = query.min_parameters {
        select.push(" and m.parameters >= ").push_bind(number(least));
    }
    if let Some(most) = query.max_parameters {
        select.push(" and m.parameters <= ").push_bind(number(most));
    }
    // Where the machine does not tell its memory, nothing is known not to fit.
    if query.fits_only
        && let Some(memory) = asked.memory
    {
        select.push(" and m.least_memory <= ").push_bind(number(memory));
    }
    if let Some(gated) = query.gated {
        select.push(" and m.gated = ").push_bind(gated);
    }
    if query.favourites_only {
        select.push(" and m.favourite = 1");
    }
    if !query.with_hidden {
        select.push(" and m.hidden = 0");
    }
}

/// An order that has nothing to do with the words; `None` is the best match.
fn order(sort: CatalogueSort) -> Option<&'static str> {
    match sort {
        CatalogueSort::BestMatch => None,
        CatalogueSort::Name => Some("m.shown_name collate nocase, m.id"),
        CatalogueSort::Parameters => Some("m.parameters desc, m.id"),
        CatalogueSort::Favourites => Some("m.favourite desc, m.place, m.downloads desc, m.id"),
        CatalogueSort::Downloads => Some("m.downloads desc, m.id"),
        CatalogueSort::Likes => Some("m.likes desc, m.id"),
        CatalogueSort::Trending => Some("m.trending_score desc, m.id"),
        CatalogueSort::Updated => Some("m.updated_at desc, m.id"),
        CatalogueSort::Created => Some("m.released_on desc, m.id"),
    }
}

//! Searching the catalogue as one types, among hundreds of thousands of models.
//!
//! The one query that is put together at run time, from literals alone: what is filtered and how it is ordered is the
//! person's choice, and each order has an index of its own.

use hearth_protocol::Result;
use hearth_protocol::catalogue::{CataloguePage, CatalogueQuery, CatalogueSort};
use sqlx::sqlite::SqliteConnection;
use sqlx::{QueryBuilder, Sqlite};

use super::rows::{capability_bits, summaries};
use crate::catalogue::query::{Wanted, Word};
use crate::store::Store;
use crate::store::failure::storage;

/// Models of a page.
const PAGE: u32 = 50;

/// Models from which on a word is common. bm25 gives a word the less weight the more models have it, and reads them all
/// to find that out; a common word has hardly any, so it filters and does not rank.
const COMMON: u32 = 2000;

/// Hearth's own order: its own picks first, then what is downloaded most.
const OWN_ORDER: &str = "m.place, m.downloads desc, m.id";

/// How much a word weighs in each column of the index: name, author, summary, tags, repositories, quantisations.
const RANK: &str = "bm25(catalogue_search, 10.0, 4.0, 2.0, 3.0, 3.0, 1.0)";

type Builder = QueryBuilder<Sqlite>;

impl Store {
    /// A page of the models that were asked for. `memory` is what the smallest file may take where only models that fit
    /// are asked for.
    pub(crate) async fn search_catalogue(
        &self,
        wanted: &Wanted,
        query: &CatalogueQuery,
        memory: Option<u64>,
    ) -> Result<CataloguePage> {
        let mut transaction = self.read().await?;
        let order = order(query.sort);
        let mut select = match (wanted, order) {
            (Wanted::Nothing, _) => return Ok(CataloguePage::default()),
            (Wanted::All, order) => {
                let mut select = Builder::new("select m.id from catalogue_models m where true");
                filter(&mut select, query, memory);
                select.push(" order by ").push(order.unwrap_or(OWN_ORDER));
                select
            }
            (Wanted::Words(words), Some(order)) => {
                let mut select = Builder::new(
                    "select m.id from catalogue_models m where m.id in (select rowid from catalogue_search where ",
                );
                matching(&mut select, words);
                select.push(")");
                filter(&mut select, query, memory);
                select.push(" order by ").push(order);
                select
            }
            (Wanted::Words(words), None) => best_match(&mut transaction, words, query, memory).await?,
        };
        select.push(" limit ").push_bind(i64::from(PAGE) + 1);
        select
            .push(" offset ")
            .push_bind(i64::from(query.page) * i64::from(PAGE));
        let found = select.build_query_scalar().fetch_all(&mut *transaction).await;
        let mut ids: Vec<i64> = found.map_err(storage)?;
        let more = ids.len() > PAGE as usize;
        ids.truncate(PAGE as usize);
        Ok(CataloguePage {
            models: summaries(&mut transaction, &ids).await?,
            more,
            cached_at: None,
        })
    }
}

/// Models with all the words, best first: by bm25 over the words that are not common. Where all are common, the first
/// models that have them, in Hearth's own order: thousands match equally well, and the next letters will choose.
async fn best_match(
    connection: &mut SqliteConnection,
    words: &[Word],
    query: &CatalogueQuery,
    memory: Option<u64>,
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
        filter(&mut select, query, memory);
        select.push(" limit ").push_bind(i64::from(COMMON));
        select.push(") order by ").push(OWN_ORDER);
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
        filter(&mut select, query, memory);
        select.push(" order by ").push(RANK).push(", ").push(OWN_ORDER);
    }
    Ok(select)
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
fn filter(select: &mut Builder, query: &CatalogueQuery, memory: Option<u64>) {
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
    if query.fits_only {
        let memory = memory.map_or(0, number);
        select.push(" and m.least_memory <= ").push_bind(memory);
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
        CatalogueSort::BestMatch | CatalogueSort::Trending | CatalogueSort::Updated => None,
        CatalogueSort::Name => Some("m.shown_name collate nocase, m.id"),
        CatalogueSort::Parameters => Some("m.parameters desc, m.id"),
        CatalogueSort::Favourites => Some("m.favourite desc, m.place, m.downloads desc, m.id"),
        CatalogueSort::Downloads => Some("m.downloads desc, m.id"),
        CatalogueSort::Likes => Some("m.likes desc, m.id"),
        CatalogueSort::Created => Some("m.released_on desc, m.id"),
    }
}

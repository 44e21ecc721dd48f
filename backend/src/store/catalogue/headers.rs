//! What the headers of files on the hub say, kept by the files' hashes. What it means is not known here.

use std::collections::HashMap;

use hearth_protocol::{Error, Result};

use crate::store::failure::storage;
use crate::store::lenient::Lossy;
use crate::store::{Store, now};

/// Headers that are kept: the newest.
const MOST_KEPT: u32 = 5_000;

/// How long a header counts as damaged, in milliseconds: what came may have been another's fault.
const PROBLEM_TIME: i64 = 60 * 60 * 1000;

/// What is kept of a header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Header {
    /// What it says, as JSON.
    Facts(String),
    /// What is wrong with it, in words.
    Problem(String),
}

impl Store {
    /// What is kept of these files' headers.
    pub(crate) async fn read_headers(&self, files: &[String]) -> Result<HashMap<String, Header>> {
        let mut transaction = self.read().await?;
        let files = serde_json::to_string(files).map_err(Error::internal)?;
        let oldest_problem = now().saturating_sub(PROBLEM_TIME);
        let rows = sqlx::query!(
            r#"select h.file as "file: Lossy", h.facts as "facts: Lossy", h.problem as "problem: Lossy"
            from json_each(?) wanted join catalogue_headers h on h.file = wanted.value
            where h.problem is null or h.read_at > ?"#,
            files,
            oldest_problem
        )
        .fetch_all(&mut *transaction)
        .await
        .map_err(storage)?;
        let known = rows.into_iter().filter_map(|row| {
            let facts = row.facts.map(|facts| Header::Facts(facts.0));
            let problem = row.problem.map(|problem| Header::Problem(problem.0));
            Some((row.file.0, facts.or(problem)?))
        });
        Ok(known.collect())
    }

    /// Keeps what a file's header says.
    pub(crate) async fn keep_header(&self, file: &str, header: &Header) -> Result<()> {
        let mut transaction = self.write().await?;
        let (facts, problem) = match header {
            Header::Facts(facts) => (Some(facts), None),
            Header::Problem(problem) => (None, Some(problem)),
        };
        let read_at = now();
        sqlx::query!(
            "insert into catalogue_headers (file, read_at, facts, problem) values (?, ?, ?, ?)
            on conflict (file) do update set read_at = excluded.read_at, facts = excluded.facts,
                problem = excluded.problem",
            file,
            read_at,
            facts,
            problem
        )
        .execute(&mut *transaction)
        .await
        .map_err(storage)?;
        sqlx::query!(
            "delete from catalogue_headers where file in (
                select file from catalogue_headers order by read_at desc limit -1 offset ?)",
            MOST_KEPT
        )
        .execute(&mut *transaction)
        .await
        .map_err(storage)?;
        transaction.commit().await.map_err(storage)
    }
}

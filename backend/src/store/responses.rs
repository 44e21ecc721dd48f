//! Answers of the server's Responses interface, which later requests go on from.

use std::time::Duration;

use hearth_protocol::Result;

use super::failure::storage;
use super::lenient::Lossy;
use super::{Store, now};

/// How long an answer is kept that nothing newer goes on from.
const KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Longest chain of answers that is gone back.
const LONGEST_CHAIN: i64 = 10_000;

/// An answer with what was asked, both as JSON of the interface.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KeptResponse {
    pub(crate) id: String,
    /// The answer it goes on from.
    pub(crate) previous: Option<String>,
    /// The items that were asked with, a list.
    pub(crate) input: String,
    /// The whole answer.
    pub(crate) output: String,
}

impl Store {
    /// Keeps an answer.
    pub(crate) async fn keep_response(&self, response: &KeptResponse) -> Result<()> {
        let mut transaction = self.write().await?;
        let now = now();
        sqlx::query!(
            "insert into responses (id, previous, created_at, input, output) values (?, ?, ?, ?, ?)",
            response.id,
            response.previous,
            now,
            response.input,
            response.output
        )
        .execute(&mut *transaction)
        .await
        .map_err(storage)?;
        transaction.commit().await.map_err(storage)
    }

    /// A kept answer; `None` where there is none of this id.
    pub(crate) async fn response(&self, id: &str) -> Result<Option<KeptResponse>> {
        let mut transaction = self.read().await?;
        let row = sqlx::query!(
            r#"select previous, input as "input: Lossy", output as "output: Lossy" from responses where id = ?"#,
            id
        )
        .fetch_optional(&mut *transaction)
        .await
        .map_err(storage)?;
        Ok(row.map(|row| KeptResponse {
            id: id.to_owned(),
            previous: row.previous,
            input: row.input.0,
            output: row.output.0,
        }))
    }

    /// The answers that lead to one, the first first and itself last. Where one of them is gone, the chain begins behind
    /// it; where it is gone itself, there is none.
    pub(crate) async fn response_chain(&self, id: &str) -> Result<Vec<KeptResponse>> {
        let mut transaction = self.read().await?;
        let rows = sqlx::query!(
            r#"with recursive chain (id, depth) as (
                select id, 0 from responses where id = ?
                union all
                select earlier.id, chain.depth + 1
                from chain
                join responses as later on later.id = chain.id
                join responses as earlier on earlier.id = later.previous
                where chain.depth < ?
            )
            select responses.id as "id!", responses.previous, input as "input: Lossy", output as "output: Lossy"
            from chain join responses on responses.id = chain.id
            order by chain.depth desc"#,
            id,
            LONGEST_CHAIN
        )
        .fetch_all(&mut *transaction)
        .await
        .map_err(storage)?;
        let kept = rows.into_iter().map(|row| KeptResponse {
            id: row.id,
            previous: row.previous,
            input: row.input.0,
            output: row.output.0,
        });
        Ok(kept.collect())
    }

    /// Removes an answer; whether there was one.
    pub(crate) async fn delete_response(&self, id: &str) -> Result<bool> {
        let mut transaction = self.write().await?;
        let removed = sqlx::query!("delete from responses where id = ?", id)
            .execute(&mut *transaction)
            .await
            .map_err(storage)?;
        transaction.commit().await.map_err(storage)?;
        Ok(removed.rows_affected() > 0)
    }

    /// Removes old answers, but for those that a newer one goes on from.
    pub(super) async fn purge_old_responses(&self) -> Result<()> {
        let kept = i64::try_from(KEPT.as_millis()).unwrap_or(i64::MAX);
        self.purge_responses(now().saturating_sub(kept)).await
    }

    /// Removes what is older than this time, but for what newer answers go on from.
    pub(super) async fn purge_responses(&self, before: i64) -> Result<()> {
        let mut transaction = self.write().await?;
        sqlx::query!(
            "with recursive kept (id, previous) as (
                select id, previous from responses where created_at >= ?
                union
                select responses.id, responses.previous from responses join kept on responses.id = kept.previous
            )
            delete from responses where id not in (select id from kept)",
            before
        )
        .execute(&mut *transaction)
        .await
        .map_err(storage)?;
        transaction.commit().await.map_err(storage)
    }
}

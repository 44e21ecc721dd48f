//! Answers of the server's Responses interface, which later requests go on from.

use std::collections::HashMap;
use std::time::Duration;

use hearth_protocol::{Error, Result};
use sqlx::SqliteConnection;

use super::failure::storage;
use super::lenient::Lossy;
use super::{Store, now};

/// How long an answer is kept that nothing newer goes on from.
const KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Most answers that are kept, and most bytes of them: some weeks of one person's programs, and no more of the disk than a
/// small model takes.
const MOST: usize = 1_000;
const MOST_BYTES: u64 = 256 << 20;

/// Longest chain of answers that is gone back, in answers and in bytes: as long as a request may be that sends the whole
/// chat itself.
const LONGEST_CHAIN: i64 = 1_000;
const LONGEST_CHAIN_BYTES: i64 = 64 << 20;

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
    /// Keeps an answer, and no more of older ones than there is room for.
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
        trim(&mut transaction, Bounds::now()).await?;
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
    ///
    /// # Errors
    /// `Invalid` where they are more than a request may hold.
    pub(crate) async fn response_chain(&self, id: &str) -> Result<Vec<KeptResponse>> {
        self.response_chain_within(id, LONGEST_CHAIN_BYTES).await
    }

    pub(super) async fn response_chain_within(&self, id: &str, most: i64) -> Result<Vec<KeptResponse>> {
        let mut transaction = self.read().await?;
        // Sizes stand beside the texts, which are not read for them.
        let length = sqlx::query!(
            r#"with recursive chain (previous, depth, bytes) as (
                select previous, 1, octet_length(input) + octet_length(output) from responses where id = ?
                union all
                select earlier.previous, chain.depth + 1,
                    chain.bytes + octet_length(earlier.input) + octet_length(earlier.output)
                from chain join responses as earlier on earlier.id = chain.previous
                where chain.depth <= ? and chain.bytes <= ?
            )
            select coalesce(max(depth), 0) as "depth!: i64", coalesce(max(bytes), 0) as "bytes!: i64" from chain"#,
            id,
            LONGEST_CHAIN,
            most
        )
        .fetch_one(&mut *transaction)
        .await
        .map_err(storage)?;
        if length.depth > LONGEST_CHAIN || length.bytes > most {
            let problem = format!(
                "leads back to a chat of more than {LONGEST_CHAIN} answers or {} MiB; send what matters of it as input",
                LONGEST_CHAIN_BYTES >> 20
            );
            return Err(Error::invalid("previous_response_id", problem));
        }
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

    /// Removes old answers, but for those that a newer one goes on from, and what there is no room for.
    pub(super) async fn purge_old_responses(&self) -> Result<()> {
        self.trim_responses(Bounds::now()).await
    }

    pub(super) async fn trim_responses(&self, bounds: Bounds) -> Result<()> {
        let mut transaction = self.write().await?;
        trim(&mut transaction, bounds).await?;
        transaction.commit().await.map_err(storage)
    }
}

/// What may be kept.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    pub(super) count: usize,
    pub(super) bytes: u64,
    /// What was used last before this goes, in milliseconds since 1970.
    pub(super) oldest: i64,
}

impl Bounds {
    fn now() -> Self {
        let kept = i64::try_from(KEPT.as_millis()).unwrap_or(i64::MAX);
        Self {
            count: MOST,
            bytes: MOST_BYTES,
            oldest: now().saturating_sub(kept),
        }
    }
}

/// An answer without its texts.
#[derive(Debug)]
struct Size {
    id: String,
    previous: Option<String>,
    created_at: i64,
    bytes: i64,
}

/// Removes what there is no room for.
async fn trim(connection: &mut SqliteConnection, bounds: Bounds) -> Result<()> {
    let sizes = sqlx::query_as!(
        Size,
        r#"select id as "id!", previous, created_at, octet_length(input) + octet_length(output) as "bytes!: i64"
        from responses order by created_at desc, rowid desc"#
    )
    .fetch_all(&mut *connection)
    .await
    .map_err(storage)?;
    for id in surplus(&sizes, bounds) {
        sqlx::query!("delete from responses where id = ?", id)
            .execute(&mut *connection)
            .await
            .map_err(storage)?;
    }
    Ok(())
}

/// The answers that go, of all of them, the newest first. One that others go on from is as new as the newest of these.
fn surplus(sizes: &[Size], bounds: Bounds) -> Vec<&str> {
    let mut used: HashMap<&str, i64> = HashMap::new();
    for size in sizes {
        let own = *used.entry(&size.id).or_insert(size.created_at);
        if let Some(previous) = &size.previous {
            let before = used.entry(previous).or_insert(own);
            *before = own.max(*before);
        }
    }
    let used_at = |size: &Size| used.get(size.id.as_str()).copied().unwrap_or(size.created_at);
    let mut newest: Vec<&Size> = sizes.iter().collect();
    newest.sort_by_key(|size| std::cmp::Reverse(used_at(size)));
    let mut bytes: u64 = 0;
    let mut surplus = Vec::new();
    for (place, size) in newest.into_iter().enumerate() {
        bytes = bytes.saturating_add(size.bytes.unsigned_abs());
        if place >= bounds.count || bytes > bounds.bytes || used_at(size) < bounds.oldest {
            surplus.push(size.id.as_str());
        }
    }
    surplus
}

//! API keys of the local server, as hashes.

use hearth_protocol::server::{ApiKey, ApiKeyId};
use hearth_protocol::{Result, UnixMillis};

use super::Store;
use super::failure::storage;
use super::lenient::Lossy;

/// A key's hash (SHA-256).
type Hash = [u8; 32];

impl Store {
    /// All keys with their hashes, oldest first. A row whose hash is damaged is passed over: it opens nothing.
    pub(crate) async fn api_keys(&self) -> Result<Vec<(ApiKey, Hash)>> {
        let mut transaction = self.read().await?;
        let rows = sqlx::query!(
            r#"select id, name as "name: Lossy", begins as "begins: Lossy", hash, made_at, used_at
            from api_keys order by id"#
        )
        .fetch_all(&mut *transaction)
        .await
        .map_err(storage)?;
        let keys = rows.into_iter().filter_map(|row| {
            let hash = Hash::try_from(row.hash).ok()?;
            let key = ApiKey {
                id: ApiKeyId(row.id),
                name: row.name.0,
                begins: row.begins.0,
                made_at: UnixMillis(row.made_at),
                used_at: row.used_at.map(UnixMillis),
            };
            Some((key, hash))
        });
        Ok(keys.collect())
    }

    /// Adds a key.
    pub(crate) async fn add_api_key(
        &self,
        name: &str,
        begins: &str,
        hash: &Hash,
        made_at: i64,
    ) -> Result<ApiKey> {
        let mut transaction = self.write().await?;
        let hash = hash.as_slice();
        let added = sqlx::query!(
            "insert into api_keys (name, begins, hash, made_at) values (?, ?, ?, ?)",
            name,
            begins,
            hash,
            made_at
        )
        .execute(&mut *transaction)
        .await
        .map_err(storage)?;
        transaction.commit().await.map_err(storage)?;
        Ok(ApiKey {
            id: ApiKeyId(added.last_insert_rowid()),
            name: name.to_owned(),
            begins: begins.to_owned(),
            made_at: UnixMillis(made_at),
            used_at: None,
        })
    }

    /// Notes when a key was last used.
    pub(crate) async fn note_api_key_use(&self, key: ApiKeyId, at: UnixMillis) -> Result<()> {
        let mut transaction = self.write().await?;
        sqlx::query!("update api_keys set used_at = ? where id = ?", at.0, key.0)
            .execute(&mut *transaction)
            .await
            .map_err(storage)?;
        transaction.commit().await.map_err(storage)
    }

    /// Removes a key; whether there was one.
    pub(crate) async fn remove_api_key(&self, key: ApiKeyId) -> Result<bool> {
        let mut transaction = self.write().await?;
        let removed = sqlx::query!("delete from api_keys where id = ?", key.0)
            .execute(&mut *transaction)
            .await
            .map_err(storage)?;
        transaction.commit().await.map_err(storage)?;
        Ok(removed.rows_affected() > 0)
    }
}

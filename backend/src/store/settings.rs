//! Named JSON values. What they mean is not known here.

use hearth_protocol::Result;
use sqlx::SqliteConnection;

use super::Store;
use super::failure::storage;
use super::lenient::Lossy;

impl Store {
    /// The value under a key.
    pub(crate) async fn read_setting(&self, key: &str) -> Result<Option<String>> {
        let mut transaction = self.read().await?;
        let value = sqlx::query_scalar!(
            r#"select value as "value: Lossy" from settings where key = ?"#,
            key
        )
        .fetch_optional(&mut *transaction)
        .await
        .map_err(storage)?;
        Ok(value.map(|value| value.0))
    }

    /// Puts a value under a key.
    pub(crate) async fn write_setting(&self, key: &str, value: &str) -> Result<()> {
        let mut transaction = self.write().await?;
        put_setting(&mut transaction, key, value).await?;
        transaction.commit().await.map_err(storage)
    }

    /// Removes what stands under a key.
    pub(crate) async fn remove_setting(&self, key: &str) -> Result<()> {
        let mut transaction = self.write().await?;
        sqlx::query!("delete from settings where key = ?", key)
            .execute(&mut *transaction)
            .await
            .map_err(storage)?;
        transaction.commit().await.map_err(storage)
    }
}

/// The same as part of a transaction.
pub(super) async fn put_setting(connection: &mut SqliteConnection, key: &str, value: &str) -> Result<()> {
    sqlx::query!(
        "insert into settings (key, value) values (?, ?)
            on conflict (key) do update set value = excluded.value",
        key,
        value
    )
    .execute(connection)
    .await
    .map_err(storage)?;
    Ok(())
}

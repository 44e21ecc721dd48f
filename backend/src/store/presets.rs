//! Presets of the person's own.

use hearth_protocol::Result;
use hearth_protocol::chat::TurnOptions;
use sqlx::sqlite::SqliteConnection;

use super::Store;
use super::failure::storage;
use super::lenient::{self, Lossy, encode};

/// A preset of the person's: its name and what it sets.
pub(crate) type OwnPreset = (String, TurnOptions);

impl Store {
    /// All of them.
    pub(crate) async fn own_presets(&self) -> Result<Vec<OwnPreset>> {
        let mut transaction = self.read().await?;
        let rows = sqlx::query!(r#"select name as "name: Lossy", options as "options: Lossy" from presets"#)
            .fetch_all(&mut *transaction)
            .await
            .map_err(storage)?;
        let presets = rows.into_iter();
        Ok(presets
            .map(|row| {
                (
                    row.name.0,
                    lenient::json("options", Some(row.options)).unwrap_or_default(),
                )
            })
            .collect())
    }

    /// Stores one in place of others with these names.
    pub(crate) async fn put_preset(&self, replaced: &[String], preset: &OwnPreset) -> Result<()> {
        let (name, options) = preset;
        let options = encode(Some(options))?;
        let mut transaction = self.write().await?;
        for name in replaced {
            remove(&mut transaction, name).await?;
        }
        sqlx::query!(
            "insert into presets (name, options) values (?, ?)
            on conflict (name) do update set options = excluded.options",
            name,
            options
        )
        .execute(&mut *transaction)
        .await
        .map_err(storage)?;
        transaction.commit().await.map_err(storage)
    }

    /// Removes one.
    pub(crate) async fn remove_preset(&self, name: &str) -> Result<()> {
        let mut transaction = self.write().await?;
        remove(&mut transaction, name).await?;
        transaction.commit().await.map_err(storage)
    }
}

async fn remove(connection: &mut SqliteConnection, name: &str) -> Result<()> {
    sqlx::query!("delete from presets where name = ?", name)
        .execute(connection)
        .await
        .map_err(storage)?;
    Ok(())
}

//! What the person wrote of files in the library.

use std::collections::HashMap;

use hearth_protocol::{FileId, Result};

use super::Store;
use super::failure::storage;
use super::lenient::Lossy;

impl Store {
    /// The names that the person gave to files.
    pub(crate) async fn file_names(&self) -> Result<HashMap<FileId, String>> {
        let mut transaction = self.read().await?;
        let rows = sqlx::query!(
            r#"select file as "file: Lossy", display_name as "display_name: Lossy" from library_edits"#
        )
        .fetch_all(&mut *transaction)
        .await
        .map_err(storage)?;
        let names = rows
            .into_iter()
            .map(|row| (FileId(row.file.0), row.display_name.0));
        Ok(names.collect())
    }

    /// Gives a file a name; `None` takes it away.
    pub(crate) async fn name_file(&self, file: &FileId, name: Option<&str>) -> Result<()> {
        let mut transaction = self.write().await?;
        let id = file.as_str();
        let changed = match name {
            Some(name) => {
                sqlx::query!(
                    "insert into library_edits (file, display_name) values (?, ?)
                    on conflict (file) do update set display_name = excluded.display_name",
                    id,
                    name
                )
                .execute(&mut *transaction)
                .await
            }
            None => {
                sqlx::query!("delete from library_edits where file = ?", id)
                    .execute(&mut *transaction)
                    .await
            }
        };
        changed.map_err(storage)?;
        transaction.commit().await.map_err(storage)
    }
}

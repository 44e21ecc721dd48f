//! Folders in the list of chats.

use hearth_protocol::chat::ChatSummary;
use hearth_protocol::chat::list::Folder;
use hearth_protocol::{ChatId, Error, FolderId, Result};
use sqlx::sqlite::SqliteConnection;

use super::failure::storage;
use super::lenient::Lossy;
use super::{Store, chats};

impl Store {
    /// All folders, by name, with how many chats lie in each.
    pub(crate) async fn list_folders(&self) -> Result<Vec<Folder>> {
        all(&mut *self.read().await?).await
    }

    /// Makes a folder.
    ///
    /// # Errors
    /// [`Error::Invalid`] where another one has its name.
    pub(crate) async fn make_folder(&self, name: &str) -> Result<Folder> {
        let mut transaction = self.write().await?;
        refuse_taken(&all(&mut transaction).await?, None, name)?;
        let id = sqlx::query_scalar!("insert into folders (name) values (?) returning id", name)
            .fetch_one(&mut *transaction)
            .await
            .map_err(storage)?;
        let folder = find(&mut transaction, FolderId(id)).await?;
        transaction.commit().await.map_err(storage)?;
        Ok(folder)
    }

    /// Gives a folder another name.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::Invalid`] where another one has the name.
    pub(crate) async fn rename_folder(&self, folder: FolderId, name: &str) -> Result<Folder> {
        let mut transaction = self.write().await?;
        refuse_taken(&all(&mut transaction).await?, Some(folder), name)?;
        sqlx::query!("update folders set name = ? where id = ?", name, folder.0)
            .execute(&mut *transaction)
            .await
            .map_err(storage)?;
        let folder = find(&mut transaction, folder).await?;
        transaction.commit().await.map_err(storage)?;
        Ok(folder)
    }

    /// Deletes a folder. Its chats stay, the deleted ones too, outside of it.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub(crate) async fn delete_folder(&self, folder: FolderId) -> Result<()> {
        let mut transaction = self.write().await?;
        find(&mut transaction, folder).await?;
        sqlx::query!("delete from folders where id = ?", folder.0)
            .execute(&mut *transaction)
            .await
            .map_err(storage)?;
        transaction.commit().await.map_err(storage)
    }

    /// Moves a chat to a folder, or out of one.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is no such chat or no such folder.
    pub(crate) async fn move_chat(&self, chat: ChatId, folder: Option<FolderId>) -> Result<ChatSummary> {
        let mut transaction = self.write().await?;
        if let Some(folder) = folder {
            find(&mut transaction, folder).await?;
        }
        chats::find(&mut transaction, chat).await?;
        let number = folder.map(|folder| folder.0);
        sqlx::query!("update chats set folder_id = ? where id = ?", number, chat.0)
            .execute(&mut *transaction)
            .await
            .map_err(storage)?;
        let head = chats::find(&mut transaction, chat).await?;
        transaction.commit().await.map_err(storage)?;
        Ok(head.summary)
    }
}

async fn all(connection: &mut SqliteConnection) -> Result<Vec<Folder>> {
    let rows = sqlx::query!(
        r#"select folders.id, folders.name as "name: Lossy",
            (select count(*) from chats where chats.folder_id = folders.id and chats.deletion_id is null)
                as "chats!: i64"
        from folders"#
    )
    .fetch_all(connection)
    .await
    .map_err(storage)?;
    let mut folders: Vec<Folder> = rows
        .into_iter()
        .map(|row| Folder {
            id: FolderId(row.id),
            name: row.name.0,
            chats: u32::try_from(row.chats).unwrap_or(u32::MAX),
        })
        .collect();
    folders.sort_by_cached_key(|folder| (folder.name.to_lowercase(), folder.id));
    Ok(folders)
}

async fn find(connection: &mut SqliteConnection, folder: FolderId) -> Result<Folder> {
    let mut folders = all(connection).await?.into_iter();
    folders
        .find(|known| known.id == folder)
        .ok_or_else(|| Error::NotFound {
            what: "folder".into(),
            name: folder.to_string(),
            known: Vec::new(),
        })
}

/// Two folders of one name could not be told apart.
fn refuse_taken(folders: &[Folder], own: Option<FolderId>, name: &str) -> Result<()> {
    let same = |folder: &Folder| Some(folder.id) != own && folder.name.to_lowercase() == name.to_lowercase();
    match folders.iter().any(same) {
        true => Err(Error::invalid(
            "name",
            "is that of another folder; choose another one",
        )),
        false => Ok(()),
    }
}

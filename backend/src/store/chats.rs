//! The rows of the list of chats.

use hearth_protocol::chat::{ChatSummary, ScrollPlace, TurnOptions};
use hearth_protocol::{ChatId, Error, FolderId, Result, UnixMillis};
use sqlx::sqlite::SqliteConnection;

use super::Store;
use super::failure::storage;
use super::lenient::{self, Lossy};

pub(super) struct ChatRow {
    id: i64,
    title: Lossy,
    pinned: bool,
    folder_id: Option<i64>,
    created_at: i64,
    updated_at: i64,
}

impl From<ChatRow> for ChatSummary {
    fn from(row: ChatRow) -> Self {
        Self {
            id: ChatId(row.id),
            title: row.title.0,
            pinned: row.pinned,
            folder: row.folder_id.map(FolderId),
            created_at: UnixMillis(row.created_at),
            updated_at: UnixMillis(row.updated_at),
        }
    }
}

/// What is kept of a chat beside its messages.
pub(super) struct Head {
    pub(super) summary: ChatSummary,
    /// How it is answered, its instructions too.
    pub(super) options: TurnOptions,
    pub(super) draft: String,
    pub(super) place: Option<ScrollPlace>,
}

impl Store {
    /// All chats, pinned first, then the newest.
    pub(crate) async fn list_chats(&self) -> Result<Vec<ChatSummary>> {
        all(&mut *self.read().await?).await
    }

    /// Gives a title by hand; no other takes its place by itself.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is no such chat.
    pub(crate) async fn rename_chat(&self, chat: ChatId, title: &str) -> Result<ChatSummary> {
        let mut transaction = self.write().await?;
        let row = sqlx::query_as!(
            ChatRow,
            r#"update chats set title = ?, title_by_person = 1
            where id = ? and deletion_id is null
            returning id, title as "title: Lossy", pinned as "pinned: bool", folder_id, created_at, updated_at"#,
            title,
            chat.0
        )
        .fetch_optional(&mut *transaction)
        .await
        .map_err(storage)?;
        transaction.commit().await.map_err(storage)?;
        row.map(ChatSummary::from).ok_or_else(|| no_chat(chat))
    }

    /// Puts a chat at the top of the list, or takes it from there.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is no such chat.
    pub(crate) async fn pin_chat(&self, chat: ChatId, pinned: bool) -> Result<ChatSummary> {
        let mut transaction = self.write().await?;
        let row = sqlx::query_as!(
            ChatRow,
            r#"update chats set pinned = ?
            where id = ? and deletion_id is null
            returning id, title as "title: Lossy", pinned as "pinned: bool", folder_id, created_at, updated_at"#,
            pinned,
            chat.0
        )
        .fetch_optional(&mut *transaction)
        .await
        .map_err(storage)?;
        transaction.commit().await.map_err(storage)?;
        row.map(ChatSummary::from).ok_or_else(|| no_chat(chat))
    }
}

/// All chats that are not deleted, pinned first, then the newest.
pub(super) async fn all(connection: &mut SqliteConnection) -> Result<Vec<ChatSummary>> {
    let rows = sqlx::query_as!(
        ChatRow,
        r#"select id, title as "title: Lossy", pinned as "pinned: bool", folder_id, created_at, updated_at
        from chats
        where deletion_id is null
        order by pinned desc, updated_at desc, id desc"#
    )
    .fetch_all(connection)
    .await
    .map_err(storage)?;
    Ok(rows.into_iter().map(ChatSummary::from).collect())
}

/// A chat that is not deleted.
pub(super) async fn find(connection: &mut SqliteConnection, chat: ChatId) -> Result<Head> {
    let row = sqlx::query_as!(
        ChatRow,
        r#"select id, title as "title: Lossy", pinned as "pinned: bool", folder_id, created_at, updated_at
        from chats
        where id = ? and deletion_id is null"#,
        chat.0
    )
    .fetch_optional(&mut *connection)
    .await
    .map_err(storage)?;
    let summary = row.map(ChatSummary::from).ok_or_else(|| no_chat(chat))?;
    let kept = sqlx::query!(
        r#"select system_prompt as "system_prompt: Lossy", options as "options: Lossy", draft as "draft: Lossy",
            place as "place: Lossy"
        from chats where id = ?"#,
        chat.0
    )
    .fetch_one(&mut *connection)
    .await
    .map_err(storage)?;
    let system_prompt = kept.system_prompt.map(|text| text.0);
    Ok(Head {
        summary,
        options: TurnOptions {
            system_prompt: system_prompt.filter(|text| !text.is_empty()),
            ..lenient::json("options", kept.options).unwrap_or_default()
        },
        draft: kept.draft.0,
        place: lenient::json("place", kept.place),
    })
}

pub(super) async fn insert(connection: &mut SqliteConnection, title: &str, now: i64) -> Result<ChatId> {
    let id = sqlx::query_scalar!(
        "insert into chats (title, created_at, updated_at) values (?, ?, ?) returning id",
        title,
        now,
        now
    )
    .fetch_one(connection)
    .await
    .map_err(storage)?;
    Ok(ChatId(id))
}

/// A message comes: the chat moves up in the list.
///
/// # Errors
/// [`Error::NotFound`] where there is no such chat.
pub(super) async fn touch(connection: &mut SqliteConnection, chat: ChatId, now: i64) -> Result<()> {
    let touched = sqlx::query!(
        "update chats set updated_at = max(updated_at, ?) where id = ? and deletion_id is null",
        now,
        chat.0
    )
    .execute(connection)
    .await
    .map_err(storage)?;
    match touched.rows_affected() {
        0 => Err(no_chat(chat)),
        _ => Ok(()),
    }
}

pub(super) fn no_chat(chat: ChatId) -> Error {
    Error::NotFound {
        what: "chat".into(),
        name: chat.to_string(),
        known: Vec::new(),
    }
}

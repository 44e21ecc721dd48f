//! Searching titles and messages as one types, among hundreds of thousands of them.
//!
//! What the index of messages holds is put there together with their text; an answer is put there when it has ended.

mod snippet;
mod words;

use std::collections::HashMap;

use hearth_protocol::chat::attachment::Attachment;
use hearth_protocol::chat::list::SearchHit;
use hearth_protocol::{ChatId, MessageId, Result};
use sqlx::sqlite::SqliteConnection;

use super::failure::{is_damage, storage};
use super::lenient::{self, Lossy};
use super::{Store, chats};
use snippet::Snippet;
use words::Wanted;

/// Most hits in titles, and in messages.
const MOST_HITS: usize = 30;

/// Most hits in the messages of one chat, so that one long chat does not hide all others.
const MOST_OF_ONE: usize = 5;

/// Messages that are looked at, the newest first, until there are enough hits.
const LOOKED_AT: i64 = 300;

/// Messages that are put into the index in one go.
const BATCH: i64 = 500;

impl Store {
    /// The chats and messages that have these words, titles first, the newest first of each.
    pub(crate) async fn search_chats(&self, typed: &str) -> Result<Vec<SearchHit>> {
        let Some(wanted) = Wanted::read(typed) else {
            return Ok(Vec::new());
        };
        let mut transaction = self.read().await?;
        let chats = chats::all(&mut transaction).await?;
        let mut by_time: Vec<_> = chats.iter().filter(|chat| wanted.is_in(&chat.title)).collect();
        by_time.sort_by_key(|chat| std::cmp::Reverse((chat.updated_at, chat.id)));
        let titles = by_time.into_iter().take(MOST_HITS).map(|chat| {
            let snippet = Snippet::whole(&chat.title, &wanted);
            hit(chat.clone(), None, snippet)
        });
        let mut hits: Vec<SearchHit> = titles.collect();
        let chats: HashMap<ChatId, _> = chats.iter().map(|chat| (chat.id, chat)).collect();
        let found = found(&mut transaction, &wanted).await?;
        let texts = texts_of(&mut transaction, &found).await?;
        for (chat, message) in found {
            if let (Some(chat), Some(text)) = (chats.get(&chat), texts.get(&message)) {
                hits.push(hit((*chat).clone(), Some(message), Snippet::of(text, &wanted)));
            }
        }
        Ok(hits)
    }

    /// Puts messages into the index that are not there: those of an older Hearth, and answers that a crash cut off.
    pub(crate) async fn index_messages(&self) -> Result<()> {
        // Most starts find nothing to do, and then nobody has to wait for the writer.
        if unindexed(&mut *self.read().await?, 0, 1).await?.is_empty() {
            return Ok(());
        }
        let mut last = 0;
        loop {
            let mut transaction = self.write().await?;
            let messages = unindexed(&mut transaction, last, BATCH).await?;
            let Some((newest, _, _)) = messages.last() else {
                return Ok(());
            };
            last = newest.0;
            for (message, text, attachments) in messages {
                index(&mut transaction, message, &text, &attachments).await?;
            }
            transaction.commit().await.map_err(storage)?;
        }
    }
}

/// The next messages behind this one that the index does not have, with their texts and files.
async fn unindexed(
    connection: &mut SqliteConnection,
    behind: i64,
    most: i64,
) -> Result<Vec<(MessageId, String, Vec<Attachment>)>> {
    let rows = sqlx::query!(
        r#"select id, text as "text: Lossy", attachments as "attachments: Lossy" from messages
                where indexed = 0 and id > ? order by id limit ?"#,
        behind,
        most
    )
    .fetch_all(connection)
    .await
    .map_err(storage)?;
    let rows = rows.into_iter().map(|row| {
        let attachments = lenient::json("attachments", row.attachments).unwrap_or_default();
        (MessageId(row.id), row.text.0, attachments)
    });
    Ok(rows.collect())
}

fn hit(chat: hearth_protocol::chat::ChatSummary, message: Option<MessageId>, snippet: Snippet) -> SearchHit {
    SearchHit {
        chat,
        message,
        snippet: snippet.text,
        matches: snippet.matches,
    }
}

/// The newest messages with the words, a few of each chat. Those that are deleted, or stand below a deleted one, are left
/// out.
async fn found(connection: &mut SqliteConnection, wanted: &Wanted) -> Result<Vec<(ChatId, MessageId)>> {
    let expression = wanted.expression();
    // The index gives its rows by their numbers, so that nothing is sorted and the search ends with the last that is
    // wanted. `cross join` keeps this order of the tables.
    let rows = sqlx::query!(
        r#"with recursive hidden (id) as (
            select messages.id from messages where messages.deletion_id is not null
            union
            select messages.id from messages join hidden on messages.parent_id = hidden.id
        )
        select messages.id as "id!: i64", messages.chat_id as "chat!: i64"
        from message_search cross join messages on messages.id = message_search.rowid
        where message_search match ? and messages.id not in (select id from hidden)
        order by message_search.rowid desc
        limit ?"#,
        expression,
        LOOKED_AT
    )
    .fetch_all(connection)
    .await
    .map_err(storage)?;
    let mut of_chat: HashMap<i64, usize> = HashMap::new();
    let few = rows.into_iter().filter(|row| {
        let count = of_chat.entry(row.chat).or_default();
        *count += 1;
        *count <= MOST_OF_ONE
    });
    Ok(few
        .map(|row| (ChatId(row.chat), MessageId(row.id)))
        .take(MOST_HITS)
        .collect())
}

/// What of these messages is searched.
async fn texts_of(
    connection: &mut SqliteConnection,
    messages: &[(ChatId, MessageId)],
) -> Result<HashMap<MessageId, String>> {
    let ids: Vec<i64> = messages.iter().map(|(_, message)| message.0).collect();
    let ids = serde_json::Value::from(ids).to_string();
    let rows = sqlx::query!(
        r#"select id as "id!", text as "text: Lossy", attachments as "attachments: Lossy" from messages
        where id in (select value from json_each(?))"#,
        ids
    )
    .fetch_all(connection)
    .await
    .map_err(storage)?;
    let rows = rows.into_iter().map(|row| {
        let attachments: Vec<Attachment> = lenient::json("attachments", row.attachments).unwrap_or_default();
        (MessageId(row.id), searched(&row.text.0, &attachments))
    });
    Ok(rows.collect())
}

/// A message's text, and below it the names of the files beside it.
fn searched(text: &str, attachments: &[Attachment]) -> String {
    let mut searched = text.to_owned();
    for attachment in attachments {
        searched.push('\n');
        searched.push_str(&attachment.name);
    }
    searched
}

/// Puts a message into the index as it is now, and notes that it is there.
pub(super) async fn index(
    connection: &mut SqliteConnection,
    message: MessageId,
    text: &str,
    attachments: &[Attachment],
) -> Result<()> {
    put(connection, message, text, attachments).await?;
    sqlx::query!("update messages set indexed = 1 where id = ?", message.0)
        .execute(connection)
        .await
        .map_err(storage)?;
    Ok(())
}

/// Puts a message into the index whose row says so already. A damaged index keeps nobody from writing.
pub(super) async fn put(
    connection: &mut SqliteConnection,
    message: MessageId,
    text: &str,
    attachments: &[Attachment],
) -> Result<()> {
    let words = words::index_form(&searched(text, attachments));
    let indexed = sqlx::query!(
        "insert or replace into message_search (rowid, words) values (?, ?)",
        message.0,
        words
    )
    .execute(connection)
    .await;
    match indexed {
        Err(error) if is_damage(&error) => tracing::warn!(%error, "the index of messages is damaged"),
        indexed => {
            indexed.map_err(storage)?;
        }
    }
    Ok(())
}

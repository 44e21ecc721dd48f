//! The store on real files: opening, old and newer and damaged ones, other programs, the tree, undo.

mod beside;
mod content;
mod damage;
mod full;
mod opening;
#[cfg(unix)]
mod places;
mod responses;
mod search;
mod sharing;
mod versions;

use std::path::{Path, PathBuf};

use hearth_protocol::chat::{Chat, Message, Role};
use hearth_protocol::generate::{StopReason, TurnStats};
use hearth_protocol::{ChatId, MessageId, UndoToken};
use sqlx::sqlite::SqliteConnection;
use sqlx::{AssertSqlSafe, Connection};
use tempfile::TempDir;

use super::turns::{Begun, NewTurn};
use super::*;

fn file_in(folder: &TempDir) -> PathBuf {
    folder.path().join("hearth.db")
}

async fn open(folder: &TempDir) -> Store {
    Store::open(&file_in(folder)).await.expect("the store opens")
}

/// A connection of another program.
async fn connect(path: &Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(path).create_if_missing(true);
    SqliteConnection::connect_with(&options).await.expect("connect")
}

async fn run(connection: &mut SqliteConnection, sql: &str) {
    let sql = sqlx::raw_sql(AssertSqlSafe(sql.to_owned()));
    sql.execute(connection).await.expect("the statement runs");
}

async fn number(connection: &mut SqliteConnection, sql: &str) -> i64 {
    let sql = sqlx::query_scalar(AssertSqlSafe(sql.to_owned()));
    sql.fetch_one(connection).await.expect("the question is answered")
}

async fn send(store: &Store, chat: Option<ChatId>, text: &str) -> Begun {
    let turn = NewTurn {
        chat,
        text,
        title: text,
        ..NewTurn::default()
    };
    store.begin_turn(turn).await.expect("the turn is stored")
}

async fn answer(store: &Store, mut answer: Message, text: &str) -> MessageId {
    answer.text = text.into();
    answer.stop = Some(StopReason::EndOfText);
    let file = "starter/a.gguf".into();
    store
        .save_answer(&answer, Some(&file))
        .await
        .expect("the answer is stored");
    answer.id
}

/// The texts that are shown, with their versions where there are several.
fn texts(chat: &Chat) -> String {
    let texts: Vec<String> = chat
        .messages
        .iter()
        .map(|message| match message.version {
            (0, 1) => message.text.clone(),
            (number, count) => format!("{} ({} of {count})", message.text, number + 1),
        })
        .collect();
    texts.join(" / ")
}

async fn shown(store: &Store, chat: ChatId) -> String {
    texts(&store.open_chat(chat).await.expect("the chat opens"))
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    PathBuf::from(format!("{}{ending}", path.display()))
}

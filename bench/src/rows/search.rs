//! Searching 100,000 messages in 2,000 chats as one types.
//!
//! The messages are made up: words as frequent as those of a language, and a few in Chinese.

use std::path::Path;
use std::time::Instant;

use anyhow::ensure;
use hearth_protocol::Client;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection};

use super::{Line, Series, Target, Unit, milliseconds};
use crate::hearth::start_backend;
use crate::stage::Both;

const CHATS: u32 = 2_000;

/// Of each chat.
const MESSAGES: u32 = 50;

/// Of each message.
const WORDS: u32 = 60;

/// Stands in the newest message alone, which is the last to come into the index.
const LAST: &str = "zyzzyva";

const SYLLABLES: [&str; 16] = [
    "ba", "ce", "di", "fo", "gu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "xu", "za",
];

const CHINESE: [&str; 8] = ["天", "空", "为", "什", "么", "蓝", "色", "的"];

/// What is typed, letter by letter: frequent words and rare ones, several, and such as are nowhere.
const TYPED: [&str; 8] = [
    "baba",
    "babace dizano",
    "xufoguba",
    "le ka mi no",
    "zazace",
    "天空蓝",
    "zyzzyva",
    "nowhere at all",
];

/// The 99th percentile of all keystrokes of a round, through the client.
pub(super) fn chats(rounds: u32) -> anyhow::Result<Vec<Series>> {
    let folder = tempfile::tempdir()?;
    let begun = Instant::now();
    make(folder.path())?;
    let (client, shutdown) = start_backend(folder.path())?;
    // What an older Hearth has written comes into the index in the background.
    while client.search_chats(LAST.into()).wait()?.is_empty() {
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    println!("the chats were made and indexed in {:.0?}", begun.elapsed());
    let mut keys = Vec::new();
    for round in 1..=rounds {
        let times = type_all(&client)?;
        let p99 = times[(times.len() * 99).div_ceil(100) - 1];
        let slowest: Vec<_> = times.iter().rev().take(3).collect();
        println!(
            "round {round}: p99 {:.1} ms of {}, slowest {slowest:.1?}",
            p99.0,
            times.len()
        );
        keys.push(Both {
            ours: p99.0,
            theirs: None,
        });
    }
    shutdown.shut_down();
    let typing = Line::new(
        "p99 of a search as one types, 100,000 messages",
        Unit::Milliseconds,
        "",
        Some(Target::AtMost(20.0)),
    );
    Ok(vec![typing.measured(keys)])
}

/// The time of each keystroke with what had been typed, the fastest first.
fn type_all(client: &Client) -> anyhow::Result<Vec<(f64, &'static str)>> {
    let mut times = Vec::new();
    for text in TYPED {
        let mut found = 0;
        for (end, letter) in text.char_indices() {
            let typed = &text[..end + letter.len_utf8()];
            let begun = Instant::now();
            found = client.search_chats(typed.into()).wait()?.len();
            times.push((milliseconds(begun.elapsed()), typed));
        }
        ensure!(found > 0 || text.starts_with("nowhere"), "{text} was not found");
    }
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    Ok(times)
}

/// Has the backend make its database, and fills it.
fn make(folder: &Path) -> anyhow::Result<()> {
    let (client, shutdown) = start_backend(folder)?;
    client.list_chats().wait()?;
    shutdown.shut_down();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(fill(&folder.join("home/hearth.db")))
}

async fn fill(database: &Path) -> anyhow::Result<()> {
    let options = SqliteConnectOptions::new()
        .filename(database)
        .disable_statement_logging();
    let mut connection = options.connect().await?;
    let mut transaction = connection.begin().await?;
    let mut draw = Draw(1);
    for chat in 1..=CHATS {
        sqlx::query("insert into chats (id, title, created_at, updated_at) values (?, ?, ?, ?)")
            .bind(chat)
            .bind(text(&mut draw, 4))
            .bind(chat)
            .bind(chat)
            .execute(&mut *transaction)
            .await?;
        for place in 0..MESSAGES {
            let number = (chat - 1) * MESSAGES + place + 1;
            put(&mut transaction, &mut draw, chat, number, place == 0).await?;
        }
    }
    transaction.commit().await?;
    Ok(connection.close().await?)
}

async fn put(
    connection: &mut SqliteConnection,
    draw: &mut Draw,
    chat: u32,
    number: u32,
    is_first: bool,
) -> anyhow::Result<()> {
    let mut words = text(draw, WORDS);
    if number == CHATS * MESSAGES {
        words = format!("{words} {LAST}");
    }
    sqlx::query(
        "insert into messages (id, chat_id, parent_id, choice, role, text, created_at)
        values (?, ?, ?, 1, case ? % 2 when 0 then 'assistant' else 'user' end, ?, ?)",
    )
    .bind(number)
    .bind(chat)
    .bind((!is_first).then_some(number - 1))
    .bind(number)
    .bind(words)
    .bind(number)
    .execute(connection)
    .await?;
    Ok(())
}

/// Words, of which a few are in each text and most in hardly any: the number of a word is a draw from a draw.
fn text(draw: &mut Draw, words: u32) -> String {
    let mut text = String::new();
    for _ in 0..words {
        let mut number = draw.below(4096) + 1;
        number = draw.below(number);
        for _ in 0..4 {
            text.push_str(SYLLABLES[(number % 16) as usize]);
            number /= 16;
        }
        text.push(' ');
        if draw.below(40) == 0 {
            text.extend((0..3).map(|_| CHINESE[draw.below(8) as usize]));
            text.push(' ');
        }
    }
    text
}

/// Draws the same for the same seed, evenly enough (splitmix64).
struct Draw(u64);

impl Draw {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed >> 33) % u64::from(limit)) as u32
    }
}

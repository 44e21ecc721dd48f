//! Searching a catalogue of 200,000 models and 1,200,000 files as one types, and starting with it.
//!
//! The models are made up, with the words and the frequencies of real ones: a few dozen families, sizes that thousands
//! share, one uploader who has a fifth of all, and a summary that nearly all have in common.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, bail};
use hearth_protocol::Client;
use hearth_protocol::catalogue::search::{AskHub, CatalogueQuery, SearchEvent};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};

use super::{Line, Series, Target, Unit, milliseconds};
use crate::hearth::start_backend;
use crate::stage::Both;

const MODELS: u32 = 200_000;

const QUANTISATIONS: [&str; 6] = ["Q4_K_M", "Q5_K_M", "Q6_K", "Q8_0", "IQ4_XS", "F16"];

const FAMILIES: [&str; 24] = [
    "qwen3",
    "qwen2.5",
    "llama-3.1",
    "llama-3.2",
    "gemma-3",
    "gemma-2",
    "mistral",
    "mixtral",
    "phi-4",
    "smollm2",
    "granite-4.0",
    "deepseek-r1",
    "falcon",
    "yi",
    "aya",
    "command-r",
    "olmo-2",
    "glm-4",
    "kimi",
    "hermes",
    "dolphin",
    "nemotron",
    "lfm2",
    "minicpm",
];

const SIZES: [&str; 10] = ["0.6b", "1b", "3b", "4b", "7b", "8b", "14b", "24b", "32b", "70b"];

const KINDS: [&str; 5] = ["instruct", "chat", "base", "coder", "thinking"];

const SYLLABLES: [&str; 16] = [
    "ba", "ce", "di", "fo", "gu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "xu", "za",
];

/// What is typed, letter by letter.
const TYPED: [&str; 14] = [
    "qwen3 8b instruct",
    "llama 3.2 3b",
    "gemma",
    "mistral small 24b",
    "deepseek r1 distill",
    "coder 7b q4_k_m",
    "manyquants",
    "gguf",
    "instruct",
    "bacedi",
    "smollm2-0.6b-chat",
    "q8_0",
    "zaxu thinking",
    "xyzzy nothing",
];

/// The 99th percentile of all keystrokes of a round, and the time from starting the backend to the first page.
pub(super) fn catalogue(rounds: u32) -> anyhow::Result<Vec<Series>> {
    let folder = tempfile::tempdir()?;
    let begun = Instant::now();
    make(folder.path())?;
    println!("the catalogue was made in {:.0?}", begun.elapsed());
    let (mut keys, mut starts) = (Vec::new(), Vec::new());
    for round in 1..=rounds {
        let begun = Instant::now();
        let (client, shutdown) = start_backend(folder.path())?;
        search(&client, "")?;
        let start = milliseconds(begun.elapsed());
        let mut times = Vec::new();
        for text in TYPED {
            for (end, letter) in text.char_indices() {
                let begun = Instant::now();
                search(&client, &text[..end + letter.len_utf8()])?;
                times.push((milliseconds(begun.elapsed()), &text[..=end]));
            }
        }
        times.sort_by(|a, b| a.0.total_cmp(&b.0));
        let p99 = times[(times.len() * 99).div_ceil(100) - 1];
        let slowest: Vec<_> = times.iter().rev().take(3).collect();
        println!(
            "round {round}: start {start:.1} ms, p99 {:.1} ms of {}, slowest {slowest:.1?}",
            p99.0,
            times.len()
        );
        keys.push(own(p99.0));
        starts.push(own(start));
        shutdown.shut_down();
    }
    let typing = Line::new(
        "p99 of a search as one types, 200,000 models and 1,200,000 files",
        Unit::Milliseconds,
        "",
        Some(Target::AtMost(20.0)),
    );
    let start = Line::new(
        "from starting the backend to the first page of that catalogue",
        Unit::Milliseconds,
        "",
        Some(Target::AtMost(300.0)),
    );
    Ok(vec![typing.measured(keys), start.measured(starts)])
}

fn own(ours: f64) -> Both<f64> {
    Both { ours, theirs: None }
}

fn search(client: &Client, text: &str) -> anyhow::Result<()> {
    let query = CatalogueQuery {
        text: text.to_owned(),
        ask_hub: AskHub::Never,
        ..CatalogueQuery::default()
    };
    match client.search_catalogue(query).next() {
        Some(SearchEvent::Page(_)) => Ok(()),
        event => bail!("{text:?} gave {event:?}"),
    }
}

/// Has the backend make its database, and fills it.
fn make(folder: &Path) -> anyhow::Result<()> {
    let (client, shutdown) = start_backend(folder)?;
    search(&client, "")?;
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
    for number in 0..MODELS {
        put(&mut transaction, number).await?;
    }
    let quantisations = QUANTISATIONS.map(|name| format!("('{name}')")).join(", ");
    let files = format!(
        "with quantisations (name) as (values {quantisations})
        insert into catalogue_files (model_id, repository, name, role, size, quantisation)
        select m.id, m.model || '-GGUF', m.name || '-' || q.name || '.gguf', 'model', m.parameters, q.name
        from catalogue_models m, quantisations q where m.curated = 0"
    );
    run(&mut transaction, files).await?;
    let words = format!(
        "insert into catalogue_search (rowid, name, author, summary, tags, repositories, quantisations)
        select id, name, author, summary, 'tools', model || '-GGUF', '{}' from catalogue_models where curated = 0",
        QUANTISATIONS.join(" ")
    );
    run(&mut transaction, words).await?;
    transaction.commit().await?;
    connection
        .close()
        .await
        .context("the catalogue could not be closed")
}

async fn run(connection: &mut SqliteConnection, sql: String) -> anyhow::Result<()> {
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(connection).await?;
    Ok(())
}

/// Puts in one model, made from its number.
async fn put(connection: &mut SqliteConnection, number: u32) -> anyhow::Result<()> {
    let mut draw = Draw(u64::from(number) + 1);
    let made_up = |draw: &mut Draw| -> String { (0..3).map(|_| draw.of(&SYLLABLES)).collect() };
    let author = if draw.below(5) == 0 {
        "manyquants".to_owned()
    } else {
        made_up(&mut draw)
    };
    let (family, size, kind) = (draw.of(&FAMILIES), draw.of(&SIZES), draw.of(&KINDS));
    let name = format!("{family}-{size}-{}-{kind}", made_up(&mut draw));
    let summary = format!("A {} model for {}.", made_up(&mut draw), made_up(&mut draw));
    let parameters = 1_000_000_000 + i64::from(draw.below(100)) * 500_000_000;
    sqlx::query(
        "insert into catalogue_models (model, place, curated, name, shown_name, author, summary, licence, parameters,
            capabilities, languages, downloads, likes, card)
        values (?, 1000000, 0, ?, ?, ?, ?, 'apache-2.0', ?, 1, ' en ', ?, ?, '{}')",
    )
    // The number keeps names apart that were drawn alike.
    .bind(format!("{author}/{name}-{number}"))
    .bind(&name)
    .bind(&name)
    .bind(&author)
    .bind(summary)
    .bind(parameters)
    .bind(draw.below(1_000_000))
    .bind(draw.below(10_000))
    .execute(connection)
    .await?;
    Ok(())
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

    fn of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len() as u32) as usize]
    }
}

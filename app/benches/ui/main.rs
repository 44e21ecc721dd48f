//! `./x bench ui`: what the window costs, beside the bars of `docs/performance.md`. It starts the real app on an X server
//! in memory, with software OpenGL, and touches it as a person does.
//!
//! Costs of frames are processor time of the window's thread in the app's own code, as the app counts it: events, state,
//! layout, draw lists. What the graphics driver makes of these lists is another's time.
#![allow(clippy::print_stdout, reason = "it speaks to its terminal")]

mod figures;
mod measures;
#[path = "../../tests/ui/programs.rs"]
mod programs;
#[path = "../../tests/ui/screen.rs"]
#[allow(dead_code, reason = "the tests touch more")]
mod screen;
mod texts;
#[path = "../../tests/ui/window.rs"]
#[allow(dead_code, reason = "the tests ask for more")]
mod window;

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};

use figures::Line;

/// Names a measure that is taken alone.
const ONLY: &str = "HEARTH_BENCH_ONLY";
/// Names the folder for the results.
const OUT: &str = "HEARTH_BENCH_OUT";

/// A measure: its name, and what takes it.
type Measure = (&'static str, fn() -> Result<Vec<Line>>);

const MEASURES: [Measure; 10] = [
    ("start", measures::start::start),
    ("idle", measures::idle::idle),
    ("long-chat", measures::long_chat::long_chat),
    ("models", measures::models::models),
    ("stream", measures::stream::stream),
    ("composer", measures::composer::composer),
    ("downloads", measures::downloads::downloads),
    ("discover", measures::discover::discover),
    ("memory", measures::long_chat::memory),
    ("engine", measures::engine::engine),
];

fn main() -> Result<()> {
    let only = std::env::var(ONLY).ok();
    let wanted = |name: &str| only.as_deref().is_none_or(|only| only == name);
    ensure!(
        MEASURES.iter().any(|(name, _)| wanted(name)),
        "there is no such measure; the measures are {}",
        MEASURES.map(|(name, _)| name).join(", ")
    );
    let mut table = String::from("| what | measured | bar | |\n| --- | --- | --- | --- |\n");
    println!("{}", table.trim_end());
    for (name, take) in MEASURES.iter().filter(|(name, _)| wanted(name)) {
        for line in take().with_context(|| format!("{name} cannot be measured"))? {
            println!("{line}");
            writeln!(table, "{line}")?;
        }
    }
    if let Some(folder) = std::env::var_os(OUT).map(PathBuf::from) {
        std::fs::create_dir_all(&folder)?;
        std::fs::write(folder.join("ui.md"), table)?;
    }
    Ok(())
}

//! The measures, each with the bar it is held against.

pub(crate) mod composer;
pub(crate) mod discover;
pub(crate) mod downloads;
pub(crate) mod engine;
pub(crate) mod idle;
pub(crate) mod long_chat;
pub(crate) mod models;
pub(crate) mod start;
pub(crate) mod stream;

use std::fs;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::window::Window;

/// Rounds of what is measured several times.
const ROUNDS: usize = 5;

/// Between two looks at memory that is to come to rest.
const SETTLES: Duration = Duration::from_secs(2);

/// A frame that the window drew.
#[derive(Debug)]
struct Frame {
    /// When, in microseconds since 1970.
    at: u64,
    /// What it cost, in milliseconds.
    cost: f64,
    /// Messages that the open chat had.
    messages: usize,
}

/// The frames since they were asked for last.
fn frames(window: &Window<'_>) -> Result<Vec<Frame>> {
    let answer = window.frames()?;
    let frames = answer["frames"].as_array().context("no frames")?;
    frames
        .iter()
        .map(|frame| {
            let number = |name: &str| frame[name].as_u64().with_context(|| format!("no {name}"));
            Ok(Frame {
                at: number("at")?,
                cost: Duration::from_micros(number("cost_us")?).as_secs_f64() * 1000.0,
                messages: usize::try_from(number("messages")?)?,
            })
        })
        .collect()
}

/// When the window was drawn first, in microseconds since 1970.
fn first_frame(window: &Window<'_>) -> Result<u64> {
    let answer: Value = window.frames()?;
    answer["first_frame"].as_u64().context("no first frame")
}

/// Microseconds since 1970.
fn now() -> Result<u64> {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?;
    Ok(u64::try_from(since.as_micros())?)
}

/// Resident memory of a process that is its own, in MiB: what it shares with other programs, as libraries, is not in it.
/// Waits until it is at rest: what a start leaves behind is given back a little later, and not all is drawn at once.
fn memory(process: u32) -> Result<f64> {
    let mut before = memory_now(process)?;
    loop {
        std::thread::sleep(SETTLES);
        let now = memory_now(process)?;
        if (now - before).abs() < 1.0 {
            return Ok(now);
        }
        before = now;
    }
}

fn memory_now(process: u32) -> Result<f64> {
    let status = fs::read_to_string(format!("/proc/{process}/smaps_rollup"))?;
    let kib = |name: &str| -> Result<f64> {
        let line = status.lines().find(|line| line.starts_with(name));
        let number = line.and_then(|line| line.split_whitespace().nth(1));
        Ok(number.with_context(|| format!("no {name}"))?.parse()?)
    };
    Ok((kib("Private_Clean:")? + kib("Private_Dirty:")?) / 1024.0)
}

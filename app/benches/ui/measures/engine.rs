//! How fast the engine writes while the window shows it, against the same without a window.

use anyhow::{Context, Result};

use super::ROUNDS;
use crate::figures::{Bar, Line, median};
use crate::programs::command_line;
use crate::screen::Screen;
use crate::window::Window;

/// A question that the starter model answers at length.
const QUESTION: &str = "Write a long story about a lighthouse keeper and the sea.";

/// How long the answers become: in the window, where it is stopped then, in bytes, and in the terminal, in tokens.
const LONG: usize = 1_600;
const TOKENS: &str = "400";

pub(crate) fn engine() -> Result<Vec<Line>> {
    let screen = Screen::start()?;
    let home = tempfile::tempdir()?;
    let mut ratios = Vec::new();
    for _ in 0..ROUNDS {
        let with = in_the_window(&screen, home.path())?;
        let without = in_the_terminal(home.path())?;
        ratios.push(with / without);
    }
    Ok(vec![Line::new(
        "the engine's tokens/s with the window streaming, against without it",
        median(ratios),
        "",
        Bar::AtLeast(0.95),
    )])
}

fn in_the_window(screen: &Screen, home: &std::path::Path) -> Result<f64> {
    let window = Window::start(screen, home)?;
    window.click("list.new")?;
    window.click("composer.input")?;
    window.type_text(QUESTION)?;
    window.key("Return")?;
    let ended = window.wait_for_value("a long answer, or its end", |window| {
        let answer = &window.state()?["messages"][1];
        let is_long = answer["text"].as_str().is_some_and(|text| text.len() > LONG);
        let ended = answer["stats"].is_object();
        Ok((is_long || ended).then_some(ended))
    })?;
    if !ended {
        window.key("Escape")?;
    }
    let rate = window.wait_for_value("the answer's end", |window| {
        let state = window.state()?;
        Ok(state["messages"][1]["stats"]["generated_tokens_per_second"].as_f64())
    })?;
    window.close()?;
    Ok(rate)
}

fn in_the_terminal(home: &std::path::Path) -> Result<f64> {
    let output = command_line(
        home,
        &[
            "run",
            "SmolLM2-135M-Instruct-Q4_1",
            QUESTION,
            "--json",
            "--max-tokens",
            TOKENS,
        ],
    )?;
    let last = output.lines().last().context("no line")?;
    let event: serde_json::Value = serde_json::from_str(last)?;
    event["answer"]["stats"]["generated_tokens_per_second"]
        .as_f64()
        .with_context(|| format!("no rate in {event}"))
}

//! The page of model files with 2,000 of them: scrolling through it.

use std::fs;
use std::path::Path;

use anyhow::Result;

use super::frames;
use crate::figures::{Bar, Line, p95};
use crate::screen::Screen;
use crate::window::Window;

/// Models on the disk.
const MODELS: usize = 2_000;
/// Clicks of the wheel while scrolling.
const CLICKS: i32 = 150;

pub(crate) fn models() -> Result<Vec<Line>> {
    let screen = Screen::start()?;
    let home = tempfile::tempdir()?;
    write_models(&home.path().join("models"))?;
    let window = Window::start(&screen, home.path())?;
    window.show_page("models")?;
    window.visible("models.row.0")?;
    let mut lines = Vec::new();
    for (way, clicks) in [("down", CLICKS), ("up", -CLICKS)] {
        frames(&window)?;
        window.wheel("page.models", clicks)?;
        let costs = frames(&window)?.into_iter().map(|frame| frame.cost);
        lines.push(Line::new(
            format!("scrolling {way} in {MODELS} model files, the app's share of a frame, p95"),
            p95(costs),
            "ms",
            Bar::AtMost(4.0),
        ));
    }
    window.close()?;
    Ok(lines)
}

/// Files that are listed as models, each of another publisher.
fn write_models(folder: &Path) -> Result<()> {
    for number in 0..MODELS {
        let folder = folder.join(format!("publisher-{number}/model-{number}-GGUF"));
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(format!("model-{number}-Q4_K_M.gguf")), model(number))?;
    }
    Ok(())
}

/// The least that is a model file: its architecture, its name and one tensor of 32 numbers.
fn model(number: usize) -> Vec<u8> {
    let text = |text: &str| [&(text.len() as u64).to_le_bytes()[..], text.as_bytes()].concat();
    let value = |key: &str, value: &str| [text(key), 8_u32.to_le_bytes().to_vec(), text(value)].concat();
    let mut bytes = b"GGUF\x03\0\0\0".to_vec();
    bytes.extend(1_u64.to_le_bytes());
    bytes.extend(2_u64.to_le_bytes());
    bytes.extend(value("general.architecture", "llama"));
    bytes.extend(value("general.name", &format!("Model {number} with a name")));
    bytes.extend(text("token_embd.weight"));
    bytes.extend(1_u32.to_le_bytes());
    bytes.extend(32_u64.to_le_bytes());
    // 32-bit numbers, from the beginning of the data.
    bytes.extend(0_u32.to_le_bytes());
    bytes.extend(0_u64.to_le_bytes());
    bytes.resize(bytes.len().next_multiple_of(32), 0);
    bytes.extend([0; 128]);
    bytes
}

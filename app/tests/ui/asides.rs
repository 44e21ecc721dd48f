//! What a model thought and the tools it asked for, beside its answer.

use std::fs;
use std::path::Path;

use anyhow::{Result, ensure};
use serde_json::json;

use crate::home;
use crate::pictures::shots;
use crate::programs::command_line;
use crate::screen::Screen;
use crate::window::Window;

/// A chat whose answer was thought about and asked for a tool, whose answer is known.
fn write_chat(home: &Path) -> Result<()> {
    let at = 1_764_460_800_000_u64;
    let stats = json!({"prompt_tokens": 20, "cached_tokens": 0, "generated_tokens": 90, "reasoning_tokens": 64,
        "guessed_tokens": [0, 0], "messages_left_out": 0, "time_to_first_token_ms": 210.0,
        "prompt_tokens_per_second": 400.0, "generated_tokens_per_second": 20.0, "context_used": 110,
        "context_length": 8192, "wall_time_ms": 5000.0});
    let call = json!({"id": "1", "name": "weather", "arguments": "{\"place\": \"Bergen\"}"});
    let messages = json!([
        {"choice": 1, "role": "user", "text": "Shall I take an umbrella to Bergen?", "created_at": at},
        {"parent": 0, "choice": 1, "role": "assistant", "text": "Let me look at the weather there.", "created_at": at,
            "reasoning": "It rains **often** there.\n\nI had better look.", "tool_calls": [call],
            "stop": {"reason": "tool_calls"}, "stats": stats},
        {"parent": 1, "choice": 1, "role": "tool", "text": "{\"rain\": true}", "created_at": at},
        {"parent": 2, "choice": 1, "role": "assistant", "text": "Yes, it rains today.", "created_at": at,
            "stop": {"reason": "end_of_text"}},
    ]);
    let chat = json!({"hearth": "chat", "version": 1, "chat": {"title": "Umbrella", "created_at": at,
        "updated_at": at, "messages": messages}});
    let file = home.join("chat.json");
    fs::write(&file, chat.to_string())?;
    command_line(home, &["chats", "import", &file.display().to_string()]).map(drop)
}

#[test]
fn thoughts_and_tools_are_folded_and_open_in_place() -> Result<()> {
    let (screen, home) = (Screen::start()?, home()?);
    write_chat(home.path())?;
    let window = Window::start(&screen, home.path())?;
    window.click("list.row.1")?;
    let thought = window.visible("message.2.aside.0")?;
    ensure!(thought.text == "Thought for 3.2\u{a0}s", "{thought:?}");
    ensure!(
        window.visible("message.2.aside.1")?.text == "Used weather",
        "the tool"
    );
    ensure!(
        window.element("message.2.aside.0.block.0")?.is_none(),
        "it is folded"
    );

    window.click("message.2.aside.1")?;
    window.click("message.2.aside.0")?;
    ensure!(window.visible("message.2.aside.0.block.1")?.text == "I had better look.");
    ensure!(
        window
            .visible("message.2.aside.1.block.1")?
            .text
            .contains("\"rain\": true"),
        "the tool's answer"
    );
    for theme in ["dark", "light"] {
        window.click("rail.settings")?;
        window.click(&format!("settings.theme.{theme}"))?;
        window.click("rail.chat")?;
        window.visible("message.2.aside.0.block.1")?;
        window.picture(&shots()?.join(format!("asides-{theme}.png")))?;
    }
    window.click("message.2.aside.0")?;
    window.wait_gone("message.2.aside.0.block.0")?;
    window.check_output()?;
    window.close()
}

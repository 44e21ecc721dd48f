//! What the measured chats hold.

use std::fs;
use std::path::Path;

use anyhow::Result;
use serde_json::{Value, json};

use crate::programs::command_line;

/// Messages of a long chat.
pub(crate) const MESSAGES: usize = 10_000;

/// An answer of more than 5,000 words: headings, paragraphs, lists, tables, code.
pub(crate) fn answer() -> String {
    (1..=16).map(section).collect()
}

fn section(number: usize) -> String {
    let words =
        "Each small block keeps its own scale, so **outliers** cost little and `bits` stay few. ".repeat(8);
    let items: String = (1..8)
        .map(|item| format!("{item}. step `{item}` of the whole way there\n"))
        .collect();
    let rows: String = (0..12)
        .map(|row| format!("| Q{row} | {row}.5 bits | near lossless |\n"))
        .collect();
    let code: String = (0..30)
        .map(|line| format!("    let value_{line} = compute({line}, \"x\");\n"))
        .collect();
    format!(
        "## Part {number}\n\n{words}\n\n{items}\n| Quant | Bits | Quality |\n|---|---|---|\n{rows}\n\
         ```rust\nfn main() {{\n{code}}}\n```\n\n{words}\n\n"
    )
}

/// Writes a chat of 10,000 messages into the data folder `home`, as an import does.
pub(crate) fn write_long_chat(home: &Path) -> Result<()> {
    let messages: Vec<Value> = (0..MESSAGES)
        .map(|number| {
            let (role, text) = if number % 2 == 0 {
                ("user", format!("Question {number}: how do few bits hold so much?"))
            } else {
                ("assistant", short_answer(number))
            };
            let parent = number.checked_sub(1);
            json!({"parent": parent, "choice": 1, "role": role, "text": text, "created_at": 1_764_460_800_000_u64})
        })
        .collect();
    let chat = json!({"hearth": "chat", "version": 1, "chat": {
        "title": "A long chat", "created_at": 1_764_460_800_000_u64, "updated_at": 1_764_460_800_000_u64,
        "messages": messages,
    }});
    let file = home.join("long-chat.json");
    fs::write(&file, chat.to_string())?;
    command_line(home, &["chats", "import", &file.display().to_string()]).map(drop)
}

/// Every fourth answer has a list, a table or code.
fn short_answer(number: usize) -> String {
    let words = "Weights lie close to zero, so a coarse grid lands near most of them. ".repeat(3);
    let more = match number / 2 % 8 {
        0 => "\n\n- **Outliers** get bits of their own.\n- Errors cancel out.\n",
        2 => "\n\n| Quant | Bits |\n|---|---|\n| Q8_0 | 8.5 |\n| Q4_K_M | 4.85 |\n",
        4 => "\n\n```python\ndef size(params, bits):\n    return params * bits / 8\n```\n",
        _ => "",
    };
    format!("{words}{more}")
}

//! An answer from a file, at an even pace.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::print;

/// Writes a file as an answer: a piece is a word with the space behind it.
pub(super) fn write(id: &Value, what: &Value) -> Result<(), String> {
    let file = what["file"].as_str().ok_or("write takes a file")?;
    let per_second = what["per_second"]
        .as_f64()
        .ok_or("write takes pieces per second")?;
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    print(&json!({"response": "begun", "id": id, "left_out": 0}).to_string())?;
    let begun = Instant::now();
    for (number, piece) in (0_u32..).zip(text.split_inclusive([' ', '\n'])) {
        let due = Duration::from_secs_f64(f64::from(number) / per_second);
        std::thread::sleep(due.saturating_sub(begun.elapsed()));
        print(&json!({"response": "piece", "id": id, "piece": {"text": piece}}).to_string())?;
    }
    let stop = json!({"reason": "end_of_text"});
    print(&json!({"response": "finished", "id": id, "stop": stop, "stats": {}}).to_string())
}

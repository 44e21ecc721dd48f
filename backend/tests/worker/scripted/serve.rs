//! Answers as the real worker does, with text of its own: several at once, the others in their order, each to its end.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use serde_json::{Value, json};

use super::print;

/// Answers that are made at once.
const SLOTS: usize = 4;

/// How long a step takes.
const STEP: Duration = Duration::from_millis(1);

/// Answers until the input closes, each with so many pieces.
pub(super) fn serve(requests: &Receiver<Result<Value, String>>, pieces: u64) -> Result<(), String> {
    let mut waiting = VecDeque::new();
    let mut running: Vec<(u64, u64)> = Vec::new();
    loop {
        let rest = if running.is_empty() { Duration::MAX } else { STEP };
        match requests.recv_timeout(rest) {
            Ok(request) => {
                let request = request?;
                let id = request["id"].as_u64().ok_or("a request without a number")?;
                match request["request"].as_str() {
                    Some("generate") => waiting.push_back(id),
                    Some("stop") => {
                        let before = waiting.len() + running.len();
                        waiting.retain(|waiting| *waiting != id);
                        running.retain(|(running, _)| *running != id);
                        if waiting.len() + running.len() < before {
                            finished(id, "user_stopped")?;
                        }
                    }
                    _ => return Err(format!("{request} was not expected")),
                }
            }
            Err(RecvTimeoutError::Timeout) => {
                for (id, left) in &mut running {
                    let piece = json!({"text": "word "});
                    print(&json!({"response": "piece", "id": *id, "piece": piece}).to_string())?;
                    *left -= 1;
                }
                for (id, _) in running.iter().filter(|(_, left)| *left == 0) {
                    finished(*id, "end_of_text")?;
                }
                running.retain(|(_, left)| *left > 0);
            }
            Err(RecvTimeoutError::Disconnected) => break,
        }
        while running.len() < SLOTS
            && let Some(id) = waiting.pop_front()
        {
            print(&json!({"response": "begun", "id": id, "left_out": 0}).to_string())?;
            running.push((id, pieces));
        }
    }
    running
        .iter()
        .try_for_each(|(id, _)| finished(*id, "user_stopped"))
}

fn finished(id: u64, reason: &str) -> Result<(), String> {
    let stop = json!({"reason": reason});
    print(&json!({"response": "finished", "id": id, "stop": stop, "stats": {}}).to_string())
}

//! A worker that plays a script over the real line protocol: it waits for requests and says what the script
//! says, literally. So the backend is tested against any behaviour of an engine, bad ones too.
//!
//! A script is a JSON array of steps, played from first to last; each step is an object with one key:
//! - `{"await": "load"}` reads lines until a request of this kind comes;
//! - `{"say": {…}}` writes a response; an `id` of `"$id"` becomes the number of the last `generate`;
//! - `{"print": "…"}` writes a line to standard output as it is;
//! - `{"log": "…"}` writes a line to standard error;
//! - `{"process": "path"}` writes this process's number to a file;
//! - `{"until": "path"}` waits until this file is there;
//! - `{"exit": 134}` ends with this code; `{"abort": true}` ends by a signal;
//! - `{"deaf": true}` goes on for ever, whatever happens, as an engine that hangs;
//! - `{"write": {"file": "path", "per_second": 200}}` writes a file as the answer of the last `generate`, word by word;
//! - `{"serve": 20}` answers as the real one does, each answer with so many pieces, four at once, until the input closes.
//!
//! After the last step the worker waits for its input to close, as the real one does.

mod serve;
mod write;

use std::io::{BufRead, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, channel};

use serde_json::Value;

/// Plays the script in this file.
pub(crate) fn play(script: &Path) -> ExitCode {
    let steps: Vec<Value> = match std::fs::read(script).map(|bytes| serde_json::from_slice(&bytes)) {
        Ok(Ok(steps)) => steps,
        Ok(Err(error)) => return broken(&format!("{}: {error}", script.display())),
        Err(error) => return broken(&format!("{}: {error}", script.display())),
    };
    let mut player = Player {
        requests: requests(),
        id: Value::Null,
    };
    for step in &steps {
        match player.step(step) {
            Ok(None) => (),
            Ok(Some(code)) => return code,
            Err(error) => return broken(&error),
        }
    }
    // Reads on until the input closes.
    match player.wait_for("") {
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => broken(&error),
    }
}

/// The requests as they come; ends when the input closes.
fn requests() -> Receiver<Result<Value, String>> {
    let (sender, requests) = channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines() {
            let request = line.map_err(|error| error.to_string()).and_then(|line| {
                serde_json::from_str::<Value>(&line).map_err(|error| format!("{line}: {error}"))
            });
            if sender.send(request).is_err() {
                break;
            }
        }
    });
    requests
}

struct Player {
    requests: Receiver<Result<Value, String>>,
    /// Number of the last `generate`.
    id: Value,
}

impl Player {
    /// Plays one step; gives the exit code where the script ends here.
    fn step(&mut self, step: &Value) -> Result<Option<ExitCode>, String> {
        let (verb, argument) = match step.as_object().and_then(|step| step.iter().next()) {
            Some((verb, argument)) => (verb.as_str(), argument),
            None => return Err(format!("{step} is no step")),
        };
        let text = argument.as_str().unwrap_or_default();
        match verb {
            "await" => {
                if !self.wait_for(text)? {
                    return Ok(Some(ExitCode::SUCCESS));
                }
            }
            "say" => {
                let mut response = argument.clone();
                if let Some(id) = response.get_mut("id").filter(|id| *id == "$id") {
                    *id = self.id.clone();
                }
                print(&response.to_string())?;
            }
            "print" => print(text)?,
            "log" => write_line(std::io::stderr(), text)?,
            "process" => {
                let number = std::process::id().to_string();
                std::fs::write(text, number).map_err(|error| error.to_string())?;
            }
            "until" => {
                while !Path::new(text).exists() {
                    std::thread::sleep(std::time::Duration::from_millis(2));
                }
            }
            "exit" => {
                let code = argument.as_u64().and_then(|code| u8::try_from(code).ok());
                return Ok(Some(ExitCode::from(code.ok_or("exit takes a code")?)));
            }
            "abort" => std::process::abort(),
            "deaf" => loop {
                std::thread::park();
            },
            "write" => write::write(&self.id, argument)?,
            "serve" => {
                let pieces = argument.as_u64().ok_or("serve takes a number of pieces")?;
                serve::serve(&self.requests, pieces)?;
                return Ok(Some(ExitCode::SUCCESS));
            }
            _ => return Err(format!("{verb} is no step")),
        }
        Ok(None)
    }

    /// Reads requests until one of this kind; `false` where the input closes first.
    fn wait_for(&mut self, kind: &str) -> Result<bool, String> {
        while let Ok(request) = self.requests.recv() {
            let request = request?;
            if request["request"] == "generate" {
                self.id = request["id"].clone();
            }
            if request["request"] == kind {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn print(line: &str) -> Result<(), String> {
    write_line(std::io::stdout(), line)
}

fn write_line(mut target: impl Write, line: &str) -> Result<(), String> {
    writeln!(target, "{line}")
        .and_then(|()| target.flush())
        .map_err(|error| error.to_string())
}

/// A script that cannot be played is told where the backend shows it.
fn broken(error: &str) -> ExitCode {
    match write_line(std::io::stderr(), &format!("script: {error}")) {
        Ok(()) => ExitCode::from(2),
        Err(_) => ExitCode::from(3),
    }
}

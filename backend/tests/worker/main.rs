//! The worker of the integration tests: the real engine, or with `scripted FILE` one that plays a script.

mod scripted;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    match (arguments.next(), arguments.next()) {
        (Some(mode), Some(script)) if mode == "scripted" => scripted::play(script.as_ref()),
        _ => hearth_backend::worker_main(),
    }
}

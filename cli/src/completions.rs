//! `hearth-cli completions`: what a shell needs to complete commands and options.

use std::io::{self, Write};

use clap::CommandFactory;
use clap_complete::{Shell, generate};

use crate::arguments::Arguments;
use crate::exit::{Exit, Failure};

/// Prints the script of a shell.
pub(crate) fn completions(shell: Shell) -> Result<Exit, Failure> {
    // Written to memory first: writing to a closed output would panic there.
    let mut script = Vec::new();
    generate(
        shell,
        &mut Arguments::command(),
        env!("CARGO_PKG_NAME"),
        &mut script,
    );
    io::stdout().lock().write_all(&script)?;
    Ok(Exit::Done)
}

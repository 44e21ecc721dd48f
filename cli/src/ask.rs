//! Questions to the person at the terminal.

use std::io::{self, IsTerminal, Write};

use crossbeam_channel::bounded;
use hearth_protocol::Error;

use crate::exit::Failure;
use crate::interrupts::Interrupts;
use crate::text::printable;

/// Whether somebody is there who can be asked.
pub(crate) fn can_ask() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks, and takes only a yes for one. Ctrl-C cancels the command.
pub(crate) fn ask(interrupts: &Interrupts, question: &str) -> Result<bool, Failure> {
    let mut output = io::stderr().lock();
    write!(output, "{} [y/N] ", printable(question))?;
    output.flush()?;
    drop(output);
    let (sender, answer) = bounded(1);
    // A thread of its own, since Ctrl-C does not end the reading of a line. It ends with the process then.
    std::thread::spawn(move || {
        let mut line = String::new();
        let read = io::stdin().read_line(&mut line).map(|_| line);
        // Nobody waits for it after Ctrl-C.
        sender.send(read).ok();
    });
    match interrupts.wait_for(&answer) {
        Some(line) => Ok(is_yes(&line?)),
        None => Err(Error::Cancelled.into()),
    }
}

fn is_yes(line: &str) -> bool {
    ["y", "yes"].contains(&line.trim().to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_yes_is_one() {
        for (line, expected) in [
            ("y\n", true),
            (" YES \r\n", true),
            ("", false),
            ("\n", false),
            ("n\n", false),
            ("yellow\n", false),
        ] {
            assert_eq!(is_yes(line), expected, "{line:?}");
        }
    }
}

//! `hearth-cli import`: takes a model file into Hearth's own folder.

use std::cell::Cell;
use std::io::{self, Write};

use hearth_protocol::library::{ImportEvent, ImportMode, ImportRequest, LibraryFile};
use hearth_protocol::{ByteSize, Client, Error};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::arguments::ImportArguments;
use crate::exit::{Exit, Failure};
use crate::interrupts::{Interrupts, Next};
use crate::text::printable;

/// Steps of the bar, so that it moves smoothly whatever the size.
const STEPS: u64 = 1000;

/// What a script sees of an event. Fields may be added, none is renamed.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Line<'a> {
    /// Bytes done and bytes in all.
    Progress { done: ByteSize, total: ByteSize },
    /// It is in the library.
    Finished { file: &'a LibraryFile },
}

/// Imports a file and shows how it goes. Ctrl-C removes what was written.
pub(crate) fn import(
    client: &Client,
    interrupts: &Interrupts,
    arguments: &ImportArguments,
) -> Result<Exit, Failure> {
    let request = ImportRequest {
        // Whoever is asked may work in another folder.
        path: std::path::absolute(&arguments.file)?,
        how: mode(arguments),
    };
    let style = ProgressStyle::with_template("{bar:30} {wide_msg}");
    let style = style.map_err(|error| Failure::Hearth(Error::internal(error)))?;
    // On standard error, and nowhere if that is no terminal.
    let bar = match arguments.json {
        true => ProgressBar::hidden(),
        false => ProgressBar::new(STEPS).with_style(style),
    };
    let outcome = follow(client, interrupts, request, arguments.json, &bar);
    bar.finish_and_clear();
    let file = outcome?;
    if arguments.json {
        write(&Line::Finished { file: &file })?;
    } else {
        let line = format!("{}: {}. `hearth-cli ls` lists it.", file.id, file.size);
        writeln!(io::stdout().lock(), "{}", printable(&line))?;
    }
    Ok(Exit::Done)
}

fn mode(arguments: &ImportArguments) -> ImportMode {
    match arguments {
        ImportArguments { moves: true, .. } => ImportMode::Move,
        ImportArguments { hard_link: true, .. } => ImportMode::HardLink,
        ImportArguments { symlink: true, .. } => ImportMode::SymbolicLink,
        _ => ImportMode::Copy,
    }
}

fn follow(
    client: &Client,
    interrupts: &Interrupts,
    request: ImportRequest,
    json: bool,
    bar: &ProgressBar,
) -> Result<LibraryFile, Failure> {
    let _run = interrupts.run();
    let events = client.import_file(request);
    // From the last byte on it comes to its end, whoever leaves.
    let is_ending = Cell::new(false);
    let hear = |event: ImportEvent| -> Result<Option<LibraryFile>, Failure> {
        match event {
            ImportEvent::Finished(file) => return Ok(Some(file)),
            ImportEvent::Failed(error) => return Err(error.into()),
            ImportEvent::Progress(done, total) => {
                is_ending.set(is_ending.get() || done >= total);
                show(json, bar, done, total)?;
            }
        }
        Ok(None)
    };
    loop {
        let event = match interrupts.next(&events) {
            Next::Event(event) => event,
            Next::Interrupt => {
                while let Some(event) = events.try_next() {
                    if let Some(file) = hear(event.body)? {
                        return Ok(file);
                    }
                }
                if is_ending.get() {
                    continue;
                }
                // Leaving stops the work, and the backend's end waits until nothing of it is left.
                return Err(Error::Cancelled.into());
            }
        };
        if let Some(file) = hear(event)? {
            return Ok(file);
        }
    }
}

fn show(json: bool, bar: &ProgressBar, done: ByteSize, total: ByteSize) -> Result<(), Failure> {
    if json {
        return write(&Line::Progress { done, total });
    }
    let part = u128::from(done.0) * u128::from(STEPS) / u128::from(total.0.max(1));
    bar.set_position(u64::try_from(part).unwrap_or(STEPS));
    bar.set_message(format!("{done} of {total}"));
    Ok(())
}

fn write(line: &Line<'_>) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    serde_json::to_writer(&mut output, line).map_err(io::Error::from)?;
    writeln!(output)?;
    Ok(output.flush()?)
}

//! `hearth-cli clean`: finds what is of no use any more, and removes it.

use std::io::{self, Write};

use hearth_protocol::library::{Leftover, LeftoverKind, Source};
use hearth_protocol::{ByteSize, Client};

use crate::arguments::CleanArguments;
use crate::ask::{ask, can_ask};
use crate::exit::{Exit, Failure};
use crate::interrupts::Interrupts;
use crate::program::Program;
use crate::text::{printable, write_table};

const NOTHING: &str = "There is nothing to clean up.";

const NOT_ASKED: &str =
    "Nothing is removed without a yes: --yes gives it, and --dry-run only lists what there is.";

/// Lists leftovers and removes those that the person lets go, other programs' by their names.
pub(crate) fn clean(
    client: &Client,
    interrupts: &Interrupts,
    arguments: &CleanArguments,
) -> Result<Exit, Failure> {
    let found = client.leftovers().wait()?;
    if found.is_empty() {
        writeln!(io::stderr().lock(), "{NOTHING}")?;
        return Ok(Exit::Done);
    }
    let header = ["WHAT", "WHOSE", "SIZE", "PATH"];
    write_table(
        &mut io::stdout().lock(),
        header,
        &found.iter().map(row).collect::<Vec<_>>(),
    )?;
    if arguments.dry_run {
        return Ok(Exit::Done);
    }
    if !arguments.yes && arguments.programs.is_empty() && !can_ask() {
        return Err(Failure::Usage(NOT_ASKED));
    }
    let mut confirmed = Vec::new();
    for source in sources(&found) {
        if may_go(interrupts, arguments, &found, source)? {
            confirmed.push(source);
        }
    }
    let going = found
        .iter()
        .filter(|leftover| confirmed.contains(&leftover.source));
    let paths: Vec<_> = going.map(|leftover| leftover.path.clone()).collect();
    if paths.is_empty() {
        writeln!(io::stderr().lock(), "Nothing is removed.")?;
        // With --yes all that was meant is gone already.
        return Ok(if arguments.yes { Exit::Done } else { Exit::Failed });
    }
    let cleaned = client.clean_leftovers(paths, confirmed).wait()?;
    for (path, reason) in &cleaned.kept {
        let line = format!("{} stays: {reason}.", path.display());
        writeln!(io::stderr().lock(), "{}", printable(&line))?;
    }
    writeln!(
        io::stdout().lock(),
        "Removed {}; {} are free again.",
        cleaned.removed,
        cleaned.freed
    )?;
    Ok(if cleaned.kept.is_empty() {
        Exit::Done
    } else {
        Exit::Failed
    })
}

/// Whose leftovers there are, Hearth's first.
fn sources(found: &[Leftover]) -> Vec<Source> {
    let mut sources = Vec::new();
    for leftover in found {
        if !sources.contains(&leftover.source) {
            sources.push(leftover.source);
        }
    }
    sources.sort_by_key(|source| *source != Source::Hearth);
    sources
}

/// Whether the person lets all of one source go.
fn may_go(
    interrupts: &Interrupts,
    arguments: &CleanArguments,
    found: &[Leftover],
    source: Source,
) -> Result<bool, Failure> {
    let of_it = found.iter().filter(|leftover| leftover.source == source);
    let (count, bytes) = of_it.fold((0, 0), |(count, bytes), leftover| {
        (count + 1, bytes + leftover.size.0)
    });
    let size = ByteSize(bytes);
    let program = Program::of(source);
    let is_named = arguments.programs.iter().any(|named| named.source() == source);
    if is_named || (source == Source::Hearth && arguments.yes) {
        return Ok(true);
    }
    if arguments.yes || !can_ask() {
        let name = source.name();
        let flag = program.flag();
        writeln!(
            io::stderr().lock(),
            "{count} of {name} stay, {size}: --yes-delete-from {flag} removes them too."
        )?;
        return Ok(false);
    }
    let question = match source {
        Source::Hearth => format!("Remove {count} of Hearth's own, {size}?"),
        source => format!(
            "{count} belong to {}, which may need them: {size}. Remove them all the same?",
            source.name()
        ),
    };
    ask(interrupts, &question)
}

fn row(leftover: &Leftover) -> [String; 4] {
    let kind = match leftover.kind {
        LeftoverKind::Partial => "unfinished",
        LeftoverKind::Orphan => "without a name",
        LeftoverKind::DanglingLink => "leads nowhere",
    };
    [
        kind.to_owned(),
        leftover.source.name().to_owned(),
        leftover.size.to_string(),
        leftover.path.display().to_string(),
    ]
}

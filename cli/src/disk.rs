//! `hearth-cli disk`.

use std::io::{self, Write};

use hearth_protocol::Client;
use hearth_protocol::library::{ModelUse, SourceUse};

use crate::arguments::OutputArguments;
use crate::exit::{Exit, Failure};
use crate::list::{json, source};
use crate::text::{or_dash, write_table};

/// Shows what model files take on the disk.
pub(crate) fn disk(client: &Client, arguments: OutputArguments) -> Result<Exit, Failure> {
    let used = client.disk_use().wait()?;
    if arguments.json {
        return json(&used);
    }
    let mut output = io::stdout().lock();
    let sources: Vec<_> = used.sources.iter().map(source_row).collect();
    write_table(&mut output, ["FROM", "MODELS", "SIZE"], &sources)?;
    writeln!(output)?;
    let models: Vec<_> = used.models.iter().map(model_row).collect();
    write_table(&mut output, ["MODEL", "SIZE"], &models)?;
    writeln!(output)?;
    let free = or_dash(used.free.map(|free| free.to_string()));
    writeln!(
        output,
        "In all {}, leftovers {}, free {free}",
        used.total, used.leftovers
    )?;
    Ok(Exit::Done)
}

fn source_row(used: &SourceUse) -> [String; 3] {
    [
        source(used.source).to_owned(),
        used.models.to_string(),
        used.size.to_string(),
    ]
}

fn model_row(used: &ModelUse) -> [String; 2] {
    [used.file.to_string(), used.size.to_string()]
}

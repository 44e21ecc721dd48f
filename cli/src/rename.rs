//! `hearth-cli rename`: gives a model another display name.

use std::io::{self, Write};

use hearth_protocol::Client;

use crate::arguments::RenameArguments;
use crate::exit::{Exit, Failure};
use crate::pick::pick;
use crate::text::printable;

/// Renames a model, or gives it the name of its file again.
pub(crate) fn rename(client: &Client, arguments: RenameArguments) -> Result<Exit, Failure> {
    let file = pick(client, &arguments.model)?;
    let file = client.rename_file(file.id, arguments.name).wait()?;
    let line = format!("{} is called “{}” now.", file.id, file.name);
    writeln!(io::stdout().lock(), "{}", printable(&line))?;
    Ok(Exit::Done)
}

//! `hearth-cli rm`: deletes a model from the disk.

use std::io::{self, Write};

use hearth_protocol::library::{DeleteRequest, LibraryFile, Source};
use hearth_protocol::{Client, Error};

use crate::arguments::RmArguments;
use crate::ask::{ask, can_ask};
use crate::exit::{Exit, Failure};
use crate::interrupts::Interrupts;
use crate::pick::pick;
use crate::program::Program;
use crate::text::printable;

/// Deletes a model. Of another program's it asks first, by that program's name.
pub(crate) fn rm(client: &Client, interrupts: &Interrupts, arguments: &RmArguments) -> Result<Exit, Failure> {
    let file = pick(client, &arguments.model)?;
    let confirmed = match file.source {
        Source::Hearth => None,
        source if arguments.program.map(Program::source) == Some(source) => Some(source),
        source if can_ask() => match ask(interrupts, &question(&file))? {
            true => Some(source),
            false => {
                writeln!(io::stderr().lock(), "Nothing is deleted.")?;
                return Ok(Exit::Failed);
            }
        },
        source => {
            let field = file.path.display().to_string();
            let program = Program::of(source).flag();
            let problem = format!(
                "{}; --yes-delete-from {program} deletes it all the same",
                reason(source)
            );
            return Err(Error::Invalid { field, problem }.into());
        }
    };
    let request = DeleteRequest {
        file: file.id.clone(),
        confirmed,
    };
    let deleted = client.delete_file(request).wait()?;
    let line = format!("{} is deleted.", file.id);
    writeln!(io::stdout().lock(), "{}", printable(&line))?;
    if deleted.was_default {
        writeln!(
            io::stderr().lock(),
            "It was your default model; there is none now."
        )?;
    }
    if let Some(line) = what_stays(&file, &client.list_files().wait()?) {
        writeln!(io::stderr().lock(), "{}", printable(&line))?;
    }
    Ok(Exit::Done)
}

fn question(file: &LibraryFile) -> String {
    let path = file.path.display();
    format!("{path} {}.\nDelete it all the same?", reason(file.source))
}

/// What is listed of a deleted file still: another revision in the cache, or another of Ollama's names of the same bytes.
fn what_stays(file: &LibraryFile, listed: &[LibraryFile]) -> Option<String> {
    if let Some(other) = listed.iter().find(|other| other.path == file.path) {
        return Some(format!("Its bytes stay: {} is made of them too.", other.id));
    }
    let is_revision = |other: &LibraryFile| other.source == Source::HuggingFace && other.id == file.id;
    listed
        .iter()
        .any(is_revision)
        .then(|| "Another revision of it is in the cache, and is listed now.".into())
}

/// Why a file is not deleted without a word, as the rest of a sentence.
fn reason(source: Source) -> String {
    match source {
        Source::Starter => "came with Hearth, and comes back when Hearth is installed anew".into(),
        Source::Folder => "lies in a folder of yours, which is not Hearth's".into(),
        source => format!("belongs to {}, and other programs may need it", source.name()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whose_a_file_is_is_said_by_name() {
        assert!(reason(Source::Ollama).contains("Ollama"));
        assert!(reason(Source::HuggingFace).contains("the Hugging Face cache"));
        assert!(reason(Source::Starter).contains("comes back"));
    }
}

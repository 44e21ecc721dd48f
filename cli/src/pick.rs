//! Which file of the library a command means that changes it. Unlike one that only reads, it never guesses.

use hearth_protocol::library::LibraryFile;
use hearth_protocol::{Client, Error};

use crate::exit::Failure;
use crate::run::model_ref;

/// Ids offered where a name means several files.
const MAX_SUGGESTIONS: usize = 5;

/// The one file that is called so.
pub(crate) fn pick(client: &Client, typed: &str) -> Result<LibraryFile, Failure> {
    let mut files = client.find_files(model_ref(typed)).wait()?;
    if files.len() > 1 {
        let ids = files.iter().take(MAX_SUGGESTIONS).map(|file| file.id.to_string());
        let ids = ids.collect::<Vec<_>>().join(", ");
        let problem = format!("means several files; name one of them: {ids}");
        return Err(Error::invalid(&format!("“{typed}”"), problem).into());
    }
    let file = files.pop();
    file.ok_or_else(|| Error::internal("a name was found and stands for nothing").into())
}

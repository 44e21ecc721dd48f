//! A state in a file that a program names: written whole or not at all, and read only where it is of the same model.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use hearth_protocol::{Error, Result};
use llama_cpp_2::token::LlamaToken;

use super::file::{file_bytes, read_header, read_state, write_by};
use super::{Fingerprint, UNFINISHED};
use crate::files::{file_error, sync_parent, with_ending};

/// Writes the state of a text to a file, in the place of one that is there. Gives its bytes.
///
/// # Errors
/// `File` and `DiskFull` as the system says; then the earlier file is still there.
pub(in super::super) fn write_file(
    path: &Path,
    fingerprint: &Fingerprint,
    tokens: &[LlamaToken],
    state: &[u8],
) -> Result<u64> {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let time = since.unwrap_or_default().as_nanos();
    // Several may write the same file at once.
    let ending = format!(".{time:x}-{:x}.{UNFINISHED}", std::process::id());
    let beside = with_ending(path, &ending);
    write_by(&beside, path, fingerprint, tokens, state).map_err(|error| file_error(path, &error))?;
    sync_parent(path);
    Ok(file_bytes(tokens.len(), state.len() as u64))
}

/// The text and its state in a file of at most so many tokens, and the bytes of the file.
///
/// # Errors
/// `File` for one that cannot be read, that holds no state or a damaged one, or one of another model; `ContextOverflow`
/// for more tokens.
pub(in super::super) fn read_file(
    path: &Path,
    fingerprint: &Fingerprint,
    most: u32,
) -> Result<(Arc<[LlamaToken]>, Vec<u8>, u64)> {
    let refused = |reason: &str| Error::File {
        path: path.display().to_string(),
        reason: reason.into(),
    };
    let unread = |error: io::Error| match error.kind() {
        io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => {
            refused("it is no saved slot, or it is damaged; save the slot again")
        }
        _ => file_error(path, &error),
    };
    // What is no regular file, such as a pipe, may have no end.
    if !path.metadata().map_err(unread)?.is_file() {
        return Err(refused("it is no file"));
    }
    let header = read_header(path).map_err(unread)?;
    if header.fingerprint != *fingerprint {
        return Err(refused(
            "it was saved by another model, or by this one loaded in another way; load that one",
        ));
    }
    let count = u32::try_from(header.tokens.len()).unwrap_or(u32::MAX);
    if count > most {
        return Err(Error::ContextOverflow {
            prompt_tokens: count,
            context_length: most,
        });
    }
    let state = read_state(path, &header.tokens, fingerprint).map_err(unread)?;
    let bytes = file_bytes(header.tokens.len(), state.len() as u64);
    Ok((header.tokens, state, bytes))
}

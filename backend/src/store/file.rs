//! The place of the database: its folder is made, and what stands in the way is named before SQLite meets it, which
//! would wait for ever for a pipe.

use std::path::{Path, PathBuf};

use hearth_protocol::{Error, Result};
use tokio::fs;

use crate::config::HOME_VARIABLE;

/// What SQLite puts beside the database.
const COMPANIONS: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Makes the folder and looks at what stands in the place of the database. It need not be there.
///
/// # Errors
/// [`Error::Storage`] names what is in the way.
pub(super) async fn prepare(path: &Path) -> Result<()> {
    if path.to_str().is_none() {
        let problem = format!("has a path that is not Unicode text; name another folder in {HOME_VARIABLE}");
        return Err(refusal(path, &problem));
    }
    if let Some(folder) = path.parent()
        && let Err(error) = fs::create_dir_all(folder).await
    {
        let cause = cause(folder).await.unwrap_or_else(|| error.to_string());
        let problem = format!("cannot be made, since its folder cannot: {cause}");
        return Err(refusal(path, &problem));
    }
    refuse_other(path).await?;
    for companion in COMPANIONS {
        refuse_other(&beside(path, companion)).await?;
    }
    Ok(())
}

/// Refuses what is there and is no file.
async fn refuse_other(path: &Path) -> Result<()> {
    let problem = match fs::metadata(path).await {
        Ok(about) if about.is_file() => return Ok(()),
        Ok(about) if about.is_dir() => "is a folder; move it away and start Hearth again".into(),
        Ok(_) => "is a pipe, a socket or a device and no file; move it away and start Hearth again".into(),
        // A link to a file that is not there yet is followed when the file is made.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) if is_link(path).await => broken_link(&error),
        // SQLite tells why it cannot open it.
        Err(_) => return Ok(()),
    };
    Err(refusal(path, &problem))
}

/// What keeps a folder from being made; `None` where only the system knows.
async fn cause(folder: &Path) -> Option<String> {
    for place in folder.ancestors() {
        match fs::metadata(place).await {
            Ok(about) if about.is_dir() => return None,
            Ok(_) => return Some(format!("{} is not a folder", place.display())),
            Err(error) if is_link(place).await => {
                return Some(format!("{} {}", place.display(), broken_link(&error)));
            }
            Err(_) => (),
        }
    }
    None
}

async fn is_link(path: &Path) -> bool {
    let about = fs::symlink_metadata(path).await;
    about.is_ok_and(|about| about.is_symlink())
}

fn broken_link(error: &std::io::Error) -> String {
    format!("is a link that leads to no file or folder ({error}); remove it and start Hearth again")
}

fn refusal(path: &Path, problem: &str) -> Error {
    Error::Storage {
        reason: format!("{} {problem}", path.display()),
    }
}

/// A path with `ending` after its whole name.
pub(super) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

//! Which file of the library a command means that changes it. Unlike one that only reads, it never guesses.

use std::path::Path;

use hearth_protocol::library::LibraryFile;
use hearth_protocol::{Client, Error};

use crate::exit::Failure;

/// Names offered when the one asked for is not there, or means several.
const MAX_SUGGESTIONS: usize = 5;

/// The one file that is called so: by its id, its path, its file's name, or the name it is shown with.
pub(crate) fn pick(client: &Client, typed: &str) -> Result<LibraryFile, Failure> {
    Ok(find(client.list_files().wait()?, typed)?)
}

fn find(files: Vec<LibraryFile>, typed: &str) -> Result<LibraryFile, Error> {
    let path = std::path::absolute(typed).ok();
    let is_exact = |file: &LibraryFile| file.id.as_str() == typed || Some(&file.path) == path.as_ref();
    let (exact, others): (Vec<_>, Vec<_>) = files.into_iter().partition(is_exact);
    if let Some(file) = exact.into_iter().next() {
        return Ok(file);
    }
    let ids = |files: &[LibraryFile]| -> Vec<String> {
        files
            .iter()
            .take(MAX_SUGGESTIONS)
            .map(|file| file.id.to_string())
            .collect()
    };
    let known = ids(&others);
    let mut named: Vec<_> = others.into_iter().filter(|file| is_called(file, typed)).collect();
    if named.len() > 1 {
        let problem = format!(
            "means several files; name one of them: {}",
            ids(&named).join(", ")
        );
        return Err(Error::invalid(&format!("“{typed}”"), problem));
    }
    named.pop().ok_or_else(|| Error::NotFound {
        what: "model".into(),
        name: typed.to_owned(),
        known,
    })
}

fn is_called(file: &LibraryFile, typed: &str) -> bool {
    let typed = typed.to_lowercase();
    let file_name = file
        .path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .to_lowercase();
    let stem = Path::new(&file_name)
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    // Of several parts the first stands for all: `NAME-00001-of-00003`.
    let set = stem
        .rsplit_once("-00001-of-")
        .map_or(stem.as_str(), |(set, _)| set);
    let id = file.id.as_str().to_lowercase();
    [&id, &file_name, &stem, set, &file.name.to_lowercase()].contains(&typed.as_str())
}

#[cfg(test)]
mod tests {
    use hearth_protocol::library::{FileState, Source};
    use hearth_protocol::{ByteSize, UnixMillis};

    use super::*;

    fn file(id: &str, name: &str) -> LibraryFile {
        LibraryFile {
            id: id.into(),
            name: name.into(),
            model: None,
            path: Path::new("/models").join(id),
            size: ByteSize(1),
            source: Source::Hearth,
            architecture: None,
            quantisation: None,
            parameters: None,
            context_length: None,
            has_chat_template: false,
            state: FileState::Ready,
            modified_at: UnixMillis(0),
        }
    }

    #[test]
    fn a_file_is_meant_by_each_of_its_names_and_never_one_of_several() {
        let files = || {
            vec![
                file("hearth/p1/r/model.gguf", "Model"),
                file("hearth/p2/r/model.gguf", "My pet"),
                file("hearth/m-00001-of-00003.gguf", "M"),
            ]
        };
        let cases = [
            ("hearth/p2/r/model.gguf", Ok("hearth/p2/r/model.gguf")),
            ("/models/hearth/p1/r/model.gguf", Ok("hearth/p1/r/model.gguf")),
            ("my PET", Ok("hearth/p2/r/model.gguf")),
            ("m", Ok("hearth/m-00001-of-00003.gguf")),
            ("M-00001-of-00003.GGUF", Ok("hearth/m-00001-of-00003.gguf")),
            (
                "model.gguf",
                Err(
                    "“model.gguf” means several files; name one of them: hearth/p1/r/model.gguf, hearth/p2/r/model.gguf.",
                ),
            ),
            (
                "none",
                Err(
                    "There is no model “none”. There is: hearth/p1/r/model.gguf, hearth/p2/r/model.gguf, hearth/m-00001-of-00003.gguf.",
                ),
            ),
        ];
        for (typed, expected) in cases {
            let found = find(files(), typed)
                .map(|file| file.id.0)
                .map_err(|error| error.to_string());
            assert_eq!(
                found,
                expected.map(str::to_owned).map_err(str::to_owned),
                "{typed}"
            );
        }
    }
}

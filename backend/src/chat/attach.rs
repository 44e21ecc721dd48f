//! Files of text beside messages: reading them, and how a model is given them.

use std::path::Path;

use hearth_protocol::chat::attachment::{Attachment, LONGEST_ATTACHMENT, too_long};
use hearth_protocol::{Error, Result};

use crate::files::{file_error, read_small};

/// Bytes of a file in UTF-16, which can take two of them for one of UTF-8.
const LONGEST_FILE: u64 = 2 * LONGEST_ATTACHMENT as u64 + 2;

/// Reads a file of text.
///
/// # Errors
/// [`Error::Invalid`] where it is no text or too long; [`Error::File`].
pub(super) fn read(path: &Path) -> Result<Attachment> {
    let name = path.file_name().unwrap_or(path.as_os_str());
    let name = name.to_string_lossy().into_owned();
    let about = path.metadata().map_err(|error| file_error(path, &error))?;
    if about.is_dir() {
        return Err(Error::invalid(&name, "is a folder; attach files"));
    }
    if about.len() > LONGEST_FILE {
        return Err(Error::invalid(&name, too_long()));
    }
    let bytes = read_small(path, LONGEST_FILE).map_err(|error| file_error(path, &error))?;
    let text = decode(&bytes).ok_or_else(|| {
        Error::invalid(
            &name,
            "is no text in UTF-8 or UTF-16; save it as UTF-8 and attach it again",
        )
    })?;
    if text.len() > LONGEST_ATTACHMENT {
        return Err(Error::invalid(&name, too_long()));
    }
    Ok(Attachment { name, text })
}

/// The text of a file: UTF-8, or UTF-16 that says so by its first bytes. Text holds no NUL, which most other files do.
fn decode(bytes: &[u8]) -> Option<String> {
    let units = |read: fn([u8; 2]) -> u16, rest: &[u8]| {
        let (pairs, odd) = rest.as_chunks::<2>();
        let units: Vec<u16> = pairs.iter().map(|pair| read(*pair)).collect();
        odd.is_empty().then(|| String::from_utf16(&units).ok()).flatten()
    };
    let text = match bytes {
        [0xff, 0xfe, rest @ ..] => units(u16::from_le_bytes, rest),
        [0xfe, 0xff, rest @ ..] => units(u16::from_be_bytes, rest),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8(rest.to_vec()).ok(),
        bytes => String::from_utf8(bytes.to_vec()).ok(),
    };
    text.filter(|text| !text.contains('\0'))
}

/// A message with the files beside it, as the model reads it: each file in a fence of its own with its name above, then
/// the text.
pub(super) fn with_files(text: &str, attachments: &[Attachment]) -> String {
    let mut all = String::new();
    for Attachment { name, text } in attachments {
        let fence = fence_around(text);
        let ending = Path::new(name).extension().and_then(|ending| ending.to_str());
        // No name can end the line that it stands in.
        let name = name.replace(char::is_control, " ");
        let ending = ending
            .unwrap_or_default()
            .replace(|c: char| !c.is_alphanumeric(), "");
        all += &format!("{name}:\n{fence}{ending}\n{text}");
        if !text.ends_with('\n') {
            all.push('\n');
        }
        all += &format!("{fence}\n\n");
    }
    if text.is_empty() {
        all.truncate(all.trim_end_matches('\n').len());
    }
    all + text
}

/// A fence that nothing in the text closes.
pub(super) fn fence_around(text: &str) -> String {
    let runs = text.split(|character| character != '`');
    let longest = runs.map(str::len).max().unwrap_or_default();
    "`".repeat(3.max(longest + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_text_are_read_and_others_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let utf_16 = |read: fn(u16) -> [u8; 2], mark: [u8; 2]| {
            let units = "größe;1".encode_utf16().flat_map(read);
            mark.into_iter().chain(units).collect::<Vec<u8>>()
        };
        let cases: [(&str, Vec<u8>, std::result::Result<&str, &str>); 10] = [
            ("a.csv", b"1;2\r\n".to_vec(), Ok("1;2\r\n")),
            ("empty.txt", Vec::new(), Ok("")),
            ("bom.md", b"\xef\xbb\xbf# Hi".to_vec(), Ok("# Hi")),
            ("le.csv", utf_16(u16::to_le_bytes, [0xff, 0xfe]), Ok("größe;1")),
            ("be.csv", utf_16(u16::to_be_bytes, [0xfe, 0xff]), Ok("größe;1")),
            ("odd.csv", b"\xff\xfea".to_vec(), Err("is no text")),
            ("latin.txt", b"gr\xf6\xdfe".to_vec(), Err("is no text")),
            ("binary", b"GGUF\0\0\0\x03".to_vec(), Err("is no text")),
            ("most.txt", vec![b'x'; LONGEST_ATTACHMENT], Ok("")),
            (
                "more.txt",
                vec![b'x'; LONGEST_ATTACHMENT + 1],
                Err("longer than 1 MiB"),
            ),
        ];
        for (name, bytes, expected) in cases {
            let path = folder.path().join(name);
            std::fs::write(&path, &bytes).expect("written");
            match (read(&path), expected) {
                (Ok(read), Ok(text)) => {
                    assert_eq!(read.name, name);
                    assert!(read.text == text || bytes.len() == LONGEST_ATTACHMENT, "{name}");
                }
                (Err(error), Err(problem)) => {
                    let words = error.to_string();
                    assert!(words.contains(name) && words.contains(problem), "{words}");
                }
                (read, _) => panic!("{name}: {read:?}"),
            }
        }
        let folder_error = read(folder.path()).expect_err("a folder").to_string();
        assert!(folder_error.contains("is a folder"), "{folder_error}");
        let missing = read(&folder.path().join("none.txt"));
        assert!(matches!(missing, Err(Error::File { .. })), "{missing:?}");
    }

    #[test]
    fn a_model_reads_each_file_in_a_fence_of_its_own() {
        let file = |name: &str, text: &str| Attachment {
            name: name.into(),
            text: text.into(),
        };
        let cases = [
            (vec![], "Hi\n", "Hi\n"),
            (
                vec![file("a.rs", "fn a() {}\n")],
                "Why?",
                "a.rs:\n```rs\nfn a() {}\n```\n\nWhy?",
            ),
            (vec![file("b", "1")], "", "b:\n```\n1\n```"),
            (
                vec![file("r.md", "```sh\nls\n```"), file("e\nvil.c\"s", "````")],
                "x",
                "r.md:\n````md\n```sh\nls\n```\n````\n\ne vil.c\"s:\n`````cs\n````\n`````\n\nx",
            ),
        ];
        for (files, text, expected) in cases {
            assert_eq!(with_files(text, &files), expected);
        }
    }
}

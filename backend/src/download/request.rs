//! Whether what is asked for can be the name of anything on the hub. Pure.

use hearth_protocol::download::DownloadRequest;
use hearth_protocol::hub::link::model;
use hearth_protocol::{Error, Result};

use crate::hub::shapes::is_safe_path;

/// Longest name of a file or a revision, in bytes; the hub's are far shorter.
const LONGEST: usize = 1024;

/// Checks the names of a request.
///
/// # Errors
/// [`Error::Invalid`] with the first field that names nothing that the hub can have, or that no disk takes.
pub(crate) fn check(request: &DownloadRequest) -> Result<()> {
    let invalid = |field: &str, text: &str, problem: &str| {
        let shown: String = text.chars().take(100).flat_map(char::escape_debug).collect();
        Err(Error::invalid(field, format!("“{shown}” {problem}")))
    };
    let name = request.model.as_str();
    if model(name).as_ref() != Some(&request.model) {
        return invalid("model", name, "must be owner/name, as the hub has it");
    }
    if let Some(file) = &request.file
        && (file.len() > LONGEST || !is_safe_path(file))
    {
        let problem = "must be the name of a file in the repository, or a quantisation such as Q4_K_M";
        return invalid("file", file, problem);
    }
    if let Some(revision) = &request.revision
        && !is_revision(revision)
    {
        return invalid("revision", revision, "must be a branch, a tag or a commit");
    }
    Ok(())
}

/// Whether a text can be the name of a branch, a tag or a commit (`git-check-ref-format`).
fn is_revision(text: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty() && !part.starts_with('.') && !part.ends_with('.') && !part.ends_with(".lock")
    };
    let is_odd = |char: char| char.is_whitespace() || char.is_control() || "~^:?*[\\#%".contains(char);
    text.len() <= LONGEST
        && text.split('/').all(is_part)
        && !text.contains(is_odd)
        && !text.contains("..")
        && !text.contains("@{")
        && text != "@"
}

#[cfg(test)]
mod tests {
    use hearth_protocol::ModelId;

    use super::*;

    #[test]
    fn only_what_the_hub_can_have_is_asked_for() {
        let ask = |model: &str, file: Option<&str>, revision: Option<&str>| {
            let request = DownloadRequest {
                model: ModelId(model.to_owned()),
                file: file.map(str::to_owned),
                revision: revision.map(str::to_owned),
            };
            match check(&request) {
                Ok(()) => "",
                Err(Error::Invalid { field, .. }) => ["model", "file", "revision"]
                    .into_iter()
                    .find(|name| *name == field)
                    .expect("a field of the request"),
                Err(error) => panic!("{error}"),
            }
        };
        let long = "a".repeat(LONGEST + 1);
        for model in [
            "",
            "a",
            "a/",
            "/b",
            "../..",
            "a/..",
            "a/b/c",
            "a/b?x",
            "a/b#x",
            "a/b c",
            "a/b:Q4_0",
            "a\\b/c",
            "a/b\n",
            "a/b%2f",
            "/etc/passwd",
        ] {
            assert_eq!(ask(model, None, None), "model", "{model:?}");
        }
        assert_eq!(ask("bartowski/Qwen2.5-0.5B_x", None, None), "");
        for file in [
            "",
            "/etc/passwd",
            "../m.gguf",
            "a/../../m.gguf",
            "C:\\m.gguf",
            "c:m.gguf",
            "a//m.gguf",
            "m\n.gguf",
            "m\0",
            "nul",
            "a/COM¹.gguf",
            &long,
        ] {
            assert_eq!(ask("a/b", Some(file), None), "file", "{file:?}");
        }
        for file in ["m.gguf", "UD/m é.gguf", "Q4_K_M", "what?.gguf"] {
            assert_eq!(ask("a/b", Some(file), None), "", "{file:?}");
        }
        for revision in [
            "", "/", "a/", "..", "a..b", "a b", "a\n", ".a", "a.lock", "a?b", "a:b", "@", "a@{1}", &long,
        ] {
            assert_eq!(ask("a/b", None, Some(revision)), "revision", "{revision:?}");
        }
        for revision in [
            "main",
            "refs/pr/1",
            "v1.0",
            "0123456789abcdef0123456789abcdef01234567",
        ] {
            assert_eq!(ask("a/b", None, Some(revision)), "", "{revision:?}");
        }
    }
}

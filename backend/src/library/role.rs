//! What a model file is for, as its name tells.

use hearth_protocol::catalogue::FileRole;

/// What a file is for, by its path or name: projectors have `mmproj` in it, drafts are called so or begin with `mtp-`.
pub(crate) fn role(path: &str) -> FileRole {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let has = |word| words(&name).any(|own| own == word);
    if has("mmproj") {
        FileRole::Projector
    } else if name.starts_with("mtp-") || has("draft") || has("eagle3") {
        FileRole::Draft
    } else {
        FileRole::Model
    }
}

/// The words of a name, folders included.
pub(crate) fn words(name: &str) -> impl Iterator<Item = &str> {
    name.split(['-', '_', '.', ' ', '/'])
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_tells_what_a_file_is_for() {
        let cases = [
            ("m-Q8_0.gguf", FileRole::Model),
            ("UD/mmproj-m-f16.gguf", FileRole::Projector),
            ("m.mmproj-Q8_0.gguf", FileRole::Projector),
            ("MTP-m-Q8_0.gguf", FileRole::Draft),
            ("m-draft-Q8_0.gguf", FileRole::Draft),
            ("m_eagle3_Q8_0.gguf", FileRole::Draft),
            ("draft/m-Q8_0.gguf", FileRole::Model),
            ("overdraft-Q8_0.gguf", FileRole::Model),
        ];
        for (path, expected) in cases {
            assert_eq!(role(path), expected, "{path}");
        }
    }
}

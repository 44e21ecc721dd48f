//! The names of imported files and of their folders. Pure.
//!
//! They are Unicode text, whatever the names were before, since a worker is told paths as text; and every system and
//! every usual file system takes them.

use std::ffi::OsStr;

use super::super::{parts, quant};
use crate::files::is_device;

/// Longest name of a file in bytes: of the 255 that file systems take, what stands behind it while it is copied fits too.
const MAX_FILE: usize = 240;

/// Longest name of a folder in bytes, with room for a number.
const MAX_FOLDER: usize = 120;

/// The name of what has none that can be used.
const UNNAMED: &str = "model";

/// The name that a file gets, with the ending by which models are found. A number among the parts of a model stays, and
/// all parts keep one beginning, so that they are still found as one.
pub(super) fn file_name(name: &OsStr) -> String {
    let text = name.to_string_lossy();
    let stem = quant::stem(&text);
    let (beginning, number) = match parts::split(stem) {
        Some((beginning, number, count)) if count > 1 => (beginning, format!("-{number:05}-of-{count:05}")),
        _ => (stem, String::new()),
    };
    let rest = format!("{number}.gguf");
    safe(beginning, MAX_FILE - rest.len()) + &rest
}

/// The name of the folder of a model whose first file is called so. Of several models with one name the second gets the
/// number 2, and so on.
pub(super) fn folder_name(file_name: &str, number: u32) -> String {
    let name = safe(parts::without_number(quant::stem(file_name)), MAX_FOLDER);
    match number {
        0 | 1 => name,
        number => format!("{name}-{number}"),
    }
}

/// A name of at most so many bytes, 16 or more, without what some system takes for something else.
fn safe(text: &str, longest: usize) -> String {
    let mut name = String::new();
    for char in text.trim_matches(is_edge).chars() {
        let char = match char {
            '<' | '>' | ':' | '"' | '/' | '\\' | '|' | '?' | '*' | char::REPLACEMENT_CHARACTER => '_',
            char if char.is_control() => '_',
            char => char,
        };
        // One byte is left for what stands before the name of a device.
        if name.len() + char.len_utf8() >= longest {
            break;
        }
        name.push(char);
    }
    let name = name.trim_end_matches(is_edge);
    match name {
        "" => UNNAMED.to_owned(),
        name if is_device(name) => format!("_{name}"),
        name => name.to_owned(),
    }
}

/// Whether a character at the beginning or the end of a name hides it, or is lost on some system.
fn is_edge(char: char) -> bool {
    char == '.' || char.is_whitespace()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_name_stays_what_it_is_as_far_as_every_system_takes_it() {
        let long = "ü".repeat(300);
        let cases = [
            ("m-Q4_K_M.gguf", "m-Q4_K_M.gguf"),
            ("a.b.v1.0.Q4_K_M.gguf", "a.b.v1.0.Q4_K_M.gguf"),
            ("x.GGUF", "x.gguf"),
            ("sha256-0123", "sha256-0123.gguf"),
            ("模型 é Ω.gguf", "模型 é Ω.gguf"),
            ("山\u{3000}月 123's #%20.gguf", "山\u{3000}月 123's #%20.gguf"),
            ("Кириллица.gguf", "Кириллица.gguf"),
            (".gguf", "model.gguf"),
            ("..gguf", "model.gguf"),
            (".hidden.gguf", "hidden.gguf"),
            ("a:b?.gguf", "a_b_.gguf"),
            ("NUL.gguf", "_NUL.gguf"),
            ("com1.x.gguf", "_com1.x.gguf"),
            ("comet.gguf", "comet.gguf"),
            ("m-00002-of-00003.gguf", "m-00002-of-00003.gguf"),
            ("m-00001-of-00001.gguf", "m-00001-of-00001.gguf"),
            ("-00001-of-00002.gguf", "model-00001-of-00002.gguf"),
            ("a\nb.gguf", "a_b.gguf"),
        ];
        for (name, expected) in cases {
            assert_eq!(file_name(name.as_ref()), expected, "{name}");
        }
        let cut = file_name(format!("{long}-00002-of-00003.gguf").as_ref());
        assert!(
            cut.len() <= MAX_FILE && cut.ends_with("ü-00002-of-00003.gguf"),
            "{cut}"
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_name_that_is_no_text_becomes_one() {
        use std::os::unix::ffi::OsStrExt;
        assert_eq!(file_name(OsStr::from_bytes(b"bad\xff.gguf")), "bad_.gguf");
    }

    #[test]
    fn a_second_folder_of_one_name_has_a_number() {
        let names = [0, 1, 2, 30].map(|number| folder_name("m-Q8_0-00001-of-00002.gguf", number));
        assert_eq!(names, ["m-Q8_0", "m-Q8_0", "m-Q8_0-2", "m-Q8_0-30"]);
    }

    proptest! {
        #[test]
        fn every_name_can_be_used_everywhere(text in any::<String>(), part in 1..4_u32, is_part in any::<bool>()) {
            let name = if is_part { format!("{text}-{part:05}-of-00003.gguf") } else { text };
            let file = file_name(name.as_ref());
            prop_assert!(file.len() <= MAX_FILE, "{file}");
            prop_assert!(super::super::super::scan::is_model_name(file.as_ref()), "{file}");
            for name in [file.clone(), folder_name(&file, 1), folder_name(&file, u32::MAX)] {
                prop_assert!(name.len() <= MAX_FILE && !name.is_empty());
                let is_bad = |char: char| char.is_control() || "<>:\"/\\|?*".contains(char);
                prop_assert!(!name.contains(is_bad), "{name:?}");
                prop_assert!(!name.starts_with(is_edge) && !name.ends_with(is_edge), "{name:?}");
                prop_assert!(!is_device(&name), "{name:?}");
            }
            // It is still the part that it was, and no part where it was none.
            let number = |name: &str| {
                let split = parts::split(quant::stem(name)).map(|(_, number, count)| (number, count));
                split.filter(|(_, count)| *count > 1)
            };
            prop_assert_eq!(number(&file), number(&name));
        }

        #[test]
        fn all_parts_keep_one_beginning(text in any::<String>()) {
            let beginnings: Vec<String> = (1..=3)
                .map(|part| file_name(format!("{text}-{part:05}-of-00003.gguf").as_ref()))
                .map(|name| parts::without_number(quant::stem(&name)).to_owned())
                .collect();
            prop_assert!(beginnings.windows(2).all(|pair| pair[0] == pair[1]), "{beginnings:?}");
        }
    }
}

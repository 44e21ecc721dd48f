//! The shape of a source file: its name, its header, its length.

use super::SourceFile;

/// Lines up to which a file needs no reason.
const MAX_LINES: usize = 400;

/// Longer files, each with the reason why it is one.
const LONG_FILES: &[(&str, &str)] = &[
    (
        "app/src/ui/texts.rs",
        "one table of the constants that designs say words by",
    ),
    (
        "app/tests/ui/window.rs",
        "one type, which the benchmark of the window takes in as one file",
    ),
    (
        "protocol/src/command.rs",
        "one enum of all commands and the table of their names",
    ),
    (
        "protocol/src/engine.rs",
        "all load options, which are validated together",
    ),
];

pub(super) fn check(file: &SourceFile, breaches: &mut Vec<String>) {
    if !file.is_rust() {
        return;
    }
    let path = &file.path;
    if path == "mod.rs" || path.ends_with("/mod.rs") {
        breaches.push(format!("{path}: write foo.rs beside foo/, never mod.rs"));
    }
    // A tests.rs tests the file it lies below; its place says so.
    if !file.text.starts_with("//! ") && !path.ends_with("/tests.rs") {
        breaches.push(format!("{path}: has no //! header that says what it owns"));
    }
    let lines = file.text.lines().count();
    if lines > MAX_LINES && reason_for(path).is_none() {
        breaches.push(format!(
            "{path}: has {lines} lines; split it by what it owns, or give the reason in xtask/src/tidy/shape.rs"
        ));
    }
}

/// Reasons whose file is gone or has become short are removed.
pub(super) fn check_reasons(files: &[SourceFile], breaches: &mut Vec<String>) {
    for (path, _) in LONG_FILES {
        let is_long = |file: &SourceFile| file.path == *path && file.text.lines().count() > MAX_LINES;
        if !files.iter().any(is_long) {
            breaches.push(format!(
                "{path}: needs no reason for its length any more; remove it from xtask/src/tidy/shape.rs"
            ));
        }
    }
}

fn reason_for(path: &str) -> Option<&'static str> {
    LONG_FILES
        .iter()
        .find(|(long, _)| *long == path)
        .map(|(_, reason)| *reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn breaches(path: &str, text: &str) -> usize {
        let mut breaches = Vec::new();
        let (path, text) = (path.to_owned(), text.to_owned());
        check(&SourceFile { path, text }, &mut breaches);
        breaches.len()
    }

    #[test]
    fn a_file_needs_a_header_a_name_and_a_bearable_length() {
        let long = format!("//! Header.\n{}", "\n".repeat(MAX_LINES));
        let cases = [
            ("cli/src/run.rs", "//! Header.\n", 0),
            ("cli/src/run.rs", "use std::fs;\n", 1),
            ("cli/src/run/tests.rs", "use super::*;\n", 0),
            ("cli/src/run/mod.rs", "//! Header.\n", 1),
            ("cli/src/run.rs", &long, 1),
            ("protocol/src/command.rs", &long, 0),
            ("README.md", &long, 0),
        ];
        for (path, text, count) in cases {
            assert_eq!(breaches(path, text), count, "{path}");
        }
    }

    #[test]
    fn a_reason_without_its_long_file_is_a_breach() {
        let mut breaches = Vec::new();
        check_reasons(&[], &mut breaches);
        assert_eq!(breaches.len(), LONG_FILES.len());
    }
}

//! `cargo xtask tidy`: the rules of the tree that no compiler and no lint knows.
//!
//! Each rule is a pure function over the files' texts, so that it is tested without a tree.

mod dependencies;
mod links;
mod names;
mod shape;

use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail, ensure};

/// A text file of the tree, with its path from the root, `/` between folders.
pub(crate) struct SourceFile {
    /// The path.
    pub(crate) path: String,
    /// The text.
    pub(crate) text: String,
}

/// Checks every file that git knows or would know.
///
/// # Errors
/// With all breaches, one a line.
pub(crate) fn tidy(root: &Path) -> anyhow::Result<()> {
    let files = read_tree(root)?;
    let mut breaches: Vec<String> = Vec::new();
    for file in &files {
        names::check(file, &mut breaches);
        shape::check(file, &mut breaches);
    }
    shape::check_reasons(&files, &mut breaches);
    dependencies::check_reasons(&files, &mut breaches);
    dependencies::check_uses(&files, &mut breaches);
    links::check(&files, |path| root.join(path).exists(), &mut breaches);
    if !breaches.is_empty() {
        bail!("the tree is not tidy:\n  {}", breaches.join("\n  "));
    }
    println!("{} files are tidy.", files.len());
    Ok(())
}

fn read_tree(root: &Path) -> anyhow::Result<Vec<SourceFile>> {
    let output = Command::new("git")
        .current_dir(root)
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .output()
        .context("git does not run")?;
    ensure!(
        output.status.success(),
        "git lists no files: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let paths = String::from_utf8(output.stdout).context("a file name is not UTF-8")?;
    let mut files = Vec::new();
    for path in paths.split_terminator('\0') {
        // A file that is deleted and not yet committed is still listed; pictures and fonts are not text.
        let Ok(bytes) = std::fs::read(root.join(path)) else {
            continue;
        };
        if let Ok(text) = String::from_utf8(bytes) {
            let path = path.to_owned();
            files.push(SourceFile { path, text });
        }
    }
    Ok(files)
}

impl SourceFile {
    /// Whether this is Rust.
    pub(crate) fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// The lines with their numbers from 1, comments taken off.
    pub(crate) fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text
            .lines()
            .enumerate()
            .map(|(index, line)| (index + 1, without_comment(line)))
    }
}

/// The part of a line before `//`, unless that belongs to a URL.
fn without_comment(line: &str) -> &str {
    let comment = line
        .match_indices("//")
        .find(|(at, _)| !line[..*at].ends_with(':'));
    comment.map_or(line, |(at, _)| &line[..at])
}

/// Whether `text` holds `name` with no letter, digit or `_` on either side.
pub(crate) fn names(text: &str, name: &str) -> bool {
    let is_word = |char: char| char.is_alphanumeric() || char == '_';
    text.match_indices(name)
        .any(|(at, _)| !text[..at].ends_with(is_word) && !text[at + name.len()..].starts_with(is_word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_whole_word() {
        assert!(names("use sqlx::query;", "sqlx"));
        assert!(names("std::fs::read(path)", "std::fs"));
        assert!(!names("my_sqlx::query", "sqlx"));
        assert!(!names("sqlx2", "sqlx"));
    }

    #[test]
    fn comments_are_not_code_and_urls_are_not_comments() {
        assert_eq!(without_comment("let a = 1; // tokio"), "let a = 1; ");
        assert_eq!(
            without_comment(r#"get("http://localhost/")"#),
            r#"get("http://localhost/")"#
        );
    }
}

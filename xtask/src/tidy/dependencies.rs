//! Dependencies: each outside one says in its manifest what it is for, and each is used.

use super::{SourceFile, names};

/// The manifests of the workspaces, each with its table that holds all outside dependencies.
const TABLES: [(&str, &str); 2] = [
    ("Cargo.toml", "[workspace.dependencies]"),
    ("fuzz/Cargo.toml", "[dependencies]"),
];

/// The tables of a crate's manifest that name what it uses.
const USES: [&str; 2] = ["[dependencies]", "[dev-dependencies]"];

/// Each outside dependency of a workspace has a comment line above it.
pub(super) fn check_reasons(files: &[SourceFile], breaches: &mut Vec<String>) {
    for (path, table) in TABLES {
        match files.iter().find(|file| file.path == path) {
            Some(manifest) => check_table(manifest, table, breaches),
            None => breaches.push(format!("{path}: is missing")),
        }
    }
}

fn check_table(manifest: &SourceFile, table: &str, breaches: &mut Vec<String>) {
    let mut above = "";
    let mut in_table = false;
    for (index, line) in manifest.text.lines().enumerate() {
        if line.starts_with('[') {
            in_table = line == table;
        } else if let Some((name, value)) = line.split_once(" = ")
            && in_table
            && !value.contains("path =")
            && !above.starts_with('#')
            && !is_family(above, name)
        {
            breaches.push(format!(
                "{}:{}: {name} needs a comment line above it that says what it is for",
                manifest.path,
                index + 1
            ));
        }
        above = line;
    }
}

/// Each dependency of a crate is named in a source file of that crate.
pub(super) fn check_uses(files: &[SourceFile], breaches: &mut Vec<String>) {
    for manifest in files {
        let Some(folder) = manifest
            .path
            .strip_suffix("Cargo.toml")
            .filter(|folder| !folder.is_empty())
        else {
            continue;
        };
        let sources: Vec<_> = files
            .iter()
            .filter(|file| file.is_rust() && file.path.starts_with(folder))
            .collect();
        for name in used_crates(&manifest.text) {
            let identifier = name.replace('-', "_");
            let is_named = |file: &&SourceFile| file.code().any(|(_, code)| names(code, &identifier));
            if !sources.iter().any(is_named) {
                breaches.push(format!("{}: {name} is not used", manifest.path));
            }
        }
    }
}

/// The names in the tables of dependencies, each on a line such as `serde.workspace = true`.
fn used_crates(manifest: &str) -> impl Iterator<Item = &str> {
    let mut in_table = false;
    manifest.lines().filter_map(move |line| {
        if line.starts_with('[') {
            in_table = USES.contains(&line);
            return None;
        }
        let end = line.find(['.', ' ', '='])?;
        in_table
            .then(|| &line[..end])
            .filter(|name| !name.starts_with('#'))
    })
}

/// Whether the line above holds a crate that this one belongs to, as `serde_json` to `serde`.
fn is_family(above: &str, name: &str) -> bool {
    let head = above.split_once(" = ").map(|(head, _)| head);
    head.and_then(|head| name.strip_prefix(head))
        .is_some_and(|rest| rest.starts_with(['-', '_']))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> SourceFile {
        SourceFile {
            path: path.to_owned(),
            text: text.to_owned(),
        }
    }

    #[test]
    fn a_dependency_without_a_reason_is_found() {
        let text = "\
[workspace.dependencies]
own = { path = \"own\" }

# Templates.
minijinja = \"3\"
minijinja-contrib = \"3\"
naked = \"1\"

[profile.dev]
opt-level = 1
";
        let targets = "[dependencies]\nown = { path = \"../own\" }\nbare = \"1\"\n";
        let mut breaches = Vec::new();
        check_reasons(
            &[file("Cargo.toml", text), file("fuzz/Cargo.toml", targets)],
            &mut breaches,
        );
        let found: Vec<_> = breaches
            .iter()
            .filter_map(|breach| breach.split(' ').next())
            .collect();
        assert_eq!(found, ["Cargo.toml:7:", "fuzz/Cargo.toml:3:"], "{breaches:?}");
    }

    #[test]
    fn a_dependency_that_no_source_names_is_found() {
        let manifest = "\
[package]
name = \"a\"

[dependencies]
used-crate.workspace = true
forgotten.workspace = true

[lints]
workspace = true
";
        let files = [
            file("a/Cargo.toml", manifest),
            file("a/src/main.rs", "use used_crate::x; // forgotten"),
            file("b/src/main.rs", "use forgotten::x;"),
        ];
        let mut breaches = Vec::new();
        check_uses(&files, &mut breaches);
        assert_eq!(breaches, ["a/Cargo.toml: forgotten is not used"]);
    }
}

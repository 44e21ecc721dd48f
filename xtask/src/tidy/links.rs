//! Links between documents lead somewhere: to a file of the tree, and to a heading that is in it.

use std::path::Path;

use super::SourceFile;

/// The folder of the book, whose pages link to each other alone: others are not in it.
const BOOK: &str = "docs/";

/// Checks every link of every document.
pub(super) fn check(files: &[SourceFile], is_file: impl Fn(&str) -> bool, breaches: &mut Vec<String>) {
    for file in files.iter().filter(|file| is_document(file)) {
        for (number, line) in prose(&file.text) {
            for target in targets(line) {
                if let Err(problem) = follow(files, &is_file, file, target) {
                    breaches.push(format!("{}:{number}: {target} {problem}", file.path));
                }
            }
        }
    }
    check_summary(files, breaches);
}

fn follow(
    files: &[SourceFile],
    is_file: impl Fn(&str) -> bool,
    from: &SourceFile,
    target: &str,
) -> Result<(), String> {
    // Addresses of others are no matter of this tree, and no test asks the network.
    if target.contains("://") || target.starts_with("mailto:") {
        return Ok(());
    }
    let (path, heading) = target.split_once('#').unwrap_or((target, ""));
    let path = match path.is_empty() {
        true => from.path.clone(),
        false => resolve(&from.path, path),
    };
    if !is_file(&path) {
        return Err("leads nowhere".into());
    }
    if from.path.starts_with(BOOK) && !path.starts_with(BOOK) {
        return Err("leads out of the book".into());
    }
    let document = files.iter().find(|file| file.path == path);
    match document.filter(|_| !heading.is_empty()) {
        Some(document) if !headings(&document.text).any(|it| it == heading) => {
            Err("names a heading that is not there".into())
        }
        _ => Ok(()),
    }
}

/// Every page of the book stands in its table of contents.
fn check_summary(files: &[SourceFile], breaches: &mut Vec<String>) {
    let summary = format!("{BOOK}SUMMARY.md");
    let Some(contents) = files.iter().find(|file| file.path == summary) else {
        return;
    };
    for page in files.iter().filter(|file| is_document(file)) {
        let Some(name) = page.path.strip_prefix(BOOK).filter(|_| page.path != summary) else {
            continue;
        };
        if !contents.text.contains(&format!("]({name})")) {
            breaches.push(format!("{}: stands nowhere in {summary}", page.path));
        }
    }
}

/// What people read; tests have texts of their own.
fn is_document(file: &SourceFile) -> bool {
    file.path.ends_with(".md") && !file.path.contains("/tests/")
}

/// The lines that are no code, with their numbers from 1.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut in_code = false;
    text.lines().enumerate().filter_map(move |(index, line)| {
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        (!in_code && !is_fence).then_some((index + 1, line))
    })
}

/// What links of a line lead to. A link in code is none.
fn targets(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices("](").filter_map(|(at, sign)| {
        let is_code = line[..at].matches('`').count() % 2 == 1;
        let rest = &line[at + sign.len()..];
        (!is_code)
            .then(|| rest.split_once(')').map(|(target, _)| target))
            .flatten()
    })
}

/// The names of headings, as GitHub and mdBook make them.
fn headings(text: &str) -> impl Iterator<Item = String> {
    prose(text).filter_map(|(_, line)| {
        let title = line.trim_start_matches('#');
        let is_heading = title.len() < line.len() && title.starts_with(' ');
        is_heading.then(|| {
            let kept = |char: &char| char.is_alphanumeric() || matches!(char, ' ' | '-' | '_');
            let name: String = title.trim().to_lowercase().chars().filter(kept).collect();
            name.replace(' ', "-")
        })
    })
}

/// The path of a link from the root.
fn resolve(from: &str, link: &str) -> String {
    let mut parts: Vec<&str> = match Path::new(from).parent().and_then(Path::to_str) {
        None | Some("") => Vec::new(),
        Some(folder) => folder.split('/').collect(),
    };
    for part in link.split('/') {
        match part {
            "." | "" => (),
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn breaches(documents: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<_> = documents
            .iter()
            .map(|(path, text)| SourceFile {
                path: (*path).to_owned(),
                text: (*text).to_owned(),
            })
            .collect();
        let is_file =
            |path: &str| path == "docs/pictures/a.png" || documents.iter().any(|(known, _)| *known == path);
        let mut breaches = Vec::new();
        check(&files, is_file, &mut breaches);
        breaches
    }

    #[test]
    fn a_link_that_leads_nowhere_is_found() {
        let fine = "[a](docs/a.md), [b](docs/a.md#two-words), [c](https://a.example/x.md), ![d](docs/pictures/a.png)\n\
                    `[e](no.md)` is code\n```\n[f](no.md)\n```\n";
        let page = "# A\n\n## Two, words\n\n[up](../README.md)\n[self](#a)\n[no](b.md)\n[no](#three)\n";
        let found = breaches(&[
            ("README.md", fine),
            ("docs/a.md", page),
            ("docs/SUMMARY.md", "- [A](a.md)\n"),
            ("docs/c.md", ""),
        ]);
        assert_eq!(
            found,
            [
                "docs/a.md:5: ../README.md leads out of the book",
                "docs/a.md:7: b.md leads nowhere",
                "docs/a.md:8: #three names a heading that is not there",
                "docs/c.md: stands nowhere in docs/SUMMARY.md",
            ]
        );
    }
}

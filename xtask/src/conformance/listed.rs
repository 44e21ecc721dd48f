//! The failures that are known: the table in `docs/conformance.md`, read, so that what stands there stays true.
//!
//! A row names a file, tests of it and why they fail. A name stands for all cases of a test, `name[case]` for one, and `*`
//! in it for any text. `all` is every test of the file, `all but` every one but those that follow.

use anyhow::{Context, ensure};

use super::results::{Outcome, Results};

/// The head of the table.
const HEAD: &str = "| file | tests | why |";

/// A row of the table.
#[derive(Debug, PartialEq, Eq)]
struct Row {
    file: String,
    tests: Tests,
}

#[derive(Debug, PartialEq, Eq)]
enum Tests {
    These(Vec<String>),
    AllBut(Vec<String>),
}

/// All rows.
#[derive(Debug)]
pub(super) struct Listed(Vec<Row>);

impl Listed {
    /// Reads the table of the page.
    ///
    /// # Errors
    /// Where there is none, or a row that says nothing.
    pub(super) fn read(page: &str) -> anyhow::Result<Self> {
        let rows = page
            .lines()
            .skip_while(|line| *line != HEAD)
            .skip(2)
            .take_while(|line| line.starts_with('|'));
        let rows: Vec<Row> = rows
            .map(|line| row(line).with_context(|| format!("the row says nothing: {line}")))
            .collect::<anyhow::Result<_>>()?;
        ensure!(!rows.is_empty(), "the page has no table {HEAD}");
        Ok(Self(rows))
    }

    /// What is otherwise than listed in a file that ran, a line each.
    pub(super) fn surprises(&self, file: &str, results: &Results) -> Vec<String> {
        let stem = file.trim_end_matches(".py");
        let rows = || self.0.iter().filter(|row| row.file == stem);
        let mut surprises = Vec::new();
        for (name, outcome) in results {
            let listed = rows().filter(|row| row.tests.hold(name)).count();
            match outcome {
                Outcome::Failed(why) if listed == 0 => {
                    surprises.push(format!("{stem}: {name} fails and is not listed: {why}"));
                }
                Outcome::Passed if listed > 0 => {
                    surprises.push(format!("{stem}: {name} passes and is listed as failing"));
                }
                _ if listed > 1 => surprises.push(format!("{stem}: {name} is listed twice")),
                _ => (),
            }
        }
        let named = rows().flat_map(|row| row.tests.named());
        let unknown = named.filter(|pattern| !results.keys().any(|name| stands_for(pattern, name)));
        surprises
            .extend(unknown.map(|pattern| format!("{stem}: {pattern} is listed and there is no such test")));
        surprises
    }

    /// Files of the table that are not among these.
    pub(super) fn without_file<'a>(&'a self, files: &'a [String]) -> impl Iterator<Item = &'a str> {
        let is_there = |row: &&Row| files.iter().any(|file| file.trim_end_matches(".py") == row.file);
        self.0
            .iter()
            .filter(move |row| !is_there(row))
            .map(|row| row.file.as_str())
    }
}

impl Tests {
    fn named(&self) -> &[String] {
        match self {
            Self::These(names) | Self::AllBut(names) => names,
        }
    }

    fn hold(&self, name: &str) -> bool {
        let is_named = self.named().iter().any(|pattern| stands_for(pattern, name));
        match self {
            Self::These(_) => is_named,
            Self::AllBut(_) => !is_named,
        }
    }
}

fn row(line: &str) -> Option<Row> {
    let cells: Vec<&str> = line
        .strip_prefix("| ")?
        .strip_suffix(" |")?
        .split(" | ")
        .collect();
    let [file, tests, why] = cells.as_slice() else {
        return None;
    };
    // What stands between backticks.
    let names: Vec<String> = tests.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    let tests = match tests.strip_prefix("all") {
        Some("") => Tests::AllBut(names),
        Some(rest) if rest.starts_with(" but ") && !names.is_empty() => Tests::AllBut(names),
        None if !names.is_empty() => Tests::These(names),
        _ => return None,
    };
    let is_right = file.starts_with("test_") && !why.trim().is_empty();
    is_right.then(|| Row {
        file: (*file).to_owned(),
        tests,
    })
}

/// Whether a name of the table means this test.
fn stands_for(pattern: &str, name: &str) -> bool {
    let name = match pattern.contains('[') {
        true => name,
        false => name.split('[').next().unwrap_or(name),
    };
    let mut pieces = pattern.split('*');
    let Some(mut rest) = pieces.next().and_then(|first| name.strip_prefix(first)) else {
        return false;
    };
    let mut pieces: Vec<&str> = pieces.collect();
    let Some(last) = pieces.pop() else {
        return rest.is_empty();
    };
    for piece in pieces {
        match rest.split_once(piece) {
            Some((_, behind)) => rest = behind,
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(outcomes: &[(&str, Outcome)]) -> Results {
        let owned = outcomes
            .iter()
            .map(|(name, outcome)| ((*name).to_owned(), outcome.clone()));
        owned.collect()
    }

    fn failed() -> Outcome {
        Outcome::Failed("assert 1 == 2".to_owned())
    }

    #[test]
    fn the_page_of_this_tree_has_a_table_that_is_read() {
        let page = include_str!("../../../docs/conformance.md");
        let listed = Listed::read(page).expect("a table");
        assert!(listed.0.len() > 20, "{listed:?}");
        assert!(Listed::read("# A page").is_err());
    }

    #[test]
    fn a_row_names_tests_and_says_why() {
        let these = |names: &[&str]| Tests::These(names.iter().map(|name| (*name).to_owned()).collect());
        let tests = |line: &str| row(line).map(|row| row.tests);
        assert_eq!(
            tests("| test_a | `test_x`, `test_y[*|1]` | No reason. |"),
            Some(these(&["test_x", "test_y[*|1]"]))
        );
        assert_eq!(tests("| test_a | all | Why. |"), Some(Tests::AllBut(Vec::new())));
        assert_eq!(
            tests("| test_a | all but `test_x` | Why. |"),
            Some(Tests::AllBut(vec!["test_x".to_owned()]))
        );
        for line in [
            "| test_a | test_x | Why. |",
            "| test_a | all but test_x | Why. |",
            "| test_a | `test_x` |  |",
            "| test_a | `test_x` |",
            "| a | `test_x` | Why. |",
        ] {
            assert_eq!(row(line), None, "{line}");
        }
    }

    #[test]
    fn a_name_stands_for_its_cases() {
        for (pattern, name, expected) in [
            ("test_x", "test_x", true),
            ("test_x", "test_x[1-a]", true),
            ("test_x", "test_xy", false),
            ("test_x[1-a]", "test_x[1-a]", true),
            ("test_x[1-a]", "test_x[1-b]", false),
            ("test_x[*-True]", "test_x[a [b] c-True]", true),
            ("test_x[*-True]", "test_x[a-True-b]", false),
            ("test_x[*-True-*]", "test_x[a-True-b]", true),
            ("test_x[a*a]", "test_x[a]", false),
            ("test_*", "test_x[1]", true),
        ] {
            assert_eq!(stands_for(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn what_is_otherwise_than_listed_is_named() {
        let page = format!(
            "{HEAD}\n| --- | --- | --- |\n| test_a | `x`, `gone` | Why. |\n| test_a | `x[1]` | Why. |\n| test_b | all | Why. |"
        );
        let listed = Listed::read(&page).expect("a table");
        let a = results(&[
            ("x[1]", failed()),
            ("x[2]", Outcome::Passed),
            ("x[3]", Outcome::Skipped),
            ("y", failed()),
            ("z", Outcome::Passed),
        ]);
        assert_eq!(
            listed.surprises("test_a.py", &a),
            [
                "test_a: x[1] is listed twice",
                "test_a: x[2] passes and is listed as failing",
                "test_a: y fails and is not listed: assert 1 == 2",
                "test_a: gone is listed and there is no such test",
            ]
        );
        let b = results(&[("x", failed()), ("y", Outcome::Skipped)]);
        assert!(listed.surprises("test_b.py", &b).is_empty());
        assert_eq!(listed.surprises("test_c.py", &b).len(), 1);
        let files = ["test_a.py".to_owned()];
        assert_eq!(listed.without_file(&files).collect::<Vec<_>>(), ["test_b"]);
    }
}

//! What passed, failed and was skipped, by file.

use std::fs;
use std::ops::AddAssign;
use std::path::Path;

use anyhow::Context;

/// The tests of a file, or of all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) passed: u32,
    failed: u32,
    skipped: u32,
    /// Files that did not come to their end.
    broken: u32,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
        self.broken += other.broken;
    }
}

impl Counts {
    /// Reads what pytest wrote (`--junitxml`); a file that was cut short has written nothing.
    ///
    /// # Errors
    /// Where pytest came to its end and wrote no results.
    pub(super) fn read(results: &Path, is_whole: bool) -> anyhow::Result<Self> {
        if !is_whole {
            return Ok(Self {
                broken: 1,
                ..Self::default()
            });
        }
        let text = fs::read_to_string(results)
            .with_context(|| format!("pytest wrote no {}; its log lies beside", results.display()))?;
        Self::of(&text).with_context(|| format!("{} has no counts", results.display()))
    }

    /// The counts of the first `testsuite` element.
    fn of(xml: &str) -> Option<Self> {
        let suite = xml.split_once("<testsuite ")?.1.split_once('>')?.0;
        let count = |name: &str| -> Option<u32> {
            let value = suite.split_once(&format!("{name}=\""))?.1;
            value.split_once('"')?.0.parse().ok()
        };
        let failed = count("failures")? + count("errors")?;
        let skipped = count("skipped")?;
        Some(Self {
            passed: count("tests")?.saturating_sub(failed + skipped),
            failed,
            skipped,
            broken: 0,
        })
    }
}

/// All files.
#[derive(Debug, Default)]
pub(super) struct Report(Vec<(String, Counts)>);

impl Report {
    /// Adds a file, and prints its line at once.
    pub(super) fn add(&mut self, file: &str, counts: Counts) {
        println!("{}", line(file, counts));
        self.0.push((file.to_owned(), counts));
    }

    pub(super) fn total(&self) -> Counts {
        let mut total = Counts::default();
        for (_, counts) in &self.0 {
            total += *counts;
        }
        total
    }

    /// Prints all of them together.
    pub(super) fn print(&self) {
        println!("{}", line("all", self.total()));
    }
}

fn line(name: &str, counts: Counts) -> String {
    let Counts {
        passed,
        failed,
        skipped,
        broken,
    } = counts;
    let mut line = format!("{name:32} {passed:4} passed {failed:4} failed {skipped:4} skipped");
    if broken > 0 {
        line.push_str(&format!("  {broken} cut short"));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counts_of_a_file_are_read() {
        let xml = r#"<?xml version="1.0"?><testsuites name="t"><testsuite name="pytest" errors="1" failures="2"
            skipped="3" tests="10" time="1.0"><testcase name="a" /></testsuite></testsuites>"#;
        let counts = Counts {
            passed: 4,
            failed: 3,
            skipped: 3,
            broken: 0,
        };
        assert_eq!(Counts::of(xml), Some(counts));
        assert_eq!(Counts::of("<testsuites></testsuites>"), None);
    }
}

//! Adds up the result lines of cargo's test runner, and keeps what the tests that failed said.

use std::fmt;

/// How many tests passed, failed and were skipped.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    passed: u32,
    failed: u32,
    skipped: u32,
    /// What each program says of its failures, between the head of that part and its result.
    failures: Vec<String>,
    /// Whether the lines that come are of that part.
    in_failures: bool,
}

impl Tally {
    /// Adds a line such as `test result: ok. 12 passed; 0 failed; 1 ignored; …`, and keeps those of a part of failures;
    /// passes over all others.
    pub(crate) fn add_line(&mut self, line: &str) {
        let line = line.trim_start();
        self.in_failures |= line == "failures:";
        self.in_failures &= !line.starts_with("test result: ");
        if self.in_failures {
            self.failures.push(line.to_owned());
        }
        let Some(result) = line.strip_prefix("test result: ") else {
            return;
        };
        // The first field stands behind "ok. " or "FAILED. ".
        let fields = result.split_once(". ").map_or("", |(_, fields)| fields);
        for field in fields.split("; ") {
            let Some((Ok(count), what)) = field.split_once(' ').map(|(n, what)| (n.parse::<u32>(), what))
            else {
                continue;
            };
            match what {
                "passed" => self.passed += count,
                "failed" => self.failed += count,
                "ignored" => self.skipped += count,
                _ => (),
            }
        }
    }

    /// What the tests that failed said, program after program; empty where none failed.
    pub(crate) fn failures(&self) -> &[String] {
        &self.failures
    }

    /// How many tests ran.
    pub(crate) fn ran(&self) -> u32 {
        self.passed + self.failed
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            passed,
            failed,
            skipped,
            ..
        } = self;
        write!(f, "{passed} passed, {failed} failed, {skipped} skipped")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_results_of_all_binaries_are_added_up() {
        let mut tally = Tally::default();
        for line in [
            "running 3 tests",
            "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s",
            "test tidy::tests::x ... ok",
            "test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 4 filtered out; finished in 1.20s",
        ] {
            tally.add_line(line);
        }
        assert_eq!(tally.to_string(), "14 passed, 1 failed, 1 skipped");
        assert_eq!(tally.ran(), 15);
        assert!(tally.failures().is_empty());
    }

    #[test]
    fn what_failed_is_kept_of_all_binaries() {
        let mut tally = Tally::default();
        let result = "test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 4 filtered out; finished in 1.20s";
        for name in ["one", "two"] {
            let head = format!("---- {name} stdout ----");
            for line in [
                "test other ... ok",
                "failures:",
                &head,
                "failures:",
                name,
                result,
                "running 3 tests",
            ] {
                tally.add_line(line);
            }
        }
        let kept = ["failures:", "---- one stdout ----", "failures:", "one"];
        assert_eq!(tally.failures()[..4], kept);
        assert_eq!(tally.failures().len(), 8);
    }
}

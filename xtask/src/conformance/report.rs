//! What passed, failed and was skipped, by file.

use std::ops::AddAssign;

use super::results::{Outcome, Results};

/// The tests of a file, or of all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) passed: u32,
    failed: u32,
    skipped: u32,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl Counts {
    fn of(results: &Results) -> Self {
        let mut counts = Self::default();
        for outcome in results.values() {
            match outcome {
                Outcome::Passed => counts.passed += 1,
                Outcome::Failed(_) => counts.failed += 1,
                Outcome::Skipped => counts.skipped += 1,
            }
        }
        counts
    }
}

/// The counts of all files so far.
#[derive(Debug, Default)]
pub(super) struct Report {
    total: Counts,
}

impl Report {
    /// Adds a file and prints its line at once.
    pub(super) fn add(&mut self, file: &str, results: &Results) {
        let counts = Counts::of(results);
        println!("{}", line(file, counts));
        self.total += counts;
    }

    /// Adds a file that did not come to its end.
    pub(super) fn cut_short(&self, file: &str) {
        println!("{file:32} cut short");
    }

    pub(super) fn total(&self) -> Counts {
        self.total
    }

    /// Prints all of them together.
    pub(super) fn print(&self) {
        println!("{}", line("all", self.total));
    }
}

fn line(name: &str, counts: Counts) -> String {
    let Counts {
        passed,
        failed,
        skipped,
    } = counts;
    format!("{name:32} {passed:4} passed {failed:4} failed {skipped:4} skipped")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_counted() {
        let outcomes = [
            ("a", Outcome::Passed),
            ("b", Outcome::Failed(String::new())),
            ("c", Outcome::Passed),
            ("d", Outcome::Skipped),
        ];
        let results = outcomes.map(|(name, outcome)| (name.to_owned(), outcome)).into();
        let counts = Counts {
            passed: 2,
            failed: 1,
            skipped: 1,
        };
        assert_eq!(Counts::of(&results), counts);
    }
}

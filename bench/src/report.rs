//! The results: all figures as JSON, and the table that is made of them.

use std::fmt::Write;
use std::path::Path;

use anyhow::Context;
use serde::{Deserialize, Serialize};

use crate::figures::{Pair, Spread, Summary, ratios};
use crate::machine;
use crate::rows::{Line, Series, Target, Unit};

/// The results' files.
const FIGURES: &str = "results.json";
const TABLE: &str = "results.md";

/// All rows that were measured.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Report {
    entries: Vec<Entry>,
}

/// What one row gave with one model.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Entry {
    row: String,
    model: String,
    /// The source that was measured.
    source: String,
    /// The machine it was measured on, and its load at the end.
    machine: String,
    /// When, in local time.
    measured_at: String,
    series: Vec<Series>,
    /// Why there are no figures.
    failure: Option<String>,
}

impl Entry {
    /// What a row gave just now.
    pub(crate) fn new(row: &str, model: &str, source: &str, measured: anyhow::Result<Vec<Series>>) -> Self {
        let (series, failure) = match measured {
            Ok(series) => (series, None),
            Err(error) => (Vec::new(), Some(format!("{error:#}"))),
        };
        Self {
            row: row.to_owned(),
            model: model.to_owned(),
            source: source.to_owned(),
            machine: machine::describe(),
            measured_at: jiff::Zoned::now().strftime("%Y-%m-%d %H:%M").to_string(),
            series,
            failure,
        }
    }
}

impl Report {
    /// What earlier runs wrote into a folder; nothing where there were none.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub(crate) fn read(folder: &Path) -> anyhow::Result<Self> {
        let path = folder.join(FIGURES);
        if !path.exists() {
            return Ok(Self::default());
        }
        let text = std::fs::read_to_string(&path)?;
        serde_json::from_str(&text).with_context(|| {
            format!(
                "{} is of another version or damaged; delete it or measure all rows",
                path.display()
            )
        })
    }

    /// Adds what a row gave, in the place of what it gave before.
    pub(crate) fn put(&mut self, entry: Entry) {
        let same = |old: &&mut Entry| old.row == entry.row && old.model == entry.model;
        match self.entries.iter_mut().find(same) {
            Some(old) => *old = entry,
            None => self.entries.push(entry),
        }
    }

    /// Writes figures and table.
    ///
    /// # Errors
    /// Where the folder takes no files.
    pub(crate) fn write(&self, folder: &Path) -> anyhow::Result<()> {
        std::fs::write(folder.join(FIGURES), serde_json::to_string_pretty(self)?)?;
        std::fs::write(folder.join(TABLE), self.table())?;
        Ok(())
    }

    /// The table, as Markdown: one for each model.
    pub(crate) fn table(&self) -> String {
        let mut models: Vec<&str> = Vec::new();
        for entry in &self.entries {
            if !models.contains(&entry.model.as_str()) {
                models.push(&entry.model);
            }
        }
        models
            .into_iter()
            .map(|model| self.table_of(model))
            .collect::<Vec<_>>()
            .join("\n")
    }

    fn table_of(&self, model: &str) -> String {
        let mut text = format!(
            "### {model}\n\n\
             | row | what | Hearth | against | ratio | target | |\n\
             | --- | --- | --- | --- | --- | --- | --- |\n"
        );
        let mut heads: Vec<String> = Vec::new();
        for entry in self.entries.iter().filter(|entry| entry.model == model) {
            let head = format!("{}; {}; {}", entry.source, entry.measured_at, entry.machine);
            if !heads.contains(&head) {
                heads.push(head);
            }
            for series in &entry.series {
                push_line(&mut text, &[entry.row.as_str()], &cells(series));
            }
            if let Some(failure) = &entry.failure {
                let failure = format!("not measured: {}", failure.replace(['\n', '|'], " "));
                push_line(
                    &mut text,
                    &[entry.row.as_str()],
                    &[failure.as_str(), "", "", "", "", "no"].map(str::to_owned),
                );
            }
        }
        text.push('\n');
        for head in heads {
            // Writing to a string cannot fail.
            writeln!(text, "- {head}").unwrap_or_default();
        }
        text
    }
}

fn push_line(text: &mut String, first: &[&str], rest: &[String]) {
    let cells: Vec<&str> = first
        .iter()
        .copied()
        .chain(rest.iter().map(String::as_str))
        .collect();
    text.push_str(&format!("| {} |\n", cells.join(" | ")));
}

/// What, ours, theirs, ratio, target, reached.
fn cells(series: &Series) -> [String; 6] {
    let Series { line, pairs } = series;
    let ours = line.summary.of(pairs.iter().map(|pair| pair.ours));
    let theirs = line.summary.of(pairs.iter().filter_map(|pair| pair.theirs));
    let ratio = Summary::Median.of(ratios(pairs));
    let against = match theirs {
        Some(theirs) => format!("{}: {}", line.against, value(theirs, line.unit)),
        None => "".to_owned(),
    };
    [
        what(line, pairs),
        ours.map_or_else(String::new, |ours| value(ours, line.unit)),
        against,
        ratio.map_or_else(String::new, |ratio| {
            format!(
                "{} ({} to {})",
                short(ratio.figure),
                short(ratio.low),
                short(ratio.high)
            )
        }),
        line.target
            .map_or_else(String::new, |target| words(target, line.unit)),
        match line.target.and_then(|target| is_reached(target, ours, ratio)) {
            Some(true) => "yes".to_owned(),
            Some(false) => "no".to_owned(),
            None => String::new(),
        },
    ]
}

fn what(line: &Line, pairs: &[Pair]) -> String {
    match line.summary {
        Summary::Median => line.what.clone().into_owned(),
        Summary::P95 => format!("{}, p95 of {}", line.what, pairs.len()),
    }
}

/// Whether the target is reached; `None` where that cannot be told.
fn is_reached(target: Target, ours: Option<Spread>, ratio: Option<Spread>) -> Option<bool> {
    Some(match target {
        Target::RatioAtLeast(least) => ratio?.figure >= least,
        Target::RatioAtMost(most) => ratio?.figure <= most,
        Target::AtMost(most) => ours?.figure <= most,
    })
}

fn value(spread: Spread, unit: Unit) -> String {
    let Spread { figure, low, high } = spread;
    format!("{figure:.1} {} ({low:.1} to {high:.1})", name(unit))
}

fn words(target: Target, unit: Unit) -> String {
    match target {
        Target::RatioAtLeast(least) => format!("ratio >= {least}"),
        Target::RatioAtMost(most) => format!("ratio <= {most}"),
        Target::AtMost(most) => format!("<= {most} {}", name(unit)),
    }
}

fn name(unit: Unit) -> &'static str {
    match unit {
        Unit::TokensPerSecond => "tok/s",
        Unit::Milliseconds => "ms",
        Unit::Mebibytes => "MiB",
    }
}

/// A ratio with as many digits as it is known by.
fn short(ratio: f64) -> String {
    if ratio.abs() < 0.1 {
        format!("{ratio:.3}")
    } else {
        format!("{ratio:.2}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(target: Target, summary: Summary, pairs: &[(f64, Option<f64>)]) -> Series {
        Series {
            line: Line {
                what: "speed".into(),
                unit: Unit::TokensPerSecond,
                against: "a peer".into(),
                target: Some(target),
                summary,
            },
            pairs: pairs
                .iter()
                .map(|(ours, theirs)| Pair {
                    ours: *ours,
                    theirs: *theirs,
                })
                .collect(),
        }
    }

    fn entry(row: &str, measured: anyhow::Result<Vec<Series>>) -> Entry {
        Entry {
            machine: "a machine".into(),
            measured_at: "2026-01-01 00:00".into(),
            ..Entry::new(row, "model.gguf", "abc", measured)
        }
    }

    #[test]
    fn a_line_says_median_spread_ratio_and_whether_the_target_is_reached() {
        let pairs = [(90.0, Some(100.0)), (110.0, Some(100.0)), (102.0, Some(100.0))];
        let series = series(Target::RatioAtLeast(1.0), Summary::Median, &pairs);
        let expected = [
            "speed",
            "102.0 tok/s (90.0 to 110.0)",
            "a peer: 100.0 tok/s (100.0 to 100.0)",
            "1.02 (0.90 to 1.10)",
            "ratio >= 1",
            "yes",
        ];
        assert_eq!(cells(&series), expected);
    }

    #[test]
    fn without_a_peer_a_ratio_is_neither_reached_nor_missed() {
        let alone = series(Target::RatioAtMost(1.0), Summary::Median, &[(5.0, None)]);
        assert_eq!(cells(&alone)[2..], ["", "", "ratio <= 1", ""]);
        let own = series(Target::AtMost(4.0), Summary::P95, &[(5.0, None)]);
        assert_eq!(cells(&own)[4..], ["<= 4 tok/s", "no"]);
        assert_eq!(cells(&own)[0], "speed, p95 of 1");
    }

    #[test]
    fn a_row_takes_the_place_of_its_older_self_and_survives_the_file() {
        let folder = tempfile::tempdir().expect("folder");
        let mut report = Report::read(folder.path()).expect("read");
        report.put(entry("decode", Err(anyhow::anyhow!("it | broke\noff"))));
        assert!(
            report
                .table()
                .contains("| decode | not measured: it   broke off |"),
            "{}",
            report.table()
        );
        let pairs = [(1.0, Some(2.0))];
        report.put(entry(
            "decode",
            Ok(vec![series(Target::AtMost(1.0), Summary::Median, &pairs)]),
        ));
        report.write(folder.path()).expect("write");
        let again = Report::read(folder.path()).expect("read");
        assert_eq!(again.entries.len(), 1);
        assert_eq!(again.table(), report.table());
        assert!(!again.table().contains("broke"));
        assert!(again.table().contains("- abc; 2026-01-01 00:00; a machine"));
    }
}

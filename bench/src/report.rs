//! The results: all figures as JSON, and the table that is made of them.

use std::path::Path;

use anyhow::Context;
use serde::{Deserialize, Serialize};

use crate::figures::{Pair, Spread, Summary, ratios};
use crate::machine;
use crate::rows::{self, Line, Series, Target, Unit};

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
    machine: String,
    /// What ran or waited to run on it in the minute before the end, the measured programs included; `None` where the
    /// system does not tell.
    load: Option<f64>,
    /// When it ended, in local time.
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
            load: machine::load(),
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

    /// Adds what a row gave, in the place of what it gave before or where the row belongs.
    pub(crate) fn put(&mut self, entry: Entry) {
        let same = |old: &&mut Entry| old.row == entry.row && old.model == entry.model;
        match self.entries.iter_mut().find(same) {
            Some(old) => *old = entry,
            None => self.entries.push(entry),
        }
        self.entries
            .sort_by_key(|entry| rows::ALL.iter().position(|row| row.name == entry.row));
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
        for entry in self.entries.iter().filter(|entry| entry.model == model) {
            for series in &entry.series {
                push_line(&mut text, &entry.row, &cells(series));
            }
            if let Some(failure) = &entry.failure {
                let failure = format!("not measured: {}", failure.replace(['\n', '|'], " "));
                push_line(&mut text, &entry.row, &[failure.as_str(), "", "", "", "", "no"]);
            }
        }
        text.push('\n');
        text + &self.footer_of(model)
    }

    /// A line for each source and machine, with when it was measured and under what load.
    fn footer_of(&self, model: &str) -> String {
        let mut groups: Vec<Vec<&Entry>> = Vec::new();
        for entry in self.entries.iter().filter(|entry| entry.model == model) {
            let same = |group: &&mut Vec<&Entry>| {
                group
                    .first()
                    .is_some_and(|first| first.source == entry.source && first.machine == entry.machine)
            };
            match groups.iter_mut().find(same) {
                Some(group) => group.push(entry),
                None => groups.push(vec![entry]),
            }
        }
        let lines = groups.iter().filter_map(|group| {
            let first = group.iter().min_by_key(|entry| &entry.measured_at)?;
            let last = group.iter().max_by_key(|entry| &entry.measured_at)?;
            let load = Summary::Median.of(group.iter().filter_map(|entry| entry.load));
            let load = load.map_or_else(String::new, |load| {
                format!("; load {:.1} to {:.1}", load.low, load.high)
            });
            Some(format!(
                "- {} on {}; {} to {}{load}\n",
                first.source, first.machine, first.measured_at, last.measured_at
            ))
        });
        lines.collect()
    }
}

fn push_line<S: AsRef<str>>(text: &mut String, row: &str, cells: &[S]) {
    text.push_str("| ");
    text.push_str(row);
    for cell in cells {
        text.push_str(" | ");
        text.push_str(cell.as_ref());
    }
    text.push_str(" |\n");
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
        Unit::MegabytesPerSecond => "MB/s",
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
            load: Some(2.0),
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
        for row in ["memory", "prompt"] {
            report.put(entry(row, Ok(Vec::new())));
        }
        let rows: Vec<_> = report.entries.iter().map(|entry| entry.row.as_str()).collect();
        assert_eq!(rows, ["decode", "prompt", "memory"]);
        assert!(
            again
                .table()
                .contains("- abc on a machine; 2026-01-01 00:00 to 2026-01-01 00:00; load 2.0 to 2.0")
        );
    }
}

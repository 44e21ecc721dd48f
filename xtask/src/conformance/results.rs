//! What came of the tests of a file, as the plugin notes it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, bail};
use serde_json::Value;

/// What came of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outcome {
    Passed,
    Skipped,
    /// With the line that says why.
    Failed(String),
}

/// The tests of a file by their names.
pub(super) type Results = BTreeMap<String, Outcome>;

/// Reads what the plugin wrote.
///
/// # Errors
/// Where pytest came to its end and nothing is there, as where the file of the tests cannot be loaded.
pub(super) fn read(file: &Path) -> anyhow::Result<Results> {
    let text = fs::read_to_string(file)
        .with_context(|| format!("pytest wrote no {}; its log lies beside", file.display()))?;
    parse(&text).with_context(|| format!("{} is not what the plugin writes", file.display()))
}

fn parse(text: &str) -> anyhow::Result<Results> {
    let tests: BTreeMap<String, (String, String)> = serde_json::from_str(text)?;
    let outcome = |(outcome, why): (String, String)| {
        Ok(match outcome.as_str() {
            "passed" => Outcome::Passed,
            "skipped" => Outcome::Skipped,
            "failed" => Outcome::Failed(why),
            other => bail!("there is no outcome {}", Value::from(other)),
        })
    };
    tests
        .into_iter()
        .map(|(name, noted)| Ok((name, outcome(noted)?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_plugin_notes_is_read() {
        let text = r#"{"a[1-x]": ["passed", ""], "b": ["failed", "assert 1 == 2"], "c": ["skipped", ""]}"#;
        let expected = [
            ("a[1-x]".to_owned(), Outcome::Passed),
            ("b".to_owned(), Outcome::Failed("assert 1 == 2".to_owned())),
            ("c".to_owned(), Outcome::Skipped),
        ];
        assert_eq!(parse(text).expect("results"), Results::from(expected));
        for wrong in ["", "[]", r#"{"a": ["gone", ""]}"#, r#"{"a": "passed"}"#] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}

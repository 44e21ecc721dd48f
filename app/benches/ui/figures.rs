//! Figures and the bars they are held against.

use std::fmt;

/// One line of the table.
#[derive(Debug)]
pub(crate) struct Line {
    what: String,
    measured: f64,
    bar: Bar,
    unit: &'static str,
}

/// What a figure should be.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Bar {
    /// This or less.
    AtMost(f64),
    /// This or more.
    AtLeast(f64),
}

impl Line {
    /// A figure in its unit.
    pub(crate) fn new(what: impl Into<String>, measured: f64, unit: &'static str, bar: Bar) -> Self {
        let what = what.into();
        Self {
            what,
            measured,
            bar,
            unit,
        }
    }

    fn holds(&self) -> bool {
        match self.bar {
            Bar::AtMost(bar) => self.measured <= bar,
            Bar::AtLeast(bar) => self.measured >= bar,
        }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, bar) = match self.bar {
            Bar::AtMost(bar) => ("<=", bar),
            Bar::AtLeast(bar) => (">=", bar),
        };
        let holds = if self.holds() { "yes" } else { "no" };
        let Self {
            what, measured, unit, ..
        } = self;
        write!(
            f,
            "| {what} | {measured:.2} {unit} | {sign} {bar} {unit} | {holds} |"
        )
    }
}

/// The value that 95 of 100 do not exceed; 0 where there are none.
pub(crate) fn p95(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    let index = (values.len() * 95).div_ceil(100).saturating_sub(1);
    values.get(index).copied().unwrap_or_default()
}

/// The middle value; 0 where there are none.
pub(crate) fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

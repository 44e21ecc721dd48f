//! The server's log as the window keeps it: a ring of the newest lines, and which of them pass the filter.
//!
//! A line is looked at once when it comes. Drawing asks for the rows in view only, so that neither the number of lines
//! nor their speed is felt.

use std::collections::VecDeque;
use std::ops::Range;

use hearth_protocol::server::{LogLevel, LogLine};

use crate::state::calendar::Present;
use crate::state::format;
use crate::text::{Texts, say};

/// Lines that are kept; the oldest give way.
pub(crate) const KEPT: usize = 10_000;

/// The log.
#[derive(Debug)]
pub(crate) struct Log {
    lines: VecDeque<LogLine>,
    /// Number of the first of these lines, counted from the first there ever was.
    first: u64,
    /// Numbers of those that pass the filter.
    passing: VecDeque<u64>,
    /// Number of the first row: rows keep their numbers while older ones leave.
    first_row: u64,
    /// Whether the newest line is kept in view.
    pub(crate) follow: bool,
    filter: Filter,
}

/// Which lines are shown.
#[derive(Debug, Clone, PartialEq)]
struct Filter {
    /// The text as typed.
    text: String,
    /// The text in lower case.
    needle: String,
    /// The least grave that are shown.
    level: LogLevel,
}

impl Default for Log {
    fn default() -> Self {
        Self {
            lines: VecDeque::new(),
            first: 0,
            passing: VecDeque::new(),
            first_row: 0,
            follow: true,
            filter: Filter {
                text: String::new(),
                needle: String::new(),
                level: LogLevel::Info,
            },
        }
    }
}

impl Log {
    /// How many lines are kept.
    #[cfg(any(test, feature = "probe"))]
    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    /// The text that lines must hold.
    pub(crate) fn filter(&self) -> &str {
        &self.filter.text
    }

    /// The least grave lines that are shown.
    pub(crate) fn level(&self) -> LogLevel {
        self.filter.level
    }

    /// The numbers of the rows there are. A row keeps its number for as long as the filter stays.
    pub(crate) fn rows(&self) -> Range<u64> {
        self.first_row..self.first_row + self.passing.len() as u64
    }

    /// The line of a row.
    pub(crate) fn row(&self, row: u64) -> Option<&LogLine> {
        let index = usize::try_from(row.checked_sub(self.first_row)?).ok()?;
        let line = usize::try_from(self.passing.get(index)? - self.first).ok()?;
        self.lines.get(line)
    }

    /// How many lines there are, as in `22 lines` or `3 of 22 lines`.
    pub(crate) fn label(&self, texts: &Texts) -> String {
        let (all, passing) = (self.lines.len(), self.passing.len());
        let number = format::count(all as u64);
        if passing == all {
            return say!(texts, "server-log-lines", count = all, number = number);
        }
        let shown = format::count(passing as u64);
        say!(
            texts,
            "server-log-shown",
            count = all,
            number = number,
            shown = shown
        )
    }

    /// The lines that pass, as text.
    pub(crate) fn text(&self, present: &Present) -> String {
        let line = |row| {
            let line = self.row(row)?;
            let clock = present.clock_to_the_second(line.at);
            Some(format!("{clock} {:<4} {}\n", mark(line.level), line.text))
        };
        self.rows().filter_map(line).collect()
    }

    /// Takes lines that were logged, oldest first, and how many before them are not told.
    pub(in crate::state) fn push(&mut self, lines: Vec<LogLine>, left_out: u64, texts: &Texts) {
        if let Some(first) = lines.first().filter(|_| left_out > 0) {
            let number = format::count(left_out);
            self.take(LogLine {
                at: first.at,
                level: LogLevel::Warning,
                text: say!(texts, "server-log-left-out", count = left_out, number = number),
            });
        }
        for line in lines {
            self.take(line);
        }
    }

    fn take(&mut self, line: LogLine) {
        if self.filter.passes(&line) {
            self.passing.push_back(self.first + self.lines.len() as u64);
        }
        self.lines.push_back(line);
        if self.lines.len() > KEPT {
            self.lines.pop_front();
            if self.passing.front() == Some(&self.first) {
                self.passing.pop_front();
                self.first_row += 1;
            }
            self.first += 1;
        }
    }

    /// Shows the lines that hold this text.
    pub(in crate::state) fn set_filter(&mut self, text: String) {
        if self.filter.text != text {
            self.filter.needle = text.trim().to_lowercase();
            self.filter.text = text;
            self.sift();
        }
    }

    /// Shows the lines that are at least this grave.
    pub(in crate::state) fn set_level(&mut self, level: LogLevel) {
        if self.filter.level != level {
            self.filter.level = level;
            self.sift();
        }
    }

    /// Forgets all lines.
    pub(in crate::state) fn clear(&mut self) {
        self.first += self.lines.len() as u64;
        self.lines.clear();
        self.sift();
    }

    /// Looks at every line anew.
    fn sift(&mut self) {
        let numbered = (self.first..).zip(&self.lines);
        let passing = numbered.filter(|(_, line)| self.filter.passes(line));
        self.passing = passing.map(|(number, _)| number).collect();
        self.first_row = 0;
    }
}

impl Filter {
    fn passes(&self, line: &LogLine) -> bool {
        #[cfg(test)]
        tests::LOOKED_AT.with(|looked_at| looked_at.set(looked_at.get() + 1));
        weight(line.level) >= weight(self.level)
            && (self.needle.is_empty() || line.text.to_lowercase().contains(&self.needle))
    }
}

/// How grave a level is.
fn weight(level: LogLevel) -> u8 {
    match level {
        LogLevel::Info => 0,
        LogLevel::Request => 1,
        LogLevel::Warning => 2,
        LogLevel::Error => 3,
    }
}

/// A level in the column of levels.
pub(crate) fn mark(level: LogLevel) -> &'static str {
    match level {
        LogLevel::Info => "INFO",
        LogLevel::Request => "REQ",
        LogLevel::Warning => "WARN",
        LogLevel::Error => "ERR",
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use hearth_protocol::UnixMillis;
    use jiff::tz::TimeZone;

    use super::*;

    thread_local! {
        /// How many lines a filter has looked at.
        pub(super) static LOOKED_AT: Cell<usize> = const { Cell::new(0) };
    }

    fn looked_at() -> usize {
        LOOKED_AT.with(|looked_at| looked_at.replace(0))
    }

    fn line(number: u64, level: LogLevel) -> LogLine {
        LogLine {
            at: UnixMillis(52_320_000),
            level,
            text: format!("GET /v1/models {number}"),
        }
    }

    fn lines(numbers: Range<u64>) -> Vec<LogLine> {
        numbers.map(|number| line(number, LogLevel::Request)).collect()
    }

    fn shown(log: &Log) -> Vec<&str> {
        let text = |row| log.row(row).map(|line| line.text.as_str());
        log.rows().filter_map(text).collect()
    }

    #[test]
    fn ten_thousand_lines_are_each_looked_at_once_and_drawing_looks_at_none() {
        let mut log = Log::default();
        log.set_filter("models".into());
        looked_at();
        for batch in 0..10 {
            log.push(lines(batch * 1_000..(batch + 1) * 1_000), 0, &Texts::default());
        }
        assert_eq!(looked_at(), 10_000);
        // Once more as many: the ring is full, and still each new line costs one look.
        log.push(lines(10_000..20_000), 0, &Texts::default());
        assert_eq!(looked_at(), 10_000);
        assert_eq!(log.rows(), 10_000..20_000);
        assert_eq!(
            log.row(19_999).map(|line| &*line.text),
            Some("GET /v1/models 19999")
        );
        log.label(&Texts::default());
        assert_eq!(looked_at(), 0);
        log.set_level(LogLevel::Error);
        assert_eq!(looked_at(), KEPT);
    }

    #[test]
    fn the_ring_keeps_the_newest_lines_and_rows_keep_their_numbers() {
        let mut log = Log::default();
        log.push(lines(0..KEPT as u64), 0, &Texts::default());
        log.push(
            vec![
                line(1, LogLevel::Error),
                line(2, LogLevel::Info),
                line(3, LogLevel::Request),
            ],
            0,
            &Texts::default(),
        );
        assert_eq!(log.len(), KEPT);
        assert_eq!(log.rows(), 3..KEPT as u64 + 3);
        assert_eq!(log.row(2), None);
        assert_eq!(log.row(3), Some(&line(3, LogLevel::Request)));

        // With a filter, rows go when their line goes.
        log.set_level(LogLevel::Warning);
        assert_eq!(shown(&log), ["GET /v1/models 1"]);
        log.push(lines(0..KEPT as u64 - 3), 0, &Texts::default());
        assert_eq!(log.rows(), 0..1);
        log.push(lines(0..1), 0, &Texts::default());
        assert_eq!(log.rows(), 1..1);
        assert_eq!(log.row(0), None);
    }

    #[test]
    fn the_filter_takes_words_in_any_case_and_levels_from_one_up() {
        let mut log = Log::default();
        let all = [
            LogLevel::Info,
            LogLevel::Request,
            LogLevel::Warning,
            LogLevel::Error,
        ];
        log.push(
            (0..)
                .zip(all)
                .map(|(number, level)| line(number, level))
                .collect(),
            0,
            &Texts::default(),
        );
        let cases = [
            ("", LogLevel::Info, 4, "4 lines"),
            (" v1/MODELS 2 ", LogLevel::Info, 1, "1 of 4 lines"),
            ("", LogLevel::Warning, 2, "2 of 4 lines"),
            ("models 0", LogLevel::Error, 0, "0 of 4 lines"),
        ];
        for (text, level, expected, label) in cases {
            log.set_filter(text.into());
            log.set_level(level);
            assert_eq!(
                (shown(&log).len(), &*log.label(&Texts::default())),
                (expected, label),
                "{text:?}"
            );
        }
        log.clear();
        assert_eq!((log.len(), &*log.label(&Texts::default())), (0, "0 lines"));
        log.push(lines(7..8), 0, &Texts::default());
        assert_eq!(log.rows(), 0..0, "the filter stays");
    }

    #[test]
    fn what_was_not_told_is_told_of() {
        let present = Present {
            now: UnixMillis(0),
            zone: TimeZone::UTC,
            texts: crate::text::Texts::default(),
        };
        let mut log = Log::default();
        log.push(lines(5..6), 1_234, &Texts::default());
        assert_eq!(
            log.text(&present).replace('\u{a0}', " "),
            "14:32:00 WARN 1 234 lines came too fast to be shown\n14:32:00 REQ  GET /v1/models 5\n"
        );
    }
}

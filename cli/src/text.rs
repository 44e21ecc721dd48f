//! How quantities and lists look in a terminal.

use std::io::{self, Write};

/// Separates the columns of a list.
const GAP: &str = "  ";

/// Characters of the widest column.
const WIDEST_COLUMN: usize = 72;

/// No-break space: groups thousands.
const GROUP: char = '\u{a0}';

/// Writes rows below a header, each column as wide as its widest cell.
pub(crate) fn write_table<const N: usize>(
    output: &mut impl Write,
    header: [&str; N],
    rows: &[[String; N]],
) -> io::Result<()> {
    let header = header.map(str::to_owned);
    let lines = || std::iter::once(&header).chain(rows);
    let widths: [usize; N] =
        std::array::from_fn(|column| lines().map(|row| width(&row[column])).max().unwrap_or(0));
    for row in lines() {
        let cells = row.iter().zip(widths).map(|(cell, width)| {
            let cell = one_line(cell);
            format!("{cell:width$}")
        });
        writeln!(output, "{}", cells.collect::<Vec<_>>().join(GAP).trim_end())?;
    }
    Ok(())
}

/// How wide a cell makes its column. A very long one sticks out of it, so that one name does not push all the others
/// apart.
fn width(cell: &str) -> usize {
    cell.chars().count().min(WIDEST_COLUMN)
}

/// A cell without what would steer the terminal or tear the table, such as a name with a line break.
fn one_line(cell: &str) -> String {
    cell.replace(steers, "\u{fffd}")
}

/// A number with its thousands grouped: `8 192`.
pub(crate) fn grouped(number: u32) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(GROUP);
        }
        text.push(digit);
    }
    text
}

/// What a cell shows for something unknown.
pub(crate) fn or_dash(value: Option<String>) -> String {
    value.unwrap_or_else(|| "-".to_owned())
}

/// A model's text without what would steer the terminal: no escape, no carriage return, no bell.
pub(crate) fn printable(text: &str) -> String {
    text.chars()
        .filter(|char| matches!(char, '\n' | '\t') || !steers(*char))
        .collect()
}

/// The same of a name, in which a line break is as odd, so that no name writes a line of its own.
pub(crate) fn printable_name(name: &str) -> String {
    one_line(name)
}

/// Whether a character steers the terminal, or the order in which others are shown.
fn steers(char: char) -> bool {
    let turns = matches!(char, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || char.is_control()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_steers_the_terminal() {
        let hostile = "a\u{1b}[31mb\u{7}\r\n\u{202e}c\u{2066}";
        assert_eq!(printable(hostile), "a[31mb\nc");
        assert_eq!(
            printable_name(hostile),
            "a\u{fffd}[31mb\u{fffd}\u{fffd}\u{fffd}\u{fffd}c\u{fffd}"
        );
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut output = Vec::new();
        let rows = [
            ["a".to_owned(), "1".to_owned()],
            ["long é".to_owned(), String::new()],
        ];
        write_table(&mut output, ["NAME", "N"], &rows).expect("write");
        assert_eq!(
            String::from_utf8(output).expect("UTF-8"),
            "NAME    N\na       1\nlong é\n"
        );
    }

    #[test]
    fn a_name_cannot_tear_the_table_or_push_it_apart() {
        let mut output = Vec::new();
        let rows = [
            ["x".repeat(100), "1".to_owned()],
            ["a\u{1b}[31m\nb".to_owned(), "2".to_owned()],
        ];
        write_table(&mut output, ["NAME", "N"], &rows).expect("write");
        let output = String::from_utf8(output).expect("UTF-8");
        let lines: Vec<_> = output.lines().collect();
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[1], format!("{}  1", "x".repeat(100)));
        assert_eq!(lines[2], format!("{:72}  2", "a\u{fffd}[31m\u{fffd}b"));
    }

    #[test]
    fn thousands_are_grouped() {
        for (number, text) in [
            (0, "0"),
            (999, "999"),
            (8_192, "8\u{a0}192"),
            (1_048_576, "1\u{a0}048\u{a0}576"),
        ] {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn a_model_cannot_steer_the_terminal() {
        assert_eq!(printable("a\u{1b}[2Jb\r\u{7}\u{9b}c\n\té🦀"), "a[2Jbc\n\té🦀");
    }
}

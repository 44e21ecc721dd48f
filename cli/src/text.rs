//! How quantities and lists look in a terminal.

use std::io::{self, Write};

/// Separates the columns of a list.
const GAP: &str = "  ";

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
        std::array::from_fn(|column| lines().map(|row| row[column].chars().count()).max().unwrap_or(0));
    for row in lines() {
        let cells = row
            .iter()
            .zip(widths)
            .map(|(cell, width)| format!("{cell:width$}"));
        writeln!(output, "{}", cells.collect::<Vec<_>>().join(GAP).trim_end())?;
    }
    Ok(())
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
        .filter(|char| matches!(char, '\n' | '\t') || !char.is_control())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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

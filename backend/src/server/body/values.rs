//! How many values the JSON of a body has, counted while it comes: what they become in memory is far more than their
//! bytes.

/// Counts the values of a JSON text that comes in pieces. Names of fields count too. It is no parser: of a text that is no
/// JSON it gives some number.
#[derive(Debug, Default)]
pub(super) struct Values {
    count: usize,
    /// Whether the text so far ends within a string, and there with a backslash that begins an escape.
    in_string: bool,
    escapes: bool,
}

impl Values {
    /// Goes on with the text. Gives how many values begin in this piece.
    pub(super) fn take(&mut self, piece: &[u8]) -> usize {
        let before = self.count;
        for byte in piece {
            match byte {
                _ if self.escapes => self.escapes = false,
                b'\\' if self.in_string => self.escapes = true,
                b'"' => self.in_string = !self.in_string,
                // Each of them stands before one.
                b',' | b':' | b'[' | b'{' if !self.in_string => self.count += 1,
                _ => (),
            }
        }
        self.count - before
    }

    /// How many there have been.
    pub(super) fn count(&self) -> usize {
        self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_wherever_the_text_is_cut() {
        let cases = [
            (r#""a""#, 0),
            ("[0,0,0]", 3),
            (r#"{"a": [1, {"b": null}], "c": "x"}"#, 8),
            (r#"["a,b:[{", "\",[", "\\", 1]"#, 4),
        ];
        for (text, expected) in cases {
            for cut in 0..=text.len() {
                let mut values = Values::default();
                let (first, rest) = text.as_bytes().split_at(cut);
                assert_eq!(
                    values.take(first) + values.take(rest),
                    expected,
                    "{text} cut at {cut}"
                );
                assert_eq!(values.count(), expected);
            }
        }
    }
}

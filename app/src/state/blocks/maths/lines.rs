//! Matrices, cases and lines that are aligned.

use super::super::block::Look;
use super::row::{Class, Row};
use super::{DEEPEST, Reader};

/// What separates the cells of a matrix, and its rows.
const CELL: &str = ", ";
const ROW: &str = "; ";

impl Reader<'_> {
    /// A matrix, cases, or lines that are aligned.
    pub(super) fn environment(&mut self, row: &mut Row) {
        let name = self.words().trim_end_matches('*');
        if name == "array" || name == "alignedat" {
            self.words();
        }
        let mut lines = vec![vec![self.cell()]];
        loop {
            if self.rest.starts_with('&') {
                self.skip(1);
                let cell = self.cell();
                if let Some(line) = lines.last_mut() {
                    line.push(cell);
                }
            } else if self.rest.starts_with("\\\\") {
                self.skip(2);
                let cell = self.cell();
                lines.push(vec![cell]);
            } else {
                break;
            }
        }
        if self.rest.starts_with("\\end{") {
            self.skip("\\end".len());
            self.words();
        }
        lines.retain(|line| line.iter().any(|cell| !cell.spans.is_empty()));
        self.put_lines(row, name, lines);
    }

    fn cell(&mut self) -> Row {
        let mut row = Row::default();
        self.depth += 1;
        if self.depth < DEEPEST {
            self.read(&mut row);
        } else {
            let end = self.rest.find(['&', '\\', '}']).unwrap_or(self.rest.len());
            row.put(&self.rest[..end], Class::Plain);
            self.skip(end);
        }
        self.depth -= 1;
        row
    }

    fn put_lines(&self, row: &mut Row, name: &str, lines: Vec<Vec<Row>>) {
        let (open, close) = match name {
            "pmatrix" => ("(", ")"),
            "bmatrix" | "matrix" | "array" | "smallmatrix" => ("[", "]"),
            "vmatrix" => ("|", "|"),
            "Vmatrix" => ("‖", "‖"),
            "Bmatrix" => ("{", "}"),
            "cases" => ("{ ", ""),
            _ => ("", ""),
        };
        let is_matrix = !close.is_empty();
        let mut part = Row::default();
        part.push(open, Look::default());
        for (index, line) in lines.into_iter().enumerate() {
            if index > 0 {
                let next = match (is_matrix, self.display) {
                    (false, true) if name == "cases" => "\n     ",
                    (false, true) => "\n",
                    _ => ROW,
                };
                part.push(next, Look::default());
            }
            for (index, cell) in line.into_iter().enumerate() {
                if index > 0 && (is_matrix || name == "cases") {
                    let next = if is_matrix { CELL } else { "  " };
                    part.push(next, Look::default());
                } else if cell.last.is_some() && index > 0 && !cell.text().starts_with(' ') {
                    part.blank();
                }
                for span in cell.spans {
                    part.push(&span.text, span.look);
                }
            }
        }
        part.push(close, Look::default());
        row.append(part, Class::Plain);
    }
}

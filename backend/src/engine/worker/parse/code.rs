//! Where a text stands with regard to Markdown code: what looks like a tag there is meant literally.

/// Fewest characters of a fence.
const FENCE: usize = 3;

/// Follows a text character by character. Inline code ends with its line at the latest, so that a stray backtick
/// does not make code of all that follows.
#[derive(Debug, Clone)]
pub(super) struct Code {
    /// Only white space has come in this line.
    line_start: bool,
    /// Backticks or tildes that came just now.
    run: usize,
    run_of: char,
    run_began_line: bool,
    /// The fence that is open: its character and length.
    fence: Option<(char, usize)>,
    /// Backticks that opened inline code.
    inline: Option<usize>,
}

impl Code {
    pub(super) fn new() -> Self {
        Self {
            line_start: true,
            run: 0,
            run_of: '`',
            run_began_line: false,
            fence: None,
            inline: None,
        }
    }

    /// Takes the next character.
    pub(super) fn push(&mut self, character: char) {
        if matches!(character, '`' | '~') {
            if self.run > 0 && self.run_of != character {
                self.end_run();
            }
            if self.run == 0 {
                self.run_of = character;
                self.run_began_line = self.line_start;
            }
            self.run += 1;
            self.line_start = false;
            return;
        }
        self.end_run();
        if character == '\n' {
            self.inline = None;
            self.line_start = true;
        } else if !character.is_whitespace() {
            self.line_start = false;
        }
    }

    /// Whether the next character stands in code.
    pub(super) fn is_inside(&self) -> bool {
        let mut here = self.clone();
        here.end_run();
        here.fence.is_some() || here.inline.is_some()
    }

    /// Whether the next character is the first of its line but for white space.
    pub(super) fn at_line_start(&self) -> bool {
        self.line_start
    }

    fn end_run(&mut self) {
        let (run, of) = (std::mem::take(&mut self.run), self.run_of);
        if run == 0 {
            return;
        }
        match self.fence {
            Some((fence, length)) if self.run_began_line && fence == of && run >= length => self.fence = None,
            Some(_) => {}
            None if self.run_began_line && run >= FENCE => self.fence = Some((of, run)),
            None if of == '`' => {
                self.inline = match self.inline {
                    None => Some(run),
                    Some(open) if open == run => None,
                    open => open,
                };
            }
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inside(text: &str) -> bool {
        let mut code = Code::new();
        text.chars().for_each(|character| code.push(character));
        code.is_inside()
    }

    #[test]
    fn fences_and_inline_code_are_followed() {
        let cases = [
            ("", false),
            ("a `", true),
            ("a `b` ", false),
            ("a ``b ` c", true),
            ("a `b\nc", false),
            ("```", true),
            ("```xml\n<a>", true),
            ("```\na\n```\n", false),
            ("````\n```\n", true),
            ("~~~\na", true),
            ("~~~\n```\n~~~\n", false),
            ("a ~~~ ", false),
            ("  ```rust\n", true),
        ];
        for (text, expected) in cases {
            assert_eq!(inside(text), expected, "{text:?}");
        }
    }
}

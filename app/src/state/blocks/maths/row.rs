//! A formula as far as it is set: its runs, with spaces where they belong.

use super::super::block::{Face, Inline, Look, Raised, Span};

/// What a sign is, as far as spaces around it go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// A letter, a number, a closing bracket.
    Plain,
    /// An opening bracket, and a comma's opposite: nothing on either side.
    Open,
    /// A name such as `sin`: a space to its argument.
    Name,
    /// `+`: spaces on both sides, unless nothing stands before it.
    Binary,
    /// `=`: spaces on both sides.
    Relation,
    /// `,`: a space behind it.
    Comma,
}

/// A formula, or a part of one, as far as it is set.
#[derive(Debug, Default)]
pub(super) struct Row {
    pub(super) spans: Vec<Span>,
    pub(super) last: Option<Class>,
}

impl Row {
    /// Puts a sign at the end, with the spaces that belong before it.
    pub(super) fn put(&mut self, text: &str, class: Class) {
        self.put_styled(text, class, Look::default());
    }

    pub(super) fn put_styled(&mut self, text: &str, class: Class, look: Look) {
        self.space_before(class);
        self.push(text, look);
        self.last = Some(match (class, self.last) {
            // A sign, not a sum.
            (Class::Binary, None | Some(Class::Open | Class::Binary | Class::Relation | Class::Comma)) => {
                Class::Open
            }
            _ => class,
        });
    }

    pub(super) fn space_before(&mut self, class: Class) {
        let Some(last) = self.last else { return };
        let wanted = match (last, class) {
            (Class::Open, _) => false,
            (Class::Binary | Class::Relation | Class::Comma, _) => true,
            (_, Class::Binary | Class::Relation) => true,
            (Class::Name, Class::Plain | Class::Name) => true,
            (Class::Plain, Class::Name) => true,
            _ => false,
        };
        if wanted {
            self.blank();
        }
    }

    /// One space, unless there is one.
    pub(super) fn blank(&mut self) {
        let ends_blank = self
            .spans
            .last()
            .is_none_or(|last| last.text.ends_with([' ', '\n']));
        if !ends_blank {
            self.push(" ", Look::default());
        }
    }

    pub(super) fn push(&mut self, text: &str, look: Look) {
        match self.spans.last_mut() {
            Some(last) if last.look == look => last.text.push_str(text),
            _ => self.spans.push(Span {
                look,
                text: text.to_owned(),
            }),
        }
    }

    /// Puts a whole part at the end.
    pub(super) fn append(&mut self, part: Row, class: Class) {
        self.space_before(class);
        for span in part.spans {
            self.push(&span.text, span.look);
        }
        self.last = Some(class);
    }

    /// Puts an exponent or an index at the end, without the spaces around its signs. One that stands in another is told by
    /// its mark alone.
    pub(super) fn raise(&mut self, part: Row, raised: Raised) {
        let mut runs: Vec<(Face, String)> = Vec::new();
        for span in part.spans {
            let mark = match span.look.raised {
                Raised::Level => "",
                Raised::Up => "^",
                Raised::Down => "_",
            };
            let text = format!("{mark}{}", span.text);
            match runs.last_mut() {
                Some((face, run)) if *face == span.look.face => run.push_str(&text),
                _ => runs.push((span.look.face, text)),
            }
        }
        for (face, text) in runs {
            let look = Look {
                raised,
                face,
                ..Look::default()
            };
            self.push(&tight(&text), look);
        }
        // What was a sign with spaces is one with its bounds.
        if self.last.is_none() {
            self.last = Some(Class::Plain);
        }
    }

    pub(super) fn text(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }

    /// With brackets around it, unless it is one sign or one number.
    pub(super) fn in_brackets(self) -> Self {
        let text = self.text();
        let is_simple = self.spans.iter().all(|span| span.look.raised == Raised::Level)
            && (text.chars().count() <= 1 || text.chars().all(|it| it.is_numeric() || it == '.'));
        let is_bracketed = text.starts_with('(') && text.find(')') == Some(text.len() - 1);
        if is_simple || is_bracketed {
            return self;
        }
        let mut row = Row::default();
        row.put("(", Class::Open);
        row.append(self, Class::Plain);
        row.put(")", Class::Plain);
        row
    }

    pub(super) fn finish(self) -> Inline {
        let mut inline = Inline::default();
        for span in self.spans {
            inline.push(span.look, &span.text);
        }
        if let Some(last) = inline.spans.last_mut() {
            last.text.truncate(last.text.trim_end().len());
        }
        inline.spans.retain(|span| !span.text.is_empty());
        inline
    }
}

/// A text without spaces beside its signs, and with none where a line may end.
fn tight(text: &str) -> String {
    let signs: Vec<char> = text.chars().collect();
    let is_word = |at: Option<usize>| {
        at.and_then(|at| signs.get(at))
            .is_some_and(|it| it.is_alphanumeric())
    };
    let kept = signs
        .iter()
        .enumerate()
        .filter(|(at, it)| **it != ' ' || is_word(at.checked_sub(1)) && is_word(Some(at + 1)));
    kept.map(|(_, it)| if *it == ' ' { '\u{a0}' } else { *it })
        .collect()
}

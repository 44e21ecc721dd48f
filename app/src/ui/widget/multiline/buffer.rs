//! A text that is being written: its caret, its marked part, and what can be undone. Pure.

use std::ops::Range;

use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

/// Most steps that can be undone.
const STEPS: usize = 1_000;

/// What became of a part of a text, in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Change {
    /// The part of the text before.
    pub(super) replaced: Range<usize>,
    /// Length of what stands there now.
    pub(super) inserted: usize,
}

/// What a step does: steps of one kind in a row are undone together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Letters are typed.
    Type,
    /// Letters before the caret are removed one by one.
    Erase,
    /// Letters behind the caret are removed one by one.
    Delete,
    /// Something larger, which is undone by itself.
    Other,
}

/// Where the caret and the other end of the marked part stand, in bytes of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Marked {
    /// The end that moves.
    pub(super) caret: usize,
    /// The end that stands still; the caret where nothing is marked.
    pub(super) anchor: usize,
}

impl Marked {
    fn at(index: usize) -> Self {
        Self {
            caret: index,
            anchor: index,
        }
    }

    /// The marked part.
    pub(super) fn range(self) -> Range<usize> {
        self.caret.min(self.anchor)..self.caret.max(self.anchor)
    }
}

/// How to get from one text to another.
#[derive(Debug, Clone)]
struct Step {
    replaced: Range<usize>,
    with: String,
    /// What was marked before the person did what this leads back to, or does again.
    marked: Marked,
}

/// A text that is being written.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    text: String,
    marked: Marked,
    undo: Vec<Step>,
    redo: Vec<Step>,
    /// What the last step did, as long as the next may belong to it.
    last: Option<Kind>,
}

impl Buffer {
    /// The whole text.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The caret and what is marked.
    pub(super) fn marked(&self) -> Marked {
        self.marked
    }

    /// The marked text.
    pub(super) fn marked_text(&self) -> &str {
        &self.text[self.marked.range()]
    }

    /// Takes another text, with the caret behind it. Nothing can be undone.
    pub(super) fn set_text(&mut self, text: &str) {
        *self = Self {
            text: text.to_owned(),
            marked: Marked::at(text.len()),
            ..Self::default()
        };
    }

    /// Puts the caret here; `extends` marks what lies between.
    pub(super) fn place(&mut self, index: usize, extends: bool) {
        let anchor = if extends { self.marked.anchor } else { index };
        self.mark(Marked { caret: index, anchor });
    }

    /// Marks a part. What is not there, or within a character, goes to the next border before.
    pub(super) fn mark(&mut self, marked: Marked) {
        self.marked = Marked {
            caret: self.text.floor_char_boundary(marked.caret),
            anchor: self.text.floor_char_boundary(marked.anchor),
        };
        self.last = None;
    }

    /// Puts a text in the place of what is marked.
    pub(super) fn insert(&mut self, with: &str, kind: Kind) -> Change {
        self.replace(self.marked.range(), with, kind)
    }

    /// Removes what is marked, or else what lies between the caret and this index.
    pub(super) fn remove_to(&mut self, index: usize, kind: Kind) -> Option<Change> {
        let caret = self.marked.caret;
        let (part, kind) = match self.marked.range() {
            marked if marked.is_empty() => (caret.min(index)..caret.max(index), kind),
            marked => (marked, Kind::Other),
        };
        (!part.is_empty()).then(|| self.replace(part, "", kind))
    }

    fn replace(&mut self, replaced: Range<usize>, with: &str, kind: Kind) -> Change {
        let change = Change {
            replaced: replaced.clone(),
            inserted: with.len(),
        };
        let may_join = self.last == Some(kind);
        let back = self.apply(Step {
            replaced,
            with: with.to_owned(),
            marked: self.marked,
        });
        self.redo.clear();
        let before = self.undo.last_mut().filter(|_| may_join);
        if !before.is_some_and(|before| join(before, &back, kind)) {
            self.undo.push(back);
        }
        if self.undo.len() > STEPS {
            self.undo.remove(0);
        }
        self.last = Some(kind);
        change
    }

    /// Takes a step, and gives the one that leads back.
    fn apply(&mut self, step: Step) -> Step {
        let end = step.replaced.start + step.with.len();
        let with = self.text[step.replaced.clone()].to_owned();
        self.text.replace_range(step.replaced.clone(), &step.with);
        self.marked = Marked::at(end);
        self.last = None;
        Step {
            replaced: step.replaced.start..end,
            with,
            marked: step.marked,
        }
    }

    /// Undoes the last step.
    pub(super) fn undo(&mut self) -> Option<Change> {
        let step = self.undo.pop()?;
        let (change, marked) = (change(&step), step.marked);
        let back = self.apply(step);
        self.redo.push(back);
        self.marked = marked;
        Some(change)
    }

    /// Does again what was undone last.
    pub(super) fn redo(&mut self) -> Option<Change> {
        let step = self.redo.pop()?;
        let change = change(&step);
        let back = self.apply(step);
        self.undo.push(back);
        Some(change)
    }

    /// The start of the sign before an index.
    pub(super) fn before(&self, index: usize) -> usize {
        let mut cursor = GraphemeCursor::new(index, self.text.len(), true);
        // With the whole text at hand it never asks for more.
        cursor.prev_boundary(&self.text, 0).ok().flatten().unwrap_or(0)
    }

    /// The end of the sign behind an index.
    pub(super) fn behind(&self, index: usize) -> usize {
        let mut cursor = GraphemeCursor::new(index, self.text.len(), true);
        let next = cursor.next_boundary(&self.text, 0).ok().flatten();
        next.unwrap_or(self.text.len())
    }

    /// The word, or what stands between two, at an index.
    pub(super) fn word_at(&self, index: usize) -> Range<usize> {
        let line = self.line_at(index);
        let words = self.text[line.clone()].split_word_bound_indices();
        let at_word = words
            .map(|(start, word)| line.start + start..line.start + start + word.len())
            .find(|word| word.contains(&index));
        at_word.unwrap_or(index..index)
    }

    /// The line at an index, up to where the next one begins.
    pub(super) fn line_at(&self, index: usize) -> Range<usize> {
        let start = self.text[..index].rfind('\n').map_or(0, |end| end + 1);
        let end = self.text[index..].find('\n');
        start..end.map_or(self.text.len(), |end| index + end + 1)
    }
}

fn change(step: &Step) -> Change {
    Change {
        replaced: step.replaced.clone(),
        inserted: step.with.len(),
    }
}

/// Lets the step that leads back lead back over the one before too, where they meet.
fn join(before: &mut Step, back: &Step, kind: Kind) -> bool {
    match kind {
        Kind::Type if back.with.is_empty() && before.replaced.end == back.replaced.start => {
            before.replaced.end = back.replaced.end;
            true
        }
        Kind::Erase if back.replaced.start + back.with.len() == before.replaced.start => {
            before.with.insert_str(0, &back.with);
            before.replaced = back.replaced.clone();
            true
        }
        Kind::Delete if back.replaced.start == before.replaced.start => {
            before.with.push_str(&back.with);
            true
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn buffer(text: &str, caret: usize) -> Buffer {
        let mut buffer = Buffer::default();
        buffer.set_text(text);
        buffer.place(caret, false);
        buffer
    }

    #[test]
    fn letters_of_one_go_are_undone_together() {
        let mut it = buffer("one", 3);
        for letter in [" ", "t", "w"] {
            it.insert(letter, Kind::Type);
        }
        it.insert("\n", Kind::Other);
        for _ in 0..3 {
            let to = it.before(it.marked().caret);
            it.remove_to(to, Kind::Erase);
        }
        assert_eq!(it.text(), "one ");
        let mut texts = vec![];
        while it.undo().is_some() {
            texts.push(it.text().to_owned());
        }
        assert_eq!(texts, ["one tw\n", "one tw", "one"]);
        assert_eq!(it.marked(), Marked::at(3));
        let mut texts = vec![];
        while it.redo().is_some() {
            texts.push(it.text().to_owned());
        }
        assert_eq!(texts, ["one tw", "one tw\n", "one "]);
        assert_eq!(it.marked(), Marked::at(4));
    }

    #[test]
    fn what_is_typed_elsewhere_is_undone_by_itself() {
        let mut it = buffer("ab", 2);
        it.insert("c", Kind::Type);
        it.place(0, false);
        it.insert("x", Kind::Type);
        it.undo();
        assert_eq!(it.text(), "abc");
        // What is done after an undo ends what could be done again.
        it.insert("y", Kind::Type);
        assert_eq!(it.redo(), None);
    }

    #[test]
    fn what_is_marked_is_replaced_and_comes_back_marked() {
        let mut it = buffer("one two", 0);
        it.place(3, true);
        assert_eq!(it.marked_text(), "one");
        it.insert("1", Kind::Type);
        it.insert("!", Kind::Type);
        assert_eq!(it.text(), "1! two");
        it.undo();
        assert_eq!((it.text(), it.marked_text()), ("one two", "one"));
        it.remove_to(4, Kind::Erase);
        assert_eq!(it.text(), " two");
    }

    #[test]
    fn what_is_not_there_is_not_marked() {
        let mut it = buffer("aé", 0);
        it.mark(Marked { caret: 9, anchor: 2 });
        assert_eq!(it.marked(), Marked { caret: 3, anchor: 1 });
    }

    #[test]
    fn signs_words_and_lines_are_whole() {
        let it = buffer("e\u{301} größer\nwo👩‍💻", 0);
        let newline = "e\u{301} größer".len();
        assert_eq!((it.before(3), it.behind(0)), (0, 3));
        assert_eq!(it.before(it.text().len()), newline + 3);
        assert_eq!(it.word_at(6), 4..newline);
        assert_eq!(it.word_at(it.text().len()), it.text().len()..it.text().len());
        assert_eq!(it.line_at(3), 0..newline + 1);
        assert_eq!(it.line_at(newline + 1), newline + 1..it.text().len());
    }

    proptest::proptest! {
        #[test]
        fn every_step_leads_back(steps in proptest::collection::vec((0usize..9, 0usize..9, "[a你e\u{301}]{0,3}", 0u8..4), 0..20)) {
            let mut it = Buffer::default();
            let mut texts = vec![String::new()];
            for (from, to, with, kind) in steps {
                let text = it.text().to_owned();
                let at = |index: usize| text.char_indices().nth(index).map_or(text.len(), |(at, _)| at);
                if kind % 2 == 0 {
                    it.mark(Marked { caret: at(from), anchor: at(to) });
                }
                match kind {
                    0 | 1 => { it.insert(&with, Kind::Type); }
                    2 => { it.remove_to(it.before(it.marked().caret), Kind::Erase); }
                    _ => { it.remove_to(it.behind(it.marked().caret), Kind::Delete); }
                }
                texts.push(it.text().to_owned());
            }
            let last = it.text().to_owned();
            while it.undo().is_some() {
                proptest::prop_assert!(texts.iter().any(|text| text == it.text()));
            }
            proptest::prop_assert_eq!(it.text(), "");
            while it.redo().is_some() {}
            proptest::prop_assert_eq!(it.text(), last);
        }
    }
}

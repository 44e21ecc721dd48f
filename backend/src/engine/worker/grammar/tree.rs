//! What a rule of a grammar says.

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

/// What a rule, or a part of one, matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Tree {
    /// This text.
    Text(String),
    /// One character of these.
    Class(Class),
    /// What the rule of this name matches.
    Rule(String),
    /// One after the other; nothing where there are none.
    All(Vec<Tree>),
    /// Any one of them.
    Any(Vec<Tree>),
    /// So many times, at least and at most.
    Repeat(Box<Tree>, u32, Option<u32>),
}

/// A set of characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Class(Vec<(char, char)>);

impl Tree {
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    pub(super) fn all(mut parts: Vec<Self>) -> Self {
        match parts.len() {
            1 => parts.swap_remove(0),
            _ => Self::All(parts),
        }
    }

    pub(super) fn any(mut parts: Vec<Self>) -> Self {
        match parts.len() {
            1 => parts.swap_remove(0),
            _ => Self::Any(parts),
        }
    }

    pub(super) fn repeat(part: Self, least: u32, most: Option<u32>) -> Self {
        Self::Repeat(Box::new(part), least, most)
    }

    /// The same with other names of rules.
    pub(super) fn renamed(&self, rename: &dyn Fn(&str) -> String) -> Self {
        let each = |parts: &[Self]| parts.iter().map(|part| part.renamed(rename)).collect();
        match self {
            Self::Text(_) | Self::Class(_) => self.clone(),
            Self::Rule(name) => Self::Rule(rename(name)),
            Self::All(parts) => Self::All(each(parts)),
            Self::Any(parts) => Self::Any(each(parts)),
            Self::Repeat(part, least, most) => Self::repeat(part.renamed(rename), *least, *most),
        }
    }

    /// Collects the texts in it.
    pub(super) fn texts<'tree>(&'tree self, texts: &mut Vec<&'tree str>) {
        match self {
            Self::Text(text) => texts.push(text),
            Self::Class(_) | Self::Rule(_) => {}
            Self::All(parts) | Self::Any(parts) => parts.iter().for_each(|part| part.texts(texts)),
            Self::Repeat(part, ..) => part.texts(texts),
        }
    }
}

impl Class {
    /// These ranges, or all characters but them.
    pub(super) fn new(ranges: &[(char, char)], negated: bool) -> Self {
        let ranges = ranges
            .iter()
            .map(|&(first, last)| ClassUnicodeRange::new(first, last));
        let mut class = ClassUnicode::new(ranges);
        if negated {
            class.negate();
        }
        Self::from(&class)
    }

    /// Every character.
    pub(super) fn any() -> Self {
        Self::new(&[], true)
    }

    /// The ranges, sorted, with gaps between them.
    pub(super) fn ranges(&self) -> &[(char, char)] {
        &self.0
    }
}

impl From<&ClassUnicode> for Class {
    fn from(class: &ClassUnicode) -> Self {
        Self(
            class
                .ranges()
                .iter()
                .map(|range| (range.start(), range.end()))
                .collect(),
        )
    }
}

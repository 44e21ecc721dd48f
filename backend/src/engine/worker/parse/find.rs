//! Finds tags in text that comes in pieces.

/// What of a text is settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found<'tag> {
    /// A tag stands there.
    At(usize, &'tag str),
    /// There is none; up to here none can begin any more.
    None(usize),
}

/// The first of `tags` in `text`, the longest where several begin together. Where more may follow (`ends` is
/// false), an end that may become a tag is held back.
pub(super) fn first<'tag>(
    text: &str,
    tags: impl Iterator<Item = &'tag str> + Clone,
    ends: bool,
) -> Found<'tag> {
    let starts = text.char_indices().map(|(start, _)| start);
    for start in starts {
        let rest = &text[start..];
        let whole = tags.clone().filter(|tag| rest.starts_with(tag));
        let whole = whole.max_by_key(|tag| tag.len());
        let longer = |tag: &str| tag.len() > rest.len() && tag.starts_with(rest);
        if !ends && tags.clone().any(longer) {
            return Found::None(start);
        }
        if let Some(tag) = whole {
            return Found::At(start, tag);
        }
    }
    Found::None(text.len())
}

/// What stands at the beginning of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Head<'tag> {
    /// This tag.
    Tag(&'tag str),
    /// What may become one.
    Begun,
    /// None of them.
    Other,
}

/// Which of `tags` a text begins with.
pub(super) fn head<'tag>(
    text: &str,
    tags: impl Iterator<Item = &'tag str> + Clone,
    ends: bool,
) -> Head<'tag> {
    if !ends
        && tags
            .clone()
            .any(|tag| tag.len() > text.len() && tag.starts_with(text))
    {
        return Head::Begun;
    }
    let whole = tags.filter(|tag| text.starts_with(tag));
    match whole.max_by_key(|tag| tag.len()) {
        Some(tag) => Head::Tag(tag),
        None => Head::Other,
    }
}

/// A text up to a tag, taken character by character.
#[derive(Debug, Clone)]
pub(super) struct Until {
    tag: &'static str,
    /// The beginning of the tag, as far as it has come.
    held: String,
}

impl Until {
    pub(super) fn new(tag: &'static str) -> Self {
        Self {
            tag,
            held: String::new(),
        }
    }

    /// Takes a character; gives the text that is no part of the tag, and whether the tag has come.
    pub(super) fn push(&mut self, character: char) -> (String, bool) {
        self.held.push(character);
        let free = self
            .held
            .char_indices()
            .map(|(start, _)| start)
            .find(|&start| self.tag.starts_with(&self.held[start..]))
            .unwrap_or(self.held.len());
        let held = self.held.split_off(free);
        let text = std::mem::replace(&mut self.held, held);
        (text, self.held == self.tag)
    }

    /// Gives what is held at the end of a text in which the tag did not come.
    pub(super) fn flush(&mut self) -> String {
        std::mem::take(&mut self.held)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_found_and_their_beginnings_held() {
        let tags = ["<a>", "<ab>", "```", "```json"];
        let first = |text, ends| first(text, tags.iter().copied(), ends);
        assert_eq!(first("x<ab>", false), Found::At(1, "<ab>"));
        assert_eq!(first("x<a", false), Found::None(1));
        assert_eq!(first("x<a", true), Found::None(3));
        assert_eq!(first("x<c<a>", false), Found::At(3, "<a>"));
        assert_eq!(first("```", false), Found::None(0));
        assert_eq!(first("```", true), Found::At(0, "```"));
        assert_eq!(first("```\n", false), Found::At(0, "```"));
        assert_eq!(first("```json", false), Found::At(0, "```json"));
        assert_eq!(first("é<", false), Found::None(2));
    }

    #[test]
    fn a_text_ends_at_its_tag() {
        let mut until = Until::new("\n</p>");
        let mut text = String::new();
        let mut ended = false;
        for character in "a\n\n</\n</p>".chars() {
            assert!(!ended);
            let (more, end) = until.push(character);
            text.push_str(&more);
            ended = end;
        }
        assert_eq!((text.as_str(), ended), ("a\n\n</", true));
    }
}

//! Puts the styled text of one block together, from marks that open and close.

use super::addresses::{self, Found};
use super::block::{Face, Inline, Look, Raised, Span};

/// Text in the making.
#[derive(Debug, Clone, Default)]
pub(super) struct Writer {
    /// The look of what comes next.
    pub(super) look: Look,
    /// The looks around the marks that are open.
    outer: Vec<Look>,
    text: Inline,
}

impl Writer {
    /// Puts text at the end.
    pub(super) fn push(&mut self, text: &str) {
        self.text.push(self.look, text);
    }

    /// Puts text in this face at the end.
    pub(super) fn push_in(&mut self, face: Face, text: &str) {
        self.text.push(Look { face, ..self.look }, text);
    }

    /// Puts text at the end that has looks of its own.
    pub(super) fn push_styled(&mut self, text: &Inline) {
        for span in &text.spans {
            let look = Look {
                bold: self.look.bold || span.look.bold,
                strike: self.look.strike,
                link: self.look.link,
                ..span.look
            };
            self.text.push(look, &span.text);
        }
    }

    /// Opens a mark.
    pub(super) fn open(&mut self, change: impl FnOnce(&mut Look)) {
        self.outer.push(self.look);
        change(&mut self.look);
    }

    /// Opens a link.
    pub(super) fn open_link(&mut self, address: String) {
        let link = self.link(address);
        self.open(|look| look.link = link);
    }

    /// Closes a link. One without a text shows its address.
    pub(super) fn close_link(&mut self) {
        let link = self.look.link;
        let has_text = self.text.spans.last().is_some_and(|last| last.look.link == link);
        if let (Some(link), false) = (link, has_text) {
            let address = self.text.links[usize::from(link)].clone();
            self.push(&address);
        }
        self.close();
    }

    /// Closes the mark that was opened last.
    pub(super) fn close(&mut self) {
        self.look = self.outer.pop().unwrap_or_default();
    }

    /// A text that goes on with the marks that are open.
    pub(super) fn fresh(&self) -> Self {
        let mut fresh = self.clone();
        fresh.text.spans.clear();
        fresh
    }

    /// The text, with its bare addresses as links, its footnotes raised and its hidden characters by name.
    pub(super) fn finish(mut self) -> Inline {
        for span in self.take_trimmed() {
            let Span { look, text } = span;
            if look.face == Face::Text && look.raised == Raised::Level && look.link.is_none() {
                self.push_found(look, &text);
            } else {
                self.text.push_shown(look, &text);
            }
        }
        self.text
    }

    /// HTML as text.
    pub(super) fn finish_html(mut self) -> Inline {
        for span in self.take_trimmed() {
            self.text.push_shown(span.look, &span.text);
        }
        self.text
    }

    /// Its runs so far, without white space around them all.
    fn take_trimmed(&mut self) -> Vec<Span> {
        let mut spans = std::mem::take(&mut self.text.spans);
        if let Some(first) = spans.first_mut() {
            first.text = first.text.trim_start_matches(['\n', ' ']).to_owned();
        }
        if let Some(last) = spans.last_mut() {
            last.text.truncate(last.text.trim_end_matches(['\n', ' ']).len());
        }
        spans
    }

    fn push_found(&mut self, look: Look, text: &str) {
        let mut at = 0;
        for (place, found) in addresses::find(text) {
            self.text.push_shown(look, &text[at..place.start]);
            match found {
                Found::Address(address) => {
                    let link = self.link(address);
                    self.text.push_shown(Look { link, ..look }, &text[place.clone()]);
                }
                Found::Note(label) => {
                    let raised = Raised::Up;
                    // Two marks side by side are not one number.
                    let is_next = self
                        .text
                        .spans
                        .last()
                        .is_some_and(|last| last.look.raised == raised);
                    let comma = if is_next { "," } else { "" };
                    self.text
                        .push_shown(Look { raised, ..look }, &format!("{comma}{label}"));
                }
            }
            at = place.end;
        }
        self.text.push_shown(look, &text[at..]);
    }

    /// The place of an address among the links; `None` where there are too many.
    fn link(&mut self, address: String) -> Option<u16> {
        let link = u16::try_from(self.text.links.len()).ok()?;
        self.text.links.push(address);
        Some(link)
    }
}

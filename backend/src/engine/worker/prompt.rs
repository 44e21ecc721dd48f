//! From messages to tokens, so that nobody's text can become a control token.

use std::collections::HashMap;

use hearth_protocol::{Error, Result};
use llama_cpp_2::token::LlamaToken;
use llama_cpp_2::token_type::LlamaTokenAttr;
use llama_cpp_2::vocab::LlamaVocab;

use super::model::text_of;
use super::template::{ChatTemplate, ControlTokens, Segment};
use crate::engine::PromptMessage;

/// Turns chats into tokens with one model's template and vocabulary.
pub(super) struct Prompter {
    /// `None` for a model without one. One that cannot be read is told when it is needed: the model is loaded
    /// all the same.
    template: Option<Result<ChatTemplate>>,
    /// What each control token is, by its text.
    control: HashMap<String, Control>,
    /// Their texts, prepared to be found.
    control_texts: ControlTokens,
    /// Put in front of every prompt, as the model's file demands.
    first: Option<LlamaToken>,
}

/// A control token and the white space beside it that it swallows.
#[derive(Debug, Clone, Copy)]
struct Control {
    token: LlamaToken,
    strips_before: bool,
    strips_after: bool,
}

impl Prompter {
    /// Reads the control tokens and parses the template.
    pub(super) fn new(vocabulary: &LlamaVocab<'_>, template: Option<&str>) -> Self {
        let text = |token| text_of(vocabulary, token).unwrap_or_default();
        let template = template
            .map(|source| ChatTemplate::parse(source, &text(vocabulary.bos()), &text(vocabulary.eos())));
        let control: HashMap<_, _> = vocabulary
            .tokens()
            .filter_map(|token| {
                let attributes = vocabulary.attr(token);
                if !attributes.intersects(LlamaTokenAttr::Control | LlamaTokenAttr::Unknown) {
                    return None;
                }
                let control = Control {
                    token,
                    strips_before: attributes.contains(LlamaTokenAttr::LStrip),
                    strips_after: attributes.contains(LlamaTokenAttr::RStrip),
                };
                Some((text_of(vocabulary, token)?, control)).filter(|(text, _)| !text.is_empty())
            })
            .collect();
        let first = (vocabulary.should_add_bos() && vocabulary.bos().0 >= 0).then(|| vocabulary.bos());
        Self {
            template,
            control_texts: ControlTokens::new(control.keys().cloned()),
            control,
            first,
        }
    }

    /// Whether the model brings a template.
    pub(super) fn has_template(&self) -> bool {
        self.template.is_some()
    }

    /// The tokens of a chat up to where the answer begins. A model without a template goes on with the texts of
    /// the messages, one below the other, as plain text.
    ///
    /// # Errors
    /// `Template` where the template cannot be read or cannot render the chat; `Invalid` where there is nothing
    /// to go on with.
    pub(super) fn tokens_of(
        &self,
        vocabulary: &LlamaVocab<'_>,
        messages: &[PromptMessage],
    ) -> Result<Vec<LlamaToken>> {
        let mut tokens = match &self.template {
            Some(Ok(template)) => {
                let rendered = template.render(messages, true, &self.control_texts)?;
                self.tokens_of_segments(vocabulary, &rendered.segments(&self.control_texts))
            }
            Some(Err(error)) => return Err(error.clone()),
            None => {
                let texts: Vec<&str> = messages.iter().map(|message| message.text.as_str()).collect();
                plain(vocabulary, &texts.join("\n"))
            }
        };
        // Many templates write the first token themselves.
        if let Some(first) = self.first
            && tokens.first() != Some(&first)
        {
            tokens.insert(0, first);
        }
        if tokens.is_empty() {
            return Err(Error::invalid("messages", "must hold some text"));
        }
        Ok(tokens)
    }

    /// The control tokens as they are, and the text between them as plain text. White space beside a control
    /// token goes where that token swallows it (`llama-vocab.cpp`, `tokenizer_st_partition`).
    fn tokens_of_segments(&self, vocabulary: &LlamaVocab<'_>, segments: &[Segment<'_>]) -> Vec<LlamaToken> {
        let mut tokens = Vec::new();
        for (place, segment) in segments.iter().enumerate() {
            match segment {
                Segment::Control(text) => tokens.extend(self.control.get(*text).map(|control| control.token)),
                Segment::Text(text) => {
                    let before = place
                        .checked_sub(1)
                        .and_then(|place| self.control_at(segments, place));
                    let after = self.control_at(segments, place + 1);
                    let mut text = *text;
                    if before.is_some_and(|control| control.strips_after) {
                        text = text.trim_start_matches(is_space);
                    }
                    if after.is_some_and(|control| control.strips_before) {
                        text = text.trim_end_matches(is_space);
                    }
                    tokens.extend(plain(vocabulary, text));
                }
            }
        }
        tokens
    }

    fn control_at(&self, segments: &[Segment<'_>], place: usize) -> Option<Control> {
        match segments.get(place) {
            Some(Segment::Control(text)) => self.control.get(*text).copied(),
            _ => None,
        }
    }
}

/// Text without control tokens: what looks like one is spelled out.
fn plain(vocabulary: &LlamaVocab<'_>, text: &str) -> Vec<LlamaToken> {
    if text.is_empty() {
        return Vec::new();
    }
    vocabulary.tokenize(text.as_bytes(), false, false)
}

/// C's `isspace` in the C locale.
fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t'..='\r')
}

//! From a chat to the text of its prompt, by the model's own chat template.
//!
//! A template is a Jinja program inside the model file; it is not to be trusted with more than text. It may write
//! control tokens, a chat may not: the render tells which bytes came from messages, and a control token counts
//! only where none of its bytes did. The engine is minijinja; what the reference does otherwise, transformers'
//! Jinja2, is made up for in `source` and `environment`. Tokenising is not done here.

mod control;
mod environment;
mod failure;
mod guard;
mod json;
mod literal;
mod marks;
mod methods;
mod renderer;
mod shape;
mod source;
mod strings;
mod text;
mod trusted;

use std::ops::Range;

use hearth_protocol::Result;
use jiff::Zoned;

use self::failure::Failure;
use self::marks::Marked;
use self::renderer::{Chat, Renderer};
use self::source::Literals;
use crate::engine::PromptMessage;

pub(super) use self::control::{ControlTokens, Segment};

/// A model's chat template, parsed.
#[derive(Debug)]
pub(super) struct ChatTemplate {
    /// As the reference renders.
    plain: Renderer,
    /// The same with marks around what came from messages.
    marking: Renderer,
    bos: String,
    eos: String,
}

/// The text of a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rendered {
    /// The text.
    pub(super) text: String,
    /// Which bytes of it came from messages: sorted, disjoint.
    pub(super) content: Vec<Range<usize>>,
}

impl ChatTemplate {
    /// Reads a template; `bos` and `eos` are the texts of the vocabulary's tokens, empty where it has none.
    ///
    /// # Errors
    /// `Template` with the line and the construct, for what is no template or beyond the limits.
    pub(super) fn parse(source: &str, bos: &str, eos: &str) -> Result<Self> {
        Ok(Self {
            plain: Renderer::parse(source, Literals::Plain)?,
            marking: Renderer::parse(source, Literals::Marked)?,
            bos: marks::without_marks(bos).into_owned(),
            eos: marks::without_marks(eos).into_owned(),
        })
    }

    /// Renders a chat, with the head of the answer where the model is to write it.
    ///
    /// A template that refuses the chat is asked again with roles merged, and with the system prompt in the user's
    /// first message.
    ///
    /// # Errors
    /// `Template` with what the template said to the chat as it is, or with what is wrong in it; also where it is
    /// not certain which control tokens of the prompt are the template's own.
    pub(super) fn render(
        &self,
        messages: &[PromptMessage],
        add_generation_prompt: bool,
        control: &ControlTokens,
    ) -> Result<Rendered> {
        self.render_at(messages, add_generation_prompt, control, Zoned::now())
    }

    fn render_at(
        &self,
        messages: &[PromptMessage],
        add_generation_prompt: bool,
        control: &ControlTokens,
        now: Zoned,
    ) -> Result<Rendered> {
        let mut chat = Chat {
            messages: Vec::new(),
            add_generation_prompt,
            bos: self.bos.clone(),
            eos: self.eos.clone(),
            now,
        };
        let mut first_refusal = None;
        for messages in shape::shapes(&without_marks(messages)) {
            chat.messages = messages;
            match self.render_shape(&chat, control) {
                Err(Failure::Chat(reason)) => first_refusal = first_refusal.or(Some(Failure::Chat(reason))),
                rendered => return Ok(rendered?),
            }
        }
        Err(first_refusal
            .unwrap_or_else(|| Failure::Chat("it refuses this chat".into()))
            .into())
    }

    /// Renders one shape of a chat. The text is always that of the plain render; the others tell what in it came
    /// from messages.
    fn render_shape(&self, chat: &Chat, control: &ControlTokens) -> std::result::Result<Rendered, Failure> {
        let text = self.plain.render(chat)?;
        if let Ok(marked) = self.marking.render(chat)
            && let Some(content) = content_of(&marked, &text)
        {
            return Ok(Rendered { text, content });
        }
        // The template treats strings in a way that does not bear marks. Without a control token in any message
        // there is nothing to tell apart.
        if !chat.messages.iter().any(|message| control.are_in(&message.text)) {
            let content = Vec::new();
            return Ok(Rendered { text, content });
        }
        // Marks only within those control tokens disturb it less.
        let mut broken = chat.clone();
        for message in &mut broken.messages {
            message.text = control.break_up(&message.text);
        }
        match content_of(&self.plain.render(&broken)?, &text) {
            Some(content) => Ok(Rendered { text, content }),
            None => Err(Failure::Template(
                "a message holds a control token of this model, and the template does not let the two be told apart"
                    .into(),
            )),
        }
    }
}

impl Rendered {
    /// The text in its parts: the control tokens that the template wrote, and the text between.
    pub(super) fn segments<'a>(&'a self, control: &ControlTokens) -> Vec<Segment<'a>> {
        control.segments(&self.text, &self.content)
    }
}

/// What is data in a text, by the same text with marks; `None` where it is not the same text or the marks are not
/// in order.
fn content_of(marked: &str, text: &str) -> Option<Vec<Range<usize>>> {
    let marked = Marked::read(marked);
    (marked.balanced && marked.text == text).then_some(marked.data)
}

fn without_marks(messages: &[PromptMessage]) -> Vec<PromptMessage> {
    let unmark = |message: &PromptMessage| PromptMessage {
        text: marks::without_marks(&message.text).into_owned(),
        ..message.clone()
    };
    messages.iter().map(unmark).collect()
}

#[cfg(test)]
mod tests;

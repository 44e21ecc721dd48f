//! From a chat to the text of its prompt, by the model's own chat template.
//!
//! A template is a Jinja program inside the model file; it is not to be trusted with more than text. It may write
//! control tokens, a chat may not: the render tells which bytes came from messages, tools and arguments, and a
//! control token counts only where none of its bytes did. The engine is minijinja; what the reference does
//! otherwise, transformers' Jinja2, is made up for in `source` and `environment`. Tokenising is not done here.

mod abilities;
mod builtin;
#[cfg(test)]
pub(super) mod collection;
mod control;
mod environment;
mod failure;
mod generator;
mod guard;
mod json;
mod literal;
mod marks;
mod memory;
mod methods;
#[cfg(test)]
pub(super) mod planting;
mod rendered;
mod renderer;
mod shape;
mod source;
mod strings;
mod text;
mod thought;
mod tools;
mod trusted;
mod variables;

use std::sync::OnceLock;

use hearth_protocol::answer::AnswerOptions;
use hearth_protocol::chat::Role;
use hearth_protocol::prompt::PromptMessage;
use jiff::Zoned;

use self::abilities::Abilities;
use self::renderer::Renderer;
use self::source::Literals;
use self::thought::Tags;
use self::variables::{Variables, Wants};

pub(super) use self::builtin::source_of;
pub(super) use self::control::{ControlTokens, Segment};
pub(super) use self::failure::Failure;
pub(super) use self::rendered::Rendered;
pub(super) use self::tools::spell;
pub(super) use self::variables::{check_arguments, shown_tools};

/// A model's chat template, parsed.
#[derive(Debug)]
pub(super) struct ChatTemplate {
    /// As the reference renders.
    plain: Renderer,
    /// The same with marks around what came from messages.
    marking: Renderer,
    bos: String,
    eos: String,
    /// What it reads under names of its own.
    wants: Wants,
    /// The tags of thoughts that stand in it.
    tags: Option<Tags>,
    /// What it knows of tools, once that was asked.
    abilities: OnceLock<Abilities>,
}

/// What a prompt is made of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Talk<'a> {
    /// The messages that are whole.
    pub(super) messages: &'a [PromptMessage],
    /// What the answer shall be like.
    pub(super) options: &'a AnswerOptions,
    /// Whether the head of an answer stands at the end.
    pub(super) head: bool,
    /// What has been written of the answer, to go on with behind the head.
    pub(super) begun: Option<&'a PromptMessage>,
}

impl ChatTemplate {
    /// Reads a template; `bos` and `eos` are the texts of the vocabulary's tokens, empty where it has none.
    ///
    /// # Errors
    /// `Template` with the line and the construct, for what is no template or beyond the limits.
    pub(super) fn parse(source: &str, bos: &str, eos: &str) -> Result<Self, Failure> {
        Ok(Self {
            plain: Renderer::parse(source, Literals::Plain)?,
            marking: Renderer::parse(source, Literals::Marked)?,
            bos: marks::without_marks(bos).into_owned(),
            eos: marks::without_marks(eos).into_owned(),
            wants: Wants::of_source(source),
            tags: Tags::in_source(source),
            abilities: OnceLock::new(),
        })
    }

    /// Renders a chat, with the head of the answer where the model is to write it.
    ///
    /// A template that refuses the chat is asked again with the chat in other shapes (`shape`). One that does not
    /// show tools gets them in words (`tools::spell`). A thought that the template opens is closed where the model
    /// shall not think.
    ///
    /// # Errors
    /// What the template said to the chat as it is, or what is wrong in it; also where it is not certain which
    /// control tokens of the prompt are the template's own.
    pub(super) fn render(&self, talk: Talk<'_>, control: &ControlTokens) -> Result<Rendered, Failure> {
        self.render_at(talk, control, &Zoned::now())
    }

    fn render_at(&self, talk: Talk<'_>, control: &ControlTokens, now: &Zoned) -> Result<Rendered, Failure> {
        let mut messages = talk.messages.to_vec();
        tools::pair(&mut messages);
        let tools = shown_tools(talk.options);
        let mut in_words = false;
        if !tools.is_empty() || tools::are_in(&messages) {
            let abilities = self.abilities(now)?;
            in_words = !tools.is_empty() && !abilities.tools;
            if in_words {
                messages = spell(&messages, tools);
            } else if !abilities.calls && tools::are_in(&messages) {
                messages = spell(&messages, &[]);
            }
        }
        let options = if in_words {
            &AnswerOptions {
                tools: Vec::new(),
                ..talk.options.clone()
            }
        } else {
            talk.options
        };
        let render =
            |messages: &[PromptMessage]| self.render_shapes(messages, options, talk.head, control, now);
        let mut rendered = match render(&messages) {
            // The last shape: calls and results in words, such as calls whose arguments broke off.
            Err(failure @ (Failure::Refused(_) | Failure::Construct(_))) if tools::are_in(&messages) => {
                match render(&spell(&messages, &[])) {
                    Err(Failure::Refused(_) | Failure::Construct(_)) => Err(failure),
                    rendered => rendered,
                }
            }
            rendered => rendered,
        }?;
        rendered.tools_in_words = in_words;
        self.begin_answer(&mut rendered, talk);
        Ok(rendered)
    }

    /// Renders the first shape of a chat that the template takes.
    fn render_shapes(
        &self,
        messages: &[PromptMessage],
        options: &AnswerOptions,
        head: bool,
        control: &ControlTokens,
        now: &Zoned,
    ) -> Result<Rendered, Failure> {
        let mut first_refusal = None;
        for shape in shape::shapes(messages) {
            let variables = Variables {
                data: variables::data(&shape, options, head, self.wants, now),
                bos: Some(self.bos.clone()),
                eos: Some(self.eos.clone()),
                now: now.clone(),
            };
            match self.render_variables(&variables.without_marks(), control) {
                Err(failure @ (Failure::Refused(_) | Failure::Construct(_))) => {
                    first_refusal.get_or_insert(failure);
                }
                rendered => return rendered,
            }
        }
        Err(first_refusal.unwrap_or_else(|| Failure::Refused("it refuses this chat".into())))
    }

    /// Renders one shape of a chat. The text is always that of the plain render; the others tell what in it came
    /// from messages.
    fn render_variables(&self, variables: &Variables, control: &ControlTokens) -> Result<Rendered, Failure> {
        let text = self.plain.render(variables)?;
        match self.marking.render(variables) {
            Ok(marked) => {
                if let Some(rendered) = Rendered::read(&marked, &text) {
                    return Ok(rendered);
                }
            }
            Err(failure @ Failure::Stuck(_)) => return Err(failure),
            Err(_) => (),
        }
        // The template treats strings in a way that does not bear marks. Without a control token in any message
        // there is nothing to tell apart.
        if !variables.hold(control) {
            return Ok(Rendered::without_content(text));
        }
        // Marks only within those control tokens disturb it less.
        let broken = self.plain.render(&variables.clone().broken_up(control))?;
        Rendered::read(&broken, &text).ok_or_else(|| {
            Failure::Construct(
                "a message holds a control token of this model, and the template does not let the two be told apart"
                    .into(),
            )
        })
    }

    /// Writes what stands behind the head: the end of a thought that shall not be, or what has been written of the
    /// answer.
    fn begin_answer(&self, rendered: &mut Rendered, talk: Talk<'_>) {
        let head = rendered.head().to_owned();
        let start = rendered.text.len();
        let shall_not_think = talk.options.reasoning.enabled == Some(false);
        let mut open = Tags::open_at_end(&head).filter(|_| talk.head);
        let nothing = PromptMessage::text(Role::Assistant, "");
        let begun = talk.begun.unwrap_or(&nothing);
        let thought = begun.reasoning.as_deref().unwrap_or_default();
        if open.is_none() && !thought.is_empty() {
            open = self.tags;
            if let Some(tags) = open {
                rendered.push_own(&format!("{}\n", tags.open));
            }
        }
        if let Some(tags) = open {
            let closing = tags.closing(&rendered.text, thought);
            rendered.push_content(thought);
            if !begun.text.is_empty() || shall_not_think {
                rendered.push_own(&closing);
            }
        }
        rendered.push_content(&begun.text);
        rendered.end_text = head + &rendered.text[start..];
    }
}

#[cfg(test)]
mod tests;

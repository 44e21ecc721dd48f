//! From messages to tokens, so that nobody's text can become a control token.

mod fit;
mod raw;
mod templates;

use std::collections::HashMap;

use hearth_protocol::answer::AnswerOptions;
use hearth_protocol::chat::Role;
use hearth_protocol::prompt::PromptMessage;
use hearth_protocol::tools::Tool;
use hearth_protocol::{Error, Result};
use llama_cpp_2::token::LlamaToken;
use llama_cpp_2::token_type::LlamaTokenAttr;
use llama_cpp_2::vocab::LlamaVocab;

use self::templates::Choice;
use super::model::text_of;
use super::parse::Style;
use super::template::{self, ControlTokens, Failure, Segment, Talk};
use super::tokenizer::{is_space, tokenize};

pub(super) use self::fit::Room;
pub(super) use self::raw::known;
pub(super) use self::templates::Templates;

/// Longest text that is remembered while a prompt is read, in bytes.
const REPEATED: usize = 64;

/// Turns chats into tokens with one model's templates and vocabulary.
#[derive(Debug)]
pub(super) struct Prompter {
    templates: Choice,
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

/// What stands at the end of a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// The head of a new answer.
    Answer,
    /// The last message, an answer that was broken off, to be gone on with.
    Continue,
}

impl End {
    /// The end of a prompt whose last message is gone on with, or answered.
    pub(super) fn of(go_on: bool) -> Self {
        match go_on {
            true => Self::Continue,
            false => Self::Answer,
        }
    }
}

/// A chat as the model reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Prompt {
    /// Its tokens, at least one.
    pub(super) tokens: Vec<LlamaToken>,
    /// Its text, as the template wrote it.
    pub(super) text: String,
    /// What the template wrote behind the last message, at most 200 characters, and what has been written of the
    /// answer: it says whether a thought is open. Nothing of it is from a person, the begun answer excepted. Empty
    /// without a template.
    pub(super) end_text: String,
    /// Whether the tools are described in words, so that calls come in the generic JSON form.
    pub(super) tools_in_words: bool,
}

/// A prompt that fits the context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FittedPrompt {
    /// The prompt.
    pub(super) prompt: Prompt,
    /// The messages it holds.
    pub(super) messages: Vec<PromptMessage>,
    /// How many messages it leaves out.
    pub(super) left_out: u32,
}

/// Why there is no prompt.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum PromptError {
    /// This chat cannot be read; the next one can.
    #[error(transparent)]
    Refused(#[from] Error),
    /// The template went beyond its limits and cannot be stopped: its thread computes on. The worker tells the error
    /// and has to end.
    #[error("a chat template cannot be stopped: {0}")]
    Poisoned(Error),
}

impl From<Failure> for PromptError {
    fn from(failure: Failure) -> Self {
        let is_stuck = matches!(failure, Failure::Stuck(_));
        let error = Error::from(failure);
        if is_stuck {
            Self::Poisoned(error)
        } else {
            Self::Refused(error)
        }
    }
}

impl Prompter {
    /// Reads the control tokens and parses the templates. One that cannot be read is told when it is needed: the
    /// model is loaded all the same.
    pub(super) fn new(vocabulary: &LlamaVocab<'_>, templates: Templates) -> Self {
        let text = |token| text_of(vocabulary, token).unwrap_or_default();
        let templates = Choice::new(templates, &text(vocabulary.bos()), &text(vocabulary.eos()));
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
            templates,
            control_texts: ControlTokens::new(control.keys().cloned()),
            control,
            first,
        }
    }

    /// Whether there is a template; without one the model goes on with plain text.
    pub(super) fn has_template(&self) -> bool {
        self.templates.has_main()
    }

    /// How the model writes its answer to such a request, which the template that is rendered for it tells.
    ///
    /// # Errors
    /// `NotFound` where a template is asked for that is not there.
    pub(super) fn style(&self, options: &AnswerOptions) -> Result<Style> {
        let chosen = self.templates.choose(options)?;
        Ok(chosen.map_or_else(|| Style::detect(None), |chosen| chosen.style))
    }

    /// The tokens of a chat up to where the answer is written. A model without a template goes on with the texts of
    /// the messages, one below the other, as plain text.
    ///
    /// # Errors
    /// `Template` where the template cannot be read or cannot render the chat; `NotFound` where a template is asked
    /// for that is not there; `Invalid` where there is nothing to go on with, and for arguments that a request may
    /// not set. `Poisoned` as it says.
    pub(super) fn prompt(
        &self,
        vocabulary: &LlamaVocab<'_>,
        messages: &[PromptMessage],
        options: &AnswerOptions,
        end: End,
    ) -> std::result::Result<Prompt, PromptError> {
        self.prompt_within(vocabulary, messages, options, end, None)
    }

    /// The same, but that a text which is far too long for the room is not turned into tokens.
    ///
    /// # Errors
    /// As [`Self::prompt`], and `ContextOverflow`.
    fn prompt_within(
        &self,
        vocabulary: &LlamaVocab<'_>,
        messages: &[PromptMessage],
        options: &AnswerOptions,
        end: End,
        room: Option<Room>,
    ) -> std::result::Result<Prompt, PromptError> {
        let check = |text: &str| room.map_or(Ok(()), |room| room.check(text.len()));
        template::check_arguments(&options.template_arguments)?;
        let (whole, begun) = match end {
            End::Answer => (messages, None),
            End::Continue => split_begun(messages)?,
        };
        let mut prompt = match self.templates.choose(options)? {
            Some(chosen) => {
                let talk = Talk {
                    messages: whole,
                    options,
                    head: true,
                    begun,
                };
                let template = chosen.template.as_ref().map_err(Clone::clone)?;
                let rendered = template.render(talk, &self.control_texts)?;
                check(&rendered.text)?;
                Prompt {
                    tokens: self.tokens_of(vocabulary, &rendered.segments(&self.control_texts)),
                    text: rendered.text,
                    end_text: rendered.end_text,
                    tools_in_words: rendered.tools_in_words,
                }
            }
            None => {
                let text = without_template(messages, options);
                check(&text)?;
                Prompt {
                    tokens: plain(vocabulary, &text),
                    text,
                    end_text: String::new(),
                    tools_in_words: !template::shown_tools(options).is_empty(),
                }
            }
        };
        if let Some(first) = self.first {
            // Many templates write the first token themselves; some, and the file too.
            let written = prompt.tokens.iter().take_while(|token| **token == first).count();
            if written == 0 {
                prompt.tokens.insert(0, first);
            } else {
                prompt.tokens.drain(1..written);
            }
        }
        if prompt.tokens.is_empty() {
            return Err(Error::invalid("messages", "must hold some text").into());
        }
        Ok(prompt)
    }

    /// The prompt of as much of a chat as fits the context, by the policy (see [`fit::fit`]).
    ///
    /// # Errors
    /// As [`Self::prompt`], and `ContextOverflow`.
    pub(super) fn fitted(
        &self,
        vocabulary: &LlamaVocab<'_>,
        messages: &[PromptMessage],
        options: &AnswerOptions,
        end: End,
        room: Room,
    ) -> std::result::Result<FittedPrompt, PromptError> {
        let mut last: Option<(usize, Prompt)> = None;
        let tools = template::shown_tools(options).iter().map(Tool::bytes).sum();
        let fitted = fit::fit(messages, tools, room, options.context_policy, |messages| {
            let prompt = match self.prompt_within(vocabulary, messages, options, end, Some(room)) {
                Err(PromptError::Refused(Error::ContextOverflow { prompt_tokens, .. })) => {
                    return Ok(prompt_tokens);
                }
                prompt => prompt?,
            };
            let tokens = u32::try_from(prompt.tokens.len()).unwrap_or(u32::MAX);
            last = Some((messages.len(), prompt));
            Ok::<_, PromptError>(tokens)
        })?;
        let prompt = match last.filter(|(length, _)| *length == fitted.messages.len()) {
            Some((_, prompt)) => prompt,
            None => self.prompt(vocabulary, &fitted.messages, options, end)?,
        };
        Ok(FittedPrompt {
            prompt,
            messages: fitted.messages,
            left_out: fitted.left_out,
        })
    }

    /// The control tokens as they are, and the text between them as plain text. White space beside a control
    /// token goes where that token swallows it (`llama-vocab.cpp`, `tokenizer_st_partition`).
    fn tokens_of(&self, vocabulary: &LlamaVocab<'_>, segments: &[Segment<'_>]) -> Vec<LlamaToken> {
        let mut tokens = Vec::new();
        // Templates write the same few texts around all messages.
        let mut known: HashMap<&str, Vec<LlamaToken>> = HashMap::new();
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
                    if text.len() > REPEATED {
                        tokens.extend(plain(vocabulary, text));
                    } else {
                        let read = known.entry(text).or_insert_with(|| plain(vocabulary, text));
                        tokens.extend_from_slice(read);
                    }
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

/// The whole messages, and the answer that was begun.
fn split_begun(messages: &[PromptMessage]) -> Result<(&[PromptMessage], Option<&PromptMessage>)> {
    match messages.split_last() {
        Some((begun, whole)) if begun.role == Role::Assistant && begun.tool_calls.is_empty() => {
            Ok((whole, Some(begun)))
        }
        Some((begun, _)) if begun.role == Role::Assistant => Err(Error::invalid(
            "messages",
            "end with an answer that asks for tools, which cannot be continued",
        )),
        _ => Err(Error::invalid(
            "messages",
            "must end with an answer where one is to be continued",
        )),
    }
}

/// The texts of the messages, one below the other.
fn without_template(messages: &[PromptMessage], options: &AnswerOptions) -> String {
    let tools = template::shown_tools(options);
    let messages = template::spell(messages, tools);
    let texts: Vec<&str> = messages.iter().map(|message| message.text.as_str()).collect();
    texts.join("\n")
}

/// Text without control tokens: what looks like one is spelled out.
fn plain(vocabulary: &LlamaVocab<'_>, text: &str) -> Vec<LlamaToken> {
    if text.is_empty() {
        return Vec::new();
    }
    tokenize(vocabulary, text, false, false)
}

#[cfg(test)]
mod tests;

//! A template that is parsed, and the chat it is rendered with.

use hearth_protocol::chat::Role;
use jiff::Zoned;
use minijinja::value::Value;
use minijinja::{Environment, Error};

use super::environment;
use super::failure::Failure;
use super::guard::{self, Output, TIME_LIMIT};
use super::source::{self, Literals};
use crate::engine::PromptMessage;

/// The template's name in its environment. Nothing of it is shown.
const NAME: &str = "chat";

/// Work that any chat may cost, in units of the engine: about one per operation and one per 64 bytes of text. The
/// largest of 3,192 real renders, of at most a dozen messages each, took 5,671.
const FUEL: u64 = 500_000;

/// Further work for each message.
const FUEL_PER_MESSAGE: u64 = 2_000;

/// Further work for each byte of the messages.
const FUEL_PER_BYTE: u64 = 1;

/// A template, ready to render.
#[derive(Debug, Clone)]
pub(super) struct Renderer {
    environment: Environment<'static>,
}

/// What a template is given.
#[derive(Debug, Clone)]
pub(super) struct Chat {
    pub(super) messages: Vec<PromptMessage>,
    pub(super) add_generation_prompt: bool,
    pub(super) bos: String,
    pub(super) eos: String,
    /// What `strftime_now` tells.
    pub(super) now: Zoned,
}

impl Renderer {
    /// Reads a template.
    ///
    /// # Errors
    /// A failure that names the line and the construct.
    pub(super) fn parse(source: &str, literals: Literals) -> Result<Self, Failure> {
        let source = source::rewrite(source, literals)?;
        let environment = guard::run(TIME_LIMIT, move || {
            let mut environment = environment::new(literals)?;
            environment.add_template_owned(NAME, source)?;
            Ok(environment)
        })?;
        let environment = environment.map_err(|error: Error| Failure::of_parse(&error))?;
        Ok(Self { environment })
    }

    /// The text for a chat, with marks in it where the literals are marked.
    ///
    /// # Errors
    /// What the template refuses, what is wrong in it, and the limits.
    pub(super) fn render(&self, chat: &Chat) -> Result<String, Failure> {
        self.render_with(chat.context(), chat.fuel())
    }

    /// The text for variables of any kind, at most so much work.
    fn render_with(&self, variables: Value, fuel: u64) -> Result<String, Failure> {
        let mut environment = self.environment.clone();
        environment.set_fuel(Some(fuel));
        guard::run(TIME_LIMIT, move || {
            let mut output = Output::default();
            let template = environment.get_template(NAME);
            let rendered = template.and_then(|template| {
                let captured = template.render_captured_to(variables, &mut output)?;
                drop(captured);
                Ok(())
            });
            rendered.map_err(|error| Failure::of_render(&error))?;
            output.into_text()
        })?
    }
}

impl Chat {
    /// The work that the render may cost.
    fn fuel(&self) -> u64 {
        let messages = self.messages.len() as u64;
        let bytes: usize = self.messages.iter().map(|message| message.text.len()).sum();
        FUEL + messages * FUEL_PER_MESSAGE + bytes as u64 * FUEL_PER_BYTE
    }

    /// The variables. Those that transformers always sets are there; the roles, the vocabulary's tokens and the
    /// date are ours and count as written by the template.
    fn context(&self) -> Value {
        let trusted = |text: &str| Value::from_safe_string(text.to_owned());
        let now = self.now.clone();
        let strftime_now = Value::from_function(move |format: &str| {
            Value::from_safe_string(now.strftime(format).to_string())
        });
        let message = |message: &PromptMessage| {
            let role = match message.role {
                Role::System => "system",
                Role::User => "user",
                Role::Assistant => "assistant",
                Role::Tool => "tool",
            };
            Value::from_pairs([
                ("role", trusted(role)),
                ("content", Value::from(message.text.as_str())),
            ])
        };
        Value::from_pairs([
            ("messages", self.messages.iter().map(message).collect()),
            ("tools", Value::from(())),
            ("documents", Value::from(())),
            ("add_generation_prompt", Value::from(self.add_generation_prompt)),
            ("bos_token", trusted(&self.bos)),
            ("eos_token", trusted(&self.eos)),
            ("strftime_now", strftime_now),
        ])
    }
}

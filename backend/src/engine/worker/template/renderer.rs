//! A template that is parsed, ready to render.

use minijinja::{Environment, Error};

use super::environment;
use super::failure::Failure;
use super::guard::{self, LIMITS, Output};
use super::source::{self, Literals};
use super::variables::Variables;

/// The template's name in its environment. Nothing of it is shown.
const NAME: &str = "chat";

/// A template, ready to render.
#[derive(Debug, Clone)]
pub(super) struct Renderer {
    environment: Environment<'static>,
}

impl Renderer {
    /// Reads a template.
    ///
    /// # Errors
    /// A failure that names the line and the construct.
    pub(super) fn parse(source: &str, literals: Literals) -> Result<Self, Failure> {
        let source = source::rewrite(source, literals)?;
        let environment = guard::run(LIMITS, move || {
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
    pub(super) fn render(&self, variables: &Variables) -> Result<String, Failure> {
        let mut environment = self.environment.clone();
        environment.set_fuel(Some(variables.fuel()));
        let variables = variables.to_value();
        guard::run(LIMITS, move || {
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

//! What an answer must look like, where the request demands something: a grammar that each token is checked against.
//!
//! Grammars are read, compiled and followed here, not by llama.cpp: its own sampler tests each token of the
//! vocabulary against each possibility, ends the process on some inputs and never comes back from others. Only JSON
//! schemas are converted by llama.cpp. Everything wrong with a grammar is told before anything runs.

mod builder;
mod calls;
mod gbnf;
mod matcher;
mod regex;
mod rules;
mod schema;
mod tree;

use std::sync::Arc;

use hearth_protocol::answer::{AnswerOptions, Format};
use hearth_protocol::schema::Strictness;
use hearth_protocol::tools::{Tool, ToolChoice};
use hearth_protocol::{Error, Result};
use serde_json::json;

use self::builder::Builder;
use self::matcher::Matcher;
use self::rules::Rules;
use self::tree::Tree;
use super::parse::{Family, Style};

/// Longest GBNF of a request, in bytes.
const LONGEST_GBNF: usize = 1 << 20;

/// The field of a request that asks for a form.
const FORMAT: &str = "response_format";

/// The field of a request that brings tools.
const TOOLS: &str = "tools";

/// What an answer must look like. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Grammar {
    rules: Arc<Rules>,
    /// Texts that stand in it: control tokens that are none of them never match.
    texts: Arc<[String]>,
}

/// An answer on its way through its grammar.
#[derive(Debug)]
pub(super) struct GrammarState {
    grammar: Grammar,
    matcher: Matcher,
}

impl Grammar {
    /// The grammar that a request demands; `None` where it demands nothing. `prompt_end` is the end of the rendered
    /// prompt, which may have opened a thought.
    ///
    /// A form, and tools that are required, hold from the first token that is no thought. Tools that may be called
    /// hold from the moment at which the model begins a call. [`super::parse::Parser::grammar_due`] tells when that
    /// is.
    ///
    /// # Errors
    /// `Invalid` names `response_format` or `tools` and what is wrong in them.
    pub(super) fn demanded(options: &AnswerOptions, style: &Style, prompt_end: &str) -> Result<Option<Self>> {
        let mut builder = Builder::default();
        let form = form(&mut builder, &options.format).map_err(|problem| Error::invalid(FORMAT, problem))?;
        let named = |tool: &&Tool| match &options.tool_choice {
            ToolChoice::Named(name) => tool.name == *name,
            ToolChoice::None => false,
            ToolChoice::Auto | ToolChoice::Required => true,
        };
        let tools: Vec<&Tool> = options.tools.iter().filter(named).collect();
        let demands_call = matches!(options.tool_choice, ToolChoice::Required | ToolChoice::Named(_));
        let begun = form.is_none() && !demands_call;
        let calls = match tools.is_empty() {
            true => None,
            false => {
                let calls = calls::calls(&mut builder, style.family, &tools, options.one_tool_only, begun);
                Some(calls.map_err(|problem| Error::invalid(TOOLS, problem))?)
            }
        };
        let field = if form.is_some() { FORMAT } else { TOOLS };
        let root = match (form, calls) {
            (None, None) => return Ok(None),
            (None, Some(calls)) if begun => calls,
            (form, calls) => {
                let form = form.map(|form| match style.family {
                    Family::Harmony => Tree::all(vec![Tree::text("<|channel|>final<|message|>"), form]),
                    _ => form,
                });
                let answer = Tree::any(form.into_iter().chain(calls).collect());
                match thought(&mut builder, options, style, prompt_end) {
                    Some(thought) => Tree::all(vec![Tree::repeat(thought, 0, Some(1)), answer]),
                    None => answer,
                }
            }
        };
        let (rules, texts) = builder.finish(root);
        let compiled = Rules::compile(&rules).map(Arc::new);
        let compiled = compiled.and_then(|rules| Matcher::new(Arc::clone(&rules)).map(|_| rules));
        let rules =
            compiled.map_err(|problem| Error::invalid(field, format!("cannot be enforced: {problem}")))?;
        Ok(Some(Self {
            rules,
            texts: texts.into(),
        }))
    }

    /// Before the first byte.
    pub(super) fn start(&self) -> Option<GrammarState> {
        Some(GrammarState {
            matcher: Matcher::new(Arc::clone(&self.rules)).ok()?,
            grammar: self.clone(),
        })
    }
}

impl GrammarState {
    /// Whether the answer must end here.
    #[cfg(test)]
    pub(super) fn is_over(&self) -> bool {
        self.matcher.is_over()
    }

    /// Whether these bytes can come next.
    pub(super) fn fits(&mut self, bytes: &[u8]) -> bool {
        !bytes.is_empty() && self.matcher.fits(bytes)
    }

    /// Takes bytes; gives whether they can come. Where they cannot, nothing changes.
    pub(super) fn accept(&mut self, bytes: &[u8]) -> bool {
        self.matcher.accept(bytes)
    }

    /// Whether the answer may end here.
    pub(super) fn is_whole(&self) -> bool {
        self.matcher.is_whole()
    }

    /// Whether a control token of this text can be meant by the grammar.
    pub(super) fn names(&self, control: &str) -> bool {
        !control.is_empty() && self.grammar.texts.iter().any(|text| text.contains(control))
    }
}

/// The form that a request demands.
fn form(builder: &mut Builder, format: &Format) -> std::result::Result<Option<Tree>, String> {
    let json = |builder: &mut Builder, schema| {
        let grammar = schema::grammar(schema, Strictness::Exact)?;
        builder.gbnf(&grammar)
    };
    Ok(Some(match format {
        Format::Text => return Ok(None),
        Format::JsonObject => json(builder, &json!({"type": "object"}))?,
        Format::JsonSchema(schema) => {
            json(builder, schema).map_err(|problem| format!("is refused: {problem}"))?
        }
        Format::Gbnf(text) if text.len() > LONGEST_GBNF => {
            return Err(format!("has a grammar longer than {} KiB", LONGEST_GBNF >> 10));
        }
        Format::Gbnf(text) => builder
            .gbnf(text)
            .map_err(|problem| format!("has a bad grammar: {problem}"))?,
        Format::Regex(expression) => regex::read(expression)
            .map_err(|problem| format!("has a regular expression that cannot be enforced: {problem}"))?,
    }))
}

/// A thought in front of the answer, for a model that may think and whose prompt did not begin to.
fn thought(builder: &mut Builder, options: &AnswerOptions, style: &Style, prompt_end: &str) -> Option<Tree> {
    let tags = style
        .thoughts
        .filter(|_| options.reasoning.enabled != Some(false))?;
    let close = match style.family {
        Family::Harmony => "<|end|><|start|>assistant",
        _ if style.is_thinking(prompt_end) => return None,
        _ => tags.close,
    };
    let rest = builder.until(close);
    let line = Tree::repeat(Tree::text("\n"), 0, Some(2));
    Some(Tree::all(vec![Tree::text(tags.open), rest, line]))
}

#[cfg(test)]
mod tests;

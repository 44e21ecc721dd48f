//! From a request to a task: the prompt that fits, what chooses its tokens, what reads them.

use std::sync::Arc;
use std::time::Instant;

use hearth_protocol::Result;
use hearth_protocol::generate::SamplingParams;

use super::{ANSWER_SHARE, Scheduler};
use crate::engine::Job;
use crate::engine::worker::grammar::Grammar;
use crate::engine::worker::parse::{Family, Parser};
use crate::engine::worker::prompt::{End, PromptError, Room};
use crate::engine::worker::sampler::{self, Pieces, Sampler};
use crate::engine::worker::sampling_plan;
use crate::engine::worker::speculation::Speculation;
use crate::engine::worker::task::{Rolling, Task, TaskParts, Thought};
use crate::engine::worker::text::Text;

impl Scheduler<'_> {
    pub(super) fn prepare(
        &mut self,
        id: u64,
        job: Job,
        asked_at: Instant,
    ) -> std::result::Result<Task, PromptError> {
        if job.messages.iter().any(|message| message.images > 0) {
            return Err(self.model.cannot_see().into());
        }
        let (params, options) = (job.sampling, job.answer);
        let context = self.memory.context.length();
        let room = Room {
            context,
            answer: params.max_tokens.unwrap_or(context).min(context / ANSWER_SHARE),
        };
        let vocabulary = self.model.vocabulary();
        let prompter = self.model.prompter();
        let fitted = prompter.fitted(&vocabulary, &job.messages, &options, End::Answer, room)?;
        let prompt = fitted.prompt;
        let rolling = Rolling::of(job.messages, options.clone());
        let mut style = prompter.style(&options)?;
        if prompt.tools_in_words {
            style.family = Family::Generic;
        }
        let grammar = Grammar::demanded(&options, &style, &prompt.end_text)?;
        let mut sampler = self.sampler(&params)?;
        if let Some(grammar) = grammar {
            sampler.set_grammar(grammar, self.pieces());
        }
        sampler.accept(&prompt.tokens);
        let thought_end = style.thought_end().filter(|_| options.reasoning.budget.is_some());
        let thought_end = thought_end.map(|text| vocabulary.tokenize(text.as_bytes(), false, true));
        let parser = Parser::new(style, &options, &prompt.end_text);
        let alone = options.deterministic;
        let mut stop = params.stop;
        stop.extend_from_slice(&self.reverse_prompts);
        Ok(Task::new(TaskParts {
            id,
            chat: job.chat,
            prompt: prompt.tokens,
            left_out: fitted.left_out,
            sampler,
            text: Text::new(stop, parser),
            thought: Thought::new(options.reasoning.budget, thought_end.unwrap_or_default()),
            logprobs: options.logprobs,
            max_tokens: params.max_tokens,
            alone,
            speculation: (self.guesses && !alone).then(Speculation::default),
            rolling,
            asked_at,
        }))
    }

    /// The texts of the vocabulary, made when a grammar is first asked for.
    fn pieces(&mut self) -> Arc<Pieces> {
        let pieces = self
            .pieces
            .get_or_insert_with(|| Arc::new(Pieces::new(self.model)));
        Arc::clone(pieces)
    }

    fn sampler(&self, params: &SamplingParams) -> Result<Sampler> {
        let vocabulary = self.model.vocabulary();
        let forbidden: Vec<i32> = vocabulary.suppress_tokens().iter().map(|token| token.0).collect();
        let plan = sampling_plan::plan(params, &forbidden, self.memory.context.length())?;
        let seed = params
            .seed
            .or(self.seed)
            .map_or_else(sampler::fresh, sampler::fixed);
        Sampler::new(self.model, &plan, seed)
    }
}

//! From a request to a task: the prompt that fits, what chooses its tokens, what reads them.

use std::sync::Arc;
use std::time::Instant;

use hearth_protocol::answer::AnswerOptions;
use hearth_protocol::generate::SamplingParams;
use hearth_protocol::prompt::{Prompt, PromptMessage, PromptPart};
use hearth_protocol::{Error, Result};
use llama_cpp_2::token::LlamaToken;

use super::Scheduler;
use crate::engine::Job;
use crate::engine::worker::grammar::Grammar;
use crate::engine::worker::parse::{Family, Parser, Style};
use crate::engine::worker::prompt::{End, PromptError, Room};
use crate::engine::worker::sampler::{self, Pieces, Sampler};
use crate::engine::worker::sampling_plan;
use crate::engine::worker::speculation::Speculation;
use crate::engine::worker::task::{Rolling, Task, TaskParts, Thought};
use crate::engine::worker::text::Text;

/// A prompt as tokens, and how what follows is read.
struct Read {
    tokens: Vec<LlamaToken>,
    /// Messages that are not in it.
    left_out: u32,
    /// Its end, as far as it says how the answer begins.
    end_text: String,
    style: Style,
    rolling: Option<Rolling>,
}

impl Scheduler<'_> {
    pub(super) fn prepare(
        &mut self,
        id: u64,
        job: Job,
        asked_at: Instant,
    ) -> std::result::Result<Task, PromptError> {
        if let Some(slot) = job.slot {
            self.slot(slot)?;
        }
        let (params, options) = (job.sampling, job.answer);
        let Read {
            tokens,
            left_out,
            end_text,
            style,
            rolling,
        } = self.read(Arc::unwrap_or_clone(job.prompt), &options, params.max_tokens)?;
        let grammar = Grammar::demanded(&options, &style, &end_text)?;
        let mut sampler = self.sampler(&params, job.ignore_end)?;
        if let Some(grammar) = grammar {
            sampler.set_grammar(grammar, self.pieces());
        }
        sampler.accept(&tokens);
        let thought_end = style.thought_end().filter(|_| options.reasoning.budget.is_some());
        let vocabulary = self.model.vocabulary();
        let thought_end = thought_end.map(|text| vocabulary.tokenize(text.as_bytes(), false, true));
        let parser = Parser::new(style, &options, &end_text);
        let alone = options.deterministic;
        let mut stop = params.stop;
        stop.extend_from_slice(&self.reverse_prompts);
        Ok(Task::new(TaskParts {
            id,
            chat: job.chat,
            slot: job.slot.map(|slot| slot as usize),
            prompt: tokens,
            left_out,
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

    /// The tokens of a prompt for an answer of at most so many.
    fn read(
        &self,
        prompt: Prompt,
        options: &AnswerOptions,
        most: Option<u32>,
    ) -> std::result::Result<Read, PromptError> {
        let room = Room::for_answer(self.memory.context.length(), most);
        let (vocabulary, prompter) = (self.model.vocabulary(), self.model.prompter());
        let overflow = |prompt_tokens| {
            PromptError::Refused(Error::ContextOverflow {
                prompt_tokens,
                context_length: room.context,
            })
        };
        let tokens = match prompt {
            Prompt::Chat { messages, go_on } => {
                return self.read_chat(messages, End::of(go_on), options, room);
            }
            Prompt::Text(parts) => {
                let bytes = parts.iter().map(PromptPart::bytes).sum();
                room.check(bytes)?;
                prompter.text(&vocabulary, &parts)?
            }
            Prompt::Infill(infill) => {
                let tokens = prompter.infill(&vocabulary, &infill, room);
                tokens.ok_or_else(|| self.model.cannot_infill())?
            }
        };
        let count = u32::try_from(tokens.len()).unwrap_or(u32::MAX);
        if count > room.context {
            return Err(overflow(count));
        }
        Ok(Read {
            tokens,
            left_out: 0,
            end_text: String::new(),
            // What follows such a text is told as it is written.
            style: Style::detect(None),
            rolling: None,
        })
    }

    fn read_chat(
        &self,
        messages: Vec<PromptMessage>,
        end: End,
        options: &AnswerOptions,
        room: Room,
    ) -> std::result::Result<Read, PromptError> {
        if messages.iter().any(|message| !message.images.is_empty()) {
            return Err(self.model.cannot_see().into());
        }
        let (vocabulary, prompter) = (self.model.vocabulary(), self.model.prompter());
        let fitted = prompter.fitted(&vocabulary, &messages, options, end, room)?;
        let mut style = prompter.style(options)?;
        if fitted.prompt.tools_in_words {
            style.family = Family::Generic;
        }
        Ok(Read {
            tokens: fitted.prompt.tokens,
            left_out: fitted.left_out,
            end_text: fitted.prompt.end_text,
            style,
            rolling: Rolling::of(messages, options.clone(), end),
        })
    }

    /// The texts of the vocabulary, made when a grammar is first asked for.
    fn pieces(&mut self) -> Arc<Pieces> {
        let pieces = self
            .pieces
            .get_or_insert_with(|| Arc::new(Pieces::new(self.model)));
        Arc::clone(pieces)
    }

    /// What chooses the tokens; none that ends the text where the end is ignored.
    fn sampler(&self, params: &SamplingParams, ignore_end: bool) -> Result<Sampler> {
        let vocabulary = self.model.vocabulary();
        let mut forbidden: Vec<i32> = vocabulary.suppress_tokens().iter().map(|token| token.0).collect();
        if ignore_end {
            let ends = vocabulary.tokens().filter(|token| vocabulary.is_eog(*token));
            forbidden.extend(ends.map(|token| token.0));
        }
        let plan = sampling_plan::plan(params, &forbidden, self.memory.context.length())?;
        let seed = params
            .seed
            .or(self.seed)
            .map_or_else(sampler::fresh, sampler::fixed);
        Sampler::new(self.model, &plan, seed)
    }
}

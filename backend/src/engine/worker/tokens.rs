//! Texts to tokens and back, for those who ask.

use std::collections::VecDeque;
use std::io;

use hearth_protocol::Error;
use hearth_protocol::answer::AnswerOptions;
use hearth_protocol::prompt::{Prompt, Token};
use llama_cpp_2::token::LlamaToken;
use llama_cpp_2::vocab::LlamaVocab;

use super::model::Model;
use super::output::Output;
use super::prompt::{End, PromptError, Room, known};
use super::stop_flag::StopFlag;
use super::tokenizer::Reading;
use crate::engine::ipc::Response;
use crate::engine::question::Told;

/// Texts that are made tokens, a bounded part of each between two steps of the answers.
#[derive(Default)]
pub(super) struct Readings(VecDeque<Asked>);

/// A text, and who asked for its tokens.
struct Asked {
    id: u64,
    text: String,
    reading: Reading,
}

impl Readings {
    /// One more is asked for; with what is added to it and what is read in it, as llama.cpp has it.
    pub(super) fn take(
        &mut self,
        model: &Model,
        id: u64,
        text: String,
        (add_special, parse_special): (bool, bool),
    ) {
        let reading = Reading::new(&model.vocabulary(), &text, add_special, parse_special);
        self.0.push_back(Asked { id, text, reading });
    }

    /// Whether there is nothing to read.
    pub(super) fn is_idle(&self) -> bool {
        self.0.is_empty()
    }

    /// Reads a part of the one whose turn it is. One that is stopped goes.
    pub(super) fn step(&mut self, model: &Model, stop: &StopFlag, output: &mut Output) -> io::Result<()> {
        let Some(mut asked) = self.0.pop_front() else {
            return Ok(());
        };
        let id = asked.id;
        let response = if stop.is_stopped(id) {
            let error = Error::Cancelled;
            Response::Failed { id, error }
        } else if asked.reading.step(&model.vocabulary(), &asked.text) {
            let told = told(&model.vocabulary(), asked.text, asked.reading.into_tokens());
            Response::Told { id, told }
        } else {
            self.0.push_back(asked);
            return Ok(());
        };
        stop.end(id);
        output.send(&response)
    }
}

fn told(vocabulary: &LlamaVocab<'_>, text: String, tokens: Vec<LlamaToken>) -> Told {
    let tokens = tokens.into_iter().map(|token| Token {
        // An id is 0 or more.
        id: token.0.unsigned_abs(),
        bytes: vocabulary.token_to_piece(token, true, None),
    });
    Told::Tokens {
        text,
        tokens: tokens.collect(),
    }
}

/// The tokens of a prompt as an answer to it would begin.
///
/// # Errors
/// Those of an answer that would begin so, but that it is too long; `ModelCannot` for prompts where the model writes
/// nothing. `Poisoned` as it says.
pub(super) fn of_prompt(
    model: &Model,
    prompt: &Prompt,
    answer: &AnswerOptions,
) -> std::result::Result<Told, PromptError> {
    if model.only_embeds() {
        return Err(model.cannot_chat().into());
    }
    let (text, tokens) = prompt_tokens(model, prompt, answer)?;
    Ok(told(&model.vocabulary(), text, tokens))
}

fn prompt_tokens(
    model: &Model,
    prompt: &Prompt,
    answer: &AnswerOptions,
) -> std::result::Result<(String, Vec<LlamaToken>), PromptError> {
    let (vocabulary, prompter) = (model.vocabulary(), model.prompter());
    let tokens = match prompt {
        Prompt::Chat { messages, go_on } => {
            if messages.iter().any(|message| !message.images.is_empty()) {
                return Err(model.cannot_see().into());
            }
            let prompt = prompter.prompt(&vocabulary, messages, answer, End::of(*go_on))?;
            return Ok((prompt.text, prompt.tokens));
        }
        Prompt::Text(parts) => prompter.text(&vocabulary, parts)?,
        Prompt::Infill(infill) => {
            let room = Room::for_answer(model.context_length(), None);
            let tokens = prompter.infill(&vocabulary, infill, room);
            tokens.ok_or_else(|| model.cannot_infill())?
        }
    };
    Ok((text_of(model, &tokens), tokens))
}

/// The text of tokens.
///
/// # Errors
/// `Invalid` for an id that the model does not have.
pub(super) fn detokenize(model: &Model, ids: &[u32]) -> std::result::Result<Told, PromptError> {
    let tokens = known(&model.vocabulary(), ids, "tokens")?;
    Ok(Told::Text(text_of(model, &tokens)))
}

/// The text of tokens, control tokens written out. Bytes that are no characters become the sign for that.
fn text_of(model: &Model, tokens: &[LlamaToken]) -> String {
    if tokens.is_empty() {
        return String::new();
    }
    let bytes = model.vocabulary().detokenize(tokens, false, true);
    String::from_utf8_lossy(&bytes).into_owned()
}

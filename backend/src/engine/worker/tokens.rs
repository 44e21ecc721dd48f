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

/// Tokens that are told at once: what is told in between waits a millisecond, and not until a million are written and read.
const AT_ONCE: usize = 4_096;

/// Texts that are made tokens, a bounded part of each between two steps of the answers.
#[derive(Default)]
pub(super) struct Readings(VecDeque<Asked>);

/// A text, and who asked for its tokens.
struct Asked {
    id: u64,
    doing: Doing,
}

/// How far it has come.
enum Doing {
    Reading { text: String, reading: Reading },
    Telling(Telling),
}

/// A text whose tokens are told, some at a time.
pub(super) struct Telling {
    text: String,
    tokens: std::vec::IntoIter<LlamaToken>,
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
        let doing = Doing::Reading { text, reading };
        self.0.push_back(Asked { id, doing });
    }

    /// Whether there is nothing to read.
    pub(super) fn is_idle(&self) -> bool {
        self.0.is_empty()
    }

    /// Reads or tells a part of the one whose turn it is. One that is stopped goes.
    pub(super) fn step(&mut self, model: &Model, stop: &StopFlag, output: &mut Output) -> io::Result<()> {
        let Some(Asked { id, doing }) = self.0.pop_front() else {
            return Ok(());
        };
        if stop.is_stopped(id) {
            stop.end(id);
            let error = Error::Cancelled;
            return output.send(&Response::Failed { id, error });
        }
        let vocabulary = model.vocabulary();
        let doing = match doing {
            Doing::Reading { text, mut reading } => match reading.step(&vocabulary, &text) {
                true => Doing::Telling(Telling::new(text, reading.into_tokens())),
                false => Doing::Reading { text, reading },
            },
            Doing::Telling(telling) => match telling.tell_some(&vocabulary, id, stop, output)? {
                Some(telling) => Doing::Telling(telling),
                None => return Ok(()),
            },
        };
        self.0.push_back(Asked { id, doing });
        Ok(())
    }
}

impl Telling {
    fn new(text: String, tokens: Vec<LlamaToken>) -> Self {
        let tokens = tokens.into_iter();
        Self { text, tokens }
    }

    /// Tells some, and ends the question with the last; `None` then.
    pub(super) fn tell_some(
        mut self,
        vocabulary: &LlamaVocab<'_>,
        id: u64,
        stop: &StopFlag,
        output: &mut Output,
    ) -> io::Result<Option<Self>> {
        let some = self.tokens.by_ref().take(AT_ONCE);
        let tokens = some.map(|token| shown(vocabulary, token)).collect();
        if self.tokens.len() > 0 {
            output.send(&Response::ToldSome { id, tokens })?;
            return Ok(Some(self));
        }
        stop.end(id);
        let told = Told::Tokens {
            text: self.text,
            tokens,
        };
        output.send(&Response::Told { id, told })?;
        Ok(None)
    }
}

fn shown(vocabulary: &LlamaVocab<'_>, token: LlamaToken) -> Token {
    Token {
        // An id is 0 or more.
        id: token.0.unsigned_abs(),
        bytes: vocabulary.token_to_piece(token, true, None),
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
    let Telling { text, tokens } = to_tell(model, prompt, answer)?;
    let vocabulary = model.vocabulary();
    let tokens = tokens.map(|token| shown(&vocabulary, token)).collect();
    Ok(Told::Tokens { text, tokens })
}

/// The same, to be told some at a time.
///
/// # Errors
/// As [`of_prompt`].
pub(super) fn to_tell(
    model: &Model,
    prompt: &Prompt,
    answer: &AnswerOptions,
) -> std::result::Result<Telling, PromptError> {
    if model.only_embeds() {
        return Err(model.cannot_chat().into());
    }
    let (text, tokens) = prompt_tokens(model, prompt, answer)?;
    Ok(Telling::new(text, tokens))
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

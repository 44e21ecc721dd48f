//! Texts to tokens and back, for those who ask.

use hearth_protocol::answer::AnswerOptions;
use hearth_protocol::prompt::{Prompt, Token, TokenizeInput};
use llama_cpp_2::token::LlamaToken;

use super::model::Model;
use super::prompt::{End, PromptError, Room, known};
use super::tokenizer::tokenize as tokenize_text;
use crate::engine::question::Told;

/// The tokens of a text, or of a prompt as an answer to it would begin.
///
/// # Errors
/// Those of an answer that would begin so, but that it is too long; `ModelCannot` for prompts where the model writes
/// nothing. `Poisoned` as it says.
pub(super) fn tokenize(model: &Model, input: TokenizeInput) -> std::result::Result<Told, PromptError> {
    let vocabulary = model.vocabulary();
    let (text, tokens) = match input {
        TokenizeInput::Text {
            text,
            add_special,
            parse_special,
        } => {
            let tokens = tokenize_text(&vocabulary, &text, add_special, parse_special);
            (text, tokens)
        }
        TokenizeInput::Prompt { .. } if model.only_embeds() => return Err(model.cannot_chat().into()),
        TokenizeInput::Prompt { prompt, answer } => of_prompt(model, &prompt, &answer)?,
    };
    let tokens = tokens.into_iter().map(|token| Token {
        // An id is 0 or more.
        id: token.0.unsigned_abs(),
        bytes: vocabulary.token_to_piece(token, true, None),
    });
    Ok(Told::Tokens {
        text,
        tokens: tokens.collect(),
    })
}

fn of_prompt(
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

//! Prompts that no template writes: a text that a program has put together, and the gap between two texts.

use hearth_protocol::prompt::{Infill, PromptPart};
use hearth_protocol::{Error, Result};
use llama_cpp_2::token::LlamaToken;
use llama_cpp_2::vocab::LlamaVocab;

use super::{Prompter, Room, plain, tokenize};

/// Stands between other files where the model has no token for that, as in llama.cpp (`format_prompt_infill` of
/// `server-common.cpp`).
const SNIPPET: &str = "\n\n--- snippet ---\n\n";

/// Stand for the names of the work and of the file with the gap, which nobody says; llama.cpp's.
const REPOSITORY: &str = "myproject\n";
const FILE: &str = "filename\n";

impl Prompter {
    /// The tokens of a text, at least one. What looks like a control token in it is one.
    ///
    /// # Errors
    /// `Invalid` for token ids that the model does not have, and where there is nothing to go on with.
    pub(in super::super) fn text(
        &self,
        vocabulary: &LlamaVocab<'_>,
        parts: &[PromptPart],
    ) -> Result<Vec<LlamaToken>> {
        let mut tokens = Vec::new();
        for part in parts {
            match part {
                PromptPart::Text(text) if text.is_empty() => (),
                PromptPart::Text(text) => {
                    tokens.extend(tokenize(vocabulary, text, false, true));
                }
                PromptPart::Tokens(ids) => tokens.extend(known(vocabulary, ids, "prompt")?),
            }
        }
        let is_empty = |part: &&PromptPart| match part {
            PromptPart::Text(text) => text.is_empty(),
            PromptPart::Tokens(ids) => ids.is_empty(),
        };
        let begins_with_ids = matches!(
            parts.iter().find(|part| !is_empty(part)),
            Some(PromptPart::Tokens(_))
        );
        if let Some(first) = self.first
            && !begins_with_ids
            && tokens.first() != Some(&first)
        {
            tokens.insert(0, first);
        }
        if tokens.is_empty() {
            let first = Some(vocabulary.bos()).filter(|token| token.0 >= 0);
            tokens.push(first.ok_or_else(|| {
                Error::invalid(
                    "prompt",
                    "is empty, and this model has no token to begin a text with",
                )
            })?);
        }
        Ok(tokens)
    }

    /// The tokens of a gap and of what is around it, in llama.cpp's order: other files, the text before the gap, the text
    /// behind it, and what the gap begins with. Where there is too little room, the least important files and what is far
    /// from the gap are left out. `None` where the model was not trained for gaps.
    pub(in super::super) fn infill(
        &self,
        vocabulary: &LlamaVocab<'_>,
        infill: &Infill,
        room: Room,
    ) -> Option<Vec<LlamaToken>> {
        let there = |token: LlamaToken| Some(token).filter(|token| token.0 >= 0);
        let prefix = there(vocabulary.fim_pre())?;
        let suffix = there(vocabulary.fim_suf())?;
        let middle = there(vocabulary.fim_mid())?;
        let mut before = plain(vocabulary, &infill.before);
        let mut after = plain(vocabulary, &infill.after);
        let begun = plain(vocabulary, &infill.begun);

        let around = 3 + begun.len() + usize::from(self.first.is_some());
        let room = (room.context.saturating_sub(room.answer) as usize).saturating_sub(around);
        if before.len() + after.len() > room {
            // Three quarters for what stands before, as in llama.cpp, and what the one does not need for the other.
            let most_after = (room / 4).max(room.saturating_sub(before.len()));
            after.truncate(most_after);
            before.drain(..before.len().saturating_sub(room - after.len()));
        }
        let left = room - before.len() - after.len();

        let mut tokens: Vec<_> = self.first.into_iter().collect();
        tokens.extend(files(vocabulary, infill, left));
        tokens.push(prefix);
        tokens.extend(before);
        tokens.push(suffix);
        tokens.extend(after);
        tokens.push(middle);
        tokens.extend(begun);
        Some(tokens)
    }
}

/// The tokens of as many other files as there is room for, the most important ones, which are the last.
fn files(vocabulary: &LlamaVocab<'_>, infill: &Infill, room: usize) -> Vec<LlamaToken> {
    let there = |token: LlamaToken| Some(token).filter(|token| token.0 >= 0);
    let separator = there(vocabulary.fim_sep());
    let mut head = Vec::new();
    if let Some(repository) = there(vocabulary.fim_rep()) {
        head.push(repository);
        head.extend(plain(vocabulary, REPOSITORY));
    }
    let mut end = Vec::new();
    if let Some(separator) = separator {
        end.push(separator);
        end.extend(plain(vocabulary, FILE));
    }
    let mut left = room.saturating_sub(head.len() + end.len());
    let mut taken = Vec::new();
    for file in infill.files.iter().rev() {
        let mut tokens = Vec::new();
        match separator {
            Some(separator) => {
                tokens.push(separator);
                tokens.extend(plain(vocabulary, &format!("{}\n", file.name)));
            }
            None => tokens.extend(plain(vocabulary, SNIPPET)),
        }
        tokens.extend(plain(vocabulary, &file.text));
        if tokens.len() > left {
            break;
        }
        left -= tokens.len();
        taken.push(tokens);
    }
    if taken.is_empty() {
        return Vec::new();
    }
    taken.push(head);
    let mut tokens: Vec<_> = taken.into_iter().rev().flatten().collect();
    tokens.extend(end);
    tokens
}

/// The tokens with these ids.
///
/// # Errors
/// `Invalid` for an id that the model does not have; names the field.
pub(in super::super) fn known(
    vocabulary: &LlamaVocab<'_>,
    ids: &[u32],
    field: &str,
) -> Result<Vec<LlamaToken>> {
    let known = |id: &u32| i32::try_from(*id).ok().filter(|id| *id < vocabulary.n_tokens());
    let token = |id: &u32| known(id).map(LlamaToken).ok_or(*id);
    let tokens: std::result::Result<_, u32> = ids.iter().map(token).collect();
    tokens.map_err(|id| Error::invalid(field, format!("holds {id}, which is no token of this model")))
}

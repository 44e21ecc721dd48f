//! The texts of one request on their way: what the next batch holds of them, and what becomes of it.

use std::collections::VecDeque;
use std::io;

use hearth_protocol::embed::{EmbedInput, EmbedOptions, Pooling, TooLong};
use hearth_protocol::{Error, Result};
use llama_cpp_2::token::LlamaToken;

use super::Broken;
use super::pooled::Pooled;
use crate::engine::EmbedJob;
use crate::engine::ipc::Response;
use crate::engine::worker::batch::{Batch, Sequence};
use crate::engine::worker::context::Context;
use crate::engine::worker::model::Model;
use crate::engine::worker::output::Output;
use crate::engine::worker::prompt::{Room, known};
use crate::engine::worker::tokenizer::tokenize;

/// Bytes of text that are made tokens between two steps, so that many texts do not hold up the answers beside them.
const READ_AT_ONCE: usize = 64 << 10;

/// Texts to embed, in their order.
pub(super) struct Task {
    id: u64,
    options: EmbedOptions,
    pooling: Pooling,
    width: usize,
    /// Not yet made tokens.
    unread: VecDeque<EmbedInput>,
    /// Made tokens, at least one each.
    texts: Vec<Vec<LlamaToken>>,
    /// The first text that is not embedded.
    next: usize,
    /// How many of its tokens are computed.
    computed: usize,
    /// What these give.
    pooled: Pooled,
    /// Whether it has been told that it has begun.
    begun: bool,
}

/// What a batch may hold.
#[derive(Debug, Clone, Copy)]
pub(super) struct Most {
    /// Tokens.
    pub(super) tokens: usize,
    /// Texts.
    pub(super) texts: usize,
    /// A text must be computed at once, even where it has more tokens.
    pub(super) at_once: bool,
}

/// What a batch holds of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part {
    /// Place of its first token in the batch.
    first: usize,
    /// Tokens.
    count: usize,
}

impl Task {
    /// # Errors
    /// `ModelCannot` for a reranker; `Invalid` for more dimensions than the model has.
    pub(super) fn new(id: u64, job: EmbedJob, model: &Model) -> Result<Self> {
        let trained = model.pooling()?;
        let width = model.vector_width();
        if job
            .options
            .dimensions
            .is_some_and(|wanted| wanted == 0 || wanted as usize > width)
        {
            return Err(Error::invalid("dimensions", format!("must be from 1 to {width}")));
        }
        let pooling = job.options.pooling.or(trained).unwrap_or(Pooling::Mean);
        Ok(Self {
            id,
            options: job.options,
            pooling,
            width,
            unread: job.inputs.into(),
            texts: Vec::new(),
            next: 0,
            computed: 0,
            pooled: Pooled::new(pooling, width),
            begun: false,
        })
    }

    pub(super) fn id(&self) -> u64 {
        self.id
    }

    /// Tells once that it has begun.
    pub(super) fn begin(&mut self, output: &mut Output) -> io::Result<()> {
        if std::mem::replace(&mut self.begun, true) {
            return Ok(());
        }
        output.send(&Response::Begun {
            id: self.id,
            left_out: 0,
        })
    }

    /// Makes some more of the texts tokens; whether all are.
    ///
    /// # Errors
    /// `TextTooLong`; `Invalid` for token ids that the model does not have, and for a text of which it reads nothing.
    pub(super) fn read_some(&mut self, model: &Model) -> Result<bool> {
        let room = Room::for_text(model.context_length());
        let most = room.context as usize;
        let mut bytes = 0;
        while bytes < READ_AT_ONCE
            && let Some(mut input) = self.unread.pop_front()
        {
            let place = self.texts.len() + 1;
            let too_long = |tokens: usize| {
                let number = |count| u32::try_from(count).unwrap_or(u32::MAX);
                Error::TextTooLong {
                    place: number(place),
                    tokens: number(tokens),
                    most: number(most),
                }
            };
            if let EmbedInput::Text(text) = &mut input {
                if let Some(tokens) = room.far_too_long(text.len()) {
                    match self.options.too_long {
                        TooLong::Refuse => return Err(too_long(tokens as usize)),
                        TooLong::Cut => text.truncate(text.floor_char_boundary(room.most_bytes())),
                    }
                }
                bytes += text.len();
            }
            let mut tokens = tokens_of(&input, place, model)?;
            if tokens.len() > most {
                match self.options.too_long {
                    TooLong::Refuse => return Err(too_long(tokens.len())),
                    TooLong::Cut => cut(&mut tokens, most, &input, model),
                }
            }
            self.texts.push(tokens);
        }
        Ok(self.unread.is_empty())
    }

    /// Tokens of the longest text.
    pub(super) fn longest(&self) -> usize {
        self.texts.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Fills the batch with what comes next: a piece of a long text, or some texts as a whole, each in a sequence of its own
    /// from 0 on. What a text's earlier pieces left in sequence 0 is still there.
    pub(super) fn fill(&self, batch: &mut Batch, most: Most) -> Vec<Part> {
        batch.clear();
        let mut parts = Vec::new();
        let mut room = most.tokens;
        for text in self.texts[self.next..].iter().take(most.texts) {
            let computed = if parts.is_empty() { self.computed } else { 0 };
            let left = text.len() - computed;
            let count = if left <= room || (most.at_once && parts.is_empty()) {
                left
            } else if parts.is_empty() {
                room
            } else {
                break;
            };
            let sequence = Sequence(parts.len() as i32);
            let first = batch.add(sequence, &text[computed..computed + count], computed, count);
            parts.push(Part {
                first: first as usize,
                count,
            });
            room = room.saturating_sub(count);
            // A long text needs the whole context for itself.
            if computed > 0 || count < left {
                break;
            }
        }
        parts
    }

    /// Takes what was computed of a batch, and tells the vectors of the texts that are complete with it.
    pub(super) fn take(
        &mut self,
        parts: &[Part],
        context: &mut Context<'_>,
        output: &mut Output,
    ) -> std::result::Result<(), Broken> {
        for part in parts {
            for place in part.first..part.first + part.count {
                let vector = context.vector(place, self.width);
                self.pooled
                    .add(vector.ok_or_else(|| Error::internal("llama.cpp gave no vector"))?);
            }
            self.computed += part.count;
            let tokens = self.texts[self.next].len();
            if self.computed < tokens {
                continue;
            }
            let pooled = self.begin_next();
            let vector = pooled.finish(self.options.dimensions, self.options.normalise);
            let unsound = || Error::internal(format!("the model gave no numbers for text {}", self.next));
            output.send(&Response::Vector {
                id: self.id,
                tokens: u32::try_from(tokens).unwrap_or(u32::MAX),
                vector: vector.ok_or_else(unsound)?,
            })?;
        }
        Ok(())
    }

    /// Goes to the next text, and gives what the last one left.
    fn begin_next(&mut self) -> Pooled {
        self.next += 1;
        self.computed = 0;
        std::mem::replace(&mut self.pooled, Pooled::new(self.pooling, self.width))
    }

    /// Begins the text anew of which a part is computed.
    pub(super) fn restart(&mut self) {
        self.computed = 0;
        self.pooled = Pooled::new(self.pooling, self.width);
    }

    /// Whether nothing of what is computed is needed for the next batch.
    pub(super) fn is_between_texts(&self) -> bool {
        self.computed == 0
    }

    /// Whether all texts are embedded.
    pub(super) fn is_done(&self) -> bool {
        self.unread.is_empty() && self.next == self.texts.len()
    }
}

/// The tokens of a text, at least one.
fn tokens_of(input: &EmbedInput, place: usize, model: &Model) -> Result<Vec<LlamaToken>> {
    let vocabulary = model.vocabulary();
    let field = format!("input {place}");
    let tokens = match input {
        EmbedInput::Text(text) => tokenize(&vocabulary, text, true, false),
        EmbedInput::Tokens(ids) => known(&vocabulary, ids, &field)?,
    };
    if tokens.is_empty() {
        return Err(Error::invalid(&field, "holds nothing that this model reads"));
    }
    Ok(tokens)
}

/// Shortens a text to so many tokens. The token that ends each text stays at its end.
fn cut(tokens: &mut Vec<LlamaToken>, most: usize, input: &EmbedInput, model: &Model) {
    let vocabulary = model.vocabulary();
    let ends_all = vocabulary.should_add_eos() || vocabulary.should_add_sep();
    let end = tokens.last().copied();
    tokens.truncate(most);
    if let (EmbedInput::Text(_), true, Some(end), Some(last)) = (input, ends_all, end, tokens.last_mut()) {
        *last = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(lengths: &[usize], computed: usize) -> Task {
        Task {
            id: 1,
            options: EmbedOptions::default(),
            pooling: Pooling::Mean,
            width: 1,
            unread: VecDeque::new(),
            texts: lengths
                .iter()
                .map(|length| vec![LlamaToken(7); *length])
                .collect(),
            next: 0,
            computed,
            pooled: Pooled::new(Pooling::Mean, 1),
            begun: true,
        }
    }

    #[test]
    fn a_batch_holds_whole_texts_or_a_piece_of_one() {
        let cases: [(&[usize], usize, bool, &[usize]); 8] = [
            (&[3, 4, 2, 1], 0, false, &[3, 4]),
            (&[3, 4, 1, 1], 0, false, &[3, 4, 1]),
            (&[20, 1], 0, false, &[8]),
            (&[20, 1], 8, false, &[8]),
            // Its end is computed alone too, since the rest of it fills the context.
            (&[20, 1], 16, false, &[4]),
            (&[20, 1], 0, true, &[20]),
            (&[3, 20], 0, true, &[3]),
            (&[1, 1, 1, 1, 1], 0, true, &[1, 1, 1, 1]),
        ];
        for (lengths, computed, at_once, expected) in cases {
            let most = Most {
                tokens: 8,
                texts: 4,
                at_once,
            };
            let mut batch = Batch::default();
            let parts = task(lengths, computed).fill(&mut batch, most);
            let counts: Vec<_> = parts.iter().map(|part| part.count).collect();
            assert_eq!(counts, expected, "{lengths:?} from {computed}");
            assert_eq!(batch.len(), counts.iter().sum::<usize>());
            let firsts: Vec<_> = parts.iter().map(|part| part.first).collect();
            let sums = expected
                .iter()
                .scan(0, |sum, count| Some(std::mem::replace(sum, *sum + count)));
            assert_eq!(firsts, sums.collect::<Vec<_>>());
        }
    }
}

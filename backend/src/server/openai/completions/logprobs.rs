//! How likely tokens were, in the shape of plain completions: lists beside each other.

use hearth_protocol::answer::{Logprobs, TokenChance};
use hearth_protocol::openai::completion::CompletionLogprobs;

use super::super::logprobs::finite;

/// How far the text of a choice has come.
#[derive(Debug, Default)]
pub(super) struct Offsets {
    /// Characters that have begun.
    begun: u32,
}

impl Offsets {
    /// What came since the last time; `None` where there is nothing.
    pub(super) fn wire(&mut self, tokens: &[Logprobs]) -> Option<CompletionLogprobs> {
        let mut wire = CompletionLogprobs::default();
        for token in tokens {
            let chosen = &token.chosen;
            let all = token.top.iter().chain([chosen]);
            wire.tokens.push(text(chosen));
            wire.token_logprobs.push(finite(chosen.logprob));
            wire.top_logprobs
                .push(all.map(|chance| (text(chance), finite(chance.logprob))).collect());
            wire.text_offset.push(self.pass(&chosen.bytes));
        }
        (!tokens.is_empty()).then_some(wire)
    }

    /// Where a token begins, in characters. One that goes on with a character stands where that began.
    fn pass(&mut self, bytes: &[u8]) -> u32 {
        let goes_on = |byte: &u8| byte & 0b1100_0000 == 0b1000_0000;
        let offset = match bytes.first() {
            Some(first) if goes_on(first) => self.begun.saturating_sub(1),
            _ => self.begun,
        };
        let begun = bytes.iter().filter(|byte| !goes_on(byte)).count();
        self.begun += u32::try_from(begun).unwrap_or(u32::MAX);
        offset
    }
}

/// A token's text; as OpenAI writes it where it holds only a part of a character, since that has no text.
fn text(chance: &TokenChance) -> String {
    match std::str::from_utf8(&chance.bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => {
            let bytes: String = chance.bytes.iter().map(|byte| format!("\\x{byte:02x}")).collect();
            format!("bytes:{bytes}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_of_several_tokens_are_counted_once() {
        let token = |bytes: &[u8], logprob: f32| Logprobs {
            chosen: TokenChance {
                token: 1,
                bytes: bytes.to_vec(),
                logprob,
            },
            top: vec![TokenChance {
                token: 2,
                bytes: b"x".to_vec(),
                logprob: -0.5,
            }],
        };
        let mut offsets = Offsets::default();
        let tokens = [
            token(b"a", -1.0),
            token(b"\xf0\x9f", f32::NEG_INFINITY),
            token(b"\x99\x82", -1.0),
            token("ü!".as_bytes(), -1.0),
        ];
        let first = offsets.wire(&tokens).expect("logprobs");
        assert_eq!(first.tokens, ["a", r"bytes:\xf0\x9f", r"bytes:\x99\x82", "ü!"]);
        assert_eq!(first.text_offset, [0, 1, 1, 2]);
        assert_eq!(first.token_logprobs[1], f32::MIN);
        assert_eq!(first.top_logprobs[0].get("x"), Some(&-0.5));
        assert_eq!(first.top_logprobs[0].get("a"), Some(&-1.0));
        let next = offsets.wire(&[token(b"z", -1.0)]).expect("logprobs");
        assert_eq!(next.text_offset, [4]);
        assert_eq!(offsets.wire(&[]), None);
    }
}

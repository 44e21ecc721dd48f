//! How likely tokens were, in OpenAI's shape.

use hearth_protocol::answer::{Logprobs, TokenChance};
use hearth_protocol::openai::chat::{Logprobs as Wire, TokenLogprob, TopLogprob};

/// Logprobs of tokens; `None` where there are none.
pub(in crate::server) fn wire(tokens: &[Logprobs]) -> Option<Wire> {
    (!tokens.is_empty()).then(|| Wire {
        content: tokens.iter().map(token).collect(),
        refusal: None,
    })
}

fn token(token: &Logprobs) -> TokenLogprob {
    TokenLogprob {
        token: text(&token.chosen),
        logprob: finite(token.chosen.logprob),
        bytes: Some(token.chosen.bytes.clone()),
        top_logprobs: token.top.iter().map(top).collect(),
    }
}

fn top(chance: &TokenChance) -> TopLogprob {
    TopLogprob {
        token: text(chance),
        logprob: finite(chance.logprob),
        bytes: Some(chance.bytes.clone()),
    }
}

/// A token's text. Half a character shows as U+FFFD; its bytes stand beside it.
pub(in crate::server) fn text(chance: &TokenChance) -> String {
    String::from_utf8_lossy(&chance.bytes).into_owned()
}

/// JSON knows no infinity.
pub(in crate::server) fn finite(logprob: f32) -> f32 {
    logprob.max(f32::MIN)
}

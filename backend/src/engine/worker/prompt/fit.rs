//! What of a chat fits the context: whole turns are left out, never the system prompt and the newest turn.
//!
//! A turn is what a person said with all that came of it: answers, calls of tools and their results.

use hearth_protocol::Error;
use hearth_protocol::answer::ContextPolicy;
use hearth_protocol::chat::Role;
use hearth_protocol::prompt::PromptMessage;

/// More bytes than the tokens of any text have on the average. A text with more of them than the context holds tokens is
/// too long without being counted, which would take seconds for many megabytes, and nobody else would be answered.
const BYTES_PER_TOKEN: usize = 64;

/// What there is room for, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Room {
    /// What the context holds.
    pub(in super::super) context: u32,
    /// What of it shall stay free for the answer, where turns can be left out for it.
    pub(in super::super) answer: u32,
}

/// A share of the context that is kept free for the answer where something can be left out for it.
const ANSWER_SHARE: u32 = 4;

impl Room {
    /// A context of so many tokens for a text alone.
    pub(in super::super) fn for_text(context: u32) -> Self {
        Self { context, answer: 0 }
    }

    /// A context of so many tokens, with room for an answer of at most so many.
    pub(in super::super) fn for_answer(context: u32, most: Option<u32>) -> Self {
        let share = context / ANSWER_SHARE;
        Self {
            context,
            answer: most.map_or(share, |most| most.min(share)),
        }
    }

    /// The fewest tokens of a text of so many bytes, where they are more than the context holds by far; `None` where the
    /// text must be counted.
    pub(in super::super) fn far_too_long(self, bytes: usize) -> Option<u32> {
        let fewest = u32::try_from(bytes / BYTES_PER_TOKEN).unwrap_or(u32::MAX);
        (fewest > self.context).then_some(fewest)
    }

    /// The most bytes of a text that must be counted.
    pub(in super::super) fn most_bytes(self) -> usize {
        (self.context as usize + 1) * BYTES_PER_TOKEN - 1
    }

    /// Refuses a text of so many bytes where it is [far too long](Self::far_too_long).
    ///
    /// # Errors
    /// `ContextOverflow` with the fewest tokens that it has.
    pub(in super::super) fn check(self, bytes: usize) -> Result<(), Error> {
        match self.far_too_long(bytes) {
            Some(prompt_tokens) => Err(Error::ContextOverflow {
                prompt_tokens,
                context_length: self.context,
            }),
            None => Ok(()),
        }
    }
}

/// What is kept of a chat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fitted {
    /// The messages, in their order.
    pub(super) messages: Vec<PromptMessage>,
    /// How many are left out.
    pub(super) left_out: u32,
}

/// Leaves out as few turns as the policy and the room demand. All system messages stay, and so does the newest turn.
/// `Rolling` gives up the oldest turns first; `KeepEnds` those behind the first, and the first itself at the very
/// last; `Stop` gives up none. Where not even the least leaves room for the answer, it is taken with what room there
/// is.
///
/// `beside` are the bytes of what stands beside the messages, such as tools.
/// `count` gives the tokens of messages; it is asked a few times, about the logarithm of the number of turns, and
/// never for much more than the context holds.
///
/// # Errors
/// `ContextOverflow`, with the tokens of the least that can be kept, where that does not fit; and those of `count`.
pub(super) fn fit<E: From<Error>>(
    messages: &[PromptMessage],
    beside: usize,
    room: Room,
    policy: ContextPolicy,
    mut count: impl FnMut(&[PromptMessage]) -> Result<u32, E>,
) -> Result<Fitted, E> {
    let plans = Plans::new(messages, policy);
    let least = plans.count() - 1;
    let wanted = match policy {
        ContextPolicy::Stop => room.context,
        ContextPolicy::Rolling | ContextPolicy::KeepEnds => room.context.saturating_sub(room.answer),
    };
    let mut tokens_of = |plan: usize| {
        let messages = plans.messages(plan);
        let texts = messages.iter().map(|message| message.text.len());
        let bytes = beside + texts.sum::<usize>();
        // Who speaks is a token of each at least: a hundred thousand empty messages take seconds to render.
        match room.far_too_long(bytes.max(messages.len() * BYTES_PER_TOKEN)) {
            Some(tokens) => Ok(tokens),
            None => count(&messages),
        }
    };
    let mut too_much = None;
    if least > 0 {
        if tokens_of(0)? <= wanted {
            return Ok(plans.fitted(0));
        }
        too_much = Some(0);
    }
    let tokens = tokens_of(least)?;
    if tokens > room.context {
        return Err(Error::ContextOverflow {
            prompt_tokens: tokens,
            context_length: room.context,
        }
        .into());
    }
    if tokens > wanted {
        return Ok(plans.fitted(least));
    }
    // From the least on, ever further up, until it is too much; then between the two.
    let mut fits = least;
    let mut step = 1;
    while fits > too_much.map_or(0, |plan: usize| plan + step) {
        let plan = fits.saturating_sub(step);
        if tokens_of(plan)? <= wanted {
            fits = plan;
            step *= 2;
        } else {
            too_much = Some(plan);
            break;
        }
    }
    let mut too_much = too_much.unwrap_or(0);
    while fits > too_much + 1 {
        let plan = too_much + (fits - too_much) / 2;
        if tokens_of(plan)? <= wanted {
            fits = plan;
        } else {
            too_much = plan;
        }
    }
    Ok(plans.fitted(fits))
}

/// What can be kept of a chat, from all of it (0) to the least.
struct Plans<'a> {
    messages: &'a [PromptMessage],
    /// For each message the turn it belongs to; `None` for what always stays.
    turns: Vec<Option<usize>>,
    /// How many turns there are.
    count: usize,
    policy: ContextPolicy,
}

impl<'a> Plans<'a> {
    fn new(messages: &'a [PromptMessage], policy: ContextPolicy) -> Self {
        let mut turns = Vec::with_capacity(messages.len());
        let mut count = 0;
        for message in messages {
            // What an assistant says before anyone else is a turn too.
            if message.role == Role::User || (count == 0 && message.role != Role::System) {
                count += 1;
            }
            turns.push((message.role != Role::System).then(|| count - 1));
        }
        Self {
            messages,
            turns,
            count,
            policy,
        }
    }

    /// How many plans there are, at least one.
    fn count(&self) -> usize {
        match self.policy {
            ContextPolicy::Stop => 1,
            // One for each turn that is the oldest to stay; with the first kept, the second is the oldest that
            // can go.
            ContextPolicy::Rolling | ContextPolicy::KeepEnds => self.count.max(1),
        }
    }

    fn keeps(&self, plan: usize, turn: usize) -> bool {
        let newest = self.count - 1;
        match self.policy {
            ContextPolicy::Stop => true,
            ContextPolicy::Rolling => turn >= plan,
            // The last plan but one keeps the first and the newest; only the last gives up the first.
            ContextPolicy::KeepEnds if plan == newest && plan > 0 => turn == newest,
            ContextPolicy::KeepEnds => turn == 0 || turn > plan,
        }
    }

    fn messages(&self, plan: usize) -> Vec<PromptMessage> {
        let kept = self.turns.iter().zip(self.messages);
        let kept = kept.filter(|(turn, _)| turn.is_none_or(|turn| self.keeps(plan, turn)));
        kept.map(|(_, message)| message.clone()).collect()
    }

    fn fitted(&self, plan: usize) -> Fitted {
        let messages = self.messages(plan);
        let left_out = self.messages.len() - messages.len();
        Fitted {
            messages,
            left_out: u32::try_from(left_out).unwrap_or(u32::MAX),
        }
    }
}

#[cfg(test)]
mod tests;

//! Long prompts that are only counted, on a thread of their own: a template takes seconds for a hundred thousand messages,
//! and the engine's thread has everyone's next token to compute meanwhile.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::{Builder, Scope};

use hearth_protocol::Error;
use hearth_protocol::answer::AnswerOptions;
use hearth_protocol::prompt::{Prompt, PromptPart};
use hearth_protocol::tools::Tool;

use super::STACK_BYTES;
use super::model::Model;
use super::output::Output;
use super::scheduler::{Halt, tell};
use super::stop_flag::StopFlag;
use super::tokens::to_tell;

/// Messages of the longest chat that is counted at once, within milliseconds.
const MESSAGES: usize = 128;

/// Bytes, or token ids, of the longest prompt that is.
const BYTES: usize = 32 << 10;

/// The long prompts that are counted, one after the other in the order they came.
pub(super) struct Counting {
    asked: Sender<Asked>,
    /// Those that are not told yet.
    left: Arc<AtomicUsize>,
    /// Why the worker cannot go on, from the thread.
    halts: Receiver<Halt>,
}

/// A prompt, and who asked for its tokens.
struct Asked {
    id: u64,
    prompt: Prompt,
    answer: Box<AnswerOptions>,
}

impl Counting {
    /// Starts the thread, which ends once this is dropped.
    ///
    /// # Errors
    /// Where the system has no thread for it.
    pub(super) fn start<'scope>(
        scope: &'scope Scope<'scope, '_>,
        model: &'scope Model,
        stop: &'scope StopFlag,
    ) -> Result<Self, Halt> {
        let (asked, prompts) = channel();
        let (halt, halts) = channel();
        let left = Arc::new(AtomicUsize::new(0));
        let here = Arc::clone(&left);
        let thread = Builder::new().name("hearth-counting".into());
        let thread = thread.stack_size(STACK_BYTES).spawn_scoped(scope, move || {
            if let Err(why) = count(model, stop, &prompts, &here) {
                // The engine has ended where nobody hears it.
                halt.send(why).unwrap_or_default();
            }
        });
        thread.map_err(Halt::Counting)?;
        Ok(Self { asked, left, halts })
    }

    /// Counts one more.
    ///
    /// # Errors
    /// Where the thread has ended.
    pub(super) fn take(&self, id: u64, prompt: Prompt, answer: Box<AnswerOptions>) -> Result<(), Halt> {
        self.left.fetch_add(1, Ordering::AcqRel);
        let asked = Asked { id, prompt, answer };
        self.asked.send(asked).map_err(|_| gone())
    }

    /// Whether there is something that is not told yet.
    pub(super) fn is_at_work(&self) -> bool {
        self.left.load(Ordering::Acquire) > 0
    }

    /// Whether the worker can go on.
    ///
    /// # Errors
    /// Why it cannot, such as a template that cannot be stopped.
    pub(super) fn check(&self) -> Result<(), Halt> {
        match self.halts.try_recv() {
            Ok(halt) => Err(halt),
            Err(TryRecvError::Empty) => Ok(()),
            Err(TryRecvError::Disconnected) => Err(gone()),
        }
    }
}

/// The thread has ended without a reason of its own: by a panic, which stands in the log.
fn gone() -> Halt {
    Halt::Counting(io::Error::other("it broke"))
}

/// Whether a prompt takes so long to be counted that others would feel it.
pub(super) fn is_long(prompt: &Prompt, answer: &AnswerOptions) -> bool {
    let (messages, ids) = match prompt {
        Prompt::Chat { messages, .. } => (messages.len(), 0),
        Prompt::Text(parts) => (0, parts.iter().map(ids).sum()),
        Prompt::Infill(_) => (0, 0),
    };
    let tools = answer.tools.iter().map(Tool::bytes);
    messages > MESSAGES || prompt.bytes() + ids + tools.sum::<usize>() > BYTES
}

fn ids(part: &PromptPart) -> usize {
    match part {
        PromptPart::Text(_) => 0,
        PromptPart::Tokens(ids) => ids.len(),
    }
}

/// Counts until nobody asks any more. One that is stopped goes, before its turn or while it is told.
fn count(model: &Model, stop: &StopFlag, asked: &Receiver<Asked>, left: &AtomicUsize) -> Result<(), Halt> {
    let mut output = Output::default();
    for Asked { id, prompt, answer } in asked {
        let mut told = match stop.is_stopped(id) {
            true => Err(Error::Cancelled.into()),
            false => to_tell(model, &prompt, &answer),
        };
        loop {
            told = match told {
                Ok(_) if stop.is_stopped(id) => Err(Error::Cancelled.into()),
                Ok(telling) => match telling.tell_some(&model.vocabulary(), id, stop, &mut output)? {
                    Some(telling) => Ok(telling),
                    None => break,
                },
                Err(error) => {
                    stop.end(id);
                    tell(id, Err(error), &mut output)?;
                    break;
                }
            };
        }
        left.fetch_sub(1, Ordering::AcqRel);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use hearth_protocol::chat::Role;
    use hearth_protocol::prompt::{Infill, PromptMessage};

    use super::*;

    #[test]
    fn a_prompt_is_long_by_its_messages_or_by_its_text() {
        let chat =
            |count: usize, text: &str| Prompt::chat(vec![PromptMessage::text(Role::User, text); count]);
        let long = "a".repeat(BYTES + 1);
        let gap = |before: &str| {
            Prompt::Infill(Infill {
                before: before.to_owned(),
                ..Infill::default()
            })
        };
        let cases = [
            (chat(MESSAGES, ""), false),
            (chat(MESSAGES + 1, ""), true),
            (chat(1, &long[1..]), false),
            (chat(1, &long), true),
            (Prompt::Text(vec![PromptPart::Text(long.clone())]), true),
            (Prompt::Text(vec![PromptPart::Tokens(vec![1; BYTES])]), false),
            (Prompt::Text(vec![PromptPart::Tokens(vec![1; BYTES + 1])]), true),
            (gap("a"), false),
            (gap(&long), true),
        ];
        for (place, (prompt, expected)) in cases.into_iter().enumerate() {
            assert_eq!(
                is_long(&prompt, &AnswerOptions::default()),
                expected,
                "case {place}"
            );
        }
    }
}

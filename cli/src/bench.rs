//! `hearth-cli bench`: how fast a model reads and writes on this machine.

use std::io::{self, Write};

use hearth_protocol::answer::AnswerOptions;
use hearth_protocol::completion::{CompletionEvent, CompletionRequest};
use hearth_protocol::engine::ModelRef;
use hearth_protocol::generate::{SamplingParams, TurnStats};
use hearth_protocol::prompt::{Prompt, PromptPart, TokenizeInput, TokenizeRequest};
use hearth_protocol::{Client, Error};
use serde::Serialize;

use crate::arguments::BenchArguments;
use crate::exit::{Exit, Failure};
use crate::interrupts::{Interrupts, Next};
use crate::list::{json, table};
use crate::run::model_ref;
use crate::text::grouped;

/// What the prompt is made of, again and again.
const TEXT: &str = "The lighthouse keeper climbed the stairs each evening, lit the lamp, and wrote down which ships had \
     passed, how the wind stood, and what the sea had brought. ";

/// What was measured. Fields may be added, none is renamed.
#[derive(Serialize)]
struct Measured {
    /// The model's name.
    model: String,
    /// Reading the prompt.
    prompt: Speed,
    /// Writing.
    generation: Speed,
}

#[derive(Serialize)]
struct Speed {
    /// Tokens a round.
    tokens: u32,
    /// Tokens a second of each round.
    rounds: Vec<f64>,
    /// The middle one of them.
    median: f64,
}

/// Measures and prints. Ctrl-C stops it; then nothing is printed.
pub(crate) fn bench(
    client: &Client,
    interrupts: &Interrupts,
    arguments: &BenchArguments,
) -> Result<Exit, Failure> {
    let _run = interrupts.run();
    let model = model_ref(&arguments.model);
    let (name, prompt) = prompt(client, &model, arguments.prompt)?;
    let request = CompletionRequest {
        sampling: SamplingParams {
            max_tokens: Some(arguments.tokens),
            ..SamplingParams::greedy()
        },
        answer: AnswerOptions {
            // Nothing of it is known from the round before.
            deterministic: true,
            ..AnswerOptions::default()
        },
        ignore_end: true,
        ..CompletionRequest::new(Some(model), prompt)
    };
    // The first one finds memory and caches cold.
    round(client, interrupts, request.clone())?;
    let rounds = (0..arguments.rounds)
        .map(|_| round(client, interrupts, request.clone()))
        .collect::<Result<Vec<_>, _>>()?;
    let speed = |tokens: fn(&TurnStats) -> u32, of: fn(&TurnStats) -> f64| {
        Speed::new(rounds.first().map_or(0, tokens), rounds.iter().map(of).collect())
    };
    let measured = Measured {
        model: name,
        prompt: speed(
            |stats| stats.prompt_tokens,
            |stats| stats.prompt_tokens_per_second,
        ),
        generation: speed(
            |stats| stats.generated_tokens,
            |stats| stats.generated_tokens_per_second,
        ),
    };
    print(&measured, arguments.json)
}

/// A prompt of so many tokens, and the name of the model that they are of.
fn prompt(client: &Client, model: &ModelRef, tokens: u32) -> Result<(String, Prompt), Failure> {
    let request = TokenizeRequest {
        model: Some(model.clone()),
        input: TokenizeInput::Text {
            text: TEXT.to_owned(),
            add_special: false,
            parse_special: false,
        },
    };
    let tokenized = client.tokenize(request).wait()?;
    let ids = tokenized.tokens.iter().map(|token| token.id).cycle();
    let ids: Vec<_> = ids.take(tokens as usize).collect();
    Ok((tokenized.model.name, Prompt::Text(vec![PromptPart::Tokens(ids)])))
}

fn round(client: &Client, interrupts: &Interrupts, request: CompletionRequest) -> Result<TurnStats, Failure> {
    let events = client.complete(request);
    loop {
        match interrupts.next(&events) {
            Next::Event(CompletionEvent::Finished { stats, .. }) => return Ok(stats),
            Next::Event(CompletionEvent::Failed(error)) => return Err(error.into()),
            Next::Event(_) => (),
            // Leaving stops the work.
            Next::Interrupt => return Err(Error::Cancelled.into()),
        }
    }
}

impl Speed {
    fn new(tokens: u32, rounds: Vec<f64>) -> Self {
        let mut sorted = rounds.clone();
        sorted.sort_by(f64::total_cmp);
        let median = sorted.get(sorted.len() / 2).copied().unwrap_or_default();
        Self {
            tokens,
            rounds,
            median,
        }
    }

    fn row(&self, what: &str) -> [String; 4] {
        let least = self.rounds.iter().copied().fold(f64::INFINITY, f64::min);
        let most = self.rounds.iter().copied().fold(0.0, f64::max);
        [
            what.to_owned(),
            grouped(self.tokens),
            format!("{:.1}", self.median),
            format!("{least:.1} to {most:.1}"),
        ]
    }
}

fn print(measured: &Measured, as_json: bool) -> Result<Exit, Failure> {
    if as_json {
        return json(measured);
    }
    writeln!(io::stderr().lock(), "{}", crate::text::printable(&measured.model))?;
    let rows = [measured.prompt.row("reading"), measured.generation.row("writing")];
    table(["WHAT", "TOKENS", "TOKENS/S", "FROM"], &rows, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_one_that_was_measured() {
        let speed = Speed::new(128, vec![30.0, 10.0, 20.0]);
        assert_eq!(speed.median, 20.0);
        assert_eq!(speed.row("writing"), ["writing", "128", "20.0", "10.0 to 30.0"]);
    }
}

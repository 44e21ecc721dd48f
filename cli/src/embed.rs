//! `hearth-cli embed`: texts become vectors.

use std::io::{self, BufRead, IsTerminal, Write};

use hearth_protocol::embed::{
    EmbedEvent, EmbedInput, EmbedOptions, EmbedRequest, Embeddings, Pooling, TooLong,
};
use hearth_protocol::engine::KeepLoaded;
use hearth_protocol::{Client, Error};
use serde::Serialize;

use crate::arguments::{EmbedArguments, PoolingKind};
use crate::exit::{Exit, Failure};
use crate::interrupts::{Interrupts, Next};
use crate::run::model_ref;

/// A line of `--json`.
#[derive(Serialize)]
struct Line<'a> {
    /// Which text, from 0.
    index: usize,
    /// Its tokens.
    tokens: u32,
    embedding: &'a [f32],
}

/// Embeds the texts and prints their vectors in the same order. Ctrl-C stops it; then nothing is printed.
pub(crate) fn embed(
    client: &Client,
    interrupts: &Interrupts,
    arguments: EmbedArguments,
) -> Result<Exit, Failure> {
    let request = EmbedRequest {
        model: model_ref(&arguments.model),
        options: options(&arguments),
        inputs: texts(arguments.texts)?
            .into_iter()
            .map(EmbedInput::Text)
            .collect(),
        keep: KeepLoaded::default(),
    };
    let embeddings = {
        let _run = interrupts.run();
        let events = client.embed(request);
        loop {
            match interrupts.next(&events) {
                Next::Event(EmbedEvent::Finished(embeddings)) => break embeddings,
                Next::Event(EmbedEvent::Failed(error)) => return Err(error.into()),
                Next::Event(EmbedEvent::Loading(_) | EmbedEvent::Progress { .. }) => (),
                // Leaving stops the work.
                Next::Interrupt => return Err(Error::Cancelled.into()),
            }
        }
    };
    print(&embeddings, arguments.json)?;
    Ok(Exit::Done)
}

/// What was typed, else the lines of standard input.
fn texts(typed: Vec<String>) -> Result<Vec<String>, Failure> {
    if !typed.is_empty() {
        return Ok(typed);
    }
    let input = io::stdin();
    if input.is_terminal() {
        return Err(Failure::Usage(
            "There is no text. Write it behind the model, or send lines on standard input.",
        ));
    }
    Ok(input.lock().lines().collect::<io::Result<_>>()?)
}

fn options(arguments: &EmbedArguments) -> EmbedOptions {
    EmbedOptions {
        pooling: arguments.pooling.map(|kind| match kind {
            PoolingKind::Mean => Pooling::Mean,
            PoolingKind::Cls => Pooling::Cls,
            PoolingKind::Last => Pooling::Last,
        }),
        normalise: !arguments.no_normalise,
        dimensions: arguments.dimensions,
        too_long: if arguments.truncate {
            TooLong::Cut
        } else {
            TooLong::Refuse
        },
    }
}

fn print(embeddings: &Embeddings, as_json: bool) -> io::Result<()> {
    let mut output = io::BufWriter::new(io::stdout().lock());
    let texts = embeddings.vectors.iter().zip(&embeddings.tokens);
    for (index, (vector, tokens)) in texts.enumerate() {
        if as_json {
            let line = Line {
                index,
                tokens: *tokens,
                embedding: vector,
            };
            serde_json::to_writer(&mut output, &line).map_err(io::Error::from)?;
            writeln!(output)?;
        } else {
            let numbers: Vec<_> = vector.iter().map(f32::to_string).collect();
            writeln!(output, "{}", numbers.join(" "))?;
        }
    }
    output.flush()
}

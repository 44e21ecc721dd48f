//! `hearth-cli load`: brings a model into the memory of the Hearth that runs.

use std::io::{self, Write};

use hearth_protocol::engine::{
    ContextLength, GpuLayers, KeepLoaded, LoadEvent, LoadOptions, LoadRequest, LoadedModel, ModelRef,
};
use hearth_protocol::{ByteSize, Client, Error};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::arguments::LoadArguments;
use crate::exit::{Exit, Failure};
use crate::interrupts::{Interrupts, Next};
use crate::list::json;
use crate::run::model_ref;
use crate::text::{grouped, printable};

/// Steps of the bar, so that it moves smoothly whatever the size.
const STEPS: u64 = 1000;

/// What a script sees of an event. Fields may be added, none is renamed.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Line<'a> {
    /// The file is known.
    Started { name: &'a str, size: ByteSize },
    /// Share done, 0.0 to 1.0.
    Progress { share: f32 },
    /// It is in memory.
    Loaded { model: &'a LoadedModel },
}

/// Loads a model and shows how it goes. Ctrl-C ends the load.
pub(crate) fn load(
    client: &Client,
    interrupts: &Interrupts,
    arguments: &LoadArguments,
) -> Result<Exit, Failure> {
    let model = model_ref(&arguments.model);
    let request = LoadRequest {
        options: options(client, &model, arguments)?,
        model,
        force: arguments.force,
        keep: arguments.keep.map_or(KeepLoaded::Default, KeepLoaded::Seconds),
    };
    let style = ProgressStyle::with_template("{bar:30} {wide_msg}");
    let style = style.map_err(|error| Failure::Hearth(Error::internal(error)))?;
    // On standard error, and nowhere if that is no terminal.
    let bar = match arguments.json {
        true => ProgressBar::hidden(),
        false => ProgressBar::new(STEPS).with_style(style),
    };
    let outcome = follow(client, interrupts, request, arguments.json, &bar);
    bar.finish_and_clear();
    let model = outcome?;
    if arguments.json {
        return json(&Line::Loaded { model: &model });
    }
    let context = grouped(model.context_length);
    let line = format!("{} is in memory, with a context of {context} tokens.", model.name);
    writeln!(io::stdout().lock(), "{}", printable(&line))?;
    for notice in &model.notices {
        writeln!(io::stderr().lock(), "{}", printable(notice))?;
    }
    Ok(Exit::Done)
}

/// What was typed, over what is remembered for the model, else over the settings; `None` where nothing was typed.
fn options(
    client: &Client,
    model: &ModelRef,
    arguments: &LoadArguments,
) -> Result<Option<LoadOptions>, Failure> {
    let LoadArguments {
        ctx,
        gpu_layers,
        threads,
        parallel,
        ..
    } = arguments;
    if ctx.is_none() && gpu_layers.is_none() && threads.is_none() && parallel.is_none() {
        return Ok(None);
    }
    let file = client.find_files(model.clone()).wait().ok();
    let remembered = match file.and_then(|mut files| files.pop()) {
        Some(file) => client.read_load_options(file.id).wait()?,
        None => None,
    };
    let base = match remembered {
        Some(options) => options,
        None => client.read_settings().wait()?.load,
    };
    Ok(Some(LoadOptions {
        context_length: ctx.map_or(base.context_length, ContextLength::Tokens),
        gpu_layers: gpu_layers.as_deref().map_or(Ok(base.gpu_layers), layers)?,
        threads: threads.or(base.threads),
        parallel_slots: parallel.unwrap_or(base.parallel_slots),
        ..base
    }))
}

fn layers(text: &str) -> Result<GpuLayers, Failure> {
    match text {
        "auto" => Ok(GpuLayers::Auto),
        "all" => Ok(GpuLayers::All),
        text => text
            .parse()
            .map(GpuLayers::Count)
            .map_err(|_| Failure::Usage("--gpu-layers must be a number, `all` or `auto`.")),
    }
}

fn follow(
    client: &Client,
    interrupts: &Interrupts,
    request: LoadRequest,
    as_json: bool,
    bar: &ProgressBar,
) -> Result<LoadedModel, Failure> {
    let _run = interrupts.run();
    let events = client.load(request);
    loop {
        match interrupts.next(&events) {
            Next::Event(LoadEvent::Loaded(model)) => return Ok(model),
            Next::Event(LoadEvent::Failed(error)) => return Err(error.into()),
            Next::Event(LoadEvent::Started { name, size }) if as_json => {
                json(&Line::Started { name: &name, size })?;
            }
            Next::Event(LoadEvent::Started { name, size }) => {
                bar.set_message(printable(&format!("{name}, {size}")));
            }
            Next::Event(LoadEvent::Progress(share)) if as_json => {
                json(&Line::Progress { share })?;
            }
            Next::Event(LoadEvent::Progress(share)) => {
                bar.set_position((f64::from(share) * STEPS as f64) as u64);
            }
            // Leaving ends the load.
            Next::Interrupt => return Err(Error::Cancelled.into()),
        }
    }
}

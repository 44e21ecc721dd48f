//! `hearth-cli ls`, `hearth-cli ps` and `hearth-cli devices`.

use std::io::{self, Write};

use hearth_protocol::Client;
use hearth_protocol::engine::{Device, DeviceKind, LoadedModel};
use hearth_protocol::library::{FileState, LibraryFile, ScanEvent, Source};
use serde::Serialize;

use crate::arguments::OutputArguments;
use crate::exit::{Exit, Failure};
use crate::text::{grouped, or_dash, printable, printable_name, write_table};

const NO_FILES: &str =
    "There is no model file in Hearth's library. `hearth-cli run FILE.gguf` opens one from anywhere.";

/// Lines about what was passed over; more tell nobody anything.
const MAX_SKIPPED: usize = 20;

const NO_DEVICES: &str = "llama.cpp names nothing that computes.";

const NOTHING_LOADED: &str = "No model is in memory.";

/// Lists the model files.
pub(crate) fn files(client: &Client, arguments: OutputArguments) -> Result<Exit, Failure> {
    let files = scan(client)?;
    if arguments.json {
        return json(&files);
    }
    let header = ["MODEL", "NAME", "QUANT", "SIZE", "CONTEXT", "FROM", "STATE"];
    table(header, &files.iter().map(file_row).collect::<Vec<_>>(), NO_FILES)
}

/// Looks through the folders. What could not be looked at, such as a folder that may not be read, is told to standard
/// error: a model that is missing from the list without a word is a riddle.
fn scan(client: &Client) -> Result<Vec<LibraryFile>, Failure> {
    let scan = client.scan_library();
    let (mut files, mut skipped) = (Vec::new(), 0);
    while let Some(event) = scan.next() {
        match event {
            ScanEvent::Found(file) => files.push(file),
            ScanEvent::Skipped { path, reason } => {
                skipped += 1;
                if skipped <= MAX_SKIPPED {
                    let path = printable_name(&path.display().to_string());
                    writeln!(io::stderr().lock(), "{path}: {}", printable(&reason))?;
                }
            }
            ScanEvent::Failed(error) => return Err(error.into()),
            ScanEvent::Finished { .. } => (),
        }
    }
    if skipped > MAX_SKIPPED {
        writeln!(
            io::stderr().lock(),
            "And {} more were passed over.",
            skipped - MAX_SKIPPED
        )?;
    }
    Ok(files)
}

/// Lists the models in memory.
pub(crate) fn loaded(client: &Client, arguments: OutputArguments) -> Result<Exit, Failure> {
    let models = client.list_loaded().wait()?;
    if arguments.json {
        return json(&models);
    }
    let header = ["NAME", "QUANT", "SIZE", "CONTEXT", "PROCESS", "STAY"];
    table(
        header,
        &models.iter().map(model_row).collect::<Vec<_>>(),
        NOTHING_LOADED,
    )
}

/// Lists what can compute.
pub(crate) fn devices(client: &Client, arguments: OutputArguments) -> Result<Exit, Failure> {
    let devices = client.devices().wait()?;
    if arguments.json {
        return json(&devices);
    }
    let header = ["NAME", "KIND", "MEMORY", "FREE", "WHAT"];
    table(
        header,
        &devices.iter().map(device_row).collect::<Vec<_>>(),
        NO_DEVICES,
    )
}

fn device_row(device: &Device) -> [String; 5] {
    let kind = match device.kind {
        DeviceKind::Cpu => "processor",
        DeviceKind::Gpu => "graphics card",
        DeviceKind::IntegratedGpu => "graphics",
        DeviceKind::Accelerator => "accelerator",
    };
    [
        device.name.clone(),
        kind.to_owned(),
        or_dash(device.memory_total.map(|size| size.to_string())),
        or_dash(device.memory_free.map(|size| size.to_string())),
        device.description.clone(),
    ]
}

fn file_row(file: &LibraryFile) -> [String; 7] {
    [
        file.id.to_string(),
        file.name.clone(),
        or_dash(file.quantisation.clone()),
        file.size.to_string(),
        or_dash(file.context_length.map(grouped)),
        source(file.source).to_owned(),
        match &file.state {
            FileState::Ready => "ready".to_owned(),
            FileState::Damaged { reason } => format!("damaged: {reason}"),
        },
    ]
}

fn model_row(model: &LoadedModel) -> [String; 6] {
    [
        model.name.clone(),
        or_dash(model.quantisation.clone()),
        model.size.to_string(),
        grouped(model.context_length),
        model.process.to_string(),
        model.stay(),
    ]
}

/// Where a file is from, in a word or two.
pub(crate) fn source(source: Source) -> &'static str {
    match source {
        Source::Starter => "starter",
        Source::HuggingFace => "Hugging Face",
        Source::Folder => "folder",
        source => source.name(),
    }
}

/// Prints rows, or to standard error why there are none.
pub(crate) fn table<const N: usize>(
    header: [&str; N],
    rows: &[[String; N]],
    empty: &str,
) -> Result<Exit, Failure> {
    if rows.is_empty() {
        writeln!(io::stderr().lock(), "{empty}")?;
    } else {
        write_table(&mut io::stdout().lock(), header, rows)?;
    }
    Ok(Exit::Done)
}

/// Prints a value as a line of JSON.
pub(crate) fn json(values: &impl Serialize) -> Result<Exit, Failure> {
    let mut output = io::stdout().lock();
    serde_json::to_writer(&mut output, values).map_err(io::Error::from)?;
    writeln!(output)?;
    Ok(Exit::Done)
}

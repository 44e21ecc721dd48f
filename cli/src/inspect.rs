//! `hearth-cli inspect`.

use std::io::{self, Write};

use hearth_protocol::engine::ModelRef;
use hearth_protocol::library::{Inspection, LibraryFile, Tensor};
use hearth_protocol::{ByteSize, Client, Error, FileId};

use crate::arguments::InspectArguments;
use crate::exit::{Exit, Failure};
use crate::list::{json, source};
use crate::run::model_ref;
use crate::text::{or_dash, printable, write_table};

/// Shows what a model file says of itself.
pub(crate) fn inspect(client: &Client, arguments: &InspectArguments) -> Result<Exit, Failure> {
    let inspection = client.inspect_file(file_id(&arguments.model)).wait()?;
    if arguments.json {
        return json(&inspection);
    }
    let mut output = io::stdout().lock();
    if arguments.template {
        let Some(template) = &inspection.chat_template else {
            return Err(Error::NotFound {
                what: "chat template in".into(),
                name: inspection.file.name,
                known: Vec::new(),
            }
            .into());
        };
        writeln!(output, "{}", printable(template))?;
        return Ok(Exit::Done);
    }
    write_table(&mut output, ["FILE", ""], &facts(&inspection.file))?;
    writeln!(output)?;
    let metadata: Vec<_> = inspection.metadata.iter().map(pair_row).collect();
    write_table(&mut output, ["METADATA", ""], &metadata)?;
    writeln!(output)?;
    if arguments.tensors {
        let header = ["TENSOR", "KIND", "SHAPE", "SIZE"];
        let rows: Vec<_> = inspection.tensors.iter().map(tensor_row).collect();
        write_table(&mut output, header, &rows)?;
    } else {
        write_table(&mut output, ["TENSORS", "COUNT", "SIZE"], &kinds(&inspection))?;
    }
    Ok(Exit::Done)
}

/// The id of what was typed: a path as the backend writes it, and any name, which does for an id.
fn file_id(text: &str) -> FileId {
    match model_ref(text) {
        ModelRef::Path(path) => FileId(path.display().to_string()),
        ModelRef::Name(name) => FileId(name),
        ModelRef::File(id) => id,
    }
}

fn facts(file: &LibraryFile) -> Vec<[String; 2]> {
    let row = |name: &str, value: String| [name.to_owned(), value];
    let mut rows = vec![
        row("model", file.id.to_string()),
        row("name", file.name.clone()),
        row("path", file.path.display().to_string()),
        row("from", source(file.source).to_owned()),
        row("size", file.size.to_string()),
        row("quantisation", or_dash(file.quantisation.clone())),
    ];
    if let Some(model) = &file.model {
        rows.insert(1, row("hub", model.to_string()));
    }
    rows
}

/// A value on one line; a table shows no line breaks.
fn pair_row((key, value): &(String, String)) -> [String; 2] {
    [key.clone(), value.replace('\n', "\u{23ce}")]
}

fn tensor_row(tensor: &Tensor) -> [String; 4] {
    let shape: Vec<_> = tensor.shape.iter().map(u64::to_string).collect();
    [
        tensor.name.clone(),
        tensor.kind.clone(),
        shape.join(" x "),
        or_dash(tensor.size.map(|size| size.to_string())),
    ]
}

/// How many tensors there are of each kind, the one with the most bytes first.
fn kinds(inspection: &Inspection) -> Vec<[String; 3]> {
    let mut kinds: Vec<(&str, usize, u64)> = Vec::new();
    for tensor in &inspection.tensors {
        let bytes = tensor.size.map_or(0, |size| size.0);
        match kinds.iter_mut().find(|(kind, ..)| *kind == tensor.kind) {
            Some((_, count, size)) => {
                *count += 1;
                *size += bytes;
            }
            None => kinds.push((&tensor.kind, 1, bytes)),
        }
    }
    kinds.sort_by_key(|(.., size)| std::cmp::Reverse(*size));
    let rows = kinds.into_iter();
    rows.map(|(kind, count, size)| [kind.to_owned(), count.to_string(), ByteSize(size).to_string()])
        .collect()
}

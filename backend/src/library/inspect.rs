//! All that a model's files say of themselves.

use std::path::Path;

use hearth_protocol::engine::ModelRef;
use hearth_protocol::library::{Inspection, LibraryFile, Tensor};
use hearth_protocol::{ByteSize, Error, FileId, Result};

use super::Library;
use super::gguf::{Details, GgufError, Tensor as Entry};
use super::headers::Headers;
use super::parts::{self, Belongs};
use crate::files::blocking;

/// Where the chat template stands.
const TEMPLATE: &str = "tokenizer.chat_template";

impl Library {
    /// Reads what a file says of itself; of several parts all. A name that finds the file does for its id.
    ///
    /// # Errors
    /// Those of [`Self::resolve`].
    pub(crate) async fn inspect(&self, file: FileId) -> Result<Inspection> {
        let found = match self.resolve(&ModelRef::File(file.clone())).await {
            Err(Error::NotFound { .. }) => self.resolve(&ModelRef::Name(file.0)).await?,
            found => found?,
        };
        blocking(move || inspect(found)).await
    }
}

fn inspect(file: LibraryFile) -> Result<Inspection> {
    let mut headers = Headers::default();
    let header = headers.read(&file.path);
    let files = match parts::belongs(&file.path, &header, &mut headers) {
        Belongs::First(set) => set.files,
        Belongs::Alone | Belongs::Behind(_) => vec![file.path.clone()],
    };
    // It was whole when it was found, and may have changed since.
    let read = |path: &Path| {
        Details::open(path).map_err(|error: GgufError| Error::BadModelFile {
            file: path.display().to_string(),
            reason: error.to_string(),
        })
    };
    let first = read(&file.path)?;
    let mut tensors: Vec<Tensor> = first.tensors.iter().map(tensor).collect();
    for path in files.iter().filter(|path| **path != file.path) {
        tensors.extend(read(path)?.tensors.iter().map(tensor));
    }
    Ok(Inspection {
        metadata: first.shown().collect(),
        chat_template: first.header.text(TEMPLATE).map(str::to_owned),
        tensors,
        file,
    })
}

fn tensor(entry: &Entry) -> Tensor {
    Tensor {
        name: entry.name.clone(),
        kind: entry.kind(),
        shape: entry.shape().to_vec(),
        size: entry.size.map(ByteSize),
    }
}

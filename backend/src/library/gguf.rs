//! The reader of GGUF headers: metadata, tensor list, and whether the file is whole.
//!
//! It sees every file before llama.cpp does. Every length in the file is checked against the bytes that
//! remain, so that a damaged file costs an error and neither memory nor time. The tensors' data is not read.
//! Format: GGUF specification, versions 2 and 3 (ggml `docs/gguf.md`).

mod cursor;
mod details;
mod tensor;
#[cfg(test)]
mod tests;
mod value;

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use hearth_protocol::ByteSize;

use cursor::Cursor;
pub(crate) use details::Details;
pub(crate) use tensor::Tensor;
pub(crate) use value::Value;
use value::{read_array, read_value};

/// The first four bytes of every file.
const MAGIC: [u8; 4] = *b"GGUF";
/// Versions llama.cpp reads.
const VERSIONS: std::ops::RangeInclusive<u32> = 2..=3;
/// Longest key; the specification's limit is 2^16 - 1 bytes.
const MAX_KEY_LENGTH: u64 = 65_535;
/// Bytes of all keys and texts that are kept, each value counted with [`VALUE_BYTES`]; real files have some 10 kB.
const MAX_METADATA: usize = 16 << 20;
/// What a value takes in memory beside its texts, about.
const VALUE_BYTES: usize = 64;
/// The one key whose value decides how the rest is read, and the only type llama.cpp takes for it.
const ALIGNMENT: (&str, u32) = ("general.alignment", 4);
/// The type of arrays, likewise.
const ARRAY: u32 = 9;
/// Where the data begins unless the file says otherwise.
const DEFAULT_ALIGNMENT: u64 = 32;

/// Why a file is not a usable model. The text continues the sentence "… cannot be loaded:".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum GgufError {
    /// There is nothing in it.
    #[error("it is empty; download it again")]
    Empty,
    /// It is a folder.
    #[error("it is a folder, not a file")]
    Folder,
    /// It is a pipe, a device or the like, whose reading may never end.
    #[error("it is not a regular file")]
    NoFile,
    /// A web page was saved under the model's name.
    #[error("it is a web page and not a model; download it again")]
    WebPage,
    /// Git cloned it without its content.
    #[error("it is a Git LFS pointer and not the model itself; run `git lfs pull`, or download it again")]
    LfsPointer,
    /// It is something else.
    #[error("it is not a GGUF file")]
    NotGguf,
    /// Another version of the format.
    #[error("it has GGUF version {0}, and versions 2 and 3 can be read; convert the model again")]
    Version(u32),
    /// Written on a machine of the other byte order.
    #[error("it was written for big-endian machines; get the little-endian file")]
    BigEndian,
    /// It ends early.
    #[error("it ends after {}; download it again", share(*has, *needs))]
    Truncated {
        /// Bytes there are.
        has: ByteSize,
        /// Bytes there should be, at the least.
        needs: ByteSize,
    },
    /// A field holds something impossible.
    #[error("its header is damaged ({0}); download it again")]
    Damaged(String),
    /// The system could not read it.
    #[error("it cannot be read: {0}")]
    Io(String),
}

/// What a file says of itself.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Gguf {
    /// Metadata in file order.
    pub(crate) metadata: Vec<(String, Value)>,
    /// Number of tensors.
    pub(crate) tensors: u64,
    /// Number of weights in all tensors.
    pub(crate) parameters: u64,
}

impl Gguf {
    /// Reads the header of a file and compares the file's length with what its tensors need.
    ///
    /// # Errors
    /// [`GgufError`] says what is wrong with the file.
    pub(crate) fn open(path: &Path) -> Result<Self, GgufError> {
        let (file, length) = open(path)?;
        Self::read(file, length)
    }

    /// Reads the header of a file of `length` bytes from its first byte on.
    pub(crate) fn read(source: impl Read, length: u64) -> Result<Self, GgufError> {
        Self::read_with(source, length, &mut ())
    }

    /// Reads the metadata alone, so that the list of tensors need not be there. The number of weights stays 0.
    pub(crate) fn read_metadata(source: impl Read, length: u64) -> Result<Self, GgufError> {
        Self::metadata(&mut Cursor::new(source, length), length, &mut ())
    }

    fn read_with<N: Notes>(source: impl Read, length: u64, notes: &mut N) -> Result<Self, GgufError> {
        let mut cursor = Cursor::new(source, length);
        let mut gguf = Self::metadata(&mut cursor, length, notes)?;
        let alignment = gguf.alignment()?;
        let mut data_end = 0;
        for _ in 0..gguf.tensors {
            let tensor = Tensor::read(&mut cursor, alignment)?;
            data_end = data_end.max(tensor.end);
            gguf.parameters = gguf.parameters.saturating_add(tensor.elements);
            notes.tensor(tensor)?;
        }
        let needs = cursor
            .position()
            .next_multiple_of(alignment)
            .saturating_add(data_end);
        // A file without tensors (a vocabulary) may end with its header.
        if gguf.tensors > 0 && needs > length {
            return Err(GgufError::Truncated {
                has: ByteSize(length),
                needs: ByteSize(needs),
            });
        }
        Ok(gguf)
    }

    fn metadata<N: Notes>(
        cursor: &mut Cursor<impl Read>,
        length: u64,
        notes: &mut N,
    ) -> Result<Self, GgufError> {
        if length == 0 {
            return Err(GgufError::Empty);
        }
        check_beginning(cursor, length)?;
        let tensors = cursor.u64()?;
        let pairs = cursor.u64()?;

        let mut metadata = Vec::new();
        let mut room = MAX_METADATA;
        for _ in 0..pairs {
            let key = cursor.text(MAX_KEY_LENGTH)?;
            if key.is_empty() {
                return Err(GgufError::Damaged("a key is empty".into()));
            }
            let kind = cursor.u32()?;
            if key == ALIGNMENT.0 && kind != ALIGNMENT.1 {
                return Err(GgufError::Damaged("its alignment is not a 32-bit number".into()));
            }
            let value = match kind {
                ARRAY => {
                    let (length, first) = read_array(cursor, N::VALUES)?;
                    notes.array(metadata.len(), first)?;
                    Value::Array(length)
                }
                kind => read_value(cursor, kind)?,
            };
            room = room
                .checked_sub(key.len() + value.text_length() + VALUE_BYTES)
                .ok_or_else(|| GgufError::Damaged("its metadata is too large".into()))?;
            metadata.push((key, value));
        }

        Ok(Self {
            metadata,
            tensors,
            parameters: 0,
        })
    }

    /// A value by its key.
    pub(crate) fn get(&self, key: &str) -> Option<&Value> {
        self.metadata
            .iter()
            .find(|(name, _)| name == key)
            .map(|(_, value)| value)
    }

    /// A text by its key.
    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        match self.get(key) {
            Some(Value::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// A whole number by its key; `None` also where it is negative or too large.
    pub(crate) fn number(&self, key: &str) -> Option<u32> {
        match self.get(key) {
            Some(Value::Integer(number)) => u32::try_from(*number).ok(),
            _ => None,
        }
    }

    fn alignment(&self) -> Result<u64, GgufError> {
        match self.number(ALIGNMENT.0).map(u64::from) {
            None => Ok(DEFAULT_ALIGNMENT),
            Some(number) if number.is_power_of_two() && number <= 1 << 20 => Ok(number),
            Some(number) => Err(GgufError::Damaged(format!("its alignment is {number}"))),
        }
    }
}

/// How much of a file is there, in bytes where rounding would hide what is missing.
fn share(has: ByteSize, needs: ByteSize) -> String {
    let (rounded, whole) = (has.to_string(), needs.to_string());
    if rounded == whole {
        format!("{} of {} bytes", has.0, needs.0)
    } else {
        format!("{rounded} of {whole}")
    }
}

/// Magic and version, and the usual things that are not models.
fn check_beginning(cursor: &mut Cursor<impl Read>, length: u64) -> Result<(), GgufError> {
    let Ok(magic) = cursor.bytes::<4>() else {
        return Err(GgufError::NotGguf);
    };
    if magic != MAGIC {
        let mut beginning = magic.to_vec();
        beginning.extend(cursor.up_to(60)?);
        return Err(not_a_model(&beginning));
    }
    if length < 24 {
        return Err(GgufError::Truncated {
            has: ByteSize(length),
            needs: ByteSize(24),
        });
    }
    let version = cursor.u32()?;
    match version {
        version if VERSIONS.contains(&version) => Ok(()),
        version if VERSIONS.contains(&version.swap_bytes()) => Err(GgufError::BigEndian),
        version => Err(GgufError::Version(version)),
    }
}

fn not_a_model(beginning: &[u8]) -> GgufError {
    let text = String::from_utf8_lossy(beginning);
    if text.starts_with("version https://git-lfs") {
        GgufError::LfsPointer
    } else if text
        .trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n'])
        .starts_with('<')
    {
        GgufError::WebPage
    } else {
        GgufError::NotGguf
    }
}

/// Opens a file and tells its length.
fn open(path: &Path) -> Result<(BufReader<File>, u64), GgufError> {
    // Before it is opened: opening a pipe waits for a writer.
    let about = path.metadata().map_err(io_error)?;
    if about.is_dir() {
        return Err(GgufError::Folder);
    }
    if !about.is_file() {
        return Err(GgufError::NoFile);
    }
    let file = File::open(path).map_err(io_error)?;
    let about = file.metadata().map_err(io_error)?;
    Ok((BufReader::with_capacity(256 << 10, file), about.len()))
}

/// What a reader notes beside what all keep. `()` notes nothing.
trait Notes {
    /// How many values of each array are read; the others are passed over.
    const VALUES: u64;
    /// Takes the first values of the array that comes to this place of the metadata.
    fn array(&mut self, place: usize, first: Vec<Value>) -> Result<(), GgufError>;
    /// Takes the next tensor.
    fn tensor(&mut self, tensor: Tensor) -> Result<(), GgufError>;
}

impl Notes for () {
    const VALUES: u64 = 0;
    fn array(&mut self, _: usize, _: Vec<Value>) -> Result<(), GgufError> {
        Ok(())
    }
    fn tensor(&mut self, _: Tensor) -> Result<(), GgufError> {
        Ok(())
    }
}

fn io_error(error: std::io::Error) -> GgufError {
    match error.kind() {
        std::io::ErrorKind::IsADirectory => GgufError::Folder,
        _ => GgufError::Io(error.to_string()),
    }
}

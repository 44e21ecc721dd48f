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

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use hearth_protocol::ByteSize;

use cursor::Cursor;
pub(crate) use details::Details;
pub(crate) use tensor::Tensor;

/// The first four bytes of every file.
const MAGIC: [u8; 4] = *b"GGUF";
/// Versions llama.cpp reads.
const VERSIONS: std::ops::RangeInclusive<u32> = 2..=3;
/// Longest key; the specification's limit is 2^16 - 1 bytes.
const MAX_KEY_LENGTH: u64 = 65_535;
/// Longest text that is kept; the largest chat templates known have 20 kB.
const MAX_TEXT_LENGTH: u64 = 4 << 20;
/// Bytes of all keys and texts that are kept, each value counted with [`VALUE_BYTES`]; real files have some 10 kB.
const MAX_METADATA: usize = 16 << 20;
/// What a value takes in memory beside its texts, about.
const VALUE_BYTES: usize = 64;
/// The one key whose value decides how the rest is read, and the only type llama.cpp takes for it.
const ALIGNMENT: (&str, u32) = ("general.alignment", 4);
/// The type of texts, by the specification's number.
const TEXT: u32 = 8;
/// The type of arrays, likewise.
const ARRAY: u32 = 9;
/// Bytes of a text in an array that are read where its first values are asked for.
const MAX_BEGINNING: u64 = 256;
/// Arrays within arrays; real files have none.
const MAX_NESTING: u32 = 4;
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

/// One value of the metadata. Arrays are known by their length only.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    /// Any of the integer types.
    Integer(i128),
    /// Any of the floating point types.
    Float(f64),
    /// A truth value.
    Bool(bool),
    /// A text; bytes that are not UTF-8 are replaced.
    Text(String),
    /// So many values.
    Array(u64),
}

impl Value {
    fn text_length(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            _ => 0,
        }
    }
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

/// Types of values, in the order of the specification's numbers, without arrays.
fn read_value(cursor: &mut Cursor<impl Read>, kind: u32) -> Result<Value, GgufError> {
    Ok(match kind {
        0 => Value::Integer(cursor.bytes::<1>()?[0].into()),
        1 => Value::Integer(i8::from_le_bytes(cursor.bytes()?).into()),
        2 => Value::Integer(u16::from_le_bytes(cursor.bytes()?).into()),
        3 => Value::Integer(i16::from_le_bytes(cursor.bytes()?).into()),
        4 => Value::Integer(cursor.u32()?.into()),
        5 => Value::Integer(i32::from_le_bytes(cursor.bytes()?).into()),
        6 => Value::Float(f32::from_le_bytes(cursor.bytes()?).into()),
        7 => Value::Bool(cursor.bytes::<1>()?[0] != 0),
        TEXT => Value::Text(cursor.text(MAX_TEXT_LENGTH)?),
        10 => Value::Integer(cursor.u64()?.into()),
        11 => Value::Integer(i64::from_le_bytes(cursor.bytes()?).into()),
        12 => Value::Float(f64::from_le_bytes(cursor.bytes()?)),
        other => {
            return Err(GgufError::Damaged(format!(
                "a value has the unknown type {other}"
            )));
        }
    })
}

/// Reads an array's first values and passes over the rest; gives its length too. Of texts the beginnings are read, of
/// arrays none.
fn read_array(cursor: &mut Cursor<impl Read>, wanted: u64) -> Result<(u64, Vec<Value>), GgufError> {
    let (kind, length) = (cursor.u32()?, cursor.u64()?);
    let read = if kind == ARRAY { 0 } else { wanted.min(length) };
    let mut first = Vec::new();
    for _ in 0..read {
        first.push(match kind {
            TEXT => Value::Text(cursor.text_beginning(MAX_BEGINNING)?),
            kind => read_value(cursor, kind)?,
        });
    }
    skip_values(cursor, kind, length - read, 0)?;
    Ok((length, first))
}

/// Passes over values of an array. Each takes at least a byte, so the loop is bounded by the file.
fn skip_values(cursor: &mut Cursor<impl Read>, kind: u32, count: u64, depth: u32) -> Result<(), GgufError> {
    let width = match kind {
        0 | 1 | 7 => 1,
        2 | 3 => 2,
        4..=6 => 4,
        10..=12 => 8,
        TEXT => {
            for _ in 0..count {
                let bytes = cursor.u64()?;
                cursor.skip(bytes)?;
            }
            return Ok(());
        }
        ARRAY => {
            for _ in 0..count {
                if depth + 1 >= MAX_NESTING {
                    return Err(GgufError::Damaged("its arrays are nested too deep".into()));
                }
                let (kind, count) = (cursor.u32()?, cursor.u64()?);
                skip_values(cursor, kind, count, depth + 1)?;
            }
            return Ok(());
        }
        other => {
            return Err(GgufError::Damaged(format!(
                "an array has the unknown type {other}"
            )));
        }
    };
    let bytes = count
        .checked_mul(width)
        .ok_or_else(|| GgufError::Damaged("an array is endless".into()))?;
    cursor.skip(bytes)
}

fn io_error(error: std::io::Error) -> GgufError {
    match error.kind() {
        std::io::ErrorKind::IsADirectory => GgufError::Folder,
        _ => GgufError::Io(error.to_string()),
    }
}

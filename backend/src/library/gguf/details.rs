//! All that a header says, for a person who asks: the first values of its arrays, and every tensor.

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

use super::{Gguf, GgufError, Notes, Tensor, VALUE_BYTES, Value, open};

/// Values that are shown of an array.
const SHOWN_VALUES: u64 = 8;
/// Characters that are shown of a text.
const SHOWN_TEXT: usize = 400;
/// Characters that are shown of a text in an array.
const SHOWN_TEXT_IN_ARRAY: usize = 40;
/// Bytes of all values of arrays that are kept; real files have some hundred arrays at most.
const MAX_VALUES: usize = 16 << 20;
/// Bytes of the list of tensors that is kept; the largest models have some thousand tensors.
const MAX_TENSORS: usize = 64 << 20;

/// A header with what is passed over where nobody asks for it.
#[derive(Debug)]
pub(crate) struct Details {
    /// What every reader keeps.
    pub(crate) header: Gguf,
    arrays: HashMap<usize, Vec<Value>>,
    /// The tensors in file order.
    pub(crate) tensors: Vec<Tensor>,
}

impl Details {
    /// Reads all of a file's header.
    ///
    /// # Errors
    /// Those of [`Gguf::open`]; [`GgufError::Damaged`] where there is more of it than any model has.
    pub(crate) fn open(path: &Path) -> Result<Self, GgufError> {
        let (file, length) = open(path)?;
        Self::read(file, length)
    }

    /// Reads all of the header of a file of `length` bytes from its first byte on.
    pub(crate) fn read(source: impl Read, length: u64) -> Result<Self, GgufError> {
        let mut noted = Noted::default();
        let header = Gguf::read_with(source, length, &mut noted)?;
        Ok(Self {
            header,
            arrays: noted.arrays,
            tensors: noted.tensors,
        })
    }

    /// The metadata in file order, as a person reads it.
    pub(crate) fn shown(&self) -> impl Iterator<Item = (String, String)> {
        let pairs = self.header.metadata.iter().enumerate();
        pairs.map(|(place, (key, value))| {
            let shown = match value {
                Value::Array(length) => array(self.arrays.get(&place), *length),
                value => single(value, SHOWN_TEXT),
            };
            (key.clone(), shown)
        })
    }
}

#[derive(Default)]
struct Noted {
    arrays: HashMap<usize, Vec<Value>>,
    values: usize,
    tensors: Vec<Tensor>,
    tensor_bytes: usize,
}

impl Notes for Noted {
    const VALUES: u64 = SHOWN_VALUES;

    fn array(&mut self, place: usize, first: Vec<Value>) -> Result<(), GgufError> {
        let bytes = first.iter().map(|value| value.text_length() + VALUE_BYTES);
        self.values += VALUE_BYTES + bytes.sum::<usize>();
        if self.values > MAX_VALUES {
            return Err(GgufError::Damaged("it has too many arrays".into()));
        }
        self.arrays.insert(place, first);
        Ok(())
    }

    fn tensor(&mut self, tensor: Tensor) -> Result<(), GgufError> {
        self.tensor_bytes += size_of::<Tensor>() + tensor.name.len();
        if self.tensor_bytes > MAX_TENSORS {
            return Err(GgufError::Damaged("it has too many tensors".into()));
        }
        self.tensors.push(tensor);
        Ok(())
    }
}

fn single(value: &Value, longest: usize) -> String {
    match value {
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => float(*number),
        Value::Bool(truth) => truth.to_string(),
        Value::Text(text) => cut(text, longest),
        Value::Array(length) => format!("[…] ({length} values)"),
    }
}

/// A number of 32 bits with the digits that make it that number, not those of its neighbour in 64 bits.
fn float(number: f64) -> String {
    let narrow = number as f32;
    if f64::from(narrow) == number {
        narrow.to_string()
    } else {
        number.to_string()
    }
}

fn cut(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}… ({} characters)", &text[..end], text.chars().count()),
    }
}

fn array(first: Option<&Vec<Value>>, length: u64) -> String {
    let shown: Vec<String> = first
        .into_iter()
        .flatten()
        .map(|value| match value {
            // Of a text in an array only the beginning was read.
            Value::Text(text) => match text.char_indices().nth(SHOWN_TEXT_IN_ARRAY) {
                None => format!("{text:?}"),
                Some((end, _)) => format!("{:?}…", &text[..end]),
            },
            value => single(value, SHOWN_TEXT_IN_ARRAY),
        })
        .collect();
    let rest = length - shown.len() as u64;
    match (shown.is_empty(), rest) {
        (_, 0) => format!("[{}]", shown.join(", ")),
        (true, _) => format!("[…] ({length} values)"),
        (false, _) => format!("[{}, …] ({length} values)", shown.join(", ")),
    }
}

//! One value of the metadata: all types, bounded by the file.

use std::io::Read;

use super::cursor::Cursor;
use super::{ARRAY, GgufError};

/// Longest text that is kept; the largest chat templates known have 20 kB.
const MAX_TEXT_LENGTH: u64 = 4 << 20;
/// The type of texts, by the specification's number.
const TEXT: u32 = 8;
/// Bytes of a text in an array that are read where its first values are asked for.
const MAX_BEGINNING: u64 = 256;
/// Arrays within arrays; real files have none.
const MAX_NESTING: u32 = 4;

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
    pub(super) fn text_length(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            _ => 0,
        }
    }
}

/// Types of values, in the order of the specification's numbers, without arrays.
pub(super) fn read_value(cursor: &mut Cursor<impl Read>, kind: u32) -> Result<Value, GgufError> {
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
pub(super) fn read_array(
    cursor: &mut Cursor<impl Read>,
    wanted: u64,
) -> Result<(u64, Vec<Value>), GgufError> {
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

//! Values in columns: written as JSON where they are more than a text, and read whatever stands there. One bad value
//! takes its default and hides nothing else.

use hearth_protocol::{Error, Result as Outcome};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sqlx::error::BoxDynError;
use sqlx::sqlite::{SqliteTypeInfo, SqliteValueRef};
use sqlx::{Decode, Sqlite, Type};

/// A text column. Bytes that are no UTF-8 become the replacement character, and null is the empty text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Lossy(pub(super) String);

impl Type<Sqlite> for Lossy {
    fn type_info() -> SqliteTypeInfo {
        <String as Type<Sqlite>>::type_info()
    }
}

impl<'r> Decode<'r, Sqlite> for Lossy {
    fn decode(value: SqliteValueRef<'r>) -> Result<Self, BoxDynError> {
        let bytes = <Vec<u8> as Decode<Sqlite>>::decode(value)?;
        let text = String::from_utf8(bytes);
        Ok(Self(text.unwrap_or_else(|error| {
            tracing::warn!("a text of the database is no UTF-8");
            String::from_utf8_lossy(error.as_bytes()).into_owned()
        })))
    }
}

/// The value in a JSON column; `None` where it is null or cannot be read.
pub(super) fn json<T: DeserializeOwned>(column: &str, stored: Option<Lossy>) -> Option<T> {
    let parsed = serde_json::from_str(&stored?.0);
    parsed
        .inspect_err(|error| tracing::warn!(column, %error, "a value of the database cannot be read"))
        .ok()
}

/// A value for a JSON column.
pub(super) fn encode<T: Serialize + ?Sized>(value: Option<&T>) -> Outcome<Option<String>> {
    value
        .map(|value| serde_json::to_string(value).map_err(Error::internal))
        .transpose()
}

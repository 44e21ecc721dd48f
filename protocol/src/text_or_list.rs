//! Fields that are a text or a list. They are told apart by what comes first, so that an error keeps its place in the
//! list; serde's untagged enums lose it.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};

/// What such a field becomes.
pub(crate) trait TextOrList<'de>: Sized {
    /// What the list holds.
    type Item: Deserialize<'de>;
    /// What must stand there, as the rest of a sentence that begins with “expected”.
    const EXPECTED: &'static str;

    /// From a text.
    fn text(text: String) -> Self;
    /// From a list.
    fn list(list: Vec<Self::Item>) -> Self;
}

/// Reads such a field.
pub(crate) fn deserialize<'de, T: TextOrList<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    deserializer.deserialize_any(Either(PhantomData))
}

struct Either<T>(PhantomData<T>);

impl<'de, T: TextOrList<'de>> Visitor<'de> for Either<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::EXPECTED)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        Ok(T::text(text.to_owned()))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<T, E> {
        Ok(T::text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<T, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(list)).map(T::list)
    }
}

//! Fields that may be null, which says no more than to leave them out: clients that write out whole objects send them so.

use serde::{Deserialize, Deserializer};

/// Reads such a field.
pub(crate) fn deserialize<'de, T: Default + Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

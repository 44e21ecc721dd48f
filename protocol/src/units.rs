//! Quantities with their units, and how a person reads them.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A number of bytes. Shown in decimal units, as file managers and the hub do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ByteSize(pub u64);

impl fmt::Display for ByteSize {
    /// Two digits after the point below 10 of a unit, one from 10 up: `5.03 GB`, `98.4 MB`, `512 B`. The unit is the
    /// largest of which there is one, rounded.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [(u64, &str); 4] = [
            (1_000_000_000_000, "TB"),
            (1_000_000_000, "GB"),
            (1_000_000, "MB"),
            (1_000, "kB"),
        ];
        // 999.96 MB would round to "1000.0 MB": a unit counts from 999.95 of the smaller one on.
        let units = UNITS.map(|(unit, name)| (self.0 as f64 / unit as f64, name));
        let Some((value, name)) = units.into_iter().find(|(value, _)| *value >= 0.999_95) else {
            return write!(f, "{} B", self.0);
        };
        // 9.996 would round to "10.00": the second digit after the point goes from 9.995 on.
        let digits = if value < 9.995 { 2 } else { 1 };
        write!(f, "{value:.digits$} {name}")
    }
}

/// A moment, in milliseconds since 1970-01-01 UTC.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UnixMillis(pub i64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn byte_sizes_read_as_the_style_guide_says() {
        let cases = [
            (0, "0 B"),
            (999, "999 B"),
            (1_000, "1.00 kB"),
            (999_949, "999.9 kB"),
            (999_950, "1.00 MB"),
            (999_999_999, "1.00 GB"),
            (98_362_432, "98.4 MB"),
            (5_030_000_000, "5.03 GB"),
            (9_996_000_000, "10.0 GB"),
            (16_400_000_000, "16.4 GB"),
            (2_000_000_000_000, "2.00 TB"),
        ];
        for (bytes, text) in cases {
            assert_eq!(ByteSize(bytes).to_string(), text);
        }
    }
}

//! Which bytes of a file are there. Pure.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// Bytes that are there: half-open ranges from byte 0 of the file, ascending, with gaps between them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<(u64, u64)>", into = "Vec<(u64, u64)>")]
pub(super) struct Ranges(Vec<Range<u64>>);

impl Ranges {
    /// Adds bytes; what overlaps or touches becomes one.
    pub(super) fn insert(&mut self, new: Range<u64>) {
        if new.is_empty() {
            return;
        }
        let first = self.0.partition_point(|range| range.end < new.start);
        let behind = self.0.partition_point(|range| range.start <= new.end);
        let touched = self.0.get(first..behind).unwrap_or_default();
        let start = touched
            .first()
            .map_or(new.start, |range| range.start.min(new.start));
        let end = touched.last().map_or(new.end, |range| range.end.max(new.end));
        self.0.splice(first..behind, std::iter::once(start..end));
    }

    /// How many bytes are there.
    pub(super) fn total(&self) -> u64 {
        self.0.iter().map(|range| range.end - range.start).sum()
    }

    /// The end of the bytes that are there without a gap from `from` on; `from` where that byte is missing.
    pub(super) fn end_from(&self, from: u64) -> u64 {
        let holding = self.0.iter().find(|range| range.contains(&from));
        holding.map_or(from, |range| range.end)
    }

    /// The gaps in a file of this size, ascending.
    pub(super) fn gaps(&self, size: u64) -> Vec<Range<u64>> {
        let starts = std::iter::once(0).chain(self.0.iter().map(|range| range.end));
        let ends = self.0.iter().map(|range| range.start).chain([size]);
        starts
            .zip(ends)
            .map(|(start, end)| start..end.min(size))
            .filter(|gap| !gap.is_empty())
            .collect()
    }
}

impl From<Vec<(u64, u64)>> for Ranges {
    fn from(pairs: Vec<(u64, u64)>) -> Self {
        let mut ranges = Self::default();
        for (start, end) in pairs {
            ranges.insert(start..end);
        }
        ranges
    }
}

impl From<Ranges> for Vec<(u64, u64)> {
    fn from(ranges: Ranges) -> Self {
        ranges
            .0
            .into_iter()
            .map(|range| (range.start, range.end))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SIZE: u64 = 64;

    proptest! {
        #[test]
        fn they_are_what_a_map_of_bytes_is(pieces in prop::collection::vec((0..SIZE, 0..20_u64), 0..12)) {
            let mut ranges = Ranges::default();
            let mut bytes = [false; SIZE as usize];
            for (start, count) in pieces {
                let end = (start + count).min(SIZE);
                ranges.insert(start..end);
                bytes[start as usize..end as usize].fill(true);
            }
            let count = |wanted: bool| bytes.iter().filter(|there| **there == wanted).count() as u64;
            prop_assert_eq!(ranges.total(), count(true));
            let gaps = ranges.gaps(SIZE);
            prop_assert_eq!(gaps.iter().map(|gap| gap.end - gap.start).sum::<u64>(), count(false));
            prop_assert!(gaps.iter().flat_map(Clone::clone).all(|at| !bytes[at as usize]));
            prop_assert!(ranges.0.windows(2).all(|pair| pair[0].end < pair[1].start), "{:?}", ranges);
            for from in 0..SIZE {
                let run = bytes[from as usize..].iter().take_while(|there| **there).count() as u64;
                prop_assert_eq!(ranges.end_from(from), from + run);
            }
            let text = serde_json::to_string(&ranges).expect("serialises");
            prop_assert_eq!(&serde_json::from_str::<Ranges>(&text).expect("parses"), &ranges);
        }
    }
}

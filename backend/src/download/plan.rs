//! Which part of a file is fetched next, and how long it is. Pure.
//!
//! Parts are taken from the front, so that the hash of the file's beginning stays close behind what comes.

use std::ops::Range;
use std::time::Duration;

/// Connections of one file at most.
pub(super) const MAX_CONNECTIONS: usize = 8;

/// Connections to begin with; each part that comes in full allows one more, each that breaks off one less.
const FIRST_CONNECTIONS: usize = 4;

/// Shortest part, unless less is missing: below it asking takes longer than fetching.
pub(super) const MIN_PART: u64 = 1 << 20;

/// Longest part: what a connection that breaks may have fetched last is never more.
pub(super) const MAX_PART: u64 = 64 << 20;

/// Part before the speed is known.
const FIRST_PART: u64 = 4 << 20;

/// How long fetching a part shall take.
const PART_DURATION: Duration = Duration::from_secs(10);

/// What is missing of a file and not being fetched, and how to fetch it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Plan {
    /// Ascending, disjoint, none empty.
    missing: Vec<Range<u64>>,
    connections: usize,
    part: u64,
    /// Whether the file comes as one, from a server that knows no ranges.
    is_whole: bool,
}

impl Plan {
    /// A plan for these gaps.
    pub(super) fn new(gaps: Vec<Range<u64>>) -> Self {
        Self {
            missing: gaps,
            connections: FIRST_CONNECTIONS,
            part: FIRST_PART,
            is_whole: false,
        }
    }

    /// A plan for a file that comes as one, from its first byte each time.
    pub(super) fn whole(size: u64) -> Self {
        Self {
            missing: std::iter::once(0..size).filter(|gap| !gap.is_empty()).collect(),
            connections: 1,
            part: size,
            is_whole: true,
        }
    }

    /// Whether the file comes as one.
    pub(super) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// The next part, where one is missing and `running` parts leave a connection for it.
    pub(super) fn take(&mut self, running: usize) -> Option<Range<u64>> {
        if running >= self.connections {
            return None;
        }
        if self.is_whole {
            return self.missing.pop();
        }
        let rest: u64 = self.missing.iter().map(|gap| gap.end - gap.start).sum();
        // Near the end everyone gets a share, so that no connection is left alone with a long part.
        let share = rest.div_ceil(self.connections as u64).max(MIN_PART);
        let gap = self.missing.first_mut()?;
        let mut length = self.part.min(share).min(gap.end - gap.start);
        // A rest that is shorter than a part comes along.
        if gap.end - gap.start - length < MIN_PART {
            length = gap.end - gap.start;
        }
        let part = gap.start..gap.start + length;
        gap.start = part.end;
        if gap.is_empty() {
            self.missing.remove(0);
        }
        Some(part)
    }

    /// A part came in full after this time.
    pub(super) fn succeeded(&mut self, length: u64, took: Duration) {
        if self.is_whole {
            return;
        }
        self.connections = (self.connections + 1).min(MAX_CONNECTIONS);
        let wanted = length as f64 * PART_DURATION.as_secs_f64() / took.as_secs_f64().max(0.001);
        // A float that is too large becomes the largest integer.
        self.part = ((self.part as f64 + wanted) / 2.0).clamp(MIN_PART as f64, MAX_PART as f64) as u64;
    }

    /// A part broke off; this is missing of it again.
    pub(super) fn failed(&mut self, rest: Range<u64>) {
        self.connections = (self.connections - 1).max(1);
        self.part = (self.part / 2).max(MIN_PART);
        if !rest.is_empty() {
            let at = self.missing.partition_point(|gap| gap.start < rest.start);
            self.missing.insert(at, rest);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::ranges::Ranges;
    use super::*;

    /// What happens to the oldest part that runs.
    #[derive(Debug, Clone)]
    enum Fate {
        /// It comes in full after so many milliseconds.
        Comes(u64),
        /// It breaks off after this share of it.
        Breaks(f64),
    }

    fn fate() -> impl Strategy<Value = Fate> {
        prop_oneof![
            (0..60_000_u64).prop_map(Fate::Comes),
            (0.0..1.0).prop_map(Fate::Breaks)
        ]
    }

    proptest! {
        /// Whatever breaks: every byte is asked for until it comes, and none that came is asked for again.
        #[test]
        fn every_byte_is_fetched_once(
            size in 0..500_000_000_u64,
            had in prop::collection::vec((0..500_000_000_u64, 0..90_000_000_u64), 0..4),
            fates in prop::collection::vec(fate(), 0..40),
        ) {
            let mut there = Ranges::default();
            for (start, length) in had {
                there.insert(start.min(size)..(start + length).min(size));
            }
            let mut plan = Plan::new(there.gaps(size));
            let mut running: Vec<Range<u64>> = Vec::new();
            let mut fates = fates.into_iter();
            loop {
                while let Some(part) = plan.take(running.len()) {
                    prop_assert!(!part.is_empty() && part.end <= size);
                    prop_assert!(part.end - part.start <= MAX_PART + MIN_PART);
                    running.push(part);
                }
                prop_assert!(running.len() <= MAX_CONNECTIONS);
                if running.is_empty() {
                    break;
                }
                let part = running.remove(0);
                let before = there.total();
                let came = match fates.next().unwrap_or(Fate::Comes(10)) {
                    Fate::Comes(took) => {
                        plan.succeeded(part.end - part.start, Duration::from_millis(took));
                        part.clone()
                    }
                    Fate::Breaks(share) => {
                        let at = part.start + ((part.end - part.start) as f64 * share) as u64;
                        plan.failed(at..part.end);
                        part.start..at
                    }
                };
                there.insert(came.clone());
                prop_assert_eq!(there.total(), before + (came.end - came.start), "fetched twice: {:?}", came);
            }
            prop_assert!(plan.missing.is_empty());
            prop_assert_eq!(there.total(), size);
        }
    }

    #[test]
    fn parts_grow_with_the_speed_and_shrink_with_faults() {
        let mut plan = Plan::new(std::iter::once(0..10 << 30).collect());
        let length = |plan: &mut Plan| plan.take(0).map(|part| part.end - part.start);
        assert_eq!(length(&mut plan), Some(FIRST_PART));
        for _ in 0..9 {
            plan.succeeded(64 << 20, Duration::from_secs(1));
        }
        assert!(
            length(&mut plan).is_some_and(|length| length > MAX_PART - MIN_PART),
            "{plan:?}"
        );
        assert_eq!(plan.connections, MAX_CONNECTIONS);
        for _ in 0..9 {
            plan.failed(0..0);
        }
        assert_eq!((length(&mut plan), plan.connections), (Some(MIN_PART), 1));
    }
}

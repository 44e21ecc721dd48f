//! What to do when a part broke off: ask again, begin anew or give up. Pure, with the time passed in.

use std::ops::Range;

use tokio::time::Instant;

use super::answer::Trouble;

/// Tries in a row that bring no byte before the download is paused: with the rests between them, two or three minutes.
const MAX_FRUITLESS: u32 = 8;

/// Odd ranges in a row after which the file is asked for as a whole.
const MAX_BAD_RANGES: u32 = 2;

/// Times that the file may change. After half of them ETags are no longer believed: some hosts are many machines of
/// which each has its own, and the hash tells in the end.
const MAX_CHANGES: u32 = 4;

/// The tries so far of one file.
#[derive(Debug)]
pub(super) struct Tries {
    /// Whether the hub has told a hash.
    has_hash: bool,
    /// Whether the file comes as one.
    is_whole: bool,
    /// In a row without a byte.
    fruitless: u32,
    bad_ranges: u32,
    changes: u32,
    /// When the last one was counted: parts that began before that fail for the same reason.
    counted_at: Instant,
    /// The furthest byte that came of a file that comes as one.
    furthest: u64,
}

/// A part that broke off.
#[derive(Debug, Clone)]
pub(super) struct Broken<'a> {
    pub(super) part: Range<u64>,
    /// The end of what came.
    pub(super) reached: u64,
    pub(super) began: Instant,
    pub(super) trouble: &'a Trouble,
}

/// What to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// What is missing of the part is asked for again, after a rest for so many fruitless tries in a row; `None` where
    /// another part has said the same already.
    Again(Option<u32>),
    /// All so far is dropped; the same rest.
    Anew(Option<u32>),
    /// No more is tried.
    GiveUp,
}

impl Tries {
    pub(super) fn new(has_hash: bool, now: Instant) -> Self {
        Self {
            has_hash,
            is_whole: false,
            fruitless: 0,
            bad_ranges: 0,
            changes: 0,
            counted_at: now,
            furthest: 0,
        }
    }

    /// Whether the file is to come as one, since the server gives no ranges.
    pub(super) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Whether another ETag means another file.
    pub(super) fn heeds_etags(&self) -> bool {
        self.changes <= MAX_CHANGES / 2
    }

    /// A part came in full.
    pub(super) fn succeeded(&mut self) {
        (self.fruitless, self.bad_ranges) = (0, 0);
    }

    /// A part broke off.
    pub(super) fn failed(&mut self, now: Instant, broken: &Broken<'_>) -> Next {
        if self.brought(broken) {
            self.succeeded();
        }
        let is_new = broken.began >= self.counted_at;
        if is_new && !self.brought(broken) {
            self.counted_at = now;
            self.fruitless += 1;
            self.bad_ranges += u32::from(matches!(broken.trouble, Trouble::BadRange(_)));
        }
        if self.is_whole {
            self.furthest = self.furthest.max(broken.reached);
        }
        self.changes += u32::from(*broken.trouble == Trouble::Changed);
        let believes_nothing = self.changes > MAX_CHANGES || !(self.has_hash || self.heeds_etags());
        if self.fruitless > MAX_FRUITLESS || believes_nothing {
            return Next::GiveUp;
        }
        let becomes_whole = *broken.trouble == Trouble::NoRanges || self.bad_ranges >= MAX_BAD_RANGES;
        let rest = (is_new || matches!(broken.trouble, Trouble::Wait(_))).then_some(self.fruitless);
        if self.is_whole || becomes_whole || *broken.trouble == Trouble::Changed {
            self.is_whole |= becomes_whole;
            return Next::Anew(rest);
        }
        Next::Again(rest)
    }

    /// Whether it brought bytes that were not there before.
    fn brought(&self, broken: &Broken<'_>) -> bool {
        let before = if self.is_whole {
            self.furthest
        } else {
            broken.part.start
        };
        broken.reached > before
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Parts of 100 bytes that break off one after the other, each after so many bytes.
    fn outcomes(has_hash: bool, fates: &[(u64, Trouble)]) -> Vec<Next> {
        let start = Instant::now();
        let mut tries = Tries::new(has_hash, start);
        let outcome = |(second, (came, trouble)): (u64, &(u64, Trouble))| {
            let began = start + Duration::from_secs(second);
            let broken = Broken {
                part: 0..100,
                reached: *came,
                began,
                trouble,
            };
            tries.failed(began, &broken)
        };
        (0..).zip(fates).map(outcome).collect()
    }

    fn closed() -> Trouble {
        Trouble::Broken("it closed".into())
    }

    /// The rests of fruitless tries in a row, up to the last that is made.
    fn rests() -> impl Iterator<Item = Option<u32>> {
        (1..=MAX_FRUITLESS).map(Some)
    }

    #[test]
    fn enough_tries_without_a_byte_are_enough_and_a_byte_begins_anew() {
        let fruitless = vec![(0, closed()); MAX_FRUITLESS as usize];
        let last = (0, closed());
        let fates = [fruitless.clone(), vec![(1, closed())], fruitless, vec![last]].concat();
        let expected = rests().chain([Some(0)]).chain(rests()).map(Next::Again);
        assert_eq!(
            outcomes(true, &fates),
            expected.chain([Next::GiveUp]).collect::<Vec<_>>()
        );
    }

    #[test]
    fn parts_that_fail_together_count_as_one() {
        let start = Instant::now();
        let mut tries = Tries::new(true, start);
        let trouble = closed();
        let broken = Broken {
            part: 0..100,
            reached: 0,
            began: start,
            trouble: &trouble,
        };
        let later = |seconds| start + Duration::from_secs(seconds);
        assert_eq!(tries.failed(later(1), &broken), Next::Again(Some(1)));
        for _ in 0..20 {
            assert_eq!(tries.failed(later(2), &broken), Next::Again(None));
        }
    }

    #[test]
    fn a_server_without_ranges_gives_the_whole_as_long_as_it_gets_further() {
        let odd = || Trouble::BadRange("another".into());
        assert_eq!(outcomes(true, &[(0, Trouble::NoRanges)]), [Next::Anew(Some(1))]);
        assert_eq!(
            outcomes(true, &[(0, odd()), (0, odd())]),
            [Next::Again(Some(1)), Next::Anew(Some(2))]
        );
        // As one: 40 bytes, 50 bytes, and then never again as many.
        let before = vec![(0, Trouble::NoRanges), (40, closed()), (50, closed())];
        let fates = [before, vec![(45, closed()); MAX_FRUITLESS as usize + 1]].concat();
        let expected = [Some(1), Some(0), Some(0)]
            .into_iter()
            .chain(rests())
            .map(Next::Anew);
        assert_eq!(
            outcomes(true, &fates),
            expected.chain([Next::GiveUp]).collect::<Vec<_>>()
        );
    }

    #[test]
    fn a_file_that_changes_for_ever_is_given_up_and_without_a_hash_sooner() {
        let changes = |has_hash| {
            let fates: [_; 6] = std::array::from_fn(|_| (1, Trouble::Changed));
            let nexts = outcomes(has_hash, &fates);
            nexts
                .iter()
                .take_while(|next| **next == Next::Anew(Some(0)))
                .count()
        };
        assert_eq!((changes(true), changes(false)), (4, 2));
    }
}

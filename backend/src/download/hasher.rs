//! The sha256 of a file whose parts come in any order, without reading the whole file again.
//!
//! The hash takes bytes from the front only. What comes at its frontier goes in straight from memory; what came ahead
//! of it is read back once the gap before it has closed, soon after it was written and so from the page cache. The
//! state of the hash is saved with the download, so that going on later reads nothing again.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use serde::{Deserialize, Serialize};
use sha2::digest::common::hazmat::{SerializableState, SerializedState};
use sha2::{Digest, Sha256};

/// Bytes that are read back at once.
const BLOCK: usize = 1 << 20;

/// The hash of a file's beginning.
#[derive(Debug, Clone, Default)]
pub(super) struct Hasher {
    state: Sha256,
    frontier: u64,
}

/// The same, on the disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SavedHash {
    /// How many bytes are in it.
    pub(super) bytes: u64,
    /// The state of the hash, in hexadecimal, as `sha2` serialises it.
    state: String,
}

impl Hasher {
    /// Goes on with a saved hash, if it can be read and all of its bytes are still there.
    pub(super) fn resume(saved: Option<&SavedHash>, there: u64) -> Self {
        saved
            .filter(|saved| saved.bytes <= there)
            .and_then(|saved| {
                let state = SerializedState::<Sha256>::try_from(from_hex(&saved.state)?.as_slice()).ok()?;
                Some(Self {
                    state: Sha256::deserialize(&state).ok()?,
                    frontier: saved.bytes,
                })
            })
            .unwrap_or_default()
    }

    /// How many bytes of the file's beginning are in it.
    pub(super) fn frontier(&self) -> u64 {
        self.frontier
    }

    /// Takes what of these bytes goes on at the frontier; bytes ahead of it are left for [`Self::catch_up`].
    pub(super) fn take(&mut self, offset: u64, bytes: &[u8]) {
        let known = self
            .frontier
            .checked_sub(offset)
            .and_then(|known| usize::try_from(known).ok());
        if let Some(new) = known.and_then(|known| bytes.get(known..)) {
            self.state.update(new);
            self.frontier += new.len() as u64;
        }
    }

    /// Reads back what is there between the frontier and `end`.
    ///
    /// # Errors
    /// Where the file cannot be read, or has become shorter.
    pub(super) fn catch_up(&mut self, file: &mut File, end: u64) -> io::Result<()> {
        if self.frontier >= end {
            return Ok(());
        }
        file.seek(SeekFrom::Start(self.frontier))?;
        let mut block = vec![0; BLOCK];
        while self.frontier < end {
            let length = usize::try_from(end - self.frontier).unwrap_or(BLOCK).min(BLOCK);
            file.read_exact(&mut block[..length])?;
            self.state.update(&block[..length]);
            self.frontier += length as u64;
        }
        Ok(())
    }

    /// Its state, to be saved.
    pub(super) fn save(&self) -> SavedHash {
        SavedHash {
            bytes: self.frontier,
            state: hex(&self.state.serialize()),
        }
    }

    /// The hash, in hexadecimal.
    pub(super) fn finish(self) -> String {
        hex(&self.state.finalize())
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let pairs = text.as_bytes().chunks(2);
    pairs
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use proptest::prelude::*;

    use super::super::ranges::Ranges;
    use super::*;

    proptest! {
        /// Pieces in any order, saved and resumed after any of them, give the hash of the whole.
        #[test]
        fn the_order_of_pieces_and_restarts_change_nothing(
            seed in any::<u64>(),
            cuts in prop::collection::vec(0..5_000_usize, 0..20),
            order in any::<prop::sample::Index>(),
            resume_after in 0..20_usize,
        ) {
            let mut content = vec![0; 5_000];
            fastrand::Rng::with_seed(seed).fill(&mut content);
            let mut cuts = [cuts, vec![0, content.len()]].concat();
            cuts.sort_unstable();
            let mut pieces: Vec<_> = cuts.windows(2).map(|pair| pair[0]..pair[1]).collect();
            let count = pieces.len();
            pieces.rotate_left(order.index(count));
            fastrand::Rng::with_seed(seed).shuffle(&mut pieces);

            let mut file = tempfile::tempfile().expect("a file");
            let mut hasher = Hasher::default();
            let mut there = Ranges::default();
            for (number, piece) in pieces.into_iter().enumerate() {
                let bytes = &content[piece.clone()];
                file.seek(SeekFrom::Start(piece.start as u64)).expect("seek");
                file.write_all(bytes).expect("write");
                there.insert(piece.start as u64..piece.end as u64);
                hasher.take(piece.start as u64, bytes);
                let end = there.end_from(hasher.frontier());
                hasher.catch_up(&mut file, end).expect("read back");
                if number == resume_after {
                    let saved = hasher.save();
                    let text = serde_json::to_string(&saved).expect("serialises");
                    let saved: SavedHash = serde_json::from_str(&text).expect("parses");
                    hasher = Hasher::resume(Some(&saved), there.end_from(0));
                    prop_assert_eq!(hasher.frontier(), saved.bytes);
                }
            }
            prop_assert_eq!(hasher.frontier(), content.len() as u64);
            prop_assert_eq!(hasher.finish(), hex(&Sha256::digest(&content)));
        }
    }

    #[test]
    fn a_saved_hash_of_bytes_that_are_gone_or_damaged_is_not_used() {
        let mut hasher = Hasher::default();
        hasher.take(0, b"abc");
        let mut saved = hasher.save();
        assert_eq!(Hasher::resume(Some(&saved), 3).frontier(), 3);
        assert_eq!(Hasher::resume(Some(&saved), 2).frontier(), 0);
        for damaged in ["", "zz", "é", "00"] {
            saved.state = damaged.into();
            assert_eq!(Hasher::resume(Some(&saved), 3).frontier(), 0, "{damaged}");
        }
    }
}

//! Names of tool calls.

use std::hash::{BuildHasher, Hasher, RandomState};

/// Letters and digits; Mistral's templates demand exactly so many.
const LENGTH: u32 = 9;

const ALPHABET: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// The names of one answer's calls.
#[derive(Debug)]
pub(super) struct CallIds(RandomState);

impl CallIds {
    /// Names that no other answer has: the standard library takes its seed from the system's randomness.
    pub(super) fn new() -> Self {
        Self(RandomState::new())
    }

    /// The name of the call with this index; its last characters tell calls of one answer apart.
    pub(super) fn get(&self, index: u32) -> String {
        let base = ALPHABET.len() as u64;
        let mut hasher = self.0.build_hasher();
        hasher.write_u8(0);
        let random = hasher.finish();
        let digit = |number: u64, place: u32| ALPHABET[(number / base.pow(place) % base) as usize] as char;
        (0..LENGTH - 2)
            .map(|place| digit(random, place))
            .chain((0..2).map(|place| digit(random % 100 + u64::from(index), place)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_two_calls_have_one_name() {
        let mut seen = HashSet::new();
        for _ in 0..200 {
            let ids = CallIds::new();
            for index in 0..20 {
                let id = ids.get(index);
                assert!(
                    id.len() == 9 && id.chars().all(|letter| letter.is_ascii_alphanumeric()),
                    "{id}"
                );
                assert!(seen.insert(id));
            }
        }
    }
}

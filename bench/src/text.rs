//! Texts for prompts, made here so that nothing is downloaded and every run reads the same.

/// Frequent English words. Behind a space each is one token in the vocabularies of the benchmark's models, so that a
/// text of so many words is a text of so many tokens.
const WORDS: [&str; 64] = [
    "time", "people", "water", "house", "night", "world", "school", "family", "head", "hand", "place",
    "work", "week", "case", "point", "company", "number", "group", "problem", "fact", "money", "story",
    "month", "book", "job", "word", "business", "side", "kind", "service", "friend", "father", "power",
    "hour", "game", "line", "end", "member", "law", "car", "city", "name", "team", "minute", "idea", "body",
    "back", "parent", "face", "level", "office", "door", "health", "person", "art", "war", "history",
    "party", "result", "change", "morning", "reason", "research", "moment",
];

/// So many words in an order that the seed decides. Texts of different seeds differ from the beginning, so that no
/// cache helps with one that it has not seen.
pub(crate) fn words(seed: u64, count: usize) -> String {
    let mut state = seed;
    let mut text = String::new();
    for place in 0..count {
        if place > 0 {
            text.push(' ');
        }
        state = next(state);
        // The first two words count the seeds through, which chance would not.
        let index = match place {
            0 => seed % WORDS.len() as u64,
            1 => seed / WORDS.len() as u64 % WORDS.len() as u64,
            _ => state % WORDS.len() as u64,
        };
        text.push_str(WORDS[index as usize]);
    }
    text
}

/// SplitMix64 (Steele, Lea, Flood 2014).
fn next(state: u64) -> u64 {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Letters, of which the last is to be repeated. Models as small as those of the benchmark must be shown how.
const LETTERS: [&str; 3] = [
    "\
Dear Martha, thank you for the photographs of the wedding. Your sister looks happy, and the cake was a work of art. \
We have put the best of them into a frame above the fireplace.",
    "\
Dear Martha, the train was late again, so I missed the concert. The hall was locked, and I stood in the rain for an \
hour. Please tell the others that I am sorry.",
    "\
Dear Martha, the ferry to the island leaves at seven in the morning and again at four in the afternoon. Please take \
the early one, because the later boat is often full in summer. When you arrive, walk along the harbour until you see \
a white house with a green door. The key lies under the flat stone beside the rain barrel. There is bread in the \
kitchen, and the neighbour will bring milk and eggs on Tuesday. If the lamp in the hall does not burn, press the \
small red button below the stairs and wait a minute. The dog is friendly, but do not let him into the garden, since \
he digs up the roses. I shall come on Saturday with the two boys and a basket of apples. Until then enjoy the quiet, \
the sea and the long evenings.",
];

/// The change: this word, and what stands in its place.
const CHANGE: (&str, &str) = ("Martha", "Helen");

/// What a model is asked for to repeat a text with one change: two letters with their copies, and a third without.
pub(crate) fn letters_to_copy() -> String {
    let mut text = String::new();
    for (place, letter) in LETTERS.iter().enumerate() {
        if place > 0 {
            text.push_str("\n\n");
        }
        text.push_str(&format!("Letter: {letter}\nCopy for {}:", CHANGE.1));
        if place + 1 < LETTERS.len() {
            text.push_str(&format!(" {}", letter.replace(CHANGE.0, CHANGE.1)));
        }
    }
    text
}

/// What a model is asked for to write prose that repeats nothing.
pub(crate) const PROSE: &str = "\
Write a story about a clockmaker who finds an old map in the drawer of a cupboard and sets out to follow it.";

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn a_text_has_its_words_and_is_the_same_each_time() {
        let text = words(7, 100);
        assert_eq!(text.split(' ').count(), 100);
        assert_eq!(text, words(7, 100));
        assert_eq!(words(7, 0), "");
    }

    #[test]
    fn texts_of_different_seeds_differ_within_two_words() {
        let beginnings: HashSet<String> = (0..4096).map(|seed| words(seed, 2)).collect();
        assert_eq!(beginnings.len(), 4096);
    }

    #[test]
    fn the_words_are_all_different() {
        assert_eq!(WORDS.iter().collect::<HashSet<_>>().len(), WORDS.len());
    }

    #[test]
    fn the_last_letter_has_no_copy_yet() {
        let text = letters_to_copy();
        assert_eq!(text.matches("Dear Martha").count(), 3);
        assert_eq!(text.matches("Dear Helen").count(), 2);
        assert!(text.ends_with("evenings.\nCopy for Helen:"), "{text}");
    }
}

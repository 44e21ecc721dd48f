//! Where a text can be cut between the tokens that are read as a whole, such as control tokens.
//!
//! llama.cpp takes these out of a text first, the longest first, and keeps what is left of the text in a list that it walks
//! from its beginning for each of them (`tokenizer_st_partition` of `llama-vocab.cpp`): half a mebibyte of control tokens
//! takes seconds, some mebibytes minutes. What follows such a token is read as if it stood alone, so a text that is cut
//! behind some of them has the same tokens. Where they stand is found here in the same order, without the list.

use std::cmp::Reverse;

use llama_cpp_2::token_type::LlamaTokenAttr;
use llama_cpp_2::vocab::LlamaVocab;
use memchr::memmem::Finder;

use super::is_space;

/// So many tokens as a whole are read at once within milliseconds.
pub(super) const TOKENS: usize = 1_000;

/// A piece without that many is cut behind so many bytes, where it can be.
pub(super) const BYTES: usize = 256 << 10;

/// The text of a token that is read as a whole, and the white space beside it that it swallows.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Whole {
    pub(super) text: Vec<u8>,
    pub(super) strips_before: bool,
    pub(super) strips_after: bool,
}

/// The tokens of a vocabulary that are read as a whole; without `parse_special` its control tokens are text.
pub(super) fn wholes(vocabulary: &LlamaVocab<'_>, parse_special: bool) -> Vec<Whole> {
    let control = LlamaTokenAttr::Control | LlamaTokenAttr::Unknown;
    let whole = vocabulary.tokens().filter_map(|token| {
        let attributes = vocabulary.attr(token);
        let is_whole = attributes.intersects(control | LlamaTokenAttr::UserDefined)
            && (parse_special || !attributes.intersects(control));
        let text = vocabulary.text(token).filter(|_| is_whole)?;
        (!text.is_empty()).then(|| Whole {
            text: text.to_bytes().to_vec(),
            strips_before: attributes.contains(LlamaTokenAttr::LStrip),
            strips_after: attributes.contains(LlamaTokenAttr::RStrip),
        })
    });
    whole.collect()
}

/// The ends of the pieces of a text, in their order and the text's own end among them: each but the last stands behind a
/// token that is read as a whole and the white space that this swallows, and each piece has about `tokens` of these or
/// `bytes` bytes.
pub(super) fn ends(text: &str, wholes: Vec<Whole>, (tokens, bytes): (usize, usize)) -> Vec<usize> {
    let mut ends = Vec::new();
    let (mut begin, mut count) = (0, 0);
    for end in edges(text.as_bytes(), wholes).unwrap_or_default() {
        count += 1;
        if (count >= tokens || end - begin >= bytes) && end < text.len() && text.is_char_boundary(end) {
            ends.push(end);
            (begin, count) = (end, 0);
        }
    }
    ends.push(text.len());
    ends
}

/// The places behind the tokens that are read as a whole, in their order. `None` where two of the same length overlap, of
/// which llama.cpp takes one or the other.
fn edges(text: &[u8], mut wholes: Vec<Whole>) -> Option<Vec<usize>> {
    wholes.sort_by(|a, b| (Reverse(a.text.len()), a).cmp(&(Reverse(b.text.len()), b)));
    wholes.dedup();
    // What stands at each byte: 0 for text, else a number for the length of the token that has it.
    let mut taken = vec![0_u8; text.len()];
    let mut edges = Vec::new();
    let (mut length, mut mark) = (0, 0_u8);
    for whole in &wholes {
        if whole.text.len() != length {
            length = whole.text.len();
            // The same number for two lengths leads to no cut, at the worst.
            mark = mark.checked_add(1).unwrap_or(1);
        }
        let finder = Finder::new(&whole.text);
        let mut from = 0;
        while let Some(place) = text.get(from..).and_then(|rest| finder.find(rest)) {
            let start = from + place;
            let mut end = start + length;
            // Whatever is taken already is at least as long, and so has one of its ends.
            let (first, last) = (taken[start], taken[end - 1]);
            if first == mark || last == mark {
                return None;
            }
            if first != 0 {
                let rest = taken[start..].iter().position(|taken| *taken != first);
                from = rest.map_or(text.len(), |rest| start + rest);
                continue;
            }
            if last != 0 {
                from = start + 1;
                continue;
            }
            let mut begin = start;
            while whole.strips_before && begin > 0 && is_blank(text, &taken, begin - 1) {
                begin -= 1;
            }
            while whole.strips_after && end < text.len() && is_blank(text, &taken, end) {
                end += 1;
            }
            taken[begin..end].fill(mark);
            edges.push(end);
            from = end;
        }
    }
    edges.sort_unstable();
    Some(edges)
}

/// Whether white space stands at this place that no token has.
fn is_blank(text: &[u8], taken: &[u8], place: usize) -> bool {
    taken[place] == 0 && is_space(char::from(text[place]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(text: &str) -> Whole {
        Whole {
            text: text.as_bytes().to_vec(),
            strips_before: text.starts_with('['),
            strips_after: text.ends_with(']'),
        }
    }

    #[test]
    fn the_longest_tokens_are_taken_first_and_swallow_their_white_space() {
        type Case<'a> = (&'a str, &'a [&'a str], Option<&'a [usize]>);
        let cases: [Case<'_>; 13] = [
            ("a<s>b<s>", &["<s>"], Some(&[4, 8])),
            ("none", &["<s>"], Some(&[])),
            // The longer one counts, wherever it begins.
            ("abcd", &["ab", "bcd"], Some(&[4])),
            ("abcd", &["abc", "cd"], Some(&[3])),
            ("\n\n\n\n\n", &["\n", "\n\n"], Some(&[2, 4, 5])),
            // What is taken stands between.
            ("a<s>b", &["<s>", "s"], Some(&[4])),
            ("<s>s", &["<s>", "s"], Some(&[3, 4])),
            ("x] \n y", &["x]"], Some(&[5])),
            ("a \n [x", &["[x"], Some(&[6])),
            ("x] [x", &["x]", "[x"], Some(&[2, 5])),
            // The shorter one is gone where a longer one has swallowed it.
            ("\n\n[xx", &["\n", "[xx"], Some(&[5])),
            // Which of two that are as long llama.cpp takes, nobody knows.
            ("abc", &["ab", "bc"], None),
            ("ab-bc", &["ab", "bc"], Some(&[2, 5])),
        ];
        for (text, wholes, expected) in cases {
            let wholes = wholes.iter().map(|text| whole(text)).collect();
            assert_eq!(edges(text.as_bytes(), wholes).as_deref(), expected, "{text:?}");
        }
    }

    #[test]
    fn a_piece_holds_a_bounded_number_of_them() {
        let cases: [(&str, usize, usize, &[usize]); 5] = [
            ("<s><s><s>", 1, 100, &[3, 6, 9]),
            ("<s><s><s>", 2, 100, &[6, 9]),
            ("<s><s><s>", 4, 100, &[9]),
            ("<s>abc<s>d", 4, 5, &[9, 10]),
            ("", 1, 1, &[0]),
        ];
        for (text, tokens, bytes, expected) in cases {
            assert_eq!(
                ends(text, vec![whole("<s>")], (tokens, bytes)),
                expected,
                "{text:?}"
            );
        }
    }
}

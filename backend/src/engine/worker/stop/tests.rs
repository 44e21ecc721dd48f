use proptest::prelude::*;

use super::{StopStep, StopStrings};

fn text(text: &str) -> StopStep {
    StopStep::Text(text.into())
}

fn hit(text: &str, stop: &str) -> StopStep {
    StopStep::Hit {
        text: text.into(),
        stop: stop.into(),
    }
}

/// What each piece led to, and what the flush gave.
fn steps(stops: &[&str], pieces: &[&str]) -> (Vec<StopStep>, String) {
    let mut search = StopStrings::new(stops.iter().map(ToString::to_string).collect());
    let steps = pieces.iter().map(|piece| search.push(piece)).collect();
    (steps, search.flush())
}

#[test]
fn a_stop_string_over_several_pieces_is_found_and_nothing_of_it_shown() {
    let (steps, rest) = steps(&["\nUser:", "END"], &["a", "E", "N", "D"]);
    assert_eq!(steps, [text("a"), text(""), text(""), hit("", "END")]);
    assert_eq!(rest, "");
}

#[test]
fn what_turns_out_to_be_no_stop_string_is_shown() {
    let (steps, rest) = steps(&["\nUser:", "END"], &["E", "N", "X", "\nUse", "d"]);
    assert_eq!(steps, [text(""), text(""), text("ENX"), text(""), text("\nUsed")]);
    assert_eq!(rest, "");
}

#[test]
fn held_text_comes_out_at_the_end() {
    let (steps, rest) = steps(&["\nUser:", "END"], &["The EN"]);
    assert_eq!(steps, [text("The ")]);
    assert_eq!(rest, "EN");
}

#[test]
fn table_of_single_pieces() {
    let table: [(&[&str], &str, StopStep); 14] = [
        // At the start, in the middle, at the end of a piece.
        (&["END"], "END", hit("", "END")),
        (&["END"], "a ENDb", hit("a ", "END")),
        (&["END"], "a END", hit("a ", "END")),
        // The same stop string twice: the first counts.
        (&["END"], "1END2END", hit("1", "END")),
        // Overlaps: a false start runs into the true one.
        (&["aab"], "aaab", hit("a", "aab")),
        (&["ENEND"], "ENENEND", hit("EN", "ENEND")),
        // Two together: what is complete first counts, then the longer.
        (&["abc", "b"], "abc", hit("a", "b")),
        (&["b", "ab"], "ab", hit("", "ab")),
        (&["<end>", "end"], "x<end>", hit("x<", "end")),
        // Whole characters.
        (&["終わり"], "です。終わりx", hit("です。", "終わり")),
        (&["é"], "caf\u{e9}!", hit("caf", "é")),
        (&["🙂"], "a🙃b", text("a🙃b")),
        // None.
        (&[], "anything", text("anything")),
        (&[""], "anything", text("anything")),
    ];
    for (stops, piece, expected) in table {
        let (steps, _) = steps(stops, &[piece]);
        assert_eq!(steps, [expected], "{stops:?} in {piece:?}");
    }
}

#[test]
fn only_what_may_begin_a_stop_string_is_held() {
    let (steps, rest) = steps(&["ababc"], &["xababa", "b", "d"]);
    assert_eq!(steps, [text("xab"), text(""), text("ababd")]);
    assert_eq!(rest, "");
}

/// The rule itself, on the whole text: the shortest start of it that ends with a stop string.
fn on_the_whole(stops: &[String], whole: &str) -> (String, Option<String>) {
    let mut longest_first: Vec<&String> = stops.iter().filter(|stop| !stop.is_empty()).collect();
    longest_first.sort_by_key(|stop| std::cmp::Reverse(stop.len()));
    for (end, _) in whole.char_indices().chain([(whole.len(), ' ')]) {
        for stop in &longest_first {
            if let Some(text) = whole[..end].strip_suffix(stop.as_str()) {
                return (text.to_owned(), Some((*stop).clone()));
            }
        }
    }
    (whole.to_owned(), None)
}

proptest! {
    #[test]
    fn any_cut_ends_at_the_same_place(
        stops in prop::collection::vec("[abé]{0,4}", 0..4),
        pieces in prop::collection::vec("[abcé]{0,5}", 0..12),
    ) {
        let (expected, expected_stop) = on_the_whole(&stops, &pieces.concat());
        let mut search = StopStrings::new(stops);
        let mut shown = String::new();
        let mut stopped = None;
        for piece in &pieces {
            match search.push(piece) {
                StopStep::Text(text) => shown += &text,
                StopStep::Hit { text, stop } => {
                    shown += &text;
                    stopped = Some(stop);
                    break;
                }
            }
            // What is shown is never taken back.
            prop_assert!(expected.starts_with(&shown), "{shown:?} of {expected:?}");
        }
        if stopped.is_none() {
            shown += &search.flush();
        }
        prop_assert_eq!((shown, stopped), (expected, expected_stop));
    }
}

use proptest::prelude::*;

use super::*;

fn tokens(texts: &[&str]) -> ControlTokens {
    ControlTokens::new(texts.iter().map(ToString::to_string))
}

/// The parts of a text, control tokens in brackets.
fn show(texts: &[&str], text: &str, content: &[(usize, usize)]) -> String {
    let tokens = tokens(texts);
    let content: Vec<_> = content.iter().map(|&(start, end)| start..end).collect();
    let segments = tokens.segments(text, &content).into_iter();
    let show = |segment| match segment {
        Segment::Text(text) => text.to_owned(),
        Segment::Control(text) => format!("[{text}]"),
    };
    segments.map(show).collect::<Vec<_>>().join(" ")
}

#[test]
fn tokens_are_found_between_text() {
    assert_eq!(show(&["<a>", "<b>"], "<a>x<b><b>y", &[]), "[<a>] x [<b>] [<b>] y");
    assert_eq!(show(&["<a>"], "no token", &[]), "no token");
    assert_eq!(show(&["<a>"], "", &[]), "");
    assert_eq!(show(&[], "<a>", &[]), "<a>");
    assert_eq!(show(&[""], "<a>", &[]), "<a>");
    assert_eq!(show(&["<｜User｜>"], "é<｜User｜>é", &[]), "é [<｜User｜>] é");
}

#[test]
fn the_longest_token_of_a_place_counts() {
    assert_eq!(
        show(&["<|end|>", "<|end|>\n", "<|"], "<|end|>\n<|", &[]),
        "[<|end|>\n] [<|]"
    );
}

/// As llama.cpp does it: it looks for the longest token in all of the text, then for the next.
#[test]
fn where_tokens_overlap_the_longest_counts() {
    assert_eq!(show(&["ab", "bcd"], "abcd", &[]), "a [bcd]");
    assert_eq!(show(&["abc", "cd", "de"], "abcde", &[]), "[abc] [de]");
    assert_eq!(show(&["aa"], "aaa", &[]), "[aa] a");
}

#[test]
fn a_token_that_touches_content_is_text() {
    let text = "<a>hi<a>";
    assert_eq!(show(&["<a>"], text, &[(3, 5)]), "[<a>] hi [<a>]");
    assert_eq!(show(&["<a>"], text, &[(3, 8)]), "[<a>] hi<a>");
    assert_eq!(show(&["<a>"], text, &[(0, 1), (7, 8)]), "<a>hi<a>");
    assert_eq!(show(&["<a>"], text, &[(2, 3)]), "<a>hi [<a>]");
    // It does not stand in the way of a shorter one beside the content.
    assert_eq!(show(&["<a>hi", "<a>"], text, &[(4, 5)]), "[<a>] hi [<a>]");
}

#[test]
fn tokens_in_messages_are_broken_up() {
    let control = tokens(&["<a>", "a>b", "é"]);
    assert!(control.are_in("x<a>"));
    assert!(!control.are_in("x<b>"));
    assert_eq!(
        control.break_up("x<a>b é"),
        "x\u{fdd0}<\u{fdd1}\u{fdd0}a\u{fdd1}>b \u{fdd0}é\u{fdd1}"
    );
    assert_eq!(control.break_up("plain"), "plain");
}

proptest! {
    #[test]
    fn the_parts_are_the_text(
        texts in prop::collection::vec("[ab<é]{0,3}", 0..5),
        text in "[abc<é]{0,20}",
        cuts in prop::collection::btree_set(0_usize..20, 0..6),
    ) {
        let cuts: Vec<usize> = cuts.into_iter().filter(|&cut| cut <= text.len()).collect();
        let content: Vec<_> = cuts.chunks_exact(2).map(|pair| pair[0]..pair[1]).collect();
        let control = ControlTokens::new(texts.clone());
        let mut at = 0;
        for segment in control.segments(&text, &content) {
            let (Segment::Text(part) | Segment::Control(part)) = segment;
            prop_assert!(!part.is_empty());
            let range = at..at + part.len();
            prop_assert_eq!(&text[range.clone()], part);
            if let Segment::Control(token) = segment {
                prop_assert!(texts.iter().any(|text| text == token));
                prop_assert!(content.iter().all(|content| content.end <= range.start || range.end <= content.start));
            }
            at = range.end;
        }
        prop_assert_eq!(at, text.len());
    }

    #[test]
    fn breaking_up_changes_no_text(texts in prop::collection::vec("[ab<é]{1,3}", 0..5), text in "[abc<é]{0,20}") {
        let broken = ControlTokens::new(texts).break_up(&text);
        prop_assert_eq!(marks::without_marks(&broken), text);
        prop_assert!(marks::Marked::read(&broken).balanced);
    }
}

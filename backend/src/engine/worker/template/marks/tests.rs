use proptest::prelude::*;

use super::*;

/// Marks as brackets, to be read and written in tests.
fn marked(text: &str) -> String {
    text.replace('«', "\u{fdd0}").replace('»', "\u{fdd1}")
}

/// The text, where its data begins and ends, and whether the marks are in order.
fn read(text: &str) -> (String, Vec<(usize, usize)>, bool) {
    let Marked { text, data, balanced } = Marked::read(&marked(text));
    let data = data.into_iter().map(|data| (data.start, data.end)).collect();
    (text, data, balanced)
}

#[test]
fn marks_are_taken_out_and_told() {
    assert_eq!(read("plain"), ("plain".into(), vec![], true));
    assert_eq!(read("a«bc»d«e»"), ("abcde".into(), vec![(1, 3), (4, 5)], true));
    assert_eq!(read("«é»x"), ("éx".into(), vec![(0, 2)], true));
    assert_eq!(read("a«»b"), ("ab".into(), vec![], true));
}

#[test]
fn what_a_lost_mark_leaves_unsure_is_data() {
    assert_eq!(read("a«b"), ("ab".into(), vec![(1, 2)], false));
    assert_eq!(read("a»b"), ("ab".into(), vec![], false));
    assert_eq!(read("a«b«c»d»e"), ("abcde".into(), vec![(1, 4)], false));
}

#[test]
fn a_part_has_its_marks_again() {
    let string = Marked::read(&marked("a«bcd»e"));
    let table = [
        (0..5, "a«bcd»e"),
        (0..1, "a"),
        (1..4, "«bcd»"),
        (2..3, "«c»"),
        (3..5, "«d»e"),
        (0..2, "a«b»"),
        (5..5, ""),
    ];
    for (part, expected) in table {
        assert_eq!(string.write(part.clone()), marked(expected), "{part:?}");
    }
}

#[test]
fn empty_data_leaves_no_marks() {
    let mut text = String::new();
    push(&mut text, "");
    assert_eq!(text, "");
    push(&mut text, "x");
    assert_eq!(text, marked("«x»"));
}

proptest! {
    #[test]
    fn reading_what_was_written_gives_the_same(text in "[abé«»]{0,16}", cuts: [prop::sample::Index; 2]) {
        let string = Marked::read(&marked(&text));
        let places: Vec<usize> = string.text.char_indices().map(|(at, _)| at).chain([string.text.len()]).collect();
        let [a, b] = cuts.map(|cut| *cut.get(&places));
        let (start, end) = (a.min(b), a.max(b));
        let part = Marked::read(&string.write(start..end));
        prop_assert!(part.balanced);
        prop_assert_eq!(&part.text, &string.text[start..end]);
        let is_data = |marked: &Marked, byte: usize| marked.data.iter().any(|data| data.contains(&byte));
        for byte in start..end {
            prop_assert_eq!(is_data(&string, byte), is_data(&part, byte - start), "byte {}", byte);
        }
    }
}

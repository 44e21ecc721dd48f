use proptest::prelude::*;

use super::Utf8Hold;

/// Pushes the bytes in the pieces and gives what came out of each, the flush last.
fn pieces<'a>(bytes: impl IntoIterator<Item = &'a [u8]>) -> Vec<String> {
    let mut hold = Utf8Hold::new();
    let mut out: Vec<String> = bytes.into_iter().map(|piece| hold.push(piece)).collect();
    out.push(hold.flush());
    out
}

fn one_by_one(bytes: &[u8]) -> Vec<String> {
    pieces(bytes.chunks(1))
}

#[test]
fn a_character_comes_with_its_last_byte() {
    assert_eq!(one_by_one("é".as_bytes()), ["", "é", ""]);
    assert_eq!(one_by_one("語".as_bytes()), ["", "", "語", ""]);
    assert_eq!(one_by_one("🙂".as_bytes()), ["", "", "", "🙂", ""]);
}

#[test]
fn whole_text_passes_at_once() {
    assert_eq!(
        pieces(["plain".as_bytes(), " é🙂".as_bytes()]),
        ["plain", " é🙂", ""]
    );
}

#[test]
fn a_piece_may_hold_the_end_of_one_character_and_the_start_of_the_next() {
    let bytes = "語文".as_bytes();
    assert_eq!(
        pieces([&bytes[..2], &bytes[2..4], &bytes[4..]]),
        ["", "語", "文", ""]
    );
}

#[test]
fn joined_emoji_and_combining_marks_lose_nothing() {
    for text in ["👩‍👩‍👧", "e\u{301}", "🇨🇭", "\u{feff}x"] {
        assert_eq!(one_by_one(text.as_bytes()).concat(), text);
    }
}

#[test]
fn an_end_within_a_character_is_one_replacement() {
    assert_eq!(one_by_one(&"a語".as_bytes()[..3]), ["a", "", "", "\u{fffd}"]);
    assert_eq!(one_by_one(&"🙂".as_bytes()[..1]), ["", "\u{fffd}"]);
}

#[test]
fn bytes_that_are_no_text_are_replaced_and_the_text_goes_on() {
    let table: [(&[u8], &str); 6] = [
        (b"a\xffb", "a\u{fffd}b"),
        (b"\xc3(", "\u{fffd}("),
        (b"\xe8\xaa(", "\u{fffd}("),
        // An overlong form and a surrogate are no characters.
        (b"\xc0\xaf", "\u{fffd}\u{fffd}"),
        (b"\xed\xa0\x80", "\u{fffd}\u{fffd}\u{fffd}"),
        (b"\x80\x80ok", "\u{fffd}\u{fffd}ok"),
    ];
    for (bytes, text) in table {
        assert_eq!(pieces([bytes]).concat(), text, "{bytes:x?}");
        assert_eq!(one_by_one(bytes).concat(), text, "{bytes:x?}");
    }
}

#[test]
fn nothing_is_left_after_a_flush() {
    let mut hold = Utf8Hold::new();
    hold.push(&[0xe8]);
    assert_eq!(hold.flush(), "\u{fffd}");
    assert_eq!(hold.flush(), "");
    assert_eq!(hold.push(b"next"), "next");
}

/// Bytes near UTF-8: characters, with some of their bytes cut away or changed.
fn nearly_text() -> impl Strategy<Value = Vec<u8>> {
    let part = prop_oneof![
        any::<char>().prop_map(|c| c.to_string().into_bytes()),
        any::<char>().prop_map(|c| c.to_string().into_bytes()[1..].to_vec()),
        any::<char>().prop_map(|c| {
            let mut bytes = c.to_string().into_bytes();
            bytes.pop();
            bytes
        }),
        prop::collection::vec(any::<u8>(), 0..3),
    ];
    prop::collection::vec(part, 0..12).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn any_cut_gives_the_text_of_the_whole(bytes in nearly_text(), cuts in prop::collection::vec(1usize..6, 0..40)) {
        let mut rest = bytes.as_slice();
        let mut hold = Utf8Hold::new();
        let mut text = String::new();
        for cut in cuts {
            let (piece, after) = rest.split_at(cut.min(rest.len()));
            text += &hold.push(piece);
            rest = after;
        }
        text += &hold.push(rest);
        text += &hold.flush();
        prop_assert_eq!(text, String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn text_is_never_changed(text in ".{0,40}") {
        prop_assert_eq!(one_by_one(text.as_bytes()).concat(), text);
    }
}

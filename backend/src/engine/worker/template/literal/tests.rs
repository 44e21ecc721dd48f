use proptest::prelude::*;

use super::*;

#[test]
fn escapes_are_those_of_python() {
    let table = [
        (r"plain é", Some("plain é")),
        (r"\n\t\r\\\'\x22", Some("\n\t\r\\'\"")),
        (r"\a\b\f\v", Some("\u{7}\u{8}\u{c}\u{b}")),
        (r"\x41\u00e9\U0001f642", Some("Aé🙂")),
        (r"\101\0\1018", Some("A\0A8")),
        (r"\ud83d\ude42", Some("🙂")),
        // What is no escape stays.
        (r"\q\<\é", Some(r"\q\<\é")),
        ("a\\\nb", Some("ab")),
        // What is no text.
        (r"\ud83d", None),
        (r"\ud83dx", None),
        (r"\ude42", None),
        (r"\ud83d\n", None),
        (r"\x4", None),
        (r"\u00g9", None),
        (r"\U00110000", None),
        (r"\UFFFFFFFF", None),
        (r"\N{BULLET}", None),
        ("\\", None),
    ];
    for (literal, string) in table {
        assert_eq!(read(literal).as_deref(), string, "{literal}");
    }
}

#[test]
fn marks_are_no_part_of_a_literal() {
    assert_eq!(write("a\u{fdd0}b\u{fdd1}"), "'ab'");
    assert_eq!(
        read(r"\ufdd0").map(|string| write(&string)).as_deref(),
        Some("''")
    );
}

proptest! {
    #[test]
    fn what_is_written_is_read_the_same(string in any::<String>()) {
        let literal = write(&string);
        let text = literal.strip_prefix('\'').and_then(|text| text.strip_suffix('\'')).expect("quotes");
        prop_assert_eq!(read(text), Some(marks::without_marks(&string).into_owned()));
    }

    #[test]
    fn the_engine_reads_the_same(string in any::<String>()) {
        let source = format!("{{{{ {} }}}}", write(&string));
        let rendered = minijinja::Environment::new().render_str(&source, ()).expect("renders");
        prop_assert_eq!(rendered, marks::without_marks(&string));
    }
}

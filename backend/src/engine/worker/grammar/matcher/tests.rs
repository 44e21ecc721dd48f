//! Texts that grammars match.

use super::super::gbnf;
use super::*;

fn matcher(text: &str) -> Matcher {
    let rules = Rules::compile(&gbnf::read(text).expect("a grammar")).expect("rules");
    Matcher::new(Arc::new(rules)).expect("a matcher")
}

/// Whether a grammar matches a text as a whole, and whether byte by byte is the same as at once.
fn matches(grammar: &str, text: &str) -> bool {
    let mut at_once = matcher(grammar);
    let mut by_byte = matcher(grammar);
    let accepted = at_once.accept(text.as_bytes());
    assert_eq!(
        text.bytes().all(|byte| by_byte.accept(&[byte])),
        accepted,
        "{grammar} {text}"
    );
    assert_eq!(matcher(grammar).fits(text.as_bytes()), accepted);
    accepted && at_once.is_whole()
}

#[test]
fn grammars_match_what_they_say() {
    let cases: [(&str, &[&str], &[&str]); 12] = [
        ("root ::= \"a\"", &["a"], &["", "b", "aa"]),
        ("root ::= \"a\"*", &["", "a", "aaaa"], &["b", "ab"]),
        ("root ::= \"a\"+ \"b\"?", &["a", "ab", "aab"], &["", "b", "abb"]),
        (
            "root ::= (\"a\" | \"bc\"){2,3}",
            &["aa", "abc", "bcbcbc"],
            &["a", "aaaa", "abcb"],
        ),
        ("root ::= [a-c]{2}", &["ab", "cc"], &["a", "abc", "ad"]),
        ("root ::= \"x\"{2,}", &["xx", "xxxxx"], &["x"]),
        ("root ::= [^\"é]", &["a", "漢", "👩"], &["\"", "é", ""]),
        ("root ::= .", &["\n", "é"], &["", "ab"]),
        ("root ::= [é-ü😀-😎]+", &["é", "ü😃"], &["e", "😏"]),
        (
            "root ::= \"\\x41\\u00e9\\U0001F600\\\"\\n\"",
            &["Aé😀\"\n"],
            &["A"],
        ),
        (
            "# sums\nroot ::= term (\"+\" term)*\nterm ::= [0-9]+ | \"(\" root \")\"\n",
            &["1", "1+2", "(1+(2))+3"],
            &["", "1+", "(1", "+1", "1)"],
        ),
        (
            "root ::= a b\na ::= | \"a\"\nb ::= | \"b\" b",
            &["", "a", "abbb", "b"],
            &["ba", "aa"],
        ),
    ];
    for (grammar, yes, no) in cases {
        yes.iter()
            .for_each(|text| assert!(matches(grammar, text), "{grammar} matches {text:?}"));
        no.iter()
            .for_each(|text| assert!(!matches(grammar, text), "{grammar} does not match {text:?}"));
    }
}

#[test]
fn a_text_may_be_cut_within_a_character() {
    let mut matcher = matcher("root ::= \"é\" [漢]");
    let bytes = "é漢".as_bytes();
    assert!(matcher.accept(&bytes[..1]) && matcher.accept(&bytes[1..3]) && !matcher.is_whole());
    assert!(!matcher.fits(b"x"));
    assert!(matcher.accept(&bytes[3..]) && matcher.is_whole() && matcher.is_over());
}

#[test]
fn what_cannot_come_changes_nothing() {
    let mut matcher = matcher("root ::= \"ab\" \"c\"?");
    assert!(!matcher.accept(b"ax"));
    assert!(matcher.accept(b"ab") && matcher.is_whole() && !matcher.is_over());
    assert!(matcher.accept(b"c") && matcher.is_over() && !matcher.accept(b"c"));
}

#[test]
fn much_is_forgotten_without_harm() {
    // Each bracket makes a new set of stacks.
    let mut matcher = matcher("root ::= \"(\" root \")\" | \"x\"");
    let depth = 3 * MOST_SETS;
    for _ in 0..depth {
        assert!(matcher.accept(b"("));
        assert!(matcher.positions.len() <= MOST_SETS + 2);
    }
    assert!(matcher.accept(b"x"));
    for left in (0..depth).rev() {
        assert!(!matcher.is_whole());
        assert!(matcher.accept(b")"), "{left} left");
    }
    assert!(matcher.is_over());
}

#[test]
fn a_grammar_that_is_ambiguous_beyond_use_comes_to_an_end() {
    // Each letter doubles what may follow.
    let mut matcher = matcher("root ::= \"a\" root \"x\" | \"a\" root \"y\" | \"b\"");
    let taken = (0..64).take_while(|_| matcher.accept(b"a")).count();
    assert!((10..20).contains(&taken), "{taken}");
}

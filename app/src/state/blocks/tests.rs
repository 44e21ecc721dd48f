use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::{Block, Blocks};

fn check(text: &str, expected: Expect) {
    let blocks = Blocks::new(text);
    let lines: Vec<_> = blocks.all().iter().map(|block| line(block) + "\n").collect();
    expected.assert_eq(&lines.concat());
}

fn line(block: &Block) -> String {
    match block {
        Block::Heading(text) => format!("heading {text:?}"),
        Block::Paragraph(text) => format!("paragraph {text:?}"),
        Block::Item { depth, number, text } => {
            format!("item {depth} {} {text:?}", number.as_deref().unwrap_or("*"))
        }
        Block::Code { language, text } => format!("code {language:?} {text:?}"),
    }
}

#[test]
fn nothing_is_no_block() {
    check("", expect![""]);
    check(" \n\n\t\n", expect![""]);
}

#[test]
fn an_empty_line_ends_a_paragraph() {
    check(
        "one\n  two  \n\nthree\r\nfour\r\n",
        expect![[r#"
            paragraph "one\ntwo"
            paragraph "three\nfour"
        "#]],
    );
}

#[test]
fn headings_have_a_space_after_their_marks() {
    check(
        "# One\n###### Six ##\n####### Seven\n#hashtag\n\n# C#\n##\n## ##",
        expect![[r########"
            heading "One"
            heading "Six"
            paragraph "####### Seven\n#hashtag"
            heading "C#"
            paragraph "##\n## ##"
        "########]],
    );
}

#[test]
fn lists_nest_and_their_items_go_on() {
    check(
        "Fruit:\n- apple\n  red\n  * core\n    + seed\n1. first\n10) tenth\n\n- after a gap\n-no item\n2024. was long ago",
        expect![[r#"
            paragraph "Fruit:"
            item 0 * "apple\nred"
            item 1 * "core"
            item 2 * "seed"
            item 0 1. "first"
            item 0 10. "tenth"
            item 0 * "after a gap\n-no item\n2024. was long ago"
        "#]],
    );
}

#[test]
fn code_keeps_its_lines_and_ends_at_its_fence() {
    check(
        "Run:\n```rust ignore\nfn a() {\n\n    # b\n}\n```\ndone",
        expect![[r#"
            paragraph "Run:"
            code "rust" "fn a() {\n\n    # b\n}"
            paragraph "done"
        "#]],
    );
    check(
        "````md\n```\ninner\n```\n````",
        expect![[r#"
            code "md" "```\ninner\n```"
        "#]],
    );
    check(
        "~~~\n```\n~~~~",
        expect![[r#"
            code "" "```"
        "#]],
    );
}

#[test]
fn code_in_a_list_loses_the_indent_of_its_fence() {
    check(
        "1. Write:\n   ```py\n   if x:\n       y()\n   ```\n",
        expect![[r#"
            item 0 1. "Write:"
            code "py" "if x:\n    y()"
        "#]],
    );
}

#[test]
fn open_code_takes_the_rest() {
    check(
        "```\n- still code",
        expect![[r#"
            code "" "- still code"
        "#]],
    );
    check(
        "```sh",
        expect![[r#"
            code "sh" ""
        "#]],
    );
}

#[test]
fn three_backticks_in_one_line_are_no_fence() {
    check(
        "see\n```x``` there",
        expect![[r#"
            paragraph "see\n```x``` there"
        "#]],
    );
}

/// Pieces from which every turn of the grammar comes up often.
fn piece() -> impl Strategy<Value = String> {
    let marks = [
        "\n", "\n", "\n\n", " ", "  ", "\t", "\r", "#", "# ", "## ", "-", "- ", "* ", "1", ". ", ") ", "`",
        "``", "```", "~~~", "rust", "é", "🦀", "word",
    ];
    prop_oneof![
        8 => proptest::sample::select(marks.to_vec()).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// However a text arrives, its blocks are those of the whole text, after every piece.
    #[test]
    fn growing_gives_the_same_blocks_as_the_whole(pieces in proptest::collection::vec(piece(), 0..40)) {
        let mut growing = Blocks::default();
        let mut whole = String::new();
        for piece in &pieces {
            growing.append(piece);
            whole.push_str(piece);
            let at_once = Blocks::new(&*whole);
            prop_assert_eq!(growing.all(), at_once.all(), "{:?}", whole);
            prop_assert_eq!(growing.text(), &whole);
        }
    }

    /// What stands before the last line is settled: a growing answer changes at most the end of what is drawn.
    #[test]
    fn blocks_before_the_last_line_stay(
        pieces in proptest::collection::vec(piece(), 0..40),
        more in proptest::collection::vec(piece(), 0..8),
    ) {
        let mut blocks = Blocks::new(pieces.concat());
        let before = blocks.all().to_vec();
        blocks.append(&more.concat());
        let settled = before.len().saturating_sub(2);
        prop_assert_eq!(&before[..settled], &blocks.all()[..settled]);
    }
}

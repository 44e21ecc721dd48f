mod growing;
mod inline;

use expect_test::{Expect, expect};

use super::{Block, Blocks, Face, Frame, Inline, Kind, Look, Marker, Raised, hidden};

fn check(text: &str, expected: Expect) {
    let blocks = Blocks::new(text);
    let lines: Vec<_> = blocks.all().iter().map(|block| line(block) + "\n").collect();
    expected.assert_eq(&lines.concat());
}

/// A block in a line: its frames, what it is, its text with a mark for each look.
fn line(block: &Block) -> String {
    let frames: String = block.frames.iter().map(frame).collect();
    let cells = |row: &Vec<Inline>| row.iter().map(inline).collect::<Vec<_>>().join(" | ");
    let kind = match &block.kind {
        Kind::Heading { level, text } => format!("heading {level} {}", inline(text)),
        Kind::Paragraph(text) => format!("text {}", inline(text)),
        Kind::Code { language, text } => format!("code {language} {text:?}"),
        Kind::Table(table) => {
            let rows: Vec<_> = table.rows.iter().map(cells).collect();
            format!(
                "table {:?} {} / {}",
                table.columns,
                cells(&table.head),
                rows.join(" / ")
            )
        }
        Kind::Maths { source, text } => format!("maths {source:?} {}", inline(text)),
        Kind::Picture { text, data } => format!("picture {text:?} {data}"),
        Kind::Rule => "rule".to_owned(),
    };
    frames + &kind
}

fn frame(frame: &Frame) -> String {
    match frame {
        Frame::Quote => "> ".to_owned(),
        Frame::Item { first: false, .. } => "  ".to_owned(),
        Frame::Item { marker, .. } => match marker {
            Marker::Bullet => "* ".to_owned(),
            Marker::Number(number) => format!("{number} "),
            Marker::Task(true) => "[x] ".to_owned(),
            Marker::Task(false) => "[ ] ".to_owned(),
            Marker::Note(label) => format!("[^{label}] "),
        },
    }
}

fn inline(inline: &Inline) -> String {
    let mut shown = String::new();
    for span in &inline.spans {
        let Look {
            bold,
            italic,
            strike,
            face,
            raised,
            link,
        } = span.look;
        let mut text = span.text.replace('\n', "⏎");
        let marks = [
            (face == Face::Code, "`", "`"),
            (face == Face::Hidden, "{", "}"),
            (raised == Raised::Up, "^(", ")"),
            (raised == Raised::Down, "_(", ")"),
            (italic, "*", "*"),
            (bold, "**", "**"),
            (strike, "~~", "~~"),
        ];
        for (_, open, close) in marks.into_iter().filter(|(is, ..)| *is) {
            text = format!("{open}{text}{close}");
        }
        if let Some(link) = link {
            text = format!("[{text}]({})", hidden::shown(&inline.links[usize::from(link)]));
        }
        shown.push_str(&text);
    }
    shown
}

#[test]
fn many_marks_in_a_row_are_text() {
    for mark in ["_", "*", "`", "~", "[", "<", "&", "\\", "|"] {
        for count in [24, 26, 30, 40, 64, 5_000] {
            let line = format!("Sign here: {} today", mark.repeat(count));
            assert!(!Blocks::new(&*line).all().is_empty(), "{mark} {count}");
        }
    }
}

#[test]
fn nothing_is_no_block() {
    check("", expect![""]);
    check(" \n\n\t\n", expect![""]);
}

#[test]
fn paragraphs_keep_their_line_breaks() {
    check(
        "one\n  two  \n\nthree\r\nfour\r\n",
        expect![[r#"
        text one⏎two
        text three⏎four
    "#]],
    );
}

#[test]
fn headings_have_levels() {
    check(
        "# One\n###### Six ##\n####### Seven\n#hashtag\n\n# C#\n##\nOne\n===\nTwo\n---",
        expect![[r#"
            heading 1 One
            heading 6 Six
            text ####### Seven⏎#hashtag
            heading 1 C#
            heading 2 
            heading 1 One
            heading 2 Two
        "#]],
    );
    // The start of a list that is still being written is no heading.
    check(
        "Text:\n-",
        expect![[r#"
        text Text:⏎-
    "#]],
    );
}

#[test]
fn lists_nest_and_are_numbered() {
    check(
        "Fruit:\n- apple\n  red\n  * core\n    + seed\n1. first\n1. second\n5. third\n\n   more\n\n10) tenth\n2024\\. was long ago",
        expect![[r#"
            text Fruit:
            * text apple⏎red
              * text core
                * text seed
            1. text first
            2. text second
            3. text third
              text more
            10. text tenth⏎2024. was long ago
        "#]],
    );
    check(
        "1. a\n   - b\n     1. c\n2. d",
        expect![[r#"
        1. text a
          * text b
            1. text c
        2. text d
    "#]],
    );
    check(
        "- \n- x",
        expect![[r#"
        * text 
        * text x
    "#]],
    );
}

#[test]
fn tasks_have_boxes() {
    check(
        "- [ ] open\n- [x] done\n  - [X] within\n1. [ ] numbered\n- [y] none",
        expect![[r#"
            [ ] text open
            [x] text done
              [x] text within
            [ ] text numbered
            * text [y] none
        "#]],
    );
}

#[test]
fn quotes_nest() {
    check(
        "> one\n> two\n>\n> > deep\n> - item\n\n> [!WARNING]\n> hot",
        expect![[r#"
            > text one⏎two
            > > text deep
            > * text item
            > text **Warning**
            > text hot
        "#]],
    );
}

#[test]
fn tables_have_sides_and_cells() {
    check(
        "| Name | Size | Rank |\n|:-----|:----:|-----:|\n| `a|b` \\| | **x** | 1 |\n| short |\n| a | b | c | d |\nafter",
        expect![[r#"
            table [Left, Middle, Right] Name | Size | Rank / `a | b` | | **x** / short |  |  / a | b | c / after |  | 
        "#]],
    );
    check(
        "a | b\n--|--\nx<br>y | $|z|$",
        expect![[r#"
        table [Left, Left] a | b / x⏎y | |*z*|
    "#]],
    );
    check(
        "a | b\nno table",
        expect![[r#"
        text a | b⏎no table
    "#]],
    );
}

#[test]
fn code_keeps_its_lines_and_ends_at_its_fence() {
    check(
        "Run:\n```rust ignore\nfn a() {\n\n    # b\n}\n```\ndone",
        expect![[r#"
            text Run:
            code rust "fn a() {\n\n    # b\n}\n"
            text done
        "#]],
    );
    check(
        "````md\n```\ninner\n```\n````",
        expect![[r#"
        code md "```\ninner\n```\n"
    "#]],
    );
    check(
        "~~~\n```\n~~~~",
        expect![[r#"
        code  "```\n"
    "#]],
    );
    check(
        "1. Write:\n   ```py\n   if x:\n       y()\n   ```\n   Then.",
        expect![[r#"
            1. text Write:
              code py "if x:\n    y()\n"
              text Then.
        "#]],
    );
    check(
        "    indented\n\n    code",
        expect![[r#"
        code  "indented\n\ncode"
    "#]],
    );
    check(
        "```\n- still code",
        expect![[r#"
        code  "- still code"
    "#]],
    );
    check(
        "```sh",
        expect![[r#"
        code sh ""
    "#]],
    );
    check(
        "see\n```x``` there",
        expect![[r#"
        text see⏎`x` there
    "#]],
    );
    check(
        "```\n你好 👩‍🔬 e\u{301}\n```",
        expect![[r#"
        code  "你好 👩\u{200d}🔬 e\u{301}\n"
    "#]],
    );
}

#[test]
fn rules_part_the_text() {
    check(
        "a\n\n---\n\n* * *\nb",
        expect![[r#"
        text a
        rule
        rule
        text b
    "#]],
    );
}

#[test]
fn odd_texts_are_no_trouble() {
    for text in [
        "**a**".repeat(16_000),
        ">".repeat(5_000),
        "- ".repeat(3_000),
        "[".repeat(5_000),
        "`".repeat(5_000) + "$",
        "$$\\(\\[".repeat(3_000),
        "*_".repeat(5_000),
        "![](".repeat(3_000),
        "|a".repeat(3_000) + "\n" + &"|-".repeat(3_000) + "\n" + &"|b".repeat(3_000),
        "a\u{0}b\r\rc".to_owned(),
    ] {
        let blocks = Blocks::new(&*text);
        assert_eq!(blocks.text(), text);
    }
}

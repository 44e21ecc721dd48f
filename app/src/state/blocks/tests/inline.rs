//! What stands in a block: looks, links, pictures, HTML, formulas.

use expect_test::expect;

use super::check;

#[test]
fn text_has_looks() {
    check(
        "**bold** *it* ***both*** ~~no~~ `code` __b__ _i_ **b *bi* b**",
        expect![[r#"
            text **bold** *it* ***both*** ~~no~~ `code` **b** *i* **b *****bi***** b**
        "#]],
    );
    check(
        "2 * 3 * 4, snake_case_name, **open, `open, a ** b ** c, \\*not\\*, about ~5 to ~6~",
        expect![[r#"
            text 2 * 3 * 4, snake_case_name, **open, `open, a ** b ** c, *not*, about ~5 to ~6~
        "#]],
    );
    check(
        "`` a ` b `` and ` ` and `a\nb`",
        expect![[r#"
        text `a ` b` and ` ` and `a b`
    "#]],
    );
    check(
        "&amp; &lt;b&gt; &#x1F980; &unknown;",
        expect![[r#"
        text & <b> 🦀 &unknown;
    "#]],
    );
}

#[test]
fn links_show_their_text_and_keep_their_address() {
    check(
        "[Hearth](https://hearth.example/a_b \"title\") <https://b.example> <me@c.example>",
        expect![[r#"
            text [Hearth](https://hearth.example/a_b) [https://b.example](https://b.example) [me@c.example](mailto:me@c.example)
        "#]],
    );
    check(
        "See https://a.example/x_y_z. And www.b.example, not `https://c.example`.",
        expect![[r#"
            text See [https://a.example/x_y_z](https://a.example/x_y_z). And [www.b.example](http://www.b.example), not `https://c.example`.
        "#]],
    );
    check(
        "[one][a], [two][], [three], [four][missing]\n\n[a]: https://a.example\n[Two]: <https://b.example>\n[three]: file:///etc/passwd\n[a]: https://never.example",
        expect![[r#"
            text [one](https://a.example), [two](https://b.example), [three](file:///etc/passwd), [four][missing]
        "#]],
    );
    check(
        "[**bold** `code`](javascript:alert(1)) [](x) [empty]()",
        expect![[r#"
            text [**bold**](javascript:alert(1))[ ](javascript:alert(1))[`code`](javascript:alert(1)) [x](x) [empty]()
        "#]],
    );
}

#[test]
fn footnotes_are_raised_and_defined() {
    check(
        "Text[^1] and more[^1][^2], [^abc] as in `[^abc]`.\n\n[^1]: The note.\n\n    Its second paragraph.\n[^2]: Another.",
        expect![[r#"
            text Text^(1) and more^(1,2), [^abc] as in `[^abc]`.
            [^1] text The note.
              text Its second paragraph.
            [^2] text Another.
        "#]],
    );
}

#[test]
fn pictures_come_from_the_message_alone() {
    check(
        "![a dot](data:image/png;base64,AAAA) after",
        expect![[r#"
        picture "a dot" data:image/png;base64,AAAA
        text after
    "#]],
    );
    check(
        "before ![secret](http://host.example/?q=secret) ![](https://x.example/y.png)",
        expect![[r#"
            text before [[secret]](http://host.example/?q=secret) [[picture]](https://x.example/y.png)
        "#]],
    );
    check(
        "![file](file:///etc/passwd) ![svg](data:text/html,x) [![in](http://a.example/i.png)](http://b.example)",
        expect![[r#"
            text [[file]](file:///etc/passwd) [[svg]](data:text/html,x) [[in]](http://b.example)
        "#]],
    );
}

#[test]
fn html_is_text() {
    check(
        "<script>alert(1)</script>\n\n<div onclick=\"x()\">\nhi **there**\n</div>\n\na <b>bold</b> <img src=\"http://x.example/y\"> z",
        expect![[r#"
            text <script>alert(1)</script>
            text <div onclick="x()">⏎hi **there**⏎</div>
            text a <b>bold</b> <img src="[http://x.example/y](http://x.example/y)"> z
        "#]],
    );
    check(
        "<!-- hidden?\n\nno -->\n\n<details><summary>More</summary>\n\ntext\n\n</details>",
        expect![[r#"
            text <!-- hidden?⏎⏎no -->
            text <details><summary>More</summary>
            text text
            text </details>
        "#]],
    );
}

#[test]
fn formulas_are_typeset_and_money_is_not() {
    check(
        "It costs $5 and $10. With $E = mc^2$ and \\(a_i\\).",
        expect![[r#"
            text It costs $5 and $10. With *E* = *mc*^(2) and *a*_(i).
        "#]],
    );
    check(
        "So:\n\n$$\n\\frac{a}{b} = c\n$$\n\nand \\[ x^2 \\] within.",
        expect![[r#"
            text So:
            maths "\\frac{a}{b} = c" *a*/*b* = *c*
            text and
            maths "x^2" *x*^(2)
            text within.
        "#]],
    );
    check(
        "- item $$y$$ on\n- next\n\n> \\[\n> a = b\n> - c_1\n> \\]",
        expect![[r#"
            * text item
              maths "y" *y*
              text on
            * text next
            > maths "a = b\n - c_1" *a* = *b* − *c*_(1)
        "#]],
    );
    check(
        "**$x$** and `$y$` and\n```\n$z$\n```",
        expect![[r#"
        text ***x*** and `$y$` and
        code  "$z$\n"
    "#]],
    );
    check(
        "\\begin{align}\na &= b \\\\\n  &= c\n\\end{align}",
        expect![[r#"
        maths "\\begin{align}\na &= b \\\\\n  &= c\n\\end{align}" *a* = *b*⏎= *c*
    "#]],
    );
    check(
        "$$\n\\frac{1",
        expect![[r#"
        maths "\\frac{1" 1/
    "#]],
    );
}

#[test]
fn hidden_characters_are_named() {
    check(
        "ab\u{202e}cd `x\u{2066}y` [l\u{200f}](https://a.example/\u{202e}x) **\u{202a}**",
        expect![[r#"
            text ab{U+202E}cd `x`{U+2066}`y` [l](https://a.example/[U+202E]x)[{U+200F}](https://a.example/[U+202E]x) **{U+202A}**
        "#]],
    );
}

#[test]
fn other_scripts_are_text() {
    check(
        "你好，**世界**。 👩‍🔬 e\u{301} **「重要」**です",
        expect![[r#"
        text 你好，**世界**。 👩‍🔬 é **「重要」**です
    "#]],
    );
}
